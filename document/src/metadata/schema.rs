//! Compares structured data (JSON-LD) by what it is about.

use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use serde_json::{Map, Value};

use crate::clip::{clip, collapse_spaces};
use crate::finding::Finding;

use super::compare_keyed;

/// Items that are compared; the rest is left out.
const MAX_ITEMS: usize = 500;
/// Characters of a type or an id in an item's name.
const MAX_NAME: usize = 80;

/// One thing that structured data is about.
#[derive(Debug, PartialEq)]
enum Item {
    Object(Map<String, Value>),
    /// What is not a JSON object.
    Text(String),
}

/// Compares the blocks of two pages.
pub(super) fn compare_blocks(before: &[String], after: &[String]) -> Vec<Finding> {
    let (ours, theirs) = (items(before), items(after));
    compare_keyed(
        &ours,
        &theirs,
        [
            ChangeType::SchemaDelete,
            ChangeType::SchemaInsert,
            ChangeType::SchemaEdit,
        ],
        String::as_str,
        |was, is| match (was, is) {
            (Some(was), Some(is)) => differing(was, is).map(Some),
            _ => [was, is].map(|item| item.map(written)),
        },
    )
}

/// All items by their type and id, or by their type and place among those without an id.
fn items(blocks: &[String]) -> BTreeMap<String, Item> {
    let mut items = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in blocks
        .iter()
        .flat_map(|block| flatten(block))
        .take(MAX_ITEMS)
    {
        let name = name(&item);
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        let name = match *count {
            1 => name,
            more => format!("{name} ({more})"),
        };
        items.insert(name, item);
    }
    items
}

/// The items of a block: of a list or a `@graph` each member.
fn flatten(block: &str) -> Vec<Item> {
    let Ok(value) = serde_json::from_str::<Value>(block) else {
        return vec![Item::Text(collapse_spaces(block).into_owned())];
    };
    let mut open = vec![value];
    let mut items = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(members) => open.extend(members.into_iter().rev()),
            Value::Object(mut object) => match object.remove("@graph") {
                Some(graph) => open.push(graph),
                None => items.push(Item::Object(object)),
            },
            other => items.push(Item::Text(other.to_string())),
        }
    }
    items
}

fn name(item: &Item) -> String {
    let Item::Object(object) = item else {
        return "JSON-LD".to_owned();
    };
    let word = |key: &str| match object.get(key) {
        Some(Value::String(text)) => clip(text, MAX_NAME).to_owned(),
        Some(Value::Array(words)) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            clip(&words.join(", "), MAX_NAME).to_owned()
        }
        _ => String::new(),
    };
    let parts = [String::from("JSON-LD"), word("@type"), word("@id")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn written(item: &Item) -> String {
    match item {
        Item::Object(object) => Value::Object(object.clone()).to_string(),
        Item::Text(text) => text.clone(),
    }
}

/// The fields that differ, as compact JSON.
fn differing(was: &Item, is: &Item) -> [String; 2] {
    let (Item::Object(was), Item::Object(is)) = (was, is) else {
        return [written(was), written(is)];
    };
    let only = |of: &Map<String, Value>, other: &Map<String, Value>| {
        let fields = of
            .iter()
            .filter(|(name, value)| other.get(*name) != Some(value));
        let fields: Map<String, Value> = fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Value::Object(fields).to_string()
    };
    [only(was, is), only(is, was)]
}
