//! What can hardly be read any more because of a change, and what came and can be neither read nor shown.
//!
//! Colours change, an element fades, it is moved to another ground, or what gave it its ground is gone: an element, or a picture
//! or gradient behind it. Everything is looked at with the nearest such change around it, and nothing is said of a text whose
//! ground is not known, nor of what looks as the page before did.

use std::cell::{LazyCell, OnceCell};

use pentimento_api::result::ChangeType;
use rustc_hash::FxHashSet;

use crate::bared::bared;
use crate::behind::{Picture, picture_behind};
use crate::context::up;
use crate::document::{Document, NONE};
use crate::draft::{Draft, Drafts};
use crate::finding::PaleText;
use crate::selector::Selectors;
use crate::shade::{READABLE_CONTRAST, Shade, is_on_white};
use crate::sight::{Sight, is_text};
use crate::structure::Pairing;

/// Elements of a change that are looked at.
const MAX_LOOKED_AT: usize = 2000;

/// Pairs of colours of the page before that are remembered, which nobody could read.
const MAX_SHADES: usize = 1000;

/// Contrast below which a text is as good as not there. What a page has had for a while may be judged by what can be read well;
/// whoever makes something new may make it pale, and how well a text could be read on a picture nobody knows.
const VISIBLE_CONTRAST: f64 = 1.5;

/// Elements that may be pale because they cannot be used now, which not every tree tells.
const CONTROLS: [&str; 5] = ["button", "input", "option", "select", "textarea"];

/// Elements that show a text which is none of theirs in a tree.
const FIELDS: [&str; 3] = ["input", "select", "textarea"];

/// Notes with each change what is wrong in its element.
pub(crate) fn find_flaws(pairing: &Pairing<'_>, drafts: &mut Drafts) {
    let telling = drafts.list.iter().filter(|draft| tells(pairing, draft));
    let mut told: FxHashSet<u32> = telling.map(|draft| draft.after).collect();
    let looked_in: Vec<Vec<u32>> = (drafts.list.iter())
        .map(|draft| match draft.kind {
            ChangeType::Delete => bared(pairing, draft, &told),
            _ if tells(pairing, draft) => vec![draft.after],
            _ => Vec::new(),
        })
        .collect();
    told.extend(looked_in.iter().flatten());
    if told.is_empty() {
        return;
    }
    let looking = Looking {
        pairing,
        sights: [Sight::new(pairing.before), Sight::new(pairing.after)],
        are_on_white: [pairing.before, pairing.after].map(is_on_white),
        told,
        shades: OnceCell::new(),
        broken: OnceCell::new(),
    };
    let selectors = LazyCell::new(|| Selectors::new(pairing.after));
    for (draft, roots) in drafts.list.iter_mut().zip(&looked_in) {
        let broken = looking.broken(draft);
        draft.flaws.broken = broken.map(|at| selectors.selector(at));
        draft.flaws.pale_text = looking.unreadable(draft, roots).map(|pale| PaleText {
            element: selectors.selector(pale.at),
            before: pale.before,
            after: pale.after,
        });
    }
}

/// Whether what lies in the element of a change is looked at with it: something came, the colours changed that texts have or
/// lie on, the picture behind them is gone, it is another part opaque, or it lies on something else now.
fn tells(pairing: &Pairing<'_>, draft: &Draft) -> bool {
    use ChangeType::{Insert, Move, MoveWithEdit};
    let is_pair = draft.before != NONE && draft.after != NONE;
    let lies_elsewhere = || {
        matches!(draft.kind, Move | MoveWithEdit) && !pairing.same_holder(draft.before, draft.after)
    };
    let is_ground = || repaints(draft) || bares(draft) || fades(draft) || lies_elsewhere();
    draft.kind == Insert || (is_pair && is_ground())
}

/// Whether an element lost the picture or gradient that it was painted with.
fn bares(draft: &Draft) -> bool {
    draft.attribute == Some("background-image") && draft.is.as_deref() == Some("none")
}

/// Whether the colours changed that an element's texts have or lie on.
fn repaints(draft: &Draft) -> bool {
    let mut paints = ["background-color", "color"].iter();
    paints.any(|property| draft.style.contains_key(*property))
}

/// Whether an element is another part opaque.
fn fades(draft: &Draft) -> bool {
    draft.style.contains_key("opacity")
}

/// Both pages, for looking at what is in a change.
struct Looking<'a> {
    pairing: &'a Pairing<'a>,
    /// The page before and after.
    sights: [Sight<'a>; 2],
    are_on_white: [bool; 2],
    /// Nodes after that have a change which is looked at by itself.
    told: FxHashSet<u32>,
    /// The colours of texts that could hardly be read before.
    shades: OnceCell<Vec<Shade>>,
    /// Files that could not be shown before.
    broken: OnceCell<FxHashSet<&'a str>>,
}

/// A text that can hardly be read.
struct Pale {
    at: u32,
    before: Option<f64>,
    after: f64,
}

impl<'a> Looking<'a> {
    /// The element of a change and what lies in it, without what other changes tell of.
    fn within(&self, root: u32) -> impl Iterator<Item = u32> {
        let after = self.pairing.after;
        let end = after.subtree(root).end;
        let next = move |at: &u32| {
            let mut next = *at + 1;
            while next < end && self.told.contains(&next) {
                next += after.node(next).size;
            }
            (next < end).then_some(next)
        };
        std::iter::successors(Some(root), next).take(MAX_LOOKED_AT)
    }

    /// The first picture that came with a change, would be seen and cannot be shown, unless its file never could.
    fn broken(&self, draft: &Draft) -> Option<u32> {
        let tree = self.pairing.after;
        let is_broken = |at: &u32| {
            let node = tree.node(*at);
            let file = tree.optional_str(node.src);
            let was_broken =
                || file.is_some_and(|file| self.were_broken().contains(without_query(file)));
            // Without an address it waits for one.
            node.broken
                && !file.is_some_and(is_placeholder)
                && self.pairing.matching.origin(*at).is_none()
                && self.sights[1].shows(*at)
                && !was_broken()
        };
        let comes = draft.kind == ChangeType::Insert;
        comes
            .then(|| self.within(draft.after).find(is_broken))
            .flatten()
    }

    fn were_broken(&self) -> &FxHashSet<&'a str> {
        self.broken.get_or_init(|| {
            let before = self.pairing.before;
            let broken = before.nodes.iter().filter(|node| node.broken);
            broken
                .filter_map(|node| before.optional_str(node.src))
                .map(without_query)
                .collect()
        })
    }

    /// The palest of the texts in a change, which are in these nodes, that can hardly be read now.
    fn unreadable(&self, draft: &Draft, roots: &[u32]) -> Option<Pale> {
        let within = roots.iter().flat_map(|root| self.within(*root));
        let within = within.take(MAX_LOOKED_AT);
        let pale = within.filter_map(|at| self.pale(draft, at));
        pale.min_by(|one, other| one.after.total_cmp(&other.after))
    }

    /// An element whose text can hardly be read and could before, or was not there.
    fn pale(&self, draft: &Draft, at: u32) -> Option<Pale> {
        let tree = self.pairing.after;
        let node = tree.node(at);
        let is_field = || FIELDS.contains(&tree.str(node.tag)) && !node.look.untyped;
        let is_its_root = at == draft.after && draft.kind != ChangeType::Insert;
        if !(is_text(tree, at) || (is_its_root && is_field())) {
            return None;
        }
        let is = self.sights[1].shade(at)?;
        let origin = self.pairing.matching.origin(at);
        let wanted = match origin {
            Some(_) => READABLE_CONTRAST,
            None => VISIBLE_CONTRAST,
        };
        if is.contrast() >= wanted || up(tree, at).any(|around| tree.node(around).look.off) {
            return None;
        }
        let only_fades = fades(draft) && !repaints(draft);
        if only_fades && up(tree, at).any(|around| is_called_off(tree, around)) {
            return None;
        }
        let is_own = is_its_root && repaints(draft);
        let before = match origin {
            Some(origin) => match self.fell(is_own, origin, &is) {
                None if self.lost_picture(origin, &is) => None,
                fell => Some(fell?),
            },
            None if draft.kind == ChangeType::Insert && self.is_unheard_of(at, &is) => None,
            None => return None,
        };
        (!self.sights[1].meets_others(at)).then(|| Pale {
            at,
            before,
            after: is.contrast(),
        })
    }

    /// The contrast that a text had before, if it fell. What was as pale counts only where its own colours are what changed.
    fn fell(&self, is_own: bool, origin: u32, is: &Shade) -> Option<f64> {
        let was = self.sights[0].shade(origin)?;
        let worse = was.contrast() > is.contrast();
        let was_readable = is_own || was.contrast() >= READABLE_CONTRAST;
        let is_known = self.are_on_white == [true; 2] || !(was.is_bare || is.is_bare);
        let fell = worse && was_readable && is_known && !self.sights[0].meets_others(origin);
        fell.then(|| was.contrast())
    }

    /// Whether a text lay on a picture that is gone, and could be read there. Where nobody knows how well, it could be seen: on
    /// no picture a text is put that is as good as not there.
    fn lost_picture(&self, origin: u32, is: &Shade) -> bool {
        let (pairing, sight) = (self.pairing, &self.sights[0]);
        let Some(Picture { at, contrasts }) = picture_behind(pairing.before, origin) else {
            return false;
        };
        let is_bare = |at: u32| pairing.after.style(at, "background-image") == "none";
        let went = pairing.matching.counterpart(at).is_none_or(is_bare);
        let was_readable = match contrasts {
            Some([least, _]) if least >= READABLE_CONTRAST => true,
            Some([_, largest]) if largest < READABLE_CONTRAST => false,
            _ => is.contrast() < VISIBLE_CONTRAST,
        };
        let is_known = self.are_on_white == [true; 2] || !is.is_bare;
        went && was_readable
            && is_known
            && !is.is_clear
            && sight.shows(origin)
            && !sight.meets_others(origin)
    }

    /// Whether no text of the page before is as hard to read, in the same colours, as one that came: what a page looks like
    /// it may look like elsewhere, and colours that were fine lie on a ground which no capture records.
    fn is_unheard_of(&self, at: u32, is: &Shade) -> bool {
        let tree = self.pairing.after;
        let may_be_off = |around: u32| {
            let node = tree.node(around);
            CONTROLS.contains(&tree.str(node.tag)) || tree.str(node.class).contains("disabled")
        };
        let is_known = !is.is_bare || self.are_on_white == [true; 2];
        is_known
            && !is.is_clear
            && !up(tree, at).any(may_be_off)
            && !self.hard_before().iter().any(|known| known.is_like(is))
    }

    fn hard_before(&self) -> &[Shade] {
        self.shades.get_or_init(|| {
            let (tree, sight) = (self.pairing.before, &self.sights[0]);
            let mut shades: Vec<Shade> = Vec::new();
            for at in (0..tree.len()).filter(|at| is_text(tree, *at)) {
                let shade = sight.shade(at);
                let hard = shade.filter(|shade| shade.contrast() < READABLE_CONTRAST);
                let Some(shade) = hard else {
                    continue;
                };
                let is_known = shades.iter().any(|known| known.is_like(&shade));
                // Where nobody can look any more, what is pale counts as known.
                if !is_known && (sight.is_spent() || !sight.meets_others(at)) {
                    shades.push(shade);
                    if shades.len() == MAX_SHADES {
                        break;
                    }
                }
            }
            shades
        })
    }
}

/// Whether an element that fades may do so because it cannot be used now, as far as its tree tells.
fn is_called_off(tree: &Document, at: u32) -> bool {
    let node = tree.node(at);
    // Captures that look at what pages are painted on look at what is off, too.
    let is_unknown = tree.canvas.is_none() && CONTROLS.contains(&tree.str(node.tag));
    is_unknown || tree.str(node.class).contains("disabled")
}

/// The address of a file without what is often another on each visit; any other as it is, since `image?id=1` is another picture than
/// `image?id=2`.
fn without_query(address: &str) -> &str {
    const FILES: [&str; 9] = [
        "avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp",
    ];
    let file = address.split(['?', '#']).next().unwrap_or(address);
    let is_file = file
        .rsplit_once('.')
        .is_some_and(|(_, ending)| FILES.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    if is_file { file } else { address }
}

/// Whether an address stands for a picture that is still to come.
fn is_placeholder(address: &str) -> bool {
    let data = address
        .strip_prefix("data:")
        .and_then(|data| data.split_once(','));
    matches!(address, "" | "#" | "about:blank")
        || data.is_some_and(|(_, content)| content.is_empty())
}
