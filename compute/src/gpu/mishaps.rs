//! What befalls an adapter, for tests: it is held up, or taken away.

use super::Gpu;

impl Gpu {
    /// Whoever compares waits until the guard is dropped.
    pub(crate) fn hold(&self) -> impl Drop + '_ {
        self.pool()
    }

    /// Takes the device away, as a driver reset would.
    pub(crate) fn lose(&self) {
        self.opened.device.destroy();
    }

    /// The same, and noticed already.
    pub(crate) fn lose_now(&self) {
        self.lose();
        self.health.lose();
    }
}
