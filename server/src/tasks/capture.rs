//! Capturing a result's page, and in a live job its counterpart on the base origin.

use std::sync::Arc;

use anyhow::Context;
use pentimento_api::job::ComparisonMode;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::agree;
use super::give_up::{INTERNAL_FAILURE, MAX_ATTEMPTS, give_up_on};
use super::settle::settle;
use super::stored::{self, Forms, Parts, Taken};
use crate::app::App;
use crate::capture::{Capture, CaptureError, CaptureRequest, devices};
use crate::db;
use crate::db::audit::{AuditEntry, insert_audit};
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::of_job::Gates;
use crate::gate::{Gate, Side};
use crate::jobs::spec::CaptureConfig;
use crate::metrics::CaptureOutcome;
use crate::proxy::{Proxy, Refusal};
use crate::target::{TargetError, TargetPolicy};

/// Captures a page that this process has the lease on. The place is free again as soon as the browser is done with it.
pub(super) async fn run(
    app: &App,
    result: ResultRow,
    place: OwnedSemaphorePermit,
) -> anyhow::Result<()> {
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        if result.recapture.is_some() {
            judge_without(app, &result, INTERNAL_FAILURE).await?;
            settle(app, &result.job_id).await;
            return Ok(());
        }
        return give_up_on(app, &result).await;
    }
    let mut place = Place {
        app,
        permit: Some(place),
    };
    let shot = take_all(app, &result, &mut place).await;
    if shot.is_ok() {
        let mut tx = app.db.begin().await?;
        db::results::work::set_storing(&mut tx, &result.id, &app.worker_id).await?;
        tx.commit().await?;
    }
    place.give_back();
    let stored = match shot {
        Ok(shots) => keep_all(app, &result, shots).await,
        Err(failure) => Err(failure),
    };
    match stored {
        Ok(taken) => {
            app.capture_pauses.end();
            // The job cannot end with this step: the page is still to be compared.
            if result.recapture.is_some() {
                stored::hand_back(app, &result, Ok(&taken)).await?;
            } else {
                stored::hand_on(app, &result, &taken).await?;
            }
            Ok(())
        }
        Err(Failure::Capture(error)) => {
            give_up(app, &result, &error).await?;
            settle(app, &result.job_id).await;
            Ok(())
        }
        Err(Failure::Service(error)) => Err(error),
    }
}

/// The place of a page in a browser.
struct Place<'a> {
    app: &'a App,
    /// None once it was given back.
    permit: Option<OwnedSemaphorePermit>,
}

impl Place<'_> {
    /// Lets another page have it: nothing more of this one needs a browser.
    fn give_back(&mut self) {
        if self.permit.take().is_some() {
            // The same job may have room for another page now.
            self.app.captures_due.notify_one();
        }
    }
}

/// A page as the browser showed it.
struct Shot {
    side: Side,
    address: String,
    capture: Capture,
}

/// Has a page whose capturing again failed judged by the captures that are there.
pub(super) async fn judge_without(
    app: &App,
    result: &ResultRow,
    error: &str,
) -> anyhow::Result<()> {
    stored::hand_back(app, result, Err(error)).await.map(drop)
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

/// Captures the sides that are wanted now: all that the job compares, or those that are to be captured again. After a failure
/// nothing more is captured.
async fn take_all(
    app: &App,
    result: &ResultRow,
    place: &mut Place<'_>,
) -> Result<Vec<Shot>, Failure> {
    let job = db::jobs::get_job(
        &mut *app.db.read().await.map_err(anyhow::Error::from)?,
        &result.job_id,
    )
    .await
    .map_err(anyhow::Error::from)?;
    let config: CaptureConfig =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let gates = Gates::of_job(app, &job, &config).await?;
    let base_origin = (config.base_origin.as_ref()).filter(|_| job.mode() == ComparisonMode::Live);
    let sides = match &result.recapture {
        Some(recapture) => agree::sides_of(recapture),
        None if base_origin.is_some() => vec![Side::Test, Side::Base],
        None => vec![Side::Test],
    };
    let mut shots = Vec::new();
    for side in sides {
        let address = match (side, base_origin) {
            (Side::Base, Some(origin)) => format!("{origin}{}", result.page_key),
            _ => result.url.clone(),
        };
        let shot = async {
            let gate = gate_of(&gates, side)?;
            let capture = take(app, result, &config, &address, gate, place).await?;
            Ok((address, capture))
        };
        let (address, capture) = shot.await.map_err(|failure| on_side(side, failure))?;
        shots.push(Shot {
            side,
            address,
            capture,
        });
    }
    Ok(shots)
}

/// The failure with the side that it is of, where that is not the page's own.
fn on_side(side: Side, failure: Failure) -> Failure {
    match (side, failure) {
        (Side::Base, Failure::Capture(error)) => {
            Failure::Capture(CaptureError::Base(Box::new(error)))
        }
        (_, failure) => failure,
    }
}

async fn keep_all(app: &App, result: &ResultRow, shots: Vec<Shot>) -> Result<Vec<Taken>, Failure> {
    let mut taken = Vec::new();
    for shot in shots {
        let side = shot.side;
        let capture = keep(app, result, shot).await;
        let capture = capture.map_err(|failure| on_side(side, failure))?;
        taken.push(Taken { side, capture });
    }
    Ok(taken)
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
    address: &str,
    gate: Option<Arc<Gate>>,
    place: &mut Place<'_>,
) -> Result<Capture, Failure> {
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
    let begun = app.clock.now_ms();
    let captured = app.browsers.capture(&request, &proxy).await;
    let outcome = CaptureOutcome::of(&captured);
    app.metrics
        .count_capture(outcome, app.clock.now_ms() - begun);
    record_refusals(app, result, &proxy.refusals()).await?;
    drop(proxy);
    if let Err(CaptureError::Refused(TargetError::Unanswered(name))) = &captured
        && result.attempts < MAX_ATTEMPTS
    {
        place.give_back();
        until_answered(app, name).await;
    }
    captured.map_err(Failure::Capture)
}

/// Asks for the name that a page led on to for as long as for the page's own. The proxy asks once, since a page may want many
/// hosts, and without this all tries of the page would be gone within moments.
async fn until_answered(app: &App, name: &str) {
    if let Ok(url) = Url::parse(&format!("http://{name}/")) {
        // The next try sees what came of it.
        let _ = app.targets.check(&url).await;
    }
}

/// Makes the forms of a screenshot and stores everything.
async fn keep(app: &App, result: &ResultRow, shot: Shot) -> Result<CaptureRow, Failure> {
    let Shot {
        address, capture, ..
    } = shot;
    let (capture, forms) = match Forms::stored(app, result, &capture.screenshot).await? {
        Some(forms) => (capture, Ok(forms)),
        None => tokio::task::spawn_blocking(move || {
            let forms = Forms::of(&capture.screenshot);
            (capture, forms)
        })
        .await
        .context("decoding a screenshot")?,
    };
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
                "project": job.project_name,
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
    let mut is_last = !error.is_worth_retrying() || result.attempts >= MAX_ATTEMPTS;
    if !is_last && error.is_of_surroundings() {
        // What has lasted so long lasts for the next try too.
        is_last = !app.capture_pauses.wait(&app.stopping).await;
    }
    if is_last && result.recapture.is_some() {
        return judge_without(app, result, &error.to_string()).await;
    }
    let mut tx = app.db.begin().await?;
    if is_last {
        db::results::work::set_result_error(
            &mut tx,
            &result.id,
            &app.worker_id,
            &error.to_string(),
        )
        .await?;
    } else {
        db::results::claims::release_result(&mut tx, &result.id, &app.worker_id).await?;
    }
    tx.commit().await?;
    Ok(())
}
