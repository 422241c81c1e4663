//! Presigned links: whoever holds one may GET or PUT one object of the bucket until it expires, without a key.
//!
//! Only the host is signed, no other header, so that a client may send the media type and encoding that it likes.

use std::time::{Duration, SystemTime};

use aws_sdk_s3::config::Credentials;
use aws_sigv4::http_request::{
    PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation, SigningError,
    SigningSettings, UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use axum::http::Request;

/// Longest life of a link that S3 takes: seven days.
const MAX_TTL_SECONDS: i64 = 7 * 86_400;

/// How long a link to upload to is valid, in seconds.
const UPLOAD_TTL_SECONDS: i64 = 15 * 60;

/// Lets browsers keep a picture, which never changes.
const CACHE_CONTROL: &str = "private%2Cmax-age%3D86400%2Cimmutable";

/// Signs links to one bucket.
#[derive(Debug, Clone)]
pub struct BucketLinks {
    pub(super) credentials: Credentials,
    pub(super) region: String,
    /// The bucket's address as clients reach it, and the prefix of its objects; ends with a slash.
    pub(super) base: String,
}

impl BucketLinks {
    /// A link to GET an object as `media_type`. It lives between one and one and a half times `ttl_seconds`, at most
    /// seven days; within half a lifetime the same object has the same link, so that browsers can cache it.
    pub fn fetch(&self, object: &str, media_type: &str, ttl_seconds: u32, now_ms: i64) -> String {
        let (from, lasting) = lifetime(i64::from(ttl_seconds), now_ms / 1000);
        let query = format!(
            "response-content-type={}&response-cache-control={CACHE_CONTROL}",
            media_type.replace('/', "%2F")
        );
        self.signed("GET", object, &query, from, lasting)
    }

    /// A link to PUT an object, for 15 minutes.
    pub fn upload(&self, object: &str, now_ms: i64) -> String {
        self.signed("PUT", object, "", now_ms / 1000, UPLOAD_TTL_SECONDS)
    }

    fn signed(&self, method: &str, object: &str, query: &str, from: i64, lasting: i64) -> String {
        self.try_signed(method, object, query, from, lasting)
            .expect("one link was signed when the bucket was opened, and no name needs escapes")
    }

    /// # Errors
    /// The bucket's address is none.
    pub(super) fn try_signed(
        &self,
        method: &str,
        object: &str,
        query: &str,
        from: i64,
        lasting: i64,
    ) -> Result<String, SigningError> {
        let separator = if query.is_empty() { "" } else { "?" };
        let url = format!("{}{object}{separator}{query}", self.base);
        let mut settings = SigningSettings::default();
        settings.signature_location = SignatureLocation::QueryParams;
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.expires_in = Some(seconds(lasting));
        let identity = self.credentials.clone().into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name("s3")
            .time(SystemTime::UNIX_EPOCH + seconds(from))
            .settings(settings)
            .build()
            .expect("all of it is set")
            .into();
        let signable = SignableRequest::new(
            method,
            url.as_str(),
            std::iter::empty(),
            SignableBody::UnsignedPayload,
        )?;
        let (instructions, _) = sign(signable, &params)?.into_parts();
        let mut request = Request::builder()
            .uri(url)
            .body(())
            .expect("an address that could be signed");
        instructions.apply_to_request_http1x(&mut request);
        Ok(request.uri().to_string())
    }
}

/// Where a link's life begins and how long it lasts, in seconds.
fn lifetime(ttl: i64, now: i64) -> (i64, i64) {
    let grid = (ttl / 2).min(MAX_TTL_SECONDS - ttl).max(1);
    let from = now / grid * grid;
    (from, (ttl + grid).min(MAX_TTL_SECONDS))
}

fn seconds(count: i64) -> Duration {
    Duration::from_secs(count.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_lives_as_long_as_is_set_and_no_longer_than_s3_takes() {
        let now = 1_800_000_123;
        for ttl in [60, 86_400, 500_000, 604_800] {
            let (from, lasting) = lifetime(ttl, now);
            let left = from + lasting - now;
            assert!(from <= now && left >= ttl.min(604_799), "{ttl}: {left}");
            assert!(left <= ttl + ttl / 2 && lasting <= 604_800, "{ttl}: {left}");
        }
        assert_eq!(lifetime(86_400, now).0, lifetime(86_400, now + 60).0);
    }

    /// The example of Amazon's reference, "Authenticating Requests: Using Query Parameters".
    #[test]
    fn the_signature_is_that_of_the_reference() {
        let links = BucketLinks {
            credentials: Credentials::new(
                "AKIAIOSFODNN7EXAMPLE",
                "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                None,
                None,
                "test",
            ),
            region: "us-east-1".to_owned(),
            base: "https://examplebucket.s3.amazonaws.com/".to_owned(),
        };
        // 2013-05-24T00:00:00Z
        let link = links
            .try_signed("GET", "test.txt", "", 1_369_353_600, 86_400)
            .unwrap();
        let signature =
            "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
        assert!(link.contains(signature), "{link}");
    }
}
