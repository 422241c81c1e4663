//! Which browser takes the next page: the one with the fewest, and none takes more at once than it has tabs.

use std::sync::{Mutex, MutexGuard};

use tokio::sync::{Semaphore, SemaphorePermit};

/// The places of pages in all slots.
pub(super) struct Seats {
    /// Pages in each slot, those whose browser has left it included.
    under_way: Mutex<Vec<usize>>,
    free: Semaphore,
}

/// The place of one page in a slot, until it is dropped.
pub(super) struct Seat<'a> {
    pub(super) slot: usize,
    seats: &'a Seats,
    _permit: SemaphorePermit<'a>,
}

impl Seats {
    /// So many slots, in each of which are so many places.
    pub(super) fn new(slots: u32, in_each: u32) -> Self {
        Self {
            under_way: Mutex::new(vec![0; slots as usize]),
            free: Semaphore::new((slots * in_each) as usize),
        }
    }

    /// Waits for a place; none once they were closed. As many are given out as the slots have in all, so the slot with the
    /// fewest pages has one.
    pub(super) async fn take(&self) -> Option<Seat<'_>> {
        let permit = self.free.acquire().await.ok()?;
        let mut under_way = self.under_way();
        let slot = fewest(&under_way);
        under_way[slot] += 1;
        Some(Seat {
            slot,
            seats: self,
            _permit: permit,
        })
    }

    /// Gives no more places out.
    pub(super) fn close(&self) {
        self.free.close();
    }

    fn under_way(&self) -> MutexGuard<'_, Vec<usize>> {
        self.under_way
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        // Whoever gets the permit, which goes back after this, finds room.
        self.seats.under_way()[self.slot] -= 1;
    }
}

/// The slot with the fewest pages. Of equals it is the first, so that no browser is started that is not needed.
fn fewest(under_way: &[usize]) -> usize {
    let slots = under_way.iter().enumerate();
    let fewest = slots.min_by_key(|(_, pages)| **pages);
    fewest.map_or(0, |(slot, _)| slot)
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_page_goes_where_the_fewest_are_and_slow_ones_do_not_pile_up() {
        let seats = Seats::new(2, 2);
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.push(seats.take().await.unwrap());
        }
        let slots: Vec<usize> = taken.iter().map(|seat| seat.slot).collect();
        assert_eq!(slots, [0, 1, 0, 1]);
        assert!(seats.take().now_or_never().is_none(), "all are taken");
        // Two slow pages stay in the first browser.
        taken.retain(|seat| seat.slot == 0);
        for _ in 0..3 {
            let one = seats.take().await.unwrap();
            let other = seats.take().await.unwrap();
            assert_eq!((one.slot, other.slot), (1, 1));
        }
        drop(taken);
        assert_eq!(seats.take().await.unwrap().slot, 0);
        seats.close();
        assert!(seats.take().await.is_none());
    }
}
