//! What came and went between bands that both pictures have.

use std::ops::{Range, RangeInclusive};

use pentimento_compute::Band;

use super::{Told, below_words, drift};
use crate::verdict::numbers::thousands;

/// Places with as many rows each from which on they are told in one sentence: the rows of a filtered table, a list whose entries all grew.
const ALIKE_PLACES: usize = 4;

/// How far apart lanes may cut a place at most, in px: where rows look alike each may cut elsewhere.
const MOST_APART_PX: u32 = 24;

/// Rows that lanes on fractions of pixels may differ by.
const ROUNDED_ROWS: u32 = 2;

/// Rows that came, went or were replaced at one place of a lane.
pub(super) struct Gap {
    columns: Range<u32>,
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
    /// Of the bands of a lane between two that both pictures have, of which the lower one may be missing; none where rows only moved.
    pub(super) fn of(
        columns: Range<u32>,
        bands: &[Band],
        above: i64,
        below: Option<&Band>,
    ) -> Option<Self> {
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
            columns,
            y: bands[0].y,
            tops: [top_now, top_before],
            inserted,
            removed,
            above,
            below: below.and_then(drift),
        })
    }

    fn rows(&self) -> u32 {
        self.inserted.max(self.removed)
    }

    /// Where its rows begin, in the picture that is meant.
    fn top(&self) -> u32 {
        match self.inserted {
            0 => self.tops[1],
            _ => self.tops[0],
        }
    }

    /// Whether it lies within the page.
    fn is_within(&self) -> bool {
        self.top() > 0 && self.below.is_some()
    }

    /// Whether both say the same of as many rows, give or take so many.
    fn is_like(&self, other: &Self, give_or_take: u32) -> bool {
        let are_like = |ours: u32, theirs: u32| {
            (ours == 0) == (theirs == 0) && ours.abs_diff(theirs) <= give_or_take
        };
        are_like(self.inserted, other.inserted) && are_like(self.removed, other.removed)
    }

    /// Whether the lane to the right tells of the same: as many rows, cut a little higher or lower.
    fn goes_on_in(&self, right: &Self) -> bool {
        let rounded = u64::from(ROUNDED_ROWS);
        let drift_alike = |ours: i64, theirs: i64| {
            ours.signum() == theirs.signum() && ours.abs_diff(theirs) <= rounded
        };
        let is_below_alike = match (self.below, right.below) {
            (Some(ours), Some(theirs)) => drift_alike(ours, theirs),
            (None, None) => true,
            _ => false,
        };
        let apart = (self.rows().min(right.rows()) / 2).min(MOST_APART_PX);
        self.columns.end == right.columns.start
            && self.is_like(right, ROUNDED_ROWS)
            && self.is_within() == right.is_within()
            && self.top().abs_diff(right.top()) <= apart
            && drift_alike(self.above, right.above)
            && is_below_alike
    }
}

/// What lanes beside each other tell of the same rows, from left to right.
pub(super) struct Place(Vec<Gap>);

impl Place {
    /// Adds what a lane tells to what those to its left do.
    pub(super) fn add(places: &mut Vec<Self>, gap: Gap) {
        let goes_on =
            |place: &&mut Self| (place.0.last()).is_some_and(|last| last.goes_on_in(&gap));
        match places.iter_mut().rev().find(goes_on) {
            Some(place) => place.0.push(gap),
            None => places.push(Self(vec![gap])),
        }
    }

    /// The columns of all.
    fn columns(&self) -> Range<u32> {
        self.0[0].columns.start..self.0[self.0.len() - 1].columns.end
    }

    /// What tells most of it.
    fn widest(&self) -> &Gap {
        (self.0.iter().rev())
            .max_by_key(|gap| gap.columns.len())
            .unwrap_or(&self.0[0])
    }

    fn y(&self) -> u32 {
        self.widest().y
    }

    fn rows(&self) -> u32 {
        self.widest().rows()
    }

    fn span<T: Copy + Ord>(&self, of: impl Fn(&Gap) -> T) -> RangeInclusive<T> {
        let widest = of(self.widest());
        let (least, most) = (self.0.iter().map(&of).min(), self.0.iter().map(&of).max());
        least.unwrap_or(widest)..=most.unwrap_or(widest)
    }

    /// The words for the picture that is meant.
    fn of(&self) -> &'static str {
        match self.widest().inserted {
            0 => " of the baseline",
            _ => "",
        }
    }

    fn told(&self, columns: &str) -> Told {
        let widest = self.widest();
        let place = match (widest.top(), widest.below) {
            (0, _) => " at the top of the page".to_owned(),
            (_, None) => " at the end of the page".to_owned(),
            (_, Some(_)) => {
                let tops = self.span(Gap::top);
                format!(" at {} px from the top{}", through(&tops), self.of())
            }
        };
        let what = what(
            &self.span(|gap| gap.inserted),
            &self.span(|gap| gap.removed),
        );
        let below = widest.below.map_or_else(String::new, |below| {
            let all = self.span(|gap| gap.below.unwrap_or(below));
            below_words(widest.above, all)
        });
        Told {
            y: self.y(),
            rows: self.rows(),
            places: 1,
            sentence: format!("{what}{place}{columns}{below}."),
        }
    }

    /// Whether both say the same of as many rows in the same columns; a place on fractions of pixels has one row more or less.
    fn is_like(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.widest(), other.widest());
        self.columns() == other.columns()
            && ours.is_like(theirs, 1)
            && ours.is_within()
            && theirs.is_within()
    }
}

/// What is said of places: those that are alike in one sentence, where they are many.
pub(super) fn tell(mut places: Vec<Place>, words: impl Fn(Range<u32>) -> String) -> Vec<Told> {
    places.sort_by_key(|place| {
        let (columns, widest) = (place.columns(), place.widest());
        let rows = (widest.inserted, widest.removed);
        (columns.start, columns.end, rows, widest.y)
    });
    let mut told = Vec::new();
    let mut rest = places.as_slice();
    while let Some(first) = rest.first() {
        let columns = words(first.columns());
        let many = rest.iter().take_while(|place| first.is_like(place)).count();
        let (alike, others) = rest.split_at(many.max(1));
        if many < ALIKE_PLACES {
            told.extend(alike.iter().map(|place| place.told(&columns)));
        } else {
            told.push(told_together(alike, &columns));
        }
        rest = others;
    }
    told
}

/// What is said of places that are alike.
fn told_together(alike: &[Place], columns: &str) -> Told {
    let least_and_most = |rows: fn(&Gap) -> u32| {
        let spans = || alike.iter().map(|place| place.span(rows));
        let (least, most) = (
            spans().map(|span| *span.start()).min(),
            spans().map(|span| *span.end()).max(),
        );
        least.unwrap_or(0)..=most.unwrap_or(0)
    };
    let top_most = alike.iter().min_by_key(|place| place.y());
    let lowest = alike.iter().max_by_key(|place| place.y());
    let [top_most, lowest] = [top_most, lowest].map(|place| place.unwrap_or(&alike[0]));
    let last = lowest.widest();
    let below = last.below.unwrap_or(0);
    let all_below = lowest.span(|gap| gap.below.unwrap_or(below));
    let below = below_words(top_most.widest().above, all_below);
    Told {
        y: top_most.y(),
        rows: alike.iter().map(Place::rows).sum(),
        places: alike.len(),
        sentence: format!(
            "{} in each of {} places between {} px and {} px from the top{}{columns}{}.",
            what(
                &least_and_most(|gap| gap.inserted),
                &least_and_most(|gap| gap.removed)
            ),
            alike.len(),
            thousands(top_most.widest().top().into()),
            thousands(last.top().into()),
            lowest.of(),
            below.replacen("below", "below the last", 1),
        ),
    }
}

/// What became of rows, of which there are so many.
fn what(inserted: &RangeInclusive<u32>, removed: &RangeInclusive<u32>) -> String {
    match (*inserted.end(), *removed.end()) {
        (_, 0) => format!("{} inserted", rows_words(inserted)),
        (0, _) => format!("{} removed", rows_words(removed)),
        _ => format!("{} replaced by {}", rows_words(removed), either(inserted)),
    }
}

/// One number, or the least and the most of several.
pub(super) fn either(numbers: &RangeInclusive<u32>) -> String {
    let [least, most] = [numbers.start(), numbers.end()];
    let [from, to] = [least, most].map(|&number| thousands(number.into()));
    match most - least {
        0 => from,
        1 => format!("{from} or {to}"),
        _ => format!("{from} to {to}"),
    }
}

/// A place, or all from one place to another.
fn through(places: &RangeInclusive<u32>) -> String {
    let [first, last] = [places.start(), places.end()].map(|&y| thousands(y.into()));
    if first == last {
        return first;
    }
    format!("{first}–{last}")
}

fn rows_words(rows: &RangeInclusive<u32>) -> String {
    match rows.end() {
        1 => "1 row was".to_owned(),
        _ => format!("{} rows were", either(rows)),
    }
}
