//! Inserted, removed and moved rows in sentences.

mod gaps;
mod loose;

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use pentimento_compute::{Band, Lane, Layout, Region};

use super::numbers::thousands;
use gaps::{Gap, Place, either, tell};
pub(crate) use loose::counted;
pub(super) use loose::loose_in_lane;
use loose::{Loose, tells_of};

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
    let words = |columns: Range<u32>| columns_words(layout, &columns);
    let mut told: Vec<Told> = Vec::new();
    let (mut places, mut all_loose) = (Vec::new(), Vec::new());
    for lane in &layout.lanes {
        let columns = lane.x..lane.x + lane.width;
        let loose = loose_in_lane(regions, lane);
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
            if !loose.is_some_and(|loose| tells_of(loose, gap))
                && let Some(gap) = Gap::of(columns.clone(), gap, before, below.first())
            {
                Place::add(&mut places, gap);
            }
            let columns = words(columns.clone());
            told.extend((gap.iter()).filter_map(|band| moved_sentence(band, lane, &columns)));
            rest = below;
        }
        if let Some(region) = loose {
            Loose::add(&mut all_loose, region, lane);
        }
    }
    told.extend(tell(places, words));
    told.extend(all_loose.iter().filter_map(|loose| loose.told(words)));
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

/// Which columns are meant; nothing where it is all.
fn columns_words(layout: &Layout, columns: &Range<u32>) -> String {
    let first = layout.lanes.first().map(|lane| lane.x);
    let last = layout.lanes.last().map(|lane| lane.x + lane.width);
    if (first, last) == (Some(columns.start), Some(columns.end)) {
        return String::new();
    }
    format!(
        " in the columns {}–{}",
        thousands(columns.start.into()),
        thousands(columns.end.saturating_sub(1).into())
    )
}

/// Where what follows lies now, as a reader of both pictures sees it; lanes may differ by rounding.
fn below_words(before: i64, after: RangeInclusive<i64>) -> String {
    let (least, most) = (*after.start(), *after.end());
    let number = |drift: i64| u32::try_from(drift.unsigned_abs()).unwrap_or(u32::MAX);
    let [one, other] = [number(least), number(most)];
    let by = either(&(one.min(other)..=one.max(other)));
    match (before, least.signum()) {
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
