//! Blobs as files: `ab/abcdef…`, written beside and renamed into place, so that a reader never sees half of one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tokio::fs;
use tokio::io::AsyncWriteExt;

use super::{BlobKey, StorageError};

#[derive(Debug, Clone)]
pub(super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    pub(super) async fn open(folder: &Path) -> Result<Self, StorageError> {
        fs::create_dir_all(folder.join("incoming")).await?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Bytes of a blob that is there.
    pub(super) async fn length(&self, key: &BlobKey) -> Option<u64> {
        let found = fs::metadata(self.path(key)).await.ok()?;
        Some(found.len())
    }

    /// Writes a blob in one go; of what lies there already readers see all or nothing.
    pub(super) async fn write(&self, key: &BlobKey, content: &[u8]) -> Result<(), StorageError> {
        let path = self.path(key);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).await?;
        }
        let incoming = self
            .folder
            .join("incoming")
            .join(uuid::Uuid::new_v4().to_string());
        let written = write_durably(&incoming, content).await;
        let placed = match written {
            Ok(()) => fs::rename(&incoming, &path).await,
            Err(error) => Err(error),
        };
        if placed.is_err() {
            // The half-written file must not stay; the first error is the one to tell.
            let _ = fs::remove_file(&incoming).await;
        }
        Ok(placed?)
    }

    pub(super) async fn get(&self, key: &BlobKey) -> Result<Vec<u8>, StorageError> {
        fs::read(self.path(key))
            .await
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => StorageError::Missing(key.clone()),
                _ => error.into(),
            })
    }

    fn path(&self, key: &BlobKey) -> PathBuf {
        self.folder.join(&key.as_str()[..2]).join(key.as_str())
    }
}

/// A row in the database may name this blob next, so the bytes must be on the disk first.
async fn write_durably(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(path).await?;
    file.write_all(content).await?;
    file.sync_data().await
}
