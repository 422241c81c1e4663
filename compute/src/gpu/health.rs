//! What the driver tells of a device beside the results of calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{PollError, PollStatus};

use crate::error::Error;

/// What the driver told us outside of any call.
#[derive(Debug, Default)]
pub(crate) struct Health {
    lost: AtomicBool,
    /// The first error since it was last taken.
    error: Mutex<Option<String>>,
}

impl Health {
    /// Keeps the driver's reports; without this an error would end the process.
    pub(crate) fn watch(device: &wgpu::Device) -> Arc<Self> {
        let health = Arc::new(Self::default());
        let on_error = Arc::clone(&health);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.note(error.to_string());
        }));
        let on_loss = Arc::clone(&health);
        device.set_device_lost_callback(move |_, message| {
            on_loss.lose();
            on_loss.note(format!("the device was lost: {message}"));
        });
        health
    }

    /// Whether the device is gone for good.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Nothing is sent to the device any more.
    pub(crate) fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Turns what the driver reported into this call's error.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let reported = self
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match reported {
            Some(message) => Err(Error::Gpu(message)),
            None if self.is_lost() => Err(Error::Gpu("the device was lost".into())),
            None => Ok(()),
        }
    }

    /// Drops what an earlier comparison left behind when it gave up.
    pub(crate) fn forget(&self) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    /// Asks a device how far it is. `wgpu` panics where the driver answers that the device is lost;
    /// that is an error like any other here. After an error the device is lost: whatever still runs
    /// on it would meet the next comparison's buffers.
    pub(crate) fn poll(
        &self,
        poll: impl FnOnce() -> Result<PollStatus, PollError>,
    ) -> Result<(), Error> {
        let polled = catch_unwind(AssertUnwindSafe(poll));
        if !matches!(polled, Ok(Ok(_))) {
            self.lose();
        }
        self.check().map_err(|error| match polled {
            Ok(Err(timeout)) => Error::Gpu(timeout.to_string()),
            _ => error,
        })
    }

    fn note(&self, message: String) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_lost_while_it_is_waited_for_is_an_error() {
        let health = Health::default();
        assert!(health.poll(|| Ok(PollStatus::QueueEmpty)).is_ok());
        let error = health.poll(|| panic!("parent device is lost")).unwrap_err();
        assert!(error.to_string().contains("the device was lost"), "{error}");
        assert!(health.is_lost());
        assert!(health.check().is_err(), "every later call fails at once");
    }

    #[test]
    fn a_device_that_does_not_answer_in_time_is_lost() {
        let health = Health::default();
        let error = health.poll(|| Err(PollError::Timeout)).unwrap_err();
        let timeout = PollError::Timeout.to_string();
        assert!(error.to_string().contains(&timeout), "{error}");
        assert!(health.is_lost());
    }
}
