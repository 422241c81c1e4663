//! Pictures and gradients that texts lie on.

use crate::color;
use crate::context::up;
use crate::document::Document;
use crate::shade::{OPAQUE, lies_below, opacity};

/// What a text lies on that is no plain colour.
pub(crate) struct Picture {
    /// The element that is painted with it.
    pub(crate) at: u32,
    /// The least and the largest contrast of the text against its colours, where it is a gradient of which these are known and
    /// nothing lies between.
    pub(crate) contrasts: Option<[f64; 2]>,
}

/// The nearest picture or gradient below an element's text, if no colour hides it from there and all in between is known.
pub(crate) fn picture_behind(tree: &Document, at: u32) -> Option<Picture> {
    let mut is_next = true;
    for around in up(tree, at) {
        if tree.node(around).look.veiled {
            return None;
        }
        is_next &= opacity(tree, around) >= 1.0;
        let picture = tree.style(around, "background-image");
        if !matches!(picture, "" | "none") {
            let contrasts = is_next.then(|| contrasts(tree.style(at, "color"), picture));
            return lies_below(tree, around, at).then_some(Picture {
                at: around,
                contrasts: contrasts.flatten(),
            });
        }
        let paint = match tree.style(around, "background-color") {
            "" => 0.0,
            painted => color::parse(painted)?.1,
        };
        if paint > OPAQUE {
            return None;
        }
        is_next &= paint <= 0.0;
    }
    None
}

/// The least and the largest contrast of a colour against those of a gradient.
fn contrasts(letters: &str, gradient: &str) -> Option<[f64; 2]> {
    let (letters, alpha) = color::parse(letters)?;
    if alpha < 1.0 {
        return None;
    }
    let grounds = color::gradient(gradient)?.into_iter();
    let contrasts = grounds.map(|ground| color::contrast(letters, ground));
    Some(
        contrasts.fold([f64::INFINITY, 1.0], |[least, largest], contrast| {
            [least.min(contrast), largest.max(contrast)]
        }),
    )
}
