//! What of an answer is used: each finding for itself, and only what the rules and the intent bear out.

use pentimento_api::result::Decision;
use serde::Deserialize;

use super::intent::IntentTexts;
use super::question::Item;
use super::refusal::Refusal;
use super::wording;

/// Highest confidence of a verdict that is a model's.
const MAX_CONFIDENCE: f64 = 0.75;

/// Shortest quotation of the intent, in characters.
const MIN_QUOTED_CHARACTERS: usize = 8;

/// Longest quotation of the intent, in characters.
const MAX_QUOTED_CHARACTERS: usize = 300;

/// The content of an answer, as the schema asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    findings: Vec<Said>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    number: usize,
    wording: String,
    verdict: Option<SaidVerdict>,
    confidence: Option<f64>,
    because: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SaidVerdict {
    Intentional,
    Bug,
    NeedsReview,
}

/// What is used of the answer for one finding.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Accepted {
    /// Another wording, with placeholders.
    pub(super) wording: Option<String>,
    /// A verdict on what the rules left open.
    pub(super) ranking: Option<Ranking>,
    /// What was said and broke a rule.
    pub(super) dropped: u32,
}

/// A verdict on what the rules left open.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranking {
    /// `Intentional` or `Bug`.
    pub(super) decision: Decision,
    /// 0–0.75.
    pub(super) confidence: f64,
    /// The part of the intent that it rests on.
    pub(super) because: String,
}

/// Reads an answer to the question about these findings.
pub(super) fn read(
    content: &str,
    items: &[Item],
    intent: &IntentTexts,
) -> Result<Vec<Accepted>, Refusal> {
    let content: Content = serde_json::from_str(content).map_err(|_| Refusal::OffSchema)?;
    let mut said = content.findings;
    said.sort_by_key(|said| said.number);
    let is_complete = said.len() == items.len()
        && (said.iter().enumerate()).all(|(place, said)| said.number == place + 1);
    if !is_complete {
        return Err(Refusal::OtherFindings);
    }
    let accepted: Vec<Accepted> = (said.iter().zip(items))
        .map(|(said, item)| accept(said, item, intent))
        .collect();
    let is_usable = |accepted: &Accepted| accepted.wording.is_some() || accepted.ranking.is_some();
    if accepted.iter().any(is_usable) {
        Ok(accepted)
    } else {
        Err(Refusal::NothingUsable)
    }
}

fn accept(said: &Said, item: &Item, intent: &IntentTexts) -> Accepted {
    let wording = wording::checked(&said.wording, &item.sentence);
    let wants = matches!(
        said.verdict,
        Some(SaidVerdict::Intentional | SaidVerdict::Bug)
    );
    let ranking = said
        .verdict
        .filter(|_| item.is_open)
        .and_then(|verdict| rank(verdict, said, item, intent));
    Accepted {
        dropped: u32::from(wording.is_none()) + u32::from(wants && ranking.is_none()),
        wording,
        ranking,
    }
}

fn rank(verdict: SaidVerdict, said: &Said, item: &Item, intent: &IntentTexts) -> Option<Ranking> {
    let confidence = said
        .confidence
        .filter(|confidence| (0.0..=1.0).contains(confidence))?;
    let because: String = (said.because.as_deref()?.split_whitespace())
        .collect::<Vec<_>>()
        .join(" ");
    let length = because.chars().count();
    if !(MIN_QUOTED_CHARACTERS..=MAX_QUOTED_CHARACTERS).contains(&length) {
        return None;
    }
    let decision = match verdict {
        SaidVerdict::NeedsReview => return None,
        SaidVerdict::Bug => intent.says(&because).then_some(Decision::Bug)?,
        SaidVerdict::Intentional => {
            let is_meant = intent.wants(&because) && bears_out(&because, item);
            is_meant.then_some(Decision::Intentional)?
        }
    };
    Some(Ranking {
        decision,
        confidence: confidence.min(MAX_CONFIDENCE),
        because,
    })
}

/// Whether a quotation has to do with the finding: it holds a word or value that both share, or the finding lies in the
/// scope that was declared.
fn bears_out(because: &str, item: &Item) -> bool {
    let because = because.to_lowercase();
    let mut shared = item.shared_words.iter().chain(&item.shared_values);
    item.in_scope == Some(true) || shared.any(|shared| because.contains(&shared.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use pentimento_api::crawl::RunContext;
    use serde_json::{Value, json};

    use super::*;

    const TEMPLATE: &str = "Heading “⟦1⟧” now reads “⟦2⟧”.";

    fn item(is_open: bool, shared: &[&str]) -> Item {
        Item {
            sentence: TEMPLATE.to_owned(),
            is_open,
            shared_words: shared.iter().map(|&word| word.to_owned()).collect(),
            ..Item::default()
        }
    }

    fn intent() -> IntentTexts {
        let run = RunContext {
            change_description: Some(
                "Rename the plans on the pricing page. The header must not change.".to_owned(),
            ),
            ..RunContext::default()
        };
        IntentTexts::of(None, Some(&run))
    }

    fn said(verdict: &str, confidence: f64, because: &str) -> Value {
        json!({ "number": 1, "wording": "The heading “⟦1⟧” became “⟦2⟧”.", "verdict": verdict, "confidence": confidence, "because": because })
    }

    fn ranked(said: &Value, item: Item) -> Option<Ranking> {
        let content = json!({ "findings": [said] }).to_string();
        let mut accepted = read(&content, &[item], &intent()).unwrap();
        accepted.remove(0).ranking
    }

    #[test]
    fn a_verdict_rests_on_the_words_of_the_intent() {
        let open = || item(true, &["plans"]);
        let ranking = ranked(&said("intentional", 1.0, "rename  the PLANS"), open()).unwrap();
        assert_eq!(
            (ranking.decision, ranking.confidence),
            (Decision::Intentional, 0.75)
        );
        let bug = ranked(&said("bug", 0.5, "The header must not change"), open()).unwrap();
        assert_eq!((bug.decision, bug.confidence), (Decision::Bug, 0.5));
        for (because, why) in [
            ("plans", "too short"),
            ("all changes are fine", "not in the intent"),
            ("on the pricing page", "no word that both share"),
            ("The header must not change", "says what must stay"),
        ] {
            let ranking = ranked(&said("intentional", 0.7, because), open());
            assert_eq!(ranking, None, "{why}");
        }
        for confidence in [-0.1, 1.1] {
            assert_eq!(
                ranked(&said("intentional", confidence, "Rename the plans"), open()),
                None
            );
        }
        assert_eq!(
            ranked(&said("needs_review", 0.7, "Rename the plans"), open()),
            None
        );
    }

    #[test]
    fn what_is_not_open_or_has_no_evidence_is_not_ranked() {
        let meant = || said("intentional", 0.7, "Rename the plans");
        assert_eq!(ranked(&meant(), item(false, &["plans"])), None);
        assert_eq!(ranked(&meant(), item(true, &[])), None);
        let in_scope = Item {
            in_scope: Some(true),
            ..item(true, &[])
        };
        assert!(ranked(&meant(), in_scope).is_some());
    }

    #[test]
    fn an_answer_is_for_the_findings_that_were_asked() {
        let items = [item(true, &["plans"]), item(false, &[])];
        let numbered = |number: usize, wording: &str| json!({ "number": number, "wording": wording, "verdict": null, "confidence": null, "because": null });
        let good = "The heading “⟦1⟧” became “⟦2⟧”.";
        let read = |findings: Value| {
            read(
                &json!({ "findings": findings }).to_string(),
                &items,
                &intent(),
            )
        };
        let accepted = read(json!([numbered(2, "Lost."), numbered(1, good)])).unwrap();
        assert_eq!(accepted[0].wording.as_deref(), Some(good));
        assert_eq!(
            (accepted[1].wording.as_deref(), accepted[1].dropped),
            (None, 1)
        );
        for findings in [
            json!([]),
            json!([numbered(1, good)]),
            json!([numbered(1, good), numbered(1, good)]),
            json!([numbered(0, good), numbered(1, good)]),
            json!([numbered(1, good), numbered(2, good), numbered(3, good)]),
        ] {
            assert_eq!(read(findings), Err(Refusal::OtherFindings));
        }
        assert_eq!(
            read(json!([numbered(1, "Lost."), numbered(2, "Lost.")])),
            Err(Refusal::NothingUsable)
        );
        let mut noise = numbered(1, good);
        noise["verdict"] = json!("noise");
        for findings in [
            json!([noise, numbered(2, good)]),
            json!("all"),
            json!([1, 2]),
        ] {
            assert_eq!(read(findings), Err(Refusal::OffSchema));
        }
    }
}
