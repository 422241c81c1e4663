//! What a run was meant to change, as people wrote it, weighed against what did change.

mod aim;
mod conditions;
mod effects;
mod named;
mod numbers;
mod outcome;
mod promise;
mod quoted;
mod scope;
mod sentences;
mod sides;
mod statement;
mod stays;
mod synonyms;
mod terms;
mod times;
mod told;
mod unchanged;
mod unmade;
mod vocabulary;
mod weight;

use std::collections::BTreeSet;

use pentimento_api::crawl::RunContext;
use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Finding};

use named::is_of_another;
use outcome::{Outcome, is_a_slip};
use promise::{Promise, promises, promises_alone};
use scope::Scope;
use sentences::{parts_of_entry, sentences};
use statement::{Statement, best};
use stays::says_to_stay;
use terms::Terms;
use unchanged::Unchanged;
use vocabulary::Verb;

/// What each kind of evidence weighs; evidence that a run cannot give is left out of the sum.
const WEIGHT_EXPECTED: f64 = 0.40;
const WEIGHT_SCOPE: f64 = 0.25;
const WEIGHT_VERB: f64 = 0.20;
const WEIGHT_DESCRIPTION: f64 = 0.15;

/// Share of a statement's words that a change must have for the statement to be about it at all.
const ABOUT: f64 = 0.34;

/// Share of the words of the first statement's share from which on another one is about a change as well.
const ALIKE: f64 = 0.67;

/// Parts of all entries of the list of expected changes that are looked at.
const MAX_PARTS: usize = 1_000;

/// What is left of a description that a change has no more than a word of.
const WEAK: f64 = 0.5;

/// At most for a change that has another value than was said, or of which the opposite was said: not enough to be meant.
pub(super) const OTHER_THAN_SAID: f64 = 0.5;

/// What a verb that leaves open what was done is worth.
const OPEN_VERB: f64 = 0.5;

/// What a run was meant to change.
#[derive(Debug)]
pub struct Intent {
    expected: Vec<Statement>,
    described: Vec<Statement>,
    must_stay: Vec<Promise>,
    scope: Option<Scope>,
    /// What does not change to the eye, and the sentence that says so.
    unchanged: Option<(Unchanged, String)>,
    /// The sentence that shows that the run tells of nothing but work on the code.
    code_alone: Option<String>,
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
    /// Why the page should look as before, where this change is not what was said.
    pub(super) looks_stay: Option<LooksStay>,
    /// Whether nothing at all should look different.
    pub(super) nothing_changes: bool,
    /// What of the intent the change has.
    pub(super) shared: Shared,
}

/// Why a page should look as it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LooksStay {
    /// This sentence says that nothing, or nothing but what was said, looks different.
    Said(String),
    /// Nothing but work on the code was told, as this sentence shows.
    CodeAlone(String),
}

/// What an intent and a change have in common, in the words of the intent.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) words: BTreeSet<String>,
    /// Numbers, colours and quotations that the change has to the letter.
    pub(super) values: BTreeSet<String>,
}

impl Intent {
    /// The intent of a project and of a run together; nothing when neither says anything.
    pub fn of(project: Option<&str>, run: Option<&RunContext>) -> Option<Self> {
        let mut descriptions: Vec<&String> = Vec::new();
        let (mut expected, mut patterns) = (Vec::new(), Vec::new());
        if let Some(run) = run {
            let texts = [
                &run.change_description,
                &run.pr_title,
                &run.pr_description,
                &run.git_commit_message,
            ];
            descriptions.extend(texts.into_iter().flatten());
            expected.extend(run.expected_changes.iter().flatten());
            patterns.extend(run.scope.iter().flatten());
        }
        // A list of nothing but “no visual changes” expects none.
        if expected.iter().all(|entry| expects_nothing(entry)) {
            descriptions.append(&mut expected);
        }
        let read: Vec<String> = (descriptions.iter())
            .map(|text| unchanged::without_unticked(text))
            .collect();
        // What is said of a site as a whole describes a change only where it says that something changes.
        let standing = project.into_iter().flat_map(sentences).filter(|sentence| {
            says_to_stay(sentence) || Statement::of(sentence).is_some_and(|it| it.says_a_change())
        });
        let told: Vec<String> = read.iter().flat_map(|text| sentences(text)).collect();
        let is_limited = told.iter().any(|said| told::limits_a_promise(said));
        let sentences = told.iter().cloned().chain(standing);
        let (mut must_stay, described): (Vec<_>, Vec<_>) =
            sentences.partition(|sentence| promises(sentence));
        let entries = (expected.iter()).flat_map(|entry| {
            parts_of_entry(entry)
                .into_iter()
                .map(move |part| (part, entry))
        });
        // A list of what is expected may hold what is not.
        let (promised, expected_parts): (Vec<_>, Vec<_>) = entries
            .take(MAX_PARTS)
            .partition(|(part, _)| promises_alone(part));
        must_stay.extend(promised.into_iter().map(|(part, _)| part.to_owned()));
        let unchanged = (descriptions.iter().map(|text| text.as_str()))
            .chain(project)
            .filter_map(unchanged::said)
            .max_by_key(|(what, _)| *what)
            // “Nothing changes for guests. The price is paler for members.”
            .map(|(what, said)| match what {
                Unchanged::Everything if is_limited => (Unchanged::TheRest, said),
                _ => (what, said),
            });
        let statements = |texts: Vec<String>| -> Vec<Statement> {
            texts
                .iter()
                .filter_map(|text| Statement::of(text))
                .collect()
        };
        let mut intent = Self {
            expected: (expected_parts.into_iter())
                .filter_map(|(part, entry)| Statement::of_expected(part, entry))
                .collect(),
            described: statements(described),
            must_stay: must_stay
                .iter()
                .filter_map(|text| Promise::of(text))
                .collect(),
            scope: Scope::of(patterns.into_iter()),
            unchanged,
            code_alone: expected
                .is_empty()
                .then(|| told::code_alone(&told))
                .flatten(),
        };
        if !intent.says_something() {
            return None;
        }
        intent.described.retain(Statement::may_describe);
        Some(intent)
    }

    fn says_something(&self) -> bool {
        self.scope.is_some()
            || self.unchanged.is_some()
            || !self.must_stay.is_empty()
            || [&self.expected, &self.described]
                .iter()
                .any(|statements| !statements.is_empty())
    }

    /// Whether it says that nothing should look different.
    fn nothing_changes(&self) -> bool {
        matches!(self.unchanged, Some((Unchanged::Everything, _)))
    }

    /// Weighs a change.
    pub(super) fn weigh(&self, finding: &Finding) -> Weighed {
        let found = Terms::of_finding(finding);
        let done = Outcome::of(finding, &found);
        let expected = best(&self.expected, &found, &done);
        let described = best(&self.described, &found, &done);
        // The head of a page lies in no component.
        let scope = self.scope.as_ref().filter(|_| !finding.tag.is_empty());
        let names = || std::iter::once(&finding.element).chain(&finding.lineage);
        let in_scope = scope.and_then(|scope| scope.has(names()));
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
            let is_weak = described.is_some_and(|(_, it)| it.rests_on_one_word(&found));
            let told = value(&described) * if is_weak { WEAK } else { 1.0 };
            parts.push((WEIGHT_EXPECTED + WEIGHT_DESCRIPTION, told));
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
        let told: Vec<&Statement> = ([expected, described].into_iter().flatten())
            .filter(|(value, _)| *value >= ABOUT)
            .map(|(_, statement)| statement)
            .collect();
        let is_other = told.first().is_some_and(|first| {
            self.says_another(first, &found, &done) || brings_looks_along(first, &verbs, &done)
        });
        // Who declares a component has named what is in it.
        let is_one_like_it = in_scope != Some(true)
            && (told.first()).is_some_and(|first| is_of_another(first, &found, &done));
        let is_limited = is_other || is_one_like_it || is_a_slip(finding);
        let most = if is_limited { OTHER_THAN_SAID } else { 1.0 };
        let because = told.first().map(|statement| statement.text.clone());
        let must_stay = (self.must_stay.iter())
            .find(|promise| promise.is_broken_by(&found, &done, &told))
            .map(|promise| promise.text.clone());
        Weighed {
            // Where nothing was to change, only a list of exceptions counts.
            score: if about < ABOUT || (self.nothing_changes() && self.expected.is_empty()) {
                0.0
            } else {
                (sum / whole).min(most)
            },
            in_scope,
            because,
            must_stay,
            looks_stay: self.looks_stay(about >= ABOUT, in_scope == Some(true)),
            nothing_changes: self.nothing_changes(),
            shared: self.shared_with(&found),
        }
    }

    /// Whether the statement that a change has most of says that something else became of it, or any other does and none says
    /// this: a vague one does not overrule one that names a value, or the way that something goes.
    fn says_another(&self, first: &Statement, found: &Terms, done: &Outcome) -> bool {
        let statements = || self.expected.iter().chain(&self.described);
        let names_as_much = |it: &&Statement| {
            it.share_of_words(found) >= ABOUT && it.met(found).is_superset(&first.met(found))
        };
        let of_it = || statements().filter(names_as_much);
        let is_said = |it: &Statement| it.aim.is_its_way(done) || it.aim.is_met_by(done);
        let is_other_way = || of_it().any(|it| it.aim.is_other_way(done)) && !of_it().any(is_said);
        if first.aim.is_another(done) || is_other_way() {
            return true;
        }
        // A section that went has no other price than the one that another sentence tells of.
        if !done.replaces {
            return false;
        }
        let wanted = f64::max(ABOUT, ALIKE * first.share_of_words(found));
        let is_about = |it: &&Statement| it.share_of_words(found) >= wanted;
        let about = || statements().filter(is_about);
        !about().any(|it| it.aim.is_met_by(done))
            && about().any(|it| it.aim.has_another_value(done))
    }

    /// Why the page should look as before for all that was said, where a change is or is not what a sentence is about.
    fn looks_stay(&self, is_told: bool, is_in_scope: bool) -> Option<LooksStay> {
        match (&self.unchanged, &self.code_alone) {
            (Some((Unchanged::Everything, sentence)), _) if self.expected.is_empty() => {
                Some(LooksStay::Said(sentence.clone()))
            }
            _ if is_told => None,
            (Some((_, sentence)), _) => Some(LooksStay::Said(sentence.clone())),
            // Who names a part of the page expects something there.
            (None, _) if is_in_scope => None,
            (None, sentence) => sentence.clone().map(LooksStay::CodeAlone),
        }
    }

    /// What of it a change has; sentences that say what must stay do not count.
    fn shared_with(&self, found: &Terms) -> Shared {
        let mut shared = Shared::default();
        for statement in self.expected.iter().chain(&self.described) {
            let words = (statement.words.iter()).filter(|word| found.stems.contains(&word.stem));
            shared.words.extend(words.map(|word| word.word.clone()));
            let values = statement.terms.exact.intersection(&found.exact);
            shared.values.extend(values.cloned());
        }
        shared
    }

    /// The sentences that say what must stay as it is.
    pub fn promises(&self) -> impl Iterator<Item = &str> {
        self.must_stay.iter().map(|promise| promise.text.as_str())
    }

    /// The expected changes that a document does not show, as they were written.
    pub fn unseen(&self, document: &DocumentDiff) -> Vec<String> {
        let found: Vec<Terms> = document.findings.iter().map(Terms::of_finding).collect();
        let mut unseen: Vec<String> = Vec::new();
        // Parts of one entry stand one behind the other.
        for parts in self.expected.chunk_by(|one, next| one.text == next.text) {
            let is_seen = |part: &Statement| found.iter().any(|found| part.value(found) >= ABOUT);
            if !parts.iter().any(is_seen) {
                unseen.push(parts[0].text.clone());
            }
        }
        unseen
    }
}

/// Whether each clause of an expected change says that nothing changes to the eye.
fn expects_nothing(entry: &str) -> bool {
    let clauses = entry
        .split([';', ',', '\n'])
        .flat_map(|part| part.split(". "));
    let mut told = clauses.filter(|clause| !clause.trim().is_empty());
    told.all(|clause| matches!(unchanged::said(clause), Some((Unchanged::Everything, _))))
}

/// Whether only the time that a text tells is another one.
pub(super) fn is_of_the_clock(finding: &Finding) -> bool {
    finding.kind == ChangeType::TextEdit && times::alone_differ(finding)
}

/// Whether a text that was edited as it was said looks different besides, of which nothing was said.
fn brings_looks_along(first: &Statement, verbs: &BTreeSet<Verb>, done: &Outcome) -> bool {
    let is_of_looks = |verb: &Verb| matches!(verb, Verb::Restyle | Verb::Recolour);
    let is_open = verbs.contains(&Verb::Change) && !first.aim.names_a_value();
    done.is_restyled_text && !is_open && !verbs.iter().any(is_of_looks)
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

#[cfg(test)]
mod misread;
#[cfg(test)]
mod tests;
