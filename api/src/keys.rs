//! API keys, as an admin lists, makes and rotates them. The key itself travels once, when it is made.

use serde::{Deserialize, Serialize};

use crate::ids::KeyId;
use crate::session::Scope;

/// Whether a key can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum KeyState {
    /// It can.
    Active,
    /// It can until `expiresAt`; another key has taken its place.
    Rotated,
    /// Its time is over.
    Expired,
    /// Somebody revoked it.
    Revoked,
}

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Names the key; a project's `scheduleKeyId` is one of these.
    pub key_id: KeyId,
    /// Its name, which triage records.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Whether it can be used.
    pub state: KeyState,
    /// Whether this call was made with it.
    pub is_own: bool,
    /// When it was made.
    pub created_at: String,
    /// When it was last used, to the minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    /// The key that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<KeyId>,
}

/// The body of `POST /keys`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewKey {
    /// A name for people; 1–100 characters. It need not be unique.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::KeyName))]
    pub name: String,
    /// What the key may do: none that the caller's key lacks.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub scopes: Vec<Scope>,
    /// Days after which it ends by itself, 1–3650; without it, it never does.
    #[serde(
        default,
        deserialize_with = "crate::whole::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::ExpiryDays>))]
    pub expires_in_days: Option<u32>,
}

/// The answer of `POST /keys` and `POST /key/{keyId}/rotate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyMade {
    /// The new key.
    pub key: Key,
    /// The secret to call with. Only its hash is stored, so this is the one time that it is told.
    pub secret: String,
}
