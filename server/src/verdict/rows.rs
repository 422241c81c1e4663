//! Inserted, removed and moved rows in sentences.

mod gaps;
mod loose;

use std::cmp::Reverse;

use pentimento_compute::{Band, Lane, Layout, Region};

use super::numbers::thousands;
use gaps::{Gap, tell};
pub(crate) use loose::counted;
pub(super) use loose::loose_in_lane;
use loose::{sentence, tells_of};

/// Something said of rows.
struct Told {
    /// Where they are on the canvas.
    y: u32,
    /// How many they are; of rounding, at the place that has most.
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
        let loose = loose_in_lane(regions, lane);
        let (mut before, mut gaps) = (0, Vec::new());
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
                gaps.extend(Gap::of(gap, before, below.first()));
            }
            told.extend((gap.iter()).filter_map(|band| moved_sentence(band, lane, &columns)));
            rest = below;
        }
        told.extend(tell(gaps, &columns));
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

#[cfg(test)]
mod tests;
