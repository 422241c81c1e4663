//! Staging in a bucket: `staging/<job>/<upload>.png`. Clients PUT there by presigned links, which nothing can take back;
//! so what counts is what was there when the job was finalized, by its revision.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};

use super::key::{StagingKey, canonical};
use super::{LIST_LIMIT, Staged};
use crate::storage::StorageError;
use crate::storage::bucket::{Bucket, Read, Revision};

/// Objects of one job: 10,000 pages × variants with two parts each.
const MAX_PARTS: usize = 20_000;

/// Longest wait for a list of a job's objects: whoever finalizes waits for it.
const LIST_DEADLINE: Duration = Duration::from_secs(8);

/// Objects that are removed at once.
const PARALLEL: usize = 16;

#[derive(Debug, Clone)]
pub(super) struct S3(pub(super) Bucket);

impl S3 {
    /// What of a job is there now.
    pub(super) async fn revisions(
        &self,
        job_id: &str,
    ) -> Result<Vec<(StagingKey, Revision)>, StorageError> {
        let folder = folder(job_id);
        let listed = tokio::time::timeout(LIST_DEADLINE, self.0.list(&folder, MAX_PARTS))
            .await
            .map_err(|_| self.0.too_slow())??;
        let keyed = listed.into_iter().filter_map(|listed| {
            let key = listed.name.strip_prefix("staging/")?.parse().ok()?;
            Some((key, listed.revision))
        });
        Ok(keyed.collect())
    }

    /// What was there when `revision` was taken; none is nothing, whatever came later.
    pub(super) async fn get(
        &self,
        key: &StagingKey,
        revision: Option<&Revision>,
    ) -> Result<Staged, StorageError> {
        if revision.is_none() {
            return Ok(Staged::Missing);
        }
        let max_bytes = key.part().max_bytes();
        Ok(
            match self.0.read(&object(key), revision, max_bytes).await? {
                Read::Content(content) => Staged::Content(content),
                Read::Missing => Staged::Missing,
                Read::TooLarge => Staged::TooLarge,
                Read::Replaced => Staged::Replaced,
            },
        )
    }

    pub(super) async fn remove(&self, key: &StagingKey) -> Result<(), StorageError> {
        Ok(self.0.remove(&object(key)).await?)
    }

    pub(super) async fn list_jobs(&self) -> Result<Vec<String>, StorageError> {
        let mut names = self.0.folders("staging/", LIST_LIMIT).await?;
        names.retain(|name| canonical(name).is_ok());
        Ok(names)
    }

    pub(super) async fn remove_job(&self, job_id: &str) -> Result<(), StorageError> {
        if canonical(job_id).is_err() {
            return Ok(());
        }
        let listed = self.0.list(&folder(job_id), MAX_PARTS).await?;
        futures::stream::iter(listed)
            .map(|listed| async move { self.0.remove(&listed.name).await })
            .buffer_unordered(PARALLEL)
            .try_collect::<()>()
            .await?;
        Ok(())
    }
}

fn folder(job_id: &str) -> String {
    format!("staging/{job_id}/")
}

/// The object of a part.
pub(in crate::storage) fn object(key: &StagingKey) -> String {
    format!("staging/{key}")
}
