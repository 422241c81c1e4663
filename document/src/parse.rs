//! From bytes to a document, within bounds and without recursion.

mod head;
mod unreadable;

use std::borrow::Cow;

use crate::clip::{clip, collapse_spaces};
use crate::document::{NONE, Node, Parts, Span};
use crate::finding::Area;
use crate::json::{Kind, Reader};
use crate::styles::{Interner, Styles};
pub(crate) use unreadable::Fault;
pub use unreadable::Unreadable;

/// The largest tree that is read: what an upload may be.
const MAX_BYTES: usize = 16 << 20;
/// The most elements of a tree.
const MAX_NODES: usize = 50_000;
/// The deepest nesting of a tree.
const MAX_DEPTH: usize = 512;
/// Characters kept of a direct text, and of a class.
const MAX_TEXT: usize = 1000;
/// Characters kept of an id, and of a tag.
const MAX_ID: usize = 200;
/// Characters kept of an address.
const MAX_ADDRESS: usize = 2000;
/// Characters kept of a style's value, and of its name.
const MAX_STYLE_VALUE: usize = 300;
const MAX_STYLE_NAME: usize = 64;
/// The most styles of a node.
const MAX_STYLES: usize = 64;
/// Coordinates beyond are pulled to this, so that sums stay far from overflow.
const MAX_COORDINATE: f64 = 1e7;
/// The style of a masked node that is kept: whether it takes up room among its neighbours.
pub(crate) const STYLE_OF_MASKED: &str = "position";
/// Levels of a node's path that an error names.
const MAX_PATH_LEVELS: usize = 8;

/// Reads a tree.
pub(crate) fn parse(json: &[u8]) -> Result<Parts, Unreadable> {
    if json.len() > MAX_BYTES {
        return Err(Unreadable::TooLarge);
    }
    let text = std::str::from_utf8(json).map_err(|error| Unreadable::NotJson {
        at: error.valid_up_to(),
        what: "the text is not UTF-8",
    })?;
    let mut reader = Reader::new(text);
    let mut builder = Builder {
        parts: Parts {
            nodes: Vec::new(),
            text: String::with_capacity(json.len() / 16),
            styles: Styles::new(),
            head: None,
            errors: None,
            canvas: None,
        },
        open: Vec::new(),
        interner: Interner::default(),
        truncated: false,
        absent: false,
    };
    if reader.kind()? != Kind::Object {
        return Err(Unreadable::WrongType {
            node: "the tree".to_owned(),
            field: "the root",
            expected: "an object",
        });
    }
    builder.open_node(&mut reader)?;
    while !builder.open.is_empty() {
        builder.step(&mut reader)?;
    }
    reader.finish()?;
    if builder.absent {
        return Err(Unreadable::Absent);
    }
    if builder.truncated {
        return Err(Unreadable::Truncated);
    }
    Ok(builder.parts)
}

/// The tree read so far.
struct Builder<'a> {
    parts: Parts,
    /// The nodes around the reader's position.
    open: Vec<Open>,
    interner: Interner<'a>,
    truncated: bool,
    absent: bool,
}

/// A node whose object has not ended.
struct Open {
    node: u32,
    /// Before its first key.
    fresh: bool,
    /// Within its array of children: whether before the first.
    children: Option<bool>,
    /// Children so far.
    count: u32,
    masked: bool,
}

impl<'a> Builder<'a> {
    /// Reads one child's beginning, one field, or one end.
    fn step(&mut self, reader: &mut Reader<'a>) -> Result<(), Unreadable> {
        let open = self.open.last_mut().expect("the caller checks");
        if let Some(fresh) = &mut open.children {
            if !reader.next_element(fresh)? {
                open.children = None;
                return Ok(());
            }
            open.count += 1;
            if reader.kind()? != Kind::Object {
                return Err(self.wrong_type("children", "a list of objects"));
            }
            return self.open_node(reader);
        }
        let node = open.node as usize;
        match reader.next_key(&mut open.fresh)? {
            Some(key) => self
                .read_field(node, &key, reader)
                .map_err(|fault| match fault {
                    Fault::Malformed(malformed) => malformed.into(),
                    Fault::Type(field, expected) => self.wrong_type(field, expected),
                }),
            None => self.close_node(),
        }
    }

    fn open_node(&mut self, reader: &mut Reader<'a>) -> Result<(), Unreadable> {
        if self.open.len() == MAX_DEPTH {
            return Err(Unreadable::TooDeep);
        }
        if self.parts.nodes.len() == MAX_NODES {
            return Err(Unreadable::TooManyNodes);
        }
        reader.enter();
        let node = u32::try_from(self.parts.nodes.len()).expect("bounded above");
        self.parts.nodes.push(Node {
            parent: self.open.last().map_or(NONE, |open| open.node),
            ..Node::bare()
        });
        self.open.push(Open {
            node,
            fresh: true,
            children: None,
            count: 0,
            masked: false,
        });
        Ok(())
    }

    fn close_node(&mut self) -> Result<(), Unreadable> {
        let open = self.open.last().expect("a node ends");
        let (node, masked) = (open.node as usize, open.masked);
        if self.parts.nodes[node].tag.is_empty() {
            return Err(Unreadable::NoTag { node: self.path() });
        }
        if masked {
            self.forget(node);
        }
        self.parts.nodes[node].size =
            u32::try_from(self.parts.nodes.len() - node).expect("bounded when opened");
        self.open.pop();
        Ok(())
    }

    /// Keeps the place of a masked node alone, so that nothing else of it, or in it, is ever a change; and its id, by which
    /// it is found again where it has the same one.
    fn forget(&mut self, at: usize) {
        self.parts.nodes.truncate(at + 1);
        let styles = self.parts.nodes[at].styles;
        let kept = (self.parts.styles).only(styles, STYLE_OF_MASKED, &self.parts.text);
        self.parts.nodes[at] = self.parts.nodes[at].masked(kept);
    }

    fn read_field(&mut self, at: usize, key: &str, reader: &mut Reader<'a>) -> Result<(), Fault> {
        if reader.kind()? == Kind::Null {
            reader.skip()?;
            return Ok(());
        }
        match key {
            "tagName" => {
                let tag = string(reader, "tagName")?;
                let tag = self.keep(&tag.to_ascii_lowercase(), MAX_ID);
                self.parts.nodes[at].tag = tag;
            }
            "id" => self.parts.nodes[at].id = self.kept(reader, "id", MAX_ID)?,
            "className" => {
                let class = string(reader, "className")?;
                self.parts.nodes[at].class = self.keep(&collapse_spaces(&class), MAX_TEXT);
            }
            "text" => {
                let text = string(reader, "text")?;
                if !self.parts.nodes[at].long {
                    self.parts.nodes[at].text = self.keep(&collapse_spaces(&text), MAX_TEXT);
                }
            }
            "longText" => {
                let text = string(reader, "longText")?;
                self.parts.nodes[at].text = self.keep(&collapse_spaces(&text), MAX_TEXT);
                self.parts.nodes[at].long = true;
            }
            "href" => self.parts.nodes[at].href = Some(self.kept(reader, "href", MAX_ADDRESS)?),
            "src" => self.parts.nodes[at].src = Some(self.kept(reader, "src", MAX_ADDRESS)?),
            "alt" => self.parts.nodes[at].alt = Some(self.kept(reader, "alt", MAX_TEXT)?),
            "truncated" if at == 0 => self.truncated = boolean(reader, "truncated")?,
            "absent" if at == 0 => self.absent = boolean(reader, "absent")?,
            "masked" => {
                let masked = boolean(reader, "masked")?;
                self.open.last_mut().expect("a node is read").masked = masked;
            }
            "broken" => self.parts.nodes[at].broken = boolean(reader, "broken")?,
            "veiled" => self.parts.nodes[at].look.veiled = boolean(reader, "veiled")?,
            "off" => self.parts.nodes[at].look.off = boolean(reader, "off")?,
            "untyped" => self.parts.nodes[at].look.untyped = boolean(reader, "untyped")?,
            "canvas" if at == 0 => self.parts.canvas = Some(string(reader, "canvas")?.into()),
            "open" => self.parts.nodes[at].open = Some(boolean(reader, "open")?),
            "rect" => self.parts.nodes[at].area = rectangle(reader)?,
            "styles" => self.parts.nodes[at].styles = self.styles(reader)?,
            "children" => {
                if reader.kind()? != Kind::Array {
                    return Err(Fault::Type("children", "a list"));
                }
                reader.enter();
                self.open.last_mut().expect("a node is read").children = Some(true);
            }
            "spill" => self.parts.nodes[at].spill = number(reader, "spill")?,
            "shown" => {
                let percent = number(reader, "shown")?.clamp(0, 100);
                self.parts.nodes[at].look.fit.shown = Some(percent);
            }
            "shortens" => {
                self.parts.nodes[at].look.fit.shortens = boolean(reader, "shortens")?;
            }
            "errors" if at == 0 => self.parts.errors = Some(head::errors(reader)?),
            "head" if at == 0 => self.parts.head = Some(head::read(reader)?),
            _ => drop(reader.skip()?),
        }
        Ok(())
    }

    /// Reads an object of styles, or recognises one that was read before.
    fn styles(&mut self, reader: &mut Reader<'a>) -> Result<u32, Fault> {
        if reader.kind()? != Kind::Object {
            return Err(Fault::Type("styles", "an object"));
        }
        let recent = self.interner.find_recent(|text| reader.skip_known(text));
        if let Some((text, set)) = recent {
            self.interner.note_recent(text, set);
            return Ok(set);
        }
        let text = reader.skip()?;
        if let Some(set) = self.interner.get(text) {
            self.interner.note_recent(text, set);
            return Ok(set);
        }
        let mut reader = Reader::new(text);
        reader.kind()?;
        reader.enter();
        let (mut pairs, mut fresh) = (Vec::new(), true);
        while let Some(name) = reader.next_key(&mut fresh)? {
            let value = match reader.kind()? {
                Kind::String => reader.string()?,
                Kind::Number => Cow::Borrowed(reader.skip()?),
                _ => return Err(Fault::Type("styles", "an object of strings")),
            };
            if pairs.len() < MAX_STYLES && Styles::is_recorded(&name) {
                let name = self.keep(&name, MAX_STYLE_NAME);
                pairs.push((name, self.keep(&value, MAX_STYLE_VALUE)));
            }
        }
        let set = self.parts.styles.add(pairs, &self.parts.text);
        self.interner.note(text, set);
        Ok(set)
    }

    fn kept(
        &mut self,
        reader: &mut Reader<'a>,
        field: &'static str,
        most: usize,
    ) -> Result<Span, Fault> {
        let value = string(reader, field)?;
        Ok(self.keep(&value, most))
    }

    /// Puts a text into the document, cut to so many characters.
    fn keep(&mut self, text: &str, most: usize) -> Span {
        let cut = clip(text, most);
        let start = self.parts.text.len();
        self.parts.text.push_str(cut);
        Span {
            start: u32::try_from(start).expect("texts are bounded by the input"),
            len: u32::try_from(cut.len()).expect("texts are bounded by the input"),
        }
    }

    fn wrong_type(&self, field: &'static str, expected: &'static str) -> Unreadable {
        Unreadable::WrongType {
            node: self.path(),
            field,
            expected,
        }
    }

    /// The place of the innermost open node: its tag if it was read, and those around it.
    fn path(&self) -> String {
        let skipped = self.open.len().saturating_sub(MAX_PATH_LEVELS);
        let name = |(level, open): (usize, &Open)| {
            let tag = self.parts.nodes[open.node as usize].tag;
            let tag = match &self.parts.text[tag.range()] {
                "" => "element",
                tag => clip(tag, 30),
            };
            match level.checked_sub(1) {
                Some(parent) => format!("{tag} (child {})", self.open[parent].count),
                None => tag.to_owned(),
            }
        };
        let levels = self.open.iter().enumerate().skip(skipped).map(name);
        let levels: Vec<String> = levels.collect();
        format!(
            "{}{}",
            if skipped > 0 { "… > " } else { "" },
            levels.join(" > ")
        )
    }
}

fn string<'a>(reader: &mut Reader<'a>, field: &'static str) -> Result<Cow<'a, str>, Fault> {
    match reader.kind()? {
        Kind::String => Ok(reader.string()?),
        _ => Err(Fault::Type(field, "a string")),
    }
}

fn number(reader: &mut Reader<'_>, field: &'static str) -> Result<i64, Fault> {
    match reader.kind()? {
        Kind::Number => Ok(rounded(reader.number()?)),
        _ => Err(Fault::Type(field, "a number")),
    }
}

fn boolean(reader: &mut Reader<'_>, field: &'static str) -> Result<bool, Fault> {
    match reader.kind()? {
        Kind::Boolean => Ok(reader.boolean()?),
        _ => Err(Fault::Type(field, "true or false")),
    }
}

fn rectangle(reader: &mut Reader<'_>) -> Result<Area, Fault> {
    let mut area = Area::default();
    if reader.kind()? != Kind::Object {
        return Err(Fault::Type("rect", "an object"));
    }
    reader.enter();
    let mut fresh = true;
    while let Some(key) = reader.next_key(&mut fresh)? {
        let field = match &*key {
            "x" => &mut area.x,
            "y" => &mut area.y,
            "w" => &mut area.w,
            "h" => &mut area.h,
            _ => {
                reader.skip()?;
                continue;
            }
        };
        *field = match reader.kind()? {
            Kind::Number => rounded(reader.number()?),
            _ => return Err(Fault::Type("rect", "an object of numbers")),
        };
    }
    (area.w, area.h) = (area.w.max(0), area.h.max(0));
    Ok(area)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped, and never not a number"
)]
fn rounded(number: f64) -> i64 {
    number.clamp(-MAX_COORDINATE, MAX_COORDINATE).round() as i64
}
