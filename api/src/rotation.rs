//! Putting a new secret in the place of an old one.

use serde::{Deserialize, Serialize};

/// The body of `POST /key/{keyId}/rotate` and `POST /webhook/{webhookId}/rotate-secret`; it may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Hours for which the old secret goes on working, 0–168; 24 when nothing is said.
    #[serde(
        default,
        deserialize_with = "crate::whole::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::OverlapHours>))]
    pub overlap_hours: Option<u32>,
}
