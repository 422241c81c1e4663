//! Getting a page past the gate of its origin: each request to that origin carries the credential, no other does.
//!
//! Chromium stops the origin's requests alone; what is added to one does not follow it when it is redirected, and the
//! redirected one is stopped again if it goes to the origin. Cookies are added in the same way: in the browser's own
//! store they would be sent to every port of the host.

use std::sync::Arc;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::fetch::{
    ContinueRequestParams, EnableParams, EventRequestPaused, FailRequestParams, HeaderEntry,
    RequestPattern,
};
use chromiumoxide::cdp::browser_protocol::network::{ErrorReason, SetBypassServiceWorkerParams};
use futures::StreamExt;
use url::Url;

use super::failure::explain;
use super::{CaptureError, CaptureRequest};
use crate::gate::Gate;

/// Requests that are let through at once.
const AT_ONCE: usize = 16;

/// Adds the credential, where there is one, to every request that the page makes to its own origin from now on.
pub(super) async fn install(page: &Page, request: &CaptureRequest) -> Result<(), CaptureError> {
    let Some(gate) = &request.gate else {
        return Ok(());
    };
    let paused = page
        .event_listener::<EventRequestPaused>()
        .await
        .map_err(|error| explain(&error))?;
    let origin = request.url.origin();
    let pattern = format!("{}/*", origin.ascii_serialization());
    let pattern = RequestPattern::builder().url_pattern(pattern).build();
    page.execute(EnableParams::builder().pattern(pattern).build())
        .await
        .map_err(|error| explain(&error))?;
    // The requests of a service worker are not stopped, so they would meet the gate without the credential.
    page.execute(SetBypassServiceWorkerParams::new(true))
        .await
        .map_err(|error| explain(&error))?;
    let (page, gate) = (page.clone(), gate.clone());
    // It ends with the page.
    tokio::spawn(async move {
        paused
            .for_each_concurrent(AT_ONCE, |event| {
                let is_ours =
                    Url::parse(&event.request.url).is_ok_and(|url| url.origin() == origin);
                let gate = is_ours.then_some(&gate);
                let_through(&page, event, gate)
            })
            .await;
    });
    Ok(())
}

/// Lets a stopped request go on, with the credential when there is one for it.
fn let_through<'a>(
    page: &'a Page,
    event: Arc<EventRequestPaused>,
    gate: Option<&'a Arc<Gate>>,
) -> impl Future<Output = ()> + 'a {
    let mut go_on = ContinueRequestParams::new(event.request_id.clone());
    if let Some(gate) = gate {
        go_on.headers = Some(with_credential(&event, gate));
    }
    async move {
        if page.execute(go_on).await.is_err() {
            // The page is gone, or the browser refuses a header; a request that stands still would hold up the page.
            let failed = FailRequestParams::new(event.request_id.clone(), ErrorReason::Failed);
            let _ = page.execute(failed).await;
        }
    }
}

fn with_credential(event: &EventRequestPaused, gate: &Gate) -> Vec<HeaderEntry> {
    let sent = event.request.headers.inner().as_object();
    let sent = sent.into_iter().flatten();
    let mut own_cookies = String::new();
    let mut headers = Vec::new();
    for (name, value) in sent {
        let Some(value) = value.as_str() else {
            continue;
        };
        if name.eq_ignore_ascii_case("cookie") {
            value.clone_into(&mut own_cookies);
        } else if !gate
            .headers()
            .any(|(ours, _)| name.eq_ignore_ascii_case(ours))
        {
            headers.push(HeaderEntry::new(name.clone(), value));
        }
    }
    headers.extend(
        gate.headers()
            .map(|(name, value)| HeaderEntry::new(name, value)),
    );
    headers.extend(
        gate.cookie_header(&own_cookies)
            .map(|value| HeaderEntry::new("Cookie", value)),
    );
    headers
}
