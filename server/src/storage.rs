//! Blobs: immutable objects named by the SHA-256 of their content. The same capture is stored once. Uploads wait in
//! [`staging`] until they become blobs.
//!
//! The service speaks to [`Storage`] and [`Staging`] alone: whether they are folders or a bucket, only links show.

mod bucket;
mod disk;
mod durable;
pub mod links;
mod s3;
pub mod staging;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use pentimento_compute::PictureFile;
use sha2::{Digest, Sha256};
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::config::S3Settings;
use bucket::Bucket;
pub use bucket::{BucketError, BucketLinks, Revision};
use disk::Disk;
pub(crate) use durable::create_private_folder;
use s3::S3;
use staging::{Staging, StagingKey};

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
    /// The bucket refused.
    #[error(transparent)]
    Bucket(#[from] BucketError),
}

impl StorageError {
    /// Whether the same may go better later: the blob itself is neither lost nor damaged.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self, Self::Io(_) | Self::Bucket(_))
    }
}

/// Opens the bucket that the settings name, else the folders in `data_dir`: where blobs are kept, and where uploads wait.
///
/// # Errors
/// The bucket cannot be used, or the folders cannot be created; the message says what to do.
pub async fn open(
    settings: &S3Settings,
    data_dir: &Path,
    now_ms: i64,
) -> anyhow::Result<(Storage, Staging)> {
    if let Some(name) = &settings.bucket {
        let bucket = Bucket::open(name, settings, now_ms).await?;
        let storage = Storage {
            backend: Backend::S3(S3(bucket.clone())),
            renews: false,
        };
        in_time(&bucket, storage.try_out()).await?;
        return Ok((storage, Staging::in_bucket(bucket)));
    }
    create_private_folder(data_dir)
        .with_context(|| format!("cannot create the data folder {}", data_dir.display()))?;
    let storage = Storage::on_disk(&data_dir.join("blobs"))
        .await
        .context("cannot open the blob folder")?;
    let staging = Staging::on_disk(&data_dir.join("staging"))
        .await
        .context("cannot open the folder for uploads")?;
    Ok((storage, staging))
}

/// Bytes whose hash takes so long, about a millisecond, that other tasks of the thread go on elsewhere meanwhile.
const LONG_BYTES: usize = 1 << 20;

/// The name of a blob with this content.
pub(crate) fn name(content: &[u8]) -> BlobKey {
    let is_shared = || Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    if content.len() >= LONG_BYTES && is_shared() {
        tokio::task::block_in_place(|| BlobKey::of(content))
    } else {
        BlobKey::of(content)
    }
}

/// Longest time that trying whether a bucket works may take.
const PROBE_DEADLINE: Duration = Duration::from_secs(8);

/// The content of the blob that tries storage out.
const PROBE: &[u8] = b"pentimento storage probe";

/// What is tried with a bucket, unless it takes too long.
async fn in_time(
    bucket: &Bucket,
    trying: impl Future<Output = Result<(), StorageError>>,
) -> Result<(), StorageError> {
    tokio::time::timeout(PROBE_DEADLINE, trying)
        .await
        .map_err(|_| bucket.too_slow())?
}

/// A blob that no row names may be removed when it was last stored longer ago. Whoever stores a content names it in a row within
/// a day, so a blob that lies there already counts as stored again from a day before that age on.
pub const SAFE_AGE: Duration = Duration::from_hours(7 * 24);

/// From this age on, a blob that is stored again is renewed.
const RENEWED_AFTER: Duration = Duration::from_hours(6 * 24);

/// A blob that is there.
#[derive(Debug, Clone, Copy)]
struct Found {
    bytes: u64,
    /// When it was stored last, by the clock of the disk or the bucket.
    stored: SystemTime,
}

impl Found {
    /// Whether it is so old that storing it again must renew it. What is from the future is not.
    fn is_old(self) -> bool {
        let age = self.stored.elapsed();
        age.is_ok_and(|age| age > RENEWED_AFTER)
    }
}

/// Where blobs are kept.
#[derive(Debug, Clone)]
pub struct Storage {
    backend: Backend,
    /// Whether blobs may be removed: then what is stored again must not look as if nobody had needed it.
    renews: bool,
}

#[derive(Debug, Clone)]
enum Backend {
    Disk(Disk),
    S3(S3),
}

impl Storage {
    /// Keeps blobs in a folder, which is created when missing.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    async fn on_disk(folder: &Path) -> Result<Self, StorageError> {
        Ok(Self {
            backend: Backend::Disk(Disk::open(folder).await?),
            renews: false,
        })
    }

    /// The same, whose blobs may be removed when they are older than [`SAFE_AGE`]: those that are stored again do not become so old.
    #[must_use]
    pub fn renewing(self) -> Self {
        Self {
            renews: true,
            ..self
        }
    }

    /// Stores `content` and returns its name. Storing the same content again writes nothing, unless it is to be renewed.
    ///
    /// # Errors
    /// The content cannot be written.
    pub async fn put(&self, content: &[u8]) -> Result<BlobKey, StorageError> {
        let key = name(content);
        let found = match &self.backend {
            Backend::Disk(disk) => disk.find(&key).await,
            Backend::S3(s3) => s3.find(&key).await?,
        };
        let is_whole = |found: &Found| found.bytes == content.len() as u64;
        let stands = match (found.filter(is_whole), &self.backend) {
            (Some(found), _) if !self.renews || !found.is_old() => true,
            (Some(_), Backend::Disk(disk)) => disk.renew(&key).await,
            _ => false,
        };
        if !stands {
            self.write(&key, content).await?;
        }
        Ok(key)
    }

    /// Stores `content` also where a blob of its name and length lies already, which may be damaged.
    ///
    /// # Errors
    /// The content cannot be written.
    pub async fn put_anew(&self, content: &[u8]) -> Result<BlobKey, StorageError> {
        let key = name(content);
        self.write(&key, content).await?;
        Ok(key)
    }

    /// Removes a blob that was last stored before a time; false when it was stored since. One that is not there is removed.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn remove(&self, key: &BlobKey, before: SystemTime) -> Result<bool, StorageError> {
        match &self.backend {
            Backend::Disk(disk) => disk.remove(key, before).await,
            Backend::S3(s3) => s3.remove(key, before).await,
        }
    }

    async fn write(&self, key: &BlobKey, content: &[u8]) -> Result<(), StorageError> {
        match &self.backend {
            Backend::Disk(disk) => disk.write(key, content).await,
            Backend::S3(s3) => s3.write(key, content).await,
        }
    }

    /// The whole content of the blob of this name, as rows keep it.
    ///
    /// # Errors
    /// As [`Storage::get`]; it is no name of a blob.
    pub async fn get_named(&self, name: &str) -> Result<Vec<u8>, StorageError> {
        self.get(&name.parse()?).await
    }

    /// The same for somebody who waits for it, for no longer than `patience`.
    ///
    /// # Errors
    /// As [`Storage::get_named`]; it takes longer.
    pub(crate) async fn get_soon(
        &self,
        name: &str,
        patience: Duration,
    ) -> Result<Vec<u8>, StorageError> {
        let reading = tokio::time::timeout(patience, self.get_named(name)).await;
        reading.unwrap_or_else(|_| {
            Err(match &self.backend {
                Backend::Disk(_) => std::io::Error::from(std::io::ErrorKind::TimedOut).into(),
                Backend::S3(S3(bucket)) => bucket.too_slow().into(),
            })
        })
    }

    /// The whole content of a blob, checked against its name.
    ///
    /// # Errors
    /// The blob is missing, damaged or cannot be read.
    pub async fn get(&self, key: &BlobKey) -> Result<Vec<u8>, StorageError> {
        let content = match &self.backend {
            Backend::Disk(disk) => disk.get(key).await?,
            Backend::S3(s3) => s3.get(key).await?,
        };
        if name(&content) == *key {
            Ok(content)
        } else {
            Err(StorageError::Damaged(key.clone()))
        }
    }

    /// The same to be read piece by piece, now that its content was checked: a long blob of a folder stays on disk.
    ///
    /// # Errors
    /// As [`Storage::get_named`].
    pub async fn open_named(&self, name: &str) -> Result<PictureFile, StorageError> {
        let key = name.parse()?;
        if let Backend::Disk(disk) = &self.backend
            && let Some(file) = disk.open_long(&key).await?
        {
            return Ok(PictureFile::Disk(file));
        }
        self.get(&key).await.map(PictureFile::Memory)
    }

    /// Whether storage works: a small blob is written and read back. In a bucket it is written only where it is missing or old: old
    /// versions of it may be kept there.
    ///
    /// # Errors
    /// It does not; a bucket, not in time.
    pub async fn probe(&self) -> Result<(), StorageError> {
        let Backend::S3(S3(bucket)) = &self.backend else {
            return self.try_out().await;
        };
        let trying = async {
            bucket.probe().await?;
            let key = self.put(PROBE).await?;
            self.get(&key).await.map(drop)
        };
        in_time(bucket, trying).await
    }

    /// Writes a small blob anew and reads it back.
    async fn try_out(&self) -> Result<(), StorageError> {
        let key = self.put_anew(PROBE).await?;
        self.get(&key).await.map(drop)
    }

    /// The bucket that blobs are kept in, for people; none when they lie in a folder.
    pub fn bucket(&self) -> Option<String> {
        match &self.backend {
            Backend::Disk(_) => None,
            Backend::S3(S3(bucket)) => Some(bucket.describe()),
        }
    }

    /// What signs links to the bucket; none when blobs lie in a folder, and links lead to the service. Asks the bucket
    /// for nothing.
    ///
    /// # Errors
    /// There are no credentials any more.
    pub async fn links(&self, now_ms: i64) -> Result<Option<BucketLinks>, StorageError> {
        match &self.backend {
            Backend::Disk(_) => Ok(None),
            Backend::S3(s3) => Ok(Some(s3.0.links(now_ms).await?)),
        }
    }
}

/// The bucket's object that holds a blob.
pub fn blob_object(key: &str) -> String {
    s3::object(key)
}

/// The bucket's object that holds a part of an upload.
pub fn staging_object(key: &StagingKey) -> String {
    staging::object(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_the_folder_are_refused() {
        assert!("../../etc/passwd".parse::<BlobKey>().is_err());
        assert!("A".repeat(64).parse::<BlobKey>().is_err());
    }
}
