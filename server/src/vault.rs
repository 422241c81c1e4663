//! Sealing secrets at rest: XChaCha20-Poly1305 with a key made of the service's secret.
//!
//! A sealed value is `v1.` and, in URL-safe base64, a random nonce of 24 bytes and the ciphertext. The place where it is
//! stored is authenticated with it, so that a value copied to another place does not open.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// What is sealed. Each purpose has a key of its own, so that a value of one does not open as one of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Credentials for sites behind a gate.
    GateCredentials,
    /// Secrets that webhooks are signed with.
    WebhookSecrets,
}

impl Purpose {
    /// What the purpose's key is derived with; it must never change.
    fn label(self) -> &'static [u8] {
        match self {
            Self::GateCredentials => b"pentimento gate credentials 1",
            Self::WebhookSecrets => b"pentimento webhook secrets 1",
        }
    }
}

const VERSION: &str = "v1.";
const NONCE_BYTES: usize = 24;

/// Seals and opens the values of one purpose.
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
    pub fn new(secret: &SecretString, purpose: Purpose) -> Self {
        Self {
            cipher: XChaCha20Poly1305::new(&derive_key(secret, purpose).into()),
        }
    }

    /// Seals a value for the place that is named. Sealing it again gives another text.
    ///
    /// # Errors
    /// The system gives no randomness.
    pub fn seal(&self, place: &str, value: &SecretString) -> anyhow::Result<String> {
        let mut nonce = [0_u8; NONCE_BYTES];
        getrandom::fill(&mut nonce)
            .map_err(|error| anyhow::anyhow!("the system gives no randomness: {error}"))?;
        let payload = Payload {
            msg: value.expose_secret().as_bytes(),
            aad: place.as_bytes(),
        };
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| anyhow::anyhow!("a secret could not be sealed"))?;
        let bytes = [&nonce[..], &sealed].concat();
        Ok(format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Opens what was sealed for this place.
    ///
    /// # Errors
    /// See [`Unreadable`].
    pub fn open(&self, place: &str, sealed: &str) -> Result<SecretString, Unreadable> {
        let encoded = sealed.strip_prefix(VERSION).ok_or(Unreadable)?;
        let bytes = URL_SAFE_NO_PAD.decode(encoded).map_err(|_| Unreadable)?;
        let (nonce, msg) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(Unreadable)?;
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

fn derive_key(secret: &SecretString, purpose: Purpose) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
        .expect("HMAC takes keys of any length");
    mac.update(purpose.label());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(secret: &str) -> Vault {
        Vault::new(&secret.to_owned().into(), Purpose::GateCredentials)
    }

    #[test]
    fn a_value_opens_in_its_own_place_and_for_its_own_purpose_alone() {
        let secret: SecretString = "a secret of some length".to_owned().into();
        let ours = vault(secret.expose_secret());
        let value: SecretString = "hunter2".to_owned().into();
        let sealed = ours.seal("p1", &value).unwrap();
        assert!(sealed.starts_with("v1.") && !sealed.contains("hunter2"));
        assert_eq!(ours.open("p1", &sealed).unwrap().expose_secret(), "hunter2");
        assert_ne!(
            sealed,
            ours.seal("p1", &value).unwrap(),
            "every nonce is new"
        );
        let others = Vault::new(&secret, Purpose::WebhookSecrets);
        for (vault, place) in [
            (&ours, "p2"),
            (&others, "p1"),
            (&vault("another secret"), "p1"),
        ] {
            assert!(vault.open(place, &sealed).is_err());
        }
    }

    #[test]
    fn a_damaged_value_does_not_open() {
        let vault = vault("a secret of some length");
        let sealed = vault.seal("p", &"x".to_owned().into()).unwrap();
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
                vault.open("p", damaged).unwrap_err(),
                Unreadable,
                "{damaged}"
            );
        }
    }
}
