//! Masks that are tried out on a document which was captured without them.

use std::cmp::Reverse;

use crate::document::{Document, NONE, Node, Parts};
use crate::finding::Area;
use crate::parse::STYLE_OF_MASKED;
use crate::select::Selector;
use crate::selector::Selectors;

/// Most selectors that are suggested for a place.
const MAX_SUGGESTED: usize = 5;

/// Pixels by which an element may be smaller than the place that it is to cover: rectangles are rounded.
const TOLERANCE: i64 = 2;

/// A selector that a place could be masked by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskSuggestion {
    /// The selector.
    pub selector: String,
    /// How many elements of the document it matches.
    pub matches: usize,
}

impl Document {
    /// Selectors that mask a place: of the elements that hold it, the smallest first; where nothing but the page itself holds it,
    /// of the largest elements in it.
    pub fn suggest_masks(&self, place: Area) -> Vec<MaskSuggestion> {
        let names = Selectors::new(self);
        let mut selectors: Vec<String> = Vec::new();
        for at in self.holders_of(place) {
            selectors.extend([names.selector(at)]);
            selectors.extend(self.classes_of(at));
        }
        let mut suggested: Vec<MaskSuggestion> = Vec::new();
        for selector in selectors {
            if suggested.iter().any(|known| known.selector == selector) {
                continue;
            }
            let matches = Selector::parse(&selector).map_or(0, |parsed| self.select(&parsed).len());
            if matches > 0 {
                suggested.push(MaskSuggestion { selector, matches });
            }
            if suggested.len() == MAX_SUGGESTED {
                break;
            }
        }
        suggested
    }

    /// What masking by a selector hides: the places of the elements that it matches, and of what in them sticks out.
    pub fn places_of(&self, selector: &Selector) -> Vec<Area> {
        let mut end = 0;
        let mut places = Vec::new();
        for at in self.select(selector) {
            if at < end {
                continue;
            }
            end = at + self.node(at).size;
            let own = self.node(at).area;
            let sticks_out = |area: &Area| area.w > 0 && area.h > 0 && !holds(own, *area);
            let within = (at + 1..end).map(|inner| self.node(inner).area);
            places.push(own);
            places.extend(within.filter(sticks_out));
        }
        places
    }

    /// The document as a capture has it on which these elements are masked: of them, their place alone.
    #[must_use]
    pub fn with_masked(&self, selector: &Selector) -> Self {
        let chosen = self.select(selector);
        let mut parts = Parts {
            nodes: Vec::with_capacity(self.nodes.len()),
            text: self.text_arena().to_owned(),
            styles: self.styles.clone(),
            head: self.head.clone(),
            errors: self.errors.clone(),
            canvas: self.canvas.clone(),
        };
        let mut chosen = chosen.into_iter().peekable();
        // Where nodes went to.
        let mut places = vec![NONE; self.nodes.len()];
        let (mut at, mut count) = (0, 0);
        while at < self.len() {
            while chosen.next_if(|next| *next < at).is_some() {}
            let node = *self.node(at);
            let parent = match node.parent {
                NONE => NONE,
                parent => places[parent as usize],
            };
            places[at as usize] = count;
            count += 1;
            let is_masked = chosen.next_if_eq(&at).is_some();
            parts.nodes.push(if is_masked {
                let kept = (parts.styles).only(node.styles, STYLE_OF_MASKED, &parts.text);
                Node {
                    parent,
                    ..node.masked(kept)
                }
            } else {
                Node {
                    parent,
                    size: 1,
                    ..node
                }
            });
            at += if is_masked { node.size } else { 1 };
        }
        for at in (1..parts.nodes.len()).rev() {
            let Node { parent, size, .. } = parts.nodes[at];
            parts.nodes[parent as usize].size += size;
        }
        Self::from_parts(parts)
    }

    /// The elements that hold a place, the smallest first; of those with the same rectangle the one that is named best.
    fn holders_of(&self, place: Area) -> Vec<u32> {
        let is_part = |at: &u32| !matches!(self.str(self.node(*at).tag), "html" | "body");
        let extent = |at: u32| self.node(at).area.w * self.node(at).area.h;
        let mut holders: Vec<u32> = (0..self.len())
            .filter(is_part)
            .filter(|at| holds(self.node(*at).area, place))
            .collect();
        if holders.is_empty() {
            let mut end = 0;
            for at in (0..self.len()).filter(is_part) {
                let area = self.node(at).area;
                if at >= end && area.w > 0 && area.h > 0 && holds(place, area) {
                    end = at + self.node(at).size;
                    holders.push(at);
                }
            }
            holders.sort_by_key(|at| Reverse(extent(*at)));
            return holders;
        }
        let named = |at: u32| match (self.node(at).id.is_empty(), self.node(at).class.is_empty()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        holders.sort_by_key(|at| (extent(*at), named(*at), Reverse(*at)));
        holders.dedup_by_key(|at| extent(*at));
        holders
    }

    /// All classes of an element without an id, so that everything like it is masked too.
    fn classes_of(&self, at: u32) -> Option<String> {
        let node = self.node(at);
        if !node.id.is_empty() || node.class.is_empty() {
            return None;
        }
        let classes = self.str(node.class).split_whitespace();
        let classes = classes.map(|class| format!(".{}", crate::selector::escaped(class)));
        Some(classes.collect())
    }
}

/// Whether an area holds another one, as nearly as rectangles tell.
fn holds(outer: Area, inner: Area) -> bool {
    outer.x - TOLERANCE <= inner.x
        && outer.y - TOLERANCE <= inner.y
        && outer.x + outer.w + TOLERANCE >= inner.x + inner.w
        && outer.y + outer.h + TOLERANCE >= inner.y + inner.h
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"{"tagName":"body","rect":{"x":0,"y":0,"w":800,"h":900},"children":[
        {"tagName":"main","rect":{"x":0,"y":0,"w":800,"h":600},"children":[
            {"tagName":"div","className":"card","rect":{"x":0,"y":0,"w":400,"h":300},"children":[
                {"tagName":"b","id":"price","text":"9 €","rect":{"x":20,"y":20,"w":60,"h":20}}]},
            {"tagName":"div","className":"card","rect":{"x":400,"y":0,"w":400,"h":300},"children":[
                {"tagName":"b","text":"8 €","rect":{"x":420,"y":20,"w":60,"h":20}}]}
        ]},
        {"tagName":"footer","text":"End","rect":{"x":0,"y":800,"w":800,"h":100}}
    ]}"#;

    fn page() -> Document {
        Document::parse(PAGE.as_bytes()).unwrap()
    }

    fn area(x: i64, y: i64, w: i64, h: i64) -> Area {
        Area { x, y, w, h }
    }

    #[test]
    fn a_place_is_masked_by_what_holds_it_the_smallest_first() {
        let suggested = |place| -> Vec<(String, usize)> {
            let all = page().suggest_masks(place).into_iter();
            all.map(|one| (one.selector, one.matches)).collect()
        };
        let named = |names: &[(&str, usize)]| -> Vec<(String, usize)> {
            names
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect()
        };
        assert_eq!(
            suggested(area(21, 19, 58, 22)),
            named(&[
                ("#price", 1),
                ("main div.card:nth-of-type(1)", 1),
                (".card", 2),
                ("main", 1)
            ])
        );
        assert_eq!(
            suggested(area(410, 100, 50, 50)),
            named(&[
                ("main div.card:nth-of-type(2)", 1),
                (".card", 2),
                ("main", 1)
            ])
        );
        // Only the page holds both; they are what lies in the place.
        assert_eq!(
            suggested(area(0, 0, 800, 900)),
            named(&[("main", 1), ("footer", 1)])
        );
        assert_eq!(suggested(area(100, 650, 20, 20)), named(&[]));
    }

    #[test]
    fn what_is_masked_is_no_change_and_the_rest_still_is() {
        let after = PAGE.replace("9 €", "7 €").replace("End", "Fin");
        let after = Document::parse(after.as_bytes()).unwrap();
        let changes = |selector: &str| {
            let selector = Selector::parse(selector).unwrap();
            let diff = crate::compare(
                &page().with_masked(&selector),
                &after.with_masked(&selector),
            );
            diff.wire_changes().len()
        };
        assert_eq!(changes("nav"), 2);
        assert_eq!(changes("#price"), 1);
        assert_eq!(changes(".card, footer"), 0);
        // The second lies in the first, which has the place of both.
        assert_eq!(changes("main, #price, footer"), 0);
    }

    #[test]
    fn masking_is_what_a_capture_with_the_mask_has() {
        let masked = PAGE.replace(
            r#""className":"card","rect":{"x":0"#,
            r#""masked":true,"rect":{"x":0"#,
        );
        assert_ne!(masked, PAGE);
        let captured = Document::parse(masked.as_bytes()).unwrap();
        let tried = page().with_masked(&Selector::parse("main div:nth-of-type(1)").unwrap());
        let hashes = |page: &Document| -> Vec<u64> {
            (0..page.len()).map(|at| page.print(at).whole).collect()
        };
        assert_eq!(hashes(&tried), hashes(&captured));
        let sizes =
            |page: &Document| -> Vec<u32> { page.nodes.iter().map(|node| node.size).collect() };
        assert_eq!(sizes(&tried), sizes(&captured));
    }

    #[test]
    fn places_are_those_of_the_outermost_elements_and_of_what_sticks_out() {
        let places = |selector: &str| page().places_of(&Selector::parse(selector).unwrap());
        assert_eq!(
            places("b, .card"),
            [area(0, 0, 400, 300), area(400, 0, 400, 300)]
        );
        assert_eq!(places("nav"), []);
        let flat = PAGE.replace(
            r#""x":0,"y":0,"w":800,"h":600"#,
            r#""x":0,"y":0,"w":800,"h":0"#,
        );
        let flat = Document::parse(flat.as_bytes()).unwrap();
        let places = flat.places_of(&Selector::parse("main").unwrap());
        assert_eq!(places.len(), 5, "{places:?}");
        assert!(places.contains(&area(400, 0, 400, 300)));
    }
}
