//! Any bytes as DOM trees, and trees made of a few bytes: every tree is read or refused, findings fit each other, and
//! swapping both trees swaps what was inserted and deleted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pentimento_api::result::ChangeType;
use pentimento_document::{Document, DocumentDiff, compare};
use pentimento_fuzz::Bytes;

/// Nodes of a made-up tree at most.
const MAX_NODES: usize = 80;

fn check(diff: &DocumentDiff, after: &Document, before: &Document) {
    for finding in &diff.findings {
        if let Some(cause) = finding.cause {
            let cause = &diff.findings[cause];
            assert!(cause.cause.is_none(), "a cause has no cause");
        }
        assert!(finding.element.chars().count() <= 400);
        assert!(finding.collapsed as usize <= after.node_count() + before.node_count());
    }
    let wire = diff.wire_changes();
    assert!(wire.len() <= 40);
    let json = serde_json::to_vec(&wire).expect("changes are plain values");
    assert!(json.len() <= 8192);
}

fn count(diff: &DocumentDiff, kind: ChangeType) -> usize {
    diff.findings
        .iter()
        .filter(|finding| finding.kind == kind)
        .count()
}

fn both_ways(before: &Document, after: &Document) {
    let there = compare(before, after);
    assert_eq!(there, compare(before, after), "the same every time");
    check(&there, after, before);
    let back = compare(after, before);
    check(&back, before, after);
    let swapped = [
        (ChangeType::Insert, ChangeType::Delete),
        (ChangeType::Delete, ChangeType::Insert),
        (ChangeType::MetaInsert, ChangeType::MetaDelete),
    ];
    for (kind, other) in swapped {
        assert_eq!(count(&there, kind), count(&back, other), "{kind:?}");
    }
    // Of two siblings that changed places, either may be said to have moved.
    let edits = |diff: &DocumentDiff| {
        count(diff, ChangeType::TextEdit) + count(diff, ChangeType::MoveWithEdit)
    };
    assert_eq!(edits(&there), edits(&back));
    assert!(
        compare(before, before).findings.is_empty(),
        "nothing differs from itself"
    );
}

/// A tree whose nodes and their order hang on the bytes.
fn tree(bytes: &mut Bytes<'_>, left: &mut usize, depth: usize) -> serde_json::Value {
    let kind = bytes.next();
    let tag = ["div", "p", "a", "img", "section", "li"][usize::from(kind % 6)];
    let mut node = serde_json::json!({
        "tagName": tag,
        "rect": { "x": kind % 7, "y": u16::from(bytes.next()) * 5, "w": 100, "h": kind % 50 },
        "text": format!("text {}", kind / 16),
        "styles": { "color": format!("rgb({}, 0, 0)", kind % 3), "position": if kind % 29 == 0 { "fixed" } else { "static" } },
    });
    if kind % 11 == 0 {
        node["id"] = format!("id{}", kind % 5).into();
    }
    let mut children = Vec::new();
    let wanted = if depth > 6 { 0 } else { bytes.next() % 5 };
    for _ in 0..wanted {
        if *left == 0 {
            break;
        }
        *left -= 1;
        children.push(tree(bytes, left, depth + 1));
    }
    node["children"] = children.into();
    node
}

fuzz_target!(|data: &[u8]| {
    let middle = data.len() / 2;
    let trees = [&data[..middle], &data[middle..]].map(Document::parse);
    if let [Ok(before), Ok(after)] = &trees {
        both_ways(before, after);
    }
    if let Ok(whole) = Document::parse(data) {
        assert!(compare(&whole, &whole).findings.is_empty());
    }
    let mut bytes = Bytes(data);
    let made = [(); 2].map(|()| {
        let mut left = MAX_NODES;
        let json = tree(&mut bytes, &mut left, 0).to_string();
        Document::parse(json.as_bytes()).expect("it is a good tree")
    });
    both_ways(&made[0], &made[1]);
});
