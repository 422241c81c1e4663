//! What befalls an adapter, for tests: it is held up, full, or taken away, it refuses something, its driver hangs, or its interface
//! panics.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::Gpu;
use crate::error::Error;
use crate::gpu::opened::Pool;

/// What a comparison waits for the driver for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Buffers.
    Preparing,
    /// A batch that is sent.
    Sending,
    /// The results of one.
    Landing,
}

impl Pool {
    pub(super) fn hang_if_told(&mut self, stay: Stay) {
        if let Some((_, until)) = self.hangs.take_if(|(told, _)| *told == stay) {
            let _ = until.recv();
        }
    }
}

impl Gpu {
    /// Whoever compares waits until the guard is dropped.
    pub(crate) fn hold(&self) -> impl Drop + '_ {
        self.turn()
    }

    /// Waits so long for its driver.
    pub(crate) fn with_patience(mut self, patience: Duration) -> Self {
        self.driver.patience = patience;
        self
    }

    /// Hangs in the driver the next time that it comes there, until what this returns is dropped.
    pub(crate) fn hang_next(&self, stay: Stay) -> Sender<()> {
        let (held, until) = channel();
        (self.driver).tell(move |pool| pool.hangs = Some((stay, until)));
        held
    }

    /// Has no room for more baselines from now on.
    pub(crate) fn crowd(&self) {
        (self.driver).tell(|pool| pool.residents.is_crowded = true);
    }

    /// Reports an error of the next batch, as a driver does of what it refuses, and works on.
    pub(crate) fn refuse_next(&self) {
        (self.driver).tell(|pool| pool.residents.refuses_next = true);
    }

    /// Panics at the next comparison before its turn, as where no thread can be started.
    pub(crate) fn panic_next(&self) {
        self.turn().lacks_threads = true;
    }

    pub(super) fn panic_if_told(&self) {
        let lacks_threads = std::mem::take(&mut self.turn().lacks_threads);
        assert!(!lacks_threads, "failed to spawn thread");
    }

    /// Panics while batches are sent, as `wgpu` does where it finds its own state impossible.
    pub(crate) fn panic(&self) -> Result<(), Error> {
        let batches = std::iter::from_fn(|| panic!("a test"));
        self.run_batches(batches, &mut [])
    }

    /// Takes the device away, as a driver reset would.
    pub(crate) fn lose(&self) {
        let _ = self.driver.ask(|pool| pool.opened.device.destroy());
    }

    /// The same, and noticed already.
    pub(crate) fn lose_now(&self) {
        self.lose();
        self.health.lose("a test took it away");
    }
}
