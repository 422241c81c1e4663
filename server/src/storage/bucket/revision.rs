//! Revisions: what tells one content of an object from another one under the same name.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use aws_sdk_s3::primitives::DateTime;

/// One content of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Seconds since 1970 by the server's clock at which it was put.
    put_at: i64,
    bytes: u64,
    /// The server's name of this content; some leave it out of lists.
    etag: Option<String>,
}

impl Revision {
    pub(super) fn new(modified: Option<&DateTime>, bytes: Option<i64>, etag: Option<&str>) -> Self {
        Self {
            put_at: modified.map_or(0, DateTime::secs),
            bytes: u64::try_from(bytes.unwrap_or_default()).unwrap_or_default(),
            etag: etag.map(|etag| etag.trim_matches('"').to_owned()),
        }
    }

    pub(in crate::storage) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// When it was put, by the server's clock.
    pub(in crate::storage) fn put_at(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.put_at.unsigned_abs())
    }

    /// Whether both are the same content.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.etag, &other.etag) {
            (Some(one), Some(another)) => one == another,
            _ => self.put_at == other.put_at && self.bytes == other.bytes,
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let etag = self.etag.as_deref().unwrap_or_default();
        write!(f, "{} {} {etag}", self.put_at, self.bytes)
    }
}

/// The text tells of no revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a revision is two numbers and a name")]
pub struct BadRevision;

impl FromStr for Revision {
    type Err = BadRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, ' ');
        let mut next = || parts.next().ok_or(BadRevision);
        Ok(Self {
            put_at: next()?.parse().map_err(|_| BadRevision)?,
            bytes: next()?.parse().map_err(|_| BadRevision)?,
            etag: Some(next()?.to_owned()).filter(|etag| !etag.is_empty()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(put_at: i64, bytes: i64, etag: Option<&str>) -> Revision {
        Revision::new(Some(&DateTime::from_secs(put_at)), Some(bytes), etag)
    }

    #[test]
    fn the_name_of_the_content_decides_where_there_is_one() {
        let first = revision(7, 3, Some("\"abc\""));
        assert!(first.is_same(&revision(9, 3, Some("abc"))));
        assert!(!first.is_same(&revision(7, 3, Some("abd"))));
        assert!(first.is_same(&revision(7, 3, None)));
        assert!(!first.is_same(&revision(8, 3, None)));
        assert!(!first.is_same(&revision(7, 4, None)));
    }

    #[test]
    fn revisions_read_back() {
        for revision in [
            revision(1_800_000_000, 3, Some("a b-2")),
            revision(7, 0, None),
        ] {
            assert_eq!(revision.to_string().parse(), Ok(revision));
        }
        assert_eq!("7 x abc".parse::<Revision>(), Err(BadRevision));
    }
}
