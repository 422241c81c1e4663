//! What a run was meant to change, as people wrote it, weighed against what did change.

mod terms;
mod unchanged;

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};
use pentimento_api::crawl::RunContext;
use pentimento_document::{DocumentDiff, Finding};

use terms::{Terms, Verb};

/// What each kind of evidence weighs; evidence that a run cannot give is left out of the sum.
const WEIGHT_EXPECTED: f64 = 0.40;
const WEIGHT_SCOPE: f64 = 0.25;
const WEIGHT_VERB: f64 = 0.20;
const WEIGHT_DESCRIPTION: f64 = 0.15;

/// Share of a statement's words that a change must have for the statement to be about it at all.
const ABOUT: f64 = 0.34;

/// What a statement whose numbers, colours or quotations the change does not have is worth of itself.
const OTHER_VALUES: f64 = 0.4;

/// What a verb that leaves open what was done is worth.
const OPEN_VERB: f64 = 0.5;

/// Sentences of one text that are looked at.
const MAX_SENTENCES: usize = 200;

/// Words that make a sentence say that something hardly ever happens.
const SELDOM: &[&str] = &["rarely", "seldom", "hardly", "almost never"];

/// Words that make a sentence say what must stay.
const MUST_STAY: &[&str] = &[
    "must not",
    "must stay",
    "should not",
    "shouldn't",
    "do not",
    "don't",
    "never",
    "must remain",
    "stays as",
    "unchanged",
];

/// What a run was meant to change.
#[derive(Debug)]
pub struct Intent {
    expected: Vec<Statement>,
    described: Vec<Statement>,
    must_stay: Vec<Statement>,
    scope: Vec<GlobMatcher>,
    has_scope: bool,
    nothing_changes: bool,
}

#[derive(Debug)]
struct Statement {
    text: String,
    terms: Terms,
}

/// How a change stands to the intent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weighed {
    /// 0–1.
    pub(super) score: f64,
    /// Whether the change lies in the declared scope; none when no scope was declared.
    pub(super) in_scope: Option<bool>,
    /// What of the intent speaks for it, to be quoted.
    pub(super) because: Option<String>,
    /// A sentence that says that this must stay.
    pub(super) must_stay: Option<String>,
}

/// What an intent and a change have in common, in the words of the intent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) words: BTreeSet<String>,
    /// Numbers, colours and quotations that the change has to the letter.
    pub(super) values: BTreeSet<String>,
}

impl Intent {
    /// The intent of a project and of a run together; nothing when neither says anything.
    pub fn of(project: Option<&str>, run: Option<&RunContext>) -> Option<Self> {
        let mut descriptions: Vec<&str> = Vec::new();
        let (mut expected, mut patterns) = (Vec::new(), Vec::new());
        if let Some(run) = run {
            let texts = [
                &run.change_description,
                &run.pr_title,
                &run.pr_description,
                &run.git_commit_message,
            ];
            descriptions.extend(texts.into_iter().flatten().map(String::as_str));
            expected.extend(run.expected_changes.iter().flatten());
            patterns.extend(run.scope.iter().flatten());
        }
        // What is said of a site as a whole describes a change only where it says that something changes.
        let standing = project.into_iter().flat_map(sentences).filter(|sentence| {
            says(sentence, MUST_STAY)
                || Statement::of(sentence).is_some_and(|it| it.says_a_change())
        });
        let sentences = (descriptions.iter().flat_map(|text| sentences(text))).chain(standing);
        let (must_stay, described): (Vec<_>, Vec<_>) =
            sentences.partition(|sentence| says(sentence, MUST_STAY));
        let nothing_changes = (descriptions.iter())
            .chain(&project)
            .any(|text| unchanged::is_said(text));
        let patterns: Vec<&String> = patterns
            .into_iter()
            .filter(|pattern| !pattern.trim().is_empty())
            .collect();
        let intent = Self {
            expected: expected
                .iter()
                .filter_map(|text| Statement::of(text))
                .collect(),
            described: described
                .iter()
                .filter_map(|text| Statement::of(text))
                .collect(),
            must_stay: must_stay
                .iter()
                .filter_map(|text| Statement::of(text))
                .collect(),
            scope: patterns
                .iter()
                .filter_map(|pattern| matcher(pattern))
                .collect(),
            has_scope: !patterns.is_empty(),
            nothing_changes,
        };
        intent.says_something().then_some(intent)
    }

    fn says_something(&self) -> bool {
        self.has_scope
            || self.nothing_changes
            || [&self.expected, &self.described, &self.must_stay]
                .iter()
                .any(|statements| !statements.is_empty())
    }

    /// Whether it says that nothing should look different.
    pub(super) fn nothing_changes(&self) -> bool {
        self.nothing_changes
    }

    /// Weighs a change.
    pub(super) fn weigh(&self, finding: &Finding) -> Weighed {
        let found = Terms::of_finding(finding);
        let expected = best(&self.expected, &found);
        let described = best(&self.described, &found);
        // The head of a page lies in no component.
        let has_place = self.has_scope && !finding.tag.is_empty();
        let in_scope = has_place.then(|| self.is_in_scope(finding));
        let verbs: BTreeSet<Verb> = [&expected, &described]
            .into_iter()
            .flatten()
            .filter(|(value, _)| *value >= ABOUT)
            .flat_map(|(_, statement)| statement.terms.verbs.iter().copied())
            .collect();
        let value = |best: &Option<(f64, &Statement)>| best.as_ref().map_or(0.0, |best| best.0);
        let mut parts = Vec::new();
        // Without a list of what is expected, the description is all there is to go by.
        if self.expected.is_empty() {
            parts.push((WEIGHT_EXPECTED + WEIGHT_DESCRIPTION, value(&described)));
        } else {
            parts.push((WEIGHT_EXPECTED, value(&expected)));
            if !self.described.is_empty() {
                parts.push((WEIGHT_DESCRIPTION, value(&described).max(value(&expected))));
            }
        }
        if let Some(in_scope) = in_scope {
            parts.push((WEIGHT_SCOPE, f64::from(u8::from(in_scope))));
        }
        parts.push((WEIGHT_VERB, verb_value(&verbs, &found.verbs)));
        let whole: f64 = parts.iter().map(|(weight, _)| weight).sum();
        let sum: f64 = parts.iter().map(|(weight, value)| weight * value).sum();
        let about = value(&expected).max(value(&described));
        let because = [expected, described]
            .into_iter()
            .flatten()
            .filter(|(value, _)| *value >= ABOUT)
            .map(|(_, statement)| statement.text.clone())
            .next();
        let must_stay = best(&self.must_stay, &found)
            .filter(|(value, _)| *value >= 2.0 * ABOUT)
            .map(|(_, statement)| statement.text.clone());
        Weighed {
            // Where nothing was to change, only a list of exceptions counts.
            score: if about < ABOUT || (self.nothing_changes && self.expected.is_empty()) {
                0.0
            } else {
                sum / whole
            },
            in_scope,
            because,
            must_stay,
        }
    }

    /// What of it a change has; sentences that say what must stay do not count.
    pub(super) fn shared_with(&self, finding: &Finding) -> Shared {
        let found = Terms::of_finding(finding);
        let mut shared = Shared::default();
        for statement in self.expected.iter().chain(&self.described) {
            let words = terms::shared_words(&statement.text, &found);
            shared.words.extend(words);
            let values = statement.terms.exact.intersection(&found.exact);
            shared.values.extend(values.cloned());
        }
        shared
    }

    /// The sentences that say what must stay as it is.
    pub fn promises(&self) -> impl Iterator<Item = &str> {
        self.must_stay
            .iter()
            .map(|statement| statement.text.as_str())
    }

    /// The expected changes that a document does not show, as they were written.
    pub fn unseen(&self, document: &DocumentDiff) -> Vec<String> {
        let found: Vec<Terms> = document.findings.iter().map(Terms::of_finding).collect();
        self.expected
            .iter()
            .filter(|statement| !found.iter().any(|found| statement.value(found) >= ABOUT))
            .map(|statement| statement.text.clone())
            .collect()
    }

    fn is_in_scope(&self, finding: &Finding) -> bool {
        let names = std::iter::once(&finding.element).chain(&finding.lineage);
        names
            .flat_map(|selector| simple_names(selector))
            .any(|name| self.scope.iter().any(|pattern| pattern.is_match(&name)))
    }
}

impl Statement {
    fn of(text: &str) -> Option<Self> {
        let terms = Terms::of_sentence(text);
        let is_empty = terms.stems.is_empty() && terms.exact.is_empty();
        (!is_empty).then(|| Self {
            text: text.trim().to_owned(),
            terms,
        })
    }

    /// Whether it says that something is done, or happens again and again.
    fn says_a_change(&self) -> bool {
        !self.terms.verbs.is_empty() && !says(&self.text, SELDOM)
    }

    /// How much of the statement a change has, 0–1.
    fn value(&self, found: &Terms) -> f64 {
        let stems = &self.terms.stems;
        let shared = stems.intersection(&found.stems).count() as f64;
        let words = if stems.is_empty() {
            0.0
        } else {
            shared / stems.len() as f64
        };
        if self.terms.exact.is_empty() {
            return words;
        }
        let met = self.terms.exact.intersection(&found.exact).count() as f64;
        if met == 0.0 {
            return words * OTHER_VALUES;
        }
        // A value that is met to the letter says more than words.
        words.max((words + 2.0 * met / self.terms.exact.len() as f64) / 3.0)
    }
}

fn best<'s>(statements: &'s [Statement], found: &Terms) -> Option<(f64, &'s Statement)> {
    let valued = statements
        .iter()
        .map(|statement| (statement.value(found), statement));
    valued.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

fn verb_value(said: &BTreeSet<Verb>, done: &BTreeSet<Verb>) -> f64 {
    if said.intersection(done).next().is_some() {
        1.0
    } else if said.contains(&Verb::Change) || said.is_empty() {
        OPEN_VERB
    } else {
        0.0
    }
}

fn sentences(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .flat_map(|sentence| sentence.split(" and "))
        .map(|sentence| sentence.trim().trim_end_matches('.').to_owned())
        .filter(|sentence| !sentence.is_empty())
        .take(MAX_SENTENCES)
        .collect()
}

fn says(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// A scope pattern: a glob over a tag, an id or a class; a component's name matches however its words are joined.
fn matcher(pattern: &str) -> Option<GlobMatcher> {
    let plain = plain_name(pattern.trim());
    let glob = GlobBuilder::new(&plain)
        .literal_separator(false)
        .build()
        .ok()?;
    Some(glob.compile_matcher())
}

/// The tags, ids and classes of a selector.
fn simple_names(selector: &str) -> Vec<String> {
    let parts = selector.split([' ', '>', '.', '#', ':', '[', '(']);
    parts
        .filter(|part| !part.is_empty())
        .map(plain_name)
        .collect()
}

/// `PricingTable`, `pricing_table`, `.pricing-table` and `#pricingTable` are one name.
fn plain_name(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '-' | '_' | '.' | '#' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::ChangeType;

    use super::*;

    fn price_edit() -> Finding {
        Finding {
            tag: "p".to_owned(),
            before: Some("19 € a month".to_owned()),
            after: Some("29 € a month".to_owned()),
            lineage: vec![
                "div.card".to_owned(),
                "section#pricing.pricing-table".to_owned(),
            ],
            ..Finding::new(ChangeType::TextEdit, "#pricing p.price".to_owned())
        }
    }

    fn run(expected: &[&str], scope: &[&str], description: &str) -> RunContext {
        let owned = |texts: &[&str]| {
            (!texts.is_empty()).then(|| texts.iter().map(|&text| text.to_owned()).collect())
        };
        RunContext {
            change_description: Some(description.to_owned()),
            expected_changes: owned(expected),
            scope: owned(scope),
            ..RunContext::default()
        }
    }

    fn weigh(run: &RunContext) -> Weighed {
        Intent::of(None, Some(run)).unwrap().weigh(&price_edit())
    }

    #[test]
    fn what_was_expected_scores_high() {
        let weighed = weigh(&run(
            &["Pro plan price changes to 29 €"],
            &["PricingTable"],
            "Raise the price of the plan",
        ));
        assert!(weighed.score >= 0.65, "{weighed:?}");
        assert_eq!(weighed.in_scope, Some(true));
        assert_eq!(
            weighed.because.as_deref(),
            Some("Pro plan price changes to 29 €")
        );
    }

    #[test]
    fn another_value_or_another_subject_scores_low() {
        let other_value = weigh(&run(&["Price changes to 49 €"], &[], ""));
        assert!(other_value.score < 0.65, "{other_value:?}");
        let other_subject = weigh(&run(
            &["Footer links are sorted by name"],
            &["footer"],
            "Sort the footer",
        ));
        assert!(other_subject.score < 0.3, "{other_subject:?}");
        assert_eq!(other_subject.in_scope, Some(false));
    }

    #[test]
    fn a_description_alone_can_be_enough() {
        let weighed = weigh(&run(
            &[],
            &[],
            "Update the monthly price in the pricing table to 29 €",
        ));
        assert!(weighed.score >= 0.5, "{weighed:?}");
        let vague = weigh(&run(&[], &[], "Bump dependencies"));
        assert!(vague.score < 0.1, "{vague:?}");
    }

    #[test]
    fn negations_are_understood() {
        let intent = Intent::of(Some("Pricing must not change."), None).unwrap();
        assert!(intent.weigh(&price_edit()).must_stay.is_some());
        let refactor = Intent::of(None, Some(&run(&[], &[], "Refactor, no visual change")));
        assert!(refactor.unwrap().nothing_changes());
        assert!(Intent::of(Some("  "), Some(&RunContext::default())).is_none());
    }

    #[test]
    fn scopes_are_globs_over_names() {
        for (pattern, expected) in [
            ("#pricing", true),
            (".pricing-*", true),
            ("PricingTable", true),
            ("pricing_table", true),
            (".price", true),
            ("header", false),
        ] {
            let weighed = weigh(&run(&["Price"], &[pattern], ""));
            assert_eq!(weighed.in_scope, Some(expected), "{pattern}");
        }
    }

    #[test]
    fn what_was_expected_and_not_seen_is_told() {
        let run = run(
            &["Price changes to 29 €", "A newsletter form appears"],
            &[],
            "",
        );
        let intent = Intent::of(None, Some(&run)).unwrap();
        assert_eq!(
            intent.unseen(&DocumentDiff {
                findings: vec![price_edit()],
                ..DocumentDiff::default()
            }),
            ["A newsletter form appears"]
        );
    }
}
