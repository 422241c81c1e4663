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
    /// Both pictures of a page of 1280×30000 in RGB.
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
    spool: OnceLock<Spool>,
    /// Set when there was no room on disk: then what was not written stays in memory.
    stuck: OnceLock<()>,
}

impl Kept {
    /// The strips that are known already, in their order.
    pub(crate) fn new(known: Vec<Option<StripRows>>) -> Self {
        let slot = |strip: Option<StripRows>| strip.map_or_else(OnceLock::new, OnceLock::from);
        Self {
            slots: known.into_iter().map(slot).collect(),
            spool: OnceLock::new(),
            stuck: OnceLock::new(),
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
        self.spool.get()?.read(index)
    }

    /// Whether one is neither in memory nor written.
    pub(crate) fn lacks(&self, index: usize) -> bool {
        self.get(index).is_none() && !self.has_written(index)
    }

    /// Whether one was written, and can be read again.
    pub(crate) fn has_written(&self, index: usize) -> bool {
        (self.spool.get()).is_some_and(|spool| spool.holds(index))
    }

    /// Whether any had no room in memory.
    pub(crate) fn has_spool(&self) -> bool {
        self.spool.get().is_some()
    }

    /// Takes one that was lacking: onto the disk when it is to go there, or others have.
    pub(crate) fn add(&self, index: usize, strip: Strip, to_disk: bool) {
        if !((to_disk || self.has_spool()) && self.write(index, &strip)) {
            let _ = self.slots[index].set(StripRows::own(strip));
        }
    }

    /// Writes one, unless it was written before; says whether it is there.
    fn write(&self, index: usize, strip: &Strip) -> bool {
        if self.has_written(index) {
            return true;
        }
        if self.stuck.get().is_some() {
            return false;
        }
        let spool = match self.spool.get() {
            Some(spool) => Ok(spool),
            None => Spool::create().map(|fresh| self.spool.get_or_init(|| fresh)),
        };
        match spool.and_then(|spool| spool.write(index, strip)) {
            Ok(()) => true,
            Err(error) => {
                tell_no_room(&error);
                let _ = self.stuck.set(());
                false
            }
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
        if Arc::strong_count(strip) > 1 || !(can_be_read || self.write(index, strip)) {
            return 0;
        }
        let bytes = strip.data().len();
        self.forget(index);
        bytes
    }
}

/// The strips of one picture, and whether its file gives them one by one.
pub(crate) type Side<'k> = (&'k mut Kept, bool);

impl Room {
    /// Whether pictures of so many pixels together may need more.
    pub(crate) fn may_be_short_for(self, pixels: u64) -> bool {
        4 * pixels > self.most as u64
    }

    /// Lets strips of some pictures go, from the top, when they are more than there may be. Says whether any went.
    pub(crate) fn make_if_full(self, sides: &mut [Side<'_>]) -> bool {
        let bytes: usize = sides.iter().map(|(kept, _)| kept.bytes()).sum();
        bytes > self.most && self.make(sides)
    }

    /// The same when they are more than are left then.
    pub(crate) fn make(self, sides: &mut [Side<'_>]) -> bool {
        let before: usize = sides.iter().map(|(kept, _)| kept.bytes()).sum();
        let mut bytes = before;
        let count = sides.iter().map(|(kept, _)| kept.len()).max().unwrap_or(0);
        for index in 0..count {
            for (kept, can_be_read) in &mut *sides {
                if bytes > self.left {
                    bytes -= kept.let_go(index, *can_be_read);
                }
            }
        }
        bytes < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Buffer;

    fn strip(grey: u8) -> StripRows {
        let mut data = Buffer::take(30);
        data.fill(grey);
        StripRows::own(Strip::from_rgb(data))
    }

    /// The bytes of a strip, wherever it is.
    fn bytes(kept: &Kept, index: usize) -> Vec<u8> {
        let read = || StripRows::own(kept.written(index).unwrap().unwrap());
        kept.get_or(index, read).row(0, 10).bytes.to_vec()
    }

    #[test]
    fn strips_go_from_the_top_until_few_enough_are_left() {
        let (mut one, mut other) = (Kept::default(), Kept::default());
        for grey in 0..4 {
            one.push(strip(grey));
            other.push(strip(10 + grey));
        }
        let room = Room {
            most: 239,
            left: 100,
        };
        assert!(room.make_if_full(&mut [(&mut one, false), (&mut other, true)]));
        assert_eq!((one.bytes(), other.bytes()), (30, 60));
        assert!(
            !room.make_if_full(&mut [(&mut one, false), (&mut other, true)]),
            "they are few"
        );
        assert_eq!(
            [0, 1, 2].map(|at| bytes(&one, at)),
            [0, 1, 2].map(|grey| vec![grey; 30])
        );
        // The other picture's can be read from its file.
        assert!(other.lacks(0) && !other.has_spool());
    }

    #[test]
    fn without_room_on_disk_what_was_not_written_stays() {
        let mut kept = Kept::default();
        for grey in 0..3 {
            kept.push(strip(grey));
        }
        let none = Room { most: 0, left: 0 };
        kept.let_go(1, false);
        assert_eq!(bytes(&kept, 1), [1; 30]);
        kept.stuck.set(()).unwrap();
        assert!(none.make(&mut [(&mut kept, false)]));
        assert_eq!(kept.bytes(), 60, "the second went again");
        kept.forget(0);
        kept.add(0, Strip::from_rgb(Buffer::take(30)), true);
        assert!(kept.get(0).is_some());
    }

    #[test]
    fn strips_that_another_picture_shows_too_stay() {
        let (mut one, mut other) = (Kept::default(), Kept::default());
        one.push(strip(1));
        let Some(StripRows::Own(shared)) = one.get(0).cloned() else {
            panic!("it was pushed");
        };
        other.push(StripRows::Among {
            strips: [shared.clone(), shared],
            first: 0,
        });
        let none = Room { most: 0, left: 0 };
        assert!(!none.make(&mut [(&mut one, false), (&mut other, false)]));
        assert!(one.get(0).is_some() && other.get(0).is_some());
    }
}
