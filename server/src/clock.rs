//! The time, as the service sees it: one place to read it, so that tests can set it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Milliseconds of an hour.
pub(crate) const MS_PER_HOUR: i64 = 3_600_000;

/// Milliseconds of a day.
pub(crate) const MS_PER_DAY: i64 = 24 * MS_PER_HOUR;

/// Where the time comes from.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock that stands still until it is moved: milliseconds since 1970.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn now_ms(&self) -> i64 {
        match self {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that may read the machine's clock"
            )]
            Self::System => Timestamp::now().as_millisecond(),
            Self::Manual(now) => now.load(Ordering::Relaxed),
        }
    }
}

/// RFC 3339 in UTC with milliseconds, as timestamps travel.
pub fn rfc3339(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(
        |_| "1970-01-01T00:00:00.000Z".to_owned(),
        |time| time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn timestamps_are_utc_with_milliseconds() {
        assert_eq!(rfc3339(1_767_225_600_007), "2026-01-01T00:00:00.007Z");
    }
}
