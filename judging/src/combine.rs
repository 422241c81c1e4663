//! Seeded combinations: two to four edits of one page, in disjoint places.

use crate::edit::{Edit, Step};
use crate::html::Element;
use crate::page::Page;
use crate::random::Random;
use crate::select::{Path, next_sibling, path_of};

/// Combinations of each page.
const PER_PAGE: usize = 5;
/// How many of them have no hard bug: with all of them free to have one, hardly any would be left
/// that an intent can settle.
const WITHOUT_HARD_BUG: usize = 3;
/// Draws after which a page has no further combination to give.
const MAX_DRAWS: usize = 100;

/// The combinations of a page, each with its steps in the order of the page's list.
pub(crate) fn combinations(page: &Page) -> Vec<Vec<Step>> {
    let mut random = Random::new(page.seed);
    let mut drawn: Vec<Vec<usize>> = Vec::new();
    for _ in 0..MAX_DRAWS {
        if drawn.len() == PER_PAGE {
            break;
        }
        let with_hard_bugs = drawn.len() >= WITHOUT_HARD_BUG;
        let chosen = draw(page, &mut random, with_hard_bugs);
        if chosen.len() >= 2 && !drawn.contains(&chosen) {
            drawn.push(chosen);
        }
    }
    let steps_of = |chosen: &Vec<usize>| chosen.iter().map(|step| page.steps[*step]).collect();
    drawn.iter().map(steps_of).collect()
}

fn draw(page: &Page, random: &mut Random, with_hard_bugs: bool) -> Vec<usize> {
    let may_be = |step: &usize| {
        let edit = page.steps[*step].edit;
        !edit.is_whole() && (with_hard_bugs || !edit.is_hard_bug())
    };
    let mut candidates: Vec<usize> = (0..page.steps.len()).filter(may_be).collect();
    random.shuffle(&mut candidates);
    let wanted = 2 + random.below(3) as usize;
    let mut chosen: Vec<usize> = Vec::new();
    for candidate in candidates {
        let apart = |known: &usize| are_apart(page, &page.steps[*known], &page.steps[candidate]);
        if chosen.len() < wanted && chosen.iter().all(apart) {
            chosen.push(candidate);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Whether two steps touch disjoint parts of the page, so that each keeps its truth beside the other.
fn are_apart(page: &Page, one: &Step, other: &Step) -> bool {
    if one.edit.is_in_head() || other.edit.is_in_head() {
        return one.at != other.at;
    }
    let (ours, theirs) = (places(&page.root, one), places(&page.root, other));
    let meet = |a: &Path, b: &Path| a.starts_with(b) || b.starts_with(a);
    !ours.iter().any(|a| theirs.iter().any(|b| meet(a, b)))
}

/// The elements that a step takes hold of.
fn places(root: &Element, step: &Step) -> Vec<Path> {
    match step.edit {
        Edit::Insert { before, .. } => vec![path_of(root, before)],
        Edit::MoveBefore(anchor) | Edit::MoveAndReword { before: anchor, .. } => {
            vec![path_of(root, step.at), path_of(root, anchor)]
        }
        Edit::SwapWithNext => {
            let path = path_of(root, step.at);
            let next = next_sibling(root, &path);
            vec![path, next]
        }
        _ => vec![path_of(root, step.at)],
    }
}
