//! Lists of objects, read to their end or to a limit.

use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use aws_sdk_s3::types::Object;

use super::{Bucket, BucketError, Revision};

/// Most answers that one list is put together from.
const MAX_PAGES: usize = 1_000;

/// Most objects that one answer holds.
const PAGE_SIZE: i32 = 1_000;

/// An object as a list shows it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) revision: Revision,
}

impl Bucket {
    /// Objects whose names begin with `beginning`, at most `limit`.
    pub(crate) async fn list(
        &self,
        beginning: &str,
        limit: usize,
    ) -> Result<Vec<Listed>, BucketError> {
        let listed = |page: ListObjectsV2Output| {
            let objects = page.contents.unwrap_or_default();
            let named = |object: Object| {
                Some(Listed {
                    revision: Revision::new(
                        object.last_modified.as_ref(),
                        object.size,
                        object.e_tag(),
                    ),
                    name: self.name_of(object.key()?)?,
                })
            };
            objects.into_iter().filter_map(named).collect()
        };
        self.pages(beginning, None, limit, listed).await
    }

    /// Names of the folders directly in `folder`, which ends with a slash; at most `limit`.
    pub(crate) async fn folders(
        &self,
        folder: &str,
        limit: usize,
    ) -> Result<Vec<String>, BucketError> {
        let named = |page: ListObjectsV2Output| {
            let found = page.common_prefixes.unwrap_or_default();
            let name = |prefix: Option<String>| {
                let within = self.name_of(&prefix?)?;
                let name = within.strip_prefix(folder)?.trim_end_matches('/');
                Some(name.to_owned())
            };
            found
                .into_iter()
                .filter_map(|found| name(found.prefix))
                .collect()
        };
        self.pages(folder, Some("/"), limit, named).await
    }

    /// Reads a list to its end or to `limit`.
    async fn pages<T>(
        &self,
        beginning: &str,
        delimiter: Option<&str>,
        limit: usize,
        of_page: impl Fn(ListObjectsV2Output) -> Vec<T>,
    ) -> Result<Vec<T>, BucketError> {
        let mut pages = (self.0.client.list_objects_v2())
            .bucket(&self.0.name)
            .prefix(self.key(beginning))
            .set_delimiter(delimiter.map(str::to_owned))
            .into_paginator()
            .page_size(i32::try_from(limit).map_or(PAGE_SIZE, |limit| limit.min(PAGE_SIZE)))
            .send();
        let mut all = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(page) = pages.next().await else {
                break;
            };
            all.extend(of_page(page.map_err(|error| self.refusal(&error))?));
            if all.len() >= limit {
                break;
            }
        }
        all.truncate(limit);
        Ok(all)
    }
}
