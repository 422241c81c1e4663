//! What a page fetches, as its browser tells: when nothing was on its way for a while, it is quiet.

use std::collections::HashMap;
use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventLoadingFinished, EventRequestWillBeSent, RequestId, ResourceType,
};
use futures::StreamExt;
use tokio::sync::watch;
use tokio::time::Instant;

use super::CaptureError;
use super::failure::explain;

/// Requests on their way that are kept; a page with more is not quiet anyway.
const MAX_REQUESTS: usize = 10_000;

/// How late the browser may tell of what was sent already.
const HEARSAY: Duration = Duration::from_millis(100);

/// Characters of an address in a note.
const MAX_ADDRESS_CHARACTERS: usize = 200;

/// The requests of one page.
pub(super) struct Traffic(watch::Receiver<Requests>);

struct Requests {
    under_way: HashMap<RequestId, String>,
    changed: Instant,
}

/// How waiting for quiet ended.
pub(super) enum Quiet {
    Reached,
    GaveUp(UnderWay),
}

/// What has not come yet.
pub(super) struct UnderWay {
    requests: usize,
    example: Option<String>,
}

impl Traffic {
    /// Follows the page from now on.
    pub(super) async fn follow(page: &Page) -> Result<Self, CaptureError> {
        let mut sent = (page.event_listener::<EventRequestWillBeSent>().await)
            .map_err(|error| explain(&error))?;
        let mut finished = (page.event_listener::<EventLoadingFinished>().await)
            .map_err(|error| explain(&error))?;
        let mut failed =
            (page.event_listener::<EventLoadingFailed>().await).map_err(|error| explain(&error))?;
        let (requests, watched) = watch::channel(Requests {
            under_way: HashMap::new(),
            changed: Instant::now(),
        });
        // It ends with the page.
        tokio::spawn(async move {
            loop {
                let (request, address) = tokio::select! {
                    Some(event) = sent.next() => {
                        if !counts(&event) {
                            continue;
                        }
                        (event.request_id.clone(), Some(event.request.url.clone()))
                    }
                    Some(event) = finished.next() => (event.request_id.clone(), None),
                    Some(event) = failed.next() => (event.request_id.clone(), None),
                    else => break,
                };
                requests.send_if_modified(|requests| requests.note(request, address));
            }
        });
        Ok(Self(watched))
    }

    /// Waits until nothing was on its way for `quiet`, at most for `cap`.
    pub(super) async fn quiet(&self, quiet: Duration, cap: Duration) -> Quiet {
        let mut watched = self.0.clone();
        let soonest = Instant::now() + HEARSAY;
        let until_quiet = async {
            loop {
                let rest = {
                    let requests = watched.borrow_and_update();
                    (requests.under_way.is_empty()).then(|| (requests.changed + quiet).max(soonest))
                };
                match rest {
                    Some(at) => tokio::select! {
                        () = tokio::time::sleep_until(at) => return,
                        changed = watched.changed() => if changed.is_err() { return },
                    },
                    None => {
                        if watched.changed().await.is_err() {
                            return;
                        }
                    }
                }
            }
        };
        if tokio::time::timeout(cap, until_quiet).await.is_ok() {
            return Quiet::Reached;
        }
        Quiet::GaveUp(self.under_way())
    }

    /// What has not come yet of what quiet waits for.
    pub(super) fn under_way(&self) -> UnderWay {
        let requests = self.0.borrow();
        let example = requests.under_way.values().min();
        UnderWay {
            requests: requests.under_way.len(),
            example: example.map(|url| url.chars().take(MAX_ADDRESS_CHARACTERS).collect()),
        }
    }
}

impl UnderWay {
    /// A sentence that names one of them; `None` when there are none.
    pub(super) fn sentence(&self) -> Option<String> {
        let example = self.example.as_ref()?;
        Some(match self.requests {
            1 => format!("1 request was still on its way: {example}."),
            requests => format!("{requests} requests were still on their way: {example}."),
        })
    }
}

impl Requests {
    /// A request that begins has an address; whether anything changed.
    fn note(&mut self, request: RequestId, address: Option<String>) -> bool {
        let changed = match address {
            Some(address) if self.under_way.len() < MAX_REQUESTS => {
                self.under_way.insert(request, address);
                true
            }
            Some(_) => false,
            None => self.under_way.remove(&request).is_some(),
        };
        if changed {
            self.changed = Instant::now();
        }
        changed
    }
}

/// Whether a page is not quiet while this is on its way. Streams of events and of media are meant to stay open, what a page
/// reports elsewhere does not come back to it, and what has no address of the network needs no waiting. The scripts of workers
/// belong to no document: the end of their loading is told to others.
fn counts(event: &EventRequestWillBeSent) -> bool {
    let stays = matches!(
        event.r#type,
        Some(
            ResourceType::EventSource
                | ResourceType::WebSocket
                | ResourceType::Media
                | ResourceType::Ping
                | ResourceType::CspViolationReport
                | ResourceType::Preflight
        )
    );
    !stays && !event.loader_id.inner().is_empty() && event.request.url.starts_with("http")
}
