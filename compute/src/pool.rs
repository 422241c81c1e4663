//! Pixel buffers that outlive a comparison, because fresh memory costs more than the comparison
//! itself.
//!
//! Touching 80 MiB of fresh pages takes some 44 ms, comparing the pixels in them some 10 ms. So fresh buffers ask the
//! system for their pages at once, as huge ones where they are long enough, instead of one page fault after the other.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use memmap2::{MmapMut, MmapOptions};

/// Bytes kept for the next comparison: both sides of a 1280×30000 page in RGB. What is beyond goes
/// back to the system.
const KEPT_BYTES: usize = 256 << 20;

/// Bytes from which on a buffer is a mapping of its own.
const MAPPED_BYTES: usize = 64 << 10;

/// Bytes of a huge page, on the processors that have them.
const HUGE_PAGE_BYTES: usize = 2 << 20;

static KEPT: Mutex<Vec<Memory>> = Mutex::new(Vec::new());

/// Bytes that return to the pool when dropped.
pub(crate) struct Buffer {
    memory: Memory,
    len: usize,
}

enum Memory {
    Heap(Vec<u8>),
    Mapped(MmapMut),
}

impl Memory {
    /// At least so many fresh bytes.
    fn fresh(len: usize) -> Self {
        if len >= MAPPED_BYTES
            && let Ok(mapped) = mapped(len)
        {
            return Self::Mapped(mapped);
        }
        Self::Heap(vec![0; len])
    }

    fn capacity(&self) -> usize {
        self.bytes().len()
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

/// Memory with its pages: huge ones on first touch, small ones at once.
fn mapped(len: usize) -> std::io::Result<MmapMut> {
    if len < HUGE_PAGE_BYTES {
        return MmapOptions::new().len(len).populate().map_anon();
    }
    let mapped = MmapMut::map_anon(len)?;
    // A system without them gives small pages.
    #[cfg(target_os = "linux")]
    let _ = mapped.advise(memmap2::Advice::HugePage);
    Ok(mapped)
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} bytes", self.len)
    }
}

impl Buffer {
    /// A buffer of `len` bytes with unspecified (old or zero) contents.
    pub(crate) fn take(len: usize) -> Self {
        let memory = match best_fit(len) {
            Some(memory) if memory.capacity() >= len => memory,
            _ => Memory::fresh(len),
        };
        Self { memory, len }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = kept.iter().map(Memory::capacity).sum();
        if total + self.memory.capacity() <= KEPT_BYTES {
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

/// The smallest kept buffer that holds `len` bytes, or the largest one when none does (it is then
/// freed, making room).
fn best_fit(len: usize) -> Option<Memory> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let index = (0..kept.len()).min_by_key(|&index| {
        let capacity = kept[index].capacity();
        (
            capacity < len,
            if capacity < len {
                usize::MAX - capacity
            } else {
                capacity
            },
        )
    })?;
    Some(kept.swap_remove(index))
}
