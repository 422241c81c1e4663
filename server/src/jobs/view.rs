//! Stored rows as they travel: jobs, results, review items.

use anyhow::Context;
use pentimento_api::agreement::Disagreement;
use pentimento_api::comparison::Region;
use pentimento_api::crawl::RunContext;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::{Job, JobOverview, OutcomeCounts, Progress, SummaryStatus, TriageCounts};
use pentimento_api::picture::Picture;
use pentimento_api::result::{Decision, PageResult, ServiceSummary, TriageStatus, Verdict};
use pentimento_api::review::{RegionCrops, ResultItem, ReviewItem};
use pentimento_compute::Size;
use serde::de::DeserializeOwned;

use crate::agreement::StoredDisagreement;
use crate::clock::rfc3339;
use crate::comparison::{StoredComparison, backend_of};
use crate::db::captures::CaptureRow;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::document::StoredDocument;
use crate::jobs::links::{CropSide, LinkMaker};
use crate::jobs::spec::CaptureConfig;
use crate::language_model::Described;
use crate::page_path;

/// The status view of a job, but for its results.
pub(crate) fn job(row: &JobRow, progress: Progress, now_ms: i64) -> anyhow::Result<Job> {
    Ok(Job {
        job_id: job_id(row)?,
        project: row.project_name.clone(),
        environment: row.environment.clone(),
        base_environment: row.base_environment.clone(),
        intent_provided: intent_provided(row)?,
        comparison_mode: row.mode(),
        status: row.status(),
        summary_status: summary_status(row),
        progress,
        execution_time: execution_seconds(row, now_ms),
        error: row.error.clone(),
        results: Vec::new(),
        created_at: rfc3339(row.created_at_ms),
    })
}

/// A job as a list shows it.
pub(crate) fn overview(
    row: &JobRow,
    counts: OutcomeCounts,
    triage: TriageCounts,
    takes_uploads: bool,
    now_ms: i64,
) -> anyhow::Result<JobOverview> {
    let config: CaptureConfig = parse(&row.config, "a job's configuration")?;
    let done = counts.regression + counts.matching + counts.new_baseline + counts.error;
    Ok(JobOverview {
        job_id: job_id(row)?,
        project: row.project_name.clone(),
        test_origin: config.test_origin.unwrap_or_default(),
        base_origin: config.base_origin,
        comparison_mode: row.mode(),
        status: row.status(),
        takes_uploads,
        progress: Progress::new(done + counts.pending, done),
        execution_time: execution_seconds(row, now_ms),
        error: row.error.clone(),
        counts,
        triage,
        started_by: row.started_by.clone(),
        run_context: run_context(row)?,
        created_at: rfc3339(row.created_at_ms),
    })
}

/// One page in one variant.
pub(crate) fn page_result(row: &ResultRow, links: &LinkMaker) -> anyhow::Result<PageResult> {
    let (summary, verdict) = judgement(row)?;
    let document: Option<StoredDocument> = row
        .document
        .as_deref()
        .map(|json| parse(json, "a result's document"))
        .transpose()?;
    let document = document.as_ref();
    // A decision that was taken back leaves its time behind, for those who follow the job.
    let is_decided = row.triage() != TriageStatus::Pending;
    let flakes = flakes(row);
    Ok(PageResult {
        result_id: ResultId(row.id.parse().context("a result's id")?),
        url: row.url.clone(),
        variant_name: row.variant_name.clone(),
        status: row.status(),
        error_message: row.error_message.clone(),
        is_new_baseline: row.is_new_baseline == 1,
        changed: row.changed == 1,
        content_changed: document.and_then(|found| found.content_changed.then_some(true)),
        metadata_changed: document.and_then(|found| found.metadata_changed.then_some(true)),
        unstable: row.is_unstable().then_some(true),
        agreement_note: row.agreement_note.clone(),
        flake_score: flakes.map(|(flaky, known)| f64::from(flaky) / f64::from(known)),
        flaky_runs: flakes.map(|(flaky, _)| flaky),
        known_runs: flakes.map(|(_, known)| known),
        change_group: row.change_group.clone(),
        changes: document.map(|found| found.changes.clone()),
        elements_changed: document.map(|found| found.elements_changed.clone()),
        diff_percentage: row.diff_percentage,
        visual_match_score: row.visual_match_score,
        backend: (row.comparison.as_deref())
            .map(backend_of)
            .transpose()
            .context("a stored comparison")?
            .flatten(),
        regressionbot_summary: summary.clone(),
        service_summary: summary,
        verdict,
        current_url: row.current_blob.as_deref().map(|blob| links.capture(blob)),
        baseline_url: row.baseline_blob.as_deref().map(|blob| links.capture(blob)),
        diff_url: row.current_blob.as_ref().map(|_| links.inspect(&row.id)),
        dom_assist_skip_reason: row.dom_skip_reason.clone(),
        truncated: (row.truncated == Some(1)).then_some(true),
        triage_status: (is_decided || row.stage == "done").then(|| row.triage()),
        triaged_at: (row.triaged_at_ms.filter(|_| is_decided)).map(rfc3339),
        triaged_by: row.triaged_by.clone().filter(|_| is_decided),
        triaged_verdict: row.triaged_verdict.as_deref().and_then(decision),
        triage_note: row.triage_note.clone(),
    })
}

/// How many of the page's last runs were flaky or unstable, of how many it is known of.
fn flakes(row: &ResultRow) -> Option<(u32, u32)> {
    let count = |runs: Option<i64>| runs.and_then(|runs| u32::try_from(runs).ok());
    count(row.flaky_runs).zip(count(row.known_runs).filter(|known| *known > 0))
}

/// The findings and the verdict of a result: as a language model described them where one did, else as measured.
fn judgement(row: &ResultRow) -> anyhow::Result<(Vec<ServiceSummary>, Option<Verdict>)> {
    if let Some(json) = &row.described {
        let described: Described = parse(json, "a result's description")?;
        return Ok((described.summary, Some(described.verdict)));
    }
    let summary = match &row.findings {
        Some(json) => parse(json, "a result's findings")?,
        None => Vec::new(),
    };
    let verdict = row.verdict.as_deref();
    let verdict = verdict.map(|json| parse(json, "a result's verdict"));
    Ok((summary, verdict.transpose()?))
}

/// A result as a list shows it.
pub(crate) fn result_item(row: &ResultRow, links: &LinkMaker) -> anyhow::Result<ResultItem> {
    Ok(ResultItem {
        label: label(row),
        outcome: row.outcome(),
        thumbnail_url: row
            .thumbnail_blob
            .as_deref()
            .map(|blob| links.picture(blob)),
        region_crops: None,
        result: page_result(row, links)?,
    })
}

/// The same with the region in which most pixels changed, before and after; loose rows, which show little, only if there is no
/// other.
pub(crate) fn result_item_with_crops(
    row: &ResultRow,
    links: &LinkMaker,
) -> anyhow::Result<ResultItem> {
    let regions = match (&row.mask_blob, &row.comparison) {
        (Some(_), Some(json)) => {
            StoredComparison::from_json(json)
                .context("a stored comparison")?
                .regions
        }
        _ => Vec::new(),
    };
    // Of equals the first.
    let largest = regions
        .iter()
        .rev()
        .max_by_key(|region| (region.loose_rows.is_none(), region.changed_pixels));
    Ok(ResultItem {
        region_crops: largest.map(|region| region_crops(row, region, links)),
        ..result_item(row, links)?
    })
}

fn region_crops(row: &ResultRow, region: &Region, links: &LinkMaker) -> RegionCrops {
    let link = |side: CropSide| links.crop(&row.id, &region.label, side);
    RegionCrops {
        label: region.label.clone(),
        baseline_url: region.baseline_box.map(|_| link(CropSide::Baseline)),
        current_url: region.current_box.map(|_| link(CropSide::Current)),
    }
}

/// All that a review page shows, but for what became of its baseline since.
pub(crate) fn review_item(
    row: &ResultRow,
    job: &JobRow,
    current: Option<&CaptureRow>,
    baseline: Option<&CaptureRow>,
    apart: &[ApartRow],
    links: &LinkMaker,
) -> anyhow::Result<ReviewItem> {
    let comparison = row
        .comparison
        .as_deref()
        .map(StoredComparison::from_json)
        .transpose()
        .context("a stored comparison")?;
    let picture = |capture: &CaptureRow| picture(capture, links);
    let (current, baseline) = (
        current.map(picture).transpose()?,
        baseline.map(picture).transpose()?,
    );
    let layout = comparison.as_ref().and_then(|comparison| {
        comparison.wire_layout(baseline.as_ref().map(size), current.as_ref().map(size))
    });
    let comparison = comparison.unwrap_or_default();
    Ok(ReviewItem {
        job_id: job_id(job)?,
        project: job.project_name.clone(),
        comparison_mode: job.mode(),
        label: label(row),
        outcome: row.outcome(),
        current,
        baseline,
        mask_url: row.mask_blob.as_deref().map(|blob| links.picture(blob)),
        region_crops: (comparison.regions.iter())
            .map(|region| region_crops(row, region, links))
            .collect(),
        compared_width: comparison.width,
        compared_height: comparison.height,
        layout,
        changed_pixels: comparison.changed_pixels,
        anti_aliased_pixels: comparison.anti_aliased_pixels,
        inserted_pixels: comparison.inserted_pixels,
        removed_pixels: comparison.removed_pixels,
        unaligned_pixels: comparison.unaligned_pixels,
        unaligned_percentage: comparison.unaligned_percentage,
        regions: comparison.regions,
        disagreements: (apart.iter())
            .map(|apart| disagreement(apart, links))
            .collect::<anyhow::Result<_>>()?,
        out_of_date: false,
        result: page_result(row, links)?,
    })
}

/// Two captures of a page that do not agree, as they are stored.
pub(crate) struct ApartRow {
    pub(crate) stored: StoredDisagreement,
    pub(crate) kept: CaptureRow,
    pub(crate) other: CaptureRow,
}

fn disagreement(apart: &ApartRow, links: &LinkMaker) -> anyhow::Result<Disagreement> {
    let ApartRow {
        stored,
        kept,
        other,
    } = apart;
    let (kept, other) = (picture(kept, links)?, picture(other, links)?);
    let comparison = stored.comparison.as_ref();
    Ok(Disagreement {
        side: stored.side,
        mask_url: stored.mask_blob.as_deref().map(|blob| links.picture(blob)),
        compared_width: comparison.map_or(kept.width, |comparison| comparison.width),
        compared_height: comparison.map_or(kept.height, |comparison| comparison.height),
        layout: comparison.and_then(|comparison| comparison.layout.clone()),
        changed_pixels: comparison.map_or(0, |comparison| comparison.changed_pixels),
        documents_differ: stored.documents_differ,
        kept,
        other,
    })
}

fn picture(capture: &CaptureRow, links: &LinkMaker) -> anyhow::Result<Picture> {
    Ok(Picture {
        url: links.picture(&capture.screenshot_blob),
        width: u32::try_from(capture.width)?,
        height: u32::try_from(capture.height)?,
        report: (capture.report.as_deref())
            .map(|json| parse(json, "a capture's report"))
            .transpose()?,
    })
}

fn size(picture: &Picture) -> Size {
    Size {
        width: picture.width,
        height: picture.height,
    }
}

/// Whether the run knew what was expected of it.
pub(crate) fn intent_provided(row: &JobRow) -> anyhow::Result<bool> {
    if row
        .intent
        .as_deref()
        .is_some_and(|intent| !intent.trim().is_empty())
    {
        return Ok(true);
    }
    let Some(context) = run_context(row)? else {
        return Ok(false);
    };
    let said = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    Ok(said(&context.change_description)
        || said(&context.git_commit_message)
        || said(&context.pr_title)
        || said(&context.pr_description)
        || context
            .expected_changes
            .is_some_and(|list| !list.is_empty())
        || context.scope.is_some_and(|list| !list.is_empty()))
}

/// The run context as it was sent.
pub(crate) fn run_context(row: &JobRow) -> anyhow::Result<Option<RunContext>> {
    row.run_context
        .as_deref()
        .map(|json| parse(json, "a run context"))
        .transpose()
}

/// Seconds from acceptance to the end, or until now.
pub(crate) fn execution_seconds(row: &JobRow, now_ms: i64) -> f64 {
    (row.finished_at_ms.unwrap_or(now_ms) - row.created_at_ms).max(0) as f64 / 1000.0
}

pub(crate) fn job_id(row: &JobRow) -> anyhow::Result<JobId> {
    Ok(JobId(row.id.parse().context("a job's id")?))
}

/// Whether a person's decision on this result is still wanted.
pub(crate) fn awaits_decision(row: &ResultRow) -> bool {
    row.changed == 1 && row.triage() == TriageStatus::Pending
}

pub(crate) fn summary_status(row: &JobRow) -> SummaryStatus {
    SummaryStatus::ALL
        .into_iter()
        .find(|status| status.as_str() == row.summary_status)
        .unwrap_or(SummaryStatus::Failed)
}

pub(crate) fn decision(word: &str) -> Option<Decision> {
    Decision::ALL
        .into_iter()
        .find(|decision| decision.as_str() == word)
}

fn label(row: &ResultRow) -> String {
    if row.label.is_empty() {
        page_path::readable(&row.page_key)
    } else {
        row.label.clone()
    }
}

fn parse<T: DeserializeOwned>(json: &str, what: &'static str) -> anyhow::Result<T> {
    serde_json::from_str(json).context(what)
}
