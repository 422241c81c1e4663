//! Signing by the Standard Webhooks specification, symmetric scheme `v1`:
//! <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// What a secret begins with.
const PREFIX: &str = "whsec_";

/// Bytes of a new secret; the specification asks for 24–64.
const SECRET_BYTES: usize = 32;

/// A new secret: `whsec_` and 32 random bytes in base64.
///
/// # Errors
/// The system gives no randomness.
pub(super) fn new_secret() -> anyhow::Result<SecretString> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("the system gives no randomness: {error}"))?;
    Ok(format!("{PREFIX}{}", STANDARD.encode(bytes)).into())
}

/// One signature of a message: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. None when this is no secret.
pub(super) fn sign(
    secret: &SecretString,
    id: &str,
    timestamp_s: i64,
    body: &str,
) -> Option<String> {
    let encoded = secret.expose_secret().strip_prefix(PREFIX)?;
    let key = STANDARD.decode(encoded).ok()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
    mac.update(format!("{id}.{timestamp_s}.{body}").as_bytes());
    Some(format!(
        "v1,{}",
        STANDARD.encode(mac.finalize().into_bytes())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector of the specification's own libraries.
    #[test]
    fn the_specifications_vector_is_met() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned().into();
        let signed = sign(
            &secret,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(
            signed.as_deref(),
            Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        );
    }

    #[test]
    fn a_new_secret_is_of_the_form_and_never_the_same() {
        let (one, two) = (new_secret().unwrap(), new_secret().unwrap());
        assert_ne!(one.expose_secret(), two.expose_secret());
        let encoded = one.expose_secret().strip_prefix(PREFIX).unwrap();
        assert_eq!(STANDARD.decode(encoded).unwrap().len(), SECRET_BYTES);
        assert_eq!(sign(&"plain".to_owned().into(), "i", 1, "b"), None);
    }
}
