//! Two folders in one table, worst page first.

use std::cmp::Reverse;
use std::fmt::Write as _;

use serde::Serialize;

use super::{PageReport, PageStatus};
use crate::diff::names::printable;
use crate::diff::table::{Align, table};
use crate::diff::words::percent;
use crate::verdict::numbers::thousands;

/// How many pages came out how.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pages: usize,
    same: usize,
    changed: usize,
    added: usize,
    removed: usize,
    errors: usize,
}

impl Summary {
    pub(super) fn of(pages: &[PageReport]) -> Self {
        let mut summary = Self {
            pages: pages.len(),
            ..Self::default()
        };
        for page in pages {
            *match page.status {
                PageStatus::Same => &mut summary.same,
                PageStatus::Changed => &mut summary.changed,
                PageStatus::Added => &mut summary.added,
                PageStatus::Removed => &mut summary.removed,
                PageStatus::Error => &mut summary.errors,
            } += 1;
        }
        summary
    }
}

/// All pages that are not the same in a table, then the errors, then the counts.
pub(super) fn describe(pages: &[PageReport], summary: &Summary) -> String {
    let mut listed: Vec<&PageReport> = (pages.iter())
        .filter(|page| page.status != PageStatus::Same)
        .collect();
    listed.sort_by_key(|page| rank(page));
    let mut text = String::new();
    if !listed.is_empty() {
        text.push_str(&pages_table(&listed));
        text.push('\n');
    }
    for page in &listed {
        if let Some(error) = &page.error {
            let _ = writeln!(text, "error: {}", printable(error));
        }
    }
    let counts = [
        (summary.same, "the same"),
        (summary.changed, "changed"),
        (summary.added, "added"),
        (summary.removed, "removed"),
        (summary.errors, "not comparable"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", thousands(*count as u64)))
        .collect();
    let noun = if summary.pages == 1 { "page" } else { "pages" };
    let pages = thousands(summary.pages as u64);
    let _ = writeln!(text, "{pages} {noun}: {}.", counts.join(", "));
    text
}

/// Errors first, then pages that have no counterpart, then by how much they changed; the name
/// settles the rest.
fn rank(page: &PageReport) -> (u8, Reverse<u64>, &str) {
    let group = match page.status {
        PageStatus::Error => 0,
        PageStatus::Removed => 1,
        PageStatus::Added => 2,
        PageStatus::Changed => 3,
        PageStatus::Same => 4,
    };
    let percentage = page
        .comparison
        .as_ref()
        .map_or(0.0, |facts| facts.diff_percentage);
    // Numbers from 0 up sort as their bits do.
    (group, Reverse(percentage.to_bits()), &page.name)
}

fn pages_table(pages: &[&PageReport]) -> String {
    let rows: Vec<_> = pages
        .iter()
        .map(|page| {
            let figure = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
            let facts = page.comparison.as_ref();
            [
                page.name.clone(),
                page.status.as_str().to_owned(),
                figure(facts.map(|facts| percent(facts.diff_percentage))),
                figure(facts.map(|facts| thousands(facts.changed_pixels))),
                figure(facts.map(|facts| format!("{:.2}", facts.score))),
                figure(facts.map(|facts| facts.regions.len().to_string())),
            ]
        })
        .collect();
    table(
        [
            ("page", Align::Left),
            ("outcome", Align::Left),
            ("diff", Align::Right),
            ("pixels", Align::Right),
            ("score", Align::Right),
            ("regions", Align::Right),
        ],
        &rows,
    )
}
