//! Blobs as files: `ab/abcdef…`, written beside and renamed into place, so that a reader never sees half of one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pentimento_compute::{DiskFile, FileBytes, PictureFile};
use sha2::{Digest, Sha256};
use tokio::fs;
use tokio::io::AsyncWriteExt;

use super::{BlobKey, Found, StorageError, durable};

/// Writing a blob takes less.
const LONGEST_WRITE: Duration = Duration::from_hours(1);

#[derive(Debug, Clone)]
pub(super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    pub(super) async fn open(folder: &Path) -> Result<Self, StorageError> {
        durable::create_folder(folder.join("incoming")).await?;
        let disk = Self {
            folder: folder.to_owned(),
        };
        disk.clear_incoming().await?;
        Ok(disk)
    }

    /// Of processes that were ended, removes what they left half-written, and puts back what they had taken aside to remove it:
    /// somebody may have stored it since. What processes write that are alive is younger.
    async fn clear_incoming(&self) -> std::io::Result<()> {
        let mut files = fs::read_dir(self.folder.join("incoming")).await?;
        while let Some(file) = files.next_entry().await? {
            let name = file.file_name();
            if let Some(key) = name.to_str().and_then(|name| name.parse().ok()) {
                // Another process may have been faster, here and below.
                let _ = fs::rename(file.path(), self.path(&key)).await;
                continue;
            }
            let written = file.metadata().await.and_then(|about| about.modified());
            let age = written.ok().and_then(|written| written.elapsed().ok());
            if age.is_some_and(|age| age > LONGEST_WRITE) {
                let _ = fs::remove_file(file.path()).await;
            }
        }
        Ok(())
    }

    /// A blob that is there.
    pub(super) async fn find(&self, key: &BlobKey) -> Option<Found> {
        let about = fs::metadata(self.path(key)).await.ok()?;
        Some(Found {
            bytes: about.len(),
            stored: about.modified().ok()?,
        })
    }

    /// Makes a blob count as stored just now; false where that cannot be: it is gone, or another user's.
    pub(super) async fn renew(&self, key: &BlobKey) -> bool {
        let path = self.path(key);
        let renewing = tokio::task::spawn_blocking(move || {
            #[expect(
                clippy::disallowed_methods,
                reason = "what it is compared with are the times that the disk gives to files"
            )]
            let now = SystemTime::now();
            std::fs::File::open(&path)?.set_modified(now)?;
            // Who removes it may have taken aside what was opened, and have looked at it before.
            std::fs::metadata(&path).map(drop)
        });
        renewing.await.is_ok_and(|renewed| renewed.is_ok())
    }

    /// As [`super::Storage::remove`]: it is taken aside first, so that whoever stores it meanwhile either writes it anew or is
    /// seen to have renewed it.
    pub(super) async fn remove(
        &self,
        key: &BlobKey,
        before: SystemTime,
    ) -> Result<bool, StorageError> {
        let path = self.path(key);
        let aside = self.folder.join("incoming").join(key.as_str());
        let removing = tokio::task::spawn_blocking(move || {
            let is_needed = |file: &Path| -> std::io::Result<bool> {
                Ok(std::fs::metadata(file)?.modified()? >= before)
            };
            let remove = || {
                if is_needed(&path)? {
                    return Ok(false);
                }
                std::fs::rename(&path, &aside)?;
                if is_needed(&aside)? {
                    std::fs::rename(&aside, &path)?;
                    return Ok(false);
                }
                std::fs::remove_file(&aside)?;
                Ok(true)
            };
            remove().or_else(|error: std::io::Error| match error.kind() {
                ErrorKind::NotFound => Ok(true),
                _ => Err(error),
            })
        });
        removing
            .await
            .map_err(std::io::Error::from)?
            .map_err(StorageError::Io)
    }

    /// Writes a blob in one go; of what lies there already readers see all or nothing.
    pub(super) async fn write(&self, key: &BlobKey, content: &[u8]) -> Result<(), StorageError> {
        let path = self.path(key);
        if let Some(parent) = path.parent() {
            durable::create_folder(parent.to_owned()).await?;
        }
        let name = uuid::Uuid::new_v4().to_string();
        let incoming = Incoming(self.folder.join("incoming").join(name));
        write_durably(&incoming.0, content).await?;
        Ok(durable::rename(incoming.0.clone(), path).await?)
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

/// A file on its way, which goes away when it does not arrive, also where its writer is dropped. (Not where it was being created
/// just then, on another thread.) Once it was renamed there is nothing to remove.
struct Incoming(PathBuf);

impl Drop for Incoming {
    fn drop(&mut self) {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn missing(key: &BlobKey, error: std::io::Error) -> StorageError {
    match error.kind() {
        ErrorKind::NotFound => StorageError::Missing(key.clone()),
        _ => error.into(),
    }
}

/// A row in the database may name this blob next, so the bytes must be on the disk first (and its name, which [`durable::rename`]
/// sees to).
async fn write_durably(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(path).await?;
    file.write_all(content).await?;
    file.sync_data().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_left_half_written_goes_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let incoming = folder.path().join("incoming");
        std::fs::create_dir(&incoming).unwrap();
        for (name, age) in [("old", LONGEST_WRITE * 2), ("young", Duration::ZERO)] {
            let file = std::fs::File::create(incoming.join(name)).unwrap();
            let now = file.metadata().unwrap().modified().unwrap();
            file.set_modified(now - age).unwrap();
        }
        Disk::open(folder.path()).await.unwrap();
        assert!(!incoming.join("old").exists());
        assert!(incoming.join("young").exists());
    }

    #[tokio::test]
    async fn what_was_taken_aside_to_be_removed_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path()).await.unwrap();
        let key = BlobKey::of(b"needed");
        disk.write(&key, b"needed").await.unwrap();
        let aside = folder.path().join("incoming").join(key.as_str());
        std::fs::rename(disk.path(&key), &aside).unwrap();
        assert!(!disk.renew(&key).await, "it has to be written");
        let disk = Disk::open(folder.path()).await.unwrap();
        assert_eq!(disk.get(&key).await.unwrap(), b"needed");
        assert!(disk.renew(&key).await && !aside.exists());
    }

    #[tokio::test]
    async fn nothing_stays_of_a_write_that_is_broken_off_or_fails() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path()).await.unwrap();
        let incoming = folder.path().join("incoming");
        let broken_off = Incoming(incoming.join("broken off"));
        write_durably(&broken_off.0, b"half").await.unwrap();
        drop(broken_off);
        // A folder stands where the blob belongs.
        let key = BlobKey::of(b"whole");
        std::fs::create_dir_all(disk.path(&key)).unwrap();
        assert!(disk.write(&key, b"whole").await.is_err());
        assert_eq!(std::fs::read_dir(&incoming).unwrap().count(), 0);
    }
}
