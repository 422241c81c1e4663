//! The devices that pages can be captured on.

use serde::{Deserialize, Serialize};

/// Where a device's name comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// A device with a user agent of its own.
    Device,
    /// A viewport alone: the browser says what it is.
    Viewport,
}

/// A device as `GET /devices` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeviceListed {
    /// What `devices` of a project or job calls it, in any case.
    pub name: String,
    /// What it imitates.
    pub kind: DeviceKind,
    /// Width of the viewport in CSS pixels; captures have one image pixel for each.
    pub width: u32,
    /// Height of the viewport in CSS pixels; captures show the whole page.
    pub height: u32,
    /// What the page learns as `window.screen`.
    pub screen: ScreenSize,
    /// What it sends as `User-Agent`; without it, the browser's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Whether it is used with fingers: touch events, a coarse pointer, no hover.
    pub touch: bool,
    /// Whether the viewport meta of pages counts.
    pub mobile: bool,
    /// Who described it, with the version: `playwright-core 1.65.1`, or `pentimento`.
    pub source: String,
}

/// A screen's extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScreenSize {
    /// CSS pixels across.
    pub width: u32,
    /// CSS pixels down.
    pub height: u32,
}
