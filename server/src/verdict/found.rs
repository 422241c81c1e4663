//! Findings in words, each with its verdict and with what may be told of it elsewhere.

use std::cell::OnceCell;

use pentimento_api::result::{RegionVerdict, ServiceSummary};
use pentimento_document::{DocumentDiff, Fault};

use super::decide::{decide, decide_damage};
use super::facts::Fact;
use super::intent::{Intent, Weighed};
use super::{bugs, changes};

/// A finding in words, and what it rests on.
pub(super) struct Found {
    pub(super) told: ServiceSummary,
    pub(super) fact: Fact,
}

/// A document diff with the verdicts on its changes. Many regions may show one change: each is judged once.
pub(super) struct Judged<'a> {
    pub(super) document: &'a DocumentDiff,
    intent: Option<&'a Intent>,
    weighed: Vec<OnceCell<Option<Weighed>>>,
    verdicts: Vec<OnceCell<RegionVerdict>>,
}

impl<'a> Judged<'a> {
    pub(super) fn new(document: &'a DocumentDiff, intent: Option<&'a Intent>) -> Self {
        let verdicts = vec![OnceCell::new(); document.findings.len()];
        Self {
            document,
            intent,
            weighed: vec![OnceCell::new(); document.findings.len()],
            verdicts,
        }
    }

    /// The verdict on the change with this number.
    pub(super) fn verdict(&self, index: usize) -> RegionVerdict {
        let verdict =
            self.verdicts[index].get_or_init(|| decide(self.document, index, self.weighed(index)));
        verdict.clone()
    }

    /// How the change with this number stands to the intent, if there is one.
    fn weighed(&self, index: usize) -> Option<&Weighed> {
        let weigh = || {
            let change = &self.document.findings[index];
            self.intent.map(|intent| intent.weigh(change))
        };
        self.weighed[index].get_or_init(weigh).as_ref()
    }

    /// A finding that tells of this change.
    pub(super) fn of_change(&self, label: &str, index: usize, verdict: RegionVerdict) -> Found {
        let fact = Fact::of_change(self.document, index, self.weighed(index), &verdict);
        found(
            label,
            changes::sentence(self.document, index),
            verdict,
            fact,
        )
    }

    /// A finding of pixels that follows from this change.
    pub(super) fn of_consequence(
        &self,
        label: &str,
        pixels: &str,
        cause: usize,
        verdict: RegionVerdict,
    ) -> Found {
        let fact =
            Fact::of_consequence(pixels, self.document, cause, self.weighed(cause), &verdict);
        let told = changes::cause(&self.document.findings[cause]);
        let text = format!("{pixels} It follows from another change: {told}");
        found(label, text, verdict, fact)
    }
}

/// A finding whose sentence has no text of the page.
pub(super) fn of_pixels(label: &str, text: String, verdict: RegionVerdict) -> Found {
    let fact = Fact::of_pixels(&text);
    found(label, text, verdict, fact)
}

/// Damage of the whole page.
pub(super) fn of_damage(fault: &Fault, intent: Option<&Intent>) -> Found {
    let text = bugs::damage_sentence(fault);
    let verdict = decide_damage(text.clone(), intent);
    found("", text, verdict, Fact::of_damage(fault))
}

fn found(label: &str, text: String, verdict: RegionVerdict, fact: Fact) -> Found {
    let told = ServiceSummary {
        label: label.to_owned(),
        text,
        verdict: Some(verdict),
        consequence: fact.follows,
    };
    Found { told, fact }
}
