//! What every case of the corpus keeps to.

use std::collections::{HashMap, HashSet};

use pentimento_api::result::{ChangeType, Decision};
use pentimento_judging::{Case, Half, Pixels, Planted, cases};

const PLANTABLE: [ChangeType; 10] = [
    ChangeType::TextEdit,
    ChangeType::Insert,
    ChangeType::Delete,
    ChangeType::StyleOnly,
    ChangeType::ImageChange,
    ChangeType::Move,
    ChangeType::MoveWithEdit,
    ChangeType::MetaEdit,
    ChangeType::MetaInsert,
    ChangeType::SchemaEdit,
];
/// Every mutation, by its part of a case's name.
const MUTATIONS: [&str; 32] = [
    "text-edit",
    "price-edit",
    "link-target",
    "colour-change",
    "spacing-change",
    "insert-banner",
    "insert-card",
    "insert-row",
    "remove-banner",
    "remove-card",
    "remove-row",
    "move-section",
    "reorder",
    "move-with-edit",
    "image-swap",
    "font-change",
    "contrast-loss",
    "overflow",
    "overlap",
    "broken-image",
    "hidden-element",
    "noindex",
    "canonical-host",
    "title-edit",
    "description-edit",
    "json-ld-price",
    "anti-aliasing",
    "one-pixel-jitter",
    "clock",
    "identical",
    "class-names",
    "attribute-order",
];
const LONG_SENTENCE: usize = 30;

/// How many pages a half has.
fn pages(half: Half) -> usize {
    match half {
        Half::Development => 10,
        Half::HeldOut => 6,
    }
}

fn mutations(case: &Case) -> Vec<&str> {
    let (_, mutations) = case.name.split_once('/').expect("page/mutations");
    mutations.split('+').collect()
}

#[test]
fn is_the_same_every_time_and_has_unique_names() {
    let mut names = HashSet::new();
    for half in Half::ALL {
        let first = cases(half);
        assert_eq!(first, cases(half));
        for case in first {
            assert!(names.insert(case.name.clone()), "{} twice", case.name);
        }
    }
}

#[test]
fn holds_enough_of_everything() {
    for half in Half::ALL {
        let cases = cases(half);
        let alone = |name: &str| {
            cases
                .iter()
                .filter(|case| mutations(case) == [name])
                .count()
        };
        for name in MUTATIONS {
            assert!(alone(name) >= 3, "{name} in {half:?}: {}", alone(name));
        }
        let combined = cases
            .iter()
            .filter(|case| mutations(case).len() > 1)
            .count();
        let pages = pages(half);
        assert!(
            (4 * pages..=6 * pages).contains(&combined),
            "{combined} combinations in {half:?}"
        );
        let mut kinds: HashMap<ChangeType, usize> = HashMap::new();
        for planted in cases.iter().flat_map(|case| &case.truth.changes) {
            *kinds.entry(planted.kind).or_default() += 1;
        }
        for kind in PLANTABLE {
            assert!(kinds.remove(&kind) >= Some(3), "{kind:?} in {half:?}");
        }
        assert!(kinds.is_empty(), "{kinds:?} can be planted");
    }
}

#[test]
fn only_the_identical_case_changes_nothing() {
    for case in Half::ALL.into_iter().flat_map(cases) {
        let identical = mutations(&case) == ["identical"];
        assert_eq!(case.before == case.after, identical, "{}", case.name);
        if case.truth.changes.is_empty() {
            let decisions = case.truth.intents.iter().map(|intent| intent.decision);
            assert!(
                decisions.into_iter().all(|it| it == Decision::Noise),
                "{}",
                case.name
            );
        }
        if identical {
            assert_eq!(case.truth.pixels, Pixels::Same);
        }
    }
}

#[test]
fn every_planted_element_can_be_found() {
    for case in Half::ALL.into_iter().flat_map(cases) {
        for planted in &case.truth.changes {
            let found = [&case.before, &case.after].map(|page| count(page, planted));
            let expected = match planted.kind {
                ChangeType::Insert | ChangeType::MetaInsert => [0, 1],
                ChangeType::Delete => [1, 0],
                _ => [1, 1],
            };
            assert_eq!(found, expected, "{} in {}", planted.element, case.name);
        }
    }
}

/// How many elements of a page, or fields of its head, a planted change may mean.
fn count(page: &str, planted: &Planted) -> usize {
    let element = planted.element.as_str();
    if let Some(id) = element.strip_prefix('#') {
        return page.matches(&format!(" id=\"{id}\"")).count();
    }
    if let Some(class) = element.strip_prefix('.') {
        let lists = page.split(" class=\"").skip(1);
        let names = lists.filter_map(|rest| rest.split('"').next());
        return names
            .filter(|names| names.split(' ').any(|it| it == class))
            .count();
    }
    let mark = match element {
        "title" => "<title>".to_owned(),
        _ if element.starts_with("JSON-LD ") => format!("\"@type\": \"{}\"", &element[8..]),
        _ => {
            let (tag, rest) = element.split_once('[').expect("a tag and an attribute");
            format!("<{tag} {}", rest.trim_end_matches(']'))
        }
    };
    page.matches(&mark).count()
}

#[test]
fn every_case_has_its_three_intents() {
    for case in Half::ALL.into_iter().flat_map(cases) {
        let names: Vec<&str> = case
            .truth
            .intents
            .iter()
            .map(|intent| intent.name)
            .collect();
        assert_eq!(names, ["meant", "other", "nothing-visual"], "{}", case.name);
        for intent in &case.truth.intents {
            let said = serde_json::to_string(&intent.run_context).expect("plain data");
            assert!(
                !said.contains(['{', '}']) || !said.contains("{what}"),
                "{said}"
            );
            assert!(said.len() > 20, "{said}");
        }
        let hard = case.truth.changes.iter().any(|planted| planted.hard_bug);
        if hard {
            let decisions = case.truth.intents.iter().map(|intent| intent.decision);
            let right = [Decision::NeedsReview, Decision::Bug, Decision::Bug];
            assert!(decisions.eq(right), "{}", case.name);
        }
    }
}

#[test]
fn every_document_is_well_nested_and_of_a_real_size() {
    for case in Half::ALL.into_iter().flat_map(cases) {
        for page in [&case.before, &case.after] {
            let elements = well_nested(page).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            assert!(
                (60..=800).contains(&elements),
                "{elements} in {}",
                case.name
            );
            assert!(
                !page.contains("{{") && !page.contains("picture:"),
                "{}",
                case.name
            );
        }
    }
}

/// Counts the elements of a document by matching each end tag with the last open start tag.
fn well_nested(page: &str) -> Result<usize, String> {
    const VOID: [&str; 7] = ["br", "hr", "img", "input", "link", "meta", "source"];
    let (mut open, mut elements) = (Vec::new(), 0);
    for part in page.split('<').skip(2) {
        let (tag, _) = part
            .split_once('>')
            .ok_or_else(|| format!("no > in <{part}"))?;
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> closes {last:?}"));
            }
            continue;
        }
        elements += 1;
        let name = tag.split_whitespace().next().unwrap_or("");
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() {
        Ok(elements)
    } else {
        Err(format!("{open:?} stay open"))
    }
}

#[test]
fn the_halves_share_no_page_and_no_sentence() {
    let [ours, theirs] = Half::ALL.map(|half| {
        let cases = cases(half);
        let pages = cases
            .iter()
            .map(|case| case.name.split('/').next().unwrap_or("").to_owned());
        let pages: HashSet<String> = pages.collect();
        let texts = cases.iter().flat_map(|case| [&case.before, &case.after]);
        let sentences: HashSet<String> = texts.flat_map(|page| long_sentences(page)).collect();
        (pages, sentences)
    });
    let [our_pages, their_pages] = Half::ALL.map(pages);
    assert_eq!((ours.0.len(), theirs.0.len()), (our_pages, their_pages));
    assert!(ours.0.is_disjoint(&theirs.0));
    let shared: Vec<&String> = ours.1.intersection(&theirs.1).collect();
    assert!(shared.is_empty(), "{shared:?}");
    assert!(ours.1.len() > 60 && theirs.1.len() > 60);
}

/// The sentences of a page's visible text that are long enough to be somebody's own words.
fn long_sentences(page: &str) -> Vec<String> {
    let body = page.split_once("<body").map_or("", |(_, body)| body);
    let texts = body.split('<').filter_map(|part| part.split_once('>'));
    let sentences = texts.flat_map(|(_, text)| text.split(['.', '!', '?', ':', ';']));
    let trimmed = sentences.map(|sentence| sentence.trim().to_lowercase());
    trimmed
        .filter(|sentence| sentence.chars().count() > LONG_SENTENCE)
        .collect()
}
