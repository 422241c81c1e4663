//! Staging: uploads that wait until their job is finalized and they become blobs.
//!
//! A [`StagingKey`] names one part of one upload; what is put under it last counts. In a folder uploads come through the
//! service, which takes none once the job is finalized. Into a bucket clients PUT by themselves; there [`Revision`]s say
//! what counts.

mod disk;
mod key;
mod s3;

use std::path::Path;

use super::StorageError;
use super::bucket::{Bucket, Revision};
pub use disk::{Folder, Incoming, Received};
pub use key::{BadStagingKey, Part, StagingKey};
use s3::S3;
pub(super) use s3::object;

/// Most jobs that one listing returns.
const LIST_LIMIT: usize = 10_000;

/// What is in staging under a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Staged {
    /// All of what was put there last.
    Content(Vec<u8>),
    /// Nothing.
    Missing,
    /// More than [`Part::max_bytes`]; it was not read.
    TooLarge,
    /// Something that was put there after the job was finalized; it was not read.
    Replaced,
}

/// Where uploads wait.
#[derive(Debug, Clone)]
pub struct Staging {
    backend: Backend,
}

#[derive(Debug, Clone)]
enum Backend {
    Disk(Folder),
    S3(S3),
}

impl Staging {
    /// Keeps uploads in a folder, which is created when missing.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub(super) async fn on_disk(folder: &Path) -> Result<Self, StorageError> {
        Ok(Self {
            backend: Backend::Disk(Folder::open(folder).await?),
        })
    }

    /// Keeps uploads in a bucket.
    pub(super) fn in_bucket(bucket: Bucket) -> Self {
        Self {
            backend: Backend::S3(S3(bucket)),
        }
    }

    /// The folder that uploads come to through the service; none when clients put them into a bucket.
    pub fn folder(&self) -> Option<&Folder> {
        match &self.backend {
            Backend::Disk(folder) => Some(folder),
            Backend::S3(_) => None,
        }
    }

    /// What a job has in staging now; nothing needs to be remembered of a folder.
    ///
    /// # Errors
    /// The bucket cannot be listed, or not in time.
    pub async fn revisions(
        &self,
        job_id: &str,
    ) -> Result<Vec<(StagingKey, Revision)>, StorageError> {
        match &self.backend {
            Backend::Disk(_) => Ok(Vec::new()),
            Backend::S3(s3) => s3.revisions(job_id).await,
        }
    }

    /// What was put under the key last; in a bucket, what was there when its `revision` was noted. The caller's memory
    /// holds all of it, at most [`Part::max_bytes`].
    ///
    /// # Errors
    /// It cannot be read.
    pub async fn get(
        &self,
        key: &StagingKey,
        revision: Option<&Revision>,
    ) -> Result<Staged, StorageError> {
        match &self.backend {
            Backend::Disk(folder) => Ok(folder.get(key).await?),
            Backend::S3(s3) => s3.get(key, revision).await,
        }
    }

    /// Takes a part away; one that is not there is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn remove(&self, key: &StagingKey) -> Result<(), StorageError> {
        match &self.backend {
            Backend::Disk(folder) => Ok(folder.remove(key).await?),
            Backend::S3(s3) => s3.remove(key).await,
        }
    }

    /// Ids of jobs that have anything here, in no order; at most ten thousand.
    ///
    /// # Errors
    /// They cannot be listed.
    pub async fn list_jobs(&self) -> Result<Vec<String>, StorageError> {
        match &self.backend {
            Backend::Disk(folder) => Ok(folder.list_jobs().await?),
            Backend::S3(s3) => s3.list_jobs().await,
        }
    }

    /// Takes everything of a job away, half-received parts too.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn remove_job(&self, job_id: &str) -> Result<(), StorageError> {
        match &self.backend {
            Backend::Disk(folder) => Ok(folder.remove_job(job_id).await?),
            Backend::S3(s3) => s3.remove_job(job_id).await,
        }
    }
}
