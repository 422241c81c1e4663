//! The rule for 32 opaque pixels at a time, in whatever vectors the processor has.
//!
//! Brightnesses are 32-bit floats here, which decide all but neighbours of nearly the same brightness
//! and unlike colours; pixels with such neighbours are left to the exact rule.

use pulp::{Arch, Simd, WithSimd};

use super::{FEW, Neighbourhood, REACH, Rows, STEPS, row_index};
use crate::mask::WORD_BITS;
use crate::metric::float_brightness;

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

/// Stands for a pixel beyond the edge; no colour has its upper byte.
const OFF: u32 = 0xff00_0000;

/// Brightnesses closer than this are not told apart: ten times what rounding can do to a difference
/// of two.
const CLOSE: f32 = 2e-3;

/// Packed colours of one picture around a word.
type Colors = [[u32; COLUMNS]; ROWS];

/// One value for each row that neighbours lie in, and each column.
type Near<T> = [[T; COUNTED]; 3];

/// What the rule says of a word's pixels, one bit each.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) anti_aliased: u32,
    /// Those for which `anti_aliased` means nothing.
    pub(super) doubtful: u32,
}

/// Applies the rule to the pixels of the word that begins in column `first`, of which only those set
/// in `wanted` matter.
pub(super) fn decide(around: &Neighbourhood<'_, 3>, first: u32, wanted: u32) -> Decided {
    let colors = [&around.baseline, &around.current].map(|rows| load(rows, first, around.width));
    let mut at_edge = [[0; COUNTED]; 3];
    for (down, edges) in (-1..).zip(&mut at_edge) {
        // Place 0 is the column left of the word.
        for (edge, x) in edges.iter_mut().zip(i64::from(first) - 1..) {
            let x = u32::try_from(x).unwrap_or(0);
            *edge = u32::from(around.is_at_edge(x, down));
        }
    }
    Arch::new().dispatch(Word {
        colors: &colors,
        at_edge: &at_edge,
        wanted,
    })
}

fn load(rows: &Rows<'_, 3>, first: u32, width: u32) -> Colors {
    let mut colors = [[OFF; COLUMNS]; ROWS];
    let pack = |&[r, g, b]: &[u8; 3]| u32::from_le_bytes([r, g, b, 0]);
    let first = first as usize;
    for (colors, row) in colors.iter_mut().zip(rows) {
        let Some(row) = row else { continue };
        let row = &row[..width as usize];
        if let Some(from) = first.checked_sub(REACH)
            && let Some(pixels) = row[from..].first_chunk::<LOADED>()
        {
            for (color, pixel) in colors.iter_mut().zip(pixels) {
                *color = pack(pixel);
            }
            continue;
        }
        let skipped = REACH.saturating_sub(first);
        let pixels = row[(first + skipped - REACH).min(row.len())..].iter();
        for (color, pixel) in colors[skipped..LOADED].iter_mut().zip(pixels) {
            *color = pack(pixel);
        }
    }
    colors
}

struct Word<'a> {
    colors: &'a [Colors; 2],
    at_edge: &'a Near<u32>,
    wanted: u32,
}

impl WithSimd for Word<'_> {
    type Output = Decided;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Decided {
        let mut slopes = [Slopes::default(); 2];
        let mut doubtful = 0;
        let mut on_slope = 0;
        for (slopes, colors) in slopes.iter_mut().zip(self.colors) {
            *slopes = Slopes::of(colors, &self.at_edge[1]);
            doubtful |= slopes.doubtful & self.wanted;
            on_slope |= slopes.found & self.wanted;
        }
        let mut anti_aliased = 0;
        if on_slope & !doubtful != 0 {
            let siblings = Siblings::of(self.colors, self.at_edge);
            for slopes in &slopes {
                let mut left = slopes.found & self.wanted & !doubtful & !anti_aliased;
                while left != 0 {
                    let lane = left.trailing_zeros();
                    left &= left - 1;
                    let [darkest, brightest] = slopes.ends(lane as usize);
                    let found = siblings.has(lane as usize, darkest)
                        || siblings.has(lane as usize, brightest);
                    anti_aliased |= u32::from(found) << lane;
                }
            }
        }
        Decided {
            anti_aliased,
            doubtful,
        }
    }
}

/// Which pixels of a word lie on a slope of brightness in one picture, and between which neighbours.
#[derive(Clone, Copy, Default)]
struct Slopes {
    /// Numbers of the darkest and the brightest neighbour, in the order of [`STEPS`].
    darkest: [u32; LANES],
    brightest: [u32; LANES],
    found: u32,
    doubtful: u32,
}

impl Slopes {
    #[inline(always)]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "branches would keep the lanes out of vectors"
    )]
    fn of(colors: &Colors, at_edge: &[u32; COUNTED]) -> Self {
        let mut bright = [[0.0_f32; COUNTED]; 3];
        for (bright, colors) in bright.iter_mut().zip(&colors[REACH - 1..]) {
            for (bright, &color) in bright.iter_mut().zip(&colors[1..]) {
                *bright = float_brightness(color);
            }
        }
        let mut slopes = Self::default();
        let mut equal: [u32; LANES] = *part(at_edge, 1);
        let (mut lowest, mut highest) = ([0.0_f32; LANES], [0.0_f32; LANES]);
        let (mut low_colors, mut high_colors) = ([OFF; LANES], [OFF; LANES]);
        let mut doubts = [0_u32; LANES];
        let centre: &[u32; LANES] = part(&colors[REACH], REACH);
        let centre_bright: &[f32; LANES] = part(&bright[1], 1);
        for (number, (right, down)) in (0_u32..).zip(STEPS) {
            let (row, column) = (near_row(down), near_column(right));
            let neighbours: &[u32; LANES] = part(&colors[row + REACH - 1], column + 1);
            let neighbours_bright: &[f32; LANES] = part(&bright[row], column);
            for lane in 0..LANES {
                let color = neighbours[lane];
                let is_there = color != OFF;
                let same = color == centre[lane];
                let delta = if is_there {
                    centre_bright[lane] - neighbours_bright[lane]
                } else {
                    0.0
                };
                equal[lane] += u32::from(same);
                let near_centre = delta.abs() < CLOSE && !same;
                let near_lowest = (delta - lowest[lane]).abs() < CLOSE && color != low_colors[lane];
                let near_highest =
                    (delta - highest[lane]).abs() < CLOSE && color != high_colors[lane];
                // While nothing is darker or brighter yet, what comes near counts as near the centre.
                let close = near_centre
                    | (near_lowest & (lowest[lane] != 0.0))
                    | (near_highest & (highest[lane] != 0.0));
                doubts[lane] |= u32::from(is_there & close);
                let darker = delta < lowest[lane];
                let brighter = delta > highest[lane];
                lowest[lane] = if darker { delta } else { lowest[lane] };
                low_colors[lane] = if darker { color } else { low_colors[lane] };
                slopes.darkest[lane] = if darker { number } else { slopes.darkest[lane] };
                highest[lane] = if brighter { delta } else { highest[lane] };
                high_colors[lane] = if brighter { color } else { high_colors[lane] };
                slopes.brightest[lane] = if brighter {
                    number
                } else {
                    slopes.brightest[lane]
                };
            }
        }
        for lane in 0..LANES {
            let found = (equal[lane] <= FEW) & (lowest[lane] != 0.0) & (highest[lane] != 0.0);
            slopes.found |= u32::from(found) << lane;
            slopes.doubtful |= u32::from(doubts[lane] != 0) << lane;
        }
        slopes
    }

    fn ends(&self, lane: usize) -> [(i32, i32); 2] {
        [self.darkest[lane], self.brightest[lane]].map(|number| STEPS[number as usize])
    }
}

/// Which pixels in and around a word have three neighbours of their very colour in both pictures.
struct Siblings(Near<u32>);

impl Siblings {
    #[inline(always)]
    fn of(pictures: &[Colors; 2], at_edge: &Near<u32>) -> Self {
        let mut both = [[1; COUNTED]; 3];
        for colors in pictures {
            for (row, both) in both.iter_mut().enumerate() {
                let mut equal = at_edge[row];
                let centre: &[u32; COUNTED] = part(&colors[row + REACH - 1], 1);
                for (right, down) in STEPS {
                    let neighbours = &colors[row + near_row(down) + REACH - 2];
                    let neighbours: &[u32; COUNTED] = part(neighbours, near_column(right));
                    for place in 0..COUNTED {
                        equal[place] += u32::from(neighbours[place] == centre[place]);
                    }
                }
                for (both, equal) in both.iter_mut().zip(equal) {
                    *both &= u32::from(equal > FEW);
                }
            }
        }
        Self(both)
    }

    fn has(&self, lane: usize, (right, down): (i32, i32)) -> bool {
        self.0[near_row(down)][lane + near_column(right)] != 0
    }
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
