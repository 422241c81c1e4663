//! The graphics adapter of a comparator over its life: lost, and opened again later.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::BackendReport;
use crate::error::Error;
use crate::gpu::Gpu;

/// Wait before a lost device is opened again: a driver that resets needs some seconds.
const FIRST_PAUSE: Duration = Duration::from_mins(1);

/// The wait doubles each time up to this, so that a broken card costs next to nothing.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// How an adapter is opened.
type Open = fn() -> Result<Gpu, Error>;

/// An adapter, or the prospect of one.
#[derive(Debug)]
pub(crate) struct Keeper {
    open: Open,
    /// Bytes of baselines that stay on the card.
    resident_bytes: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    gpu: Arc<Gpu>,
    opened: Instant,
    /// The next wait.
    pause: Duration,
    /// When to try again; `None` as long as no loss was noticed.
    due: Option<Instant>,
}

impl Keeper {
    /// Keeps an adapter that was opened in the same way as it is to be opened again.
    pub(crate) fn new(gpu: Gpu, open: Open, resident_bytes: u64, now: Instant) -> Self {
        Self {
            open,
            resident_bytes,
            state: Mutex::new(State {
                gpu: Arc::new(gpu.keep_baselines(resident_bytes)),
                opened: now,
                pause: FIRST_PAUSE,
                due: None,
            }),
        }
    }

    /// The adapter when it works. One that was lost is opened again when its time has come, by
    /// whoever asks first; the others go without meanwhile.
    pub(crate) fn current(&self, now: Instant) -> Option<Arc<Gpu>> {
        {
            let mut state = self.state();
            if !state.gpu.is_lost() {
                return Some(Arc::clone(&state.gpu));
            }
            if !state.is_due(now) {
                return None;
            }
        }
        match (self.open)() {
            Ok(gpu) => {
                tracing::info!("the lost GPU was opened again");
                let mut state = self.state();
                state.gpu = Arc::new(gpu.keep_baselines(self.resident_bytes));
                (state.opened, state.due) = (now, None);
                Some(Arc::clone(&state.gpu))
            }
            Err(error) => {
                tracing::warn!(%error, "the lost GPU could not be opened again");
                None
            }
        }
    }

    /// Whether baselines stay on the card.
    pub(crate) fn keeps_baselines(&self) -> bool {
        self.resident_bytes > 0
    }

    /// Names the adapter: the one that works, or the last that did.
    pub(crate) fn report(&self, reason: &str) -> BackendReport {
        self.state().gpu.report(reason)
    }

    /// How long until a lost adapter is tried again; `None` when it is not lost.
    pub(crate) fn pause_left(&self, now: Instant) -> Option<Duration> {
        let mut state = self.state();
        if !state.gpu.is_lost() {
            return None;
        }
        state.notice_loss(now);
        state.due.map(|due| due.saturating_duration_since(now))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether to try again now; the next time is then further away already.
    fn is_due(&mut self, now: Instant) -> bool {
        self.notice_loss(now);
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        self.put_off(now);
        true
    }

    fn notice_loss(&mut self, now: Instant) {
        if self.due.is_some() {
            return;
        }
        if now.saturating_duration_since(self.opened) > LONGEST_PAUSE {
            // It worked for long: a loss is news again.
            self.pause = FIRST_PAUSE;
        }
        self.put_off(now);
    }

    fn put_off(&mut self, now: Instant) {
        self.due = Some(now + self.pause);
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_device_is_tried_again_after_growing_pauses() {
        fn none() -> Result<Gpu, Error> {
            Err(Error::NoAdapter)
        }
        let start = Instant::now();
        let after = |minutes: u64| start + Duration::from_mins(minutes);
        let gpu = Gpu::open_any().expect("no adapter to test on");
        gpu.lose_now();
        let keeper = Keeper::new(gpu, none, 0, start);
        let tried_at: Vec<u64> = (0..300)
            .filter(|&minute| {
                let before = keeper.state().pause;
                assert!(keeper.current(after(minute)).is_none());
                keeper.state().pause != before || keeper.state().due == Some(after(minute + 60))
            })
            .collect();
        // The first is where the loss is noticed.
        assert_eq!(tried_at, [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
        let keeper = Keeper {
            open: Gpu::open_any,
            ..keeper
        };
        assert!(keeper.current(after(303)).is_some());
        assert_eq!(keeper.pause_left(after(303)), None);
    }
}
