//! What lies between two runs, paired so that rows are as alike as can be.

use std::ops::Range;

use super::run::Run;
use super::stretch::{Stretch, paired, push};

/// Rows between two runs beyond which likeness is not weighed: what was replaced on that scale has no
/// counterpart.
const MAX_WEIGHED_ROWS: u32 = 2048;

/// Pairs of rows between two runs that went different ways within which a run may be a stray: few enough that their
/// pixels are still in memory.
const MAX_STRAY_PAIRS: u32 = 128;

/// Pairs of rows of a picture that are weighed in search of strays, so that pictures made for it take no longer than others.
const MAX_WEIGHED_PAIRS: u32 = 16_384;

/// How many cells of a baseline row and a current row are the same.
type Like<'a> = &'a dyn Fn(u32, u32) -> u32;

/// The rows of both pictures between two runs.
#[derive(Debug, Clone)]
pub(super) struct Gap {
    pub(super) baseline: Range<u32>,
    pub(super) current: Range<u32>,
}

impl Gap {
    pub(super) fn between(above: Run, below: Run) -> Self {
        Self {
            baseline: above.baseline + above.rows..below.baseline,
            current: above.current + above.rows..below.current,
        }
    }

    /// Pairs the rows, some from the top and the others from the bottom, so that they are as alike as can
    /// be; what one picture has more lies between them and was inserted or removed.
    pub(super) fn pair(&self, bands: &mut Vec<Stretch>, like: Like<'_>) {
        let both = self.both();
        let (bottom_baseline, bottom_current) = self.bottom();
        let at_top = if self.is_even() || both > MAX_WEIGHED_ROWS {
            both
        } else {
            self.best_split(like)
        };
        let top = (self.baseline.start, self.current.start);
        push(bands, at_top, Some(top.0), Some(top.1));
        push(
            bands,
            rows(&self.baseline) - both,
            Some(top.0 + at_top),
            None,
        );
        push(
            bands,
            rows(&self.current) - both,
            None,
            Some(top.1 + at_top),
        );
        let lower = (bottom_baseline + at_top, bottom_current + at_top);
        push(bands, both - at_top, Some(lower.0), Some(lower.1));
    }

    /// How many rows to pair from the top, of equally good numbers the largest.
    fn best_split(&self, like: Like<'_>) -> u32 {
        let (top, bottom) = ((self.baseline.start, self.current.start), self.bottom());
        let (mut gain, mut best, mut split) = (0_i64, 0_i64, 0);
        for row in 0..self.both() {
            gain += i64::from(like(top.0 + row, top.1 + row));
            gain -= i64::from(like(bottom.0 + row, bottom.1 + row));
            if gain >= best {
                (best, split) = (gain, row + 1);
            }
        }
        split
    }

    /// How many cells are the same in the rows that [`Gap::pair`] pairs.
    fn likeness(&self, like: Like<'_>) -> u64 {
        let mut bands = Vec::new();
        self.pair(&mut bands, like);
        paired(&bands)
            .flat_map(Run::pairs)
            .map(|(ours, theirs)| u64::from(like(ours, theirs)))
            .sum()
    }

    /// Pairs of rows that there are.
    fn both(&self) -> u32 {
        rows(&self.baseline).min(rows(&self.current))
    }

    fn is_even(&self) -> bool {
        rows(&self.baseline) == rows(&self.current)
    }

    /// Where the pairs begin when all are paired from the bottom.
    fn bottom(&self) -> (u32, u32) {
        (
            self.baseline.end - self.both(),
            self.current.end - self.both(),
        )
    }
}

fn rows(range: &Range<u32>) -> u32 {
    range.end - range.start
}

/// The runs without strays: those of rows that are all alike, which went with one of two neighbours that went different
/// ways, where the rows between the neighbours are more alike in sum when the run is given up. `baseline` are the hashes of
/// the baseline's rows.
///
/// Blank rows are the same wherever they are laid; the rows around them that are not the same but alike tell where they
/// belong.
pub(super) fn without_strays(runs: &[Run], end: Run, baseline: &[u64], like: Like<'_>) -> Vec<Run> {
    let is_flat = |run: &Run| {
        let rows = &baseline[run.baseline as usize..][..run.rows as usize];
        rows.windows(2).all(|pair| pair[0] == pair[1])
    };
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    let mut pairs_left = MAX_WEIGHED_PAIRS;
    for (index, &run) in runs.iter().enumerate() {
        let last = kept.last().copied().unwrap_or(Run::START);
        let next = runs.get(index + 1).copied().unwrap_or(end);
        let whole = Gap::between(last, next);
        let parts = [Gap::between(last, run), Gap::between(run, next)];
        let may_stray = last.shift() != next.shift()
            && (run.shift() == last.shift() || run.shift() == next.shift())
            && parts.iter().any(|part| part.both() > 0)
            && whole.both() <= MAX_STRAY_PAIRS.min(pairs_left)
            && is_flat(&run);
        if may_stray {
            pairs_left -= whole.both();
            let own =
                (0..run.rows).map(|row| u64::from(like(run.baseline + row, run.current + row)));
            let around = parts.iter().map(|part| part.likeness(like));
            if whole.likeness(like) > own.sum::<u64>() + around.sum::<u64>() {
                continue;
            }
        }
        kept.push(run);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by their cells, two to a row.
    fn like<'a>(ours: &'a [[u8; 2]], theirs: &'a [[u8; 2]]) -> impl Fn(u32, u32) -> u32 + 'a {
        move |one, other| {
            let cells = ours[one as usize].iter().zip(&theirs[other as usize]);
            cells.map(|(one, other)| u32::from(one == other)).sum()
        }
    }

    const BLANK: [u8; 2] = [0, 0];

    fn hashes(rows: &[[u8; 2]]) -> Vec<u64> {
        rows.iter()
            .map(|&row| u64::from(u16::from_le_bytes(row)))
            .collect()
    }

    #[test]
    fn blank_rows_go_where_the_rows_around_them_belong() {
        // A row that changed a little, three blank ones, and the inserted row below them.
        let before = [[1, 1], [2, 2], BLANK, BLANK, BLANK, [3, 3]];
        let after = [[1, 1], [2, 9], BLANK, BLANK, BLANK, [8, 8], [3, 3]];
        let run = |baseline, current, rows| Run {
            baseline,
            current,
            rows,
        };
        let stray = run(2, 3, 2);
        let runs = [run(0, 0, 1), stray, run(5, 6, 1)];
        let end = run(6, 7, 0);
        assert_eq!(
            without_strays(&runs, end, &hashes(&before), &like(&before, &after)),
            [runs[0], runs[2]]
        );
        let swapped = runs.map(|run| Run {
            baseline: run.current,
            current: run.baseline,
            rows: run.rows,
        });
        let kept = without_strays(
            &swapped,
            run(7, 6, 0),
            &hashes(&after),
            &like(&after, &before),
        );
        assert_eq!(kept, [swapped[0], swapped[2]]);
        let mut bands = Vec::new();
        Gap::between(runs[0], runs[2]).pair(&mut bands, &like(&before, &after));
        let stretch = |rows, baseline, current| Stretch {
            rows,
            baseline,
            current,
        };
        assert_eq!(
            bands,
            [stretch(4, Some(1), Some(1)), stretch(1, None, Some(5))]
        );
    }

    #[test]
    fn a_run_that_nothing_speaks_against_is_kept() {
        // The inserted row lies above the blank ones.
        let before = [[1, 1], BLANK, BLANK, [2, 2], [3, 3]];
        let after = [[1, 1], [8, 8], BLANK, BLANK, [2, 9], [3, 3]];
        let run = |baseline, current, rows| Run {
            baseline,
            current,
            rows,
        };
        let runs = [run(0, 0, 1), run(1, 2, 2), run(4, 5, 1)];
        assert_eq!(
            without_strays(
                &runs,
                run(5, 6, 0),
                &hashes(&before),
                &like(&before, &after)
            ),
            runs
        );
    }
}
