//! How much of what changed lies in places that are hidden in both captures: what masking these places would leave.

use crate::geometry::{Rect, Size};
use crate::layout::{Band, Layout, part_in_band};
use crate::mask::BitMask;

/// Counts changed pixels that are not hidden on both sides. `hidden` has the hidden places of the baseline and of the current
/// capture, each in that capture's own pixels; `mask` and `layout` are those of the comparison.
///
/// A pixel of a row that only one of the captures has counts as not hidden: masking keeps the layout, so the row stays what it is.
/// Places that lie over each other again and again are looked at until they have covered the canvas 16 times, and thousands of
/// them over thousands of bands from the top until they were held against each other 2²⁸ times; what comes after counts as not
/// hidden.
pub fn count_uncovered(mask: &BitMask, layout: &Layout, hidden: [&[Rect]; 2]) -> u64 {
    let [baseline, current] = hidden;
    let mut left = mask.clone();
    left.remove(&on_canvas(mask, layout, baseline, |band| band.baseline_y));
    let mut also_left = mask.clone();
    also_left.remove(&on_canvas(mask, layout, current, |band| band.current_y));
    left.add(&also_left);
    left.count()
}

/// Counts the pixels of a page that lie in at least one of some places; of more than cover it 16 times, those that come first
/// count.
pub fn count_covered(page: Size, places: &[Rect]) -> u64 {
    let layout = Layout::in_place(page, page);
    on_canvas(&BitMask::new(page), &layout, places, |band| band.current_y).count()
}

/// How many times the canvas may be covered.
const MAX_COVERED: u64 = 16;

/// How often a place is held against a band: some tenths of a second. Thousands of places over bands of single rows are more.
const MAX_LOOKS: u64 = 1 << 28;

/// Where the canvas shows the places of one capture.
fn on_canvas(
    mask: &BitMask,
    layout: &Layout,
    places: &[Rect],
    own_y: impl Fn(&Band) -> Option<u32>,
) -> BitMask {
    let mut covered = BitMask::new(mask.size());
    let size = mask.size();
    let mut left_to_do = MAX_COVERED * u64::from(size.width) * u64::from(size.height);
    let mut looks_left = MAX_LOOKS;
    for lane in &layout.lanes {
        for band in &lane.bands {
            let Some(y) = own_y(band) else { continue };
            for place in places {
                if looks_left == 0 {
                    return covered;
                }
                looks_left -= 1;
                let Some(part) = part_in_band(*place, lane, band, y) else {
                    continue;
                };
                let Some(rest) =
                    left_to_do.checked_sub(u64::from(part.width) * u64::from(part.height))
                else {
                    return covered;
                };
                left_to_do = rest;
                covered.fill(part);
            }
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Lane;

    const SIZE: Size = Size {
        width: 100,
        height: 60,
    };

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    /// Ten rows that both have, ten that only the current capture has, forty that both have.
    fn shifted() -> Layout {
        let band = |y, rows, baseline_y, current_y| Band {
            y,
            rows,
            baseline_y,
            current_y,
            moved: None,
        };
        Layout {
            size: SIZE,
            lanes: vec![Lane {
                x: 0,
                width: 100,
                bands: vec![
                    band(0, 10, Some(0), Some(0)),
                    band(10, 10, None, Some(10)),
                    band(20, 40, Some(10), Some(20)),
                ],
            }],
        }
    }

    #[test]
    fn what_is_hidden_on_both_sides_is_covered() {
        let mut mask = BitMask::new(SIZE);
        mask.fill(rect(40, 30, 20, 10));
        let left =
            |before: &[Rect], now: &[Rect]| count_uncovered(&mask, &shifted(), [before, now]);
        assert_eq!(left(&[], &[]), 200);
        // The canvas has these rows ten lower than the baseline.
        assert_eq!(left(&[rect(40, 20, 20, 10)], &[rect(40, 30, 20, 10)]), 0);
        assert_eq!(left(&[rect(40, 30, 20, 10)], &[rect(40, 30, 20, 10)]), 200);
        assert_eq!(left(&[rect(40, 20, 20, 10)], &[rect(40, 30, 15, 10)]), 50);
        assert_eq!(left(&[rect(0, 0, 100, 50)], &[]), 200);
        // Several places cover together, and what sticks out of the page does no harm.
        let halves = [rect(0, 0, 50, 90), rect(50, 0, 90, 90)];
        assert_eq!(left(&halves, &halves), 0);
    }

    #[test]
    fn pixels_in_several_places_are_counted_once() {
        let places = [
            rect(0, 0, 50, 10),
            rect(40, 0, 20, 10),
            rect(90, 50, 90, 90),
        ];
        assert_eq!(count_covered(SIZE, &places), 600 + 100);
        assert_eq!(count_covered(SIZE, &[]), 0);
    }

    #[test]
    fn places_without_end_are_given_up() {
        let mut mask = BitMask::new(SIZE);
        mask.fill(rect(40, 30, 20, 10));
        let page = rect(0, 0, 50, 60);
        let many: Vec<Rect> = (0..100)
            .map(|_| page)
            .chain([rect(50, 0, 50, 60)])
            .collect();
        assert_eq!(
            count_uncovered(&mask, &Layout::in_place(SIZE, SIZE), [&many, &many]),
            100
        );
    }

    #[test]
    fn rows_of_one_capture_alone_stay() {
        let mut mask = BitMask::new(SIZE);
        mask.fill(rect(0, 5, 100, 10));
        let all = [rect(0, 0, 100, 60)];
        assert_eq!(count_uncovered(&mask, &shifted(), [&all, &all]), 500);
    }

    /// Each band is held against each place, up to a bound: what was not looked at by then counts as not hidden.
    #[test]
    fn places_over_bands_are_looked_at_in_bounded_time() {
        let rows = 20_000;
        let size = Size {
            width: 10,
            height: rows,
        };
        let band = |y| Band {
            y,
            rows: 1,
            baseline_y: Some(y),
            current_y: Some(y),
            moved: None,
        };
        let layout = |rows| Layout {
            size,
            lanes: vec![Lane {
                x: 0,
                width: 10,
                bands: (0..rows).map(band).collect(),
            }],
        };
        let mut mask = BitMask::new(size);
        mask.fill(rect(3, 0, 1, rows));
        let mut places = vec![rect(9, rows, 1, 1); 20_000];
        places.push(rect(0, 0, 10, rows));
        let left = |places: &[Rect]| count_uncovered(&mask, &layout(rows), [places, places]);
        let looked_at = MAX_LOOKS / places.len() as u64;
        assert_eq!(left(&places), u64::from(rows) - looked_at);
        assert_eq!(left(&places[19_990..]), 0);
    }
}
