//! What happens to a job, told by the service as it happens.

use futures::future::{Either, select, select_all as select_all_futures};
use futures::stream::{SelectAll, StreamExt, select_all};
use gloo_net::eventsource::futures::{EventSource, EventSourceSubscription};
use gloo_timers::future::TimeoutFuture;
use pentimento_api::events::EventName;
use pentimento_api::ids::JobId;

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

/// Running jobs whose events are followed at once: each takes one of the few connections that browsers allow.
const MOST_FOLLOWED: usize = 3;

/// The events of the newest jobs that run.
#[derive(Default)]
pub(crate) struct JobsEvents(Vec<(JobId, JobEvents)>);

impl JobsEvents {
    /// Follows the first of these jobs, and no others any more.
    pub(crate) fn follow(&mut self, jobs: impl Iterator<Item = JobId>) {
        let jobs: Vec<JobId> = jobs.take(MOST_FOLLOWED).collect();
        self.0.retain(|(id, _)| jobs.contains(id));
        for id in jobs {
            if self.0.iter().all(|(followed, _)| *followed != id) {
                self.0.push((id, JobEvents::of(&id.to_string())));
            }
        }
    }

    /// Waits until something happened to one of them; for ever when there is none.
    pub(crate) fn something_new(&mut self) -> impl Future<Output = ()> + Unpin {
        let waiting = self.0.iter_mut();
        let waiting: Vec<_> = waiting
            .map(|(_, events)| Box::pin(events.something_new()))
            .collect();
        if waiting.is_empty() {
            return Either::Left(std::future::pending::<()>());
        }
        Either::Right(futures::FutureExt::map(select_all_futures(waiting), |_| ()))
    }
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
