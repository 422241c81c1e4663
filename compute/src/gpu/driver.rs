//! The thread on which the driver of a device is called.

use std::convert::Infallible;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::gpu::health::Health;

/// Something that lives on a device, on a thread of its own. Any call of a driver can take for ever, and so can the end of what lives
/// there: a queue waits until all its work is done. Whoever asks waits for so long and no longer; the device is lost then.
/// What a call needs belongs to it, so that nothing but the thread is held when it does not return.
///
/// Of a device that is lost the thread ends by itself, as soon as the driver lets it, and what lives there with it.
#[derive(Debug)]
pub(crate) struct Driver<T: Send + 'static> {
    calls: Sender<Call<T>>,
    /// Nothing ever comes; it is closed when the thread has ended.
    end: Mutex<Receiver<Infallible>>,
    health: Arc<Health>,
    /// How long calls may take that somebody waits for.
    pub(super) patience: Duration,
}

type Call<T> = Box<dyn FnOnce(&mut T) + Send>;

impl<T: Send + 'static> Driver<T> {
    /// Takes something that lives on the device of this health to its thread.
    pub(crate) fn start(value: T, health: &Arc<Health>, patience: Duration) -> Result<Self, Error> {
        let (calls, called) = channel();
        let (ends, end) = channel();
        let health_there = Arc::clone(health);
        let serving = move || {
            serve(value, called, &health_there);
            drop(ends);
        };
        (thread::Builder::new().name("gpu".into()).spawn(serving))
            .map_err(|error| Error::Gpu(format!("there is no thread for its driver: {error}")))?;
        Ok(Self {
            calls,
            end: Mutex::new(end),
            health: Arc::clone(health),
            patience,
        })
    }

    /// Has something done after all that was asked for before, and does not wait for it.
    pub(crate) fn tell(&self, call: impl FnOnce(&mut T) + Send + 'static) {
        // Of a device that is lost nothing is done any more.
        let _ = self.calls.send(Box::new(call));
    }

    /// What comes of something that is done after all that was asked for before.
    pub(crate) fn ask<R: Send + 'static>(
        &self,
        call: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Result<R, Error> {
        let (answer, answered) = channel();
        // Who no longer waits has no use for it.
        self.tell(move |value| drop(answer.send(call(value))));
        if self.health.is_lost() {
            self.health.check()?;
        }
        let why = match answered.recv_timeout(self.patience) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                let waited = self.patience.as_secs();
                format!("its driver did not answer within {waited} s")
            }
            Err(RecvTimeoutError::Disconnected) => PANICKED.to_owned(),
        };
        Err(self.health.give_up(&why))
    }

    /// Whether nothing is left of a device that was lost; its end is waited for as long as a call.
    pub(crate) fn has_ended(&self) -> bool {
        // A thread that has nothing to do notices the loss now.
        self.tell(|_| ());
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.recv_timeout(self.patience) == Err(RecvTimeoutError::Disconnected)
    }

    /// Lets go of what lives there, and waits for its end, however long it takes.
    pub(crate) fn end(mut self) {
        self.hang_up();
        let _ = self.end_of_thread().recv();
    }

    /// The thread ends when it has done what was asked for so far.
    fn hang_up(&mut self) {
        drop(mem::replace(&mut self.calls, channel().0));
    }

    fn end_of_thread(&mut self) -> &Receiver<Infallible> {
        self.end.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Drop for Driver<T> {
    /// Nothing is left of a device that works, so that its driver is done when the process ends; nobody waits for a lost one.
    fn drop(&mut self) {
        self.hang_up();
        if !self.health.is_lost() {
            let patience = self.patience;
            let _ = self.end_of_thread().recv_timeout(patience);
        }
    }
}

const PANICKED: &str = "something panicked while it was used";

fn serve<T>(mut value: T, calls: Receiver<Call<T>>, health: &Health) {
    while !health.is_lost()
        && let Ok(call) = calls.recv()
    {
        if health.is_lost() {
            break;
        }
        // Where `wgpu` panics instead of failing there is no telling what state it is in.
        if catch_unwind(AssertUnwindSafe(|| call(&mut value))).is_err() {
            health.give_up(PANICKED);
        }
    }
    // Who still waits for an answer does not wait for the end of what lives here.
    drop(calls);
}

#[cfg(test)]
mod tests {
    use std::thread::ThreadId;
    use std::time::Instant;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    /// Says when its end begins, and ends when it is told to.
    struct Hanging {
        begins: Sender<ThreadId>,
        may_end: Receiver<()>,
    }

    impl Drop for Hanging {
        fn drop(&mut self) {
            let _ = self.begins.send(thread::current().id());
            let _ = self.may_end.recv();
        }
    }

    fn driver<T: Send>(value: T, patience: Duration) -> (Driver<T>, Arc<Health>) {
        let health = Arc::new(Health::default());
        (Driver::start(value, &health, patience).unwrap(), health)
    }

    #[test]
    fn nobody_waits_for_the_end_of_a_lost_device() {
        let (begins, begun) = channel();
        let (end, may_end) = channel();
        let (held, health) = driver(Hanging { begins, may_end }, Duration::from_millis(20));
        health.lose("it hangs");
        assert!(!held.has_ended());
        drop(held);
        assert_ne!(begun.recv_timeout(LONG), Ok(thread::current().id()));
        end.send(()).unwrap();
    }

    #[test]
    fn a_device_that_works_is_gone_when_it_is_dropped() {
        let (begins, begun) = channel();
        let (end, may_end) = channel();
        end.send(()).unwrap();
        drop(driver(Hanging { begins, may_end }, LONG));
        assert!(begun.try_recv().is_ok());
        // What it was told last is still done.
        let (told, tells) = channel();
        let (works, _) = driver((), LONG);
        works.tell(move |()| told.send(7).unwrap());
        works.end();
        assert_eq!(tells.try_recv(), Ok(7));
    }

    #[test]
    fn a_call_that_does_not_return_loses_the_device_and_holds_nobody() {
        let (go_on, may_go_on) = channel::<()>();
        let (mut driver, health) = driver(3, Duration::from_millis(20));
        assert_eq!(driver.ask(|value| *value + 4).unwrap(), 7);
        driver.tell(move |_| may_go_on.recv().unwrap_or_default());
        let late = driver.ask(|value| *value).unwrap_err().to_string();
        assert!(late.contains("did not answer within"), "{late}");
        assert!(health.is_lost() && !driver.has_ended());
        driver.patience = LONG;
        let begun = Instant::now();
        assert!(driver.ask(|value| *value).is_err());
        assert!(begun.elapsed() < LONG, "nobody waits once more");
        drop(go_on);
        assert!(driver.has_ended());
    }

    #[test]
    fn a_call_that_panics_loses_the_device() {
        let (driver, health) = driver((), LONG);
        let error = driver.ask(|()| panic!("an impossible state")).unwrap_err();
        assert!(error.to_string().contains(PANICKED), "{error}");
        assert!(health.is_lost() && driver.has_ended());
    }
}
