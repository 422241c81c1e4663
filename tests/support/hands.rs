//! Time that a test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use pentimento::clock::Clock;

/// A clock that stands where it is put.
#[derive(Clone)]
pub(crate) struct Hands(Arc<AtomicI64>);

impl Hands {
    pub(crate) fn at(time: &str) -> Self {
        let hands = Self(Arc::default());
        hands.put(time);
        hands
    }

    /// At the time of the machine, which disks and buckets go by too.
    pub(crate) fn at_now() -> Self {
        Self(Arc::new(AtomicI64::new(Clock::System.now_ms())))
    }

    pub(crate) fn move_on(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap();
        self.0.fetch_add(by, Ordering::Relaxed);
    }

    pub(crate) fn put(&self, time: &str) {
        let time: jiff::Timestamp = time.parse().unwrap();
        self.0.store(time.as_millisecond(), Ordering::Relaxed);
    }

    pub(crate) fn clock(&self) -> Clock {
        Clock::Manual(self.0.clone())
    }
}
