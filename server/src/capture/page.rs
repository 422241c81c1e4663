//! One page, captured: opened in a context of its own, made quiet, described, photographed, saved.

use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::target::CreateBrowserContextParams;
use chromiumoxide::cdp::js_protocol::runtime::EventExceptionThrown;
use futures::StreamExt;
use pentimento_api::capture::{CaptureReport, CaptureStep};
use serde_json::Value;
use tokio::sync::watch;

use super::budget::Budget;
use super::conduct::Conduct;
use super::emulate::emulate;
use super::failure::{explain, explain_browser, silent_browser};
use super::open::{Documents, open};
use super::photograph::{Photograph, photograph};
use super::quiet::{self, milliseconds};
use super::running::Running;
use super::save::save;
use super::traffic::Traffic;
use super::world::{World, first_line};
use super::{Capture, CaptureError, CaptureRequest, WAITING, gate, leash, tree};
use crate::proxy::Proxy;

/// Longest wait for a context to be thrown away.
const CLEANUP_DEADLINE: Duration = Duration::from_secs(5);

/// Different errors of a page's scripts that are kept.
const MAX_SCRIPT_ERRORS: usize = 20;

/// How often a page may go to another address by itself before it is given up.
const MAX_DEPARTURES: u32 = 3;

/// Whether a world is still that of the document that the page shows.
const STILL_THERE: &str = "() => true";

/// Captures a page within its budget.
pub(super) async fn capture(
    running: &Running,
    request: &CaptureRequest,
    proxy: &Proxy,
) -> Result<Capture, CaptureError> {
    let (stage, watched) = watch::channel(WAITING);
    let budget = Budget::begin(request.budget);
    let context = CreateBrowserContextParams::builder()
        .proxy_server(format!("http://{}", proxy.address()))
        .proxy_bypass_list(leash::BYPASS_NOTHING)
        .build();
    let create = running.browser.create_browser_context(context);
    let context = match tokio::time::timeout(budget.left(), create).await {
        Ok(created) => created.map_err(|error| explain_browser(&error))?,
        Err(_) => return Err(CaptureError::BrowserGone("it hangs".to_owned())),
    };
    let work = capture_in(running, &context, request, budget, proxy, &stage);
    let captured = tokio::time::timeout(budget.left(), work).await;
    let captured = if let Ok(captured) = captured {
        captured
    } else {
        let stage = *watched.borrow();
        Err(out_of_time(running, request.budget, stage).await)
    };
    let dispose = running.browser.dispose_browser_context(context);
    let disposed = tokio::time::timeout(CLEANUP_DEADLINE, dispose).await;
    if !matches!(disposed, Ok(Ok(()))) {
        // A browser that cannot throw a context away any more cannot be trusted with the next page. Why this page failed, where
        // it did, is known already, and those that are under way may end well.
        running.mark_spent();
    }
    captured
}

/// Why a page was not ready when its budget was over: by itself, unless its browser hangs.
async fn out_of_time(running: &Running, budget: Duration, stage: &'static str) -> CaptureError {
    if running.is_spent() {
        // Another page's context hangs in it.
        return CaptureError::BrowserGone("it hangs".to_owned());
    }
    if !running.answers().await {
        return silent_browser();
    }
    CaptureError::OutOfTime { budget, stage }
}

/// The work with a page. The library gives each command thirty seconds, and a page has as long as its budget: one that is silent
/// for longer may yet come to another end, unless it is its browser that is silent.
async fn patiently<T>(
    running: &Running,
    work: impl Future<Output = Result<T, CaptureError>>,
) -> Result<T, CaptureError> {
    let done = work.await;
    if !matches!(done, Err(CaptureError::Silent)) {
        return done;
    }
    if running.answers().await {
        return std::future::pending().await;
    }
    Err(silent_browser())
}

async fn capture_in(
    running: &Running,
    context: &BrowserContextId,
    request: &CaptureRequest,
    budget: Budget,
    proxy: &Proxy,
    stage: &watch::Sender<&'static str>,
) -> Result<Capture, CaptureError> {
    let mut conduct = Conduct::watch(&running.browser, context).await?;
    let page = conduct.open_page(running).await?;
    let work = async {
        emulate(&page, &request.device, &request.profile)
            .await
            .map_err(|error| explain(&error))?;
        let errors = script_errors(&page).await?;
        let traffic = Traffic::follow(&page).await?;
        let mut documents = Documents::follow(&page).await?;
        gate::install(&page, request).await?;
        stage.send_replace("still loading");
        let opened = documents.during(open(&page, request, budget)).await;
        documents.reached(proxy)?;
        opened?;
        let mut departures = 0;
        let taken = loop {
            documents.know_loads();
            let taking = take(&page, request, &traffic, proxy, budget, &errors, stage);
            let taken = documents.during(taking).await;
            // A page may have left for another address by itself, and its picture or the failure is then the proxy's answer's.
            documents.reached(proxy)?;
            match taken {
                Err(CaptureError::Departed) if departures < MAX_DEPARTURES => departures += 1,
                taken => break taken?,
            }
            stage.send_replace("loading the address that it went to by itself");
            documents.until_loaded(budget).await;
        };
        Ok(Capture {
            screenshot: taken.photograph.png,
            dom: taken.dom,
            saved_page: taken.saved_page,
            report: CaptureReport {
                browser: running.version.clone(),
                took_ms: milliseconds(budget.spent()),
                steps: taken.steps,
                truncated_from: taken.photograph.truncated_from,
            },
        })
    };
    tokio::select! {
        captured = patiently(running, work) => captured,
        ended = conduct.until_it_ends(running, &page) => Err(ended),
    }
}

/// What is taken of one document.
struct Taken {
    steps: Vec<CaptureStep>,
    dom: Vec<u8>,
    photograph: Photograph,
    saved_page: Option<Vec<u8>>,
}

/// Takes what there is to take of a page that was opened.
async fn take(
    page: &Page,
    request: &CaptureRequest,
    traffic: &Traffic,
    proxy: &Proxy,
    budget: Budget,
    errors: &watch::Receiver<Vec<String>>,
    stage: &watch::Sender<&'static str>,
) -> Result<Taken, CaptureError> {
    stage.send_replace("still becoming quiet");
    let world = World::of(page).await?;
    let mut steps = Vec::new();
    let extent = quiet::make_quiet(&world, request, traffic, budget, &mut steps).await?;
    stage.send_replace("being described");
    let errors = errors.borrow().clone();
    let dom = tree::record(&world, request, &errors).await?;
    let saved_page = save(page, &world, traffic, proxy, budget).await;
    steps.push(quiet::pin(&world, &request.profile, budget).await?);
    stage.send_replace("being photographed");
    let photograph = photograph(page, extent).await?;
    world.call::<bool>(STILL_THERE, &Value::Null).await?;
    Ok(Taken {
        steps,
        dom,
        photograph,
        saved_page,
    })
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
            let message = first_line(described.unwrap_or(&details.text));
            errors.send_modify(|errors: &mut Vec<String>| {
                if errors.len() < MAX_SCRIPT_ERRORS && !errors.contains(&message) {
                    errors.push(message);
                }
            });
        }
    });
    Ok(watched)
}
