//! Agreement before alarm: how the captures of one page in one run agree, and what is said of it. Pure.
//!
//! `docs/capturing.md` says when a page is captured again; `tasks/agree` does it.

use pentimento_api::agreement::DisagreementSide;
use serde::{Deserialize, Serialize};

use crate::comparison::StoredComparison;
use crate::jobs::spec::CaptureConfig;

/// Captures of one side of a page in one run at most: with three, two that agree outvote the third.
pub(crate) const MAX_TAKES: usize = 3;

/// Runs of a page that its flake score is of, the present one included.
pub(crate) const SCORED_RUNS: i64 = 20;

/// Whether a page that would be called changed, and a first baseline, is to be captured again.
pub(crate) fn agreement_wanted(config: &CaptureConfig) -> bool {
    config.capture_profile.agreement
}

/// How the captures of one page in one run agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Its only capture looks as its baseline, or the first two are the same.
    Steady,
    /// They differ, and then one looked as the baseline, or two of three are the same.
    Flaky,
    /// No two are the same.
    Unstable,
    /// There is no second one: capturing again failed.
    Unconfirmed,
}

impl Agreement {
    /// The word that rows keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Flaky => "flaky",
            Self::Unstable => "unstable",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

/// Two captures that do not agree, as a result keeps them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredDisagreement {
    /// Of which side of the result.
    pub side: DisagreementSide,
    /// The capture that counts.
    pub kept_capture_id: String,
    /// The other one.
    pub other_capture_id: String,
    /// Where their pixels differ, the one that counts as the baseline; none when they are the same.
    pub comparison: Option<StoredComparison>,
    /// The mask of these pixels.
    pub mask_blob: Option<String>,
    /// Whether their documents differ.
    pub documents_differ: bool,
}

/// How a page that came out otherwise at first came to look as its baseline.
pub(crate) fn came_back(takes: usize) -> String {
    format!(
        "Capture {takes} of this run looks as the baseline, and the {} before it did not: the page does not always look the same.",
        if takes == 2 { "one" } else { "two" }
    )
}

/// Two of three captures are the same.
pub(crate) const OUTVOTED: &str = "Two of three captures of this run are the same; the one that differs from them does not count.";

/// Capturing again failed, so one capture is all there is.
pub(crate) fn unconfirmed(error: &str) -> String {
    format!("The page could not be captured again to confirm what is seen here: {error}")
}

/// What an unstable page is judged by.
pub(crate) struct Unstable<'a> {
    /// Captures of the side that has the most.
    pub(crate) takes: usize,
    /// Of which sides they disagree.
    pub(crate) sides: Vec<DisagreementSide>,
    /// Why there is not another one.
    pub(crate) error: Option<&'a str>,
    /// Whether there is something that the page is compared with.
    pub(crate) is_compared: bool,
}

impl Unstable<'_> {
    /// The sentence that tells of it.
    pub(crate) fn sentence(&self) -> String {
        let takes = if self.takes == 2 { "Two" } else { "Three" };
        let place = match self.sides[..] {
            [DisagreementSide::Baseline] => " of the base origin",
            [DisagreementSide::Current] => "",
            _ => " of either origin",
        };
        let consequence = if self.is_compared {
            "only what two of them agree on counts as a change"
        } else {
            "the baseline that one of them became may raise false alarms"
        };
        let error = self
            .error
            .map(|error| format!(" Another capture failed: {error}"));
        format!(
            "{takes} captures{place} in this run all differ from each other, so {consequence}.{}",
            error.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use DisagreementSide::{Baseline, Current};

    use super::*;

    #[test]
    fn an_unstable_page_is_told_of_in_a_sentence() {
        let told = |takes, sides: &[DisagreementSide], error, is_compared| {
            let unstable = Unstable {
                takes,
                sides: sides.to_vec(),
                error,
                is_compared,
            };
            unstable.sentence()
        };
        assert_eq!(
            told(3, &[Current], None, true),
            "Three captures in this run all differ from each other, so only what two of them agree on counts as a change."
        );
        assert_eq!(
            told(2, &[Baseline], Some("The page answered 503."), true),
            "Two captures of the base origin in this run all differ from each other, so only what two of them agree on counts as a \
             change. Another capture failed: The page answered 503."
        );
        assert_eq!(
            told(3, &[Current], None, false),
            "Three captures in this run all differ from each other, so the baseline that one of them became may raise false alarms."
        );
    }
}
