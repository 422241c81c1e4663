//! What is broken on the page after and was not before, by its geometry and by what its scripts reported.
//!
//! Each kind of damage is looked for in the tree after and told only where the counterparts before are sound, so that what
//! a page always did is never told.

use crate::blame::Blame;
use crate::clip::clip;
use crate::context;
use crate::cropped::{Cropped, crop};
use crate::cut::{Cut, cut_by_themselves, cut_off};
use crate::document::{Document, NONE};
use crate::draft::Drafts;
use crate::finding::{Area, Damage, Fault};
use crate::selector::Selectors;
use crate::structure::Pairing;

/// Pixels by which something may stick out and still be rounding, a shadow or fine tuning.
const STICKS_OUT_PX: i64 = 8;

/// Share of the smaller of two texts' boxes that the other must cover, in percent, and pixels in both directions.
const OVERLAP_PERCENT: i64 = 25;
const OVERLAP_PX: i64 = 4;

/// Damages of a kind that are told, and pairs of boxes that are looked at for overlaps.
const MAX_TOLD: usize = 5;
const MAX_PAIRS: usize = 500_000;

/// Characters of an error that are told.
const MAX_ERROR: usize = 200;

/// The damage, each with the index of the draft that is to blame, if one is.
pub(crate) fn find_damage(pairing: &Pairing<'_>, drafts: &Drafts) -> Vec<Damage> {
    let after = pairing.after;
    if shows_something(pairing.before) && !shows_something(after) {
        let fault = Fault::Blank;
        return vec![Damage { fault, cause: None }];
    }
    let selectors = Selectors::new(after);
    let name = |at: u32| context::text(after, at).unwrap_or_else(|| selectors.selector(at));
    let seen = [pairing.before, after].map(crop);
    let blame = Blame::new(pairing, drafts);
    let mut damages: Vec<Damage> = sticking_out(pairing)
        .into_iter()
        .map(|(at, by)| Damage {
            fault: Fault::SticksOut {
                element: selectors.selector(at),
                by,
            },
            cause: blame.of_spill(at, &seen[1]),
        })
        .collect();
    damages.extend(overlaps(pairing, &seen).into_iter().map(|pair| Damage {
        fault: Fault::Overlaps {
            texts: pair.map(name),
        },
        cause: blame.of_overlap(pair),
    }));
    let cut = cut_off(pairing, &seen, MAX_TOLD).into_iter();
    damages.extend(cut.map(|Cut { at, by, shown }| Damage {
        fault: Fault::CutOff {
            element: selectors.selector(at),
            shown,
        },
        cause: blame.of_cut(by),
    }));
    let cut = cut_by_themselves(pairing, &seen, MAX_TOLD).into_iter();
    damages.extend(cut.map(|Cut { at, shown, .. }| Damage {
        fault: Fault::CutText {
            element: selectors.selector(at),
            shown,
        },
        cause: blame.of_cut_text(at),
    }));
    damages.extend(errors(pairing).into_iter().map(|message| Damage {
        fault: Fault::Error { message },
        cause: None,
    }));
    damages
}

/// Whether there is a text or a picture that can be seen.
fn shows_something(tree: &Document) -> bool {
    (0..tree.len()).any(|at| {
        let node = tree.node(at);
        let shows = !node.text.is_empty()
            || node.src.is_some()
            || matches!(
                tree.str(node.tag),
                "svg" | "canvas" | "video" | "iframe" | "object" | "embed" | "picture"
            )
            || !matches!(tree.style(at, "background-image"), "" | "none");
        shows && !node.area.is_empty() && tree.style(at, "visibility") != "hidden"
    })
}

/// The innermost elements whose content newly sticks out of them, and by how much.
fn sticking_out(pairing: &Pairing<'_>) -> Vec<(u32, i64)> {
    let (before, after) = (pairing.before, pairing.after);
    let mut found: Vec<(u32, i64)> = Vec::new();
    for at in (0..after.len()).rev() {
        let by = after.node(at).spill;
        if by <= STICKS_OUT_PX {
            continue;
        }
        let was = match pairing.matching.backward[at as usize] {
            NONE => 0,
            origin => before.node(origin).spill,
        };
        // What sticks out of an element sticks out of those around it too.
        let is_inner = !found
            .iter()
            .any(|(inner, _)| after.subtree(at).contains(inner));
        if was <= STICKS_OUT_PX && is_inner {
            found.push((at, by));
            if found.len() == MAX_TOLD {
                break;
            }
        }
    }
    found.reverse();
    found
}

/// Pairs of texts that lie over each other, as far as they can be seen, and did not.
fn overlaps(pairing: &Pairing<'_>, [was_seen, is_seen]: &[Cropped; 2]) -> Vec<[u32; 2]> {
    let after = pairing.after;
    let mut texts = flowing_texts(after, is_seen);
    texts.sort_by_key(|at| (is_seen.area(*at).y, *at));
    let (mut found, mut looked) = (Vec::new(), 0);
    for (place, &upper) in texts.iter().enumerate() {
        let above = is_seen.area(upper);
        let below = texts[place + 1..]
            .iter()
            .take_while(|&&at| is_seen.area(at).y < above.y + above.h);
        for &lower in below {
            looked += 1;
            if looked > MAX_PAIRS || found.len() == MAX_TOLD {
                return found;
            }
            let is_within =
                after.subtree(upper).contains(&lower) || after.subtree(lower).contains(&upper);
            if !is_within
                && overlap(above, is_seen.area(lower))
                && !overlapped(pairing, was_seen, [upper, lower])
            {
                found.push([upper, lower]);
            }
        }
    }
    found
}

/// Whether a pair lay over each other before.
fn overlapped(pairing: &Pairing<'_>, was_seen: &Cropped, pair: [u32; 2]) -> bool {
    let [one, other] = pair.map(|at| pairing.matching.backward[at as usize]);
    if one == NONE || other == NONE {
        return false;
    }
    overlap(was_seen.area(one), was_seen.area(other))
}

fn overlap(one: Area, other: Area) -> bool {
    let (w, h) = one.shared(other);
    let smaller = (one.w * one.h).min(other.w * other.h);
    w > OVERLAP_PX && h > OVERLAP_PX && w * h * 100 >= smaller * OVERLAP_PERCENT
}

/// Blocks with a text of their own that can be seen and lie in the flow: what is positioned lies over others on purpose.
fn flowing_texts(tree: &Document, seen: &Cropped) -> Vec<u32> {
    let mut flows = vec![true; tree.nodes.len()];
    let mut texts = Vec::new();
    for at in 0..tree.len() {
        let node = tree.node(at);
        let parent_flows = node.parent == NONE || flows[node.parent as usize];
        let is_lifted = matches!(tree.style(at, "position"), "absolute" | "fixed" | "sticky");
        let is_seen = tree.style(at, "visibility") != "hidden" && tree.style(at, "opacity") != "0";
        flows[at as usize] = parent_flows && !is_lifted && is_seen;
        // The box of a text that runs over several lines covers its neighbours on them.
        let is_block = !matches!(tree.style(at, "display"), "inline" | "contents" | "");
        if flows[at as usize] && is_block && !node.text.is_empty() && !seen.area(at).is_empty() {
            texts.push(at);
        }
    }
    texts
}

/// Errors that the page's scripts did not report before; numbers in them do not tell two apart.
fn errors(pairing: &Pairing<'_>) -> Vec<String> {
    let (Some(before), Some(after)) = (&pairing.before.errors, &pairing.after.errors) else {
        return Vec::new();
    };
    let plain =
        |message: &String| -> String { message.chars().filter(|c| !c.is_ascii_digit()).collect() };
    let known: Vec<String> = before.iter().map(plain).collect();
    (after.iter())
        .filter(|message| !known.contains(&plain(message)))
        .take(MAX_TOLD)
        .map(|message| clip(message, MAX_ERROR).to_owned())
        .collect()
}
