//! Captures of one page in one run that do not agree with each other.

use serde::{Deserialize, Serialize};

use crate::comparison::Layout;
use crate::picture::Picture;

/// Which of a result's two captures was captured again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum DisagreementSide {
    /// The current capture.
    Current,
    /// In a live job, the capture of the base origin.
    Baseline,
}

/// Two captures of one page in one run that are not the same. Of three captures these are the two that differ least.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Disagreement {
    /// Of which side of the result.
    pub side: DisagreementSide,
    /// The capture that the result shows and is judged by.
    pub kept: Picture,
    /// The other one.
    pub other: Picture,
    /// The pixels in which they differ, smoothed edges too, as a mask of `comparedWidth` × `comparedHeight` like `maskUrl` of the
    /// result; null when only their documents differ. Nullable.
    pub mask_url: Option<String>,
    /// Width of the canvas that has a place for all of both, in pixels.
    pub compared_width: u32,
    /// Height of the canvas.
    pub compared_height: u32,
    /// Where the rows of both lie on the canvas, `kept` as the baseline and `other` as the current one; null when their
    /// pixels are the same. Nullable.
    pub layout: Option<Layout>,
    /// Pixels in which they differ.
    pub changed_pixels: u64,
    /// Whether their documents differ as well.
    pub documents_differ: bool,
}
