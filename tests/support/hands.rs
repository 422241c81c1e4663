//! Time that a test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

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

    pub(crate) fn put(&self, time: &str) {
        let time: jiff::Timestamp = time.parse().unwrap();
        self.0.store(time.as_millisecond(), Ordering::Relaxed);
    }

    pub(crate) fn clock(&self) -> Clock {
        Clock::Manual(self.0.clone())
    }
}
