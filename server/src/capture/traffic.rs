//! What a page fetches, as its browser tells: when nothing was on its way for a while, it is quiet; and how much came.

mod loaded;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventLoadingFinished, EventRequestWillBeSent, LoaderId, RequestId,
    ResourceType,
};
use chromiumoxide::cdp::browser_protocol::page::{
    EventFrameDetached, EventFrameNavigated, FrameId,
};
use futures::StreamExt;
use tokio::sync::watch;
use tokio::time::Instant;

use super::CaptureError;
use super::failure::explain;

/// Requests on their way that are kept; a page with more is not quiet anyway.
const MAX_REQUESTS: usize = 10_000;

/// Requests that are known to have ended; a page with more may be waited for in vain.
const MAX_ENDED: usize = 100_000;

/// How late the browser may tell of what was sent already.
const HEARSAY: Duration = Duration::from_millis(100);

/// Characters of an address in a note.
const MAX_ADDRESS_CHARACTERS: usize = 200;

/// The requests of one page.
pub(super) struct Traffic {
    requests: watch::Receiver<Requests>,
    loaded: watch::Receiver<u64>,
}

#[derive(Debug)]
struct Requests {
    under_way: HashMap<RequestId, Sent>,
    /// Those that have ended. The browser tells of beginnings and ends one after the other, but they are heard here by the
    /// kind, so that the end may come first; and it tells of a redirect as of another beginning.
    ended: HashSet<RequestId>,
    changed: Instant,
}

/// A request on its way.
#[derive(Debug)]
struct Sent {
    /// As much of its address as is ever told: a page's own may be as long as it likes.
    address: String,
    /// The frame that it was sent for.
    frame: Option<FrameId>,
    /// The document that it was sent for.
    loader: LoaderId,
}

impl Sent {
    fn of(event: &EventRequestWillBeSent) -> Self {
        Self::new(
            &event.request.url,
            event.frame_id.clone(),
            event.loader_id.clone(),
        )
    }

    fn new(address: &str, frame: Option<FrameId>, loader: LoaderId) -> Self {
        Self {
            address: address.chars().take(MAX_ADDRESS_CHARACTERS).collect(),
            frame,
            loader,
        }
    }
}

/// What is told of requests.
enum Event {
    Sent(RequestId, Sent),
    Ended(RequestId),
    /// The frame is gone, or goes on in another process, of whose requests is told elsewhere.
    Detached(FrameId),
    /// Another document took its place in the frame.
    Navigated(FrameId, LoaderId),
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
        let mut detached =
            (page.event_listener::<EventFrameDetached>().await).map_err(|error| explain(&error))?;
        let mut navigated = (page.event_listener::<EventFrameNavigated>().await)
            .map_err(|error| explain(&error))?;
        let loaded = loaded::follow(page).await?;
        let (requests, watched) = watch::channel(Requests::none());
        // It ends with the page.
        tokio::spawn(async move {
            loop {
                let event = tokio::select! {
                    Some(event) = sent.next() => {
                        if !counts(&event) {
                            continue;
                        }
                        Event::Sent(event.request_id.clone(), Sent::of(&event))
                    }
                    Some(event) = finished.next() => Event::Ended(event.request_id.clone()),
                    Some(event) = failed.next() => Event::Ended(event.request_id.clone()),
                    Some(event) = detached.next() => Event::Detached(event.frame_id.clone()),
                    Some(event) = navigated.next() => {
                        Event::Navigated(event.frame.id.clone(), event.frame.loader_id.clone())
                    }
                    else => break,
                };
                requests.send_if_modified(|requests| requests.note(event));
            }
        });
        Ok(Self {
            requests: watched,
            loaded,
        })
    }

    /// Bytes that the page's frames have loaded so far of documents, pictures, style sheets and fonts, unpacked. Frames of other
    /// sites, which run in processes of their own, do not tell.
    pub(super) fn loaded(&self) -> u64 {
        *self.loaded.borrow()
    }

    /// Waits until nothing was on its way for `quiet`, at most for `cap`.
    pub(super) async fn quiet(&self, quiet: Duration, cap: Duration) -> Quiet {
        let mut watched = self.requests.clone();
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
        let requests = self.requests.borrow();
        let addresses = requests.under_way.values().map(|sent| &sent.address);
        UnderWay {
            requests: requests.under_way.len(),
            example: addresses.min().cloned(),
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
    fn none() -> Self {
        Self {
            under_way: HashMap::new(),
            ended: HashSet::new(),
            changed: Instant::now(),
        }
    }

    /// Notes what is told; whether anything changed by it.
    fn note(&mut self, event: Event) -> bool {
        let before = self.under_way.len();
        let began = match event {
            Event::Sent(request, sent) => {
                let counts = self.under_way.len() < MAX_REQUESTS && !self.ended.contains(&request);
                if counts {
                    self.under_way.insert(request, sent);
                }
                counts
            }
            Event::Ended(request) => {
                self.under_way.remove(&request);
                if self.ended.len() < MAX_ENDED {
                    self.ended.insert(request);
                }
                false
            }
            Event::Detached(frame) => {
                let stays = |sent: &Sent| sent.frame.as_ref() != Some(&frame);
                self.under_way.retain(|_, sent| stays(sent));
                false
            }
            Event::Navigated(frame, loader) => {
                let stays =
                    |sent: &Sent| sent.frame.as_ref() != Some(&frame) || sent.loader == loader;
                self.under_way.retain(|_, sent| stays(sent));
                false
            }
        };
        let changed = began || self.under_way.len() < before;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(request: &str, frame: &str, loader: &str) -> Event {
        let address = format!("http://a.test/{request}");
        let sent = Sent::new(&address, Some(FrameId::new(frame)), LoaderId::new(loader));
        Event::Sent(RequestId::new(request), sent)
    }

    fn ended(request: &str) -> Event {
        Event::Ended(RequestId::new(request))
    }

    /// How many requests are on their way after these events.
    fn under_way(events: impl IntoIterator<Item = Event>) -> usize {
        let mut requests = Requests::none();
        for event in events {
            requests.note(event);
        }
        requests.under_way.len()
    }

    #[test]
    fn what_has_ended_is_not_waited_for_in_whatever_order_it_is_told() {
        let one = || sent("1", "top", "a");
        assert_eq!(under_way([one()]), 1);
        assert_eq!(under_way([one(), ended("1")]), 0);
        assert_eq!(under_way([ended("1"), one()]), 0);
        // It was redirected, of which the browser tells as of another beginning.
        assert_eq!(under_way([one(), one()]), 1);
        assert_eq!(under_way([one(), ended("1"), one()]), 0);
        assert_eq!(under_way([ended("1"), one(), sent("2", "top", "a")]), 1);
    }

    #[test]
    fn what_was_sent_for_a_document_ends_with_it() {
        let both = || [sent("1", "top", "a"), sent("2", "inner", "b")];
        let gone = Event::Detached(FrameId::new("inner"));
        assert_eq!(under_way(both().into_iter().chain([gone])), 1);
        let went = |frame, loader| Event::Navigated(FrameId::new(frame), LoaderId::new(loader));
        assert_eq!(under_way(both().into_iter().chain([went("inner", "c")])), 1);
        // The request for a document comes before it is there.
        assert_eq!(under_way(both().into_iter().chain([went("inner", "b")])), 2);
    }

    #[test]
    fn of_an_address_no_more_is_kept_than_is_told() {
        let address = format!("http://a.test/{}", "é".repeat(1_000));
        let sent = Sent::new(&address, None, LoaderId::new("a"));
        assert_eq!(sent.address.chars().count(), MAX_ADDRESS_CHARACTERS);
        assert!(address.starts_with(&sent.address));
    }

    #[test]
    fn only_what_begins_or_ends_disturbs_the_quiet() {
        let mut requests = Requests::none();
        assert!(requests.note(sent("1", "top", "a")));
        assert!(requests.note(ended("1")));
        assert!(!requests.note(ended("1")));
        assert!(!requests.note(sent("1", "top", "a")), "it is over");
        assert!(!requests.note(Event::Detached(FrameId::new("top"))));
    }
}
