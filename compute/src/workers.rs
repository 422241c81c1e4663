//! Which threads a comparison runs on: a single one for a small page, or for any while the processors are busy; all of
//! rayon's for a large one.
//!
//! Threads that share a small comparison wait for each other often. On two processors they took up to half as much time
//! again of both together, depending on what else the machine did, and ended a few milliseconds sooner at best. A service
//! has other pages to compare meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pixels of the largest page that is small: those of a full-HD screen.
const SMALL_PIXELS: u64 = 1920 * 1080;

/// Calls of [`compare`] under way.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// Pools of one thread each that wait for work; as many as there ever were comparisons at once.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Counts a comparison while it is under way.
struct UnderWay;

impl UnderWay {
    /// How many are under way with this one, too.
    fn begin() -> (Self, usize) {
        (Self, UNDER_WAY.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Compares a page of so many pixels: on one thread when it is small, or when as many comparisons are under way, this one
/// too, as there are processors; on all of rayon's threads otherwise. Who is on one of those already stays there.
pub(crate) fn compare<T: Send>(pixels: u64, work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let (_guard, under_way) = UnderWay::begin();
    if pixels <= SMALL_PIXELS || under_way >= rayon::current_num_threads() {
        on_one(work)
    } else {
        rayon::scope(|_| work())
    }
}

/// On a pool of one thread, where whatever would be shared is done one after the other.
fn on_one<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = idle().pop();
    let fresh = || ThreadPoolBuilder::new().num_threads(1).build().ok();
    let Some(pool) = waiting.or_else(fresh) else {
        // The system gives no more threads.
        return rayon::scope(|_| work());
    };
    let result = pool.install(work);
    idle().push(pool);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(pixels: u64) -> usize {
        compare(pixels, rayon::current_num_threads)
    }

    #[test]
    fn a_small_page_is_one_threads_and_what_it_shares_stays_there() {
        let ran_on = || std::thread::current().id();
        let (one, (other, third)) =
            compare(SMALL_PIXELS, || (ran_on(), rayon::join(ran_on, ran_on)));
        assert!(one == other && one == third);
        assert_eq!(threads(SMALL_PIXELS), 1);
    }

    #[test]
    fn a_large_page_is_one_threads_while_the_processors_are_busy() {
        let busy: Vec<_> = (1..rayon::current_num_threads())
            .map(|_| UnderWay::begin())
            .collect();
        assert_eq!(threads(u64::MAX), 1);
        drop(busy);
    }

    #[test]
    fn a_panic_ends_one_comparison_alone() {
        let panics = || compare(1, || panic!("a comparison that panics"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(threads(1), 1);
    }

    #[test]
    fn whoever_is_among_rayons_threads_stays_there() {
        let inside = rayon::scope(|_| {
            (
                rayon::current_thread_index(),
                compare(1, rayon::current_thread_index),
            )
        });
        assert_eq!(inside.0, inside.1);
    }
}
