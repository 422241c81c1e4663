//! One page, captured: opened in a context of its own, made quiet, photographed, described, saved.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::inspector::EventTargetCrashed;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventResponseReceived, ResourceType,
};
use chromiumoxide::cdp::browser_protocol::page::{
    CaptureScreenshotFormat, CaptureScreenshotParams, CaptureSnapshotParams, NavigateParams,
    Viewport,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CreateBrowserContextParams, CreateTargetParams,
};
use chromiumoxide::cdp::js_protocol::runtime::EventExceptionThrown;
use futures::StreamExt;
use tokio::sync::watch;

use super::emulate::emulate;
use super::failure::{explain, readable};
use super::launch::Running;
use super::quiet::{self, QuietReport};
use super::{Capture, CaptureError, CaptureRequest, gate};

/// Pixels of one capture at most; the comparison takes no more either.
#[expect(
    clippy::cast_possible_wrap,
    reason = "80 million is far below the limit of i64"
)]
const MAX_PIXELS: i64 = pentimento_compute::MAX_PIXELS as i64;

/// Longest wait for a context to be thrown away.
const CLEANUP_DEADLINE: Duration = Duration::from_secs(5);

/// Longest wait for the status of a page that has loaded.
const STATUS_DEADLINE: Duration = Duration::from_secs(5);

/// Different errors of a page's scripts that are kept.
const MAX_SCRIPT_ERRORS: usize = 20;

/// Captures a page within its budget.
pub(super) async fn capture(
    running: &Running,
    request: &CaptureRequest,
) -> Result<Capture, CaptureError> {
    let (stage, watched) = watch::channel("waiting for the browser");
    let begun = Instant::now();
    let create = running
        .browser
        .create_browser_context(CreateBrowserContextParams::default());
    let context = match tokio::time::timeout(request.budget, create).await {
        Ok(created) => created.map_err(|error| explain(&error))?,
        Err(_) => return Err(CaptureError::BrowserGone("it hangs".to_owned())),
    };
    let left = request.budget.saturating_sub(begun.elapsed());
    let captured = tokio::time::timeout(left, capture_in(running, &context, request, &stage)).await;
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
        gate::install(&page, request).await?;
        stage.send_replace("still loading");
        open(&page, request).await?;
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

/// Opens the page, waits until it has loaded, and refuses error statuses.
async fn open(page: &Page, request: &CaptureRequest) -> Result<(), CaptureError> {
    let mut responses = page
        .event_listener::<EventResponseReceived>()
        .await
        .map_err(|error| explain(&error))?;
    let mut failures = page
        .event_listener::<EventLoadingFailed>()
        .await
        .map_err(|error| explain(&error))?;
    let main_frame = page.mainframe().await.map_err(|error| explain(&error))?;
    let (answered, last_answer) = watch::channel((0_i64, None));
    let last_status = last_answer.clone();
    let listen = async {
        while let Some(event) = responses.next().await {
            if event.r#type == ResourceType::Document && event.frame_id == main_frame {
                answered.send_replace((event.response.status, Some(event.request_id.clone())));
            }
        }
    };
    // A page that turns out to be a download answers and then fails; the navigation itself would never end.
    let (failed, mut last_failure) = watch::channel(None);
    let listen_to_failures = async {
        while let Some(event) = failures.next().await {
            if event.r#type == ResourceType::Document {
                failed.send_replace(Some((event.request_id.clone(), event.error_text.clone())));
            }
        }
    };
    let mut either = last_answer.clone();
    let fail = async {
        loop {
            let answer = last_answer.borrow().1.clone();
            let failure = last_failure.borrow_and_update().clone();
            if let (Some(answer), Some((request, error))) = (answer, failure)
                && answer == request
            {
                return error;
            }
            let changed = tokio::select! {
                changed = last_failure.changed() => changed,
                changed = either.changed() => changed,
            };
            if changed.is_err() {
                return std::future::pending().await;
            }
        }
    };
    let navigate = page.execute(NavigateParams::new(request.url.as_str()));
    let mut seen = answered.subscribe();
    // The browser's events are handed out after the navigation's result, so the status may come a moment later.
    let navigate_and_see = async {
        let navigated = navigate.await.map_err(|error| explain(&error))?.result;
        if navigated.error_text.is_none() {
            let answer = seen.wait_for(|(status, _)| *status != 0);
            // When none comes at all, the check below says so.
            let _ = tokio::time::timeout(STATUS_DEADLINE, answer).await;
        }
        Ok::<_, CaptureError>(navigated.error_text)
    };
    let error = tokio::select! {
        biased;
        () = listen => return Err(CaptureError::BrowserGone("it stopped sending events".to_owned())),
        () = listen_to_failures => return Err(CaptureError::BrowserGone("it stopped sending events".to_owned())),
        error = fail => Some(error),
        navigated = navigate_and_see => navigated?,
    };
    let status = last_status.borrow().0;
    match error {
        _ if status >= 400 => Err(CaptureError::Status(status)),
        Some(error) => Err(CaptureError::Unreachable(readable(&error))),
        None if (200..300).contains(&status) => Ok(()),
        None if status == 0 => Err(CaptureError::Page("it loaded without an answer".to_owned())),
        None => Err(CaptureError::Status(status)),
    }
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
