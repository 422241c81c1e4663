//! Memory that outlives a comparison, because fresh memory costs more than the comparison itself: for pixels, masks and
//! whatever else grows with the page.
//!
//! Touching 80 MiB of fresh pages of 4 KiB takes some 44 ms, comparing the pixels in them some 10 ms.

mod memory;

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;

use memory::{MAPPED_BYTES, Memory};

/// Bytes that are kept for the next comparison or in use: both sides of a 1280×30000 page in RGB, and their masks. What is
/// in use may be more; what is beyond goes back to the system.
const BUDGET_BYTES: usize = 256 << 20;

/// How many quarters of what is asked for kept memory may be long.
const WASTE_QUARTERS: usize = 8;

/// The same for what stays as long as a page: strips of RGB must not come to lie in the memory of RGBA ones, which is five
/// and a third.
const SNUG_QUARTERS: usize = 5;

static POOL: Mutex<Pool> = Mutex::new(Pool {
    kept: Vec::new(),
    bytes: 0,
    budget: BUDGET_BYTES,
});

/// Memory for whoever comes next; what the allocator gives is left to the allocator.
struct Pool {
    kept: Vec<Memory>,
    /// Bytes of what is kept and of what is in use.
    bytes: usize,
    budget: usize,
}

/// Bytes that return to the pool when dropped; they begin where a line of the cache does.
pub(crate) struct Buffer {
    memory: Memory,
    len: usize,
}

/// Values in such bytes.
pub(crate) struct Recycled<T> {
    bytes: Buffer,
    values: PhantomData<T>,
}

impl Pool {
    fn lock() -> MutexGuard<'static, Self> {
        POOL.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shortest that holds `len` bytes, unless it has more quarters of that than are granted; of what can only be kept
    /// nothing is wasted.
    fn take(&mut self, len: usize, quarters: usize) -> Option<Memory> {
        let holds = (self.kept.iter().enumerate()).filter(|(_, memory)| memory.capacity() >= len);
        let (index, shortest) = holds.min_by_key(|(_, memory)| memory.capacity())?;
        let is_fit = shortest.is_slab() || 4 * shortest.capacity() <= quarters * len;
        is_fit.then(|| self.kept.swap_remove(index))
    }

    /// Counts fresh memory, and gives up the longest that is kept for what is beyond the budget. It is for the caller to
    /// free, once the pool is not locked.
    fn add(&mut self, fresh: &Memory) -> Vec<Memory> {
        let mut freed = Vec::new();
        if fresh.is_on_heap() {
            return freed;
        }
        self.bytes += fresh.capacity();
        while self.bytes > self.budget {
            let can_go = (self.kept.iter().enumerate()).filter(|(_, memory)| !memory.is_slab());
            let Some((index, longest)) = can_go.max_by_key(|(_, memory)| memory.capacity()) else {
                break;
            };
            self.bytes -= longest.capacity();
            freed.push(self.kept.swap_remove(index));
        }
        freed
    }

    /// Gives up all that is kept and can be freed.
    fn give_up(&mut self) -> Vec<Memory> {
        let (slabs, freed): (Vec<_>, _) = (self.kept.drain(..)).partition(Memory::is_slab);
        self.kept = slabs;
        self.bytes -= freed.iter().map(Memory::capacity).sum::<usize>();
        freed
    }

    /// Keeps what is no longer in use; hands it back to be freed when it is beyond the budget.
    fn put_back(&mut self, memory: Memory) -> Option<Memory> {
        if self.bytes <= self.budget || memory.is_slab() {
            self.kept.push(memory);
            return None;
        }
        self.bytes -= memory.capacity();
        Some(memory)
    }
}

/// Gives what is kept back to the system: for who is about to need memory of another kind.
pub(crate) fn give_back() {
    let freed = Pool::lock().give_up();
    drop(freed);
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} bytes", self.len)
    }
}

impl Buffer {
    /// A buffer of `len` bytes with unspecified (old or zero) contents.
    pub(crate) fn take(len: usize) -> Self {
        Self::take_within(len, WASTE_QUARTERS)
    }

    /// The same in memory that is hardly longer.
    pub(crate) fn take_snug(len: usize) -> Self {
        Self::take_within(len, SNUG_QUARTERS)
    }

    fn take_within(len: usize, quarters: usize) -> Self {
        if len < MAPPED_BYTES {
            let memory = Memory::on_heap(len);
            return Self { memory, len };
        }
        let kept = Pool::lock().take(len, quarters);
        let memory = kept.unwrap_or_else(|| {
            let fresh = Memory::fresh(len);
            let freed = Pool::lock().add(&fresh);
            drop(freed);
            fresh
        });
        Self { memory, len }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let memory = std::mem::replace(&mut self.memory, Memory::on_heap(0));
        if !memory.is_on_heap() {
            let freed = Pool::lock().put_back(memory);
            drop(freed);
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory.bytes()[..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory.bytes_mut()[..self.len]
    }
}

impl<T: Pod> Recycled<T> {
    /// So many times the same value.
    pub(crate) fn filled(value: T, len: usize) -> Self {
        let mut values = Self::unspecified(len);
        values.fill(value);
        values
    }

    /// So many values, whichever were there.
    fn unspecified(len: usize) -> Self {
        Self {
            bytes: Buffer::take(len * size_of::<T>()),
            values: PhantomData,
        }
    }
}

impl<T: Pod> Deref for Recycled<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.bytes)
    }
}

impl<T: Pod> DerefMut for Recycled<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.bytes)
    }
}

impl<T: Pod> Clone for Recycled<T> {
    fn clone(&self) -> Self {
        let mut values = Self::unspecified(self.len());
        values.copy_from_slice(self);
        values
    }
}

impl<T: Pod + PartialEq> PartialEq for Recycled<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Recycled<T> {}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Recycled<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1 << 10;

    #[test]
    fn what_comes_back_is_as_long_as_was_asked_for_and_aligned() {
        // From the allocator, from a slab, and mappings of their own; each also from what was kept.
        for _ in 0..3 {
            for len in [0, 1, 63, 64, 1000, 70_000, 70_001, 1 << 20, 5 << 20] {
                let buffer = Buffer::take(len);
                assert_eq!(buffer.len(), len);
                assert!(buffer.as_ptr().addr().is_multiple_of(64), "{len}");
            }
        }
    }

    #[test]
    fn values_are_filled_whatever_was_there() {
        for len in [0, 3, 20_000, 600_000] {
            Recycled::filled(u32::MAX, len).fill(7);
            assert!(*Recycled::filled(5_u32, len) == *vec![5; len], "{len}");
            assert!(Recycled::filled(1_u64, len) == Recycled::filled(1, len).clone());
        }
    }

    #[test]
    fn buffers_in_use_at_once_share_nothing() {
        // More than the slabs hold.
        let mut buffers: Vec<Buffer> = (0..400).map(|_| Buffer::take(200_000)).collect();
        let marks = || (0..=250).cycle();
        for (buffer, mark) in buffers.iter_mut().zip(marks()) {
            buffer.fill(mark);
        }
        for (buffer, mark) in buffers.iter().zip(marks()) {
            assert!(buffer.iter().all(|&byte| byte == mark), "{mark}");
        }
    }

    fn pool(budget: usize) -> Pool {
        Pool {
            kept: Vec::new(),
            bytes: 0,
            budget,
        }
    }

    /// Fresh memory in use, counted by the pool; says how much the pool gave up for it.
    fn taken(pool: &mut Pool, len: usize) -> (Memory, usize) {
        let fresh = Memory::mapped(len).unwrap();
        let freed = pool.add(&fresh);
        (fresh, freed.iter().map(Memory::capacity).sum())
    }

    #[test]
    fn the_shortest_that_is_no_waste_is_used_again() {
        let mut pool = pool(1 << 30);
        for kib in [400, 100, 200] {
            let (memory, _) = taken(&mut pool, kib * KIB);
            assert!(pool.put_back(memory).is_none());
        }
        let mut take = |kib: usize, quarters| {
            let taken = pool.take(kib * KIB, quarters);
            taken.map(|memory| memory.capacity() / KIB)
        };
        assert_eq!(take(150, SNUG_QUARTERS), None, "a third more is too much");
        assert_eq!(take(150, WASTE_QUARTERS), Some(200));
        assert_eq!(take(150, WASTE_QUARTERS), None, "400 KiB would be a waste");
        assert_eq!(take(100, SNUG_QUARTERS), Some(100));
        assert_eq!(take(500, WASTE_QUARTERS), None);
    }

    #[test]
    fn memory_of_a_size_that_nobody_asks_for_makes_room() {
        let mut pool = pool(1000 * KIB);
        let large: Vec<Memory> = (0..4).map(|_| taken(&mut pool, 400 * KIB).0).collect();
        let freed: Vec<bool> = (large.into_iter())
            .map(|memory| pool.put_back(memory).is_some())
            .collect();
        assert_eq!(freed, [true, true, false, false], "800 KiB are kept");
        let mut in_use = Vec::new();
        for (freed, kept) in [
            (0, 800),
            (0, 800),
            (400, 400),
            (0, 400),
            (0, 400),
            (0, 400),
            (400, 0),
        ] {
            let (memory, gave_up) = taken(&mut pool, 100 * KIB);
            in_use.push(memory);
            assert_eq!(gave_up, freed * KIB);
            assert_eq!(
                pool.kept.iter().map(Memory::capacity).sum::<usize>(),
                kept * KIB
            );
        }
    }
}
