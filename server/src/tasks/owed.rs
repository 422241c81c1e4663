//! Leases of this process, and those that it could not give back yet.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A row that this process works on, by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lease {
    Job(String),
    Result(String),
}

/// Leases that could not be given back yet.
#[derive(Debug, Default)]
pub struct Owed(Mutex<Vec<Lease>>);

impl Owed {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.leases().len()
    }

    /// Adds one.
    pub(super) fn add(&self, lease: Lease) {
        self.leases().push(lease);
    }

    /// Takes them all, to try once more.
    pub(super) fn take_all(&self) -> Vec<Lease> {
        mem::take(&mut *self.leases())
    }

    fn leases(&self) -> MutexGuard<'_, Vec<Lease>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
