//! What surrounds a changed element: by what names people know it, what it says, whether it can be read.

use crate::color::{self, Channels};
use crate::document::{Document, NONE};
use crate::shade::shade;

/// Elements of a lineage, and characters of each.
const MAX_LINEAGE: usize = 24;
const MAX_NAME_CHARACTERS: usize = 200;

/// Characters of an element's text.
const MAX_TEXT_CHARACTERS: usize = 120;

/// Elements that are looked at for what lies in another, different names of them, the size of an element from which on
/// what lies in it does not name it, and siblings of an element.
const MAX_CONTAINED: usize = 400;
const MAX_CONTAINED_NAMES: usize = 48;
const MAX_NAMED: u32 = 60;
const MAX_SIBLINGS: usize = 10_000;

/// An element and what it lies in, the nearest first, each as `tag#id.class.class`.
pub(crate) fn lineage(tree: &Document, at: u32) -> Vec<String> {
    up(tree, at)
        .take(MAX_LINEAGE)
        .map(|at| {
            let node = tree.node(at);
            let mut name = tree.str(node.tag).to_owned();
            let id = tree.str(node.id);
            if !id.is_empty() {
                name.push('#');
                name.push_str(id);
            }
            for class in tree.str(node.class).split_whitespace() {
                name.push('.');
                name.push_str(class);
            }
            name.chars().take(MAX_NAME_CHARACTERS).collect()
        })
        .collect()
}

/// What people know an element by: the first heading in it, else what it and everything in it says, else its alternative
/// text; cut. Nothing when there is none of these.
pub(crate) fn text(tree: &Document, at: u32) -> Option<String> {
    let is_heading = |at: &u32| {
        let tag = tree.str(tree.node(*at).tag);
        matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
    };
    let heading = tree.subtree(at).skip(1).find(is_heading);
    if let Some(heading) = heading
        && let Some(text) = text(tree, heading)
    {
        return Some(text);
    }
    let mut said = String::new();
    for node in tree.subtree(at) {
        let text = tree.str(tree.node(node).text);
        if text.is_empty() {
            continue;
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(text);
        if said.chars().count() >= MAX_TEXT_CHARACTERS {
            break;
        }
    }
    if said.is_empty() {
        said.push_str(tree.optional_str(tree.node(at).alt).unwrap_or(""));
    }
    let cut: String = said.chars().take(MAX_TEXT_CHARACTERS).collect();
    (!cut.is_empty()).then_some(cut)
}

/// The tags, ids and classes of what lies in an element, each once; of a large one the tags alone.
pub(crate) fn contains(tree: &Document, at: u32) -> Vec<String> {
    let is_large = tree.node(at).size > MAX_NAMED;
    let mut names: Vec<String> = Vec::new();
    for inside in tree.subtree(at).skip(1).take(MAX_CONTAINED) {
        let node = tree.node(inside);
        let own = [tree.str(node.id), tree.str(node.class)];
        let own = own.into_iter().filter(|_| !is_large);
        for name in std::iter::once(tree.str(node.tag)).chain(own.flat_map(str::split_whitespace)) {
            if names.len() == MAX_CONTAINED_NAMES {
                return names;
            }
            if !names.iter().any(|known| known == name) {
                names.push(name.chars().take(MAX_NAME_CHARACTERS).collect());
            }
        }
    }
    names
}

/// What people know the sibling by that stands before an element, or behind it.
pub(crate) fn beside(tree: &Document, at: u32, is_before: bool) -> Option<String> {
    let parent = tree.node(at).parent;
    if parent == NONE {
        return None;
    }
    let sibling = if is_before {
        let end = |sibling: &u32| *sibling + tree.node(*sibling).size == at;
        (tree.children(parent).take(MAX_SIBLINGS)).find(end)
    } else {
        let next = at + tree.node(at).size;
        (next < parent + tree.node(parent).size).then_some(next)
    };
    text(tree, sibling?)
}

/// The contrast of an element's text against its ground, from 1 to 21, as WCAG 2.2 defines it; nothing when the ground is
/// a picture or a colour is not known, or when there is no text. Of what lies in it alone, its own colours stand for all.
pub(crate) fn contrast(tree: &Document, at: u32) -> Option<f64> {
    if !has_letters(tree, at) {
        return None;
    }
    Some(shade(tree, at)?.contrast())
}

/// Whether an element shows text: its own, that of an element in it, or what a form's field holds.
fn has_letters(tree: &Document, at: u32) -> bool {
    tree.subtree(at).any(|at| {
        let node = tree.node(at);
        !tree.str(node.text).trim().is_empty()
            || matches!(tree.str(node.tag), "input" | "textarea" | "select")
    })
}

/// The colour that an element's text shows: letters that are not opaque let their ground through, so that without it
/// nothing is known of them.
fn letters(tree: &Document, at: u32, ground: Option<Channels>) -> Option<Channels> {
    let (color, alpha) = color::parse(tree.style(at, "color"))?;
    match ground {
        Some(ground) => Some(color::over(color, alpha, ground)),
        None => (alpha >= 1.0).then_some(color),
    }
}

/// The colour below an element's text: what it and all that it lies in are painted with, on white. Nothing when one is
/// painted with a picture or with a colour that is not known.
pub(crate) fn ground(tree: &Document, at: u32) -> Option<Channels> {
    let mut covered = 0.0;
    let mut layers = Vec::new();
    for at in up(tree, at) {
        if !matches!(tree.style(at, "background-image"), "" | "none") {
            return None;
        }
        let painted = tree.style(at, "background-color");
        if painted.is_empty() {
            continue;
        }
        let (layer, alpha) = color::parse(painted)?;
        layers.push((layer, alpha));
        covered += (1.0 - covered) * alpha;
        if covered > 0.999 {
            break;
        }
    }
    let white = [255.0; 3];
    let shown = layers.into_iter().rev();
    Some(shown.fold(white, |ground, (layer, alpha)| {
        color::over(layer, alpha, ground)
    }))
}

/// How far apart the colours of an element look before and after, where it was painted with another one or its text was:
/// the larger of both distances.
pub(crate) fn tint(before: (&Document, u32), after: (&Document, u32)) -> Option<f64> {
    let ground = |(tree, at): (&Document, u32)| ground(tree, at);
    let shown = |(tree, at): (&Document, u32)| {
        text(tree, at)?;
        letters(tree, at, ground((tree, at)))
    };
    let apart = |[one, other]: [Option<Channels>; 2]| Some(color::distance(one?, other?));
    let distances = [
        apart([ground(before), ground(after)]),
        apart([shown(before), shown(after)]),
    ];
    distances.into_iter().flatten().reduce(f64::max)
}

/// An element and those that it lies in, the nearest first.
pub(crate) fn up(tree: &Document, at: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(at), |at| {
        Some(tree.node(*at).parent).filter(|parent| *parent != NONE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, ground: &str, box_ground: &str) -> Document {
        let json = format!(
            r#"{{"tagName":"body","styles":{{"background-color":"{ground}"}},"children":[
                {{"tagName":"div","id":"card","className":"box  wide","styles":{{"background-color":"{box_ground}"}},
                  "children":[{{"tagName":"p","styles":{{"color":"{text}","background-color":"rgba(0, 0, 0, 0)"}},"text":"Hello"}}]}}]}}"#
        );
        Document::parse(json.as_bytes()).unwrap()
    }

    #[test]
    fn what_says_nothing_has_no_contrast() {
        let of = |child: &str| {
            let json = format!(
                r#"{{"tagName":"body","children":[{{"tagName":"div","styles":{{"color":"rgb(0, 0, 0)"}},"children":[{child}]}}]}}"#
            );
            contrast(&Document::parse(json.as_bytes()).unwrap(), 1)
        };
        assert_eq!(of(r#"{"tagName":"hr"}"#), None);
        assert_eq!(of(r#"{"tagName":"b","text":" "}"#), None);
        assert_eq!(of(r#"{"tagName":"b","text":"Hello"}"#), Some(21.0));
        assert_eq!(of(r#"{"tagName":"input"}"#), Some(21.0));
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let of = |text, ground, layer| contrast(&page(text, ground, layer), 2).unwrap();
        let clear = "rgba(0, 0, 0, 0)";
        assert!((of("rgb(0, 0, 0)", "rgb(255, 255, 255)", clear) - 21.0).abs() < 1e-9);
        assert!(
            (of("rgb(119, 119, 119)", clear, clear) - 4.478).abs() < 1e-3,
            "the page is white"
        );
        let half = of(
            "rgb(255, 255, 255)",
            "rgb(255, 255, 255)",
            "rgba(0, 0, 0, 0.5)",
        );
        assert!((half - 3.976).abs() < 1e-2, "{half}");
        assert_eq!(contrast(&page("rebeccapurple", clear, clear), 2), None);
        assert_eq!(
            contrast(&page("rgb(0, 0, 0)", clear, "color(mine 1 0 0)"), 2),
            None
        );
    }

    #[test]
    fn letters_that_let_their_ground_through_are_as_pale_as_they_look() {
        let of = |text, layer| contrast(&page(text, "rgb(255, 255, 255)", layer), 2).unwrap();
        let clear = "rgba(0, 0, 0, 0)";
        // Black at a tenth on white is rgb(229.5 …): 1.2539 of 1.
        assert!((of("rgba(0, 0, 0, 0.1)", clear) - 1.2539).abs() < 1e-3);
        assert!((of("rgba(0, 0, 0, 0)", clear) - 1.0).abs() < 1e-9);
        // The same greys, as they are written today.
        let grey = of("rgb(119, 119, 119)", clear);
        for same in [
            "color(srgb 0.466667 0.466667 0.466667)",
            "oklch(0.5693 0 0)",
            "oklab(0.5693 0 0)",
            "lab(50.03 0 0)",
            "lch(50.03 0 none)",
            "rgb(0 0 0 / 0.533333)",
        ] {
            let ours = of(same, clear);
            assert!((ours - grey).abs() < 0.02, "{same}: {ours} and {grey}");
        }
        let on_modern = of("rgb(255, 255, 255)", "oklch(0 0 0 / 0.5)");
        assert!((on_modern - 3.976).abs() < 1e-2, "{on_modern}");
    }

    #[test]
    fn elements_are_known_by_their_names_and_texts() {
        let page = page("rgb(0, 0, 0)", "", "");
        assert_eq!(lineage(&page, 2), ["p", "div#card.box.wide", "body"]);
        assert_eq!(text(&page, 0).as_deref(), Some("Hello"));
    }
}
