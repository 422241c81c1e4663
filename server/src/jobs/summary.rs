//! A job's summary: what it found, in counts and in words. Pure: rows in, summary out.

mod words;

use std::fmt::Write as _;

use pentimento_api::job::{JobStatus, OutcomeCounts};
use pentimento_api::result::Decision;
use pentimento_api::review::Outcome;
use pentimento_api::summary::{IntentAssessment, JobSummary, NewBaseline, PageError, RunDecision};

use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::judged::JudgedCounts;
use crate::document::StoredDocument;
use crate::jobs::view;

pub(crate) use words::words;

/// The summary of a job that has ended, but for its regressions and matches.
pub(crate) fn summarize(
    row: &JobRow,
    results: &[ResultRow],
    now_ms: i64,
) -> anyhow::Result<JobSummary> {
    let counts = count_outcomes(results);
    let of = |outcome: Outcome| {
        results
            .iter()
            .filter(move |result| result.outcome() == outcome)
    };
    Ok(JobSummary {
        job_id: view::job_id(row)?,
        status: row.status(),
        error: row.error.clone(),
        environment: row.environment.clone(),
        base_environment: row.base_environment.clone(),
        total_urls: results.len() as u64,
        completed_count: results.len() as u64 - counts.pending,
        overall_score: overall_score(results),
        execution_time: view::execution_seconds(row, now_ms),
        regression_count: counts.regression,
        match_count: counts.matching,
        new_baseline_count: counts.new_baseline,
        error_count: counts.error,
        run_summary: run_summary(row, results),
        intent_assessment: assess(row, results)?,
        run_context: view::run_context(row)?,
        regressions: Vec::new(),
        matches: Vec::new(),
        new_baselines: of(Outcome::NewBaseline)
            .map(|result| NewBaseline {
                url: result.url.clone(),
                variant_name: result.variant_name.clone(),
            })
            .collect(),
        errors: of(Outcome::Error)
            .map(|result| PageError {
                url: result.url.clone(),
                variant_name: result.variant_name.clone(),
                error_message: result.error_message.clone().unwrap_or_default(),
            })
            .collect(),
    })
}

/// The run in words: those that were kept when it ended, else made of its results.
pub(crate) fn run_summary(row: &JobRow, results: &[ResultRow]) -> String {
    (row.run_summary.clone()).unwrap_or_else(|| words(row, results))
}

/// Mean score of the compared pages, to one decimal; 100 when none was compared.
pub(crate) fn overall_score(results: &[ResultRow]) -> f64 {
    let scores: Vec<f64> = results
        .iter()
        .filter_map(|result| result.visual_match_score)
        .collect();
    mean_score(&scores)
}

/// The same of the scores alone, which stand in the job's order: so their sum is the same to the last bit.
pub(crate) fn mean_score(scores: &[f64]) -> f64 {
    if scores.is_empty() {
        return 100.0;
    }
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    (mean * 10.0).round() / 10.0
}

/// The expected changes that no page shows whose documents were compared: each document takes away what its page shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unseen(Option<Vec<String>>);

impl Unseen {
    /// Looks at the documents of all these results.
    pub(crate) fn of(results: &[ResultRow]) -> Self {
        let mut unseen = Self::default();
        for document in results
            .iter()
            .filter_map(|result| result.document.as_deref())
        {
            unseen.look_at(document);
        }
        unseen
    }

    /// Looks at one more [`StoredDocument`].
    pub(crate) fn look_at(&mut self, json: &str) {
        let Ok(document) = serde_json::from_str::<StoredDocument>(json) else {
            return;
        };
        match &mut self.0 {
            None => self.0 = Some(document.unseen),
            Some(unseen) => unseen.retain(|text| document.unseen.contains(text)),
        }
    }

    /// Whether all was seen, so that no further document says anything.
    pub(crate) fn is_settled(&self) -> bool {
        self.0.as_ref().is_some_and(Vec::is_empty)
    }

    /// What no document showed; nothing where there was none.
    fn texts(&self) -> &[String] {
        self.0.as_deref().unwrap_or_default()
    }
}

fn count_outcomes(results: &[ResultRow]) -> OutcomeCounts {
    let mut counts = OutcomeCounts::default();
    for result in results {
        match result.outcome() {
            Outcome::Regression => counts.regression += 1,
            Outcome::Match => counts.matching += 1,
            Outcome::NewBaseline => counts.new_baseline += 1,
            Outcome::Error => counts.error += 1,
            Outcome::Pending => counts.pending += 1,
        }
    }
    counts
}

/// The same counts as the database has them, of results that were read.
pub(crate) fn count_judged(results: &[ResultRow]) -> JudgedCounts {
    let changed = || results.iter().filter(|result| result.changed == 1);
    let judged = |decision: Decision| {
        changed()
            .filter(|result| result.decision.as_deref() == Some(decision.as_str()))
            .count() as u64
    };
    JudgedCounts {
        total: results.len() as u64,
        errors: count_outcomes(results).error,
        changed: changed().count() as u64,
        bugs: judged(Decision::Bug),
        intentional: judged(Decision::Intentional),
        noise: judged(Decision::Noise),
    }
}

/// Whether what changed was meant, by a job's results.
fn assess(job: &JobRow, results: &[ResultRow]) -> anyhow::Result<IntentAssessment> {
    assess_counted(job, count_judged(results), &Unseen::of(results))
}

/// Whether what changed was meant, by what was decided of each changed page. What could not be compared changes no decision,
/// and is told.
pub(crate) fn assess_counted(
    job: &JobRow,
    counts: JudgedCounts,
    unseen: &Unseen,
) -> anyhow::Result<IntentAssessment> {
    let JudgedCounts {
        total,
        errors,
        changed,
        bugs,
        intentional,
        noise,
    } = counts;
    let needs_review = changed - bugs - intentional - noise;
    let decision = match (bugs, needs_review) {
        (0, 0) => RunDecision::Pass,
        (0, _) => RunDecision::Review,
        (_, _) => RunDecision::Fail,
    };
    let unseen = unseen.texts();
    let mut summary = match decision {
        // The results of a job stand that only failed to end.
        _ if job.status() == JobStatus::Failed && total == errors => {
            "Nothing was compared.".to_owned()
        }
        RunDecision::Pass if changed == 0 => "Nothing changed.".to_owned(),
        RunDecision::Pass => "Every change is meant or is noise.".to_owned(),
        RunDecision::Review => {
            format!("{needs_review} of {changed} changed pages need a person's decision.")
        }
        RunDecision::Fail => format!("{bugs} of {changed} changed pages show a bug."),
    };
    // A pass must not hide them; another decision is looked into anyway.
    if decision == RunDecision::Pass && errors > 0 {
        let _ = write!(
            summary,
            " {errors} of {total} page variants could not be compared."
        );
    }
    if !unseen.is_empty() {
        let quoted: Vec<String> = unseen.iter().map(|text| format!("“{text}”")).collect();
        let _ = write!(summary, " Expected but not seen: {}.", quoted.join(", "));
    }
    Ok(IntentAssessment {
        decision,
        intent_provided: view::intent_provided(job)?,
        bug_count: bugs,
        intentional_count: intentional,
        noise_count: noise,
        needs_review_count: needs_review,
        all_accounted_for: bugs == 0 && needs_review == 0 && unseen.is_empty(),
        summary,
    })
}
