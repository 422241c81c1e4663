//! Texts of which only a part can be seen now: what they lie in cuts them off and did not, or they do not fit their own
//! boxes any more.

use crate::context::up;
use crate::cropped::Cropped;
use crate::document::{Document, NONE};
use crate::finding::Area;
use crate::sight::is_text;
use crate::structure::Pairing;

/// Percent of a text's box that could be seen of it before, and from which on enough can be seen now: what is cut may be its
/// padding.
const WHOLE_PERCENT: i64 = 95;
const ENOUGH_PERCENT: i64 = 75;

/// Percent of a text's length below which its own box hides it on purpose, or folds it.
const LEAST_PERCENT: i64 = 10;

/// Pixels by which a box may be lower and be rounded.
const ROUNDED_PX: i64 = 1;

/// Pixels up to which nothing is seen of a box: a visually hidden text has one.
const HIDDEN_PX: i64 = 4;

/// A text that is cut off.
pub(crate) struct Cut {
    pub(crate) at: u32,
    /// What cuts it off.
    pub(crate) by: u32,
    /// Percent of its box that can be seen, or of its length where its own box cuts it off.
    pub(crate) shown: i64,
}

/// The outermost such texts, at most so many. What was folded is not among them, nor what can be scrolled.
pub(crate) fn cut_off(pairing: &Pairing<'_>, seen: &[Cropped; 2], most: usize) -> Vec<Cut> {
    let after = pairing.after;
    let (mut found, mut at) = (Vec::new(), 0);
    while at < after.len() && found.len() < most {
        match cut(pairing, seen, at) {
            Some(cut) => {
                found.push(cut);
                at += after.node(at).size;
            }
            None => at += 1,
        }
    }
    found
}

fn cut(pairing: &Pairing<'_>, [was_seen, is_seen]: &[Cropped; 2], at: u32) -> Option<Cut> {
    let (before, after) = (pairing.before, pairing.after);
    if !is_text(after, at) || after.style(at, "visibility") == "hidden" {
        return None;
    }
    let origin = pairing.matching.origin(at)?;
    let left = is_seen.area(at);
    let shown = percent(left, after.node(at).area)?;
    let was_shown = percent(was_seen.area(origin), before.node(origin).area)?;
    let is_cut = left.w > HIDDEN_PX && left.h > HIDDEN_PX && shown < ENOUGH_PERCENT;
    if !is_cut || was_shown < WHOLE_PERCENT {
        return None;
    }
    // What is lifted out of the flow may lie in an element that does not hold it.
    let is_lifted = |at: u32| matches!(after.style(at, "position"), "absolute" | "fixed");
    let mut around = up(after, at)
        .take_while(|around| !is_lifted(*around))
        .skip(1);
    let by = around.find(|around| {
        let cut_before = (pairing.matching.origin(*around)).is_some_and(|at| cuts(before, at));
        let (w, h) = after.node(at).area.shared(after.node(*around).area);
        let left = Area { x: 0, y: 0, w, h };
        let is_too_small = percent(left, after.node(at).area) < Some(ENOUGH_PERCENT);
        cuts(after, *around) && !cut_before && is_too_small
    })?;
    Some(Cut { at, by, shown })
}

/// Texts that were whole and that their own boxes cut off, at most so many.
pub(crate) fn cut_by_themselves(
    pairing: &Pairing<'_>,
    seen: &[Cropped; 2],
    most: usize,
) -> Vec<Cut> {
    let all = 0..pairing.after.len();
    let found = all.filter_map(|at| cut_by_itself(pairing, seen, at));
    found.take(most).collect()
}

fn cut_by_itself(
    pairing: &Pairing<'_>,
    [was_seen, is_seen]: &[Cropped; 2],
    at: u32,
) -> Option<Cut> {
    let (before, after) = (pairing.before, pairing.after);
    let shown = after.node(at).look.fit.shown?;
    let is_cut = (LEAST_PERCENT..ENOUGH_PERCENT).contains(&shown);
    if !is_cut || !is_text(after, at) || after.style(at, "visibility") == "hidden" {
        return None;
    }
    let left = is_seen.area(at);
    let origin = pairing.matching.origin(at)?;
    let (was, is) = (before.node(origin), after.node(at));
    let was_in_sight = percent(was_seen.area(origin), was.area)? >= WHOLE_PERCENT;
    // A box that always cut and is lower now folds its text.
    let was_whole = match was.look.fit.shown {
        Some(shown) => shown >= WHOLE_PERCENT && is.area.h + ROUNDED_PX >= was.area.h,
        None => cut_nothing(before, origin),
    };
    // Such a box is there for texts of any length.
    let is_shortened = is.look.fit.shortens && before.str(was.text) != after.str(is.text);
    let is_in_sight = left.w > HIDDEN_PX && left.h > HIDDEN_PX;
    (is_in_sight && was_in_sight && was_whole && !is_shortened).then_some(Cut { at, by: at, shown })
}

/// Whether it is known of an element that it cuts off nothing.
fn cut_nothing(tree: &Document, at: u32) -> bool {
    let mut sides = ["overflow-x", "overflow-y"].into_iter();
    sides.all(|name| tree.style(at, name) == "visible")
}

/// How much of a box a part of it is; nothing where there is no box.
fn percent(part: Area, whole: Area) -> Option<i64> {
    (!whole.is_empty()).then(|| part.w * part.h * 100 / (whole.w * whole.h))
}

/// Whether an element cuts off what is too large for it, so that nobody can get to it.
fn cuts(tree: &Document, at: u32) -> bool {
    let cuts = |name: &str| matches!(tree.style(at, name), "hidden" | "clip");
    tree.node(at).parent != NONE
        && tree.style(at, "display") != "inline"
        && (cuts("overflow-x") || cuts("overflow-y"))
}
