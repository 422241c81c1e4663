//! Inserted, removed and moved rows in sentences.

mod loose;

use std::cmp::Reverse;

use pentimento_compute::{Band, Lane, Layout, Region};

use super::numbers::thousands;
pub(crate) use loose::counted;
use loose::{in_lane, sentence, tells_of};

/// Something said of rows.
struct Told {
    /// Where they are on the canvas.
    y: u32,
    /// How many they are; of several places, at the one that has most.
    rows: u32,
    /// How many places it tells of.
    places: usize,
    sentence: String,
}

/// What is said of a layout's rows and of the loose ones among its regions, from the top down, in `most` sentences at most and one that says how many are left out;
/// nothing when every row is in its place. Where there is more to say than fits, most rows come first.
pub(crate) fn sentences(layout: &Layout, regions: &[Region], most: usize) -> Vec<String> {
    if layout.is_in_place() {
        return Vec::new();
    }
    let mut told: Vec<Told> = Vec::new();
    for lane in &layout.lanes {
        let columns = columns_words(layout, lane);
        let loose = in_lane(regions, lane);
        let mut before = 0;
        let mut rest = lane.bands.as_slice();
        while let Some(start) = rest.iter().position(|band| drift(band).is_none()) {
            if let Some(drift) = rest[..start].last().and_then(drift) {
                before = drift;
            }
            rest = &rest[start..];
            let end = rest
                .iter()
                .position(|band| drift(band).is_some())
                .unwrap_or(rest.len());
            let (gap, below) = rest.split_at(end);
            if !loose.is_some_and(|loose| tells_of(loose, gap)) {
                told.extend(gap_sentence(gap, &columns, before, below.first()));
            }
            told.extend((gap.iter()).filter_map(|band| moved_sentence(band, lane, &columns)));
            rest = below;
        }
        told.extend(loose.and_then(|loose| sentence(loose, lane, &columns)));
    }
    told.sort_by_key(|told| (Reverse(told.rows), told.y));
    let left_out: usize = told.iter().skip(most).map(|told| told.places).sum();
    told.truncate(most);
    told.sort_by_key(|told| told.y);
    let mut sentences: Vec<String> = told.into_iter().map(|told| told.sentence).collect();
    if left_out > 0 {
        let places = if left_out == 1 { "place" } else { "places" };
        sentences.push(format!(
            "And {left_out} more {places} where rows were inserted, removed or moved."
        ));
    }
    sentences
}

/// How much lower the band's rows lie in the current picture than in the baseline; none when only one has them.
fn drift(band: &Band) -> Option<i64> {
    Some(i64::from(band.current_y?) - i64::from(band.baseline_y?))
}

fn columns_words(layout: &Layout, lane: &Lane) -> String {
    if layout.lanes.len() < 2 {
        return String::new();
    }
    format!(
        " in the columns {}–{}",
        thousands(lane.x.into()),
        thousands((lane.x + lane.width.saturating_sub(1)).into())
    )
}

/// What came and went between two bands that both pictures have, of which the lower one may be missing.
fn gap_sentence(gap: &[Band], columns: &str, before: i64, below: Option<&Band>) -> Option<Told> {
    let after = below.and_then(drift);
    let only = |has: fn(&Band) -> Option<u32>| {
        let mut bands = gap
            .iter()
            .filter(|band| band.moved.is_none())
            .filter_map(|band| Some((has(band)?, band.rows)))
            .peekable();
        let top = bands.peek().map_or(0, |(y, _)| *y);
        (top, bands.map(|(_, rows)| rows).sum::<u32>())
    };
    let (top_now, inserted) = only(|band| band.current_y);
    let (top_before, removed) = only(|band| band.baseline_y);
    let place = |top: u32, of: &str| match (top, after) {
        (0, _) => " at the top of the page".to_owned(),
        (_, None) => " at the end of the page".to_owned(),
        (top, Some(_)) => format!(" at {} px from the top{of}", thousands(top.into())),
    };
    let what = match (inserted, removed) {
        (0, 0) => return None,
        (rows, 0) => format!("{} inserted{}", rows_words(rows), place(top_now, "")),
        (0, rows) => format!(
            "{} removed{}",
            rows_words(rows),
            place(top_before, " of the baseline")
        ),
        (new, old) => format!(
            "{} replaced by {}{}",
            rows_words(old),
            thousands(new.into()),
            place(top_now, "")
        ),
    };
    let below = after.map_or_else(String::new, |after| below_words(before, after));
    Some(Told {
        y: gap[0].y,
        rows: inserted.max(removed),
        places: 1,
        sentence: format!("{what}{columns}{below}."),
    })
}

/// Where what follows lies now, as a reader of both pictures sees it.
fn below_words(before: i64, after: i64) -> String {
    let by = thousands(after.unsigned_abs());
    match (before, after) {
        (0, 0) => "; everything below stays in its place".to_owned(),
        (0, 1..) => format!("; everything below moved down by {by} px"),
        (0, _) => format!("; everything below moved up by {by} px"),
        (_, 0) => "; everything below is back in its place".to_owned(),
        (_, 1..) => format!("; everything below lies {by} px lower than before"),
        (_, _) => format!("; everything below lies {by} px higher than before"),
    }
}

/// Rows that were moved are told once, where they are now; of those that came back within others that are new, where they were.
fn moved_sentence(band: &Band, lane: &Lane, columns: &str) -> Option<Told> {
    let there = band.moved?;
    let (before, now, within) = match (band.baseline_y, band.current_y) {
        (_, Some(now)) => (there, now, ""),
        (Some(before), None) if !is_told_there(band, there, lane) => {
            (before, there, ", among rows that are new there")
        }
        _ => return None,
    };
    let verb = if band.rows == 1 { "row" } else { "rows" };
    let sentence = format!(
        "{} {verb} moved from {} px to {} px from the top{columns}{within}.",
        thousands(band.rows.into()),
        thousands(before.into()),
        thousands(now.into())
    );
    Some(Told {
        y: band.y,
        rows: band.rows,
        places: 1,
        sentence,
    })
}

/// Whether rows that went to a place of the current picture are told with those that lie there.
fn is_told_there(gone: &Band, there: u32, lane: &Lane) -> bool {
    let meets = |now: u32, rows: u32| now < there + gone.rows && there < now + rows;
    let mut came = lane.bands.iter().filter(|band| band.moved.is_some());
    came.any(|band| band.current_y.is_some_and(|now| meets(now, band.rows)))
}

fn rows_words(rows: u32) -> String {
    match rows {
        1 => "1 row was".to_owned(),
        many => format!("{} rows were", thousands(many.into())),
    }
}

#[cfg(test)]
mod tests {
    use pentimento_compute::{LooseRows, Rect, Size};

    use super::super::pixels::tests::region;
    use super::*;

    /// Rows of a band, and whether baseline and current picture have them.
    type Part = (u32, bool, bool);

    fn lane(x: u32, width: u32, parts: &[Part]) -> Lane {
        let (mut y, mut baseline, mut current) = (0, 0, 0);
        let bands = parts
            .iter()
            .map(|&(rows, before, after)| {
                let band = Band {
                    y,
                    rows,
                    baseline_y: before.then_some(baseline),
                    current_y: after.then_some(current),
                    moved: None,
                };
                y += rows;
                baseline += if before { rows } else { 0 };
                current += if after { rows } else { 0 };
                band
            })
            .collect();
        Lane { x, width, bands }
    }

    fn band(
        y: u32,
        rows: u32,
        baseline_y: Option<u32>,
        current_y: Option<u32>,
        moved: Option<u32>,
    ) -> Band {
        Band {
            y,
            rows,
            baseline_y,
            current_y,
            moved,
        }
    }

    fn layout(lanes: Vec<Lane>) -> Layout {
        let size = Size {
            width: 1280,
            height: 4000,
        };
        Layout { size, lanes }
    }

    #[test]
    fn rows_are_told_with_what_they_did_to_the_page() {
        let same = |rows| (rows, true, true);
        let new = |rows| (rows, false, true);
        let old = |rows| (rows, true, false);
        for (parts, told) in [
            (vec![same(900)], vec![]),
            (vec![same(900), new(40)], vec![]),
            (
                vec![same(120), new(40), same(780)],
                vec![
                    "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
                ],
            ),
            (
                vec![old(1), same(780)],
                vec![
                    "1 row was removed at the top of the page; everything below moved up by 1 px.",
                ],
            ),
            (
                vec![same(120), old(30), new(1070), same(780)],
                vec![
                    "30 rows were replaced by 1,070 at 120 px from the top; everything below moved down by 1,040 px.",
                ],
            ),
            (
                vec![same(120), new(40), same(100), old(40), same(500)],
                vec![
                    "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
                    "40 rows were removed at 220 px from the top of the baseline; everything below is back in its place.",
                ],
            ),
            (
                vec![same(120), new(40), same(100), new(10), same(500), old(7)],
                vec![
                    "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
                    "10 rows were inserted at 260 px from the top; everything below lies 50 px lower than before.",
                    "7 rows were removed at the end of the page.",
                ],
            ),
        ] {
            assert_eq!(
                sentences(&layout(vec![lane(0, 1280, &parts)]), &[], 5),
                told
            );
        }
    }

    /// The region of a lane's bands that the engine found to be loose.
    fn loose(lane: &Lane, is_loose: fn(&Band) -> bool) -> Region {
        let mut rows = LooseRows {
            is_rounding: true,
            ..LooseRows::default()
        };
        for band in lane.bands.iter().filter(|band| is_loose(band)) {
            match (band.baseline_y, band.current_y) {
                (None, _) => rows.inserted += band.rows,
                (_, None) => rows.removed += band.rows,
                _ => {}
            }
            rows.places.push(band.y..band.y + band.rows);
        }
        let (first, last) = (rows.places.first().unwrap(), rows.places.last().unwrap());
        let area = Rect {
            x: lane.x,
            y: first.start,
            width: lane.width,
            height: last.end - first.start,
        };
        let current_area = Rect {
            y: area.y + 7,
            ..area
        };
        Region {
            area,
            current_area: Some(current_area),
            loose_rows: Some(rows),
            ..region(400, 1.0)
        }
    }

    fn is_short(band: &Band) -> bool {
        band.rows <= 2
    }

    #[test]
    fn loose_rows_of_a_lane_are_told_together_and_all_else_by_itself() {
        let same = |rows| (rows, true, true);
        let (new, old, pair) = ((1, false, true), (1, true, false), (2, false, true));
        let parts = [
            same(100),
            (24, true, false),
            same(100),
            new,
            same(50),
            old,
            same(60),
            pair,
            same(70),
            old,
            same(80),
            new,
        ];
        let page = lane(0, 1280, &parts);
        let region = loose(&page, |band| is_short(band) && band.y < 480);
        assert_eq!(
            sentences(&layout(vec![page.clone()]), &[region], 9),
            [
                "24 rows were removed at 100 px from the top of the baseline; everything below moved up by 24 px.",
                "3 rows were inserted and 2 removed one or two at a time between 231 px and 416 px from the top, as where lines of text are no \
                 whole number of pixels tall.",
                "1 row was inserted at the end of the page.",
            ]
        );
        // What is no rounding pushes what follows.
        let mut spaced = loose(&page, |band| is_short(band) && band.y < 480);
        spaced.loose_rows.as_mut().unwrap().is_rounding = false;
        let told = sentences(&layout(vec![page.clone()]), &[spaced], 9);
        assert!(
            told[1].ends_with("between 231 px and 416 px from the top; everything below lies 23 px higher than before."),
            "{told:?}"
        );
        // However many they are, a block is more; those that are left out are counted.
        let region = loose(&page, |band| is_short(band) && band.y < 480);
        assert_eq!(
            sentences(&layout(vec![page.clone()]), &[region], 1)[1],
            "And 5 more places where rows were inserted, removed or moved."
        );
        // Without such a region each is told.
        assert_eq!(sentences(&layout(vec![page.clone()]), &[], 9).len(), 6);
        let gone: Vec<Part> = (0..4)
            .flat_map(|_| [same(40), old])
            .chain([same(9)])
            .collect();
        let lanes = vec![page, lane(1280, 9, &gone)];
        let region = loose(&lanes[1], is_short);
        let told = sentences(&layout(lanes), &[region], 9);
        assert_eq!(told.len(), 7);
        assert!(
            told.iter().any(|told| told.starts_with(
                "4 rows were removed one or two at a time between 47 px and 171 px from the top in the columns 1,280–1,288, as"
            )),
            "{told:?}"
        );
    }

    #[test]
    fn a_lane_is_named_by_its_columns() {
        let lanes = vec![
            lane(0, 240, &[(900, true, true)]),
            lane(
                240,
                1040,
                &[(100, true, true), (20, false, true), (800, true, true)],
            ),
        ];
        assert_eq!(
            sentences(&layout(lanes), &[], 5),
            [
                "20 rows were inserted at 100 px from the top in the columns 240–1,279; everything below moved down by 20 px."
            ]
        );
    }

    #[test]
    fn moved_rows_are_told_once() {
        let bands = vec![
            band(0, 30, Some(0), None, Some(50)),
            band(30, 50, Some(30), Some(0), None),
            band(80, 30, None, Some(50), Some(0)),
        ];
        let lane = Lane {
            x: 240,
            width: 1040,
            bands,
        };
        assert_eq!(
            sentences(&layout(vec![lane.clone()]), &[], 5),
            ["30 rows moved from 0 px to 50 px from the top."]
        );
        let bar = self::lane(0, 240, &[(110, true, true)]);
        assert_eq!(
            sentences(&layout(vec![bar, lane]), &[], 5),
            ["30 rows moved from 0 px to 50 px from the top in the columns 240–1,279."]
        );
    }

    #[test]
    fn moved_rows_that_came_back_among_new_ones_are_told() {
        let bands = vec![
            band(0, 30, Some(0), None, Some(150)),
            band(30, 100, Some(30), Some(0), None),
            band(130, 200, None, Some(100), None),
            band(330, 100, Some(130), Some(300), None),
        ];
        let lane = Lane {
            x: 0,
            width: 1280,
            bands,
        };
        assert_eq!(
            sentences(&layout(vec![lane]), &[], 5),
            [
                "30 rows moved from 0 px to 150 px from the top, among rows that are new there.",
                "200 rows were inserted at 100 px from the top; everything below lies 170 px lower than before."
            ]
        );
    }

    #[test]
    fn sentences_are_bounded() {
        let parts: Vec<Part> = (1..=8)
            .flat_map(|rows| [(100, true, true), (rows, false, true)])
            .chain([(10, true, true)])
            .collect();
        let told = sentences(&layout(vec![lane(0, 1280, &parts)]), &[], 5);
        assert_eq!(told.len(), 5 + 1);
        assert!(told[0].starts_with("4 rows were inserted"), "{told:#?}");
        assert_eq!(
            told[5],
            "And 3 more places where rows were inserted, removed or moved."
        );
    }
}
