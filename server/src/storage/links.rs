//! Signed links: whoever holds one may fetch what it names, or upload to it, until it expires, without a key.
//!
//! The signature is HMAC-SHA-256 over the link's purpose, the path, the media type and the expiry, each on a line of its
//! own; a link to fetch is none to upload to.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sha2::Sha256;

/// What a signed link carries in its query.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Signature {
    /// Seconds since 1970 at which the link expires.
    exp: i64,
    /// Media type of the answer; empty when the path decides.
    #[serde(default, rename = "type")]
    media_type: String,
    /// The signature.
    sig: String,
}

impl Signature {
    /// The media type that was signed.
    pub(crate) fn media_type(&self) -> &str {
        &self.media_type
    }
}

/// How long a link to upload to is valid, in seconds.
const UPLOAD_TTL_SECONDS: i64 = 15 * 60;

/// What a link is for; a signature for one purpose holds for no other.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Fetch,
    Upload,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Fetch => "link",
            Self::Upload => "upload",
        }
    }
}

/// Signs links and checks them.
#[derive(Clone)]
pub struct LinkSigner {
    secret: SecretString,
    ttl_seconds: i64,
}

impl LinkSigner {
    /// A signer whose links live between one and one and a half times `ttl_seconds`.
    pub fn new(secret: SecretString, ttl_seconds: u32) -> Self {
        Self {
            secret,
            ttl_seconds: i64::from(ttl_seconds),
        }
    }

    /// `path` with its signature. Expiries fall on a grid of half the lifetime, so that the same object keeps the same
    /// link for a while and browsers can cache it.
    pub fn sign(&self, path: &str, media_type: &str, now_ms: i64) -> String {
        let grid = (self.ttl_seconds / 2).max(1);
        let exp = ((now_ms / 1000 + self.ttl_seconds) / grid + 1) * grid;
        let sig = self.signature(Purpose::Fetch, path, media_type, exp);
        if media_type.is_empty() {
            format!("{path}?exp={exp}&sig={sig}")
        } else {
            format!(
                "{path}?type={}&exp={exp}&sig={sig}",
                media_type.replace('/', "%2F")
            )
        }
    }

    /// `path` with a signature that lets its holder upload to it for 15 minutes.
    pub fn sign_upload(&self, path: &str, now_ms: i64) -> String {
        let exp = now_ms / 1000 + UPLOAD_TTL_SECONDS;
        let sig = self.signature(Purpose::Upload, path, "", exp);
        format!("{path}?exp={exp}&sig={sig}")
    }

    /// Whether `signature` was made by this signer for fetching `path` and has not expired.
    pub(crate) fn verify(&self, path: &str, signature: &Signature, now_ms: i64) -> bool {
        self.holds(Purpose::Fetch, path, signature, now_ms)
    }

    /// Whether `signature` was made by this signer for uploading to `path` and has not expired.
    pub(crate) fn verify_upload(&self, path: &str, signature: &Signature, now_ms: i64) -> bool {
        self.holds(Purpose::Upload, path, signature, now_ms)
    }

    fn holds(&self, purpose: Purpose, path: &str, signature: &Signature, now_ms: i64) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(&signature.sig) else {
            return false;
        };
        let genuine = self
            .mac(purpose, path, &signature.media_type, signature.exp)
            .verify_slice(&bytes)
            .is_ok();
        genuine && signature.exp.saturating_mul(1000) > now_ms
    }

    fn signature(&self, purpose: Purpose, path: &str, media_type: &str, exp: i64) -> String {
        let mac = self.mac(purpose, path, media_type, exp);
        URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    }

    fn mac(&self, purpose: Purpose, path: &str, media_type: &str, exp: i64) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.expose_secret().as_bytes())
            .expect("HMAC takes keys of any length");
        let purpose = purpose.as_str();
        mac.update(format!("pentimento {purpose} 1\n{path}\n{media_type}\n{exp}").as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(link: &str) -> Signature {
        let uri: axum::http::Uri = link.parse().unwrap();
        axum::extract::Query::<Signature>::try_from_uri(&uri)
            .unwrap()
            .0
    }

    #[test]
    fn a_link_holds_until_it_expires_and_for_its_path_alone() {
        let signer = LinkSigner::new("a secret of some length".to_owned().into(), 600);
        let now = 1_800_000_000_000;
        let signature = parse(&signer.sign("/blob/abc", "image/png", now));
        assert_eq!(signature.media_type(), "image/png");
        assert!(signer.verify("/blob/abc", &signature, now));
        assert!(signer.verify("/blob/abc", &signature, now + 599_000));
        assert!(!signer.verify("/blob/abc", &signature, now + 901_000));
        assert!(!signer.verify("/blob/abd", &signature, now));
        let other = LinkSigner::new("another secret".to_owned().into(), 600);
        assert!(!other.verify("/blob/abc", &signature, now));
    }

    #[test]
    fn a_link_whose_type_was_changed_is_refused() {
        let signer = LinkSigner::new("a secret of some length".to_owned().into(), 600);
        let link = signer
            .sign("/blob/abc", "image/png", 0)
            .replace("image%2Fpng", "text%2Fhtml");
        assert!(!signer.verify("/blob/abc", &parse(&link), 0));
    }

    #[test]
    fn a_link_to_upload_to_is_none_to_fetch_and_the_reverse() {
        let signer = LinkSigner::new("a secret of some length".to_owned().into(), 600);
        let path = "/upload/a/b.png";
        let upload = parse(&signer.sign_upload(path, 0));
        let fetch = parse(&signer.sign(path, "", 0));
        assert!(signer.verify_upload(path, &upload, 899_999));
        assert!(!signer.verify_upload(path, &upload, 900_000));
        assert!(!signer.verify_upload("/upload/a/c.png", &upload, 0));
        assert!(!signer.verify(path, &upload, 0));
        assert!(!signer.verify_upload(path, &fetch, 0));
    }
}
