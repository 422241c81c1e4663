//! A layout in words: what was inserted, removed and moved.

use pentimento_compute::{Band, Lane, Layout};

use crate::verdict::thousands;

/// A line for each band that is not simply in its place, from the top down, lane by lane.
pub(super) fn describe(layout: &Layout) -> Vec<String> {
    let mut lines = Vec::new();
    for lane in &layout.lanes {
        let place = if layout.lanes.len() > 1 {
            format!(
                " in columns {}–{}",
                lane.x,
                (lane.x + lane.width).saturating_sub(1)
            )
        } else {
            String::new()
        };
        let mut shift = 0;
        for band in lane.bands.iter().filter(|band| band.rows > 0) {
            lines.extend(sentence(lane, band, &place, &mut shift));
        }
    }
    lines
}

/// `shift` is how far rows so far stand below their place in the baseline.
fn sentence(lane: &Lane, band: &Band, place: &str, shift: &mut i64) -> Option<String> {
    let rows = rows(band.rows);
    match (band.baseline_y, band.current_y, band.moved) {
        (Some(before), Some(now), _) => {
            let here = i64::from(now) - i64::from(before);
            let changed = std::mem::replace(shift, here) != here;
            changed.then(|| shifted(here, now, place))
        }
        (None, Some(now), None) => Some(format!("{rows} inserted at y {now}{place}.")),
        (Some(before), None, None) => Some(format!(
            "{rows} removed at y {before} of the baseline{place}."
        )),
        (None, Some(now), Some(before)) => {
            Some(format!("{rows} moved from y {before} to y {now}{place}."))
        }
        // The other end of a move says it already, when the layout has one.
        (Some(before), None, Some(now)) => (!lane.bands.iter().any(|other| {
            other.moved.is_some() && other.baseline_y.is_none() && other.current_y == Some(now)
        }))
        .then(|| format!("{rows} moved from y {before} to y {now}{place}.")),
        (None, None, _) => None,
    }
}

fn shifted(by: i64, from: u32, place: &str) -> String {
    let pixels = thousands(by.unsigned_abs());
    match by {
        0 => format!("Rows from y {from} on are in their old place again{place}."),
        1.. => format!("Rows from y {from} on moved down by {pixels} px{place}."),
        _ => format!("Rows from y {from} on moved up by {pixels} px{place}."),
    }
}

fn rows(count: u32) -> String {
    match count {
        1 => "1 row".to_owned(),
        count => format!("{} rows", thousands(count.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_compute::Size;

    fn band(
        rows: u32,
        baseline_y: Option<u32>,
        current_y: Option<u32>,
        moved: Option<u32>,
    ) -> Band {
        Band {
            y: 0,
            rows,
            baseline_y,
            current_y,
            moved,
        }
    }

    fn layout(lanes: Vec<Vec<Band>>) -> Layout {
        let lanes = (0..).zip(lanes);
        Layout {
            size: Size {
                width: 100,
                height: 1000,
            },
            lanes: lanes
                .map(|(index, bands)| Lane {
                    x: index * 50,
                    width: 50,
                    bands,
                })
                .collect(),
        }
    }

    #[test]
    fn rows_in_their_place_need_no_words() {
        let size = Size {
            width: 10,
            height: 10,
        };
        assert_eq!(describe(&Layout::in_place(size, size)), [""; 0]);
    }

    #[test]
    fn insertions_and_removals_move_what_is_below() {
        let bands = vec![
            band(120, Some(0), Some(0), None),
            band(40, None, Some(120), None),
            band(300, Some(120), Some(160), None),
            band(1, Some(420), None, None),
            band(100, Some(421), Some(460), None),
            band(39, Some(521), None, None),
            band(10, Some(560), Some(560), None),
        ];
        assert_eq!(
            describe(&layout(vec![bands])),
            [
                "40 rows inserted at y 120.",
                "Rows from y 160 on moved down by 40 px.",
                "1 row removed at y 420 of the baseline.",
                "Rows from y 460 on moved down by 39 px.",
                "39 rows removed at y 521 of the baseline.",
                "Rows from y 560 on are in their old place again.",
            ]
        );
    }

    #[test]
    fn a_move_is_said_once_and_lanes_are_named() {
        let moved = vec![
            band(50, Some(0), None, Some(100)),
            band(100, Some(50), Some(0), None),
            band(50, None, Some(100), Some(0)),
        ];
        let still = vec![band(150, Some(0), Some(0), None)];
        assert_eq!(
            describe(&layout(vec![still, moved])),
            [
                "Rows from y 0 on moved up by 50 px in columns 50–99.",
                "50 rows moved from y 0 to y 100 in columns 50–99.",
            ]
        );
        let half = vec![band(5, Some(7), None, Some(9))];
        assert_eq!(
            describe(&layout(vec![half])),
            ["5 rows moved from y 7 to y 9."]
        );
    }
}
