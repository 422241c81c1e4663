//! Rows that came or went one or two at a time all down a page.

use super::Told;
use crate::verdict::numbers::thousands;

/// Rows of a place at most.
pub(super) const MAX_LOOSE_ROWS: u32 = 2;

/// Places of a lane from which on they are told together. Lines of text that are no whole number of pixels tall are drawn on
/// whole ones: below a change they lie now a pixel nearer to what is above them, now a pixel further.
const MANY: usize = 4;

/// A row or two that came or went between rows that both pictures have.
#[derive(Clone, Copy)]
pub(super) struct Loose {
    pub(super) inserted: u32,
    pub(super) removed: u32,
    /// Where they are, or were, in the current picture.
    pub(super) now: u32,
}

/// What is said of a lane, with many loose rows in one sentence.
pub(super) fn loose_together(told: Vec<Told>, columns: &str) -> Vec<Told> {
    let loose: Vec<Loose> = told.iter().filter_map(|told| told.loose).collect();
    if loose.len() < MANY {
        return told;
    }
    let (mut others, told): (Vec<Told>, Vec<Told>) =
        told.into_iter().partition(|told| told.loose.is_none());
    let sum = |rows: fn(&Loose) -> u32| -> u32 { loose.iter().map(rows).sum() };
    let (new, old) = (sum(|loose| loose.inserted), sum(|loose| loose.removed));
    let how = if loose
        .iter()
        .all(|loose| loose.inserted + loose.removed == 1)
    {
        "one at a time"
    } else {
        "one or two at a time"
    };
    let (new_words, old_words) = (thousands(new.into()), thousands(old.into()));
    let what = match (new, old) {
        (_, 0) => format!("{new_words} rows were inserted"),
        (0, _) => format!("{old_words} rows were removed"),
        (_, 1) => format!("{new_words} rows were inserted and 1 was removed"),
        (1, _) => format!("1 row was inserted and {old_words} were removed"),
        _ => format!("{new_words} rows were inserted and {old_words} removed"),
    };
    let now = |at: usize| thousands(loose[at].now.into());
    let (first, last) = (now(0), now(loose.len() - 1));
    others.push(Told {
        y: told[0].y,
        rows: told.iter().map(|told| told.rows).sum(),
        sentence: format!(
            "{what} {how} between {first} px and {last} px from the top{columns}, as where lines of text are no whole number of pixels tall."
        ),
        loose: None,
    });
    others
}
