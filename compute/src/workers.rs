//! Which threads a comparison runs on: the calling one alone for a small page, or for any while the processors are busy;
//! all of rayon's for a large one. What a comparison shares among threads it shares by [`join`] and [`map`].
//!
//! Threads that share a small comparison wait for each other often. On two processors they took up to half as much time
//! again of both together, depending on what else the machine did, and ended a few milliseconds sooner at best. A service
//! has other pages to compare meanwhile, and a command line that compares one small page starts no thread at all.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use rayon::iter::plumbing::{Producer, ProducerCallback};
use rayon::prelude::*;

/// Pixels of the largest page that is small: those of a full-HD screen.
const SMALL_PIXELS: u64 = 1920 * 1080;

/// What it takes to start a thread and to wait for its end, about.
const THREAD_START: Duration = Duration::from_micros(50);

/// Calls of [`compare`] under way.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread compares a page by itself.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

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

/// Keeps a thread alone, until it is dropped.
struct Alone;

impl Alone {
    fn begin() -> Self {
        ALONE.set(true);
        Self
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        ALONE.set(false);
    }
}

/// Compares a page of so many pixels, or draws what came of it: on the calling thread when it is small, or when as many comparisons are under way,
/// this one too, as there are processors; on all of rayon's threads otherwise. Who is on one of those already stays there.
pub(crate) fn compare<T: Send>(pixels: u64, work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() || ALONE.get() {
        return work();
    }
    let (_guard, under_way) = UnderWay::begin();
    if pixels <= SMALL_PIXELS || under_way >= rayon::current_num_threads() {
        let _alone = Alone::begin();
        work()
    } else {
        rayon::scope(|_| work())
    }
}

/// How many threads share what a comparison shares.
pub(crate) fn threads() -> usize {
    if ALONE.get() {
        1
    } else {
        rayon::current_num_threads()
    }
}

/// Both, at the same time where there are several threads.
pub(crate) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if ALONE.get() {
        (one(), other())
    } else {
        rayon::join(one, other)
    }
}

/// Whether a test holds for any of the items; several are tested at the same time where there are several threads.
pub(crate) fn any<T: Sync>(items: &[T], test: impl Fn(&T) -> bool + Send + Sync) -> bool {
    if ALONE.get() {
        items.iter().any(test)
    } else {
        items.par_iter().any(test)
    }
}

/// What comes of each item, in their order; several at the same time where there are several threads.
pub(crate) fn map<I, T>(items: I, work: impl Fn(I::Item) -> T + Send + Sync) -> Vec<T>
where
    I: IndexedParallelIterator,
    T: Send,
{
    if ALONE.get() {
        items.with_producer(InOrder(work))
    } else {
        items.map(work).collect()
    }
}

/// What comes of each of many pages, in their order: one a thread, each by itself, as when as many callers compare. Of fewer
/// than there are threads each is shared.
pub(crate) fn map_pages<I, T>(pages: I, work: impl Fn(I::Item) -> T + Send + Sync) -> Vec<T>
where
    I: IndexedParallelIterator,
    T: Send,
{
    if ALONE.get() || pages.len() < rayon::current_num_threads() {
        return map(pages, work);
    }
    let alone = |page| {
        let _alone = Alone::begin();
        work(page)
    };
    pages.map(alone).collect()
}

/// How many threads of its own work gets that so many are worth their start for: half of the processors at most, for others have
/// work, too.
pub(crate) fn apart_at_most(worth: u64, most: usize) -> usize {
    // Asking the system takes as long as starting a thread.
    static PROCESSORS: LazyLock<usize> =
        LazyLock::new(|| available_parallelism().map_or(1, NonZero::get));
    let worth = usize::try_from(worth).unwrap_or(usize::MAX);
    worth.min(*PROCESSORS / 2).clamp(1, most)
}

/// Works through items on so many threads of their own, this one among them, and none of rayon's: for who holds what others
/// wait for on those. The work itself shares nothing. The others start only once the work has taken longer than their start.
pub(crate) fn apart<T: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) + Sync) {
    let start = Instant::now();
    let mut items = items.into_iter();
    while threads <= 1 || start.elapsed() < THREAD_START {
        let Some(item) = items.next() else {
            return;
        };
        work(item);
    }
    let mut items: Vec<T> = items.collect();
    let share = items.len().div_ceil(threads);
    let all_of = |items: Vec<T>| items.into_iter().for_each(&work);
    std::thread::scope(|scope| {
        while items.len() > share {
            let last = items.split_off(items.len() - share);
            scope.spawn(move || all_of(last));
        }
        all_of(items);
    });
}

/// Works through a parallel iterator's items where they are.
struct InOrder<W>(W);

impl<Item, T, W: Fn(Item) -> T> ProducerCallback<Item> for InOrder<W> {
    type Output = Vec<T>;

    fn callback<P: Producer<Item = Item>>(self, producer: P) -> Vec<T> {
        producer.into_iter().map(self.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(pixels: u64) -> usize {
        compare(pixels, super::threads)
    }

    #[test]
    fn a_small_page_is_one_threads_and_what_it_shares_stays_there() {
        let ran_on = || std::thread::current().id();
        let (one, (other, third)) = compare(SMALL_PIXELS, || (ran_on(), join(ran_on, ran_on)));
        assert!([one, other, third].iter().all(|&thread| thread == ran_on()));
        assert_eq!(threads(SMALL_PIXELS), 1);
        let items: Vec<u32> = (0..1000).collect();
        let found = compare(SMALL_PIXELS, || {
            map(items.par_iter().enumerate(), |(at, &item)| {
                (at, 2 * item, ran_on())
            })
        });
        let expected = (0..1000).zip((0..1000).map(|item| 2 * item));
        assert!(
            found
                .iter()
                .copied()
                .eq(expected.map(|(at, item)| (at, item, ran_on())))
        );
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
    fn many_pages_have_a_thread_each_and_few_share_them() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let on = |pages: usize| map_pages(vec![(); pages].into_par_iter(), |()| super::threads());
        let (few, many) = pool.unwrap().install(|| (on(2), on(7)));
        assert_eq!((few, many), (vec![3; 2], vec![1; 7]));
        assert!(!ALONE.get());
    }

    #[test]
    fn every_item_has_its_turn_and_what_lasts_has_threads_of_its_own() {
        let brief = Duration::ZERO;
        for (items, threads, lasting) in [
            (0, 3, brief),
            (1, 3, brief),
            (7, 1, THREAD_START),
            (7, 3, THREAD_START),
            (7, 20, THREAD_START),
        ] {
            let seen = std::sync::Mutex::new(Vec::new());
            apart((0..items).collect(), threads, |item| {
                std::thread::sleep(lasting);
                seen.lock()
                    .unwrap()
                    .push((item, std::thread::current().id()));
            });
            let mut seen = seen.into_inner().unwrap();
            seen.sort_by_key(|(item, _)| *item);
            assert!(seen.iter().map(|(item, _)| *item).eq(0..items));
            let mut on: Vec<_> = seen.into_iter().map(|(_, thread)| thread).collect();
            on.dedup();
            // The first item lasts as long as a thread takes to start; those after it are shared.
            let most = if lasting == brief { 1 } else { threads };
            assert!(on.len() <= most, "{items} on {threads}");
            assert!(
                lasting == brief || threads == 1 || on.len() > 1,
                "{items} on {threads}"
            );
        }
    }

    #[test]
    fn a_panic_ends_one_comparison_alone() {
        let panics = || compare(1, || panic!("a comparison that panics"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(!ALONE.get());
        assert_eq!(threads(1), 1);
    }

    #[test]
    fn whoever_is_among_rayons_threads_shares_with_them() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        assert_eq!(pool.unwrap().install(|| threads(1)), 3);
    }
}
