//! Whether a region may show the same edges as before, drawn at another part of a pixel.
//!
//! An edge that goes on by less than a pixel mixes colours that were beside each other before. A stroke that is new, or is
//! gone, shows a colour where the other picture has nothing like it: so a text that reads otherwise is told from one that
//! is set a third of a pixel further, however faint it is.

use crate::geometry::Rect;
use crate::pair::{Both, Pair};

/// Share in percent, of all that both pictures show right around a pixel, by which its colour may lie beyond what the other
/// one shows there. A line one pixel wide that comes to lie across two loses half of its strength; a new stroke has all of
/// its own.
const MOST_BEYOND_PERCENT: u32 = 60;

/// Pixels of a region that are looked at; of larger ones every second row, every third, and so on.
const MAX_PIXELS: u64 = 1 << 20;

/// Whether no changed pixel of an area has a colour that the other picture has nothing like within a pixel of it.
pub(super) fn is_redrawn(pair: &Pair<'_>, area: Rect) -> bool {
    let step = (u64::from(area.width) * u64::from(area.height)).div_ceil(MAX_PIXELS);
    let step = usize::try_from(step).expect("a step is small");
    (area.y..area.bottom())
        .step_by(step)
        .all(|y| row_is_redrawn(pair, area, y))
}

fn row_is_redrawn(pair: &Pair<'_>, area: Rect, y: u32) -> bool {
    let from = area.x.saturating_sub(1);
    let until = (area.right() + 1).min(pair.size.width);
    let rows = y.saturating_sub(1)..(y + 2).min(pair.size.height);
    let along = |y: u32| -> Vec<Both> { pair.both_along(y, from..until).collect() };
    let own = along(y);
    let is_whole = |row: &Vec<Both>| row.len() == (until - from) as usize;
    if !is_whole(&own) {
        // What one picture lacks is not drawn anew.
        return false;
    }
    // Rows that one of them lacks say nothing of what is around a pixel.
    let rows: Vec<Vec<Both>> = rows.map(along).filter(is_whole).collect();
    (own.iter().enumerate()).all(|(at, (before, after))| {
        let x = from + u32::try_from(at).expect("rows are narrow");
        let is_inside = area.x <= x && x < area.right();
        if !is_inside
            || pair.is_ignored(x, y)
            || !(pair.threshold).exceeds(*before, *after, pair.index(x, y))
        {
            return true;
        }
        let columns = at.saturating_sub(1)..(at + 2).min(own.len());
        let around = || rows.iter().flat_map(|row| &row[columns.clone()]);
        (0..3).all(|channel| {
            let was = Range::of(around().map(|both| both.0[channel]));
            let is = Range::of(around().map(|both| both.1[channel]));
            let whole = was.joined(is).extent();
            let beyond = was.beyond(after[channel]).max(is.beyond(before[channel]));
            beyond * 100 <= whole * MOST_BEYOND_PERCENT
        })
    })
}

/// The least and the most of a channel.
#[derive(Clone, Copy)]
struct Range {
    least: u8,
    most: u8,
}

impl Range {
    fn of(values: impl Iterator<Item = u8>) -> Self {
        let none = Self {
            least: u8::MAX,
            most: 0,
        };
        values.fold(none, |range, value| Self {
            least: range.least.min(value),
            most: range.most.max(value),
        })
    }

    fn joined(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn extent(self) -> u32 {
        u32::from(self.most.saturating_sub(self.least))
    }

    fn beyond(self, value: u8) -> u32 {
        u32::from(
            self.least
                .saturating_sub(value)
                .max(value.saturating_sub(self.most)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    const SIZE: Size = Size {
        width: 60,
        height: 40,
    };

    /// A page of white on which something is drawn: how much of a pixel's ink is there, 0 to 1.
    fn page(ink: f64, covered: impl Fn(u32, u32) -> f64) -> Image {
        Image::of_greys(SIZE, 3, |x, y| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 255"
            )]
            let grey = (255.0 - ink * covered(x, y)).round() as u8;
            grey
        })
    }

    /// How much of the pixel in this column lies in a stroke from here on, so many pixels wide.
    fn stroke(x: u32, from: f64, width: f64) -> f64 {
        let x = f64::from(x);
        ((x + 1.0).min(from + width) - x.max(from)).clamp(0.0, 1.0)
    }

    fn redrawn(before: Image, after: Image) -> bool {
        let area = Rect {
            x: 0,
            y: 0,
            width: SIZE.width,
            height: SIZE.height,
        };
        is_redrawn(&Pair::in_place(&[before, after]), area)
    }

    #[test]
    fn strokes_a_part_of_a_pixel_further_are_redrawn() {
        for ink in [255.0, 120.0] {
            for width in [1.0, 1.3, 2.0, 5.0] {
                for further in [0.2, 0.3, 0.5] {
                    let strokes = |shift: f64| {
                        move |x, _| {
                            [10.0, 20.0, 30.0]
                                .map(|from| stroke(x, from + shift, width))
                                .iter()
                                .sum()
                        }
                    };
                    let (one, other) = (page(ink, strokes(0.0)), page(ink, strokes(further)));
                    assert!(redrawn(one, other), "{ink} {width} {further}");
                    let (one, other) = (page(ink, strokes(further)), page(ink, strokes(0.0)));
                    assert!(redrawn(one, other), "{ink} {width} {further}, back");
                }
            }
        }
    }

    #[test]
    fn a_stroke_that_comes_or_goes_is_no_redrawing() {
        let faint = 100.0;
        let one = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 20.3, 1.0);
        let two = |x: u32, _| one(x, 0) + stroke(x, 26.0, 1.0);
        assert!(!redrawn(page(faint, one), page(faint, two)), "it came");
        assert!(!redrawn(page(faint, two), page(faint, one)), "it went");
        let moved = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 23.3, 1.0);
        assert!(!redrawn(page(faint, one), page(faint, moved)));
        // A one becomes a seven: a bar is drawn on top of a stroke that stays.
        let seven = |x: u32, y: u32| {
            let bar = if y == 5 && (5..10).contains(&x) {
                1.0
            } else {
                0.0
            };
            one(x, 0) + bar
        };
        assert!(!redrawn(page(faint, one), page(faint, seven)));
    }
}
