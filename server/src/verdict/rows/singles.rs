//! Single rows that came or went all down a page.

use super::Told;
use crate::verdict::numbers::thousands;

/// Places of a lane where a single row came or went from which on they are told together. Lines of text that are no whole number of
/// pixels tall are drawn on whole ones: below a change they lie now a pixel nearer to what is above them, now a pixel further.
const MANY_SINGLES: usize = 4;

/// A row that came or went by itself.
#[derive(Clone, Copy)]
pub(super) struct Single {
    pub(super) is_new: bool,
    /// Where it is, or was, in the current picture.
    pub(super) now: u32,
}

/// What is said of a lane, with many single rows in one sentence.
pub(super) fn singles_together(told: Vec<Told>, columns: &str) -> Vec<Told> {
    let singles: Vec<Single> = told.iter().filter_map(|told| told.single).collect();
    if singles.len() < MANY_SINGLES {
        return told;
    }
    let (mut others, single): (Vec<Told>, Vec<Told>) =
        told.into_iter().partition(|told| told.single.is_none());
    let new = singles.iter().filter(|single| single.is_new).count();
    let what = match (new, singles.len() - new) {
        (new, 0) => format!("{new} single rows were inserted"),
        (0, old) => format!("{old} single rows were removed"),
        (new, old) => format!("{new} single rows were inserted and {old} removed"),
    };
    let now = |at: usize| thousands(singles[at].now.into());
    let (first, last) = (now(0), now(singles.len() - 1));
    others.push(Told {
        y: single[0].y,
        rows: single.iter().map(|told| told.rows).sum(),
        sentence: format!(
            "{what} between {first} px and {last} px from the top{columns}, as where lines of text are no whole number of pixels tall."
        ),
        single: None,
    });
    others
}
