//! Which results of a job are listed. The address says it, of the list and of a review that goes through what is in it.

use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultListQuery};

use crate::labels;
use crate::url_state::parameter;

/// The address's words for what is asked of results.
pub(crate) const OUTCOME: &str = "outcome";
pub(crate) const TRIAGE: &str = "triage";
pub(crate) const UNSTABLE: &str = "unstable";
pub(crate) const GROUP: &str = "group";
pub(crate) const TEXT: &str = "q";

/// What is asked of results; everything is listed where nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListFilter {
    pub(crate) outcome: Option<Outcome>,
    pub(crate) triage: Option<TriageStatus>,
    /// Only pages whose captures differ from each other.
    pub(crate) unstable: bool,
    /// What the service calls the change that they show; empty for any.
    pub(crate) group: String,
    /// What their address or variant contains; empty for any.
    pub(crate) text: String,
}

impl ListFilter {
    /// What a query says; words that it does not know ask for nothing.
    pub(crate) fn of(search: &str) -> Self {
        let word = |name| parameter(search, name);
        let (outcome, triage) = (word(OUTCOME), word(TRIAGE));
        Self {
            outcome: (Outcome::ALL.into_iter()).find(|one| one.as_str() == outcome),
            triage: (TriageStatus::ALL.into_iter()).find(|one| one.as_str() == triage),
            unstable: word(UNSTABLE) == "true",
            group: word(GROUP),
            text: word(TEXT),
        }
    }

    /// The address's words for it, without those that are empty.
    pub(crate) fn words(&self) -> Vec<(&'static str, &str)> {
        let words = [
            (OUTCOME, self.outcome.map_or("", Outcome::as_str)),
            (TRIAGE, self.triage.map_or("", TriageStatus::as_str)),
            (UNSTABLE, if self.unstable { "true" } else { "" }),
            (GROUP, &self.group),
            (TEXT, &self.text),
        ];
        words
            .into_iter()
            .filter(|(_, word)| !word.is_empty())
            .collect()
    }

    /// How the interface is asked for them. Of all pages only the changed ones wait for a decision.
    pub(crate) fn query(&self) -> ResultListQuery {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let waits = self.triage == Some(TriageStatus::Pending);
        ResultListQuery {
            outcome: self.outcome.or(waits.then_some(Outcome::Regression)),
            triage: self.triage,
            unstable: self.unstable.then_some(true),
            change_group: some(&self.group),
            q: some(&self.text),
            ..ResultListQuery::default()
        }
    }

    /// Whether a review of what is listed goes through other pages than all changed ones.
    pub(crate) fn narrows(&self) -> bool {
        let asks = Self {
            outcome: self.other_outcome(),
            ..self.clone()
        };
        asks != Self::default()
    }

    /// An outcome that is asked for, of which a review has no pages otherwise.
    fn other_outcome(&self) -> Option<Outcome> {
        self.outcome
            .filter(|outcome| *outcome != Outcome::Regression)
    }

    /// What is asked, in few words, such as “/shop”, undecided.
    pub(crate) fn told(&self) -> String {
        let asked = [
            (!self.text.is_empty()).then(|| format!("“{}”", self.text)),
            self.other_outcome()
                .map(|outcome| labels::outcome(outcome).word.to_lowercase()),
            self.triage
                .map(|triage| labels::triage(triage).word.to_lowercase()),
            self.unstable
                .then(|| labels::unstable().word.to_lowercase()),
            (!self.group.is_empty()).then(|| "the same change".to_owned()),
        ];
        let asked: Vec<String> = asked.into_iter().flatten().collect();
        asked.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_out_changed_pages_narrows() {
        let all = ListFilter::default();
        let changed = ListFilter {
            outcome: Some(Outcome::Regression),
            ..all.clone()
        };
        assert!(!all.narrows() && !changed.narrows());
        let new = ListFilter {
            outcome: Some(Outcome::NewBaseline),
            ..all.clone()
        };
        let undecided = ListFilter {
            triage: Some(TriageStatus::Pending),
            ..all.clone()
        };
        let found = ListFilter {
            text: "/shop & more".to_owned(),
            ..changed
        };
        assert!(new.narrows() && undecided.narrows() && found.narrows());
        assert_eq!(new.told(), "new");
        assert_eq!(undecided.told(), "undecided");
        assert_eq!(undecided.query().outcome, Some(Outcome::Regression));
        assert_eq!(found.told(), "“/shop & more”");
        assert_eq!(
            found.words(),
            [("outcome", "regression"), ("q", "/shop & more")]
        );
        assert_eq!(all.query(), ResultListQuery::default());
    }
}
