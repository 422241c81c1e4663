//! Strips of the baseline that the current picture shows too, further up or down: their rows are kept once.

use std::ops::Range;

use crate::loaded::KnownRows;
use crate::raster::strip::{STRIP_ROWS, StripRows};

use super::{Decoding, STRIPS_AT_ONCE};

/// Places tried for a row; most rows have one, ground has many.
const MAX_PLACES: usize = 8;

/// Rows among which they are looked for: how far pages may have come apart.
const MAX_ROWS: usize = 1 << 14;

/// How far the pages have come apart where both are decoded.
#[derive(Default)]
pub(super) struct Apart {
    /// Rows that the latest strip of the current picture lies below its like in the baseline.
    by: i64,
    /// The baseline's strip that is looked at next.
    next: usize,
}

impl Apart {
    /// Lets go of the baseline's strips, from where it left off, for rows of the current picture that show the same.
    pub(super) fn keep_once(
        &mut self,
        known: &KnownRows,
        baseline: &mut Decoding<'_>,
        current: &Decoding<'_>,
    ) {
        let decoded = current.decoded_rows();
        if known.current.is_empty() {
            return;
        }
        let latest = |end: u32| end.saturating_sub(STRIP_ROWS)..end;
        self.follow(known, latest(baseline.decoded_rows()), latest(decoded));
        while self.next < baseline.kept.len() {
            let strip = u32::try_from(self.next).expect("strips fit 32 bits");
            let top = strip * STRIP_ROWS;
            let rows = top..top + baseline.rows_of(strip);
            let like = moved(&rows, self.by);
            if (like.as_ref()).is_some_and(|like| like.end > decoded) {
                return;
            }
            if self.by != 0
                && let Some(like) = like
                && are_same(known, rows, like.start)
                && let Some(strip) = baseline.kept.get_mut(self.next)
                && let Some(others) = strip_among(current, like)
            {
                *strip = others;
            }
            self.next += 1;
        }
    }

    /// Finds out how far the latest rows of both pictures have come apart, unless it is as far as those before.
    fn follow(&mut self, known: &KnownRows, ours: Range<u32>, theirs: Range<u32>) {
        // After an insertion the current picture's rows are behind, after a removal those of the baseline.
        let are_apart = |by: i64| {
            moved(&theirs, -by).is_some_and(|like| are_same(known, like, theirs.start))
                || moved(&ours, by).is_some_and(|like| are_same(known, ours.clone(), like.start))
        };
        if are_apart(self.by) {
            return;
        }
        let mut ways = (places(known.unhashed, &known.current, &theirs, &known.baseline))
            .map(|(y, place)| y - place)
            .chain(
                places(known.unhashed, &known.baseline, &ours, &known.current)
                    .map(|(y, place)| place - y),
            );
        if let Some(by) = ways.find(|&by| are_apart(by)) {
            self.by = by;
            // Strips decoded since then were looked at before this was known.
            let like = (i64::from(theirs.start) - by).max(0) / i64::from(STRIP_ROWS);
            let like = usize::try_from(like).expect("strips fit 32 bits");
            self.next = self.next.min(like.saturating_sub(STRIPS_AT_ONCE));
        }
    }
}

/// A row of some, and where the other picture shows it.
fn places<'a>(
    unhashed: u32,
    hashes: &'a [u64],
    rows: &Range<u32>,
    others: &'a [u64],
) -> impl Iterator<Item = (i64, i64)> + 'a {
    let hash = move |y: u32| hashes.get(y.checked_sub(unhashed)? as usize);
    // A row unlike the one above it has fewer places.
    let telling = (rows.start + 1..rows.end).find(|&y| hash(y) != hash(y - 1));
    let row = telling.and_then(|y| Some((y, hash(y)?)));
    row.into_iter().flat_map(move |(y, wanted)| {
        let end = unhashed + u32::try_from(others.len()).expect("rows fit 32 bits");
        ((unhashed..end).rev().zip(others.iter().rev()))
            .take(MAX_ROWS)
            .filter(move |&(_, hash)| hash == wanted)
            .map(move |(place, _)| (i64::from(y), i64::from(place)))
            .take(MAX_PLACES)
    })
}

/// Rows so many further down; `None` above the page.
fn moved(rows: &Range<u32>, by: i64) -> Option<Range<u32>> {
    let at = |y: u32| u32::try_from(i64::from(y) + by).ok();
    Some(at(rows.start)?..at(rows.end)?)
}

/// Whether hashes tell that rows of the baseline show the same as those of the current picture from `first` on.
fn are_same(known: &KnownRows, rows: Range<u32>, first: u32) -> bool {
    let among = |first: u32| {
        let first = first.checked_sub(known.unhashed)? as usize;
        Some(first..first + rows.len())
    };
    let ours = among(rows.start).and_then(|rows| known.baseline.get(rows));
    let theirs = among(first).and_then(|rows| known.current.get(rows));
    ours.is_some() && ours == theirs
}

/// Some rows of a picture, no more than a strip has, where they are in memory.
fn strip_among(picture: &Decoding<'_>, rows: Range<u32>) -> Option<StripRows> {
    let strip_of = |y: u32| match picture.kept.get((y / STRIP_ROWS) as usize) {
        Some(StripRows::Own(strip)) => Some(strip.clone()),
        _ => None,
    };
    Some(StripRows::Among {
        strips: [strip_of(rows.start)?, strip_of(rows.end - 1)?],
        first: rows.start % STRIP_ROWS,
    })
}

#[cfg(test)]
mod tests {
    use crate::decode::decode_by_crate;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;
    use crate::loaded::Keep;
    use crate::options::Alignment;
    use crate::raster::Raster;
    use crate::raster::kept::Room;
    use crate::side_by_side::decode_side_by_side;

    const WIDTH: u32 = 40;

    /// A page of rows that are told apart by a number; every seventh is ground.
    fn page(rows: &[u32]) -> Vec<u8> {
        let size = Size {
            width: WIDTH,
            height: u32::try_from(rows.len()).unwrap(),
        };
        encode_rgb(size, |y, row| {
            let number = rows[y as usize];
            row.fill(255);
            if !number.is_multiple_of(7) {
                row[..4].copy_from_slice(&number.to_le_bytes());
                row[60..64].copy_from_slice(&number.wrapping_mul(2_654_435_761).to_le_bytes());
            }
        })
        .unwrap()
    }

    /// How many strips of the baseline lie among those of the current picture, once all of its rows have been looked at.
    fn kept_once(baseline: &[u32], current: &[u32], keep: Keep) -> usize {
        let [baseline, current] = [baseline, current].map(page);
        // One strip at a time, and several: both keep the same once.
        let [loaded, by_one] = [4, 1].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let pngs = [(&baseline).into(), (&current).into()];
                decode_side_by_side(Room::default(), pngs, Alignment::Auto, keep).unwrap()
            })
        });
        assert!(by_one.baseline.strips_among_others() >= loaded.baseline.strips_among_others());
        for (raster, png) in [
            (&loaded.baseline, &baseline),
            (&loaded.current, &current),
            (&by_one.baseline, &baseline),
            (&by_one.current, &current),
        ] {
            let whole = Raster::of_image(&decode_by_crate(png));
            for y in 0..whole.size.height {
                assert_eq!(raster.row(y).bytes, whole.row(y).bytes, "{y}");
            }
        }
        loaded.baseline.strips_among_others()
    }

    /// A page of 1,600 rows (25 strips) in which some rows were replaced by so many others.
    fn edited(edits: &[(usize, usize, usize)]) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..1600).collect();
        for (edit, &(at, removed, inserted)) in edits.iter().enumerate() {
            let first = 10_000 * (u32::try_from(edit).unwrap() + 1);
            let fresh = first..first + u32::try_from(inserted).unwrap();
            rows.splice(at..at + removed, fresh);
        }
        rows
    }

    #[test]
    fn rows_below_an_insertion_or_a_removal_are_kept_once() {
        let before = edited(&[]);
        for keep in [Keep::Differing, Keep::Current] {
            for (edits, least) in [
                (vec![(100, 0, 1)], 22),
                (vec![(100, 0, 64)], 22),
                (vec![(100, 0, 131)], 22),
                (vec![(100, 0, 1000)], 22),
                (vec![(100, 1, 0)], 22),
                (vec![(100, 64, 0)], 22),
                (vec![(100, 131, 0)], 20),
                (vec![(0, 0, 30)], 24),
                (vec![(900, 0, 10), (100, 0, 90)], 18),
                (vec![(900, 10, 0), (100, 90, 0)], 17),
                // Together they leave what is below in place.
                (vec![(900, 90, 0), (100, 0, 90)], 8),
            ] {
                let kept = kept_once(&before, &edited(&edits), keep);
                assert!(kept >= least, "{edits:?}: {kept}");
            }
        }
    }

    #[test]
    fn rows_that_stay_in_place_or_are_unlike_all_others_are_not() {
        let before = edited(&[]);
        for after in [
            edited(&[]),
            edited(&[(100, 50, 50)]),
            edited(&[(0, 1600, 1600)]),
        ] {
            assert_eq!(kept_once(&before, &after, Keep::Differing), 0);
        }
    }
}
