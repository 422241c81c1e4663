//! A result as a language model described it, beside the measured one.

use pentimento_api::result::{Decision, RegionVerdict, ServiceSummary, Verdict, VerdictBasis};
use serde::{Deserialize, Serialize};

use super::answer::Ranking;
use super::round::Answers;
use crate::verdict::{self, Fact};

/// What is kept of a description. The measured findings and verdict are kept as they are beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Described {
    /// Who described it.
    pub model: String,
    /// SHA-256 of the question, in hex.
    pub prompt_hash: String,
    /// When.
    pub at_ms: i64,
    /// The findings, in the order of the measured ones.
    pub summary: Vec<ServiceSummary>,
    /// The verdict.
    pub verdict: Verdict,
    /// How much of the answer was used.
    pub outcome: Used,
}

/// How much of an answer was used, by the findings of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Used {
    /// Findings with another wording.
    pub reworded: u32,
    /// Findings with a verdict of the model.
    pub ranked: u32,
    /// Wordings and verdicts that broke a rule.
    pub dropped: u32,
}

impl Described {
    /// The measured findings with what is used of the answers. `measured` and `facts` are parallel.
    pub fn of(
        measured: &[ServiceSummary],
        facts: &[Fact],
        answers: &Answers,
        model: &str,
        at_ms: i64,
    ) -> Self {
        let mut outcome = Used::default();
        let mut summary = measured.to_vec();
        for (index, (finding, fact)) in summary.iter_mut().zip(facts).enumerate() {
            if let Some(accepted) = answers.on(index) {
                outcome.dropped += accepted.dropped;
                if let Some(wording) = &accepted.wording {
                    finding.text = fact.restore(wording);
                    outcome.reworded += 1;
                }
            }
            if let Some(verdict) = &mut finding.verdict
                && let Some(ranking) = answers.ranking(facts, fact)
                && may_be_ranked(fact, verdict, ranking)
            {
                *verdict = ranked(verdict, ranking);
                outcome.ranked += 1;
            }
        }
        let verdict = Verdict {
            basis: VerdictBasis::Described,
            model: Some(model.to_owned()),
            prompt_hash: Some(answers.prompt_hash.clone()),
            ..verdict::conclude(&summary)
        };
        Self {
            model: model.to_owned(),
            prompt_hash: answers.prompt_hash.clone(),
            at_ms,
            summary,
            verdict,
            outcome,
        }
    }
}

/// Whatever was answered: only what the rules left open gets another verdict, and is meant only where something beside the
/// model speaks for it.
fn may_be_ranked(fact: &Fact, verdict: &RegionVerdict, ranking: &Ranking) -> bool {
    fact.is_open
        && verdict.decision == Decision::NeedsReview
        && (ranking.decision != Decision::Intentional || fact.has_evidence())
}

fn ranked(measured: &RegionVerdict, ranking: &Ranking) -> RegionVerdict {
    let how = match ranking.decision {
        Decision::Bug => "at odds with",
        _ => "meant by",
    };
    RegionVerdict {
        decision: ranking.decision,
        confidence: ranking.confidence,
        reasoning: format!(
            "A language model finds it {how} “{}” of the intent. {}",
            ranking.because, measured.reasoning
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::Accepted;
    use super::*;

    fn measured(decision: Decision) -> ServiceSummary {
        ServiceSummary {
            label: "A".to_owned(),
            text: "Heading “19” now reads “29”.".to_owned(),
            verdict: Some(RegionVerdict {
                decision,
                confidence: 0.5,
                reasoning: "Measured.".to_owned(),
            }),
            consequence: false,
        }
    }

    fn fact(change: usize, is_open: bool, shared: &[&str]) -> Fact {
        Fact {
            quotes: vec!["19".to_owned(), "29".to_owned()],
            change: Some(change),
            is_open,
            shared_words: shared.iter().map(|&word| word.to_owned()).collect(),
            ..Fact::default()
        }
    }

    fn clears(places: Vec<Option<usize>>) -> Answers {
        let accepted = Accepted {
            wording: Some("It says “⟦2⟧” where it said “⟦1⟧”.".to_owned()),
            ranking: Some(Ranking {
                decision: Decision::Intentional,
                confidence: 0.7,
                because: "Raise the price".to_owned(),
            }),
            dropped: 0,
        };
        Answers::new("hash".to_owned(), vec![accepted], places)
    }

    #[test]
    fn what_is_open_takes_the_verdict_and_its_consequence_too() {
        let summary = [
            measured(Decision::NeedsReview),
            measured(Decision::NeedsReview),
        ];
        let facts = [fact(0, true, &["price"]), fact(0, true, &["price"])];
        let described = Described::of(&summary, &facts, &clears(vec![Some(0), None]), "small", 7);
        assert_eq!(described.verdict.decision, Decision::Intentional);
        assert_eq!(described.verdict.basis, VerdictBasis::Described);
        assert_eq!(
            described.summary[0].text,
            "It says “29” where it said “19”."
        );
        assert_eq!(described.summary[1].text, summary[1].text);
        let reasoning = &described.summary[1].verdict.as_ref().unwrap().reasoning;
        assert_eq!(
            reasoning,
            "A language model finds it meant by “Raise the price” of the intent. Measured."
        );
        let used = Used {
            reworded: 1,
            ranked: 2,
            dropped: 0,
        };
        assert_eq!(described.outcome, used);
    }

    #[test]
    fn nothing_else_takes_it() {
        for (decision, is_open, shared) in [
            (Decision::Bug, true, &["price"][..]),
            (Decision::Noise, true, &["price"]),
            (Decision::NeedsReview, false, &["price"]),
            (Decision::NeedsReview, true, &[]),
        ] {
            let (summary, facts) = ([measured(decision)], [fact(0, is_open, shared)]);
            let described = Described::of(&summary, &facts, &clears(vec![Some(0)]), "small", 7);
            assert_eq!(described.verdict.decision, decision);
            assert_eq!(described.summary[0].verdict, summary[0].verdict);
        }
    }
}
