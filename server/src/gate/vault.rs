//! Sealing gate credentials at rest: XChaCha20-Poly1305 with a key made of the service's secret.
//!
//! A sealed value is `v1.` and, in URL-safe base64, a random nonce of 24 bytes and the ciphertext. The project's id and
//! the field are authenticated with it, so that a value copied to another place does not open.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use super::Side;

/// What keys of this purpose are derived with; another purpose has another label, and so another key.
const PURPOSE: &[u8] = b"pentimento gate credentials 1";

const VERSION: &str = "v1.";
const NONCE_BYTES: usize = 24;

/// Seals and opens credentials.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
}

/// A sealed value that does not open: it was sealed with another secret, for another place, or it is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored value does not open with this service's secret")]
pub struct Unreadable;

impl Vault {
    /// A vault whose key hangs on the service's secret.
    pub fn new(secret: &SecretString) -> Self {
        Self {
            cipher: XChaCha20Poly1305::new(&derive_key(secret).into()),
        }
    }

    /// Seals a value for a project's field. Sealing it again gives another text.
    ///
    /// # Errors
    /// The system gives no randomness.
    pub fn seal(
        &self,
        project_id: &str,
        side: Side,
        value: &SecretString,
    ) -> anyhow::Result<String> {
        let mut nonce = [0_u8; NONCE_BYTES];
        getrandom::fill(&mut nonce)
            .map_err(|error| anyhow::anyhow!("the system gives no randomness: {error}"))?;
        let place = place(project_id, side);
        let payload = Payload {
            msg: value.expose_secret().as_bytes(),
            aad: place.as_bytes(),
        };
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| anyhow::anyhow!("a credential could not be sealed"))?;
        let bytes = [&nonce[..], &sealed].concat();
        Ok(format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Opens what was sealed for this project's field.
    ///
    /// # Errors
    /// See [`Unreadable`].
    pub fn open(
        &self,
        project_id: &str,
        side: Side,
        sealed: &str,
    ) -> Result<SecretString, Unreadable> {
        let encoded = sealed.strip_prefix(VERSION).ok_or(Unreadable)?;
        let bytes = URL_SAFE_NO_PAD.decode(encoded).map_err(|_| Unreadable)?;
        let (nonce, msg) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(Unreadable)?;
        let place = place(project_id, side);
        let payload = Payload {
            msg,
            aad: place.as_bytes(),
        };
        let opened = self
            .cipher
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| Unreadable)?;
        let text = String::from_utf8(opened).map_err(|_| Unreadable)?;
        Ok(text.into())
    }
}

fn derive_key(secret: &SecretString) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
        .expect("HMAC takes keys of any length");
    mac.update(PURPOSE);
    mac.finalize().into_bytes().into()
}

fn place(project_id: &str, side: Side) -> String {
    format!("{project_id}\n{}", side.field())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(secret: &str) -> Vault {
        Vault::new(&secret.to_owned().into())
    }

    #[test]
    fn a_value_opens_in_its_own_place_alone() {
        let ours = vault("a secret of some length");
        let value: SecretString = "hunter2".to_owned().into();
        let sealed = ours.seal("p1", Side::Test, &value).unwrap();
        assert!(sealed.starts_with("v1.") && !sealed.contains("hunter2"));
        assert_eq!(
            ours.open("p1", Side::Test, &sealed)
                .unwrap()
                .expose_secret(),
            "hunter2"
        );
        assert_ne!(
            sealed,
            ours.seal("p1", Side::Test, &value).unwrap(),
            "every nonce is new"
        );
        for (project, side) in [("p2", Side::Test), ("p1", Side::Base)] {
            assert!(ours.open(project, side, &sealed).is_err());
        }
        assert!(
            vault("another secret")
                .open("p1", Side::Test, &sealed)
                .is_err()
        );
    }

    #[test]
    fn a_damaged_value_does_not_open() {
        let vault = vault("a secret of some length");
        let sealed = vault.seal("p", Side::Test, &"x".to_owned().into()).unwrap();
        let mut flipped = sealed.clone().into_bytes();
        let middle = flipped.len() / 2;
        flipped[middle] = if flipped[middle] == b'A' { b'B' } else { b'A' };
        let flipped = String::from_utf8(flipped).unwrap();
        for damaged in [
            "",
            "v1.",
            "v1.AAAA",
            "v2.AAAA",
            "plain",
            &flipped,
            &sealed[..40],
        ] {
            assert_eq!(
                vault.open("p", Side::Test, damaged).unwrap_err(),
                Unreadable,
                "{damaged}"
            );
        }
    }
}
