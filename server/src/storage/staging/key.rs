//! The names of uploads: one part of one page's upload of one job.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

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

    /// The upload, a result of the job.
    pub fn upload_id(&self) -> String {
        self.upload.to_string()
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
pub(super) fn canonical(text: &str) -> Result<Uuid, BadStagingKey> {
    text.parse()
        .ok()
        .filter(|id: &Uuid| id.to_string() == text)
        .ok_or(BadStagingKey)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back_and_name_nothing_else() {
        let id = Uuid::from_u128(7).to_string();
        let key = StagingKey::new(&id, &id, Part::Dom).unwrap();
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
