//! What may wait for the card when it is dropped.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::thread;

use crate::gpu::health::Health;

/// Something whose end can take as long as the card pleases: a queue waits until all its work is
/// done, without a deadline. Of a device that is lost, which may be one that hangs, it ends on a
/// thread of its own, whoever drops it. Of a device that works it ends at once, so that nothing of
/// it is left when the process ends.
#[derive(Debug)]
pub(crate) struct Detached<T: Send + 'static> {
    /// `None` only while it is dropped.
    value: Option<T>,
    health: Arc<Health>,
}

impl<T: Send + 'static> Detached<T> {
    /// Something that lives on the device of this health.
    pub(crate) fn new(value: T, health: Arc<Health>) -> Self {
        Self {
            value: Some(value),
            health,
        }
    }
}

impl<T: Send + 'static> Deref for Detached<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
            .as_ref()
            .expect("it is there until it is dropped")
    }
}

impl<T: Send + 'static> DerefMut for Detached<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
            .as_mut()
            .expect("it is there until it is dropped")
    }
}

impl<T: Send + 'static> Drop for Detached<T> {
    fn drop(&mut self) {
        let value = self.value.take();
        if self.health.is_lost() {
            // A machine that has no thread left for it drops it here.
            let _ = thread::Builder::new()
                .name("lost-gpu".into())
                .spawn(move || drop(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;

    /// Says when its end begins, and ends when it is told to.
    struct Hanging {
        begins: Sender<thread::ThreadId>,
        may_end: Receiver<()>,
    }

    impl Drop for Hanging {
        fn drop(&mut self) {
            let _ = self.begins.send(thread::current().id());
            let _ = self.may_end.recv();
        }
    }

    #[test]
    fn nobody_waits_for_the_end_of_a_lost_device() {
        let health = Arc::new(Health::default());
        let (begins, begun) = channel();
        let (end, may_end) = channel();
        let held = Detached::new(Hanging { begins, may_end }, Arc::clone(&health));
        health.lose("it hangs");
        drop(held);
        let ended_on = begun.recv_timeout(Duration::from_mins(1)).unwrap();
        assert_ne!(ended_on, thread::current().id());
        end.send(()).unwrap();
    }

    #[test]
    fn a_device_that_works_is_gone_when_it_is_dropped() {
        let (begins, begun) = channel();
        let (end, may_end) = channel();
        end.send(()).unwrap();
        drop(Detached::new(Hanging { begins, may_end }, Arc::default()));
        assert_eq!(begun.try_recv(), Ok(thread::current().id()));
    }
}
