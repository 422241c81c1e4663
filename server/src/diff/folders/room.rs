//! Room in memory for what is compared at once, so that a folder of the largest pages takes as much on many processors as on few.
//!
//! Who wants to compare a pair waits here until there is room for it, and has that until it is done. The wait always ends: who has
//! room never asks for more, and waits for nobody who waits here. It waits for rayon's threads, for the card, and for callers that
//! are compared together with it, who all have room of their own. None of rayon's threads may wait here: it could hold a part of a
//! page that has room.
//!
//! A small pair may pass a large one that waits, which keeps the processors busy. The large one has its turn when no more small ones
//! come, and a folder has an end.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use pentimento_compute::MAX_PIXELS;

/// Pixels of both pictures of all pairs at once: two pairs as large as they come, four of 1280×30000 or 25 of 1280×5000. Opaque pages that
/// differ everywhere then take below 1.3 GB, by what `make memory` allows one pair, translucent ones below 1.5 GB.
const MOST_PIXELS: u64 = 4 * MAX_PIXELS;

/// Room for so many pixels.
#[derive(Debug)]
pub(super) struct Room {
    most: u64,
    taken: Mutex<u64>,
    /// Somebody left.
    left: Condvar,
}

/// A part of the room, until it is dropped.
#[derive(Debug)]
pub(super) struct Place<'r> {
    room: &'r Room,
    pixels: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self::of(MOST_PIXELS)
    }
}

impl Room {
    fn of(most: u64) -> Self {
        Self {
            most,
            taken: Mutex::new(0),
            left: Condvar::new(),
        }
    }

    /// Waits until there is room for so many pixels; for more than there ever is, until nobody else has any.
    pub(super) fn place(&self, pixels: u64) -> Place<'_> {
        let pixels = pixels.min(self.most);
        let is_full = |taken: &mut u64| *taken + pixels > self.most;
        let mut taken =
            (self.left.wait_while(self.taken(), is_full)).unwrap_or_else(PoisonError::into_inner);
        *taken += pixels;
        Place { room: self, pixels }
    }

    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.room.taken() -= self.pixels;
        // Whoever fits goes on, which need not be whoever waits longest.
        self.room.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn all_have_their_turn_and_never_more_room_than_there_is() {
        let room = Room::of(10);
        let (held, turns) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for first in 0..8 {
                let (room, held, turns) = (&room, &held, &turns);
                scope.spawn(move || {
                    // Some are larger than all the room.
                    for pixels in (0..200).map(|step| 1 + (first * 5 + step * 7) % 13) {
                        let place = room.place(pixels);
                        let others = held.fetch_add(pixels, Ordering::SeqCst);
                        assert!(others == 0 || others + pixels <= 10);
                        turns.fetch_add(1, Ordering::SeqCst);
                        thread::yield_now();
                        held.fetch_sub(pixels, Ordering::SeqCst);
                        drop(place);
                    }
                });
            }
        });
        assert_eq!(turns.into_inner(), 8 * 200);
        assert_eq!(*room.taken(), 0);
    }

    #[test]
    fn who_does_not_fit_waits_until_somebody_leaves_and_lets_others_pass() {
        let room = Room::of(10);
        let first = room.place(6);
        let (enter, entered) = channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let _place = room.place(5);
                enter.send(()).unwrap();
            });
            assert!(entered.recv_timeout(Duration::from_millis(50)).is_err());
            drop(room.place(4));
            drop(first);
            assert_eq!(entered.recv_timeout(Duration::from_mins(1)), Ok(()));
        });
    }

    #[test]
    fn who_panics_leaves() {
        let room = Room::of(10);
        let panics = || {
            let place = room.place(10);
            assert_eq!(place.pixels, 0, "a comparison that panics");
        };
        thread::scope(|scope| assert!(scope.spawn(panics).join().is_err()));
        drop(room.place(10));
    }
}
