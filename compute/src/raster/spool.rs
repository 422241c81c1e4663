//! A file for strips that have no room in memory: without a name, in the system's folder for such files, gone with its owner.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::pool::Buffer;

use super::strip::Strip;

/// Says that there is no room for one: then all of a long page stays in memory.
pub(crate) fn tell_no_room(error: &Error) {
    tracing::warn!(%error, "a long page stays in memory: the folder for temporary files has no room for it");
}

/// Strips of one picture on disk, as they were decoded.
#[derive(Debug)]
pub(crate) struct Spool {
    file: File,
    written: Mutex<Written>,
}

/// What was written so far.
#[derive(Debug, Default)]
struct Written {
    /// Where each strip lies.
    places: Vec<Option<Place>>,
    end: u64,
}

/// Where a strip lies, and what it takes to read it.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: u64,
    bytes: usize,
    channels: usize,
}

impl Spool {
    /// An empty one.
    pub(crate) fn create() -> Result<Self> {
        Ok(Self {
            file: tempfile::tempfile()?,
            written: Mutex::default(),
        })
    }

    /// Writes a strip, unless it was written before.
    pub(crate) fn write(&self, index: usize, strip: &Strip) -> Result<()> {
        let mut written = self.written();
        if written.places.len() <= index {
            written.places.resize(index + 1, None);
        }
        if written.places[index].is_some() {
            return Ok(());
        }
        let data = strip.data();
        self.file.write_all_at(data, written.end)?;
        written.places[index] = Some(Place {
            at: written.end,
            bytes: data.len(),
            channels: strip.channels(),
        });
        written.end += data.len() as u64;
        Ok(())
    }

    /// Whether a strip was written.
    pub(crate) fn holds(&self, index: usize) -> bool {
        self.place(index).is_some()
    }

    /// Reads a strip; `None` when it was not written.
    pub(crate) fn read(&self, index: usize) -> Option<Result<Strip>> {
        let place = self.place(index)?;
        let mut data = Buffer::take_snug(place.bytes);
        let read = self.file.read_exact_at(&mut data, place.at);
        Some(read.map(|()| match place.channels {
            3 => Strip::from_rgb(data),
            _ => Strip::from_translucent(data),
        }))
    }

    fn place(&self, index: usize) -> Option<Place> {
        self.written().places.get(index).copied().flatten()
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
