//! What came and went between bands that both pictures have.

use std::ops::RangeInclusive;

use pentimento_compute::Band;

use super::{Told, below_words, drift};
use crate::verdict::numbers::thousands;

/// Places with as many rows each from which on they are told in one sentence: the rows of a filtered table, a list whose entries all grew.
const ALIKE_PLACES: usize = 4;

/// Rows that came, went or were replaced at one place.
pub(super) struct Gap {
    /// Where it is on the canvas.
    y: u32,
    /// The first rows of it in the current picture and in the baseline.
    tops: [u32; 2],
    inserted: u32,
    removed: u32,
    /// How much lower than in the baseline lies what is above and what is below, which may be missing.
    above: i64,
    below: Option<i64>,
}

impl Gap {
    /// Of the bands between two that both pictures have, of which the lower one may be missing; none where rows only moved.
    pub(super) fn of(bands: &[Band], above: i64, below: Option<&Band>) -> Option<Self> {
        let only = |has: fn(&Band) -> Option<u32>| {
            let lone = bands.iter().filter(|band| band.moved.is_none());
            let mut lone = lone
                .filter_map(|band| Some((has(band)?, band.rows)))
                .peekable();
            let top = lone.peek().map_or(0, |(y, _)| *y);
            (top, lone.map(|(_, rows)| rows).sum::<u32>())
        };
        let (top_now, inserted) = only(|band| band.current_y);
        let (top_before, removed) = only(|band| band.baseline_y);
        (inserted + removed > 0).then(|| Self {
            y: bands[0].y,
            tops: [top_now, top_before],
            inserted,
            removed,
            above,
            below: below.and_then(drift),
        })
    }

    /// Where its rows begin, and the words for the picture that is meant.
    fn top(&self) -> (u32, &'static str) {
        match self.inserted {
            0 => (self.tops[1], " of the baseline"),
            _ => (self.tops[0], ""),
        }
    }

    fn told(&self, columns: &str) -> Told {
        let place = match (self.top(), self.below) {
            ((0, _), _) => " at the top of the page".to_owned(),
            (_, None) => " at the end of the page".to_owned(),
            ((top, of), Some(_)) => format!(" at {} px from the top{of}", thousands(top.into())),
        };
        let what = what(self.inserted..=self.inserted, self.removed..=self.removed);
        let below = (self.below).map_or_else(String::new, |below| below_words(self.above, below));
        Told {
            y: self.y,
            rows: self.inserted.max(self.removed),
            places: 1,
            sentence: format!("{what}{place}{columns}{below}."),
        }
    }

    /// Whether both say the same of as many rows; a place on fractions of pixels has one row more or less.
    fn is_like(&self, other: &Self) -> bool {
        let are_like =
            |ours: u32, theirs: u32| (ours == 0) == (theirs == 0) && ours.abs_diff(theirs) <= 1;
        let is_within = |gap: &Self| gap.top().0 > 0 && gap.below.is_some();
        are_like(self.inserted, other.inserted)
            && are_like(self.removed, other.removed)
            && is_within(self)
            && is_within(other)
    }
}

/// What is said of the gaps of one lane: places that are alike in one sentence, where they are many.
pub(super) fn tell(mut gaps: Vec<Gap>, columns: &str) -> Vec<Told> {
    gaps.sort_by_key(|gap| (gap.inserted, gap.removed, gap.y));
    let mut told = Vec::new();
    let mut rest = gaps.as_slice();
    while let Some(first) = rest.first() {
        let many = rest.iter().take_while(|gap| first.is_like(gap)).count();
        let (alike, others) = rest.split_at(many.max(1));
        if many < ALIKE_PLACES {
            told.extend(alike.iter().map(|gap| gap.told(columns)));
        } else {
            told.push(told_together(alike, columns));
        }
        rest = others;
    }
    told
}

/// What is said of places that are alike.
fn told_together(alike: &[Gap], columns: &str) -> Told {
    let least_and_most = |rows: fn(&Gap) -> u32| {
        let (least, most) = (alike.iter().map(rows).min(), alike.iter().map(rows).max());
        least.unwrap_or(0)..=most.unwrap_or(0)
    };
    let top_most = alike.iter().min_by_key(|gap| gap.y).unwrap_or(&alike[0]);
    let lowest = alike.iter().max_by_key(|gap| gap.y).unwrap_or(&alike[0]);
    let ((first, of), (last, _)) = (top_most.top(), lowest.top());
    let below = lowest.below.unwrap_or(0);
    let below = below_words(top_most.above, below).replacen("below", "below the last", 1);
    Told {
        y: top_most.y,
        rows: alike.iter().map(|gap| gap.inserted.max(gap.removed)).sum(),
        places: alike.len(),
        sentence: format!(
            "{} in each of {} places between {} px and {} px from the top{of}{columns}{below}.",
            what(
                least_and_most(|gap| gap.inserted),
                least_and_most(|gap| gap.removed)
            ),
            alike.len(),
            thousands(first.into()),
            thousands(last.into()),
        ),
    }
}

/// What became of rows, of which there are so many.
fn what(inserted: RangeInclusive<u32>, removed: RangeInclusive<u32>) -> String {
    match (*inserted.end(), *removed.end()) {
        (_, 0) => format!("{} inserted", rows_words(&inserted)),
        (0, _) => format!("{} removed", rows_words(&removed)),
        _ => format!(
            "{} replaced by {}",
            rows_words(&removed),
            counted(&inserted)
        ),
    }
}

fn counted(rows: &RangeInclusive<u32>) -> String {
    let [least, most] = [rows.start(), rows.end()].map(|&rows| thousands(rows.into()));
    if least == most {
        return least;
    }
    format!("{least} or {most}")
}

fn rows_words(rows: &RangeInclusive<u32>) -> String {
    match rows.end() {
        1 => "1 row was".to_owned(),
        _ => format!("{} rows were", counted(rows)),
    }
}
