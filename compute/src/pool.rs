//! Pixel buffers that outlive a comparison, because fresh memory costs more than the comparison
//! itself.
//!
//! Touching 80 MiB of fresh pages takes some 44 ms, comparing the pixels in them some 10 ms.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Bytes kept for the next comparison: both sides of a 1280×30000 page in RGB. What is beyond goes
/// back to the system.
const KEPT_BYTES: usize = 256 << 20;

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// Bytes that return to the pool when dropped.
pub(crate) struct Buffer(Vec<u8>);

impl std::fmt::Debug for Buffer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} bytes", self.0.len())
    }
}

impl Buffer {
    /// A buffer of `len` bytes with unspecified (old or zero) contents.
    pub(crate) fn take(len: usize) -> Self {
        let mut bytes = best_fit(len).unwrap_or_default();
        if bytes.capacity() < len {
            // A fresh zeroed allocation is mapped lazily; growing the old one would copy it.
            bytes = vec![0; len];
        }
        bytes.resize(len, 0);
        Self(bytes)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = kept.iter().map(Vec::capacity).sum();
        if total + self.0.capacity() <= KEPT_BYTES {
            kept.push(std::mem::take(&mut self.0));
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// The smallest kept buffer that holds `len` bytes, or the largest one when none does (it is then
/// freed, making room).
fn best_fit(len: usize) -> Option<Vec<u8>> {
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
