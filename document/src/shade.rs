//! The colours that are seen of a text and of what lies right around it.

use crate::color::{self, Channels};
use crate::context::up;
use crate::document::{Document, NONE};
use crate::finding::Area;

/// Contrast below which text of any size cannot be read well: the bound of WCAG 2.2, success criterion 1.4.3, for large
/// text.
pub const READABLE_CONTRAST: f64 = 3.0;

/// What browsers paint a page on.
const WHITE: Channels = [255.0; 3];

/// Difference of a channel up to which two colours are the same.
const ALIKE: f64 = 1.0;

/// Share of what lies below that must be covered for nothing further out to show.
pub(crate) const OPAQUE: f64 = 0.999;

/// The colours of a text as it is seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shade {
    letters: Channels,
    ground: Channels,
    /// Whether it lies on the bare page, of which the tree tells nothing: it is taken for white.
    pub(crate) is_bare: bool,
    /// Whether its letters are not drawn at all.
    pub(crate) is_clear: bool,
}

impl Shade {
    /// Whether both are the same colours.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let ours = self.letters.iter().chain(&self.ground);
        let theirs = other.letters.iter().chain(&other.ground);
        ours.zip(theirs)
            .all(|(one, other)| (one - other).abs() <= ALIKE)
    }

    /// The contrast of the text against its ground, from 1 to 21.
    pub(crate) fn contrast(&self) -> f64 {
        color::contrast(self.letters, self.ground)
    }
}

/// The colours of an element's text on what it and all that it lies in are painted with, each as opaque as it is. Nothing
/// when a picture is part of it, when a colour is not known, or when what is painted lies elsewhere.
pub(crate) fn shade(tree: &Document, at: u32) -> Option<Shade> {
    let (own, alpha) = color::parse(tree.style(at, "color"))?;
    let mut covered = 0.0;
    let mut layers = Vec::new();
    for around in up(tree, at) {
        if tree.node(around).look.veiled
            || !matches!(tree.style(around, "background-image"), "" | "none")
        {
            return None;
        }
        let layer = match tree.style(around, "background-color") {
            "" => None,
            painted => Some(color::parse(painted)?),
        };
        let paint = layer.map_or(0.0, |(_, alpha)| alpha);
        if paint > 0.0 && !lies_below(tree, around, at) {
            return None;
        }
        let opacity = opacity(tree, around);
        layers.push((layer, opacity));
        covered = (covered + (1.0 - covered) * paint) * opacity;
        if covered > OPAQUE
            && up(tree, around)
                .skip(1)
                .all(|outer| self::opacity(tree, outer) >= 1.0)
        {
            break;
        }
    }
    let is_bare = covered <= OPAQUE;
    let mut ground = match tree.canvas.as_deref().filter(|_| is_bare) {
        Some(canvas) => {
            let (canvas, alpha) = color::parse(canvas)?;
            color::over(canvas, alpha, WHITE)
        }
        None => WHITE,
    };
    let mut behind = Vec::with_capacity(layers.len());
    for (layer, opacity) in layers.into_iter().rev() {
        behind.push((ground, opacity));
        if let Some((paint, alpha)) = layer {
            ground = color::over(paint, alpha, ground);
        }
    }
    let mut letters = color::over(own, alpha, ground);
    // An element that is not opaque lets what is behind it through its ground and its letters alike.
    for (behind, opacity) in behind.into_iter().rev() {
        letters = color::over(letters, opacity, behind);
        ground = color::over(ground, opacity, behind);
    }
    Some(Shade {
        letters,
        ground,
        is_bare: is_bare && tree.canvas.is_none(),
        is_clear: alpha <= 0.0,
    })
}

/// Whether what an element is painted with is below a text in it: what is positioned may stand elsewhere. The ground of the
/// root reaches everywhere.
pub(crate) fn lies_below(tree: &Document, around: u32, at: u32) -> bool {
    let (node, text) = (tree.node(around), tree.node(at).area);
    if node.parent == NONE || text.is_empty() {
        return true;
    }
    let Area { x, y, w, h } = node.area;
    (x..=x + w).contains(&(text.x + text.w / 2)) && (y..=y + h).contains(&(text.y + text.h / 2))
}

/// How much of an element is seen, 0 to 1, by its own style alone.
pub(crate) fn opacity(tree: &Document, at: u32) -> f64 {
    let opacity = tree.style(at, "opacity").parse::<f64>().ok();
    opacity
        .filter(|opacity| opacity.is_finite())
        .map_or(1.0, |opacity| opacity.clamp(0.0, 1.0))
}

/// Whether the bare page may be taken for white: where the page's own text could not be read on white, it is painted by
/// what no capture records.
pub(crate) fn is_on_white(tree: &Document) -> bool {
    let text = color::parse(tree.style(0, "color"));
    text.is_none_or(|(text, alpha)| {
        color::contrast(color::over(text, alpha, WHITE), WHITE) >= READABLE_CONTRAST
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(body: &str, around: &str, text: &str) -> Document {
        let json = format!(
            r#"{{"tagName":"body","styles":{{{body}}},"children":[
                {{"tagName":"div","rect":{{"x":0,"y":0,"w":600,"h":100}},"styles":{{{around}}},"children":[
                    {{"tagName":"p","text":"Hello",{text}}}]}}]}}"#
        );
        Document::parse(json.as_bytes()).unwrap()
    }

    const BLACK: &str = r#""styles":{"color":"rgb(0, 0, 0)"}"#;

    #[test]
    fn what_is_around_a_text_and_not_opaque_makes_it_paler() {
        let of = |around: &str| shade(&page("", around, BLACK), 2).unwrap().contrast();
        assert!((of("") - 21.0).abs() < 1e-9);
        // Black at a fifth on white is rgb(204 …).
        let pale = of(r#""opacity":"0.2""#);
        assert!((pale - 1.606).abs() < 1e-2, "{pale}");
        assert!((of(r#""opacity":"0""#) - 1.0).abs() < 1e-9);
        // A ground of its own fades with its text.
        let faded = of(r#""opacity":"0.5","background-color":"rgb(0, 0, 0)""#);
        assert!((faded - 1.0).abs() < 1e-9, "{faded}");
        assert!((of(r#""opacity":"nonsense""#) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn a_ground_that_lies_elsewhere_is_none() {
        let at = |y: i64| {
            let text = format!(r#"{BLACK},"rect":{{"x":0,"y":{y},"w":90,"h":20}}"#);
            shade(&page("", r#""background-color":"rgb(0, 0, 0)""#, &text), 2)
        };
        assert!(at(40).is_some_and(|shade| !shade.is_bare && shade.contrast() < 1.01));
        assert!(at(300).is_none());
    }

    #[test]
    fn the_bare_page_is_known_by_its_own_text() {
        let body = |styles: &str| page(styles, "", BLACK);
        assert!(is_on_white(&body("")));
        assert!(is_on_white(&body(r#""color":"rgb(40, 40, 40)""#)));
        assert!(!is_on_white(&body(r#""color":"rgb(238, 238, 238)""#)));
        let bare = |styles: &str| shade(&body(styles), 2).unwrap().is_bare;
        assert!(bare(""));
        assert!(!bare(r#""background-color":"rgb(255, 255, 255)""#));
    }
}
