//! Pauses while something that the service itself needs is in trouble: no browser starts, a disk is full, a bucket or a name
//! server is away.
//!
//! What failed for such a reason is begun again, a few times. Without pauses all tries of all work would be gone within moments
//! of a trouble that passes.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// The first pause; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest: whatever is broken for good, its jobs shall end.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Failures in a row of one kind of work in this process.
#[derive(Debug, Default)]
pub struct Trouble(AtomicU32);

impl Trouble {
    /// Some work of this kind went well.
    pub(super) fn is_over(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts a failure, and waits before its work may be begun again, unless the service ends.
    pub(super) async fn wait(&self, stopping: &CancellationToken) {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        tokio::select! {
            () = tokio::time::sleep(pause_after(before)) => {}
            () = stopping.cancelled() => {}
        }
    }
}

/// The pause when so many failures came right before.
fn pause_after(failures: u32) -> Duration {
    let doubled = 1_u32.checked_shl(failures).unwrap_or(u32::MAX);
    FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let pauses =
            [0, 1, 2, 4, 5, 31, 32, u32::MAX].map(|failures| pause_after(failures).as_millis());
        assert_eq!(
            pauses,
            [500, 1_000, 2_000, 8_000, 10_000, 10_000, 10_000, 10_000]
        );
    }

    #[tokio::test]
    async fn a_service_that_ends_waits_for_nothing() {
        let (trouble, stopping) = (Trouble(AtomicU32::new(20)), CancellationToken::new());
        stopping.cancel();
        let begun = std::time::Instant::now();
        trouble.wait(&stopping).await;
        assert!(begun.elapsed() < LONGEST_PAUSE / 2);
    }
}
