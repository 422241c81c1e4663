//! What the driver tells of a device beside the results of calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wgpu::{PollError, PollStatus};

use crate::error::Error;

/// What the driver told us outside of any call.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// Why the device was lost, once it was.
    lost: OnceLock<String>,
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
            on_loss.lose(match message.as_str() {
                "" => "the driver does not say why",
                message => message,
            });
        });
        health
    }

    /// Whether the device is gone for good.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Why it is, once it is: what was known first.
    pub(crate) fn why_lost(&self) -> Option<&str> {
        self.lost.get().map(String::as_str)
    }

    /// Nothing is sent to the device any more.
    pub(crate) fn lose(&self, why: &str) {
        let why = self.lost.get_or_init(|| why.to_owned());
        self.note(format!("the device was lost: {why}"));
    }

    /// Turns what the driver reported into this call's error.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.reported() {
            Some(message) => Err(Error::Gpu(message)),
            None => self.why_lost().map_or(Ok(()), |why| {
                Err(Error::Gpu(format!("the device was lost: {why}")))
            }),
        }
    }

    /// Drops what an earlier comparison left behind when it gave up.
    pub(crate) fn forget(&self) {
        self.reported();
    }

    /// Takes what the driver reported.
    fn reported(&self) -> Option<String> {
        (self.error.lock())
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Asks a device how far it is. `wgpu` panics where the driver answers that the device is lost;
    /// that is an error like any other here. After an error the device is lost: whatever still runs
    /// on it would meet the next comparison's buffers. What the driver reported meanwhile says more than
    /// the error that comes of it.
    pub(crate) fn poll(
        &self,
        poll: impl FnOnce() -> Result<PollStatus, PollError>,
    ) -> Result<(), Error> {
        let failure = match catch_unwind(AssertUnwindSafe(poll)) {
            Ok(Ok(_)) => return self.check(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "its driver gave up".to_owned(),
        };
        Err(self.give_up(&failure))
    }

    /// Loses the device over a failure, or over what the driver reported before: the error that comes of it.
    pub(crate) fn give_up(&self, failure: &str) -> Error {
        let reported = self.reported();
        self.lose(reported.as_deref().unwrap_or(failure));
        self.check().expect_err("it is lost")
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
        assert_eq!(health.why_lost(), Some(timeout.as_str()));
    }

    #[test]
    fn what_the_driver_reported_first_is_the_reason() {
        let health = Health::default();
        health.note("not enough memory left".into());
        let index = PollError::WrongSubmissionIndex(2, 1);
        let error = health.poll(|| Err(index)).unwrap_err();
        let reason = "the device was lost: not enough memory left";
        assert!(error.to_string().contains(reason), "{error}");
        health.lose("and gone");
        assert_eq!(health.why_lost(), Some("not enough memory left"));
    }
}
