//! Memory that outlives a comparison, because fresh memory costs more than the comparison itself: for pixels, masks and
//! whatever else grows with the page.
//!
//! Touching 80 MiB of fresh pages of 4 KiB takes some 44 ms, comparing the pixels in them some 10 ms. So fresh buffers lie
//! in huge pages: long ones in their own, the first short ones side by side in slabs.

mod memory;

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;

use memory::{MAPPED_BYTES, Memory};

/// Bytes kept for the next comparison: both sides of a 1280×30000 page in RGB. What is beyond goes
/// back to the system.
const KEPT_BYTES: usize = 256 << 20;

/// How many times longer kept memory may be than what is asked for.
const WASTE: usize = 2;

static KEPT: Mutex<Vec<Memory>> = Mutex::new(Vec::new());

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

impl std::fmt::Debug for Buffer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} bytes", self.len)
    }
}

impl Buffer {
    /// A buffer of `len` bytes with unspecified (old or zero) contents.
    pub(crate) fn take(len: usize) -> Self {
        Self {
            memory: best_fit(len).unwrap_or_else(|| Memory::fresh(len)),
            len,
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = kept.iter().map(Memory::capacity).sum();
        if self.memory.is_slab() || total + self.memory.capacity() <= KEPT_BYTES {
            kept.push(std::mem::replace(
                &mut self.memory,
                Memory::Heap(Vec::new()),
            ));
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

/// The smallest kept memory that holds `len` bytes, unless it would be a waste. When none does, the
/// largest is freed, making room.
fn best_fit(len: usize) -> Option<Memory> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let by_capacity = |index: &usize| kept[*index].capacity();
    let fits = (0..kept.len())
        .filter(|&index| kept[index].capacity() >= len)
        .min_by_key(by_capacity);
    if let Some(index) = fits {
        let is_waste = kept[index].capacity() > WASTE * len.max(MAPPED_BYTES);
        return (!is_waste || kept[index].is_slab()).then(|| kept.swap_remove(index));
    }
    let largest = (0..kept.len())
        .filter(|&index| !kept[index].is_slab())
        .max_by_key(by_capacity)?;
    drop(kept.swap_remove(largest));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_as_long_as_was_asked_for_and_aligned() {
        // Short, cut from a slab, and a mapping of its own; each also from what was kept.
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
        let mut buffers: Vec<Buffer> = (0..40).map(|_| Buffer::take(200_000)).collect();
        for (buffer, mark) in buffers.iter_mut().zip(0..) {
            buffer.fill(mark);
        }
        for (buffer, mark) in buffers.iter().zip(0..) {
            assert!(buffer.iter().all(|&byte| byte == mark), "{mark}");
        }
    }
}
