//! Blobs as files: `ab/abcdef…`, written beside and renamed into place, so that a reader never sees half of one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use pentimento_compute::{DiskFile, FileBytes, PictureFile};
use sha2::{Digest, Sha256};
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
            .map_err(|error| missing(key, error))
    }

    /// A blob that is too long to lie in memory beside its pixels, checked against its name; `None` when it is shorter.
    pub(super) async fn open_long(&self, key: &BlobKey) -> Result<Option<DiskFile>, StorageError> {
        let (key, path) = (key.clone(), self.path(key));
        let opening = tokio::task::spawn_blocking(move || {
            let file = std::fs::File::open(path).map_err(|error| missing(&key, error))?;
            let about = file.metadata()?;
            if !PictureFile::stays_on_disk(&about) {
                return Ok(None);
            }
            let file = DiskFile::new(file, about.len());
            let mut hasher = Sha256::new();
            FileBytes::from(&file).each_piece(|piece| hasher.update(piece))?;
            if hex::encode(hasher.finalize()) != key.as_str() {
                return Err(StorageError::Damaged(key));
            }
            Ok(Some(file))
        });
        opening.await.map_err(std::io::Error::from)?
    }

    fn path(&self, key: &BlobKey) -> PathBuf {
        self.folder.join(&key.as_str()[..2]).join(key.as_str())
    }
}

fn missing(key: &BlobKey, error: std::io::Error) -> StorageError {
    match error.kind() {
        ErrorKind::NotFound => StorageError::Missing(key.clone()),
        _ => error.into(),
    }
}

/// A row in the database may name this blob next, so the bytes must be on the disk first.
async fn write_durably(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(path).await?;
    file.write_all(content).await?;
    file.sync_data().await
}
