//! Trying out a mask on what a job found: `POST /result/{resultId}/mask`.

use serde::{Deserialize, Serialize};

use crate::form::{objects_only, words_only};
use crate::result::Box;

/// A capture of a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum CaptureSide {
    /// The baseline.
    Baseline,
    /// The current capture.
    #[default]
    Current,
}

/// The body of `POST /result/{resultId}/mask`: the place that is to be masked, or the selector that is to mask it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct MaskQuestion {
    /// A place, for which selectors are suggested; the first of them is tried out.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "box")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::MaskPlace>))]
    pub place: Option<Box>,
    /// The capture in which the place lies; without it, the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<CaptureSide>,
    /// A selector to be tried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Selector>))]
    pub selector: Option<String>,
}

/// What a mask would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MaskTrial {
    /// Selectors for the place: those first that match in the other capture, too, and the narrowest first; none when a selector
    /// was sent, or when no element holds the place.
    pub suggestions: Vec<MaskSuggestion>,
    /// What came of the one that was tried out; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<TriedMask>,
}

/// A selector that a place could be masked by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MaskSuggestion {
    /// The selector.
    pub selector: String,
    /// How many elements of the page it matches.
    pub matches: u64,
}

/// A mask that was tried out on the changed pages of the result's job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TriedMask {
    /// The selector.
    pub selector: String,
    /// The changed results that were looked at: all of the job, at most 500.
    pub changed: u64,
    /// Of these, those on which it matches an element.
    pub matched: u64,
    /// Of these, those that would have no change left: every changed pixel lies in what it hides in both captures, and the
    /// documents have no other change.
    pub settled: u64,
    /// Whether all changed results of the job were looked at; there are 5 s for it.
    pub complete: bool,
    /// How much of this result's current capture it hides, in percent of its pixels, 0–100.
    pub blind_percentage: f64,
    /// What it hides of the current capture, at most 1,000 places.
    pub hidden: Vec<Box>,
}

words_only!(CaptureSide);
objects_only!(MaskQuestion);
