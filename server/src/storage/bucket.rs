//! A bucket of an S3 server: the few calls that the service makes of one, each bounded in time and size.
//!
//! Objects are named without the prefix that the settings give; [`Bucket`] adds and removes it.

mod connect;
mod credentials;
mod failure;
mod links;
mod list;
mod read;
mod revision;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::delete_object::builders::DeleteObjectFluentBuilder;
use aws_sdk_s3::operation::head_object::HeadObjectError;
use aws_sdk_s3::primitives::ByteStream;

use crate::config::S3Settings;
use credentials::HeldCredentials;
pub use failure::BucketError;
use failure::{Problem, problem_of};
pub use links::BucketLinks;
pub(crate) use read::Read;
pub use revision::Revision;

/// A handle on a bucket; cheap to clone. The SDK's calls are boxed: each holds many kilobytes while it waits.
#[derive(Clone)]
pub(crate) struct Bucket(Arc<Inner>);

struct Inner {
    client: aws_sdk_s3::Client,
    name: String,
    /// The server's address or the region, for people.
    place: String,
    /// Empty, or ends with a slash.
    prefix: String,
    region: String,
    /// The bucket's address as clients reach it, with the prefix; ends with a slash.
    public_base: String,
    credentials: HeldCredentials,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({})", self.describe())
    }
}

impl Bucket {
    /// Connects, and makes sure that the service may list and remove objects.
    ///
    /// # Errors
    /// There are no credentials, the address is none, or the bucket refuses; the message says what to do.
    pub(crate) async fn open(
        name: &str,
        settings: &S3Settings,
        now_ms: i64,
    ) -> Result<Self, BucketError> {
        let connection = connect::connect(settings).await;
        let region = connection.region.as_ref().to_owned();
        let place = match &settings.endpoint {
            Some(endpoint) => endpoint.as_str().trim_end_matches('/').to_owned(),
            None => region.clone(),
        };
        let fail = |problem| BucketError {
            bucket: name.to_owned(),
            place: place.clone(),
            problem,
        };
        let address = connect::public_address(settings, name, &connection.region).await;
        let address = address.map_err(|said| fail(Problem::Other(said)))?;
        let bucket = Self(Arc::new(Inner {
            client: connection.client,
            name: name.to_owned(),
            prefix: settings.prefix.clone(),
            public_base: format!("{address}/{}", settings.prefix),
            region,
            credentials: HeldCredentials::new(connection.credentials),
            place: place.clone(),
        }));
        let links = bucket.links(now_ms).await?;
        links
            .try_signed("GET", "probe", "", now_ms / 1000, 60)
            .map_err(|error| fail(Problem::Other(error.to_string())))?;
        bucket.probe().await?;
        // Once only: where old versions are kept, even removing what is not there leaves a mark.
        bucket.remove("probe/none").await?;
        Ok(bucket)
    }

    /// Whether there is such a bucket, and the service may list its objects.
    pub(crate) async fn probe(&self) -> Result<(), BucketError> {
        self.list("probe/", 1).await.map(drop)
    }

    /// The bucket's name and its server's address or region.
    pub(crate) fn describe(&self) -> String {
        format!("{} at {}", self.0.name, self.0.place)
    }

    /// What signs links to objects. Asks for credentials when those it has are old, else nobody.
    pub(crate) async fn links(&self, now_ms: i64) -> Result<BucketLinks, BucketError> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(now_ms.unsigned_abs());
        let credentials = self.0.credentials.get(now).await;
        Ok(BucketLinks {
            credentials: credentials.map_err(|problem| self.fail(problem))?,
            region: self.0.region.clone(),
            base: self.0.public_base.clone(),
        })
    }

    /// Which revision an object has; none when there is no such object. The answer has no body, so that any 404 says so, also one of
    /// a proxy whose server is away: [`Bucket::read`] tells these apart.
    pub(crate) async fn about(&self, object: &str) -> Result<Option<Revision>, BucketError> {
        let asked = self
            .0
            .client
            .head_object()
            .bucket(&self.0.name)
            .key(self.key(object));
        let answer = Box::pin(asked.send()).await;
        let found = self.found(answer, HeadObjectError::is_not_found)?;
        Ok(found.map(|head| {
            Revision::new(
                head.last_modified.as_ref(),
                head.content_length,
                head.e_tag(),
            )
        }))
    }

    /// Writes an object whole, in place of what was there.
    pub(crate) async fn put(&self, object: &str, content: Vec<u8>) -> Result<(), BucketError> {
        let put = self
            .0
            .client
            .put_object()
            .bucket(&self.0.name)
            .key(self.key(object));
        let put = Box::pin(put.body(ByteStream::from(content)).send()).await;
        put.map(drop).map_err(|error| self.refusal(&error))
    }

    /// Removes an object; one that is not there is no error.
    pub(crate) async fn remove(&self, object: &str) -> Result<(), BucketError> {
        let removed = self.removal(object);
        let removed = Box::pin(removed.send()).await;
        removed.map(drop).map_err(|error| self.refusal(&error))
    }

    /// As [`Bucket::remove`], but tried a single time: a second try, after an answer that was lost, might remove what was put
    /// there meanwhile.
    pub(crate) async fn remove_once(&self, object: &str) -> Result<(), BucketError> {
        let once = aws_sdk_s3::Config::builder().retry_config(RetryConfig::disabled());
        let removed = self.removal(object).customize().config_override(once);
        let removed = Box::pin(removed.send()).await;
        removed.map(drop).map_err(|error| self.refusal(&error))
    }

    fn removal(&self, object: &str) -> DeleteObjectFluentBuilder {
        self.0
            .client
            .delete_object()
            .bucket(&self.0.name)
            .key(self.key(object))
    }

    /// What to say when whoever waits for the bucket waits no longer.
    pub(crate) fn too_slow(&self) -> BucketError {
        self.fail(Problem::TooSlow)
    }

    fn key(&self, object: &str) -> String {
        format!("{}{object}", self.0.prefix)
    }

    fn name_of(&self, key: &str) -> Option<String> {
        key.strip_prefix(&self.0.prefix).map(str::to_owned)
    }

    /// What a call answered; none when the server says that the object is not there.
    fn found<T, E>(
        &self,
        answer: Result<T, SdkError<E, HttpResponse>>,
        is_missing: impl Fn(&E) -> bool,
    ) -> Result<Option<T>, BucketError>
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        match answer {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.as_service_error().is_some_and(&is_missing) => Ok(None),
            Err(error) => Err(self.refusal(&error)),
        }
    }

    fn refusal<E>(&self, error: &SdkError<E, HttpResponse>) -> BucketError
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        self.fail(problem_of(error))
    }

    fn fail(&self, problem: Problem) -> BucketError {
        BucketError {
            bucket: self.0.name.clone(),
            place: self.0.place.clone(),
            problem,
        }
    }
}
