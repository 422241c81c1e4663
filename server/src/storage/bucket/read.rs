//! Reading one object whole, within its bounds.

use std::fmt;
use std::time::Duration;

use aws_sdk_s3::operation::get_object::{GetObjectError, GetObjectOutput};

use super::failure::Problem;
use super::{Bucket, BucketError, Revision};

/// Longest time that the content of one object may take.
const CONTENT_DEADLINE: Duration = Duration::from_mins(3);

/// Tries to read an object whose content breaks off.
const TRIES: u32 = 3;

/// What came of reading an object.
#[derive(Debug)]
pub(crate) enum Read {
    /// All of it.
    Content(Vec<u8>),
    /// There is none: the server itself says so.
    Missing,
    /// It has more bytes than were wanted, and was not read.
    TooLarge,
    /// It has another content than was wanted, and was not read.
    Replaced,
}

impl Bucket {
    /// Reads an object of at most `max_bytes`, if it is the one that `wanted` tells of.
    pub(crate) async fn read(
        &self,
        object: &str,
        wanted: Option<&Revision>,
        max_bytes: u64,
    ) -> Result<Read, BucketError> {
        let mut tries = 1;
        loop {
            let asked = self
                .0
                .client
                .get_object()
                .bucket(&self.0.name)
                .key(self.key(object));
            let answer = Box::pin(asked.send()).await;
            let Some(found) = self.found(answer, GetObjectError::is_no_such_key)? else {
                return Ok(Read::Missing);
            };
            let is = Revision::new(
                found.last_modified.as_ref(),
                found.content_length,
                found.e_tag(),
            );
            if wanted.is_some_and(|wanted| !wanted.is_same(&is)) {
                return Ok(Read::Replaced);
            }
            if is.bytes() > max_bytes {
                return Ok(Read::TooLarge);
            }
            let reading = tokio::time::timeout(CONTENT_DEADLINE, content_of(found, is.bytes()));
            let problem = match reading.await {
                Ok(Ok(content)) => return Ok(Read::Content(content)),
                Ok(Err(problem)) => problem,
                Err(_) => Problem::TooSlow,
            };
            if tries == TRIES {
                return Err(self.fail(problem));
            }
            tries += 1;
        }
    }
}

/// The content of an object, as long as it was said to be.
async fn content_of(found: GetObjectOutput, bytes: u64) -> Result<Vec<u8>, Problem> {
    let broken = |said: &dyn fmt::Display| Problem::BrokenOff(said.to_string());
    let bytes = usize::try_from(bytes).map_err(|error| broken(&error))?;
    let mut content = Vec::with_capacity(bytes);
    let mut body = found.body;
    while let Some(chunk) = body.try_next().await.map_err(|error| broken(&error))? {
        if content.len() + chunk.len() > bytes {
            return Err(broken(&"more came than was said"));
        }
        content.extend_from_slice(&chunk);
    }
    if content.len() < bytes {
        return Err(broken(&"less came than was said"));
    }
    Ok(content)
}
