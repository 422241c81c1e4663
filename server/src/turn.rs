//! Turns at what only so many may do at once.
//!
//! Work on a thread of its own goes on when whoever waits for it goes away. So the thread itself holds the turn, until it is done.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

/// A turn. It is over with the last one who holds it.
pub(crate) type Turn = Arc<OwnedSemaphorePermit>;

/// Does some work on a thread of its own, which has its turn until it is done, whether or not somebody waits for it as long.
pub(crate) fn in_turn<T: Send + 'static>(
    turn: Option<Turn>,
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use tokio::sync::Semaphore;

    use super::*;

    /// Begins some work while no thread is free for it, and waits for it no longer: it must keep its turn until a thread was
    /// free and is done with it.
    pub(crate) fn keeps_its_turn<F: Future>(begin: impl FnOnce(Turn) -> F) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(1).enable_time().build();
        runtime.unwrap().block_on(async {
            let turns = Arc::new(Semaphore::new(1));
            let turn = turns.clone().acquire_owned().await.unwrap();
            let (end, ended) = mpsc::channel::<()>();
            let other = tokio::task::spawn_blocking(move || ended.recv());
            {
                let mut work = std::pin::pin!(begin(Arc::new(turn)));
                assert!(futures::poll!(work.as_mut()).is_pending());
            }
            assert_eq!(turns.available_permits(), 0);
            end.send(()).unwrap();
            other.await.unwrap().unwrap();
            let next = tokio::time::timeout(Duration::from_secs(20), turns.acquire()).await;
            assert!(next.is_ok());
        });
    }

    #[test]
    fn work_that_nobody_waits_for_any_more_keeps_its_turn() {
        keeps_its_turn(|turn| in_turn(Some(turn), || ()));
    }
}
