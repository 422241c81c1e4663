//! A job's summary as a report: JUnit XML for CI, Markdown for pull requests, one self-contained HTML file for people.
//! Pure: a summary in, a text out.

mod html;
mod junit;
mod markdown;

use pentimento_api::result::{Decision, PageResult, TriageStatus};
use pentimento_api::summary::JobSummary;
use url::Url;

pub(crate) use html::html;
pub(crate) use junit::junit;
pub(crate) use markdown::markdown;

/// What a report is made of.
pub(crate) struct Report {
    /// What was checked: the project, or the origin.
    pub(crate) name: String,
    /// When the job was accepted, RFC 3339.
    pub(crate) created_at: String,
    /// The job's page in the dashboard.
    pub(crate) job_url: String,
    /// The job's summary.
    pub(crate) summary: JobSummary,
    /// Small pictures of the changed pages, in the order of `summary.regressions`: baseline and current, as PNG. Where one
    /// is missing, the report goes without.
    pub(crate) pictures: Vec<[Option<Vec<u8>>; 2]>,
    /// The review pages of the changed pages, in the same order.
    pub(crate) review_urls: Vec<String>,
}

/// What a changed page asks of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// A person approved it, or nobody needs to look: it was meant, or is noise.
    Settled,
    /// A person must decide.
    Open,
    /// It is wrong: the rules or a person say so.
    Wrong,
}

/// How a changed page stands: what a person decided counts before what was judged.
fn standing(result: &PageResult) -> Standing {
    let decision = result.verdict.as_ref().map(|verdict| verdict.decision);
    match (result.triage_status, decision) {
        (Some(TriageStatus::Approved), _)
        | (Some(TriageStatus::Pending) | None, Some(Decision::Intentional | Decision::Noise)) => {
            Standing::Settled
        }
        (Some(TriageStatus::Rejected), _) | (_, Some(Decision::Bug)) => Standing::Wrong,
        (_, Some(Decision::NeedsReview) | None) => Standing::Open,
    }
}

/// The verdict on a changed page as people read it.
fn verdict_words(result: &PageResult) -> &'static str {
    match (
        result.triage_status,
        result.verdict.as_ref().map(|verdict| verdict.decision),
    ) {
        (Some(TriageStatus::Approved), _) => "approved",
        (Some(TriageStatus::Rejected), _) => "rejected",
        (_, Some(Decision::Intentional)) => "intentional",
        (_, Some(Decision::Noise)) => "noise",
        (_, Some(Decision::Bug)) => "bug",
        (_, Some(Decision::NeedsReview) | None) => "needs review",
    }
}

/// The sentences on a page that tell causes; what follows from them is counted in one more. How its captures agreed comes last.
fn sentences(result: &PageResult) -> Vec<String> {
    let (following, causes): (Vec<_>, Vec<_>) =
        (result.service_summary.iter()).partition(|finding| finding.consequence);
    let lettered = causes.into_iter().map(|finding| {
        if finding.label.is_empty() {
            finding.text.clone()
        } else {
            format!("{}: {}", finding.label, finding.text)
        }
    });
    let rest = match following.len() {
        0 => None,
        1 => Some("1 more region follows from this.".to_owned()),
        more => Some(format!("{more} more regions follow from this.")),
    };
    lettered
        .chain(rest)
        .chain(result.agreement_note.clone())
        .collect()
}

/// The unchanged pages whose captures did not agree, with the sentence that says so.
fn unstable(summary: &JobSummary) -> impl Iterator<Item = (&PageResult, &str)> {
    let unstable = (summary.matches.iter()).filter(|result| result.unstable == Some(true));
    unstable.map(|result| (result, result.agreement_note.as_deref().unwrap_or_default()))
}

/// A page by its path and query.
fn page_name(url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else {
        return url.to_owned();
    };
    match parsed.query() {
        Some(query) => format!("{}?{query}", parsed.path()),
        None => parsed.path().to_owned(),
    }
}

#[cfg(test)]
mod tests;
