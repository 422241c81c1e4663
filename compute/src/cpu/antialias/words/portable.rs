//! In whatever vectors the processor has, as the compiler makes use of them.

use std::borrow::Cow;

use pulp::{Arch, Simd, WithSimd};

use super::super::{FEW, Neighbourhood, REACH, STEPS, row_index};
use crate::mask::WORD_BITS;
use crate::metric::rank;

/// Pixels of a word.
const LANES: usize = WORD_BITS as usize;

/// Columns that the neighbours of neighbours of a word's pixels reach.
const LOADED: usize = LANES + 2 * REACH;

/// Columns in which neighbours are looked for: those of the word and one to either side, rounded up
/// to whole vectors.
const COUNTED: usize = (LANES + 2).next_multiple_of(16);

/// Columns of a row: one more to either side.
const COLUMNS: usize = COUNTED + 2;

/// Rows of a picture that are looked at.
const ROWS: usize = 2 * REACH + 1;

/// Rows in which neighbours are looked for.
const NEAR_ROWS: usize = 3;

/// Stands for a pixel beyond the edge: below every rank, and above all of them when read without its
/// sign.
const OFF: i32 = i32::MIN;

/// What was made of the neighbourhood of a word; the word below it shares most of that.
pub(in super::super) struct Recent {
    /// The word's first column, and the rows of both pictures in which it lies.
    place: Option<(u32, [u32; 2])>,
    /// Ranks in and around the word, of both pictures.
    ranks: [[[i32; COLUMNS]; ROWS]; 2],
    /// 1 for each place in and around the word that has three neighbours of its very colour in both
    /// pictures.
    siblings: [[u32; COUNTED]; NEAR_ROWS],
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            place: None,
            ranks: [[[OFF; COLUMNS]; ROWS]; 2],
            siblings: [[0; COUNTED]; NEAR_ROWS],
        }
    }
}

/// Which pixels of the word that begins in column `first` the rule recognises, one bit each; bits
/// beyond the pictures' width mean nothing.
pub(super) fn find(around: &Neighbourhood<'_, 3>, first: u32, recent: &mut Recent) -> u32 {
    Arch::new().dispatch(Word {
        around,
        first,
        recent,
    })
}

struct Word<'a> {
    around: &'a Neighbourhood<'a, 3>,
    first: u32,
    recent: &'a mut Recent,
}

impl WithSimd for Word<'_> {
    type Output = u32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u32 {
        let Self {
            around,
            first,
            recent,
        } = self;
        recent.move_to(around, first);
        // Closures would be compiled without the processor's vectors.
        let edges = edges(around, first, 0);
        let baseline = smoothed(&recent.ranks[0], &recent.siblings, &edges);
        let current = smoothed(&recent.ranks[1], &recent.siblings, &edges);
        let mut found = 0;
        for lane in 0..LANES {
            found |= (baseline[lane] | current[lane]) << lane;
        }
        found
    }
}

impl Recent {
    /// Forgets the word before.
    pub(super) fn forget(&mut self) {
        self.place = None;
    }

    /// Looks around a word, as far as the word before does not tell.
    #[inline(always)]
    fn move_to(&mut self, around: &Neighbourhood<'_, 3>, first: u32) {
        let below = |[baseline, current]: [u32; 2]| [baseline + 1, current + 1];
        let follows = (self.place)
            .is_some_and(|(column, rows)| column == first && below(rows) == around.rows_at);
        self.place = Some((first, around.rows_at));
        let (mut fresh_rows, mut fresh_siblings) = (0, 0);
        if follows {
            for ranks in &mut self.ranks {
                ranks.copy_within(1.., 0);
            }
            self.siblings.copy_within(1.., 0);
            (fresh_rows, fresh_siblings) = (ROWS - 1, NEAR_ROWS - 1);
        }
        for (ranks, rows) in (self.ranks.iter_mut()).zip([&around.baseline, &around.current]) {
            for (ranks, row) in ranks.iter_mut().zip(rows).skip(fresh_rows) {
                load(ranks, row.as_ref(), first, around.width);
            }
        }
        for (row, down) in (0..NEAR_ROWS).zip(-1..).skip(fresh_siblings) {
            let edges = edges(around, first, down);
            let baseline = equal_neighbours(&self.ranks[0], row, &edges);
            let current = equal_neighbours(&self.ranks[1], row, &edges);
            for (place, both) in self.siblings[row].iter_mut().enumerate() {
                *both = u32::from(baseline[place] > FEW) & u32::from(current[place] > FEW);
            }
        }
    }
}

/// Ranks of one row of a picture around the word that begins in column `first`.
#[inline(always)]
fn load(ranks: &mut [i32; COLUMNS], row: Option<&Cow<'_, [[u8; 3]]>>, first: u32, width: u32) {
    let Some(row) = row else {
        *ranks = [OFF; COLUMNS];
        return;
    };
    let (row, first) = (&row[..width as usize], first as usize);
    if let Some(from) = first.checked_sub(REACH)
        && let Some(pixels) = row[from..].first_chunk::<LOADED>()
    {
        for (rank_, &pixel) in ranks.iter_mut().zip(pixels) {
            *rank_ = rank(pixel);
        }
        return;
    }
    *ranks = [OFF; COLUMNS];
    let skipped = REACH.saturating_sub(first);
    let pixels = row[(first + skipped - REACH).min(row.len())..].iter();
    for (rank_, &pixel) in ranks[skipped..LOADED].iter_mut().zip(pixels) {
        *rank_ = rank(pixel);
    }
}

/// 1 for each place in and around the word that lies at an edge of the pictures, so many rows down;
/// the first is the column to the left of the word.
#[inline(always)]
fn edges(around: &Neighbourhood<'_, 3>, first: u32, down: i32) -> [u32; COUNTED] {
    let mut edges = [u32::from(around.is_outermost_row(down)); COUNTED];
    if first == 0 {
        edges[1] = 1;
    }
    // The rightmost column, when it is near.
    if let Some(edge) = edges.get_mut((around.width - first) as usize) {
        *edge = 1;
    }
    edges
}

/// How many neighbours of its very colour each place of a near row has in one picture.
#[inline(always)]
fn equal_neighbours(
    ranks: &[[i32; COLUMNS]; ROWS],
    row: usize,
    edges: &[u32; COUNTED],
) -> [u32; COUNTED] {
    let mut equal = *edges;
    let centre: &[i32; COUNTED] = part(&ranks[row + 1], 1);
    for (right, down) in STEPS {
        let neighbours: &[i32; COUNTED] = part(&ranks[row + near_row(down)], near_column(right));
        for place in 0..COUNTED {
            equal[place] += u32::from(neighbours[place] == centre[place]);
        }
    }
    equal
}

/// 1 for each pixel of the word that lies on a slope of brightness in one picture, one end of which
/// has siblings in both.
#[inline(always)]
fn smoothed(
    ranks: &[[i32; COLUMNS]; ROWS],
    siblings: &[[u32; COUNTED]; NEAR_ROWS],
    edges: &[u32; COUNTED],
) -> [u32; LANES] {
    let mut equal: [u32; LANES] = *part(edges, 1);
    let centre: &[i32; LANES] = part(&ranks[REACH], REACH);
    let (mut brightest, mut darkest) = (*centre, centre.map(i32::cast_unsigned));
    let (mut bright_siblings, mut dark_siblings) = ([0_u32; LANES], [0_u32; LANES]);
    for (right, down) in STEPS {
        let (row, column) = (near_row(down), near_column(right));
        let neighbours: &[i32; LANES] = part(&ranks[row + REACH - 1], column + 1);
        let siblings: &[u32; LANES] = part(&siblings[row], column);
        for lane in 0..LANES {
            let rank = neighbours[lane];
            equal[lane] += u32::from(rank == centre[lane]);
            // Without the sign what lies beyond the edge is no darker than anything.
            let brighter = all_bits(rank > brightest[lane]);
            let darker = all_bits(rank.cast_unsigned() < darkest[lane]);
            brightest[lane] = brightest[lane].max(rank);
            darkest[lane] = darkest[lane].min(rank.cast_unsigned());
            bright_siblings[lane] = siblings[lane] & brighter | bright_siblings[lane] & !brighter;
            dark_siblings[lane] = siblings[lane] & darker | dark_siblings[lane] & !darker;
        }
    }
    let mut found = [0; LANES];
    for (lane, found) in found.iter_mut().enumerate() {
        let on_slope = u32::from(equal[lane] <= FEW)
            & u32::from(brightest[lane] != centre[lane])
            & u32::from(darkest[lane] != centre[lane].cast_unsigned());
        *found = on_slope & (bright_siblings[lane] | dark_siblings[lane]);
    }
    found
}

/// Every bit set when it is so, none when not: branches would keep the lanes out of vectors.
#[inline(always)]
fn all_bits(is: bool) -> u32 {
    u32::from(is).wrapping_neg()
}

/// The place of a neighbour's row among the three around a pixel.
#[inline(always)]
fn near_row(down: i32) -> usize {
    row_index(down).map_or(0, |row| row - 1)
}

/// The place of a neighbour's column among the three around a pixel.
#[inline(always)]
fn near_column(right: i32) -> usize {
    usize::try_from(right + 1).unwrap_or(0)
}

/// Some of the values of a row.
#[inline(always)]
fn part<T, const N: usize, const M: usize>(values: &[T; N], from: usize) -> &[T; M] {
    values[from..]
        .first_chunk()
        .expect("rows are as long as neighbours reach")
}
