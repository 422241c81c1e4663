//! What lay in an element that went, and stays without the ground that this one gave it.

use rustc_hash::FxHashSet;

use crate::context::up;
use crate::draft::Draft;
use crate::sight::is_painted;
use crate::structure::Pairing;

/// The outermost nodes after that lay in the element of a delete, on a ground that went with it; without those that a nearer change
/// tells of.
pub(crate) fn bared(pairing: &Pairing<'_>, draft: &Draft, told: &FxHashSet<u32>) -> Vec<u32> {
    let before = pairing.before;
    let range = before.subtree(draft.before);
    let place = |at: u32| (at - range.start) as usize;
    // By node that went: whether it, or one around it that went too, is painted.
    let mut grounds = vec![false; range.len()];
    let (mut stay, mut at) = (Vec::new(), range.start);
    while at < range.end {
        let node = before.node(at);
        let on_ground = at > range.start && grounds[place(node.parent)];
        if let Some(after) = pairing.matching.counterpart(at) {
            if on_ground && !is_told(pairing, after, told) {
                stay.push(after);
            }
            at += node.size;
        } else {
            grounds[place(at)] = on_ground || is_painted(before, at);
            at += 1;
        }
    }
    stay
}

/// Whether a node after has a change that is looked at by itself, or one that came and that it now lies in has.
fn is_told(pairing: &Pairing<'_>, after: u32, told: &FxHashSet<u32>) -> bool {
    let holder = pairing.holder_after[after as usize];
    let mut around = up(pairing.after, after).take_while(|around| *around != holder);
    around.any(|around| told.contains(&around))
}
