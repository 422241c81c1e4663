//! Stage `antialias`: which changed pixels look like the smoothing of an edge. Twin of
//! `shaders/antialias.wgsl`.
//!
//! The rule is that of V. Vyšniauskas, "Anti-aliased Pixel and Intensity Slope Detector" (2009), as
//! pixelmatch 7.2 applies it: in either picture the pixel lies between a darker and a brighter
//! neighbour, has at most two neighbours of its own brightness, and the darkest or the brightest of
//! its neighbours has three neighbours of its very colour in both pictures. At the edge of the
//! pictures one neighbour counts as equal.
//!
//! Neighbours are those in the pictures themselves, laid over each other by the shift of the pixel's
//! band; rows that only one of them has lie beyond the edge.

mod words;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use crate::cpu::color_delta::for_each_bit;
use crate::decode::rgba;
use crate::mask::{WORD_BITS, span_bits, words_per_row};
use crate::metric::{brightness, exact_brightness_delta};
use crate::options::AntiAliasing;
use crate::pair::{Pair, SharedRow};
use crate::raster::row::Row;

use words::Recent;

/// Rows above and below that the rule looks at: the neighbours of neighbours.
const REACH: usize = 2;

thread_local! {
    static RECENT: RefCell<Recent> = RefCell::default();
}

/// Sets a bit for each changed pixel of a row of tiles that the rule recognises.
pub(crate) fn antialias(
    pair: &Pair<'_>,
    tile_row: u32,
    changed: &mut [u32],
    anti_aliased: &mut [u32],
) {
    RECENT.with_borrow_mut(|recent| {
        recent.forget();
        find(pair, tile_row, [changed, anti_aliased], recent);
    });
}

fn find(
    pair: &Pair<'_>,
    tile_row: u32,
    [changed, anti_aliased]: [&mut [u32]; 2],
    recent: &mut Recent,
) {
    let stride = words_per_row(pair.size.width);
    let exclude = pair.anti_aliasing == AntiAliasing::Exclude;
    let lines = Line::all(pair, tile_row, changed);
    // Word by word from left to right, each down the rows: what lies around a word lies around the one
    // below it, too.
    for word in 0..stride {
        let first = u32::try_from(word).expect("words of a row fit 32 bits") * WORD_BITS;
        for line in lines.iter().filter(|line| line.words.contains(&word)) {
            let at = line.at + word;
            let wanted = changed[at] & line.columns_in(first);
            if wanted == 0 {
                continue;
            }
            let found = line.around.find_in_word(first, wanted, recent);
            anti_aliased[at] |= found;
            if exclude {
                changed[at] &= !found;
            }
        }
    }
}

/// A stretch of a row of the canvas in which pixels changed.
struct Line<'p> {
    /// The number of the row's first word in the row of tiles.
    at: usize,
    words: Range<usize>,
    columns: Range<u32>,
    around: Around<'p>,
}

impl<'p> Line<'p> {
    /// Those of a row of tiles, from top to bottom.
    fn all(pair: &'p Pair<'_>, tile_row: u32, changed: &[u32]) -> Vec<Self> {
        let stride = words_per_row(pair.size.width);
        let mut lines = Vec::new();
        for ((y, changed), at) in (pair.pixel_rows(tile_row))
            .zip(changed.chunks(stride))
            .zip((0..).step_by(stride))
        {
            if changed.iter().any(|&word| word != 0) {
                lines.extend(pair.unsettled_rows(y).map(|row| Self {
                    at,
                    words: (row.from / WORD_BITS) as usize..row.until.div_ceil(WORD_BITS) as usize,
                    columns: row.from..row.until,
                    around: Around::of(pair, &row, y),
                }));
            }
        }
        lines
    }

    /// Its columns in the word that begins in column `first`: a lane may begin and end within one.
    fn columns_in(&self, first: u32) -> u32 {
        span_bits(first / WORD_BITS, self.columns.start, self.columns.end)
    }
}

/// Five rows of both pictures around the one in question.
pub(crate) enum Around<'p> {
    /// All of them opaque.
    Opaque(Neighbourhood<'p, 3>),
    /// Some of them with translucent pixels.
    Translucent(Neighbourhood<'p, 4>),
}

/// Rows of pixels of `N` channels; `None` beyond the edge of either picture.
type Rows<'p, const N: usize> = [Option<Cow<'p, [[u8; N]]>>; 2 * REACH + 1];

/// The rows and where they lie.
pub(crate) struct Neighbourhood<'p, const N: usize> {
    baseline: Rows<'p, N>,
    current: Rows<'p, N>,
    /// The rows of both pictures that lie in the middle.
    rows_at: [u32; 2],
    /// Columns that both pictures have.
    width: u32,
    /// Number of the row's first place on the canvas, for translucent pixels.
    first_index: usize,
}

/// A neighbour: columns to the right and rows down.
type Step = (i32, i32);

/// The neighbours in the order in which the rule visits them, by columns.
const STEPS: [Step; 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// Equal neighbours beyond which a pixel is no smoothing, and from which on a neighbour is part of an
/// area.
const FEW: u32 = 2;

impl<'p> Around<'p> {
    pub(crate) fn of(pair: &'p Pair<'_>, row: &SharedRow<'p>, y: u32) -> Self {
        let offsets: [i64; 2 * REACH + 1] = [-2, -1, 0, 1, 2];
        let both = offsets.map(|offset| {
            pair.baseline
                .row_at(i64::from(row.baseline_y) + offset)
                .zip(pair.current.row_at(i64::from(row.current_y) + offset))
        });
        let (baseline, current) = (
            both.map(|rows| rows.map(|(baseline, _)| baseline)),
            both.map(|rows| rows.map(|(_, current)| current)),
        );
        let (width, first_index) = (pair.shared_columns, pair.index(0, y));
        let opaque = |rows: &[Option<Row<'_>>]| rows.iter().flatten().all(|row| row.channels == 3);
        if opaque(&baseline) && opaque(&current) {
            let rows = |row: Option<Row<'p>>| row.map(|row| Cow::Borrowed(row.bytes.as_chunks().0));
            Self::Opaque(Neighbourhood {
                baseline: baseline.map(rows),
                current: current.map(rows),
                rows_at: [row.baseline_y, row.current_y],
                width,
                first_index,
            })
        } else {
            let rows = |row: Option<Row<'p>>| row.map(with_alpha);
            Self::Translucent(Neighbourhood {
                baseline: baseline.map(rows),
                current: current.map(rows),
                rows_at: [row.baseline_y, row.current_y],
                width,
                first_index,
            })
        }
    }

    /// Which of the wanted pixels the rule recognises, in the word that begins in column `first`.
    fn find_in_word(&self, first: u32, wanted: u32, recent: &mut Recent) -> u32 {
        if let Self::Opaque(around) = self
            && wanted.count_ones() >= recent.worth_a_word()
        {
            return recent.find(around, first, wanted);
        }
        let mut found = 0;
        for_each_bit(wanted, |bit| {
            found |= u32::from(self.is_anti_aliased(first + bit)) << bit;
        });
        found
    }

    /// Whether the rule recognises the pixel in this column.
    pub(crate) fn is_anti_aliased(&self, x: u32) -> bool {
        match self {
            Self::Opaque(around) => around.is_anti_aliased(x),
            Self::Translucent(around) => around.is_anti_aliased(x),
        }
    }
}

fn with_alpha(row: Row<'_>) -> Cow<'_, [[u8; 4]]> {
    if row.channels == 4 {
        return Cow::Borrowed(row.bytes.as_chunks().0);
    }
    let (pixels, _) = row.bytes.as_chunks();
    Cow::Owned(pixels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect())
}

impl<const N: usize> Neighbourhood<'_, N> {
    fn is_anti_aliased(&self, x: u32) -> bool {
        [&self.baseline, &self.current].into_iter().any(|rows| {
            self.slope(rows, x).is_some_and(|(darkest, brightest)| {
                self.both_have_siblings(x, darkest) || self.both_have_siblings(x, brightest)
            })
        })
    }

    /// The darkest and the brightest neighbour, when the pixel lies on a slope between them.
    fn slope(&self, rows: &Rows<'_, N>, x: u32) -> Option<(Step, Step)> {
        let centre = *rows[REACH].as_ref()?.get(x as usize)?;
        let mut equal = u32::from(self.is_at_edge(x, 0));
        let (mut lowest, mut highest) = (0.0, 0.0);
        let (mut darkest, mut brightest) = ((0, 0), (0, 0));
        for step in STEPS {
            let Some(neighbour) = self.pixel(rows, x, step) else {
                continue;
            };
            if neighbour == centre {
                equal += 1;
                if equal > FEW {
                    return None;
                }
                continue;
            }
            let delta = self.brightness_delta(centre, neighbour, x);
            if delta == 0.0 {
                equal += 1;
                if equal > FEW {
                    return None;
                }
            } else if delta < lowest {
                (lowest, darkest) = (delta, step);
            } else if delta > highest {
                (highest, brightest) = (delta, step);
            }
        }
        (lowest < 0.0 && highest > 0.0).then_some((darkest, brightest))
    }

    /// Whether the neighbour has three neighbours of its very colour in both pictures.
    fn both_have_siblings(&self, x: u32, step: Step) -> bool {
        self.has_siblings(&self.baseline, x, step) && self.has_siblings(&self.current, x, step)
    }

    fn has_siblings(&self, rows: &Rows<'_, N>, x: u32, (right, down): Step) -> bool {
        let Some(centre) = self.pixel(rows, x, (right, down)) else {
            return false;
        };
        let mut equal = u32::from(self.is_at_edge(x.wrapping_add_signed(right), down));
        for (more_right, more_down) in STEPS {
            if self.pixel(rows, x, (right + more_right, down + more_down)) == Some(centre) {
                equal += 1;
                if equal > FEW {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a column, so many rows down, lies at an edge of the pictures.
    fn is_at_edge(&self, x: u32, down: i32) -> bool {
        x == 0 || x + 1 == self.width || self.is_outermost_row(down)
    }

    /// Whether the row, so many rows down, is the topmost or the lowest of the pictures.
    fn is_outermost_row(&self, down: i32) -> bool {
        let row = |down: i32| row_index(down).and_then(|at| self.baseline[at].as_ref());
        row(down - 1).is_none() || row(down + 1).is_none()
    }

    fn pixel(&self, rows: &Rows<'_, N>, x: u32, (right, down): Step) -> Option<[u8; N]> {
        let x = x.checked_add_signed(right).filter(|&x| x < self.width)?;
        rows[row_index(down)?].as_ref()?.get(x as usize).copied()
    }

    /// How much brighter a pixel is than its neighbour; of one kind all over the neighbourhood, since a sum of floats may
    /// tell apart what whole units hold for equal.
    fn brightness_delta(&self, centre: [u8; N], neighbour: [u8; N], x: u32) -> f64 {
        let (centre, neighbour) = (rgba(&centre), rgba(&neighbour));
        if N == 3 {
            return (brightness(centre) - brightness(neighbour)) as f64;
        }
        let index = self.first_index + x as usize;
        exact_brightness_delta(centre, neighbour, index)
    }
}

/// The place of a row, so many rows down, among the five.
fn row_index(down: i32) -> Option<usize> {
    usize::try_from(down + 2).ok().filter(|&at| at <= 2 * REACH)
}
