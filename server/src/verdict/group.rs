//! Which results show the same change, so that one decision can settle them all.
//!
//! A finding's fingerprint is what stays the same of it on another page and at another width: its kind, the shape of its
//! selector, its texts, and the styles that are no lengths. Where things lie is no part of it. Results whose fingerprints
//! are all the same are one group: a page on which something else changed too is not settled by the same decision.

use std::collections::BTreeSet;

use pentimento_document::{DocumentDiff, Finding};
use sha2::{Digest, Sha256};

/// Bytes of the hash that a label shows: two groups of a job share one by chance in one of 10^9 jobs with 100 groups.
const LABEL_BYTES: usize = 6;

/// The label of the group that a page with these changes belongs to; nothing when the document did not change.
pub fn change_group(document: &DocumentDiff) -> Option<String> {
    let causes: Vec<&Finding> = (document.findings.iter())
        .filter(|finding| !finding.is_consequence())
        .collect();
    let first = causes.first()?;
    let fingerprints: BTreeSet<String> = causes.iter().copied().map(fingerprint).collect();
    let mut hash = Sha256::new();
    for fingerprint in &fingerprints {
        hash.update(fingerprint.len().to_be_bytes());
        hash.update(fingerprint);
    }
    let kind = serde_json::to_value(first.kind).ok()?;
    let digits = hex::encode(&hash.finalize()[..LABEL_BYTES]);
    Some(format!("{}-{digits}", kind.as_str()?))
}

fn fingerprint(finding: &Finding) -> String {
    let text = |text: &Option<String>| {
        let words = text.as_deref().unwrap_or_default().split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    };
    let styles: Vec<String> = (finding.style.iter())
        .filter(|(_, values)| !values.iter().any(|value| is_length(value)))
        .map(|(property, [from, to])| format!("{property}:{from}>{to}"))
        .collect();
    // A separator that no text holds keeps the parts apart.
    [
        format!("{:?}", finding.kind),
        selector_shape(&finding.element),
        finding.attribute.unwrap_or_default().to_owned(),
        text(&finding.before),
        text(&finding.after),
        styles.join(";"),
    ]
    .join("\u{1f}")
}

/// A selector without places among siblings and with all numbers alike.
fn selector_shape(selector: &str) -> String {
    let mut shape = String::new();
    let mut rest = selector;
    while let Some(start) = rest.find(":nth-of-type(") {
        shape.push_str(&rest[..start]);
        rest = rest[start..]
            .find(')')
            .map_or("", |end| &rest[start + end + 1..]);
    }
    shape.push_str(rest);
    let mut last_digit = false;
    shape.retain(|character| {
        let again = last_digit && character.is_ascii_digit();
        last_digit = character.is_ascii_digit();
        !again
    });
    shape
        .chars()
        .map(|character| {
            if character.is_ascii_digit() {
                '0'
            } else {
                character
            }
        })
        .collect()
}

fn is_length(value: &str) -> bool {
    value.contains("px") || value.contains('%')
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::ChangeType;
    use pentimento_document::Area;

    use super::*;

    fn edit(element: &str, after: &str, y: i64) -> Finding {
        Finding {
            before: Some("Plans".to_owned()),
            after: Some(after.to_owned()),
            area: Some(Area {
                x: 0,
                y,
                w: 100,
                h: 20,
            }),
            ..Finding::new(ChangeType::TextEdit, element.to_owned())
        }
    }

    fn group(findings: Vec<Finding>) -> Option<String> {
        change_group(&DocumentDiff {
            findings,
            ..DocumentDiff::default()
        })
    }

    #[test]
    fn the_same_edit_elsewhere_is_one_group() {
        let one = group(vec![edit("nav > a:nth-of-type(2)", "Pricing", 40)]);
        assert!(one.as_ref().unwrap().starts_with("text-edit-"), "{one:?}");
        assert_eq!(
            one,
            group(vec![edit("nav > a:nth-of-type(3)", "Pricing ", 900)])
        );
        let mut moved = Finding::new(ChangeType::ReflowDisplacement, "main".to_owned());
        moved.cause = Some(0);
        let with_consequence = vec![edit("nav > a:nth-of-type(2)", "Pricing", 40), moved];
        assert_eq!(one, group(with_consequence));
    }

    #[test]
    fn different_edits_are_never_one_group() {
        let edits = [
            vec![edit("nav > a", "Pricing", 40)],
            vec![edit("nav > a", "Prices", 40)],
            vec![edit("footer > a", "Pricing", 40)],
            vec![edit("nav > a", "Pricing", 40), edit("h1", "Pricing", 90)],
        ];
        let groups: BTreeSet<_> = edits.into_iter().map(group).collect();
        assert_eq!(groups.len(), 4);
        assert_eq!(group(Vec::new()), None);
    }

    #[test]
    fn lengths_hang_on_the_width_of_the_page() {
        let styled = |size: &str, color: &str| {
            let mut finding = Finding::new(ChangeType::StyleOnly, "h1".to_owned());
            for (property, to) in [("font-size", size), ("color", color)] {
                let values = ["0px".to_owned(), to.to_owned()];
                finding.style.insert(property.to_owned(), values);
            }
            finding.style.insert(
                "background-color".to_owned(),
                ["rgb(0, 0, 0)".to_owned(), color.to_owned()],
            );
            group(vec![finding])
        };
        assert_eq!(styled("20px", "red"), styled("32px", "red"));
        assert_ne!(styled("20px", "red"), styled("20px", "blue"));
    }
}
