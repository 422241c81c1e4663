//! One page, captured: opened in a context of its own, made quiet, photographed, described, saved.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
    SetTouchEmulationEnabledParams, SetUserAgentOverrideParams,
};
use chromiumoxide::cdp::browser_protocol::inspector::EventTargetCrashed;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventResponseReceived, ResourceType,
};
use chromiumoxide::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, CaptureScreenshotFormat, CaptureScreenshotParams,
    CaptureSnapshotParams, NavigateParams, Viewport,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CreateBrowserContextParams, CreateTargetParams,
};
use chromiumoxide::error::CdpError;
use futures::StreamExt;
use tokio::sync::watch;

use super::failure::{explain, readable};
use super::launch::Running;
use super::quiet::{self, QuietReport};
use super::{Capture, CaptureError, CaptureRequest, devices};

/// Pixels of one capture at most; the comparison takes no more either.
#[expect(
    clippy::cast_possible_wrap,
    reason = "80 million is far below the limit of i64"
)]
const MAX_PIXELS: i64 = pentimento_compute::MAX_PIXELS as i64;

/// Longest wait for a context to be thrown away.
const CLEANUP_DEADLINE: Duration = Duration::from_secs(5);

/// Dialogs would stop the page until somebody answers them.
const NO_DIALOGS: &str = "window.alert = () => {}; window.confirm = () => false; window.prompt = () => null; window.print = () => {};";

/// Captures a page within its budget.
pub(super) async fn capture(
    running: &Running,
    request: &CaptureRequest,
) -> Result<Capture, CaptureError> {
    let (stage, watched) = watch::channel("starting");
    let context = running
        .browser
        .create_browser_context(CreateBrowserContextParams::default())
        .await
        .map_err(|error| explain(&error))?;
    let captured = tokio::time::timeout(
        request.budget,
        capture_in(running, &context, request, &stage),
    )
    .await;
    let disposed = tokio::time::timeout(
        CLEANUP_DEADLINE,
        running.browser.dispose_browser_context(context),
    )
    .await;
    if !matches!(disposed, Ok(Ok(()))) {
        tracing::debug!("a browser context could not be thrown away");
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
        emulate(&page, request)
            .await
            .map_err(|error| explain(&error))?;
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
        let dom = quiet::record_dom(&page).await?;
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

async fn emulate(page: &Page, request: &CaptureRequest) -> Result<(), CdpError> {
    let device = request.device;
    let mobile = device.kind == devices::DeviceKind::Mobile;
    let (width, height) = (i64::from(device.width), i64::from(device.height));
    let metrics = SetDeviceMetricsOverrideParams::builder()
        .width(width)
        .height(height)
        .device_scale_factor(1.0)
        .mobile(mobile)
        .screen_width(width)
        .screen_height(height)
        .build()
        .map_err(CdpError::msg)?;
    page.execute(metrics).await?;
    page.execute(SetTouchEmulationEnabledParams::new(mobile))
        .await?;
    if let Some(user_agent) = device.user_agent {
        page.execute(SetUserAgentOverrideParams::new(user_agent))
            .await?;
    }
    let reduced_motion = MediaFeature::new("prefers-reduced-motion", "reduce");
    page.execute(
        SetEmulatedMediaParams::builder()
            .media("screen")
            .features(vec![reduced_motion])
            .build(),
    )
    .await?;
    page.execute(AddScriptToEvaluateOnNewDocumentParams::new(NO_DIALOGS))
        .await?;
    Ok(())
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
    let listen = async {
        while let Some(event) = responses.next().await {
            if event.r#type == ResourceType::Document && event.frame_id == main_frame {
                answered.send_replace((event.response.status, Some(event.request_id.clone())));
            }
        }
    };
    // A page that turns out to be a download answers and then fails; the navigation itself would never end.
    let fail = async {
        while let Some(event) = failures.next().await {
            if last_answer.borrow().1.as_ref() == Some(&event.request_id) {
                return event.error_text.clone();
            }
        }
        std::future::pending().await
    };
    let navigate = page.execute(NavigateParams::new(request.url.as_str()));
    let error = tokio::select! {
        navigated = navigate => navigated.map_err(|error| explain(&error))?.result.error_text,
        error = fail => Some(error),
        () = listen => return Err(CaptureError::BrowserGone("it stopped sending events".to_owned())),
    };
    let status = last_answer.borrow().0;
    match error {
        _ if status >= 400 => Err(CaptureError::Status(status)),
        Some(error) => Err(CaptureError::Unreachable(readable(&error))),
        None if (200..300).contains(&status) || status == 0 => Ok(()),
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
