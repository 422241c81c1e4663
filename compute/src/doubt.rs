//! Where two captures of one picture disagree, and what that leaves out of the picture's comparison with another.
//!
//! A picture that was captured twice and came out in two ways cannot be trusted where the two differ. A [`Doubt`] keeps
//! these places in the coordinates of the picture that is kept; comparisons that are given it leave them out, as far as
//! [`Doubt`] says, wherever their layout puts them.

use std::ops::Range;

use crate::comparison::Comparison;
use crate::geometry::{Rect, Size};
use crate::layout::{Band, Lane, Layout};
use crate::mask::BitMask;

/// Pixels around a place of disagreement that are doubtful too: glyphs and shadows end a few pixels apart in two
/// captures, and the alignment of two pairs may differ by a row.
const MARGIN_PX: u32 = 4;

/// Which picture of a comparison is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubtful {
    /// The baseline.
    Baseline,
    /// The current picture.
    Current,
}

/// What is in doubt of one picture of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    side: Doubtful,
    /// In the coordinates of that picture.
    pixels: BitMask,
    /// Where another capture of it has rows that it lacks, from the top down.
    seams: Vec<Seam>,
}

/// A place between two rows, or above or below them all.
#[derive(Debug, Clone, PartialEq)]
struct Seam {
    columns: Range<u32>,
    /// The row below it.
    y: u32,
}

impl Doubt {
    /// The doubt that a disagreement raises: a comparison whose *baseline* was the capture that is kept, and whose current
    /// picture another capture of the same. `areas` of the kept one are doubtful as a whole.
    pub fn of(side: Doubtful, disagreement: &Comparison, areas: &[Rect]) -> Self {
        let kept = disagreement.baseline;
        let mut pixels = BitMask::new(kept);
        let mut seams = Vec::new();
        for (lane, band, y) in placed(&disagreement.layout, Doubtful::Baseline, kept) {
            let columns = columns(lane);
            if band.baseline_y.is_some() {
                for row in 0..band.rows {
                    let from = (&disagreement.mask, band.y + row);
                    copy_row(&mut pixels, y + row, from, columns.clone());
                }
            } else {
                seams.push(Seam { columns, y });
            }
        }
        seams.sort_by_key(|seam| seam.y);
        for &area in areas {
            pixels.fill(area);
        }
        for _ in 0..MARGIN_PX {
            pixels.grow();
        }
        Self {
            side,
            pixels,
            seams,
        }
    }
}

/// The doubtful pixels of a canvas; nothing when there are none.
pub(crate) fn on_canvas(layout: &Layout, doubts: &[Doubt], sizes: [Size; 2]) -> Option<BitMask> {
    if doubts.is_empty() {
        return None;
    }
    let mut found = BitMask::new(layout.size);
    for doubt in doubts {
        let extent = match doubt.side {
            Doubtful::Baseline => sizes[0],
            Doubtful::Current => sizes[1],
        };
        for (lane, band, y) in placed(layout, doubt.side, extent) {
            if first_row(band, doubt.side).is_some() {
                for row in 0..band.rows {
                    let from = (&doubt.pixels, y + row);
                    copy_row(&mut found, band.y + row, from, columns(lane));
                }
                continue;
            }
            // Rows that only the other picture has: in doubt where another capture of this one has rows as well.
            let first_near = (doubt.seams).partition_point(|seam| seam.y + MARGIN_PX < y);
            let is_near = |seam: &&Seam| seam.y <= y + MARGIN_PX;
            for other in doubt.seams[first_near..].iter().take_while(is_near) {
                let (left, right) = (
                    lane.x.max(other.columns.start),
                    columns(lane).end.min(other.columns.end),
                );
                if left < right {
                    found.fill(Rect {
                        x: left,
                        y: band.y,
                        width: right - left,
                        height: band.rows,
                    });
                }
            }
        }
    }
    (found.count() > 0).then_some(found)
}

fn columns(lane: &Lane) -> Range<u32> {
    lane.x..lane.x + lane.width
}

fn first_row(band: &Band, side: Doubtful) -> Option<u32> {
    match side {
        Doubtful::Baseline => band.baseline_y,
        Doubtful::Current => band.current_y,
    }
}

/// The bands of all lanes, each with its first row in a picture, or the row there that comes next below a band that the
/// picture lacks; in a lane from the bottom up.
fn placed(
    layout: &Layout,
    side: Doubtful,
    picture: Size,
) -> impl Iterator<Item = (&Lane, &Band, u32)> {
    layout.lanes.iter().flat_map(move |lane| {
        let mut below = picture.height;
        lane.bands.iter().rev().map(move |band| {
            below = first_row(band, side).unwrap_or(below);
            (lane, band, below)
        })
    })
}

/// Sets the bits of a row that are set in a row of another mask, within these columns.
fn copy_row(to: &mut BitMask, y: u32, (from, from_y): (&BitMask, u32), columns: Range<u32>) {
    if y < to.size().height && from_y < from.size().height {
        to.add_row(y, from.row(from_y), columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::BackendChoice;
    use crate::comparator::Comparator;
    use crate::encode::encode_rgb;
    use crate::options::{AntiAliasing, CompareOptions};

    /// A page 200 px wide of rows that are all different, with blocks of colour on it.
    fn page(banner_px: u32, blocks: &[(Rect, u8)]) -> Vec<u8> {
        let size = Size {
            width: 200,
            height: 400 + banner_px,
        };
        encode_rgb(size, |y, row| {
            let in_banner = (40..40 + banner_px).contains(&y);
            let content = if y < 40 { y } else { y - banner_px.min(y) };
            for (x, pixel) in (0..).zip(row.chunks_exact_mut(3)) {
                let noise = (content.wrapping_mul(2_654_435_761) >> (x / 8 % 24)) & 0x7f;
                let plain = if in_banner {
                    250
                } else {
                    u8::try_from(noise).unwrap()
                };
                let over = blocks.iter().find(|(area, _)| {
                    (area.x..area.right()).contains(&x) && (area.y..area.bottom()).contains(&y)
                });
                pixel.fill(over.map_or(plain, |(_, colour)| *colour));
            }
        })
        .unwrap()
    }

    fn block(x: u32, y: u32) -> Rect {
        Rect {
            x,
            y,
            width: 40,
            height: 30,
        }
    }

    /// What stays of the difference when `kept` and `other` are two captures of the current picture.
    fn agreed(baseline: &[u8], kept: &[u8], other: &[u8]) -> Comparison {
        let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
        let strict = CompareOptions {
            anti_aliasing: AntiAliasing::Include,
            ..CompareOptions::default()
        };
        let disagreement = comparator.compare(kept, other, &strict).unwrap();
        let options = CompareOptions {
            doubts: vec![Doubt::of(Doubtful::Current, &disagreement, &[])],
            ..CompareOptions::default()
        };
        comparator.compare(baseline, kept, &options).unwrap()
    }

    #[test]
    fn what_two_captures_disagree_on_is_left_out_and_nothing_else() {
        let (ad, change) = (block(10, 100), block(120, 300));
        let baseline = page(0, &[(ad, 200)]);
        let found = agreed(&baseline, &page(0, &[(ad, 220)]), &page(0, &[(ad, 255)]));
        assert_eq!((found.changed_pixels, found.regions.len()), (0, 0));
        assert!((found.score - 100.0).abs() < 1e-9, "{}", found.score);

        let kept = page(0, &[(ad, 220), (change, 240)]);
        let found = agreed(&baseline, &kept, &page(0, &[(ad, 255), (change, 240)]));
        assert_eq!(found.regions.len(), 1);
        assert_eq!(found.regions[0].area, change);
        assert_eq!(
            found.total_pixels,
            200 * 400,
            "the percentage is of the whole page"
        );
    }

    #[test]
    fn rows_that_come_and_go_are_in_doubt_whichever_capture_has_them() {
        let (without, with) = (page(0, &[]), page(60, &[]));
        for (baseline, kept, other) in [(&without, &with, &without), (&with, &without, &with)] {
            let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
            let plain = CompareOptions::default();
            let alone = comparator.compare(baseline, kept, &plain).unwrap();
            assert_eq!(alone.changed_pixels, 200 * 60);
            assert_eq!(agreed(baseline, kept, other).changed_pixels, 0);
        }
    }

    #[test]
    fn a_change_below_rows_that_come_and_go_is_still_found() {
        let change = block(120, 300);
        let moved = block(120, 360);
        let found = agreed(
            &page(0, &[]),
            &page(60, &[(moved, 240)]),
            &page(0, &[(change, 240)]),
        );
        assert_eq!(found.regions.len(), 1, "{:?}", found.regions);
        assert_eq!(found.regions[0].current_area, Some(moved));
    }
}
