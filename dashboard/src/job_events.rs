//! What happens to a job, told by the service as it happens.

use futures::future::{Either, select};
use futures::stream::{SelectAll, StreamExt, select_all};
use gloo_net::eventsource::futures::{EventSource, EventSourceSubscription};
use gloo_timers::future::TimeoutFuture;
use pentimento_api::events::EventName;

use crate::browser;
use crate::client;

/// Events that follow each other closely are one piece of news.
const GATHER_MS: u32 = 250;
/// Between two looks at whether the tab is seen.
const GLANCE_MS: u32 = 1_000;
/// Before a stream that broke off is opened again.
const RETRY_MS: u32 = 3_000;

const TOLD: [EventName; 4] = [
    EventName::Progress,
    EventName::Result,
    EventName::Status,
    EventName::Triage,
];

/// The stream of a job's events. It is closed while the tab is in the background: browsers allow few connections to one
/// host.
pub(crate) struct JobEvents {
    address: String,
    stream: Option<Stream>,
}

/// An open stream; the source closes when it is dropped.
struct Stream {
    _source: EventSource,
    events: SelectAll<EventSourceSubscription>,
}

impl JobEvents {
    /// Opens the stream of the job with this id.
    pub(crate) fn of(job_id: &str) -> Self {
        let address = format!("/job/{}/events?triage=true", client::encoded(job_id));
        Self {
            stream: open(&address),
            address,
        }
    }

    /// Waits until something happened, or until it is not known whether something did: after the stream broke off, and
    /// when the tab is seen again.
    pub(crate) async fn something_new(&mut self) {
        if !self.is_told().await {
            self.stream = None;
            TimeoutFuture::new(RETRY_MS).await;
            self.stream = open(&self.address);
            return;
        }
        TimeoutFuture::new(GATHER_MS).await;
        if let Some(stream) = &mut self.stream {
            // What has arrived meanwhile belongs to the same news.
            while let Some(Some(Ok(_))) = futures::FutureExt::now_or_never(stream.events.next()) {}
        }
    }

    /// Waits for an event; false when the stream broke off.
    async fn is_told(&mut self) -> bool {
        loop {
            if browser::is_hidden() {
                self.stream = None;
                while browser::is_hidden() {
                    TimeoutFuture::new(GLANCE_MS).await;
                }
                self.stream = open(&self.address);
                return self.stream.is_some();
            }
            let Some(stream) = &mut self.stream else {
                return false;
            };
            match select(stream.events.next(), TimeoutFuture::new(GLANCE_MS)).await {
                Either::Left((event, _)) => return matches!(event, Some(Ok(_))),
                Either::Right(_) => {}
            }
        }
    }
}

fn open(address: &str) -> Option<Stream> {
    let mut source = EventSource::new(address).ok()?;
    let told = TOLD.map(|name| source.subscribe(name.as_str()));
    Some(Stream {
        events: select_all(told.into_iter().flatten()),
        _source: source,
    })
}
