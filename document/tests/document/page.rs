use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use pentimento_document::{Document, DocumentDiff, compare};
use serde_json::{Map, Value, json};

/// Width of pages.
const WIDTH: i64 = 1000;
/// Around what is in an element, and between its children.
const SPACE: i64 = 8;
const LINE: i64 = 20;
const CHARACTER: i64 = 10;

/// An element before it is laid out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Element {
    pub(crate) tag: &'static str,
    pub(crate) text: String,
    pub(crate) id: Option<String>,
    pub(crate) class: Option<String>,
    pub(crate) styles: BTreeMap<&'static str, String>,
    pub(crate) attributes: BTreeMap<&'static str, Value>,
    pub(crate) children: Vec<Element>,
    /// Children stand side by side.
    pub(crate) row: bool,
    /// Moves it without a trace in its styles.
    pub(crate) nudge: i64,
    /// Height, if its content does not decide.
    pub(crate) height: Option<i64>,
}

pub(crate) fn leaf(tag: &'static str, text: &str) -> Element {
    Element {
        tag,
        text: text.to_owned(),
        ..Element::default()
    }
}

pub(crate) fn parent(tag: &'static str, children: impl IntoIterator<Item = Element>) -> Element {
    Element {
        tag,
        children: children.into_iter().collect(),
        ..Element::default()
    }
}

impl Element {
    pub(crate) fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    pub(crate) fn class(mut self, class: &str) -> Self {
        self.class = Some(class.to_owned());
        self
    }

    pub(crate) fn style(mut self, name: &'static str, value: &str) -> Self {
        self.styles.insert(name, value.to_owned());
        self
    }

    pub(crate) fn attribute(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.attributes.insert(name, value.into());
        self
    }

    pub(crate) fn height(mut self, height: i64) -> Self {
        self.height = Some(height);
        self
    }

    pub(crate) fn row(mut self) -> Self {
        self.row = true;
        self
    }

    /// The page as a client would send it.
    pub(crate) fn json(&self) -> Value {
        self.lay_out(0, 0, WIDTH).0
    }

    pub(crate) fn document(&self) -> Document {
        Document::parse(self.json().to_string().as_bytes()).unwrap()
    }

    /// The node, and its outer height.
    fn lay_out(&self, x: i64, y: i64, width: i64) -> (Value, i64) {
        let position = self.styles.get("position").map_or("", String::as_str);
        let fixed = position == "fixed";
        let lifted = fixed || position == "absolute";
        let y = if fixed { 0 } else { y + self.nudge };
        let mut bottom = y + SPACE;
        if !self.text.is_empty() {
            let characters = i64::try_from(self.text.chars().count()).unwrap();
            bottom += LINE
                * (characters * CHARACTER + width - 1)
                    .div_euclid(width.max(1))
                    .max(1)
                + SPACE;
        }
        let mut children = Vec::new();
        let count = i64::try_from(self.children.len()).unwrap().max(1);
        let inner = width - 2 * SPACE;
        let mut tallest = 0;
        for (at, child) in (0..).zip(&self.children) {
            let (node, height) = if self.row {
                child.lay_out(
                    x + SPACE + at * (inner / count),
                    bottom,
                    inner / count - SPACE,
                )
            } else {
                child.lay_out(x + SPACE, bottom, inner)
            };
            children.push(node);
            tallest = tallest.max(height);
            if !self.row && height > 0 {
                bottom += height + SPACE;
            }
        }
        bottom += tallest * i64::from(self.row);
        let height = self.height.unwrap_or(bottom - y + SPACE);
        let mut node = Map::new();
        node.insert("tagName".to_owned(), json!(self.tag));
        node.insert(
            "rect".to_owned(),
            json!({"x": x, "y": y, "w": width, "h": height}),
        );
        if let Some(id) = &self.id {
            node.insert("id".to_owned(), json!(id));
        }
        if let Some(class) = &self.class {
            node.insert("className".to_owned(), json!(class));
        }
        if !self.styles.is_empty() {
            node.insert("styles".to_owned(), json!(self.styles));
        }
        if !self.text.is_empty() {
            node.insert("text".to_owned(), json!(self.text));
        }
        for (name, value) in &self.attributes {
            node.insert((*name).to_owned(), value.clone());
        }
        if !children.is_empty() {
            node.insert("children".to_owned(), json!(children));
        }
        (Value::Object(node), if lifted { 0 } else { height })
    }
}

pub(crate) fn diff(before: &Element, after: &Element) -> DocumentDiff {
    compare(&before.document(), &after.document())
}

/// The kinds of all findings, in order.
pub(crate) fn kinds(diff: &DocumentDiff) -> Vec<ChangeType> {
    diff.findings.iter().map(|finding| finding.kind).collect()
}

/// A page with a header, five paragraphs in a main column, and a footer.
pub(crate) fn page() -> Element {
    let paragraphs = [
        "The first paragraph tells what the product is for",
        "Second comes a list of reasons to buy it right now",
        "Third, somebody else praises it in warm words",
        "In the fourth the price is named at last",
        "The fifth repeats everything for those who slept",
    ];
    parent(
        "body",
        [
            parent("header", [leaf("h1", "Pentimento")]),
            parent("main", paragraphs.map(|text| leaf("p", text))),
            parent("footer", [leaf("small", "Imprint and such")]),
        ],
    )
}

/// The main column of [`page`].
pub(crate) fn main_of(page: &mut Element) -> &mut Vec<Element> {
    &mut page.children[1].children
}
