//! The rows of the queue as its column shows them: under a heading for each change, narrowed by what is looked for, and only
//! those near what is in view. Pure text and geometry; it knows no element.

#[cfg(test)]
mod tests;

use std::ops::Range;

use pentimento_api::ids::ResultId;
use pentimento_api::result::{Decision, TriageStatus};

use crate::review::order::{Cause, Order, Ranks};
use crate::review::queue::Entry;

/// Heights in pixels; the same as in `queue.css`.
const ROW_PX: usize = 56;
const HEADING_PX: usize = 64;

/// So far beyond the view rows are there before they come into it.
const MARGIN_PX: usize = 8 * ROW_PX;

/// What is said above the pages that show a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) text: String,
    /// Other changes that the same pages show.
    pub(crate) more: usize,
    /// How the change is judged.
    pub(crate) decision: Option<Decision>,
}

/// Rows below a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// Nothing where pages are not told apart by what changed on them.
    pub(crate) heading: Option<Heading>,
    /// Their places among all rows.
    pub(crate) rows: Range<usize>,
    /// Pages of them that nobody has decided about.
    pub(crate) left: usize,
    /// Where it begins, in pixels.
    top: usize,
}

/// All rows of the column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    pub(crate) rows: Vec<Entry>,
    pub(crate) sections: Vec<Section>,
}

/// What of the column is in view, in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) top: usize,
    pub(crate) height: usize,
}

impl View {
    /// Whether the whole of a row that begins there is in view.
    fn has_row_at(self, top: usize) -> bool {
        self.top <= top && top + ROW_PX <= self.top + self.height
    }
}

/// Where the row of the page that is looked at begins, in pixels, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) id: ResultId,
    pub(crate) order: Order,
    pub(crate) top: usize,
}

impl Spot {
    /// Whether the row is to be brought into view. One that only moves, as when others join above it, takes the reader along
    /// who has it in view, and nobody who looks elsewhere.
    pub(crate) fn is_to_be_shown(self, before: Option<Self>, view: View) -> bool {
        before.is_none_or(|before| {
            (before.id, before.order) != (self.id, self.order) || view.has_row_at(before.top)
        })
    }
}

/// Where a page stands: its place below its heading, counted from one, of how many, and what was decided about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) place: usize,
    pub(crate) of: usize,
    pub(crate) triage: TriageStatus,
}

/// What pages stand under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'a> {
    Cause(&'a Cause),
    /// Changed pages of no change that has a place of its own.
    Changed,
    /// A page that nobody decides about, and that is looked at all the same: it is new, as it was, in error or not done.
    Other,
}

impl<'a> Kind<'a> {
    fn of(entry: &Entry, causes: Option<&'a Ranks>) -> Self {
        let Some(causes) = causes else {
            return Self::Changed;
        };
        match entry.group.as_ref().and_then(|group| causes.get(group)) {
            Some(cause) => Self::Cause(cause),
            None if entry.is_for_decision() => Self::Changed,
            None => Self::Other,
        }
    }

    fn heading(self) -> Heading {
        let plain = |text: &str| Heading {
            text: text.to_owned(),
            more: 0,
            decision: None,
        };
        match self {
            Self::Cause(cause) => match cause.sentences.split_first() {
                Some((first, others)) => Heading {
                    text: first.clone(),
                    more: others.len(),
                    decision: cause.decision,
                },
                None => Heading {
                    decision: cause.decision,
                    ..plain("Changed pixels")
                },
            },
            Self::Changed => plain("Other changes"),
            Self::Other => plain("Nothing to decide"),
        }
    }
}

impl Section {
    fn heading_px(&self) -> usize {
        if self.heading.is_some() {
            HEADING_PX
        } else {
            0
        }
    }

    /// Where one of its rows begins; the one after its last begins where it ends.
    fn top_of(&self, row: usize) -> usize {
        self.top + self.heading_px() + (row - self.rows.start) * ROW_PX
    }
}

impl Listing {
    /// The pages of a review in its order, as far as they are called so; under headings where causes are given.
    pub(crate) fn of(order: &[Entry], needle: &str, causes: Option<&Ranks>) -> Self {
        let needle = needle.trim().to_lowercase();
        let found = order.iter().filter(|entry| is_called(entry, &needle));
        let rows: Vec<Entry> = found.cloned().collect();
        let kinds: Vec<Kind<'_>> = rows.iter().map(|entry| Kind::of(entry, causes)).collect();
        let are_told_apart = kinds.iter().any(|kind| matches!(kind, Kind::Cause(_)));
        let mut sections: Vec<Section> = Vec::new();
        let (mut start, mut top) = (0, 0);
        for alike in kinds.chunk_by(|one, other| one == other) {
            let end = start + alike.len();
            let heading = alike.first().filter(|_| are_told_apart);
            let left = rows[start..end].iter().filter(|entry| entry.is_left());
            let section = Section {
                heading: heading.map(|kind| kind.heading()),
                rows: start..end,
                left: left.count(),
                top,
            };
            (start, top) = (end, section.top_of(end));
            sections.push(section);
        }
        Self { rows, sections }
    }

    /// The rows that are there while this is in view.
    pub(crate) fn near(&self, view: View) -> Range<usize> {
        if view.height == 0 {
            return 0..0;
        }
        let first = self.row_at(view.top.saturating_sub(MARGIN_PX));
        let last = self.row_at(view.top + view.height + MARGIN_PX);
        first..(last + 1).min(self.rows.len())
    }

    /// The space of the rows above and below these, in pixels; the heading of the first one stands right above it.
    pub(crate) fn spaces(&self, near: &Range<usize>) -> (usize, usize) {
        let ends = |section: &Section| section.top_of(section.rows.end);
        let height = self.sections.last().map_or(0, ends);
        let first = self.section_of(near.start);
        let last = (near.end.checked_sub(1)).and_then(|last| self.section_of(last));
        match (first, last) {
            (Some(first), Some(last)) if !near.is_empty() => (
                first.top_of(near.start) - first.heading_px(),
                height - last.top_of(near.end),
            ),
            _ => (0, height),
        }
    }

    /// The sections that have any of these rows.
    pub(crate) fn sections_of(&self, near: &Range<usize>) -> Range<usize> {
        if near.is_empty() {
            return 0..0;
        }
        let begin = |section: &Section| section.rows.end <= near.start;
        let end = |section: &Section| section.rows.start < near.end;
        self.sections.partition_point(begin)..self.sections.partition_point(end)
    }

    /// Those of the rows that are in this section.
    pub(crate) fn part(&self, section: usize, near: &Range<usize>) -> &[Entry] {
        let Some(Section { rows, .. }) = self.sections.get(section) else {
            return &[];
        };
        let part = rows.start.max(near.start)..rows.end.min(near.end);
        self.rows.get(part).unwrap_or_default()
    }

    /// The place of a page among the rows.
    pub(crate) fn place_of(&self, id: ResultId) -> Option<usize> {
        self.rows.iter().position(|entry| entry.id == id)
    }

    /// Where a page stands.
    pub(crate) fn standing_of(&self, id: ResultId) -> Option<Standing> {
        let row = self.place_of(id)?;
        let section = self.section_of(row)?;
        Some(Standing {
            place: row - section.rows.start + 1,
            of: section.rows.len(),
            triage: self.rows[row].triage,
        })
    }

    /// Where a row begins, in pixels.
    pub(crate) fn top_of(&self, row: usize) -> usize {
        self.section_of(row)
            .map_or(0, |section| section.top_of(row))
    }

    /// How far to scroll so that a row is in view with a neighbour beside it; nothing where it is in view.
    pub(crate) fn scrolled_to(&self, row: usize, view: View) -> Option<usize> {
        let section = self.section_of(row)?;
        let top = section.top_of(row);
        let bottom = top + ROW_PX;
        // The heading stays in view above its rows.
        let above = section.heading_px();
        if top < view.top + above {
            Some(top.saturating_sub(above + ROW_PX))
        } else if bottom > view.top + view.height {
            Some((bottom + ROW_PX).saturating_sub(view.height))
        } else {
            None
        }
    }

    fn section_of(&self, row: usize) -> Option<&Section> {
        let at = (self.sections).partition_point(|section| section.rows.end <= row);
        self.sections.get(at)
    }

    /// The row at this height, or the first one below it; beyond the last one their number.
    fn row_at(&self, px: usize) -> usize {
        let begun = self.sections.partition_point(|section| section.top <= px);
        let section = begun.checked_sub(1).and_then(|at| self.sections.get(at));
        section.map_or(0, |section| {
            let within = px.saturating_sub(section.top + section.heading_px()) / ROW_PX;
            (section.rows.start + within).min(section.rows.end)
        })
    }
}

/// Whether the label, the path or the variant of a page contains this, which is in lower case.
fn is_called(entry: &Entry, needle: &str) -> bool {
    let contains = |text: &str| text.to_lowercase().contains(needle);
    needle.is_empty()
        || (entry.page.as_ref()).is_some_and(|page| {
            contains(&page.label) || contains(&page.path) || contains(&page.variant)
        })
}
