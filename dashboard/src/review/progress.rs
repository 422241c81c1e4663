//! How far a review is: where one is in it, and what is left of it.

use std::collections::HashSet;

use leptos::prelude::*;

use crate::format;
use crate::review::order::Order;
use crate::review::queue::Entry;
use crate::review::state::Review;

/// What is left of the pages that a review goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    /// Changed pages that nobody has decided about.
    pages: usize,
    /// The changes that these show; nothing where pages are not sorted by them, or none is known.
    causes: Option<usize>,
}

/// Where one is and what is left, piece by piece: `138 of 412`, `95 left`, `6 causes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) place: String,
    pub(crate) left: Option<String>,
    pub(crate) causes: Option<String>,
}

impl Left {
    /// What is left of these pages; nothing where none of them is to be decided about.
    pub(crate) fn of(pages: &[Entry], sorting: Order) -> Option<Self> {
        if !pages.iter().any(Entry::is_for_decision) {
            return None;
        }
        let left: Vec<&Entry> = pages.iter().filter(|entry| entry.is_left()).collect();
        let causes: HashSet<&str> = left
            .iter()
            .filter_map(|entry| entry.group.as_deref())
            .collect();
        let is_told = sorting == Order::Cause && !causes.is_empty();
        Some(Self {
            pages: left.len(),
            causes: is_told.then_some(causes.len()),
        })
    }

    fn causes_text(self, more: &str) -> Option<String> {
        let causes = self.causes?;
        let word = if causes == 1 { "cause" } else { "causes" };
        Some(format!("{}{more} {word}", format::grouped(causes as u64)))
    }
}

impl Review {
    /// What is left of the pages that the review goes through.
    pub(crate) fn left(self) -> Option<Left> {
        let sorting = self.sorting.get();
        self.order.with(|order| Left::of(order, sorting))
    }
}

/// Where one is, counted from one, of how many, and what is left of these.
pub(crate) fn told((at, length): (usize, usize), is_whole: bool, left: Option<Left>) -> Told {
    let more = more_may_come(is_whole);
    let (at, length) = (format::grouped(at as u64), format::grouped(length as u64));
    Told {
        place: format!("{at} of {length}{more}"),
        left: left.and_then(|left| match left.pages {
            0 => is_whole.then(|| "none left".to_owned()),
            pages => Some(format!("{}{more} left", format::grouped(pages as u64))),
        }),
        causes: left.and_then(|left| left.causes_text(more)),
    }
}

/// The same for those who see all of the pages: `95 of 412 left · 6 causes`.
pub(crate) fn summary(length: usize, is_whole: bool, left: Option<Left>) -> String {
    let more = more_may_come(is_whole);
    let all = format!("{}{more}", format::grouped(length as u64));
    match left {
        Some(left) if left.pages > 0 => {
            let pages = format::grouped(left.pages as u64);
            let causes = left.causes_text(more);
            let causes = causes.map_or_else(String::new, |causes| format!(" · {causes}"));
            format!("{pages}{more} of {all} left{causes}")
        }
        Some(_) if is_whole => format!("none of {all} left"),
        _ if length == 1 && is_whole => "1 page".to_owned(),
        _ => format!("{all} pages"),
    }
}

fn more_may_come(is_whole: bool) -> &'static str {
    if is_whole { "" } else { "+" }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentimento_api::result::TriageStatus;
    use pentimento_api::review::Outcome;

    use super::*;
    use crate::review::queue::Page;

    fn entry(group: &str, triage: TriageStatus, outcome: Outcome) -> Entry {
        Entry {
            id: "00000000-0000-0000-0000-000000000001".parse().unwrap(),
            triage,
            group: (!group.is_empty()).then(|| group.to_owned()),
            page: Some(Arc::new(Page {
                label: String::new(),
                path: String::new(),
                variant: String::new(),
                outcome,
                changed: None,
                thumbnail_url: None,
            })),
        }
    }

    fn text(told: Told) -> String {
        let pieces = [Some(told.place), told.left, told.causes];
        let pieces: Vec<String> = pieces.into_iter().flatten().collect();
        pieces.join(" · ")
    }

    #[test]
    fn what_is_left_is_undecided_changed_pages_and_their_causes() {
        use Outcome::{NewBaseline, Regression};
        use TriageStatus::{Approved, Pending, Rejected};
        let pages = [
            entry("", Pending, NewBaseline),
            entry("a", Approved, Regression),
            entry("a", Pending, Regression),
            entry("b", Rejected, Regression),
            entry("c", Pending, Regression),
            entry("c", Pending, Regression),
            entry("", Pending, Regression),
        ];
        let by_cause = Left::of(&pages, Order::Cause);
        assert_eq!(
            text(told((2, 7), true, by_cause)),
            "2 of 7 · 4 left · 2 causes"
        );
        assert_eq!(summary(7, true, by_cause), "4 of 7 left · 2 causes");
        let by_page = Left::of(&pages, Order::Page);
        assert_eq!(text(told((2, 7), true, by_page)), "2 of 7 · 4 left");
        assert_eq!(summary(7, true, by_page), "4 of 7 left");
        let one = Left::of(&pages[..3], Order::Cause);
        assert_eq!(text(told((1, 3), true, one)), "1 of 3 · 1 left · 1 cause");
        let none = Left::of(&pages[1..2], Order::Cause);
        assert_eq!(text(told((1, 1), true, none)), "1 of 1 · none left");
        assert_eq!(summary(1, true, none), "none of 1 left");
        // Nobody decides about a page that is new.
        let new = Left::of(&pages[..1], Order::Cause);
        assert_eq!(text(told((1, 1), true, new)), "1 of 1");
        assert_eq!(summary(1, true, new), "1 page");
    }

    #[test]
    fn while_more_may_come_no_figure_is_the_last_one() {
        let left = Some(Left {
            pages: 1_204,
            causes: Some(6),
        });
        assert_eq!(
            text(told((138, 1_500), false, left)),
            "138 of 1,500+ · 1,204+ left · 6+ causes"
        );
        assert_eq!(
            summary(1_500, false, left),
            "1,204+ of 1,500+ left · 6+ causes"
        );
        let none = Some(Left {
            pages: 0,
            causes: None,
        });
        assert_eq!(text(told((1, 500), false, none)), "1 of 500+");
        assert_eq!(summary(500, false, none), "500+ pages");
    }
}
