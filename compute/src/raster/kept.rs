//! The strips of a picture that are in memory, and how some make room for others.

use std::io::Result;
use std::sync::{Arc, OnceLock};

use super::spool::{Spool, tell_no_room};
use super::strip::{Strip, StripRows};

/// How many bytes of decoded rows both pictures of a pair may have in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) most: usize,
    /// What is left of them when they have become more: so much less that the next ones come and go for a while.
    pub(crate) left: usize,
}

impl Default for Room {
    /// All of a page of 1280×30000 in RGB.
    fn default() -> Self {
        Self {
            most: 224 << 20,
            left: 64 << 20,
        }
    }
}

/// Strips in memory, each by its number. What was let go can be read again.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    slots: Vec<OnceLock<StripRows>>,
    /// Those that their picture's file does not give one by one.
    spool: Option<Spool>,
    /// Whether there was no place for a file: then everything stays in memory.
    is_stuck: bool,
}

impl Kept {
    /// The strips that are known already, in their order.
    pub(crate) fn new(known: Vec<Option<StripRows>>) -> Self {
        let slot = |strip: Option<StripRows>| strip.map_or_else(OnceLock::new, OnceLock::from);
        Self {
            slots: known.into_iter().map(slot).collect(),
            spool: None,
            is_stuck: false,
        }
    }

    /// Adds the next one.
    pub(crate) fn push(&mut self, strip: StripRows) {
        self.slots.push(OnceLock::from(strip));
    }

    /// How many there are, in memory or not.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// One that is in memory.
    pub(crate) fn get(&self, index: usize) -> Option<&StripRows> {
        self.slots.get(index)?.get()
    }

    /// The same, to be replaced.
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut StripRows> {
        self.slots.get_mut(index)?.get_mut()
    }

    /// One that is in memory from now on, if it was not.
    pub(crate) fn get_or(&self, index: usize, make: impl FnOnce() -> StripRows) -> &StripRows {
        self.slots[index].get_or_init(make)
    }

    /// One that was written, read again; `None` when it was not.
    pub(crate) fn written(&self, index: usize) -> Option<Result<Strip>> {
        self.spool.as_ref()?.read(index)
    }

    /// Whether one is neither in memory nor written.
    pub(crate) fn lacks(&self, index: usize) -> bool {
        self.get(index).is_none() && !self.has_written(index)
    }

    /// Whether one was written, and can be read again.
    pub(crate) fn has_written(&self, index: usize) -> bool {
        (self.spool.as_ref()).is_some_and(|spool| spool.holds(index))
    }

    /// Whether any had no room in memory.
    pub(crate) fn has_spool(&self) -> bool {
        self.spool.is_some()
    }

    /// Takes one that was lacking, into memory or to where others were written before.
    pub(crate) fn add(&self, index: usize, strip: Strip) {
        let written = (self.spool.as_ref()).is_some_and(|spool| spool.write(index, &strip).is_ok());
        if !written {
            let _ = self.slots[index].set(StripRows::own(strip));
        }
    }

    /// Forgets one that nobody needs.
    pub(crate) fn forget(&mut self, index: usize) {
        if let Some(slot) = self.slots.get_mut(index) {
            slot.take();
        }
    }

    /// Bytes of those in memory; rows among the other picture's strips are counted there.
    pub(crate) fn bytes(&self) -> usize {
        let own = self.slots.iter().filter_map(|slot| match slot.get()? {
            StripRows::Own(strip) => Some(strip.data().len()),
            StripRows::Among { .. } => None,
        });
        own.sum()
    }

    /// Lets one go that nobody else holds, and writes it first where it could not be read again; gives the bytes that it took.
    fn let_go(&mut self, index: usize, can_be_read: bool) -> usize {
        let Some(StripRows::Own(strip)) = self.get(index) else {
            return 0;
        };
        if Arc::strong_count(strip) > 1 || self.is_stuck {
            return 0;
        }
        let (strip, bytes) = (strip.clone(), strip.data().len());
        if !can_be_read {
            let spool = match self.spool.take() {
                None => Spool::create(),
                Some(spool) => Ok(spool),
            };
            let written = spool.and_then(|spool| {
                let written = spool.write(index, &strip);
                self.spool = Some(spool);
                written
            });
            if let Err(error) = written {
                tell_no_room(&error);
                self.is_stuck = true;
                return 0;
            }
        }
        self.forget(index);
        bytes
    }
}

/// The strips of one picture, and whether its file gives them one by one.
pub(crate) type Side<'k> = (&'k mut Kept, bool);

impl Room {
    /// Lets strips of both pictures go, from the top, when they are more than there may be. Says whether any went.
    pub(crate) fn make_if_full(self, sides: [Side<'_>; 2]) -> bool {
        let bytes: usize = sides.iter().map(|(kept, _)| kept.bytes()).sum();
        bytes > self.most && self.make(sides)
    }

    /// The same when they are more than are left then.
    pub(crate) fn make(self, mut sides: [Side<'_>; 2]) -> bool {
        let before: usize = sides.iter().map(|(kept, _)| kept.bytes()).sum();
        let mut bytes = before;
        let count = sides.iter().map(|(kept, _)| kept.len()).max().unwrap_or(0);
        for index in 0..count {
            for (kept, can_be_read) in &mut sides {
                if bytes > self.left {
                    bytes -= kept.let_go(index, *can_be_read);
                }
            }
        }
        bytes < before
    }
}
