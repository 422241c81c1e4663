//! Whether the service is alive and ready.

use serde::{Deserialize, Serialize};

use crate::error::ErrorCode;

/// The answer of `GET /healthz`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The service's version.
    pub version: String,
}

/// The answer of `GET /readyz`: 200 when every part is ready, else 503.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Readiness {
    /// Whether work can be taken.
    pub ready: bool,
    /// The database: `ok`, or what is wrong.
    pub database: String,
    /// The blob storage: `ok`, or what is wrong.
    pub storage: String,
    /// The browser: its version, or what is wrong.
    pub browser: String,
    /// What compares: `cpu` or `gpu`, with the adapter's name and why it was picked.
    pub comparator: ComparatorHealth,
    /// With a 503, as every error has it: what is wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// With a 503: `internal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
}

/// What compares captures here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ComparatorHealth {
    /// `cpu` or `gpu`.
    pub backend: String,
    /// The GPU adapter, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Why this backend was picked.
    pub reason: String,
}
