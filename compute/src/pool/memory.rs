//! Where memory comes from: the allocator gives what is short, slabs of huge pages the first of what is of medium length, and
//! the rest are mappings of their own.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use memmap2::{MmapMut, MmapOptions};

/// Bytes from which on memory is not left to the allocator.
pub(super) const MAPPED_BYTES: usize = 64 << 10;

/// Bytes of a huge page, on the processors that have them.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Bytes of a small page; what is cut from a slab begins with one.
const PAGE_BYTES: usize = 4 << 10;

/// Bytes of a slab: two huge pages, or one that came late.
const SLAB_BYTES: usize = 2 * HUGE_PAGE_BYTES;

/// Slabs never go back to the system, and what is cut from them never grows together again, so they are a quarter of what a
/// pool may keep: enough for both pictures of a page of 8,000 rows.
const MAX_SLABS: usize = 16;

/// A huge page does not come sooner than this: one that does is a small one, and the system has no other.
const SOONEST: Duration = Duration::from_micros(20);

/// A huge page that comes later than this had to be fetched by a guest that had handed free memory back to its host, 5 to
/// 7 ms instead of 0.2; then small pages are cheaper, which are seldom handed back.
const LATEST: Duration = Duration::from_millis(1);

/// When huge pages are asked for again after one came late or a small one came: the thread may have had to wait for
/// something else, and memory that is in small pieces may grow together.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

static SLABS: Mutex<Slabs> = Mutex::new(Slabs {
    left: MAX_SLABS,
    refused: None,
    rest: &mut [],
});

/// Bytes that begin where a line of the cache does.
pub(super) enum Memory {
    Heap(Vec<Line>),
    Slab(&'static mut [u8]),
    Mapped(MmapMut),
}

/// A line of the cache.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line([u8; 64]);

/// What memory of medium length is cut from.
struct Slabs {
    /// How many more there may be.
    left: usize,
    /// When no huge page came, or one came late, and none that came well since.
    refused: Option<Instant>,
    /// What is left of the latest.
    rest: &'static mut [u8],
}

impl Memory {
    /// At least so many fresh bytes.
    pub(super) fn fresh(len: usize) -> Self {
        if len < HUGE_PAGE_BYTES
            && let Some(bytes) = (SLABS.lock().unwrap_or_else(PoisonError::into_inner)).cut(len)
        {
            return Self::Slab(bytes);
        }
        Self::mapped(len).unwrap_or_else(|_| Self::on_heap(len))
    }

    /// At least so many bytes from the allocator.
    pub(super) fn on_heap(len: usize) -> Self {
        Self::Heap(vec![Line::zeroed(); len.div_ceil(size_of::<Line>())])
    }

    /// A mapping of its own, with its pages: huge ones on first touch, small ones at once.
    pub(super) fn mapped(len: usize) -> std::io::Result<Self> {
        let len = len.next_multiple_of(PAGE_BYTES);
        let mapping = if len < HUGE_PAGE_BYTES {
            MmapOptions::new().len(len).populate().map_anon()?
        } else {
            in_huge_pages(len)?
        };
        Ok(Self::Mapped(mapping))
    }

    /// Whether the allocator gave it.
    pub(super) fn is_on_heap(&self) -> bool {
        matches!(self, Self::Heap(_))
    }

    /// Whether it can only be kept: nothing frees it.
    pub(super) fn is_slab(&self) -> bool {
        matches!(self, Self::Slab(_))
    }

    pub(super) fn capacity(&self) -> usize {
        self.bytes().len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Heap(lines) => bytemuck::cast_slice(lines),
            Self::Slab(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Heap(lines) => bytemuck::cast_slice_mut(lines),
            Self::Slab(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl Slabs {
    /// At least so many fresh bytes; `None` when there are no more.
    fn cut(&mut self, len: usize) -> Option<&'static mut [u8]> {
        let len = len.next_multiple_of(PAGE_BYTES);
        if self.rest.len() < len {
            // What is left of the slab before is lost.
            self.rest = self.begin()?;
        }
        self.rest.split_off_mut(..len)
    }

    /// The next slab, if there is to be one.
    fn begin(&mut self) -> Option<&'static mut [u8]> {
        if !self.may_begin(Instant::now()) {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        // A system may begin a mapping anywhere, huge pages begin at their multiples.
        let mut mapping = in_huge_pages(SLAB_BYTES + HUGE_PAGE_BYTES).ok()?;
        let first = mapping.as_ptr().align_offset(HUGE_PAGE_BYTES);
        let asked = Instant::now();
        mapping[first] = 0;
        let len = self.accept(asked, Instant::now())?;
        let mapping: &'static mut MmapMut = Box::leak(Box::new(mapping));
        Some(&mut mapping[first..first + len])
    }

    fn may_begin(&self, now: Instant) -> bool {
        (self.refused).is_none_or(|refused| now.duration_since(refused) >= AGAIN_AFTER)
    }

    /// How much of a slab is used whose first page was asked for and came at these times. After one that is small or came
    /// late there is no slab for a while; after a second one there are no more.
    fn accept(&mut self, asked: Instant, came: Instant) -> Option<usize> {
        let took = came.duration_since(asked);
        if (SOONEST..=LATEST).contains(&took) {
            self.refused = None;
            return Some(SLAB_BYTES);
        }
        if self.refused.replace(came).is_some() {
            self.left = 0;
        }
        // A late one has been paid for; the next would be as late.
        (took > LATEST).then_some(HUGE_PAGE_BYTES)
    }
}

fn in_huge_pages(len: usize) -> std::io::Result<MmapMut> {
    let mapped = MmapMut::map_anon(len)?;
    // A system without them gives small pages.
    #[cfg(target_os = "linux")]
    let _ = mapped.advise(memmap2::Advice::HugePage);
    Ok(mapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slabs() -> Slabs {
        Slabs {
            left: MAX_SLABS,
            refused: None,
            rest: &mut [],
        }
    }

    #[test]
    fn a_slab_is_as_long_as_its_first_page_promises() {
        let asked = Instant::now();
        let mut slabs = slabs();
        let well = asked + Duration::from_micros(200);
        assert_eq!(slabs.accept(asked, well), Some(SLAB_BYTES));
        assert!(slabs.may_begin(well) && slabs.left == MAX_SLABS);
        let small = well + Duration::from_micros(2);
        assert_eq!(slabs.accept(well, small), None);
        assert!(!slabs.may_begin(small) && slabs.left == MAX_SLABS);
        let again = small + AGAIN_AFTER;
        assert_eq!(slabs.accept(again, again + SOONEST), Some(SLAB_BYTES));
        assert!(slabs.may_begin(again + SOONEST));
    }

    #[test]
    fn a_page_that_comes_late_is_used_and_a_second_one_is_the_last() {
        let asked = Instant::now();
        let mut slabs = slabs();
        let late = asked + Duration::from_millis(7);
        assert_eq!(slabs.accept(asked, late), Some(HUGE_PAGE_BYTES));
        assert!(!slabs.may_begin(late + AGAIN_AFTER / 2));
        let again = late + AGAIN_AFTER;
        assert!(slabs.may_begin(again) && slabs.left == MAX_SLABS);
        let late = again + Duration::from_millis(7);
        assert_eq!(slabs.accept(again, late), Some(HUGE_PAGE_BYTES));
        assert_eq!(slabs.left, 0);
    }
}
