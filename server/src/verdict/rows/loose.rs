//! Rows that came or went one or two at a time all down a lane, which are one region.

use std::ops::{Range, RangeInclusive};

use pentimento_compute::{Band, Lane, LooseRows, Rect, Region};

use super::gaps::either;
use super::{Told, below_words, drift};
use crate::verdict::numbers::thousands;

/// How many rows came and went.
pub(crate) fn counted(rows: &LooseRows) -> String {
    told(
        &(rows.inserted..=rows.inserted),
        &(rows.removed..=rows.removed),
        ["", ""],
    )
}

/// The same with a verb for one row and for many.
fn told(
    inserted: &RangeInclusive<u32>,
    removed: &RangeInclusive<u32>,
    [was, were]: [&str; 2],
) -> String {
    let rows_words = |rows: &RangeInclusive<u32>| match rows.end() {
        1 => format!("1 row{was}"),
        _ => format!("{} rows{were}", either(rows)),
    };
    match (inserted.end(), removed.end()) {
        (_, 0) => format!("{} inserted", rows_words(inserted)),
        (0, _) => format!("{} removed", rows_words(removed)),
        _ => format!(
            "{} inserted and {} removed",
            rows_words(inserted),
            either(removed)
        ),
    }
}

/// The region of such rows of a lane.
pub(in crate::verdict) fn loose_in_lane<'r>(
    regions: &'r [Region],
    lane: &Lane,
) -> Option<&'r Region> {
    let columns = lane.x..lane.x + lane.width;
    let mut loose = regions
        .iter()
        .filter(|region| region.loose_rows.is_some() && columns.contains(&region.area.x));
    loose.next()
}

/// Whether a region of loose rows tells of what came or went between two bands that both pictures have.
pub(super) fn tells_of(region: &Region, gap: &[Band]) -> bool {
    let rows = region.loose_rows.as_ref();
    rows.is_some_and(|rows| gap.iter().all(|band| rows.are_in(band)))
}

/// Loose rows of lanes beside each other, from left to right: several where all are rounding.
pub(super) struct Loose<'r> {
    of: Vec<(&'r LooseRows, &'r Region)>,
    first: &'r Lane,
    last: &'r Lane,
}

impl<'r> Loose<'r> {
    /// Adds the region of such rows of a lane to those of the lanes to its left.
    pub(super) fn add(all: &mut Vec<Self>, region: &'r Region, lane: &'r Lane) {
        let Some(rows) = &region.loose_rows else {
            return;
        };
        let both = (rows, region);
        match all.last_mut() {
            Some(left) if left.goes_on_in(rows, lane) => {
                left.of.push(both);
                left.last = lane;
            }
            _ => all.push(Self {
                of: vec![both],
                first: lane,
                last: lane,
            }),
        }
    }

    fn goes_on_in(&self, rows: &LooseRows, lane: &Lane) -> bool {
        self.last.x + self.last.width == lane.x
            && rows.is_rounding
            && self.of.iter().all(|(rows, _)| rows.is_rounding)
    }

    fn span(&self, of: impl Fn(&LooseRows) -> u32) -> RangeInclusive<u32> {
        let all = || self.of.iter().map(|(rows, _)| of(rows));
        all().min().unwrap_or(0)..=all().max().unwrap_or(0)
    }

    /// Where what lies below is now, where the rows are no rounding: then they are of one lane.
    fn pushed(&self) -> Option<String> {
        let (rows, _) = self.of.first()?;
        let (first, last) = (rows.places.first()?, rows.places.last()?);
        let of = |band: Option<&Band>| band.and_then(drift).unwrap_or_default();
        let mut above = self.first.bands.iter().rev();
        let mut below = self.first.bands.iter();
        let after = of(below.find(|band| band.y >= last.end));
        Some(below_words(
            of(above.find(|band| band.y < first.start)),
            after..=after,
        ))
    }

    /// What is said of them, with words for columns.
    pub(super) fn told(&self, words: impl Fn(Range<u32>) -> String) -> Option<Told> {
        let (rows, region) = self.of.first()?;
        let why = if rows.is_rounding {
            ", as where lines of text are no whole number of pixels tall".to_owned()
        } else {
            self.pushed()?
        };
        let areas =
            || (self.of.iter()).map(|(_, region)| region.current_area.unwrap_or(region.area));
        let (top, bottom) = (
            areas().map(|area| area.y).min()?,
            areas().map(Rect::bottom).max()?,
        );
        let px = |y: u32| thousands(y.into());
        Some(Told {
            y: region.area.y,
            // Rounding is less than a block, however much of it there is; what is spaced otherwise is all that it pushes.
            rows: if rows.is_rounding {
                let tall = rows.places.iter().map(|place| place.end - place.start);
                tall.max()?
            } else {
                rows.inserted + rows.removed
            },
            places: self.of.iter().map(|(rows, _)| rows.places.len()).sum(),
            sentence: format!(
                "{} one or two at a time between {} px and {} px from the top{}{why}.",
                told(
                    &self.span(|rows| rows.inserted),
                    &self.span(|rows| rows.removed),
                    [" was", " were"]
                ),
                px(top),
                px(bottom),
                words(self.first.x..self.last.x + self.last.width)
            ),
        })
    }
}
