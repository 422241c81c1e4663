//! Which rows stand where.

use std::sync::Arc;

use pentimento_api::review::Outcome;

use super::*;
use crate::review::queue::Page;

fn id(number: usize) -> ResultId {
    format!("00000000-0000-0000-0000-{number:012}")
        .parse()
        .unwrap()
}

fn entry(number: usize, group: &str, triage: TriageStatus) -> Entry {
    let variant = if number.is_multiple_of(2) {
        "Desktop Chrome"
    } else {
        "iPhone 13"
    };
    Entry {
        id: id(number),
        triage,
        group: (!group.is_empty()).then(|| group.to_owned()),
        page: Some(Arc::new(Page {
            label: format!("Page {number}"),
            path: format!("/path/{number}"),
            variant: variant.to_owned(),
            outcome: Outcome::Regression,
            changed: None,
            thumbnail_url: None,
        })),
    }
}

fn ranks() -> Ranks {
    let cause = |place, sentences: &[&str]| Cause {
        place,
        sentences: sentences.iter().map(|&text| text.to_owned()).collect(),
        decision: Some(Decision::Bug),
    };
    Ranks::from([
        ("b".to_owned(), cause(0, &["One.", "Two.", "Three."])),
        ("a".to_owned(), cause(1, &[])),
    ])
}

/// Two pages of the one change, 4,997 of the other, and one of none.
fn long() -> Listing {
    let order: Vec<Entry> = (0..5_000)
        .map(|number| {
            let group = match number {
                0..2 => "b",
                2..4_999 => "a",
                _ => "c",
            };
            entry(number, group, TriageStatus::Pending)
        })
        .collect();
    Listing::of(&order, "", Some(&ranks()))
}

#[test]
fn pages_stand_under_what_changed_with_how_many_are_left() {
    use TriageStatus::{Approved, Pending, Rejected};
    let order = [
        entry(1, "b", Pending),
        entry(2, "b", Approved),
        entry(3, "a", Rejected),
        entry(4, "c", Pending),
        entry(5, "", Pending),
    ];
    let told = |listing: &Listing| -> Vec<(String, usize, usize)> {
        let told = |section: &Section| {
            let heading = section.heading.as_ref();
            let text = heading.map_or("", |heading| heading.text.as_str());
            (text.to_owned(), section.rows.len(), section.left)
        };
        listing.sections.iter().map(told).collect()
    };
    let ranks = ranks();
    let by_cause = Listing::of(&order, "", Some(&ranks));
    assert_eq!(
        told(&by_cause),
        [
            ("One.".to_owned(), 2, 1),
            ("Changed pixels".to_owned(), 1, 0),
            ("Other changes".to_owned(), 2, 2)
        ]
    );
    let first = by_cause.sections[0].heading.as_ref().unwrap();
    assert_eq!((first.more, first.decision), (2, Some(Decision::Bug)));
    let standing = by_cause.standing_of(id(5)).unwrap();
    assert_eq!((standing.place, standing.of), (2, 2));
    // In the job's order, and where no change is known, there is nothing to stand under.
    assert_eq!(
        told(&Listing::of(&order, "", None)),
        [(String::new(), 5, 3)]
    );
    assert_eq!(
        told(&Listing::of(&order[3..], "", Some(&ranks))),
        [(String::new(), 2, 2)]
    );
    assert_eq!(Listing::of(&[], "", Some(&ranks)), Listing::default());
}

#[test]
fn pages_that_nobody_decides_about_stand_by_themselves() {
    for outcome in Outcome::ALL {
        let mut page = entry(2, "", TriageStatus::Pending);
        let told = page.page.as_mut().and_then(Arc::get_mut).unwrap();
        told.outcome = outcome;
        let order = [entry(1, "b", TriageStatus::Pending), page];
        let listing = Listing::of(&order, "", Some(&ranks()));
        let section = &listing.sections[1];
        let wanted = match outcome {
            Outcome::Regression => ("Other changes", 1),
            _ => ("Nothing to decide", 0),
        };
        let heading = section.heading.as_ref().unwrap();
        assert_eq!((heading.text.as_str(), section.left), wanted, "{outcome:?}");
    }
}

#[test]
fn rows_are_narrowed_by_label_path_or_variant() {
    let order: Vec<Entry> = (1..5)
        .map(|number| entry(number, "b", TriageStatus::Pending))
        .collect();
    let found = |needle: &str| -> Vec<usize> {
        let rows = Listing::of(&order, needle, Some(&ranks())).rows;
        let place = |row: &Entry| order.iter().position(|one| one.id == row.id);
        rows.iter().filter_map(place).collect()
    };
    assert_eq!(found("PAGE 2"), [1]);
    assert_eq!(found(" path/3 "), [2]);
    assert_eq!(found("iphone"), [0, 2]);
    assert_eq!(found(""), [0, 1, 2, 3]);
    assert!(found("nothing").is_empty());
}

#[test]
fn of_thousands_of_rows_only_those_near_the_view_are_there() {
    let listing = long();
    assert_eq!(listing.near(View::default()), 0..0);
    let height = 3 * HEADING_PX + 5_000 * ROW_PX;
    assert_eq!(listing.spaces(&(0..0)), (0, height));
    for top in [0, 70, 1_000, 123_456, height - 600] {
        let view = View { top, height: 600 };
        let near = listing.near(view);
        assert!((8..40).contains(&near.len()), "{top}: {near:?}");
        let (above, below) = listing.spaces(&near);
        assert!(above <= top && below <= height - top, "{top}");
        // What is there fills the rest to the pixel, with a heading above each section's part.
        let sections = listing.sections_of(&near);
        let parts = sections.clone().map(|at| listing.part(at, &near).len());
        assert_eq!(parts.sum::<usize>(), near.len(), "{top}");
        let there = sections.len() * HEADING_PX + near.len() * ROW_PX;
        assert_eq!(above + there + below, height, "{top}");
    }
    // A few rows are all there.
    let few = Listing::of(&long().rows[..3], "", None);
    let near = few.near(View {
        top: 0,
        height: 600,
    });
    assert_eq!((near.clone(), few.spaces(&near)), (0..3, (0, 0)));
}

#[test]
fn a_row_is_brought_into_view_with_a_neighbour_and_stays_where_it_is_seen() {
    let listing = long();
    let mut view = View {
        top: 0,
        height: 600,
    };
    assert_eq!(listing.scrolled_to(0, view), None);
    view.top = listing.scrolled_to(3_000, view).unwrap();
    assert_eq!(listing.scrolled_to(3_000, view), None);
    assert_eq!(listing.scrolled_to(3_001, view), None);
    assert!(listing.scrolled_to(3_002, view).is_some());
    let bottom = listing.top_of(3_000) + 2 * ROW_PX;
    assert_eq!(view.top + view.height, bottom);
    view.top = listing.scrolled_to(1_000, view).unwrap();
    assert_eq!(view.top, listing.top_of(999) - HEADING_PX);
    assert_eq!(listing.scrolled_to(999, view), None);
    assert_eq!(listing.scrolled_to(9_999, view), None);
    view.top = listing.scrolled_to(0, view).unwrap();
    assert_eq!(view.top, 0);
}

#[test]
fn a_row_that_only_moves_is_followed_where_it_was_in_view() {
    let view = View {
        top: 1_000,
        height: 600,
    };
    let at = |top| Spot {
        id: id(1),
        order: Order::Cause,
        top,
    };
    for (before, is_followed) in [
        (0, false),
        (999, false),
        (1_000, true),
        (1_600 - ROW_PX, true),
        (1_601 - ROW_PX, false),
    ] {
        let shown = at(5_000).is_to_be_shown(Some(at(before)), view);
        assert_eq!(shown, is_followed, "{before}");
    }
    // Another page, another order, and a row that was not there.
    let other = Spot { id: id(2), ..at(0) };
    let sorted = Spot {
        order: Order::Page,
        ..at(0)
    };
    for before in [Some(other), Some(sorted), None] {
        assert!(at(0).is_to_be_shown(before, view), "{before:?}");
    }
}
