//! Boxes that had no extent and have one now, or the other way round: shown, hidden, loaded, unfolded. To what
//! stands around them they come and go, although their elements stayed.

use pentimento_api::result::ChangeType;

use crate::draft::{Draft, Drafts};
use crate::structure::Pairing;

use super::causes::Causes;
use super::near;
use super::resized::size_delta;

/// A box that came or went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) draft: usize,
    /// The node after.
    pub(super) after: u32,
    /// By how much that makes its container higher.
    pub(super) growth: i64,
}

/// Finds the outermost such boxes, and adds a draft for each that has none: something that the capture does not record
/// made it come or go.
pub(super) fn find_shown(pairing: &Pairing<'_>, drafts: &mut Drafts) -> Vec<Shown> {
    let causes = Causes::new(pairing, drafts);
    let mut shown = Vec::new();
    let mut covered_until = 0;
    for after in 0..pairing.after.len() {
        let before = pairing.matching.backward[after as usize];
        if after < covered_until || before == crate::document::NONE {
            continue;
        }
        let (was, is) = (
            pairing.before.node(before).area,
            pairing.after.node(after).area,
        );
        let growth = is.h - was.h;
        if was.is_empty() == is.is_empty() || near(growth, 0) || pairing.moved[after as usize] {
            continue;
        }
        let draft = match drafts.own[after as usize] {
            Some(own) => own,
            // It only holds what came or went.
            None if causes.is_within(pairing.after, after) => continue,
            None => {
                let mut draft = Draft::new(ChangeType::StyleOnly, before, after);
                draft.style = size_delta(pairing, before, after);
                drafts.list.push(draft);
                drafts.list.len() - 1
            }
        };
        drafts.own[after as usize] = Some(draft);
        drafts.moves_boxes[after as usize] = true;
        covered_until = pairing.after.subtree(after).end;
        shown.push(Shown {
            draft,
            after,
            growth,
        });
    }
    shown
}
