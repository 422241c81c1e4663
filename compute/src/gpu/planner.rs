//! What is sent, found while it is sent: pairs are looked at piece by piece, so that the first batch is on its way before the
//! last rows of a tall page were compared.

use std::collections::VecDeque;
use std::ops::Range;

use crate::dirty::Dirty;
use crate::error::Error;
use crate::gpu::batch::Batch;
use crate::gpu::chunk::{BATCH_BYTES, Part, most_tile_rows, part};
use crate::pair::Pair;
use crate::tile::TILE;
use crate::workers;

/// Bytes of both pictures that are looked at first, and of pixels that are sent first: little, so that the way to the card does
/// not lie idle meanwhile. Each batch may be twice as large as the one before, up to [`BATCH_BYTES`].
const FIRST_BYTES: u64 = BATCH_BYTES / 4;

/// Bytes that one thread looks at before another is worth its start: some 0.2 ms.
const BYTES_PER_THREAD: u64 = 2 << 20;

/// Threads at most. Unlike filling, looking is not bound to the way to the card, and what is filled has to be looked at before.
const MOST_THREADS: usize = 8;

/// Finds the parts of pairs in which something differs, and puts them into batches.
///
/// It needs no thread of the pool, see `Gpu::run_in_turn`.
pub(crate) struct Planner<'p> {
    pairs: &'p [Pair<'p>],
    /// Where each pair differs, as far as it has been looked at.
    differing: Vec<Dirty>,
    /// The pair and the row of tiles that come next.
    next: (usize, u32),
    /// Rows of tiles of that pair that have been looked at: always one more than what comes next, where there is one.
    looked_at: u32,
    /// Parts that are in no batch yet.
    parts: VecDeque<Part<'p>>,
    /// Bytes that are looked at together next, and of the next batch.
    next_bytes: u64,
    most_bytes: u64,
}

/// Some rows of tiles of a pair that become parts together.
struct Bite {
    pair_index: usize,
    core: Range<u32>,
    /// Those that have to be looked at for it.
    unseen: Range<u32>,
}

impl<'p> Planner<'p> {
    /// Nothing has been looked at yet.
    ///
    /// # Errors
    /// [`Error::Gpu`] when the rows of a pair are longer than an adapter's limits.
    pub(crate) fn new(pairs: &'p [Pair<'p>]) -> Result<Self, Error> {
        let is_too_wide = |pair: &&Pair<'_>| most_tile_rows(pair.size.width, BATCH_BYTES).is_none();
        if let Some(pair) = pairs.iter().find(is_too_wide) {
            return Err(Error::Gpu(format!(
                "rows of {} pixels are longer than its limits",
                pair.size.width
            )));
        }
        Ok(Self {
            pairs,
            differing: pairs.iter().map(Dirty::unknown).collect(),
            next: (0, 0),
            looked_at: 0,
            parts: VecDeque::new(),
            next_bytes: FIRST_BYTES,
            most_bytes: FIRST_BYTES,
        })
    }

    /// Whether it is little enough to be looked at before anything is sent.
    pub(crate) fn is_short(&self) -> bool {
        let bytes = |pair: &Pair<'_>| raw_bytes(pair, &(0..pair.tiles().1));
        self.pairs.iter().map(bytes).sum::<u64>() <= FIRST_BYTES
    }

    /// Where each pair differs, when everything was looked at.
    pub(crate) fn into_differing(self) -> Vec<Dirty> {
        self.differing
    }

    /// Looks at the next rows; `false` when there are no more.
    fn bite(&mut self) -> bool {
        let bites = self.next_bites();
        let worth = bites.iter().map(|bite| self.bytes_of(bite)).sum::<u64>() / BYTES_PER_THREAD;
        let threads = workers::apart_at_most(worth, MOST_THREADS);
        self.next_bytes = BATCH_BYTES.min(2 * self.next_bytes);
        let pairs = self.pairs;
        let mut rows = Vec::new();
        let mut differing = (0..).zip(&mut self.differing).peekable();
        for bite in &bites {
            while differing
                .next_if(|(index, _)| *index < bite.pair_index)
                .is_some()
            {}
            let pair = &pairs[bite.pair_index];
            if let Some((_, dirty)) = differing.next_if(|(index, _)| *index == bite.pair_index) {
                rows.extend(dirty.unmarked(bite.unseen.clone()).map(|row| (pair, row)));
            }
        }
        workers::apart(rows, threads, |(pair, row)| row.mark(pair));
        for bite in &bites {
            let (pair, dirty) = (&pairs[bite.pair_index], &self.differing[bite.pair_index]);
            for run in reached(&bite.core, pair.tiles().1, |row| dirty.row(row)) {
                self.parts
                    .push_back(part(bite.pair_index, pair, dirty, &run));
            }
        }
        !bites.is_empty()
    }

    /// The next rows of tiles, as many as a part may have of each pair and of as many pairs as are looked at together; no
    /// pair twice.
    fn next_bites(&mut self) -> Vec<Bite> {
        let (mut bites, mut filled) = (Vec::new(), 0);
        while let Some(pair) = self.pairs.get(self.next.0)
            && filled < self.next_bytes
        {
            let (pair_index, first) = self.next;
            let (_, rows) = pair.tiles();
            let most = most_tile_rows(pair.size.width, self.next_bytes)
                .expect("pairs with longer rows were refused");
            let core = first..rows.min(first.saturating_add(most));
            // What is centred in the last of them reaches into the one below.
            let unseen = self.looked_at..rows.min(core.end + 1);
            self.looked_at = unseen.end;
            let is_last = core.end == rows;
            self.next = if is_last {
                (pair_index + 1, 0)
            } else {
                (pair_index, core.end)
            };
            let bite = Bite {
                pair_index,
                core,
                unseen,
            };
            filled += self.bytes_of(&bite);
            bites.push(bite);
            if !is_last {
                break;
            }
            self.looked_at = 0;
        }
        bites
    }

    /// Whether the next batch, of so many bytes so far, has no room for as much as was found last of the page at hand: where all of it
    /// differs there is nothing to look for before it is sent.
    fn is_full(&self, bytes: u64) -> bool {
        let last = self.parts.back().map_or(0, Part::pixel_bytes);
        self.next.1 > 0 && last > 0 && bytes + last > self.most_bytes
    }

    fn bytes_of(&self, bite: &Bite) -> u64 {
        raw_bytes(&self.pairs[bite.pair_index], &bite.unseen)
    }
}

impl<'p> Iterator for Planner<'p> {
    type Item = Batch<'p>;

    /// The next parts, as many as are sent together.
    fn next(&mut self) -> Option<Batch<'p>> {
        let (mut count, mut bytes) = (0, 0);
        loop {
            let Some(part) = self.parts.get(count) else {
                if !self.is_full(bytes) && self.bite() {
                    continue;
                }
                break;
            };
            bytes += part.pixel_bytes();
            if bytes > self.most_bytes && count > 0 {
                break;
            }
            count += 1;
        }
        self.most_bytes = BATCH_BYTES.min(2 * self.most_bytes);
        let parts: Vec<Part<'p>> = self.parts.drain(..count).collect();
        (!parts.is_empty()).then(|| Batch::new(parts))
    }
}

/// Bytes of both opaque pictures in some rows of tiles.
fn raw_bytes(pair: &Pair<'_>, rows: &Range<u32>) -> u64 {
    let pixels = u64::from(rows.end - rows.start) * u64::from(TILE);
    2 * 3 * pixels * u64::from(pair.size.width)
}

/// Runs of some of a page's rows of tiles that are dirty or next to a dirty one.
fn reached(core: &Range<u32>, tile_rows: u32, is_dirty: impl Fn(u32) -> bool) -> Vec<Range<u32>> {
    let near = |row: u32| (row.saturating_sub(1)..(row + 2).min(tile_rows)).any(&is_dirty);
    let mut runs: Vec<Range<u32>> = Vec::new();
    for row in core.clone().filter(|&row| near(row)) {
        match runs.last_mut() {
            Some(last) if row == last.end => last.end = row + 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;
    use crate::gpu::chunk::TILES_PER_BLOCK;

    #[test]
    fn parts_hold_what_a_difference_can_reach() {
        let runs = |dirty: &[u32], core: Range<u32>| {
            let runs = reached(&core, 50, |row| dirty.contains(&row)).into_iter();
            runs.map(|run| (run.start, run.end)).collect::<Vec<_>>()
        };
        assert_eq!(runs(&[], 0..50), []);
        assert_eq!(runs(&[0], 0..50), [(0, 2)]);
        assert_eq!(runs(&[10, 49], 0..50), [(9, 12), (48, 50)]);
        assert_eq!(runs(&[10, 13], 0..50), [(9, 15)], "what they reach meets");
        assert_eq!(runs(&[20], 0..20), [(19, 20)], "it is in the next core");
        assert_eq!(runs(&[20], 20..40), [(20, 22)]);
    }

    /// A page with a dot in every so many rows.
    fn dotted(size: Size, every: u32) -> Image {
        Image::of_greys(
            size,
            3,
            |x, y| if x == 5 && y % every == 0 { 0 } else { 200 },
        )
    }

    #[test]
    fn every_tile_that_differs_is_in_one_batch_whatever_the_pieces() {
        let tall = Size {
            width: 1280,
            height: 9000,
        };
        let small = Size {
            width: 300,
            height: 200,
        };
        let blank = |size| dotted(size, u32::MAX);
        let mut pairs = vec![Pair::in_place(&[blank(small), dotted(small, 100)])];
        pairs.push(Pair::in_place(&[blank(tall), dotted(tall, 16)]));
        pairs.push(Pair::in_place(&[blank(small), blank(small)]));
        pairs.extend((0..40).map(|_| Pair::in_place(&[blank(small), dotted(small, 77)])));
        let mut planner = Planner::new(&pairs).unwrap();
        assert!(!planner.is_short());
        let mut seen: Vec<(usize, [u32; 2])> = Vec::new();
        let mut batches = 0;
        for batch in planner.by_ref() {
            let bytes: u64 = batch.parts.iter().map(Part::pixel_bytes).sum();
            assert!(
                bytes <= BATCH_BYTES.min(FIRST_BYTES << batches),
                "the first are small"
            );
            batches += 1;
            for part in &batch.parts {
                for stack in &part.stacks {
                    let rows = stack.row..stack.row + stack.count;
                    seen.extend(rows.map(|row| (part.pair_index, [row, stack.column])));
                }
            }
        }
        assert_eq!(batches, 5, "the tall page alone takes 69 MB");
        let differing = planner.into_differing();
        let mut expected = Vec::new();
        for (index, pair) in pairs.iter().enumerate() {
            let dirty = Dirty::find(pair);
            let (columns, rows) = pair.tiles();
            let tiles = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
            let touched = tiles.filter(|&[column, row]| dirty.touches(column, row));
            let block = |[column, row]: [u32; 2]| [row, column / TILES_PER_BLOCK];
            let mut blocks: Vec<[u32; 2]> = touched.map(block).collect();
            blocks.dedup();
            expected.extend(blocks.into_iter().map(|block| (index, block)));
            assert!((0..rows).all(|row| differing[index].row(row) == dirty.row(row)));
        }
        seen.sort_unstable();
        assert!(seen == expected);
    }
}
