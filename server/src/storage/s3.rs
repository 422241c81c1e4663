//! Blobs as objects of a bucket: `blobs/ab/abcdef…`, as they lie on a disk.

use std::io::Error;
use std::time::SystemTime;

use super::bucket::{Bucket, Read};
use super::{BlobKey, Found, StorageError};

/// Most bytes of a blob; none that the service makes has so many.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Debug, Clone)]
pub(super) struct S3(pub(super) Bucket);

impl S3 {
    /// A blob that is there.
    pub(super) async fn find(&self, key: &BlobKey) -> Result<Option<Found>, StorageError> {
        let found = self.0.about(&object(key.as_str())).await?;
        Ok(found.map(|revision| Found {
            bytes: revision.bytes(),
            stored: revision.put_at(),
        }))
    }

    /// As [`super::Storage::remove`]. Who stores it between the look and the removal would lose it: that is a moment in the days for
    /// which nobody had needed it.
    pub(super) async fn remove(
        &self,
        key: &BlobKey,
        before: SystemTime,
    ) -> Result<bool, StorageError> {
        match self.find(key).await? {
            Some(found) if found.stored >= before => return Ok(false),
            Some(_) => self.0.remove_once(&object(key.as_str())).await?,
            // Nobody comes back to what counts as removed, so the server itself has to say it.
            None => match self.0.read(&object(key.as_str()), None, 0).await? {
                Read::Missing => {}
                _ => return Err(Error::other("it was said not to be there, and is").into()),
            },
        }
        Ok(true)
    }

    /// Two servers that write the same content at once both write it: it is the same.
    pub(super) async fn write(&self, key: &BlobKey, content: &[u8]) -> Result<(), StorageError> {
        Ok(self.0.put(&object(key.as_str()), content.to_vec()).await?)
    }

    pub(super) async fn get(&self, key: &BlobKey) -> Result<Vec<u8>, StorageError> {
        match self.0.read(&object(key.as_str()), None, MAX_BYTES).await? {
            Read::Content(content) => Ok(content),
            Read::Missing => Err(StorageError::Missing(key.clone())),
            Read::TooLarge | Read::Replaced => Err(StorageError::Damaged(key.clone())),
        }
    }
}

/// The object of a blob.
pub(super) fn object(key: &str) -> String {
    format!("blobs/{}/{key}", key.get(..2).unwrap_or_default())
}
