//! Staging: uploads that wait until their job is finalized and they become blobs.
//!
//! A [`StagingKey`] names one part of one upload; what is put under it last counts. The service speaks to [`Staging`]
//! alone: a bucket with multipart uploads is a second variant of `Backend`, and keys and callers stay as they are.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tokio::fs;
use tokio::io::{AsyncWriteExt, BufWriter};
use uuid::Uuid;

/// Bytes that are gathered before they are written.
const BUFFER_BYTES: usize = 256 * 1024;

/// Most jobs that one listing returns.
const LIST_LIMIT: usize = 10_000;

/// What an upload consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The screenshot, a PNG.
    Screenshot,
    /// The DOM tree, JSON that may be packed with gzip.
    Dom,
}

impl Part {
    /// The media type that it is sent as.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Screenshot => "image/png",
            Self::Dom => "application/json",
        }
    }

    /// Most bytes of it.
    pub fn max_bytes(self) -> u64 {
        match self {
            Self::Screenshot => 64 << 20,
            Self::Dom => 16 << 20,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Screenshot => "png",
            Self::Dom => "json",
        }
    }
}

/// Names one part of one upload of a job: `<job>/<upload>.png` or `<job>/<upload>.json`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StagingKey {
    job: Uuid,
    upload: Uuid,
    part: Part,
}

/// The text names no upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an upload is named by two UUIDs and an extension")]
pub struct BadStagingKey;

impl StagingKey {
    /// The key of a part of the result `upload_id` of `job_id`.
    ///
    /// # Errors
    /// An id is no UUID.
    pub fn new(job_id: &str, upload_id: &str, part: Part) -> Result<Self, BadStagingKey> {
        Ok(Self {
            job: canonical(job_id)?,
            upload: canonical(upload_id)?,
            part,
        })
    }

    /// The job.
    pub fn job_id(&self) -> String {
        self.job.to_string()
    }

    /// What it names of the upload.
    pub fn part(&self) -> Part {
        self.part
    }
}

impl fmt::Display for StagingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}.{}", self.job, self.upload, self.part.extension())
    }
}

impl FromStr for StagingKey {
    type Err = BadStagingKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (job_id, file) = text.split_once('/').ok_or(BadStagingKey)?;
        let (upload_id, extension) = file.split_once('.').ok_or(BadStagingKey)?;
        let part = [Part::Screenshot, Part::Dom]
            .into_iter()
            .find(|part| part.extension() == extension)
            .ok_or(BadStagingKey)?;
        Self::new(job_id, upload_id, part)
    }
}

/// A UUID in the one form that names files: no path can be written in it.
fn canonical(text: &str) -> Result<Uuid, BadStagingKey> {
    text.parse()
        .ok()
        .filter(|id: &Uuid| id.to_string() == text)
        .ok_or(BadStagingKey)
}

/// Where uploads wait.
#[derive(Debug, Clone)]
pub struct Staging {
    backend: Backend,
}

#[derive(Debug, Clone)]
enum Backend {
    /// A folder for each job; files are written beside and renamed into place.
    Disk(PathBuf),
}

impl Staging {
    /// Keeps uploads in a folder, which is created when missing.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub async fn on_disk(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        Ok(Self {
            backend: Backend::Disk(folder.to_owned()),
        })
    }

    /// Begins to receive a part. Nothing is there under the key before [`Incoming::commit`].
    ///
    /// # Errors
    /// Nothing can be written.
    pub async fn begin(&self, key: &StagingKey) -> io::Result<Incoming> {
        let path = self.path(key);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).await?;
        }
        let partial = path.with_extension(format!("{}.part", Uuid::new_v4()));
        let file = fs::File::create(&partial).await?;
        Ok(Incoming {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            partial: Partial(partial),
            path,
        })
    }

    /// What was put under the key last; none when nothing was. The caller's memory holds all of it, at most
    /// [`Part::max_bytes`].
    ///
    /// # Errors
    /// It cannot be read.
    pub async fn get(&self, key: &StagingKey) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path(key)).await {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Takes a part away; one that is not there is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn remove(&self, key: &StagingKey) -> io::Result<()> {
        unless_missing(fs::remove_file(self.path(key)).await)
    }

    /// Ids of jobs that have anything here, in no order; at most ten thousand.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub async fn list_jobs(&self) -> io::Result<Vec<String>> {
        let Backend::Disk(folder) = &self.backend;
        let mut entries = fs::read_dir(folder).await?;
        let mut jobs = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            let name = entry.file_name().to_string_lossy().into_owned();
            if canonical(&name).is_ok() {
                jobs.push(name);
            }
            if jobs.len() == LIST_LIMIT {
                break;
            }
        }
        Ok(jobs)
    }

    /// Takes everything of a job away, half-received parts too.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn remove_job(&self, job_id: &str) -> io::Result<()> {
        let Backend::Disk(folder) = &self.backend;
        match canonical(job_id) {
            Ok(job) => unless_missing(fs::remove_dir_all(folder.join(job.to_string())).await),
            Err(BadStagingKey) => Ok(()),
        }
    }

    fn path(&self, key: &StagingKey) -> PathBuf {
        let Backend::Disk(folder) = &self.backend;
        folder.join(key.to_string())
    }
}

fn unless_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A part on its way in. Dropped before it is committed, it leaves nothing behind.
#[derive(Debug)]
pub struct Incoming {
    file: BufWriter<fs::File>,
    partial: Partial,
    path: PathBuf,
}

impl Incoming {
    /// Adds bytes to its end.
    ///
    /// # Errors
    /// They cannot be written.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await
    }

    /// Puts it under its key, in place of what was there. It is on the disk when this returns.
    ///
    /// # Errors
    /// It cannot be written; then what was there before stays.
    pub async fn commit(mut self) -> io::Result<()> {
        self.file.flush().await?;
        self.file.get_ref().sync_data().await?;
        fs::rename(&self.partial.0, &self.path).await
    }
}

/// A file that goes away with its owner. After it was renamed there is nothing to remove.
#[derive(Debug)]
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        // Whoever sent it went away, so there is nobody to tell; the job's folder is removed when the job is closed.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(part: Part) -> StagingKey {
        let id = Uuid::from_u128(7).to_string();
        StagingKey::new(&id, &id, part).unwrap()
    }

    async fn put(staging: &Staging, key: &StagingKey, content: &[u8]) {
        let mut incoming = staging.begin(key).await.unwrap();
        incoming.write(content).await.unwrap();
        incoming.commit().await.unwrap();
    }

    #[tokio::test]
    async fn what_was_put_last_is_there_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let staging = Staging::on_disk(folder.path()).await.unwrap();
        let key = key(Part::Screenshot);
        assert_eq!(staging.get(&key).await.unwrap(), None);
        put(&staging, &key, b"first").await;
        put(&staging, &key, b"second").await;
        assert_eq!(staging.get(&key).await.unwrap().unwrap(), b"second");
        assert_eq!(staging.list_jobs().await.unwrap(), [key.job_id()]);
        staging.remove(&key).await.unwrap();
        staging.remove(&key).await.unwrap();
        assert_eq!(staging.get(&key).await.unwrap(), None);
        staging.remove_job(&key.job_id()).await.unwrap();
        assert!(staging.list_jobs().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_broken_upload_leaves_nothing_behind_and_keeps_the_former() {
        let folder = tempfile::tempdir().unwrap();
        let staging = Staging::on_disk(folder.path()).await.unwrap();
        let key = key(Part::Dom);
        put(&staging, &key, b"whole").await;
        let mut incoming = staging.begin(&key).await.unwrap();
        incoming.write(&vec![0; 2 * BUFFER_BYTES]).await.unwrap();
        drop(incoming);
        assert_eq!(staging.get(&key).await.unwrap().unwrap(), b"whole");
        let files = std::fs::read_dir(folder.path().join(key.job_id())).unwrap();
        assert_eq!(files.count(), 1);
    }

    #[test]
    fn keys_read_back_and_name_nothing_else() {
        let key = key(Part::Dom);
        assert_eq!(key.to_string().parse(), Ok(key.clone()));
        for text in [
            "../x.png",
            "a/b.png",
            &key.to_string().to_uppercase(),
            &key.to_string().replace("json", "jpg"),
        ] {
            assert_eq!(text.parse::<StagingKey>(), Err(BadStagingKey), "{text}");
        }
    }
}
