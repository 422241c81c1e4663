//! Comparing a capture with its baseline, or making it the first one.

use anyhow::Context;
use pentimento_api::job::ComparisonMode;
use pentimento_api::review::Outcome;
use pentimento_compute::{CompareOptions, Comparison, Picture, Size};
use pentimento_document::{Document, DocumentDiff};

use super::{MAX_ATTEMPTS, give_up_on, settle};
use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db;
use crate::db::baselines::{BaselineKey, BaselineMove, Move};
use crate::db::captures::CaptureRow;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::work::ComparedResult;
use crate::document::StoredDocument;
use crate::jobs::spec::CaptureConfig;
use crate::jobs::view;
use crate::storage::BlobKey;
use crate::verdict::{self, Intent, Judgement};

pub(super) async fn run(app: &App, result_id: &str) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let Some(mut result) =
        db::results::work::claim_result(&mut tx, result_id, "compare", &app.worker_id).await?
    else {
        return Ok(());
    };
    let job = db::jobs::get_job(&mut tx, &result.job_id).await?;
    tx.commit().await?;
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        return give_up_on(app, &result).await;
    }
    if result.baseline_capture_id.is_none() && !become_baseline(app, &job, &mut result).await? {
        return settle(app, &result.job_id).await;
    }
    let mut connection = app.db.read().await?;
    let current = db::captures::get_capture(
        &mut connection,
        result
            .current_capture_id
            .as_deref()
            .context("a captured result")?,
    )
    .await?;
    let baseline = db::captures::get_capture(
        &mut connection,
        result
            .baseline_capture_id
            .as_deref()
            .context("a pinned baseline")?,
    )
    .await?;
    drop(connection);
    let intent = Intent::of(job.intent.as_deref(), view::run_context(&job)?.as_ref());
    let config: CaptureConfig =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let compared = compare(app, &baseline, &current, intent.as_ref(), &config).await?;
    match compared {
        Ok(compared) => {
            let mut tx = app.db.begin().await?;
            db::results::work::set_compared(&mut tx, &result.id, &app.worker_id, &compared).await?;
            tx.commit().await?;
        }
        Err(message) => {
            let mut tx = app.db.begin().await?;
            db::results::work::set_result_error(&mut tx, &result.id, &app.worker_id, &message)
                .await?;
            tx.commit().await?;
        }
    }
    settle(app, &result.job_id).await
}

/// Makes the capture the page's first baseline. Another job may have made one meanwhile; then that one is pinned, and
/// true says that there is something to compare with.
async fn become_baseline(app: &App, job: &JobRow, result: &mut ResultRow) -> anyhow::Result<bool> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let (ComparisonMode::Managed, Some(project_id)) = (job.mode(), job.project_id.as_deref())
    else {
        anyhow::bail!("a live job's result has no capture of its base origin");
    };
    let version = job.baseline_version.as_deref().unwrap_or_default();
    let key = BaselineKey {
        project_id,
        page_key: &result.page_key,
        variant_name: &result.variant_name,
    };
    let to = BaselineMove {
        action: Move::New,
        capture_id: result.current_capture_id.as_deref(),
        baseline_version: version,
        job_id: &job.id,
        actor: &job.started_by,
    };
    let mut known = result.pinned_version;
    // The pointer moves at most once between looking and moving within a transaction; three rounds are plenty.
    for _ in 0..3 {
        if let Some(promoted) = db::baselines::move_baseline(&mut tx, key, known, to, now).await? {
            let ours =
                db::results::work::set_new_baseline(&mut tx, &result.id, &app.worker_id, promoted)
                    .await?;
            // Another worker took the lease over; what it does counts, and the pointer stays.
            anyhow::ensure!(ours, "the lease on {} was lost", result.id);
            tx.commit().await?;
            return Ok(false);
        }
        let found = db::baselines::find_baseline(&mut tx, key)
            .await?
            .context("a baseline that could not be moved")?;
        if let Some(capture_id) = found
            .capture_id
            .filter(|_| found.baseline_version == version)
        {
            db::results::work::pin_baseline(
                &mut tx,
                &result.id,
                &app.worker_id,
                &capture_id,
                found.version,
            )
            .await?;
            tx.commit().await?;
            result.baseline_capture_id = Some(capture_id);
            result.pinned_version = found.version;
            return Ok(true);
        }
        known = found.version;
    }
    anyhow::bail!(
        "the baseline of {} moves faster than it can be pinned",
        result.page_key
    )
}

/// The inner error is the page's own: its sentence becomes the result's.
async fn compare(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    intent: Option<&Intent>,
    config: &CaptureConfig,
) -> anyhow::Result<Result<ComparedResult, String>> {
    let document = compare_documents(app, baseline, current).await?;
    if baseline.screenshot_blob == current.screenshot_blob {
        app.metrics.count_comparison("hash", 0);
        return Ok(Ok(identical(current, &document, intent)?));
    }
    let began = app.clock.now_ms();
    let measured = if let Some(measured) = measure_strips(app, baseline, current).await? {
        Ok(measured)
    } else {
        let before = read(app, &baseline.screenshot_blob).await?;
        let after = read(app, &current.screenshot_blob).await?;
        measure(app, before, after, |png| Picture::Png(png)).await?
    };
    let (comparison, mask) = match measured {
        Ok(measured) => measured,
        Err(error) => return Ok(Err(format!("The captures could not be compared: {error}."))),
    };
    let took_ms = app.clock.now_ms() - began;
    app.metrics
        .count_comparison(comparison.backend.as_str(), took_ms);
    let mask_blob = match mask {
        Some(png) => Some(app.storage.put(&png).await?.to_string()),
        None => None,
    };
    let documents = (&document, intent);
    Ok(Ok(compared(&comparison, mask_blob, documents, config)?))
}

/// Compares the DOM trees; the inner error says why they were not compared.
async fn compare_documents(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
) -> anyhow::Result<Documents> {
    let (before, after) = match (&baseline.dom_blob, &current.dom_blob) {
        // Where the pictures differ, equal trees say something only when they can be read.
        (Some(before), Some(after))
            if before == after && baseline.screenshot_blob == current.screenshot_blob =>
        {
            return Ok(Ok(DocumentDiff::default()));
        }
        (Some(before), Some(after)) => (read(app, before).await, read(app, after).await),
        (None, _) => return Ok(Err("The baseline has no DOM tree.".to_owned())),
        (_, None) => return Ok(Err("The capture has no DOM tree.".to_owned())),
    };
    // Pixels can be compared all the same: a page is not lost with its tree.
    let (Ok(before), Ok(after)) = (before, after) else {
        tracing::warn!(baseline = %baseline.id, current = %current.id, "a stored DOM tree cannot be read; comparing pixels alone");
        return Ok(Err("A stored DOM tree cannot be read.".to_owned()));
    };
    tokio::task::spawn_blocking(move || {
        let parse = |whose: &str, json: &[u8]| {
            Document::parse(json).map_err(|error| format!("Of the {whose}: {error}"))
        };
        let before = parse("baseline", &before)?;
        Ok(pentimento_document::compare(
            &before,
            &parse("capture", &after)?,
        ))
    })
    .await
    .context("comparing documents")
}

/// What is known of the documents, or why nothing is.
type Documents = Result<DocumentDiff, String>;

/// A comparison, and its mask as a PNG where pixels changed.
type Measured = (Comparison, Option<Vec<u8>>);

/// Compares the stored forms of the screenshots; nothing when a capture has none that this version can read, since all
/// of it is in the PNGs as well.
async fn measure_strips(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
) -> anyhow::Result<Option<Measured>> {
    let (Some(before), Some(after)) = (&baseline.strips_blob, &current.strips_blob) else {
        return Ok(None);
    };
    let (Ok(before), Ok(after)) = (read(app, before).await, read(app, after).await) else {
        tracing::warn!(baseline = %baseline.id, current = %current.id, "a stored form of a screenshot cannot be read; comparing the PNGs");
        return Ok(None);
    };
    match measure(app, before, after, |file| Picture::Strips(file)).await? {
        Ok(measured) => Ok(Some(measured)),
        Err(error) => {
            tracing::warn!(baseline = %baseline.id, current = %current.id, %error, "comparing the PNGs instead");
            Ok(None)
        }
    }
}

async fn measure(
    app: &App,
    before: Vec<u8>,
    after: Vec<u8>,
    form: for<'a> fn(&'a [u8]) -> Picture<'a>,
) -> anyhow::Result<Result<Measured, pentimento_compute::Error>> {
    let comparator = app.comparator.clone();
    tokio::task::spawn_blocking(move || {
        let options = CompareOptions::default();
        let comparison = comparator.compare(form(&before), form(&after), &options)?;
        let mask = (comparison.changed_pixels > 0)
            .then(|| comparison.mask.to_png())
            .transpose()?;
        Ok((comparison, mask))
    })
    .await
    .context("comparing")
}

async fn read(app: &App, blob: &str) -> anyhow::Result<Vec<u8>> {
    Ok(app.storage.get(&blob.parse::<BlobKey>()?).await?)
}

/// Equal files are equal pixels: nothing is decoded.
fn identical(
    current: &CaptureRow,
    document: &Documents,
    intent: Option<&Intent>,
) -> anyhow::Result<ComparedResult> {
    let size = Size {
        width: u32::try_from(current.width)?,
        height: u32::try_from(current.height)?,
    };
    stored(
        &StoredComparison::of_equal_files(size),
        0.0,
        100.0,
        None,
        verdict::judge(None, document.as_ref().ok(), intent).as_ref(),
        document,
        intent,
    )
}

fn compared(
    comparison: &Comparison,
    mask_blob: Option<String>,
    (document, intent): (&Documents, Option<&Intent>),
    config: &CaptureConfig,
) -> anyhow::Result<ComparedResult> {
    let percentage = comparison.diff_percentage();
    let document_changed = (document.as_ref()).is_ok_and(verdict::document_changed);
    let judgement = verdict::judge(Some(comparison), document.as_ref().ok(), intent);
    // Zero lets nothing pass, also where only the smoothing of edges differs, which counts as 0 %.
    let limit = config.diff_threshold();
    let is_match = !document_changed && limit > 0.0 && percentage <= limit;
    let mut compared = stored(
        &StoredComparison::of(comparison),
        percentage,
        comparison.score,
        mask_blob,
        judgement.as_ref().filter(|_| !is_match),
        document,
        intent,
    )?;
    // Without facts there is nothing that a language model could be asked about.
    if !document_changed && percentage < config.ai_summary_threshold() {
        compared.facts = None;
    }
    Ok(compared)
}

/// What was found changed is what there is a judgement of.
fn stored(
    facts: &StoredComparison,
    diff_percentage: f64,
    score: f64,
    mask_blob: Option<String>,
    judgement: Option<&Judgement>,
    document: &Documents,
    intent: Option<&Intent>,
) -> anyhow::Result<ComparedResult> {
    let outcome = match judgement {
        Some(_) => Outcome::Regression,
        None => Outcome::Match,
    };
    Ok(ComparedResult {
        outcome: outcome.as_str(),
        changed: i64::from(outcome == Outcome::Regression),
        diff_percentage,
        visual_match_score: score,
        comparison: serde_json::to_string(facts)?,
        mask_blob,
        dom_skip_reason: document.as_ref().err().cloned(),
        document: (document.as_ref().ok())
            .map(|diff| serde_json::to_string(&StoredDocument::of(diff, intent)))
            .transpose()?,
        findings: serde_json::to_string(judgement.map_or(&[][..], |judged| &judged.summary))?,
        facts: (judgement.map(|judged| serde_json::to_string(&judged.facts))).transpose()?,
        verdict: (judgement.map(|judged| serde_json::to_string(&judged.verdict))).transpose()?,
        decision: judgement.map(|judged| judged.verdict.decision.as_str().to_owned()),
        change_group: judgement.and_then(|judged| judged.change_group.clone()),
    })
}
