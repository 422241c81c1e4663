//! Signed links: whoever holds one may fetch what it names until it expires, without a key.
//!
//! The signature is HMAC-SHA-256 over the path, the media type and the expiry, each on a line of its own.

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
        let sig = URL_SAFE_NO_PAD.encode(self.mac(path, media_type, exp).finalize().into_bytes());
        if media_type.is_empty() {
            format!("{path}?exp={exp}&sig={sig}")
        } else {
            format!(
                "{path}?type={}&exp={exp}&sig={sig}",
                media_type.replace('/', "%2F")
            )
        }
    }

    /// Whether `signature` was made by this signer for `path` and has not expired.
    pub(crate) fn verify(&self, path: &str, signature: &Signature, now_ms: i64) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(&signature.sig) else {
            return false;
        };
        let genuine = self
            .mac(path, &signature.media_type, signature.exp)
            .verify_slice(&bytes)
            .is_ok();
        genuine && signature.exp * 1000 > now_ms
    }

    fn mac(&self, path: &str, media_type: &str, exp: i64) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.expose_secret().as_bytes())
            .expect("HMAC takes keys of any length");
        mac.update(format!("pentimento link 1\n{path}\n{media_type}\n{exp}").as_bytes());
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
}
