//! Pauses between the tries of work that failed for the service's own reasons: no browser starts, a disk is full, a bucket is
//! away.
//!
//! Such work is begun again, a few times. Without pauses all tries of all work would be gone within moments of a trouble that
//! passes.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// The first pause; each is twice as long as the one before.
const FIRST: Duration = Duration::from_millis(500);

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(10);

/// What is broken for so long is no trouble that passes: its jobs shall end.
const PATIENCE: Duration = Duration::from_mins(5);

/// A failure so long after the one before is of another trouble: in between there was nothing to do.
const APART: Duration = Duration::from_mins(2);

/// Failures of some work of this process since any of it went well.
#[derive(Debug, Default)]
pub struct Pauses(Mutex<Option<Failures>>);

#[derive(Debug, Clone, Copy)]
struct Failures {
    since: Instant,
    last: Instant,
    count: u32,
}

impl Pauses {
    /// Some of the work went well.
    pub(super) fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Counts a failure, and waits before its work may be begun again, unless the service ends. False where nothing was waited for:
    /// the trouble has lasted too long.
    pub(super) async fn wait(&self, stopping: &CancellationToken) -> bool {
        let Some(pause) = self.next(Instant::now()) else {
            return false;
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stopping.cancelled() => {}
        }
        true
    }

    /// As if nothing had gone well for so long; tests call it instead of waiting.
    pub fn have_failed_for(&self, time: Duration) {
        let last = Instant::now();
        let failures = Failures {
            since: last.checked_sub(time).unwrap_or(last),
            last,
            count: 1,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(failures);
    }

    /// The pause after a failure at this time; none when there was patience enough.
    fn next(&self, now: Instant) -> Option<Duration> {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = failures.filter(|before| now.duration_since(before.last) <= APART);
        let (since, count) = before.map_or((now, 0), |before| (before.since, before.count));
        *failures = Some(Failures {
            since,
            last: now,
            count: count.saturating_add(1),
        });
        if now.duration_since(since) > PATIENCE {
            return None;
        }
        let doubled = 1_u32.checked_shl(count).unwrap_or(u32::MAX);
        Some(FIRST.saturating_mul(doubled).min(LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_grow_up_to_the_longest_and_end_with_success_or_patience() {
        let (pauses, now) = (Pauses::default(), Instant::now());
        let next = |after: Duration| pauses.next(now + after).map(|pause| pause.as_millis());
        let grown = [0, 0, 1, 2, 5, 20, 60].map(|seconds| next(Duration::from_secs(seconds)));
        let expected = [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
        assert_eq!(grown, expected.map(Some));
        for minute in 2..=5 {
            for _ in 0..10 {
                assert_eq!(next(Duration::from_mins(minute)), Some(10_000));
            }
        }
        assert_eq!(next(PATIENCE + Duration::from_millis(1)), None);
        pauses.end();
        assert_eq!(next(PATIENCE * 2), Some(500));
    }

    #[test]
    fn a_failure_long_after_the_last_one_is_of_another_trouble() {
        let (pauses, now) = (Pauses::default(), Instant::now());
        let next = |after: Duration| pauses.next(now + after).map(|pause| pause.as_millis());
        assert_eq!(next(Duration::ZERO), Some(500));
        assert_eq!(next(APART), Some(1_000));
        // Nothing was to be done for a while.
        let later = PATIENCE * 3;
        assert_eq!(next(later), Some(500));
        assert_eq!(next(later + APART), Some(1_000));
    }

    #[tokio::test]
    async fn a_service_that_ends_waits_for_nothing() {
        let (pauses, stopping) = (Pauses::default(), CancellationToken::new());
        stopping.cancel();
        let begun = Instant::now();
        for _ in 0..20 {
            pauses.wait(&stopping).await;
        }
        assert!(begun.elapsed() < LONGEST);
    }
}
