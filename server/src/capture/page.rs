//! One page, captured: opened in a context of its own, made quiet, photographed, described, saved.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::inspector::EventTargetCrashed;
use chromiumoxide::cdp::browser_protocol::page::{
    CaptureScreenshotFormat, CaptureScreenshotParams, CaptureSnapshotParams, Viewport,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CreateBrowserContextParams, CreateTargetParams,
};
use chromiumoxide::cdp::js_protocol::runtime::EventExceptionThrown;
use futures::StreamExt;
use tokio::sync::watch;

use super::emulate::emulate;
use super::failure::explain;
use super::launch::Running;
use super::open::{Documents, open};
use super::quiet::{self, QuietReport};
use super::{Capture, CaptureError, CaptureRequest, gate, leash};
use crate::proxy::Proxy;

/// Pixels of one capture at most; the comparison takes no more either.
#[expect(
    clippy::cast_possible_wrap,
    reason = "80 million is far below the limit of i64"
)]
const MAX_PIXELS: i64 = pentimento_compute::MAX_PIXELS as i64;

/// Longest wait for a context to be thrown away.
const CLEANUP_DEADLINE: Duration = Duration::from_secs(5);

/// Different errors of a page's scripts that are kept.
const MAX_SCRIPT_ERRORS: usize = 20;

/// Captures a page within its budget.
pub(super) async fn capture(
    running: &Running,
    request: &CaptureRequest,
    proxy: &Proxy,
) -> Result<Capture, CaptureError> {
    let (stage, watched) = watch::channel("waiting for the browser");
    let begun = Instant::now();
    let context = CreateBrowserContextParams::builder()
        .proxy_server(format!("http://{}", proxy.address()))
        .proxy_bypass_list(leash::BYPASS_NOTHING)
        .build();
    let create = running.browser.create_browser_context(context);
    let context = match tokio::time::timeout(request.budget, create).await {
        Ok(created) => created.map_err(|error| explain(&error))?,
        Err(_) => return Err(CaptureError::BrowserGone("it hangs".to_owned())),
    };
    let left = request.budget.saturating_sub(begun.elapsed());
    let captured =
        tokio::time::timeout(left, capture_in(running, &context, request, proxy, &stage)).await;
    let dispose = running.browser.dispose_browser_context(context);
    if !matches!(
        tokio::time::timeout(CLEANUP_DEADLINE, dispose).await,
        Ok(Ok(()))
    ) {
        // A browser that cannot throw a context away any more cannot be trusted with the next page.
        running.mark_dead();
    }
    captured.unwrap_or_else(|_| {
        Err(CaptureError::OutOfTime {
            budget: request.budget,
            stage: *watched.borrow(),
        })
    })
}

async fn capture_in(
    running: &Running,
    context: &BrowserContextId,
    request: &CaptureRequest,
    proxy: &Proxy,
    stage: &watch::Sender<&'static str>,
) -> Result<Capture, CaptureError> {
    let target = CreateTargetParams::builder()
        .url("about:blank")
        .browser_context_id(context.clone())
        .build()
        .map_err(CaptureError::Page)?;
    let page = running
        .browser
        .new_page(target)
        .await
        .map_err(|error| explain(&error))?;
    let mut crashes = page
        .event_listener::<EventTargetCrashed>()
        .await
        .map_err(|error| explain(&error))?;
    let work = async {
        emulate(&page, &request.device)
            .await
            .map_err(|error| explain(&error))?;
        let errors = script_errors(&page).await?;
        let mut documents = Documents::follow(&page).await?;
        gate::install(&page, request).await?;
        stage.send_replace("still loading");
        let opened = open(&page, request).await;
        documents.reached(proxy)?;
        opened?;
        let taken = async {
        stage.send_replace("still becoming quiet");
        let report = quiet::make_quiet(&page, request).await?;
        if let Some(selector) = report.bad_masks.first() {
            return Err(CaptureError::Page(format!(
                "the mask `{selector}` is no valid CSS selector"
            )));
        }
        if !report.gave_up.is_empty() {
            tracing::info!(url = %request.url, gave_up = ?report.gave_up, "captured without waiting longer");
        }
        stage.send_replace("being photographed");
        let screenshot = photograph(&page, &report).await?;
        stage.send_replace("being described");
        let errors = errors.borrow().clone();
        let dom = quiet::record_dom(&page, request, &errors).await?;
        let saved_page = page
            .execute(CaptureSnapshotParams::default())
            .await
            .ok()
            .map(|saved| saved.result.data.into_bytes());
        Ok(Capture {
            screenshot,
            dom,
            saved_page,
            browser: running.version.clone(),
        })
        }
        .await;
        // A page may have left for another address by itself, and its picture or the failure is then the proxy's answer's.
        documents.reached(proxy)?;
        taken
    };
    tokio::select! {
        captured = work => captured,
        Some(_) = crashes.next() => Err(CaptureError::Crashed),
    }
}

/// The errors that the page's scripts throw and nothing catches, from now on.
async fn script_errors(page: &Page) -> Result<watch::Receiver<Vec<String>>, CaptureError> {
    let mut thrown =
        (page.event_listener::<EventExceptionThrown>().await).map_err(|error| explain(&error))?;
    let (errors, watched) = watch::channel(Vec::new());
    // It ends with the page.
    tokio::spawn(async move {
        while let Some(event) = thrown.next().await {
            let details = &event.exception_details;
            let described = (details.exception.as_ref()).and_then(|it| it.description.as_ref());
            let message = quiet::first_line(described.unwrap_or(&details.text));
            errors.send_modify(|errors: &mut Vec<String>| {
                if errors.len() < MAX_SCRIPT_ERRORS && !errors.contains(&message) {
                    errors.push(message);
                }
            });
        }
    });
    Ok(watched)
}

async fn photograph(page: &Page, report: &QuietReport) -> Result<Vec<u8>, CaptureError> {
    let (width, height) = (report.width, report.height);
    if width < 1 || height < 1 || width.saturating_mul(height) > MAX_PIXELS {
        return Err(CaptureError::Extent {
            width,
            height,
            limit: MAX_PIXELS / 1_000_000,
        });
    }
    let clip = Viewport {
        x: 0.0,
        y: 0.0,
        width: width as f64,
        height: height as f64,
        scale: 1.0,
    };
    let params = CaptureScreenshotParams::builder()
        .format(CaptureScreenshotFormat::Png)
        .clip(clip)
        .capture_beyond_viewport(true)
        .from_surface(true)
        .optimize_for_speed(true)
        .build();
    let shot = page
        .execute(params)
        .await
        .map_err(|error| explain(&error))?;
    let encoded: &[u8] = shot.result.data.as_ref();
    STANDARD
        .decode(encoded)
        .map_err(|_| CaptureError::Page("the browser sent a damaged screenshot".to_owned()))
}
