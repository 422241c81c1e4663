//! What was displaced or resized because something else changed.
//!
//! Each container is swept in document order with the offset that the changes so far account for: what
//! moved by that offset, within a pixel, is displaced. All that one change displaced is one finding;
//! what no change accounts for was moved itself.

mod causes;
mod container;
mod frames;
mod items;
mod resized;
mod shown;
mod sweep;

use std::cmp::Reverse;

use pentimento_api::result::ChangeType;

use crate::document::NONE;
use crate::draft::{Draft, Drafts};
use crate::finding::Area;
use crate::structure::Pairing;

use causes::Causes;
use frames::{Frames, near};

/// Distances up to this are nothing: browsers round rectangles to whole pixels.
const TOLERANCE_PX: i64 = 1;

/// Adds the consequences of the drafts, and what moved without a cause.
pub(crate) fn find_consequences(pairing: &Pairing<'_>, drafts: &mut Drafts) {
    let frames = Frames::new(pairing);
    let shown = shown::find_shown(pairing, drafts);
    if frames.is_still() {
        return;
    }
    resized::find_resized(pairing, &frames, drafts);
    let causes = Causes::new(pairing, drafts);
    drafts.displaced_by = sweep::sweep(pairing, &frames, &causes, &shown, drafts);
    collapse(pairing, &frames, &causes, drafts);
}

/// Innermost elements of a group whose places are kept.
const MAX_PLACES: usize = 4096;

/// Displacements of a group that are told apart.
const MAX_SHIFTS: usize = 32;

/// What one change displaced.
#[derive(Clone, Default)]
struct Group {
    shifts: Vec<Displaced>,
    count: u32,
    places: Vec<[Area; 2]>,
}

/// What moved up or down by the same.
#[derive(Clone, Copy)]
struct Displaced {
    down: i64,
    count: u32,
    /// The topmost node and its top edge.
    root: (i64, u32),
}

impl Group {
    fn add(&mut self, down: i64, root: (i64, u32)) {
        let same = |known: &&mut Displaced| near(known.down, down);
        if let Some(known) = self.shifts.iter_mut().find(same) {
            known.count += 1;
            known.root = known.root.min(root);
        } else if self.shifts.len() < MAX_SHIFTS {
            let count = 1;
            self.shifts.push(Displaced { down, count, root });
        }
    }

    /// The topmost node of those that went up or down as most did: a container whose margins collapse otherwise now may
    /// go by another amount than all that is in it. What went to the side alone speaks only where there is nothing else.
    fn root(&self) -> Option<u32> {
        let key = |known: &&Displaced| (!near(known.down, 0), known.count, Reverse(known.root));
        self.shifts.iter().max_by_key(key).map(|most| most.root.1)
    }
}

/// Makes one finding of all that one change displaced. Containers that only grew with what is in them
/// are counted, but make no finding.
fn collapse(pairing: &Pairing<'_>, frames: &Frames, causes: &Causes, drafts: &mut Drafts) {
    let mut groups = vec![Group::default(); drafts.list.len()];
    for (before, after) in pairing.pairs() {
        let Some(shift) = frames.shift(after).filter(|shift| !shift.is_nothing()) else {
            continue;
        };
        if drafts.own[after as usize].is_some() {
            continue;
        }
        let cause = drafts.displaced_by[after as usize];
        let grown = || {
            shift
                .is_resized()
                .then(|| causes.within(pairing, after, shift.dh))
        };
        let Some(cause) = cause.or_else(|| grown().flatten()) else {
            continue;
        };
        let group = &mut groups[cause];
        group.count += 1;
        if pairing.after.node(after).size == 1 && group.places.len() < MAX_PLACES {
            let was = pairing.before.node(before).area;
            group.places.push([was, pairing.after.node(after).area]);
        }
        let at = (pairing.after.node(after).area.y, after);
        if shift.is_moved() && drafts.displaced_by[after as usize].is_some() {
            group.add(shift.dy, at);
        }
    }
    for (cause, group) in groups.into_iter().enumerate() {
        let Some(root) = group.root() else {
            continue;
        };
        let before = pairing.matching.backward[root as usize];
        debug_assert_ne!(before, NONE, "only pairs are displaced");
        let mut draft = Draft::new(ChangeType::ReflowDisplacement, before, root);
        draft.cause = Some(cause);
        draft.collapsed = group.count - 1;
        draft.displaced = group.places;
        draft.shift = frames.shift(root).map(|shift| (shift.dx, shift.dy));
        drafts.list.push(draft);
    }
}
