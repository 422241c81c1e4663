//! Boxes that were resized although neither they nor anything in or around them changed: by a style
//! that the capture does not record. Each is a `style-only` finding about its width and height.

use pentimento_api::result::ChangeType;
use rustc_hash::FxHashMap;

use crate::document::{Document, NONE};
use crate::draft::{Draft, Drafts};
use crate::structure::Pairing;
use crate::styles::Delta;

use super::causes::Causes;
use super::frames::{Frames, Shift, near};

/// Adds a draft for every box that was resized by itself; of several in one container only the first,
/// which counts the others.
pub(super) fn find_resized(pairing: &Pairing<'_>, frames: &Frames, drafts: &mut Drafts) {
    let causes = Causes::new(pairing, drafts);
    let grown_inside = contain_resized(pairing, frames);
    let mut first: FxHashMap<u32, usize> = FxHashMap::default();
    for (before, after) in pairing.pairs() {
        let alone = drafts.own[after as usize].is_none() && !pairing.moved[after as usize];
        if !alone || !resized_itself(pairing, frames, &causes, &grown_inside, after) {
            continue;
        }
        let draft = *first.entry(frames.of_after(after)).or_insert_with(|| {
            let mut draft = Draft::new(ChangeType::StyleOnly, before, after);
            draft.style = size_delta(pairing, before, after);
            drafts.list.push(draft);
            drafts.list.len() - 1
        });
        drafts.list[draft].collapsed += u32::from(drafts.list[draft].after != after);
        drafts.own[after as usize] = Some(draft);
        drafts.moves_boxes[after as usize] = true;
    }
}

/// By node: whether something directly in it was resized.
fn contain_resized(pairing: &Pairing<'_>, frames: &Frames) -> Vec<bool> {
    let mut contain = vec![false; pairing.after.nodes.len()];
    for (_, after) in pairing.pairs() {
        let frame = frames.of_after(after);
        if frame != NONE && frames.shift(after).is_some_and(Shift::is_resized) {
            contain[frame as usize] = true;
        }
    }
    contain
}

/// Widths go from the outside in and heights from the inside out, so the outermost box of a new width
/// and the innermost of a new height are where it began.
fn resized_itself(
    pairing: &Pairing<'_>,
    frames: &Frames,
    causes: &Causes,
    grown_inside: &[bool],
    after: u32,
) -> bool {
    let Some(shift) = frames.shift(after).filter(|shift| shift.is_resized()) else {
        return false;
    };
    let frame = frames.of_after(after);
    let around = frames.shift(frame).unwrap_or_default();
    if !near(around.dw, 0) || causes.is_within(pairing.after, after) {
        return false;
    }
    let scope = scope(pairing.after, frame, after);
    let wrapped = pairing.after.node(after).parent != frame;
    let shared =
        wrapped || scope != frame || frames.lays_out_rows(frame) || near(around.dh, shift.dh);
    if shared && scope != NONE && causes.is_within(pairing.after, scope) {
        return false;
    }
    !near(shift.dw, 0) || !grown_inside[after as usize]
}

/// What shares its size with a box: the whole table for a part of one, else its container.
pub(super) fn scope(tree: &Document, frame: u32, at: u32) -> u32 {
    let tag = |at: u32| tree.str(tree.node(at).tag);
    if !matches!(tag(at), "td" | "th" | "tr" | "tbody" | "thead" | "tfoot") {
        return frame;
    }
    let up = |at: &u32| Some(tree.node(*at).parent).filter(|parent| *parent != NONE);
    let table = std::iter::successors(up(&at), up).find(|ancestor| tag(*ancestor) == "table");
    table.unwrap_or(frame)
}

pub(super) fn size_delta(pairing: &Pairing<'_>, before: u32, after: u32) -> Delta {
    let (was, is) = (
        pairing.before.node(before).area,
        pairing.after.node(after).area,
    );
    [("width", was.w, is.w), ("height", was.h, is.h)]
        .into_iter()
        .filter(|(_, was, is)| !near(*was, *is))
        .map(|(name, was, is)| (name.to_owned(), [format!("{was}px"), format!("{is}px")]))
        .collect()
}
