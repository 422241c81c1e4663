//! The graphics adapter of a comparator over its life: lost, and opened again later.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::BackendReport;
use crate::card::{Card, NoCard};
use crate::error::Error;
use crate::gpu::Gpu;

/// Wait before a device that was lost, or failed when it was opened, is tried again: a driver that resets needs some seconds.
const FIRST_PAUSE: Duration = Duration::from_mins(1);

/// The wait doubles each time up to this, so that a broken card costs next to nothing.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// How an adapter is opened once more.
type Open = fn() -> Result<Card, NoCard>;

/// An adapter, or the prospect of one.
#[derive(Debug)]
pub(crate) struct Keeper {
    open: Open,
    /// Bytes of baselines that stay on the card.
    resident_bytes: u64,
    state: Mutex<State>,
    /// Why it failed first: when it was opened, or in a comparison.
    failure: OnceLock<String>,
}

#[derive(Debug)]
struct State {
    held: Held,
    /// When it was opened last, or first tried.
    since: Instant,
    /// The next wait.
    pause: Duration,
    /// When to try again; `None` as long as no loss was noticed.
    due: Option<Instant>,
}

#[derive(Debug)]
enum Held {
    /// It may have been lost since.
    Opened { gpu: Arc<Gpu>, reason: String },
    /// It failed so far: why.
    Awaited(String),
    /// Nobody waits for it any longer: why.
    Unused(String),
}

impl Keeper {
    /// Keeps an adapter; `open` opens it once more.
    pub(crate) fn of(card: Card, open: Open, resident_bytes: u64, now: Instant) -> Self {
        let held = Held::opened(card, resident_bytes);
        Self::holding(held, open, resident_bytes, now)
    }

    /// Waits for an adapter that failed when it was first opened.
    pub(crate) fn awaiting(why: String, open: Open, resident_bytes: u64, now: Instant) -> Self {
        Self {
            failure: OnceLock::from(why.clone()),
            ..Self::holding(Held::Awaited(why), open, resident_bytes, now)
        }
    }

    fn holding(held: Held, open: Open, resident_bytes: u64, now: Instant) -> Self {
        Self {
            open,
            resident_bytes,
            state: Mutex::new(State {
                held,
                since: now,
                pause: FIRST_PAUSE,
                due: None,
            }),
            failure: OnceLock::new(),
        }
    }

    /// The adapter when it works. One that was lost or failed is opened again when its time has come, by
    /// whoever asks first; the others go without meanwhile.
    pub(crate) fn current(&self, now: Instant) -> Option<Arc<Gpu>> {
        let lost = {
            let mut state = self.state();
            let lost = match &state.held {
                Held::Opened { gpu, .. } if !gpu.is_lost() => return Some(Arc::clone(gpu)),
                Held::Unused(_) => return None,
                Held::Opened { gpu, .. } => Some(Arc::clone(gpu)),
                Held::Awaited(_) => None,
            };
            if !state.is_due(now) {
                return None;
            }
            lost
        };
        let opened = match lost {
            // Its thread would be one more with every loss.
            Some(lost) if !lost.has_ended() => Err(NoCard::Failed(format!(
                "the driver of {} has still not let go of it",
                lost.name()
            ))),
            _ => (self.open)(),
        };
        match opened {
            Ok(card) => {
                tracing::info!("the GPU works again");
                let held = Held::opened(card, self.resident_bytes);
                let mut state = self.state();
                state.held = held;
                (state.since, state.due) = (now, None);
                state.held.working().cloned()
            }
            Err(NoCard::Failed(why)) => {
                tracing::warn!(why, "the GPU could not be opened again");
                let mut state = self.state();
                if matches!(state.held, Held::Awaited(_)) {
                    state.held = Held::Awaited(why);
                }
                None
            }
            Err(NoCard::Unused(why)) => {
                tracing::info!(why, "the CPU compares from now on");
                self.state().held = Held::Unused(why);
                None
            }
        }
    }

    /// Remembers why a comparison failed on it, whether or not that lost it: what it says first tells most.
    pub(crate) fn remember(&self, error: &Error) {
        let _ = self.failure.set(error.of_gpu());
    }

    /// Why it failed first, if it ever did; it may work again.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Whether baselines stay on the card.
    pub(crate) fn keeps_baselines(&self) -> bool {
        self.resident_bytes > 0
    }

    /// What compares at this moment, and why.
    pub(crate) fn report(&self, now: Instant) -> BackendReport {
        let mut state = self.state();
        let why = match &state.held {
            Held::Opened { gpu, reason } => match gpu.why_lost() {
                None => return gpu.report(reason),
                Some(why) => format!("the device {} was lost ({why})", gpu.name()),
            },
            Held::Unused(why) => return BackendReport::cpu(why.as_str()),
            Held::Awaited(why) => why.clone(),
        };
        let left = state.pause_left(now).as_secs();
        BackendReport::cpu(format!("{why}; it is tried again in {left} s"))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn opened(card: Card, resident_bytes: u64) -> Self {
        Self::Opened {
            gpu: Arc::new(card.gpu.keep_baselines(resident_bytes)),
            reason: card.reason,
        }
    }

    fn working(&self) -> Option<&Arc<Gpu>> {
        match self {
            Self::Opened { gpu, .. } => Some(gpu),
            Self::Awaited(_) | Self::Unused(_) => None,
        }
    }
}

impl State {
    /// Whether to try again now; the next time is then further away already.
    fn is_due(&mut self, now: Instant) -> bool {
        if now < self.noticed(now) {
            return false;
        }
        self.put_off(now);
        true
    }

    /// How long until it is tried again.
    fn pause_left(&mut self, now: Instant) -> Duration {
        self.noticed(now).saturating_duration_since(now)
    }

    /// When to try again; the first wait begins when somebody notices.
    fn noticed(&mut self, now: Instant) -> Instant {
        if let Some(due) = self.due {
            return due;
        }
        if now.saturating_duration_since(self.since) > LONGEST_PAUSE {
            // It worked for long: a loss is news again.
            self.pause = FIRST_PAUSE;
        }
        self.put_off(now)
    }

    fn put_off(&mut self, now: Instant) -> Instant {
        let due = now + self.pause;
        self.due = Some(due);
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::card::any_again;

    fn failing() -> Result<Card, NoCard> {
        Err(NoCard::Failed("the driver resets".into()))
    }

    /// The minutes, of 300, in which it was tried to open the adapter, the first being where its absence is noticed.
    fn tried_at(keeper: &Keeper, start: Instant) -> Vec<u64> {
        let tried = |&minute: &u64| {
            let now = start + Duration::from_mins(minute);
            let before = keeper.state().pause;
            assert!(keeper.current(now).is_none());
            let state = keeper.state();
            state.pause != before || state.due == Some(now + LONGEST_PAUSE)
        };
        (0..300).filter(tried).collect()
    }

    /// The driver is there again, and so is its adapter when it is tried.
    fn assert_opens(keeper: Keeper, at: Instant) {
        let keeper = Keeper {
            open: any_again,
            ..keeper
        };
        assert!(keeper.current(at).is_some());
        assert_eq!(keeper.report(at).backend, Backend::Gpu);
    }

    const GROWING_PAUSES: [u64; 10] = [0, 1, 3, 7, 15, 31, 63, 123, 183, 243];

    #[test]
    fn a_lost_device_is_tried_again_after_growing_pauses() {
        let start = Instant::now();
        let card = any_again().expect("no adapter to test on");
        card.gpu.lose_now();
        let keeper = Keeper::of(card, failing, 0, start);
        assert_eq!(tried_at(&keeper, start), GROWING_PAUSES);
        let later = start + Duration::from_mins(303);
        let report = keeper.report(start + Duration::from_mins(302));
        assert_eq!(report.backend, Backend::Cpu);
        let reason = report.reason;
        assert!(
            reason.ends_with("was lost (a test took it away); it is tried again in 60 s"),
            "{reason}"
        );
        assert_opens(keeper, later);
    }

    #[test]
    fn a_device_that_failed_when_it_was_first_opened_is_tried_again_too() {
        let start = Instant::now();
        let keeper = Keeper::awaiting("the card is busy".into(), failing, 0, start);
        let reason = keeper.report(start).reason;
        assert_eq!(reason, "the card is busy; it is tried again in 60 s");
        assert_eq!(tried_at(&keeper, start), GROWING_PAUSES[1..]);
        let later = start + Duration::from_mins(303);
        let reason = keeper.report(later).reason;
        assert_eq!(reason, "the driver resets; it is tried again in 0 s");
        assert_eq!(keeper.failure(), Some("the card is busy"));
        assert_opens(keeper, later);
    }

    #[test]
    fn nobody_waits_for_a_card_that_is_slower() {
        fn slower() -> Result<Card, NoCard> {
            Err(NoCard::Unused("the CPU was faster".into()))
        }
        let start = Instant::now();
        let keeper = Keeper::awaiting("the card is busy".into(), slower, 0, start);
        assert!(keeper.current(start).is_none());
        assert!(keeper.current(start + FIRST_PAUSE).is_none());
        let keeper = Keeper {
            open: any_again,
            ..keeper
        };
        assert!(keeper.current(start + Duration::from_hours(9)).is_none());
        assert_eq!(
            keeper.report(start),
            BackendReport::cpu("the CPU was faster")
        );
    }
}
