//! Links in answers: signed ones to captures and pictures, and the inspect link of a result.
//!
//! Where captures lie in a bucket, programs get links to it. What the dashboard shows comes from the service itself: its
//! scripts may fetch from nowhere else, and the bucket then needs no rules for browsers.

use axum::extract::FromRequestParts;
use axum::http::header::HOST;
use axum::http::request::Parts;

use crate::app::App;
use crate::error::Error;
use crate::storage::staging::StagingKey;
use crate::storage::{BucketLinks, blob_object, staging_object};

const PNG: &str = "image/png";

/// Makes the links of one answer: they start with the configured public address, else with the host that was asked.
/// Those to a bucket start with its own address.
pub(crate) struct LinkMaker {
    app: App,
    base: String,
    bucket: Option<BucketLinks>,
}

/// The capture that a region is cut out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CropSide {
    Baseline,
    Current,
}

impl CropSide {
    const ALL: [Self; 2] = [Self::Baseline, Self::Current];

    /// The word in the link.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Current => "current",
        }
    }

    /// The side that a link names.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.as_str() == word)
    }
}

impl FromRequestParts<App> for LinkMaker {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let base = match (&app.config.public_url, asked_host(parts)) {
            (None, Some(host)) => format!("http://{host}"),
            _ => service_base(app),
        };
        let bucket = app.storage.links(app.clock.now_ms()).await;
        Ok(Self {
            app: app.clone(),
            base,
            bucket: bucket.map_err(anyhow::Error::from)?,
        })
    }
}

/// What links start with that no request asks for: the configured public address, else where the service listens.
pub(crate) fn service_base(app: &App) -> String {
    match &app.config.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{}", app.config.listen),
    }
}

/// The `Host` header, when it is nothing but a host and port. A name may hold whatever RFC 3986 calls unreserved: those of containers
/// have underscores.
fn asked_host(parts: &Parts) -> Option<String> {
    let host = parts.headers.get(HOST)?.to_str().ok()?;
    let harmless = |character: char| {
        character.is_ascii_alphanumeric()
            || matches!(character, '-' | '.' | '_' | '~' | ':' | '[' | ']')
    };
    (!host.is_empty() && host.len() <= 255 && host.chars().all(harmless)).then(|| host.to_owned())
}

impl LinkMaker {
    /// A link for programs to a capture, a PNG blob.
    pub(crate) fn capture(&self, blob: &str) -> String {
        let Some(bucket) = &self.bucket else {
            return self.picture(blob);
        };
        let ttl_seconds = self.app.config.link_ttl_seconds;
        bucket.fetch(&blob_object(blob), PNG, ttl_seconds, self.now_ms())
    }

    /// A link for the dashboard to a PNG blob.
    pub(crate) fn picture(&self, blob: &str) -> String {
        self.signed(&format!("/blob/{blob}"), PNG)
    }

    /// The inspect link of a result: the diff image to programs, the review page to browsers.
    pub(crate) fn inspect(&self, result_id: &str) -> String {
        self.signed(&format!("/inspect/{result_id}"), "")
    }

    /// A picture of a changed region of a result in one of its captures.
    pub(crate) fn crop(&self, result_id: &str, label: &str, side: CropSide) -> String {
        let side = side.as_str();
        self.signed(&format!("/crop/{result_id}/{label}-{side}"), "")
    }

    /// A page of the dashboard, which asks for a session itself.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// A link to upload to, for a short while.
    pub(crate) fn upload(&self, key: &StagingKey) -> String {
        if let Some(bucket) = &self.bucket {
            return bucket.upload(&staging_object(key), self.now_ms());
        }
        let path = format!("/upload/{key}");
        let signed = self.app.links.sign_upload(&path, self.now_ms());
        format!("{}{signed}", self.base)
    }

    fn signed(&self, path: &str, media_type: &str) -> String {
        let signed = self.app.links.sign(path, media_type, self.now_ms());
        format!("{}{signed}", self.base)
    }

    fn now_ms(&self) -> i64 {
        self.app.clock.now_ms()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn asked(host: &str) -> Option<String> {
        let request = Request::builder().header(HOST, host).body(()).unwrap();
        asked_host(&request.into_parts().0)
    }

    #[test]
    fn links_lead_to_the_host_that_was_asked_where_it_is_one() {
        for host in [
            "vr.example.com",
            "127.0.0.1:7357",
            "[::1]:7357",
            "ci_pentimento_1:7357",
            "a-b~c.internal",
        ] {
            assert_eq!(asked(host).as_deref(), Some(host));
        }
        for wrong in [
            "",
            "a b",
            "user@host",
            "host/path",
            "host?a=b",
            "host#top",
            "host\\path",
            "<host>",
            "h%6fst",
            "a\"b",
        ] {
            assert_eq!(asked(wrong), None, "{wrong}");
        }
        assert_eq!(asked(&"x".repeat(256)), None);
    }
}
