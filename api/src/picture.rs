//! Pictures that the dashboard loads.

use serde::{Deserialize, Serialize};

use crate::capture::CaptureReport;

/// A picture and its size in pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Picture {
    /// Where to load it.
    pub url: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How it was captured; absent when a client uploaded it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<CaptureReport>,
}
