//! A random page of sections; each section gets at most one change, and exactly these are found.

use pentimento_api::result::ChangeType;
use pentimento_document::compare;
use proptest::prelude::*;

use crate::page::{Element, diff, leaf, parent};

const WORDS: [&str; 16] = [
    "lamp", "river", "stone", "cloud", "garden", "window", "paper", "silver", "autumn", "bridge",
    "candle", "forest", "harbour", "island", "journey", "kettle",
];
const TAGS: [&str; 4] = ["p", "h3", "li", "span"];

/// What is done to a section.
#[derive(Debug, Clone, Copy)]
enum Planted {
    Nothing,
    Edit,
    Insert,
    InsertTree,
    Delete,
    Move,
    Style,
    Image,
}

impl Planted {
    fn kind(self) -> Option<ChangeType> {
        Some(match self {
            Self::Nothing => return None,
            Self::Edit => ChangeType::TextEdit,
            Self::Insert | Self::InsertTree => ChangeType::Insert,
            Self::Delete => ChangeType::Delete,
            Self::Move => ChangeType::Move,
            Self::Style => ChangeType::StyleOnly,
            Self::Image => ChangeType::ImageChange,
        })
    }
}

/// A section's seed: words and tags of its blocks, which child to change and how.
#[derive(Debug, Clone)]
struct Section {
    blocks: Vec<(Vec<usize>, usize, bool)>,
    row: bool,
    planted: Planted,
    at: prop::sample::Index,
    to: prop::sample::Index,
}

fn any_section() -> impl Strategy<Value = Section> {
    let words = prop::collection::vec(0..WORDS.len(), 2..24);
    let blocks = prop::collection::vec((words, 0..TAGS.len(), any::<bool>()), 3..7);
    let planted = prop_oneof![
        Just(Planted::Nothing),
        Just(Planted::Edit),
        Just(Planted::Insert),
        Just(Planted::InsertTree),
        Just(Planted::Delete),
        Just(Planted::Move),
        Just(Planted::Style),
        Just(Planted::Image),
    ];
    (
        blocks,
        any::<bool>(),
        planted,
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(blocks, row, planted, at, to)| Section {
            blocks,
            row,
            planted,
            at,
            to,
        })
}

/// The section before; texts are unique on the page.
fn build(number: usize, section: &Section) -> Element {
    let blocks = section
        .blocks
        .iter()
        .enumerate()
        .map(|(at, (words, tag, nested))| {
            let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
            let text = format!("{} {number}x{at}", words.join(" "));
            let block = leaf(TAGS[*tag], &text)
                .style("color", "black")
                .style("background-color", "white");
            if *nested {
                parent(
                    "div",
                    [
                        block,
                        leaf("img", "").attribute("src", format!("{number}-{at}.png")),
                    ],
                )
                .class("block")
            } else {
                block
            }
        });
    let mut blocks: Vec<Element> = blocks.collect();
    blocks.push(
        leaf("img", "")
            .attribute("src", format!("{number}.png"))
            .height(80),
    );
    let section_element = parent("section", blocks).class("part");
    if section.row {
        section_element.row()
    } else {
        section_element
    }
}

/// The element with text in a block.
fn text_of(block: &mut Element) -> &mut Element {
    if block.children.is_empty() {
        block
    } else {
        &mut block.children[0]
    }
}

fn plant(number: usize, section: &Section, element: &mut Element) {
    let blocks = &mut element.children;
    let count = blocks.len() - 1;
    let at = section.at.index(count);
    match section.planted {
        Planted::Nothing => {}
        Planted::Edit => text_of(&mut blocks[at])
            .text
            .push_str(" and quite a bit more"),
        Planted::Insert => blocks.insert(
            at,
            leaf("blockquote", &format!("Said by number {number} yesterday")),
        ),
        Planted::InsertTree => {
            let tree = parent(
                "ul",
                ["Uno", "Due", "Tre"].map(|item| leaf("li", &format!("{item} of {number}"))),
            );
            blocks.insert(
                at,
                parent("article", [leaf("h2", &format!("News {number}")), tree]),
            );
        }
        Planted::Delete => drop(blocks.remove(at)),
        Planted::Move => {
            let moved = blocks.remove(at);
            let to = (at + 1 + section.to.index(count - 1)) % count;
            blocks.insert(to, moved);
        }
        Planted::Style => {
            let text = text_of(&mut blocks[at]);
            text.styles.insert("background-color", "yellow".to_owned());
        }
        Planted::Image => {
            blocks[count]
                .attributes
                .insert("src", format!("{number}-other.png").into());
        }
    }
}

fn pages(sections: &[Section]) -> (Element, Element) {
    let before: Vec<Element> = sections
        .iter()
        .enumerate()
        .map(|(at, section)| build(at, section))
        .collect();
    let mut after = before.clone();
    for (at, section) in sections.iter().enumerate() {
        plant(at, section, &mut after[at]);
    }
    let wrap = |sections: Vec<Element>| {
        parent(
            "body",
            [
                leaf("header", "Site"),
                parent("main", sections),
                leaf("footer", "End"),
            ],
        )
    };
    (wrap(before), wrap(after))
}

fn is_cause(kind: ChangeType) -> bool {
    kind != ChangeType::ReflowDisplacement
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exactly_the_planted_changes_are_found(sections in prop::collection::vec(any_section(), 1..6)) {
        let (before, after) = pages(&sections);
        let name = |kind: &ChangeType| format!("{kind:?}");
        let mut planted: Vec<String> = sections.iter().filter_map(|section| section.planted.kind()).map(|kind| name(&kind)).collect();
        planted.sort();
        let diff = diff(&before, &after);
        let mut found: Vec<String> = diff.findings.iter().map(|finding| finding.kind).filter(|kind| is_cause(*kind)).map(|kind| name(&kind)).collect();
        found.sort();
        prop_assert_eq!(&found, &planted, "{:#?}", diff.findings);
        for (at, finding) in diff.findings.iter().enumerate() {
            prop_assert!(finding.cause.is_none_or(|cause| cause < at));
            prop_assert_eq!(finding.cause.is_some(), !is_cause(finding.kind));
        }
    }

    #[test]
    fn deletions_mirror_insertions(sections in prop::collection::vec(any_section(), 1..5)) {
        let (before, after) = pages(&sections);
        let of = |diff: &pentimento_document::DocumentDiff, kind: ChangeType| -> Vec<(Option<String>, u32)> {
            let findings = diff.findings.iter().filter(|finding| finding.kind == kind);
            let mut texts: Vec<_> = findings.map(|finding| {
                (finding.before.clone().or(finding.after.clone()), finding.collapsed)
            }).collect();
            texts.sort();
            texts
        };
        let (forth, back) = (diff(&before, &after), diff(&after, &before));
        prop_assert_eq!(of(&forth, ChangeType::Insert), of(&back, ChangeType::Delete));
        prop_assert_eq!(of(&forth, ChangeType::Delete), of(&back, ChangeType::Insert));
    }

    #[test]
    fn the_same_bytes_give_the_same_findings(sections in prop::collection::vec(any_section(), 1..5)) {
        let (before, after) = pages(&sections);
        prop_assert_eq!(diff(&before, &after), diff(&before, &after));
        let document = after.document();
        prop_assert!(compare(&document, &document).findings.is_empty());
    }
}
