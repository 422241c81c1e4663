//! A page's time: as a whole, and for each thing that is waited for.

use std::time::{Duration, Instant};

/// Shortest wait that is given at all: below it nothing could be found quiet.
const SHORTEST: Duration = Duration::from_millis(600);

/// The time that a page has from its first step on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    begun: Instant,
    whole: Duration,
}

impl Budget {
    /// It runs from now on.
    pub(super) fn begin(whole: Duration) -> Self {
        Self {
            begun: Instant::now(),
            whole,
        }
    }

    /// What is gone of it.
    pub(super) fn spent(self) -> Duration {
        self.begun.elapsed()
    }

    /// What is left of it.
    pub(super) fn left(self) -> Duration {
        self.whole.saturating_sub(self.spent())
    }

    /// How long something may be waited for now, at most for `cap`: half of what is left stays for the rest, so that the
    /// picture is taken whatever never comes.
    pub(super) fn wait(self, cap: Duration) -> Duration {
        cap.min((self.left() / 2).max(SHORTEST))
    }
}
