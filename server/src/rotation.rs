//! How long an old secret goes on working beside the one in its place.

use crate::error::{Error, Result};

/// Hours when nothing is said.
pub(crate) const DEFAULT_OVERLAP_HOURS: u32 = 24;

/// Most hours.
pub(crate) const MAX_OVERLAP_HOURS: u32 = 168;

/// The overlap that a call asks for, in hours.
///
/// # Errors
/// 400 when it is too long.
pub(crate) fn overlap_hours(sent: Option<u32>) -> Result<u32> {
    let hours = sent.unwrap_or(DEFAULT_OVERLAP_HOURS);
    if hours > MAX_OVERLAP_HOURS {
        return Err(Error::invalid(format!(
            "`overlapHours` must be 0–{MAX_OVERLAP_HOURS}; got {hours}."
        )));
    }
    Ok(hours)
}
