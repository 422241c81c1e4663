//! What befalls an adapter, for tests: it is held up, full, or taken away, it refuses something, or its interface panics.

use super::Gpu;
use crate::error::Error;

impl Gpu {
    /// Whoever compares waits until the guard is dropped.
    pub(crate) fn hold(&self) -> impl Drop + '_ {
        self.pool()
    }

    /// Has no room for more baselines from now on.
    pub(crate) fn crowd(&self) {
        self.pool().residents.is_crowded = true;
    }

    /// Reports an error of the next batch, as a driver does of what it refuses, and works on.
    pub(crate) fn refuse_next(&self) {
        self.pool().residents.refuses_next = true;
    }

    /// Panics at the next comparison before its turn, as where no thread can be started.
    pub(crate) fn panic_next(&self) {
        self.pool().lacks_threads = true;
    }

    pub(super) fn panic_if_told(&self) {
        let lacks_threads = std::mem::take(&mut self.pool().lacks_threads);
        assert!(!lacks_threads, "failed to spawn thread");
    }

    /// Panics while batches are sent, as `wgpu` does where it finds its own state impossible.
    pub(crate) fn panic(&self) -> Result<(), Error> {
        let batches = std::iter::from_fn(|| panic!("a test"));
        self.run_batches(batches, &mut [])
    }

    /// Takes the device away, as a driver reset would.
    pub(crate) fn lose(&self) {
        self.opened.device.destroy();
    }

    /// The same, and noticed already.
    pub(crate) fn lose_now(&self) {
        self.lose();
        self.health.lose("a test took it away");
    }
}
