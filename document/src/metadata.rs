//! Compares the heads of two pages, field by field.

mod schema;

use std::collections::{BTreeMap, BTreeSet};

use pentimento_api::result::ChangeType;

use crate::document::{Document, Head};
use crate::finding::Finding;

/// Compares titles, languages, metas, links and structured data; nothing when either capture has no
/// head.
pub(crate) fn compare_heads(before: &Document, after: &Document) -> Vec<Finding> {
    let (Some(before), Some(after)) = (&before.head, &after.head) else {
        return Vec::new();
    };
    let (ours, theirs) = (fields(before), fields(after));
    let joined = |values: Option<&Vec<String>>| values.map(|values| values.join(", "));
    let mut findings = compare_keyed(
        &ours,
        &theirs,
        [
            ChangeType::MetaDelete,
            ChangeType::MetaInsert,
            ChangeType::MetaEdit,
        ],
        |(_, name)| name,
        |was, is| [joined(was), joined(is)],
    );
    findings.extend(schema::compare_blocks(&before.json_ld, &after.json_ld));
    findings
}

/// The place of a field in the list of findings, and its name.
type Field = (u8, String);

/// Every field with its values in order.
fn fields(head: &Head) -> BTreeMap<Field, Vec<String>> {
    let mut fields: BTreeMap<Field, Vec<String>> = BTreeMap::new();
    let mut add = |rank, name: String, value: &str| {
        fields
            .entry((rank, name))
            .or_default()
            .push(value.to_owned());
    };
    if let Some(title) = &head.title {
        add(0, "title".to_owned(), title);
    }
    if let Some(lang) = &head.lang {
        add(1, "lang".to_owned(), lang);
    }
    for link in &head.links {
        match (&*link.rel.to_ascii_lowercase(), &link.hreflang) {
            ("canonical", _) => add(2, "link[rel=\"canonical\"]".to_owned(), &link.href),
            (_, Some(language)) => {
                let name = format!("link[rel=\"alternate\"][hreflang=\"{}\"]", quoted(language));
                add(4, name, &link.href);
            }
            (rel, None) => add(5, format!("link[rel=\"{}\"]", quoted(rel)), &link.href),
        }
    }
    for (name, content) in &head.meta {
        // Names of metas are the same in either case.
        let name = &name.to_ascii_lowercase();
        let attribute = if name.starts_with("og:") {
            "property"
        } else {
            "name"
        };
        add(
            3,
            format!("meta[{attribute}=\"{}\"]", quoted(name)),
            content,
        );
    }
    fields
}

/// A value within quotes, short enough for a name.
fn quoted(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    crate::clip::window(&escaped, 0, 120)
}

/// Compares what stands under each key; `kinds` are those of what went, came and differs, and
/// `describe` says two differing values.
fn compare_keyed<Key: Ord, Value: PartialEq>(
    ours: &BTreeMap<Key, Value>,
    theirs: &BTreeMap<Key, Value>,
    kinds: [ChangeType; 3],
    name: impl Fn(&Key) -> &str,
    describe: impl Fn(Option<&Value>, Option<&Value>) -> [Option<String>; 2],
) -> Vec<Finding> {
    let keys: BTreeSet<&Key> = ours.keys().chain(theirs.keys()).collect();
    let compare = |key: &Key| {
        let (was, is) = (ours.get(key), theirs.get(key));
        let [gone, come, edited] = kinds;
        let kind = match (was, is) {
            _ if was == is => return None,
            (_, None) => gone,
            (None, _) => come,
            _ => edited,
        };
        let [before, after] = describe(was, is);
        Some(finding(kind, name(key).to_owned(), before, after))
    };
    keys.into_iter().filter_map(compare).collect()
}

fn finding(
    kind: ChangeType,
    element: String,
    before: Option<String>,
    after: Option<String>,
) -> Finding {
    Finding {
        before,
        after,
        ..Finding::new(kind, element)
    }
}
