//! A page as a tree: reading the strict HTML that the templates are written in, and writing it.
//!
//! Strict means that every element that is not void is closed, in order, that attribute values are
//! in double quotes, and that there are no comments. Character references stay as they are written,
//! so that reading and writing gives the same bytes.

use std::fmt::Write as _;

/// Elements without content or end tag.
const VOID: [&str; 7] = ["br", "hr", "img", "input", "link", "meta", "source"];
/// Elements whose content is not markup.
const RAW: [&str; 2] = ["script", "style"];
const DOCTYPE: &str = "<!doctype html>";

/// An element with what it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) tag: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Node>,
}

/// A part of an element's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

impl Element {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Sets an attribute, at its place if the element has it.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        match self.attributes.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.attributes.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The text of an element that contains text alone.
    pub(crate) fn leaf_text(&mut self) -> &mut String {
        let tag = &self.tag;
        match self.children.as_mut_slice() {
            [Node::Text(text)] => text,
            _ => panic!("<{tag}> holds more than text"),
        }
    }

    /// Calls `visit` on this element and on everything below it, in document order.
    pub(crate) fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Element)) {
        visit(self);
        for child in &mut self.children {
            if let Node::Element(element) = child {
                element.walk_mut(visit);
            }
        }
    }

    fn write(&self, out: &mut String) {
        let _ = write!(out, "<{}", self.tag);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{value}\"");
        }
        out.push('>');
        if VOID.contains(&self.tag.as_str()) {
            return;
        }
        for child in &self.children {
            match child {
                Node::Element(element) => element.write(out),
                Node::Text(text) => out.push_str(text),
            }
        }
        let _ = write!(out, "</{}>", self.tag);
    }
}

/// A complete document.
pub(crate) fn write_document(root: &Element) -> String {
    let mut out = format!("{DOCTYPE}\n");
    root.write(&mut out);
    out.push('\n');
    out
}

/// Reads a complete document; what is wrong with it, if it is not well nested.
pub(crate) fn read_document(source: &str) -> Result<Element, String> {
    let rest = source.trim().strip_prefix(DOCTYPE).ok_or("no doctype")?;
    read_fragment(rest.trim())
}

/// Reads one element.
pub(crate) fn read_fragment(source: &str) -> Result<Element, String> {
    let mut reader = Reader { rest: source };
    let element = reader.element()?;
    if reader.rest.is_empty() {
        Ok(element)
    } else {
        Err(format!("more than one element: {}", start_of(reader.rest)))
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn element(&mut self) -> Result<Element, String> {
        self.expect("<")?;
        let tag = self.name()?.to_owned();
        let mut element = Element {
            attributes: self.attributes()?,
            children: Vec::new(),
            tag,
        };
        if RAW.contains(&element.tag.as_str()) {
            let text = self.until("</")?.to_owned();
            element.children.push(Node::Text(text));
        } else if !VOID.contains(&element.tag.as_str()) {
            element.children = self.content()?;
        } else {
            return Ok(element);
        }
        self.expect("</")?;
        self.expect(&element.tag)?;
        self.expect(">")?;
        Ok(element)
    }

    fn content(&mut self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        loop {
            let text = self.until("<")?;
            if !text.is_empty() {
                nodes.push(Node::Text(text.to_owned()));
            }
            if self.rest.starts_with("</") {
                return Ok(nodes);
            }
            nodes.push(Node::Element(self.element()?));
        }
    }

    fn attributes(&mut self) -> Result<Vec<(String, String)>, String> {
        let mut attributes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return Ok(attributes);
            }
            let name = self.name()?.to_owned();
            self.expect("=\"")?;
            let value = self.until("\"")?.to_owned();
            self.expect("\"")?;
            attributes.push((name, value));
        }
    }

    fn name(&mut self) -> Result<&'a str, String> {
        let part = |letter: char| letter.is_ascii_alphanumeric() || "-:".contains(letter);
        let end = self.rest.find(|letter| !part(letter)).unwrap_or(0);
        if end == 0 {
            return Err(format!("a name is missing: {}", start_of(self.rest)));
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(name)
    }

    fn until(&mut self, mark: &str) -> Result<&'a str, String> {
        let end = self.rest.find(mark);
        let end = end.ok_or_else(|| format!("no {mark} after: {}", start_of(self.rest)))?;
        let (before, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(before)
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.ok_or_else(|| format!("no {mark} at: {}", start_of(self.rest)))?;
        Ok(())
    }
}

fn start_of(source: &str) -> String {
    source.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::{read_document, write_document};

    #[test]
    fn gives_back_what_it_read() {
        let source =
            "<!doctype html>\n<html lang=\"en\"><p class=\"a\">1 &lt; 2<br> <b>x</b></p></html>\n";
        assert_eq!(write_document(&read_document(source).unwrap()), source);
    }

    #[test]
    fn refuses_what_is_not_well_nested() {
        for source in ["<b><i></b></i>", "<p>", "<p></p></p>", "<p class=x></p>"] {
            assert!(read_document(&format!("<!doctype html>{source}")).is_err());
        }
    }
}
