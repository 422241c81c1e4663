//! What a sweep comes across: the children of each container that needs one, and the changes between
//! them.

use pentimento_api::result::ChangeType;

use crate::document::NONE;
use crate::draft::{Draft, Drafts};
use crate::structure::Pairing;

use super::causes::{growth, heights, is_lifted, is_move};
use super::frames::{Frames, Shift};
use super::shown::Shown;

/// Something in a container, in document order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// A pair that stayed, by its node after.
    Stay(u32),
    /// Something came or went.
    Change {
        draft: usize,
        /// By how much that makes the container higher.
        growth: i64,
        /// It is only a wrapper around what stayed.
        wraps: bool,
    },
}

/// An item in its container and place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) frame: u32,
    place: u32,
    /// What went stands behind the place that it is known by.
    behind: bool,
    pub(super) item: Item,
}

/// The items of all containers in which something moved or changed, by container.
pub(super) fn items(
    pairing: &Pairing<'_>,
    frames: &Frames,
    shown: &[Shown],
    drafts: &Drafts,
) -> Vec<Entry> {
    let mut entries = changes(pairing, frames, drafts);
    let shown = shown.iter().map(|shown| Entry {
        frame: frames.of_after(shown.after),
        place: shown.after,
        behind: false,
        item: Item::Change {
            draft: shown.draft,
            growth: shown.growth,
            wraps: false,
        },
    });
    entries.extend(shown.filter(|entry| entry.frame != NONE));
    let mut busy = vec![false; pairing.after.nodes.len()];
    for entry in &entries {
        busy[entry.frame as usize] = true;
    }
    let stays = || {
        let stays = pairing
            .pairs()
            .filter(|(_, after)| !pairing.moved[*after as usize]);
        stays.filter_map(|(_, after)| {
            let frame = Some(frames.of_after(after)).filter(|frame| *frame != NONE)?;
            Some((frame, after, frames.shift(after)?))
        })
    };
    for (frame, after, shift) in stays() {
        let around = frames.shift(frame).unwrap_or_default();
        let relative = Shift {
            dx: shift.dx - around.dx,
            dy: shift.dy - around.dy,
            ..shift
        };
        let changed = drafts.own[after as usize].is_some();
        busy[frame as usize] |= !relative.is_nothing() || (changed && !shift.is_nothing());
    }
    let stays = stays().filter(|(frame, ..)| busy[*frame as usize]);
    entries.extend(stays.map(|(frame, place, _)| Entry {
        frame,
        place,
        behind: false,
        item: Item::Stay(place),
    }));
    // Stable, so that changes at one place stay in their order.
    entries.sort_by_key(|entry| (entry.frame, entry.place, entry.behind));
    entries
}

/// Where something came or went; what was moved did both.
fn changes(pairing: &Pairing<'_>, frames: &Frames, drafts: &Drafts) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (at, draft) in drafts.list.iter().enumerate() {
        let wraps = wraps(pairing, draft);
        let lifted = match draft.kind {
            ChangeType::Insert => is_lifted(pairing.after, draft.after),
            ChangeType::Delete => is_lifted(pairing.before, draft.before),
            _ => false,
        };
        if lifted && !wraps {
            continue;
        }
        let mut add = |frame, place, behind, growth| {
            entries.push(Entry {
                frame,
                place,
                behind,
                item: Item::Change {
                    draft: at,
                    growth,
                    wraps,
                },
            });
        };
        match draft.kind {
            ChangeType::Insert => add(
                frames.of_after(draft.after),
                draft.after,
                false,
                growth(pairing, draft),
            ),
            ChangeType::Delete => add(
                frames.of_before(draft.before),
                draft.place,
                true,
                growth(pairing, draft),
            ),
            _ if is_move(draft) => {
                let (was, is) = heights(pairing, draft);
                let place = pairing.place[draft.before as usize];
                add(frames.of_before(draft.before), place, true, -was);
                add(frames.of_after(draft.after), draft.after, false, is);
            }
            _ => {}
        }
    }
    entries.retain(|entry| entry.frame != NONE);
    entries
}

/// Whether an inserted or deleted element has something inside that stayed.
fn wraps(pairing: &Pairing<'_>, draft: &Draft) -> bool {
    let size = match draft.kind {
        ChangeType::Insert => pairing.after.node(draft.after).size,
        ChangeType::Delete => pairing.before.node(draft.before).size,
        _ => return false,
    };
    size > 1 + draft.collapsed
}
