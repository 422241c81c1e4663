//! Comparing a capture with its baseline, or making it the first one.

use anyhow::Context;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::{Box as PageBox, ServiceSummary, Verdict};
use pentimento_api::review::{Outcome, Region};
use pentimento_compute::{CompareOptions, Comparison};
use serde::{Deserialize, Serialize};

use super::{MAX_ATTEMPTS, give_up_on, settle};
use crate::app::App;
use crate::db;
use crate::db::baselines::{BaselineKey, BaselineMove, Move};
use crate::db::captures::CaptureRow;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::work::ComparedResult;
use crate::storage::BlobKey;
use crate::verdict;

/// Why `changes` is absent.
const NO_DOCUMENT_DIFF: &str = "This version compares pixels alone; the document was recorded with the capture but not compared.";

/// The measured numbers that a result keeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredComparison {
    /// Pixels across: the wider capture.
    pub width: u32,
    /// Pixels down: the taller capture.
    pub height: u32,
    /// Pixels that changed.
    pub changed_pixels: u64,
    /// Changed regions in reading order.
    pub regions: Vec<Region>,
    /// `cpu` or `gpu`.
    pub backend: String,
}

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
    match compare(app, &baseline, &current).await? {
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
) -> anyhow::Result<Result<ComparedResult, String>> {
    if baseline.screenshot_blob == current.screenshot_blob {
        return Ok(Ok(identical(current)?));
    }
    let before = app
        .storage
        .get(&baseline.screenshot_blob.parse::<BlobKey>()?)
        .await?;
    let after = app
        .storage
        .get(&current.screenshot_blob.parse::<BlobKey>()?)
        .await?;
    let comparator = app.comparator.clone();
    let measured = tokio::task::spawn_blocking(move || {
        let comparison = comparator.compare(&before, &after, &CompareOptions::default())?;
        let mask = if comparison.changed_pixels > 0 {
            Some(comparison.mask.to_png()?)
        } else {
            None
        };
        Ok::<_, pentimento_compute::Error>((comparison, mask))
    })
    .await
    .context("comparing")?;
    let (comparison, mask) = match measured {
        Ok(measured) => measured,
        Err(error) => return Ok(Err(format!("The captures could not be compared: {error}."))),
    };
    let mask_blob = match mask {
        Some(png) => Some(app.storage.put(&png).await?.to_string()),
        None => None,
    };
    Ok(Ok(compared(&comparison, mask_blob)?))
}

/// Equal files are equal pixels: nothing is decoded.
fn identical(current: &CaptureRow) -> anyhow::Result<ComparedResult> {
    let comparison = StoredComparison {
        width: u32::try_from(current.width)?,
        height: u32::try_from(current.height)?,
        backend: "hash".to_owned(),
        ..StoredComparison::default()
    };
    stored(&comparison, 0.0, 100.0, None, &[], None)
}

fn compared(comparison: &Comparison, mask_blob: Option<String>) -> anyhow::Result<ComparedResult> {
    let facts = StoredComparison {
        width: comparison.layout.size.width,
        height: comparison.layout.size.height,
        changed_pixels: comparison.changed_pixels,
        regions: comparison.regions.iter().map(region).collect(),
        backend: comparison.backend.as_str().to_owned(),
    };
    let judgement = (comparison.changed_pixels > 0).then(|| verdict::judge(comparison));
    let (summary, verdict) = judgement.map_or((Vec::new(), None), |judgement| {
        (judgement.summary, Some(judgement.verdict))
    });
    stored(
        &facts,
        comparison.diff_percentage(),
        comparison.score,
        mask_blob,
        &summary,
        verdict.as_ref(),
    )
}

fn stored(
    facts: &StoredComparison,
    diff_percentage: f64,
    score: f64,
    mask_blob: Option<String>,
    summary: &[ServiceSummary],
    verdict: Option<&Verdict>,
) -> anyhow::Result<ComparedResult> {
    let changed = facts.changed_pixels > 0;
    Ok(ComparedResult {
        outcome: if changed {
            Outcome::Regression
        } else {
            Outcome::Match
        }
        .as_str(),
        changed: i64::from(changed),
        diff_percentage,
        visual_match_score: score,
        comparison: serde_json::to_string(facts)?,
        mask_blob,
        dom_skip_reason: Some(NO_DOCUMENT_DIFF.to_owned()),
        findings: serde_json::to_string(summary)?,
        verdict: verdict.map(serde_json::to_string).transpose()?,
        decision: verdict.map(|verdict| verdict.decision.as_str().to_owned()),
    })
}

fn region(region: &pentimento_compute::Region) -> Region {
    Region {
        label: region.label.clone(),
        area: PageBox {
            x: region.area.x.into(),
            y: region.area.y.into(),
            w: region.area.width.into(),
            h: region.area.height.into(),
        },
        changed_pixels: region.changed_pixels,
    }
}
