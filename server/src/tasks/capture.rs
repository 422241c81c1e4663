//! Capturing a result's page, and in a live job its counterpart on the base origin.

use std::sync::Arc;

use anyhow::Context;
use pentimento_api::job::ComparisonMode;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::stored::{self, Forms, Parts};
use super::{MAX_ATTEMPTS, give_up_on, settle};
use crate::app::App;
use crate::capture::{Capture, CaptureError, CaptureRequest, devices};
use crate::db;
use crate::db::audit::{AuditEntry, insert_audit};
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::{Gate, Gates, Side};
use crate::jobs::spec::CaptureConfig;
use crate::metrics::CaptureOutcome;
use crate::proxy::{Proxy, Refusal};
use crate::target::TargetPolicy;

/// Captures a page that this process has the lease on. The place is free again as soon as the browser is done with it.
pub(super) async fn run(
    app: &App,
    result: ResultRow,
    place: OwnedSemaphorePermit,
) -> anyhow::Result<()> {
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        return give_up_on(app, &result).await;
    }
    let taken = take_all(app, &result).await;
    if taken.is_ok() {
        let mut tx = app.db.begin().await?;
        db::results::work::set_storing(&mut tx, &result.id, &app.worker_id).await?;
        tx.commit().await?;
    }
    drop(place);
    // Its job may have room for another page now.
    app.captures_due.notify_one();
    let stored = match taken {
        Ok(taken) => keep_all(app, &result, taken).await,
        Err(failure) => Err(failure),
    };
    match stored {
        Ok((current, base)) => {
            // The job cannot end with this step: the page is still to be compared.
            stored::hand_on(app, &result, &current, base.as_ref()).await?;
            Ok(())
        }
        Err(Failure::Capture(error)) => {
            give_up(app, &result, &error).await?;
            settle(app, &result.job_id).await
        }
        Err(Failure::Service(error)) => Err(error),
    }
}

/// A page as the browser showed it.
struct Taken {
    address: String,
    capture: Capture,
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

/// The page and, in a live job, what it is compared with.
async fn take_all(app: &App, result: &ResultRow) -> Result<(Taken, Option<Taken>), Failure> {
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
    let current = take(app, result, &config, result.url.clone(), gate).await?;
    let base = match (job.mode(), &config.base_origin) {
        (ComparisonMode::Live, Some(origin)) => {
            let counterpart = format!("{origin}{}", result.page_key);
            let base = async {
                let gate = gate_of(&gates, Side::Base)?;
                take(app, result, &config, counterpart, gate).await
            };
            Some(base.await.map_err(of_the_base)?)
        }
        _ => None,
    };
    Ok((current, base))
}

fn of_the_base(failure: Failure) -> Failure {
    match failure {
        Failure::Capture(error) => Failure::Capture(CaptureError::Base(Box::new(error))),
        Failure::Service(error) => Failure::Service(error),
    }
}

async fn keep_all(
    app: &App,
    result: &ResultRow,
    (current, base): (Taken, Option<Taken>),
) -> Result<(CaptureRow, Option<CaptureRow>), Failure> {
    let current = keep(app, result, current).await?;
    let base = match base {
        Some(base) => Some(keep(app, result, base).await.map_err(of_the_base)?),
        None => None,
    };
    Ok((current, base))
}

fn gate_of(gates: &Gates, side: Side) -> Result<Option<Arc<Gate>>, Failure> {
    gates
        .of_side(side)
        .map_err(|error| Failure::Capture(error.into()))
}

async fn take(
    app: &App,
    result: &ResultRow,
    config: &CaptureConfig,
    address: String,
    gate: Option<Arc<Gate>>,
) -> Result<Taken, Failure> {
    let url: Url = TargetPolicy::parse(&address).map_err(|error| Failure::Capture(error.into()))?;
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
    let begun = app.clock.now_ms();
    let captured = app.browsers.capture(&request, &proxy).await;
    let outcome = CaptureOutcome::of(&captured);
    app.metrics
        .count_capture(outcome, app.clock.now_ms() - begun);
    record_refusals(app, result, &proxy.refusals()).await?;
    drop(proxy);
    let capture = captured.map_err(Failure::Capture)?;
    Ok(Taken { address, capture })
}

/// Makes the forms of a screenshot and stores everything.
async fn keep(app: &App, result: &ResultRow, taken: Taken) -> Result<CaptureRow, Failure> {
    let Taken { address, capture } = taken;
    let (capture, forms) = tokio::task::spawn_blocking(move || {
        let forms = Forms::of(&capture.screenshot);
        (capture, forms)
    })
    .await
    .context("decoding a screenshot")?;
    let forms = forms.map_err(|error| Failure::Capture(CaptureError::Page(error.to_string())))?;
    let parts = Parts {
        url: &address,
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
