//! The secrets of keys and sessions: made here, and stored as hashes alone.

use anyhow::Context;
use sha2::{Digest, Sha256};

/// Bytes of randomness in a key or a session token.
const SECRET_BYTES: usize = 24;

/// The hash under which a key or session token is stored. These secrets carry 192 bits of randomness, so a plain hash
/// cannot be searched and no slow one is needed.
pub(crate) fn hash_secret(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// A fresh secret of 192 bits, in hex.
pub(crate) fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("{error}"))
        .context("the system gives no randomness")?;
    Ok(hex::encode(bytes))
}
