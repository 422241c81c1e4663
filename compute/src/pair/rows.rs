//! What both pictures show along the rows of their canvas.

use std::ops::Range;

use super::{Both, LaneRows, NONE, Pair, RowPair, SharedRow, Side};
use crate::geometry::Rect;
use crate::raster::row::Row;

/// Pixels of a piece of a row that is looked at before the next one is looked for.
const PIECE_PX: usize = 64;

impl Pair<'_> {
    /// The stretches of a row of the canvas that both pictures have and that are not known to be the
    /// same.
    pub(crate) fn unsettled_rows(&self, y: u32) -> impl Iterator<Item = SharedRow<'_>> {
        self.lanes.iter().filter_map(move |lane| {
            let [baseline_y, current_y] = lane.rows[y as usize];
            if baseline_y == NONE
                || current_y == NONE
                || self.known.same(baseline_y, current_y) == Some(true)
            {
                return None;
            }
            let (from, until) = (
                lane.columns.start,
                lane.columns.end.min(self.shared_columns),
            );
            (from < until).then(|| self.shared_row(baseline_y, current_y, from, until))
        })
    }

    /// The same for both pictures laid over each other without any shift.
    pub(crate) fn unsettled_row_in_place(&self, y: u32) -> Option<SharedRow<'_>> {
        if y >= self.baseline.size.height.min(self.current.size.height)
            || self.known.same(y, y) == Some(true)
        {
            return None;
        }
        Some(self.shared_row(y, y, 0, self.shared_columns))
    }

    fn shared_row(&self, baseline_y: u32, current_y: u32, from: u32, until: u32) -> SharedRow<'_> {
        SharedRow {
            baseline_y,
            current_y,
            baseline: self.baseline.row(baseline_y),
            current: self.current.row(current_y),
            from,
            until,
        }
    }

    /// The stretches of a row of the canvas that only one picture has.
    pub(crate) fn one_sided_along(&self, y: u32) -> Vec<Range<u32>> {
        let narrow = self.shared_columns < self.size.width;
        let up_to = |width: u32, columns: &Range<u32>| Some(columns.start..columns.end.min(width));
        (self.lanes.iter())
            .filter_map(|lane| match lane.rows[y as usize] {
                [NONE, NONE] => None,
                [NONE, _] => up_to(self.current.size.width, &lane.columns),
                [_, NONE] => up_to(self.baseline.size.width, &lane.columns),
                _ if narrow => Some(self.shared_columns.max(lane.columns.start)..lane.columns.end),
                _ => None,
            })
            .filter(|columns| !columns.is_empty())
            .collect()
    }

    /// The rows of the baseline and of the current picture that a row of the canvas shows, where it
    /// has one lane and both have one; `None` off the canvas too.
    pub(crate) fn shared_rows(&self, y: i64) -> Option<[u32; 2]> {
        let [lane] = self.lanes.as_slice() else {
            return None;
        };
        let rows = *lane.rows.get(usize::try_from(y).ok()?)?;
        (!rows.contains(&NONE)).then_some(rows)
    }

    /// The rows of one picture along a row of the canvas: columns of each lane, and the row there.
    pub(crate) fn rows_of(
        &self,
        side: Side,
        y: u32,
    ) -> impl Iterator<Item = (Range<u32>, Option<Row<'_>>)> {
        let (raster, at) = match side {
            Side::Baseline => (&self.baseline, 0),
            Side::Current => (&self.current, 1),
        };
        self.lanes.iter().map(move |lane| {
            let row = lane.rows[y as usize][at];
            (lane.columns.clone(), (row != NONE).then(|| raster.row(row)))
        })
    }

    /// The stretches of some columns of a row of the canvas that are not left out.
    pub(crate) fn counted_along(&self, y: u32, columns: Range<u32>) -> Vec<Range<u32>> {
        if self.ignored.is_none() {
            return vec![columns];
        }
        let mut stretches: Vec<Range<u32>> = Vec::new();
        for x in columns.filter(|&x| !self.is_ignored(x, y)) {
            match stretches.last_mut() {
                Some(last) if last.end == x => last.end += 1,
                _ => stretches.push(x..x + 1),
            }
        }
        stretches
    }

    /// The stretches of some columns of a row of the canvas that are not left out, neither there nor so many columns to the left
    /// of there in another row; in pieces, and found one by one, because the first often tells enough.
    pub(crate) fn seen_at_both(
        &self,
        y: u32,
        columns: Range<u32>,
        (left, other_y): (i32, Option<u32>),
    ) -> impl Iterator<Item = Range<u32>> {
        let is_seen = move |x: u32| {
            let place = x.checked_add_signed(-left).zip(other_y);
            !self.is_ignored(x, y) && !place.is_some_and(|(x, y)| self.is_ignored(x, y))
        };
        let mut rest = columns;
        std::iter::from_fn(move || {
            let start = rest.find(|&x| is_seen(x))?;
            let piece = rest.clone().take(PIECE_PX - 1);
            let more = piece.take_while(|&x| is_seen(x)).count();
            rest.start += u32::try_from(more).expect("a piece is short");
            Some(start..rest.start)
        })
    }

    /// The rows of both pictures at a row of the canvas, in the lane with this column; `None` where one has none.
    pub(crate) fn row_pair(&self, y: u32, column: u32) -> Option<RowPair<'_>> {
        let mut lanes = self.lanes.iter();
        let lane = lanes.find(|lane| lane.columns.contains(&column))?;
        self.in_lane(lane, y)
    }

    fn in_lane(&self, lane: &LaneRows, y: u32) -> Option<RowPair<'_>> {
        let [baseline, current] = lane.rows[y as usize];
        (baseline != NONE && current != NONE).then(|| RowPair {
            baseline: self.baseline.row(baseline),
            current: self.current.row(current),
            from: lane.columns.start,
            until: lane.columns.end.min(self.shared_columns),
        })
    }

    /// The stretches of some columns of a row of the canvas that both pictures have.
    pub(crate) fn columns_shared_along(
        &self,
        y: u32,
        columns: Range<u32>,
    ) -> impl Iterator<Item = Range<u32>> {
        let has_both = move |lane: &&LaneRows| !lane.rows[y as usize].contains(&NONE);
        self.lanes.iter().filter(has_both).map(move |lane| {
            let until = lane.columns.end.min(self.shared_columns);
            columns.start.max(lane.columns.start)..columns.end.min(until)
        })
    }

    /// The same with the rows that they are part of.
    pub(crate) fn shared_along(
        &self,
        y: u32,
        columns: Range<u32>,
    ) -> impl Iterator<Item = (Range<u32>, RowPair<'_>)> {
        self.lanes.iter().filter_map(move |lane| {
            let rows = self.in_lane(lane, y)?;
            let part = columns.start.max(rows.from)..columns.end.min(rows.until);
            (!part.is_empty()).then_some((part, rows))
        })
    }

    /// The pixels along a row of the canvas that both pictures have, as they are seen.
    pub(crate) fn both_along(&self, y: u32, columns: Range<u32>) -> impl Iterator<Item = Both> {
        self.shared_along(y, columns)
            .flat_map(|(columns, rows)| columns.filter_map(move |x| rows.both(x)))
    }

    /// Whether columns of a row of an area of the current picture, counted from its corner, show what the baseline shows at the
    /// same place of its area, `way` (right, down) further back, no channel more than so many levels off; parts beyond either
    /// picture show nothing.
    pub(crate) fn shows_shifted(
        &self,
        [from, to]: [Rect; 2],
        row: u32,
        columns: &Range<u32>,
        way: (i32, i32),
        levels: u8,
    ) -> bool {
        let current = self.current.row(to.y + row);
        let Some(baseline) = self
            .baseline
            .row_at(i64::from(from.y + row) - i64::from(way.1))
        else {
            return false;
        };
        let start = i64::from(from.x + columns.start) - i64::from(way.0);
        let Ok(start) = u32::try_from(start) else {
            return false;
        };
        let shown = to.x + columns.start..to.x + columns.end;
        if start + (shown.end - shown.start) > self.baseline.size.width
            || shown.end > self.current.size.width
        {
            return false;
        }
        baseline.shows_alike(start, current, shown, levels)
    }
}

impl<'p> RowPair<'p> {
    /// The pixels in this column, as they are seen.
    pub(crate) fn both(&self, x: u32) -> Option<Both> {
        let is_there = self.from <= x && x < self.until;
        is_there.then(|| (self.baseline.seen(x), self.current.seen(x)))
    }

    /// Writes what both pictures show in some columns, which both must have.
    pub(crate) fn read(&self, columns: Range<u32>, pixels: &mut [Both]) {
        if let Some([baseline, current]) = self.opaque() {
            let part = 3 * columns.start as usize..3 * columns.end as usize;
            let (before, after) = (
                baseline[part.clone()].as_chunks().0,
                current[part].as_chunks().0,
            );
            for ((pixel, &[r, g, b]), &[red, green, blue]) in
                pixels.iter_mut().zip(before).zip(after)
            {
                *pixel = ([r, g, b, u8::MAX], [red, green, blue, u8::MAX]);
            }
            return;
        }
        for (pixel, x) in pixels.iter_mut().zip(columns) {
            *pixel = (self.baseline.seen(x), self.current.seen(x));
        }
    }

    /// The columns that both pictures have.
    pub(crate) fn columns(&self) -> Range<u32> {
        self.from..self.until
    }

    /// The bytes of both rows, the baseline's first, when all their pixels are opaque.
    pub(crate) fn opaque(&self) -> Option<[&'p [u8]; 2]> {
        let is_opaque = self.baseline.channels == 3 && self.current.channels == 3;
        is_opaque.then_some([self.baseline.bytes, self.current.bytes])
    }

    /// The pixels in this column and those beside it, as they are seen.
    pub(crate) fn around(&self, x: u32) -> impl Iterator<Item = Both> {
        let columns = x.saturating_sub(1).max(self.from)..(x + 2).min(self.until);
        columns.map(|x| (self.baseline.seen(x), self.current.seen(x)))
    }

    /// Both rows, the baseline's first.
    pub(crate) fn rows(&self) -> [Row<'p>; 2] {
        [self.baseline, self.current]
    }
}
