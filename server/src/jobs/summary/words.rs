//! A run in two sentences: what changed, and what came of it.

use std::collections::BTreeMap;

use pentimento_api::job::JobStatus;
use pentimento_api::result::Decision;
use pentimento_api::review::Outcome;

use super::count_outcomes;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::document::StoredDocument;

/// Changes that the first sentence names.
const NAMED_CHANGES: usize = 3;

/// The run in words: the changes that most page variants share, then the counts and what to do.
pub(crate) fn words(row: &JobRow, results: &[ResultRow]) -> String {
    if row.status() == JobStatus::Failed {
        let cause = row.error.as_deref();
        let cause = cause.unwrap_or("Its cause was not recorded.");
        return format!("The job failed. {cause}");
    }
    let sentences = (causes(results).into_iter())
        .chain([counted(results)])
        .chain(unstable(results));
    sentences.collect::<Vec<_>>().join(" ")
}

/// A change, and how many page variants show it.
struct Shared {
    first: usize,
    variants: usize,
    sentence: String,
}

/// The changes of documents, those that most page variants share first; nothing when no document changed.
fn causes(results: &[ResultRow]) -> Option<String> {
    let mut groups: BTreeMap<String, Shared> = BTreeMap::new();
    for (index, result) in results.iter().enumerate() {
        if result.changed != 1 {
            continue;
        }
        let document = result.document.as_deref().map(serde_json::from_str);
        let Some(Ok(StoredDocument {
            lead: Some(lead), ..
        })) = document
        else {
            continue;
        };
        let group = result.change_group.clone().unwrap_or_default();
        let shared = groups.entry(group).or_insert_with(|| Shared {
            first: index,
            variants: 0,
            sentence: lead,
        });
        shared.variants += 1;
    }
    let mut groups: Vec<Shared> = groups.into_values().collect();
    groups.sort_by_key(|shared| (std::cmp::Reverse(shared.variants), shared.first));
    let more = groups.len().saturating_sub(NAMED_CHANGES);
    let mut parts: Vec<String> = groups
        .iter()
        .take(NAMED_CHANGES)
        .map(|shared| {
            let sentence = shared.sentence.trim_end_matches('.');
            match shared.variants {
                1 => sentence.to_owned(),
                many => format!("{sentence} (on {many} page variants)"),
            }
        })
        .collect();
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    (!parts.is_empty()).then(|| format!("{}.", parts.join("; ")))
}

fn counted(results: &[ResultRow]) -> String {
    let counts = count_outcomes(results);
    let total = results.len();
    let mut parts = Vec::new();
    for (count, one, many) in [
        (counts.regression, "changed", "changed"),
        (
            counts.matching,
            "matches its baseline",
            "match their baselines",
        ),
        (
            counts.new_baseline,
            "has its first baseline",
            "have their first baselines",
        ),
        (
            counts.error,
            "could not be compared",
            "could not be compared",
        ),
    ] {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    }
    let variants = if total == 1 { "variant" } else { "variants" };
    format!(
        "Of {total} page {variants}, {}: {}.",
        join(&parts),
        what_to_do(results, counts.error > 0)
    )
}

/// How many pages are unstable; nothing when none is.
fn unstable(results: &[ResultRow]) -> Option<String> {
    let count = results.iter().filter(|result| result.is_unstable()).count();
    match count {
        0 => None,
        1 => Some("1 is unstable: its captures in this run differ from each other.".to_owned()),
        many => Some(format!(
            "{many} are unstable: their captures in this run differ from each other."
        )),
    }
}

fn what_to_do(results: &[ResultRow], errors: bool) -> &'static str {
    let is_settled = |result: &&ResultRow| {
        let settled = [Decision::Noise, Decision::Intentional];
        let decision = result.decision.as_deref();
        settled
            .iter()
            .any(|settled| decision == Some(settled.as_str()))
    };
    let mut changed = results
        .iter()
        .filter(|result| result.outcome() == Outcome::Regression);
    match (changed.all(|result| is_settled(&result)), errors) {
        (true, false) => "nothing needs a decision",
        (true, true) => "look at the errors, nothing else needs a decision",
        (false, false) => "review what changed",
        (false, true) => "review what changed, and look at the errors",
    }
}

fn join(parts: &[String]) -> String {
    match parts {
        [] => "none was done".to_owned(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
