//! Blobs: immutable objects named by the SHA-256 of their content. The same capture is stored once. Uploads wait in
//! [`staging`] until they become blobs.
//!
//! The service speaks to [`Storage`] alone. A second place for blobs, an S3 bucket, is a second variant of `Backend`;
//! keys, links and callers stay as they are.

mod disk;
pub mod links;
pub mod staging;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use disk::Disk;

/// The name of a blob: the SHA-256 of its content, in lower-case hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobKey(String);

impl BlobKey {
    /// The name that `content` has.
    pub fn of(content: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(content)))
    }

    /// 64 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for BlobKey {
    type Err = StorageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_hex = text.len() == 64
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hex {
            Ok(Self(text.to_owned()))
        } else {
            Err(StorageError::BadKey)
        }
    }
}

/// Why a blob could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The name is no SHA-256 in hex.
    #[error("a blob's name is 64 lower-case hex digits")]
    BadKey,
    /// No such blob.
    #[error("blob {0} is not stored")]
    Missing(BlobKey),
    /// The blob's content does not have the hash it is named by.
    #[error("blob {0} is damaged: its content has another hash; restore it from a backup")]
    Damaged(BlobKey),
    /// The file system refused.
    #[error("storage: {0}")]
    Io(#[from] std::io::Error),
}

/// Where blobs are kept.
#[derive(Debug, Clone)]
pub struct Storage {
    backend: Backend,
}

#[derive(Debug, Clone)]
enum Backend {
    Disk(Disk),
}

impl Storage {
    /// Keeps blobs in a folder, which is created when missing.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub async fn on_disk(folder: &Path) -> Result<Self, StorageError> {
        Ok(Self {
            backend: Backend::Disk(Disk::open(folder).await?),
        })
    }

    /// Stores `content` and returns its name. Storing the same content again writes nothing.
    ///
    /// # Errors
    /// The content cannot be written.
    pub async fn put(&self, content: &[u8]) -> Result<BlobKey, StorageError> {
        let key = BlobKey::of(content);
        match &self.backend {
            Backend::Disk(disk) => disk.put(&key, content).await?,
        }
        Ok(key)
    }

    /// The whole content of a blob, checked against its name.
    ///
    /// # Errors
    /// The blob is missing, damaged or cannot be read.
    pub async fn get(&self, key: &BlobKey) -> Result<Vec<u8>, StorageError> {
        let content = match &self.backend {
            Backend::Disk(disk) => disk.get(key).await?,
        };
        if BlobKey::of(&content) == *key {
            Ok(content)
        } else {
            Err(StorageError::Damaged(key.clone()))
        }
    }

    /// Writes and reads back a small blob: whether storage works.
    ///
    /// # Errors
    /// It does not.
    pub async fn probe(&self) -> Result<(), StorageError> {
        let key = self.put(b"pentimento storage probe").await?;
        self.get(&key).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_blob_is_named_by_its_content_and_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::on_disk(folder.path()).await.unwrap();
        let key = storage.put(b"abc").await.unwrap();
        assert_eq!(
            key.as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(storage.put(b"abc").await.unwrap(), key);
        assert_eq!(storage.get(&key).await.unwrap(), b"abc");
    }

    #[tokio::test]
    async fn a_missing_or_damaged_blob_is_said_to_be_so() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::on_disk(folder.path()).await.unwrap();
        assert!(matches!(
            storage.get(&BlobKey::of(b"never stored")).await,
            Err(StorageError::Missing(_))
        ));
        let key = storage.put(b"abc").await.unwrap();
        let file = folder.path().join(&key.as_str()[..2]).join(key.as_str());
        std::fs::write(file, b"abd").unwrap();
        assert!(matches!(
            storage.get(&key).await,
            Err(StorageError::Damaged(_))
        ));
    }

    #[test]
    fn names_that_could_leave_the_folder_are_refused() {
        assert!("../../etc/passwd".parse::<BlobKey>().is_err());
        assert!("A".repeat(64).parse::<BlobKey>().is_err());
    }
}
