//! What can be seen of a page's texts, and whether it is known what they lie on.

use std::cell::{Cell, OnceCell};

use crate::color;
use crate::context::up;
use crate::cropped::{Cropped, crop};
use crate::document::Document;
use crate::finding::Area;
use crate::shade::{Shade, opacity, shade};

/// Pixels up to which nothing is seen of a box: a visually hidden text has one.
const HIDDEN_PX: i64 = 4;

/// Opacity up to which something is hidden and not pale.
pub(crate) const FAINTEST: f64 = 0.05;

/// Letters and digits from which on a text is more than a sign.
const LEAST_LETTERS: usize = 2;

/// Parts of the names of fonts whose words are drawn as icons.
const ICON_FONTS: [&str; 4] = ["icon", "icomoon", "awesome", "symbol"];

/// Elements whose text is for browsers that cannot show them.
const STAND_INS: [&str; 8] = [
    "audio", "canvas", "iframe", "meter", "object", "picture", "progress", "video",
];

/// Elements that are pictures.
const PICTURES: [&str; 7] = ["canvas", "embed", "iframe", "img", "object", "svg", "video"];

/// Painted elements that are looked at for what texts lie on.
const MAX_LOOKED_AT: usize = 10_000_000;

/// A page as it is seen.
pub(crate) struct Sight<'a> {
    tree: &'a Document,
    seen: Cropped,
    /// What is painted, and where.
    painted: OnceCell<Vec<(u32, Area)>>,
    looked_at: Cell<usize>,
}

impl<'a> Sight<'a> {
    pub(crate) fn new(tree: &'a Document) -> Self {
        Self {
            tree,
            seen: crop(tree),
            painted: OnceCell::new(),
            looked_at: Cell::new(0),
        }
    }

    /// Whether an element can be seen: it has a box on the page that is not cut off, and nothing hides it.
    pub(crate) fn shows(&self, at: u32) -> bool {
        let Area { x, y, w, h } = self.seen.area(at);
        let page = self.tree.node(0).area;
        let is_left_of_its_end = page.is_empty() || x < page.x + page.w + page.x;
        let is_on_the_page =
            w > HIDDEN_PX && h > HIDDEN_PX && x + w > 0 && y + h > 0 && is_left_of_its_end;
        let is_visible = matches!(self.tree.style(at, "visibility"), "" | "visible");
        let opacity = || -> f64 {
            let around = up(self.tree, at);
            around.map(|at| opacity(self.tree, at)).product()
        };
        is_on_the_page && is_visible && opacity() > FAINTEST
    }

    /// The colours of an element's text, where it can be seen and what it and those around it are painted with is known.
    pub(crate) fn shade(&self, at: u32) -> Option<Shade> {
        self.shows(at).then(|| shade(self.tree, at)).flatten()
    }

    /// Whether something that the element does not lie in is painted where it is, below it or above, so that its ground is
    /// not known; also where that would take too long to find out.
    pub(crate) fn meets_others(&self, at: u32) -> bool {
        let painted = self.painted.get_or_init(|| self.find_painted());
        let looked_at = self.looked_at.get() + painted.len();
        self.looked_at.set(looked_at);
        let place = self.seen.area(at);
        let meets = |(other, area): &(u32, Area)| {
            let (w, h) = place.shared(*area);
            let is_around = self.tree.subtree(*other).contains(&at);
            // In the flow, what lies in it stands beside its text.
            let is_part = self.tree.subtree(at).contains(other)
                && !up(self.tree, *other)
                    .take_while(|around| *around != at)
                    .any(|around| self.is_lifted(around));
            w > HIDDEN_PX && h > HIDDEN_PX && !is_around && !is_part
        };
        looked_at > MAX_LOOKED_AT || painted.iter().any(meets)
    }

    /// Whether looking for what lies where took too long, so that nothing is known any more.
    pub(crate) fn is_spent(&self) -> bool {
        self.looked_at.get() > MAX_LOOKED_AT
    }

    fn find_painted(&self) -> Vec<(u32, Area)> {
        let all = (0..self.tree.len()).map(|at| (at, self.seen.area(at)));
        all.filter(|(at, _)| is_painted(self.tree, *at) && self.shows(*at))
            .collect()
    }

    fn is_lifted(&self, at: u32) -> bool {
        matches!(self.tree.style(at, "position"), "absolute" | "fixed")
    }
}

/// Whether an element covers what is below it with a colour or a picture, as far as is known.
pub(crate) fn is_painted(tree: &Document, at: u32) -> bool {
    let node = tree.node(at);
    let has_colour = || match tree.style(at, "background-color") {
        "" => false,
        painted => color::parse(painted).is_none_or(|(_, alpha)| alpha > 0.0),
    };
    node.masked
        || PICTURES.contains(&tree.str(node.tag))
        || !matches!(tree.style(at, "background-image"), "" | "none")
        || has_colour()
}

/// Whether an element has a text of its own that people read: no sign, no icon.
pub(crate) fn is_text(tree: &Document, at: u32) -> bool {
    let node = tree.node(at);
    let text = tree.str(node.text).chars();
    let letters = text.filter(|sign| sign.is_alphanumeric());
    if letters.take(LEAST_LETTERS).count() < LEAST_LETTERS {
        return false;
    }
    let fonts = tree.style(at, "font-family").to_lowercase();
    let font = fonts.split(',').next().unwrap_or_default();
    !ICON_FONTS.iter().any(|part| font.contains(part))
        && !STAND_INS.contains(&tree.str(node.tag))
        && tree.style(at, "font-size") != "0px"
}
