//! Selectors of what a document tells of its elements: tags, ids, classes and places among siblings (Selectors Level 4, of which
//! this is a part).

use std::iter::Peekable;
use std::str::Chars;

use rustc_hash::FxHashMap;

use crate::document::{Document, NONE};

/// Most parts of a selector, the commas of a list included.
const MAX_PARTS: usize = 64;

/// A CSS selector that can be asked of a [`Document`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// The selectors of the list; each from the outermost part to the innermost.
    list: Vec<Vec<Part>>,
}

/// Most classes of a part.
const MAX_CLASSES: usize = 16;

/// One part of a selector, and how it hangs on the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Part {
    /// Whether the part before is the parent, and not any ancestor.
    is_child: bool,
    tag: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    /// From 1.
    nth_of_type: Option<u32>,
}

impl Selector {
    /// Reads a selector; nothing when it asks for more than documents tell, or is none.
    ///
    /// Understood are lists of tags, `*`, `#id`, `.class`, `:nth-of-type(2)`, and the combinators ` ` and `>`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = text.trim().chars().peekable();
        let (mut list, mut parts) = (Vec::new(), vec![part(&mut reader)?]);
        for _ in 0..MAX_PARTS {
            let spaced = skip_spaces(&mut reader);
            match reader.peek() {
                None => {
                    list.push(parts);
                    return Some(Self { list });
                }
                Some(',') => {
                    reader.next();
                    skip_spaces(&mut reader);
                    list.push(std::mem::replace(&mut parts, vec![part(&mut reader)?]));
                }
                Some('>') => {
                    reader.next();
                    skip_spaces(&mut reader);
                    parts.push(Part {
                        is_child: true,
                        ..part(&mut reader)?
                    });
                }
                Some(_) if spaced => parts.push(part(&mut reader)?),
                Some(_) => return None,
            }
        }
        None
    }
}

impl Document {
    /// The elements that a selector matches, in document order.
    pub(crate) fn select(&self, selector: &Selector) -> Vec<u32> {
        let needs_places = (selector.list.iter().flatten()).any(|part| part.nth_of_type.is_some());
        let places = if needs_places {
            self.places_of_type()
        } else {
            Vec::new()
        };
        let mut chosen = vec![false; self.nodes.len()];
        for parts in &selector.list {
            for (chosen, matches) in chosen.iter_mut().zip(self.select_one(parts, &places)) {
                *chosen |= matches;
            }
        }
        (0..self.len()).filter(|at| chosen[*at as usize]).collect()
    }

    /// For every node whether one selector matches it. Parts are matched from the outermost one on, so that each looks at
    /// every node once.
    fn select_one(&self, parts: &[Part], places: &[u32]) -> Vec<bool> {
        let mut outer: Option<Vec<bool>> = None;
        for part in parts {
            let mut matches = vec![false; self.nodes.len()];
            // Whether an ancestor matches the parts before.
            let mut within = vec![false; self.nodes.len()];
            for at in 0..self.len() {
                let parent = self.node(at).parent;
                let hangs = match &outer {
                    None => true,
                    Some(_) if parent == NONE => false,
                    Some(outer) => {
                        let of_parent = outer[parent as usize];
                        within[at as usize] = of_parent || within[parent as usize];
                        of_parent || (!part.is_child && within[at as usize])
                    }
                };
                matches[at as usize] = hangs && self.is_part(at, part, places);
            }
            outer = Some(matches);
        }
        outer.unwrap_or_default()
    }

    fn is_part(&self, at: u32, part: &Part, places: &[u32]) -> bool {
        let node = self.node(at);
        let is_tag = |tag: &String| self.str(node.tag).eq_ignore_ascii_case(tag);
        let has_class = |class: &String| {
            let mut classes = self.str(node.class).split_whitespace();
            classes.any(|own| own == class)
        };
        part.tag.as_ref().is_none_or(is_tag)
            && (part.id.as_ref()).is_none_or(|id| self.str(node.id) == id)
            && part.classes.iter().all(has_class)
            && part
                .nth_of_type
                .is_none_or(|place| places[at as usize] == place)
    }

    /// For every node its place among the siblings of its tag, from 1.
    pub(crate) fn places_of_type(&self) -> Vec<u32> {
        let mut places = vec![1; self.nodes.len()];
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for parent in 0..self.len() {
            counts.clear();
            for child in self.children(parent) {
                let count = counts.entry(self.print(child).tag).or_default();
                *count += 1;
                places[child as usize] = *count;
            }
        }
        places
    }
}

type Reader<'a> = Peekable<Chars<'a>>;

fn skip_spaces(reader: &mut Reader<'_>) -> bool {
    let mut skipped = false;
    while reader.next_if(char::is_ascii_whitespace).is_some() {
        skipped = true;
    }
    skipped
}

/// Reads one part: a tag or `*`, and what narrows it.
fn part(reader: &mut Reader<'_>) -> Option<Part> {
    let mut part = Part::default();
    let mut is_empty = true;
    if reader.next_if_eq(&'*').is_some() {
        is_empty = false;
    } else if let Some(tag) = name(reader) {
        // Trees begin at the body.
        if tag.eq_ignore_ascii_case("html") {
            return None;
        }
        part.tag = Some(tag);
        is_empty = false;
    }
    loop {
        if reader.next_if_eq(&'#').is_some() {
            // Two ids are understood as one that no element has.
            if part.id.is_some() {
                return None;
            }
            part.id = Some(name(reader)?);
        } else if reader.next_if_eq(&'.').is_some() {
            let class = name(reader)?;
            if !part.classes.contains(&class) {
                part.classes.push(class);
            }
            if part.classes.len() > MAX_CLASSES {
                return None;
            }
        } else if reader.next_if_eq(&':').is_some() {
            if part.nth_of_type.is_some() {
                return None;
            }
            part.nth_of_type = Some(nth_of_type(reader)?);
        } else {
            return (!is_empty).then_some(part);
        }
        is_empty = false;
    }
}

/// Reads `nth-of-type(2)`.
fn nth_of_type(reader: &mut Reader<'_>) -> Option<u32> {
    let named = name(reader)?;
    (named == "nth-of-type" && reader.next() == Some('(')).then_some(())?;
    let mut digits = String::new();
    while let Some(digit) = reader.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    let place = digits.parse().ok().filter(|place| *place > 0)?;
    (reader.next() == Some(')')).then_some(place)
}

/// Reads an identifier with its escapes (CSS Syntax Level 3, "consume an ident sequence").
fn name(reader: &mut Reader<'_>) -> Option<String> {
    let mut name = String::new();
    while let Some(&sign) = reader.peek() {
        let leads = name.is_empty() || name == "-";
        match sign {
            '\\' => {
                reader.next();
                name.push(escaped(reader)?);
            }
            '0'..='9' if leads => return None,
            '-' | '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '\u{80}'.. => {
                reader.next();
                name.push(sign);
            }
            _ => break,
        }
    }
    (!name.is_empty() && name != "-").then_some(name)
}

fn escaped(reader: &mut Reader<'_>) -> Option<char> {
    let mut code = String::new();
    while code.len() < 6
        && let Some(digit) = reader.next_if(char::is_ascii_hexdigit)
    {
        code.push(digit);
    }
    if code.is_empty() {
        return reader.next().filter(|sign| *sign != '\n');
    }
    reader.next_if(char::is_ascii_whitespace);
    let code = u32::from_str_radix(&code, 16).ok()?;
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selector::Selectors;

    const PAGE: &str = r#"{"tagName":"body","children":[
        {"tagName":"main","id":"m","children":[
            {"tagName":"p","className":"a b"},
            {"tagName":"div","className":"a","children":[{"tagName":"P","className":"b"},{"tagName":"p","id":"1:x"}]},
            {"tagName":"p","className":"c"}
        ]},
        {"tagName":"p","className":"a"}
    ]}"#;

    fn matched(selector: &str) -> Option<Vec<u32>> {
        let page = Document::parse(PAGE.as_bytes()).unwrap();
        Selector::parse(selector).map(|selector| page.select(&selector))
    }

    #[test]
    fn selectors_match_as_in_a_browser() {
        for (selector, expected) in [
            ("p", vec![2, 4, 5, 6, 7]),
            ("*", vec![0, 1, 2, 3, 4, 5, 6, 7]),
            (".a", vec![2, 3, 7]),
            ("p.a.b", vec![2]),
            ("main p", vec![2, 4, 5, 6]),
            ("main > p", vec![2, 6]),
            ("main>p:nth-of-type(2)", vec![6]),
            ("body > main > .a > p", vec![4, 5]),
            ("#m .a .b, body > .a", vec![4, 7]),
            ("main main p", vec![]),
            ("#\\31 \\:x", vec![5]),
            ("P.b", vec![2, 4]),
        ] {
            assert_eq!(matched(selector), Some(expected), "{selector}");
        }
    }

    #[test]
    fn what_documents_do_not_tell_is_not_understood() {
        let many = vec!["p"; MAX_PARTS + 2].join(" ");
        for selector in [
            "",
            " ",
            ",",
            "p,",
            "> p",
            "p >",
            "p > > p",
            "p + p",
            "p ~ p",
            "[data-x]",
            "p:hover",
            "p::before",
            ":nth-of-type(0)",
            ":nth-of-type(2n)",
            "p:nth-of-type(1",
            "1p",
            "-",
            "#",
            "html p",
            "p:nth-of-type(1):nth-of-type(2)",
            "a#b#c",
            "#\\31:x",
            "p\\",
            "é!",
            &many,
        ] {
            assert_eq!(matched(selector), None, "{selector}");
        }
    }

    #[test]
    fn every_name_of_an_element_finds_it() {
        let page = Document::parse(PAGE.as_bytes()).unwrap();
        let names = Selectors::new(&page);
        for at in 0..page.len() {
            let name = names.selector(at);
            assert!(matched(&name).unwrap().contains(&at), "{name}");
        }
    }
}
