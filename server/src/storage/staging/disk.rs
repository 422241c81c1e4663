//! Staging in a folder: a folder for each job; files are written beside and renamed into place.

use std::io;
use std::path::{Path, PathBuf};

use tokio::fs;
use tokio::io::{AsyncWriteExt, BufWriter};
use uuid::Uuid;

use super::key::{BadStagingKey, StagingKey, canonical};
use super::{LIST_LIMIT, Staged};
use crate::storage::durable;

/// Bytes that are gathered before they are written.
const BUFFER_BYTES: usize = 256 * 1024;

/// A folder of uploads.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    pub(super) async fn open(folder: &Path) -> io::Result<Self> {
        durable::create_folder(folder.to_owned()).await?;
        Ok(Self(folder.to_owned()))
    }

    /// Begins to receive a part. Nothing is there under the key before [`Received::commit`].
    ///
    /// # Errors
    /// Nothing can be written.
    pub async fn begin(&self, key: &StagingKey) -> io::Result<Incoming> {
        let path = self.path(key);
        if let Some(folder) = path.parent() {
            durable::create_folder(folder.to_owned()).await?;
        }
        let partial = path.with_extension(format!("{}.part", Uuid::new_v4()));
        let file = fs::File::create(&partial).await?;
        Ok(Incoming {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            partial: Partial(partial),
            path,
        })
    }

    pub(super) async fn get(&self, key: &StagingKey) -> io::Result<Staged> {
        let path = self.path(key);
        let read = async {
            if fs::metadata(&path).await?.len() > key.part().max_bytes() {
                return Ok(Staged::TooLarge);
            }
            fs::read(&path).await.map(Staged::Content)
        };
        match read.await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Staged::Missing),
            read => read,
        }
    }

    pub(super) async fn remove(&self, key: &StagingKey) -> io::Result<()> {
        unless_missing(fs::remove_file(self.path(key)).await)
    }

    pub(super) async fn list_jobs(&self) -> io::Result<Vec<String>> {
        let mut entries = fs::read_dir(&self.0).await?;
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

    /// Whether nothing of a job was received whole.
    ///
    /// # Errors
    /// Its folder cannot be read.
    pub async fn is_empty(&self, job_id: &str) -> io::Result<bool> {
        let Ok(job) = canonical(job_id) else {
            return Ok(true);
        };
        let mut folders = vec![self.0.join(job.to_string())];
        while let Some(folder) = folders.pop() {
            let mut entries = match fs::read_dir(folder).await {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            while let Some(entry) = entries.next_entry().await? {
                if entry.file_type().await?.is_dir() {
                    folders.push(entry.path());
                } else if entry.path().extension().is_none_or(|it| it != "part") {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    pub(super) async fn remove_job(&self, job_id: &str) -> io::Result<()> {
        match canonical(job_id) {
            Ok(job) => unless_missing(fs::remove_dir_all(self.0.join(job.to_string())).await),
            Err(BadStagingKey) => Ok(()),
        }
    }

    fn path(&self, key: &StagingKey) -> PathBuf {
        self.0.join(key.to_string())
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

    /// Has all of it on the disk, which may take a while.
    ///
    /// # Errors
    /// It cannot be written.
    pub async fn finish(mut self) -> io::Result<Received> {
        self.file.flush().await?;
        self.file.get_ref().sync_data().await?;
        Ok(Received {
            partial: self.partial,
            path: self.path,
        })
    }
}

/// A part that is there whole, beside its place. Dropped before it is committed, it leaves nothing behind.
#[derive(Debug)]
pub struct Received {
    partial: Partial,
    path: PathBuf,
}

impl Received {
    /// Puts it under its key, in place of what was there, at once.
    ///
    /// # Errors
    /// That cannot be done; then what was there before stays.
    pub async fn commit(self) -> io::Result<Placed> {
        fs::rename(&self.partial.0, &self.path).await?;
        Ok(Placed { path: self.path })
    }
}

/// A part under its key, whose name a power cut might still take.
#[derive(Debug)]
#[must_use]
pub struct Placed {
    path: PathBuf,
}

impl Placed {
    /// Returns when its name is on the disk, too. (Apart from the renaming, which others may be waiting for.)
    ///
    /// # Errors
    /// The disk refuses.
    pub async fn keep(self) -> io::Result<()> {
        durable::keep_name(self.path).await
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
