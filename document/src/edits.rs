//! What was changed, inserted, deleted and moved, without what follows from it.

use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use rustc_hash::FxHashMap;

use crate::clip::clip;
use crate::document::{Document, NONE, Node, SHORT_TEXT};
use crate::draft::{Draft, Drafts};
use crate::structure::Pairing;
use crate::styles::{self, Delta};

/// Characters kept of the text of an inserted or deleted subtree.
const MAX_TEXT: usize = 2000;

/// Compares every pair, and lists what has no counterpart.
pub(crate) fn find_edits(pairing: &Pairing<'_>) -> Drafts {
    let mut drafts = Drafts {
        list: Vec::new(),
        own: vec![None; pairing.after.nodes.len()],
        moves_boxes: vec![false; pairing.after.nodes.len()],
        displaced_by: Vec::new(),
    };
    let deltas = style_deltas(pairing);
    for (before, after) in pairing.pairs() {
        let same = pairing.before.print(before).iso == pairing.after.print(after).iso;
        if !same || pairing.moved[after as usize] {
            compare_pair(pairing, &deltas, &mut drafts, before, after);
        }
    }
    for at in lone_roots(pairing.before, &pairing.matching.forward) {
        if is_behind_mask(pairing, pairing.before.node(at).parent) {
            continue;
        }
        let mut draft = Draft::new(ChangeType::Delete, at, NONE);
        draft.place = pairing.place[at as usize];
        (draft.was, draft.collapsed) = describe(pairing.before, &pairing.matching.forward, at);
        drafts.list.push(draft);
    }
    for at in lone_roots(pairing.after, &pairing.matching.backward) {
        let parent = pairing.after.node(at).parent;
        if parent != NONE && is_behind_mask(pairing, pairing.matching.backward[parent as usize]) {
            continue;
        }
        let mut draft = Draft::new(ChangeType::Insert, NONE, at);
        (draft.is, draft.collapsed) = describe(pairing.after, &pairing.matching.backward, at);
        drafts.list.push(draft);
    }
    drafts
}

/// Whether a pair, named by its node before, is masked on either side: what is in it is then known on one side alone.
fn is_behind_mask(pairing: &Pairing<'_>, before: u32) -> bool {
    if before == NONE {
        return false;
    }
    let after = pairing.matching.forward[before as usize];
    pairing.before.node(before).masked || (after != NONE && pairing.after.node(after).masked)
}

/// Nodes without a counterpart whose parent has one.
fn lone_roots<'a>(tree: &'a Document, counterparts: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let lone = |at: u32| counterparts[at as usize] == NONE;
    (0..tree.len()).filter(move |at| {
        let parent = tree.node(*at).parent;
        lone(*at) && (parent == NONE || !lone(parent))
    })
}

/// The text of a subtree without a counterpart, and how many nodes it has besides its root. What has a
/// counterpart in it was wrapped, and is left out.
fn describe(tree: &Document, counterparts: &[u32], root: u32) -> (Option<String>, u32) {
    let (mut text, mut count, mut at) = (String::new(), 0, root);
    let end = tree.subtree(root).end;
    while at < end {
        if counterparts[at as usize] != NONE {
            at += tree.node(at).size;
            continue;
        }
        let own = tree.str(tree.node(at).text);
        let visible =
            tree.style(at, "display") != "none" && tree.style(at, "visibility") != "hidden";
        if visible && !own.is_empty() && text.len() < 4 * MAX_TEXT {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(own);
        }
        count += 1;
        at += 1;
    }
    let text = clip(&text, MAX_TEXT);
    ((!text.is_empty()).then(|| text.to_owned()), count - 1)
}

/// The styles that differ, by the node after.
fn style_deltas(pairing: &Pairing<'_>) -> FxHashMap<u32, Delta> {
    let side = |tree: &'_ Document, at: u32| tree.node(at).styles;
    let (before, after) = (pairing.before, pairing.after);
    let mut deltas = FxHashMap::default();
    for (ours, theirs) in pairing.pairs() {
        let delta = styles::difference(
            (&before.styles, side(before, ours), before.text_arena()),
            (&after.styles, side(after, theirs), after.text_arena()),
        );
        if !delta.is_empty() {
            deltas.insert(theirs, delta);
        }
    }
    deltas
}

fn compare_pair(
    pairing: &Pairing<'_>,
    deltas: &FxHashMap<u32, Delta>,
    drafts: &mut Drafts,
    before: u32,
    after: u32,
) {
    if is_behind_mask(pairing, before) {
        compare_masked(pairing, drafts, before, after);
        return;
    }
    let (was, is) = (pairing.before.node(before), pairing.after.node(after));
    let [was_text, is_text] = [pairing.before.str(was.text), pairing.after.str(is.text)];
    let edited = was_text != is_text
        && !is_cut_from((was, was_text), (is, is_text))
        && !is_cut_from((is, is_text), (was, was_text));
    let mut style = own_delta(pairing, deltas, before, after);
    let inherits = style.is_empty() && deltas.contains_key(&after);
    let image = image_change(pairing, was, is, &mut style);
    let restyled = !style.is_empty();
    let boxes = style.keys().any(|name| styles::moves_boxes(name));
    let first = drafts.list.len();

    let kind = match (pairing.moved[after as usize], edited) {
        (true, true) => Some(ChangeType::MoveWithEdit),
        (true, false) => Some(ChangeType::Move),
        (false, true) => Some(ChangeType::TextEdit),
        (false, false) => None,
    };
    if let Some(kind) = kind {
        let mut draft = Draft::new(kind, before, after);
        if edited {
            (draft.was, draft.is) = (Some(was_text.to_owned()), Some(is_text.to_owned()));
        }
        if kind != ChangeType::TextEdit {
            draft.shift = Some((is.area.x - was.area.x, is.area.y - was.area.y));
        }
        draft.style = std::mem::take(&mut style);
        drafts.list.push(draft);
    }
    if let Some(Edit { attribute, was, is }) = image {
        let mut draft = Draft::new(ChangeType::ImageChange, before, after);
        (draft.attribute, draft.was, draft.is) = (Some(attribute), was, is);
        draft.style = std::mem::take(&mut style);
        drafts.list.push(draft);
    }
    if !style.is_empty() {
        let mut draft = Draft::new(ChangeType::StyleOnly, before, after);
        draft.style = style;
        drafts.list.push(draft);
    }
    let moves = drafts.list.len() > first && (boxes || !restyled || edited);
    for Edit { attribute, was, is } in attribute_edits(pairing, was, is) {
        let mut draft = Draft::new(ChangeType::TextEdit, before, after);
        (draft.attribute, draft.was, draft.is) = (Some(attribute), was, is);
        drafts.list.push(draft);
    }
    if drafts.list.len() > first {
        drafts.own[after as usize] = Some(first);
        drafts.moves_boxes[after as usize] = moves || drafts.list[first].attribute == Some("open");
    } else if inherits {
        inherit_change(pairing, deltas, drafts, after);
    }
}

/// Whether a text may be the beginning of another one, cut where its tree cuts texts: what an older capture, or a client, has of
/// the text that the other tree has more of. A space at the cut is gone, and half of a character that was cut in two is none.
fn is_cut_from((node, text): (&Node, &str), (other, whole): (&Node, &str)) -> bool {
    !node.long
        && other.long
        && whole.starts_with(text.trim_end_matches(char::REPLACEMENT_CHARACTER))
        && text.encode_utf16().count() + 1 >= SHORT_TEXT
}

/// Of a pair that is masked, nothing but that it moved is told.
fn compare_masked(pairing: &Pairing<'_>, drafts: &mut Drafts, before: u32, after: u32) {
    if !pairing.moved[after as usize] {
        return;
    }
    let (was, is) = (
        pairing.before.node(before).area,
        pairing.after.node(after).area,
    );
    let mut draft = Draft::new(ChangeType::Move, before, after);
    draft.shift = Some((is.x - was.x, is.y - was.y));
    drafts.own[after as usize] = Some(drafts.list.len());
    drafts.moves_boxes[after as usize] = true;
    drafts.list.push(draft);
}

/// Counts a node with the change that it inherits.
fn inherit_change(
    pairing: &Pairing<'_>,
    deltas: &FxHashMap<u32, Delta>,
    drafts: &mut Drafts,
    after: u32,
) {
    let holder = pairing.holder_after[after as usize];
    let Some(carrier) = drafts.own.get(holder as usize).copied().flatten() else {
        return;
    };
    drafts.list[carrier].collapsed += 1;
    drafts.own[after as usize] = Some(carrier);
    drafts.moves_boxes[after as usize] =
        deltas[&after].keys().any(|name| styles::moves_boxes(name));
}

/// The styles that differ on a pair and were not inherited or derived.
fn own_delta(
    pairing: &Pairing<'_>,
    deltas: &FxHashMap<u32, Delta>,
    before: u32,
    after: u32,
) -> Delta {
    let Some(delta) = deltas.get(&after) else {
        return BTreeMap::new();
    };
    let holder = pairing.holder_after[after as usize];
    let inherited = deltas
        .get(&holder)
        .filter(|_| pairing.same_holder(before, after));
    let color = delta.get("color");
    let derived = |name: &str, values: &[String; 2]| {
        let follows = styles::follows_color(name) && color == Some(values);
        let from_holder = inherited.and_then(|holder| holder.get(name));
        let same = styles::is_inherited(name)
            && from_holder.is_some_and(|holder| scales_with(holder, values));
        follows || same
    };
    delta
        .iter()
        .filter(|(name, values)| !derived(name, values))
        .map(|(name, values)| (name.clone(), values.clone()))
        .collect()
}

/// Whether a value changed as its holder's did: to the same, or by the same factor (`em`).
fn scales_with(holder: &[String; 2], values: &[String; 2]) -> bool {
    let pixels = |value: &String| value.strip_suffix("px")?.parse::<f64>().ok();
    let factor = |[was, is]: &[String; 2]| Some(pixels(is)? / pixels(was)?);
    let same_factor = || Some((factor(holder)? - factor(values)?).abs() < 0.01);
    holder == values || same_factor().unwrap_or(false)
}

/// An attribute's value before and after.
struct Edit {
    attribute: &'static str,
    was: Option<String>,
    is: Option<String>,
}

/// What shows that another picture is seen; takes a background out of the styles.
fn image_change(pairing: &Pairing<'_>, was: &Node, is: &Node, style: &mut Delta) -> Option<Edit> {
    let background = style.remove("background-image");
    let [old, new] = sources(pairing, was, is);
    if is.broken && !was.broken {
        return Some(Edit {
            attribute: "broken",
            was: old,
            is: new,
        });
    }
    if old != new {
        return Some(Edit {
            attribute: "src",
            was: old,
            is: new,
        });
    }
    if was.broken && !is.broken {
        return Some(Edit {
            attribute: "repaired",
            was: old,
            is: new,
        });
    }
    background.map(|[was, is]| Edit {
        attribute: "background-image",
        was: Some(was),
        is: Some(is),
    })
}

fn sources(pairing: &Pairing<'_>, was: &Node, is: &Node) -> [Option<String>; 2] {
    [
        pairing.before.optional_str(was.src).map(str::to_owned),
        pairing.after.optional_str(is.src).map(str::to_owned),
    ]
}

fn attribute_edits(pairing: &Pairing<'_>, was: &Node, is: &Node) -> impl Iterator<Item = Edit> {
    let old = |span| pairing.before.optional_str(span).map(str::to_owned);
    let new = |span| pairing.after.optional_str(span).map(str::to_owned);
    let open = |open: Option<bool>| open.map(|open| open.to_string());
    let edits = [
        ("href", old(was.href), new(is.href)),
        ("alt", old(was.alt), new(is.alt)),
        ("open", open(was.open), open(is.open)),
    ];
    edits
        .into_iter()
        .filter(|(_, was, is)| was != is)
        .map(|(attribute, was, is)| Edit { attribute, was, is })
}
