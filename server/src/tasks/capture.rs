//! Capturing a result's page, and in a live job its counterpart on the base origin.

use std::sync::Arc;

use anyhow::Context;
use pentimento_api::job::ComparisonMode;
use serde_json::json;
use url::Url;

use super::stored::{self, Forms, Parts};
use super::{MAX_ATTEMPTS, give_up_on, settle};
use crate::app::App;
use crate::capture::{CaptureError, CaptureRequest, devices};
use crate::db;
use crate::db::audit::{AuditEntry, insert_audit};
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::{Gate, Gates, Side};
use crate::jobs::spec::CaptureConfig;
use crate::proxy::{Proxy, Refusal};
use crate::target::TargetPolicy;

pub(super) async fn run(app: &App, result_id: &str) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let claimed =
        db::results::work::claim_result(&mut tx, result_id, "capture", &app.worker_id).await?;
    tx.commit().await?;
    let Some(result) = claimed else { return Ok(()) };
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        return give_up_on(app, &result).await;
    }
    match capture_all(app, &result).await {
        Ok(captured) => {
            let Captured { current, base } = captured;
            stored::hand_on(app, &result, &current, base.as_ref()).await?;
        }
        Err(Failure::Capture(error)) => give_up(app, &result, &error).await?,
        Err(Failure::Service(error)) => return Err(error),
    }
    settle(app, &result.job_id).await
}

/// The stored captures of a result.
struct Captured {
    current: CaptureRow,
    /// In a live job, what is compared with.
    base: Option<CaptureRow>,
}

/// The page's failure, which becomes its result, or the service's own.
enum Failure {
    Capture(CaptureError),
    Service(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Service(error)
    }
}

async fn capture_all(app: &App, result: &ResultRow) -> Result<Captured, Failure> {
    let job = db::jobs::get_job(
        &mut *app.db.read().await.map_err(anyhow::Error::from)?,
        &result.job_id,
    )
    .await
    .map_err(anyhow::Error::from)?;
    let config: CaptureConfig =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let gates = Gates::of_job(app, &job, &config).await?;
    let gate = gate_of(&gates, Side::Test)?;
    let current = capture_one(app, result, &config, &result.url, gate).await?;
    let base = match (job.mode(), &config.base_origin) {
        (ComparisonMode::Live, Some(origin)) => {
            let counterpart = format!("{origin}{}", result.page_key);
            let base = async {
                let gate = gate_of(&gates, Side::Base)?;
                capture_one(app, result, &config, &counterpart, gate).await
            };
            Some(base.await.map_err(|failure| match failure {
                Failure::Capture(error) => Failure::Capture(CaptureError::Base(Box::new(error))),
                Failure::Service(error) => Failure::Service(error),
            })?)
        }
        _ => None,
    };
    Ok(Captured { current, base })
}

fn gate_of(gates: &Gates, side: Side) -> Result<Option<Arc<Gate>>, Failure> {
    gates
        .of_side(side)
        .map_err(|error| Failure::Capture(error.into()))
}

async fn capture_one(
    app: &App,
    result: &ResultRow,
    config: &CaptureConfig,
    address: &str,
    gate: Option<Arc<Gate>>,
) -> Result<CaptureRow, Failure> {
    let url: Url = TargetPolicy::parse(address).map_err(|error| Failure::Capture(error.into()))?;
    if let Err(error) = app.targets.check(&url).await {
        record_refusals(app, result, Refusal::of(&url, &error).as_slice()).await?;
        return Err(Failure::Capture(error.into()));
    }
    let device = devices::find(&result.variant_name)
        .with_context(|| format!("device {}", result.variant_name))?;
    let request = CaptureRequest {
        url,
        device,
        masks: config.masks.clone(),
        custom_css: config.custom_css.clone(),
        profile: config.capture_profile.clone(),
        gate,
        budget: app.config.capture.page_budget(),
    };
    let proxy = Proxy::start(app.targets.clone())
        .await
        .context("starting a page's proxy")?;
    let captured = app.browsers.capture(&request, &proxy).await;
    record_refusals(app, result, &proxy.refusals()).await?;
    drop(proxy);
    let capture = captured.map_err(Failure::Capture)?;
    let (capture, forms) = tokio::task::spawn_blocking(move || {
        let forms = Forms::of(&capture.screenshot);
        (capture, forms)
    })
    .await
    .context("decoding a screenshot")?;
    let forms = forms.map_err(|error| Failure::Capture(CaptureError::Page(error.to_string())))?;
    let parts = Parts {
        url: address,
        screenshot: &capture.screenshot,
        forms: &forms,
        dom: &capture.dom,
        saved_page: capture.saved_page.as_deref(),
        browser: capture.report.browser.clone(),
        report: Some(capture.report),
    };
    Ok(stored::store(app, result, parts).await?)
}

/// What a page was refused is in the audit log, whatever became of the page.
async fn record_refusals(
    app: &App,
    result: &ResultRow,
    refusals: &[Refusal],
) -> anyhow::Result<()> {
    if refusals.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let job = db::jobs::get_job(&mut tx, &result.job_id).await?;
    for refusal in refusals {
        let entry = AuditEntry {
            organization_id: &result.organization_id,
            actor: &job.started_by,
            action: "capture.refused",
            subject: &result.id,
            detail: json!({
                "jobId": result.job_id,
                "url": result.url,
                "address": refusal.address,
                "rule": refusal.rule,
            }),
        };
        insert_audit(&mut tx, &entry, app.clock.now_ms()).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The page's error is its result, unless the browser was at fault and there are attempts left.
async fn give_up(app: &App, result: &ResultRow, error: &CaptureError) -> anyhow::Result<()> {
    tracing::info!(url = result.url, variant = result.variant_name, attempt = result.attempts, %error, "page was not captured");
    let mut tx = app.db.begin().await?;
    if error.is_worth_retrying() && result.attempts < MAX_ATTEMPTS {
        db::results::work::release_result(&mut tx, &result.id, &app.worker_id).await?;
    } else {
        db::results::work::set_result_error(
            &mut tx,
            &result.id,
            &app.worker_id,
            &error.to_string(),
        )
        .await?;
    }
    tx.commit().await?;
    Ok(())
}
