//! Does an edit to a page and says what it planted.

use std::fmt::Write as _;

use pentimento_api::result::ChangeType;

use crate::art;
use crate::edit::{Edit, Step};
use crate::html::{Element, Node, read_fragment};
use crate::select::{at, find, put_before, select, swap_with_next, take};
use crate::source_only::{rename_classes, shuffle_source, style_sheet};
use crate::truth::{Pixels, Planted};

/// Changes the page and returns the change that a document diff should report, if there is one.
pub(crate) fn apply(step: &Step, root: &mut Element) -> Option<Planted> {
    let kind = change(step, root)?;
    Some(Planted {
        kind,
        element: step.at.to_owned(),
        displaces: step.displaces,
        hard_bug: step.edit.is_hard_bug(),
        contradicts: step.edit.pixels() == Pixels::Changed && !matches!(step.edit, Edit::Clock(_)),
    })
}

fn change(step: &Step, root: &mut Element) -> Option<ChangeType> {
    match step.edit {
        Edit::Text(text) | Edit::Price(text) | Edit::Clock(text) => {
            text.clone_into(select(root, step.at).leaf_text());
            Some(ChangeType::TextEdit)
        }
        Edit::Link(target) => {
            select(root, step.at).set("href", target);
            Some(ChangeType::TextEdit)
        }
        Edit::Colour(css) | Edit::Spacing(css) | Edit::Overflow(css) | Edit::Overlap(css) => {
            restyle(root, step.at, css);
            Some(ChangeType::StyleOnly)
        }
        Edit::Font(css) | Edit::ContrastLoss(css) => Some(restyle_leaf(root, step.at, css)),
        Edit::Hidden => Some(restyle_leaf(root, step.at, "visibility: hidden")),
        Edit::AntiAliasing => {
            restyle(root, step.at, "transform: translateX(0.3px)");
            None
        }
        Edit::Jitter => {
            restyle(root, step.at, "left: 1px");
            None
        }
        Edit::Insert { before, html, .. } => {
            let mut element = read_fragment(html).expect("the inserted element is well nested");
            art::paint_all(&mut element);
            put_before(root, before, element);
            Some(ChangeType::Insert)
        }
        Edit::Remove(_) => {
            take(root, step.at);
            Some(ChangeType::Delete)
        }
        Edit::MoveBefore(anchor) => {
            let element = take(root, step.at);
            put_before(root, anchor, element);
            Some(ChangeType::Move)
        }
        Edit::SwapWithNext => {
            swap_with_next(root, step.at);
            Some(ChangeType::Move)
        }
        Edit::MoveAndReword { before, text } => {
            let mut element = take(root, step.at);
            text.clone_into(element.leaf_text());
            put_before(root, before, element);
            Some(ChangeType::MoveWithEdit)
        }
        Edit::Image(seed) => {
            art::repaint(select(root, step.at), seed);
            Some(ChangeType::ImageChange)
        }
        Edit::BrokenImage => {
            select(root, step.at).set("src", "/media/2f/missing-original.png");
            Some(ChangeType::ImageChange)
        }
        Edit::NoIndex
        | Edit::CanonicalHost(_)
        | Edit::Title(_)
        | Edit::Description(_)
        | Edit::SchemaPrice(_) => Some(change_head(step.edit, root)),
        Edit::Identical => None,
        Edit::ClassNames => {
            rename_classes(root);
            None
        }
        Edit::AttributeOrder => {
            shuffle_source(root);
            None
        }
    }
}

fn change_head(edit: Edit, root: &mut Element) -> ChangeType {
    match edit {
        Edit::NoIndex => return forbid_indexing(root),
        Edit::CanonicalHost(address) => {
            in_head(root, "link", ("rel", "canonical")).set("href", address);
        }
        Edit::Title(title) => {
            let path = find(root, &|element| element.tag == "title").expect("a title");
            title.clone_into(at(root, &path).leaf_text());
        }
        Edit::Description(text) => {
            in_head(root, "meta", ("name", "description")).set("content", text);
        }
        Edit::SchemaPrice(price) => {
            let data = in_head(root, "script", ("type", "application/ld+json")).leaf_text();
            *data = with_price(data, price);
            return ChangeType::SchemaEdit;
        }
        _ => unreachable!("not an edit of the head"),
    }
    ChangeType::MetaEdit
}

/// Adds a rule to the end of the style sheet, stronger than the page's own.
fn restyle(root: &mut Element, selector: &str, css: &str) {
    // The element must be there: a rule for nothing would be a case without its change.
    let _ = select(root, selector);
    let sheet = style_sheet(root);
    let _ = writeln!(sheet, "body {selector}{selector} {{ {css} }}");
}

/// As [`restyle`], for styles that elements inside would inherit and report as changes of their own.
fn restyle_leaf(root: &mut Element, selector: &str, css: &str) -> ChangeType {
    let _ = select(root, selector).leaf_text();
    restyle(root, selector, css);
    ChangeType::StyleOnly
}

/// A page that says nothing about robots gains a line, another one changes the line it has.
fn forbid_indexing(root: &mut Element) -> ChangeType {
    let is_robots = |element: &Element| element.attribute("name") == Some("robots");
    if let Some(path) = find(root, &is_robots) {
        at(root, &path).set("content", "noindex, nofollow");
        return ChangeType::MetaEdit;
    }
    let robots = read_fragment(r#"<meta name="robots" content="noindex">"#).expect("one element");
    let path = find(root, &|element| element.tag == "head").expect("a head");
    at(root, &path).children.push(Node::Element(robots));
    ChangeType::MetaInsert
}

fn in_head<'a>(root: &'a mut Element, tag: &str, (name, value): (&str, &str)) -> &'a mut Element {
    let is_it = |element: &Element| element.tag == tag && element.attribute(name) == Some(value);
    let path = find(root, &is_it).expect("every page has its metadata");
    at(root, &path)
}

fn with_price(data: &str, price: &str) -> String {
    const KEY: &str = "\"price\": \"";
    let (before, rest) = data.split_once(KEY).expect("a price in the data");
    let (_, after) = rest.split_once('"').expect("its end");
    format!("{before}{KEY}{price}\"{after}")
}
