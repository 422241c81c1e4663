//! What happens to a job, told by the service as it happens.

use futures::future::{Either, select, select_all as select_all_futures};
use futures::stream::{SelectAll, StreamExt, select_all};
use gloo_net::eventsource::futures::{EventSource, EventSourceSubscription};
use gloo_timers::future::TimeoutFuture;
use pentimento_api::events::{EventName, ResultEvent, StatusEvent, TriageEvent};
use pentimento_api::ids::JobId;
use serde::de::DeserializeOwned;
use web_sys::MessageEvent;

use crate::browser;
use crate::client;

/// Events that follow each other closely are one piece of news.
const GATHER_MS: u32 = 250;
/// Between two looks at whether the tab is seen.
const GLANCE_MS: u32 = 1_000;
/// Before a stream that broke off is opened again, and what was lost is asked for once more.
pub(crate) const RETRY_MS: u32 = 3_000;
/// While no stream opens, as where too many are open, each wait is twice the one before, up to this.
const LONGEST_WAIT_MS: u32 = 60_000;

const TOLD: [EventName; 4] = [
    EventName::Progress,
    EventName::Result,
    EventName::Status,
    EventName::Triage,
];

/// What a stream told.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// A page is done.
    Result(ResultEvent),
    /// Somebody decided on a page.
    Triage(TriageEvent),
    /// Where the job stands.
    Status(StatusEvent),
    /// The job went on.
    Progress,
    /// The stream broke off, or was closed while the tab was hidden: anything may have happened.
    Unknown,
}

/// The stream of a job's events. It is closed while the tab is in the background: browsers allow few connections to one
/// host.
pub(crate) struct JobEvents {
    address: String,
    stream: Option<Stream>,
    /// How long the next wait for another stream is.
    wait_ms: u32,
    /// The wait that has begun: whoever stopped waiting goes on with it.
    wait: Option<TimeoutFuture>,
    /// The job has ended, so that no more results come: the next stream goes without them.
    has_ended: bool,
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

/// What a source says when it is connected, for the first time or again.
const OPEN: &str = "open";

/// An open stream; the source closes when it is dropped.
struct Stream {
    _source: EventSource,
    events: SelectAll<EventSourceSubscription>,
    was_connected: bool,
}

impl Stream {
    /// An event as news. One that this version of the dashboard cannot read may mean anything.
    fn read(&mut self, name: &str, event: &MessageEvent) -> Option<News> {
        fn data<T: DeserializeOwned>(event: &MessageEvent) -> Option<T> {
            serde_json::from_str(&event.data().as_string()?).ok()
        }
        Some(if name == OPEN {
            // Browsers connect again by themselves, and what happened meanwhile was not heard.
            let was_connected = std::mem::replace(&mut self.was_connected, true);
            return was_connected.then_some(News::Unknown);
        } else if name == EventName::Result.as_str() {
            data(event).map_or(News::Unknown, News::Result)
        } else if name == EventName::Triage.as_str() {
            data(event).map_or(News::Unknown, News::Triage)
        } else if name == EventName::Status.as_str() {
            data(event).map_or(News::Unknown, News::Status)
        } else {
            News::Progress
        })
    }
}

impl JobEvents {
    /// Opens the stream of the job with this id.
    pub(crate) fn of(job_id: &str) -> Self {
        let mut events = Self {
            address: format!("/job/{}/events?triage=true", client::encoded(job_id)),
            stream: None,
            wait_ms: RETRY_MS,
            wait: None,
            has_ended: false,
        };
        events.open();
        events
    }

    /// Waits until something happened, or until it is not known whether something did: after the stream broke off, and
    /// when the tab is seen again.
    pub(crate) async fn something_new(&mut self) {
        self.news().await;
    }

    /// The same, and tells what.
    pub(crate) async fn news(&mut self) -> Vec<News> {
        let Some(first) = self.next().await else {
            self.open_later().await;
            return vec![News::Unknown];
        };
        let mut news = vec![first];
        TimeoutFuture::new(GATHER_MS).await;
        if let Some(stream) = &mut self.stream {
            // What has arrived meanwhile belongs to the same news.
            while let Some(Some(Ok((name, event)))) =
                futures::FutureExt::now_or_never(stream.events.next())
            {
                news.extend(stream.read(&name, &event));
            }
        }
        let is_end = |news: &News| matches!(news, News::Status(told) if told.status.is_final());
        self.has_ended |= news.iter().any(is_end);
        news
    }

    /// Waits for an event; none when the stream broke off.
    async fn next(&mut self) -> Option<News> {
        loop {
            if browser::is_hidden() {
                self.close();
                while browser::is_hidden() {
                    TimeoutFuture::new(GLANCE_MS).await;
                }
                self.open();
                return self.stream.is_some().then_some(News::Unknown);
            }
            let stream = self.stream.as_mut()?;
            match select(stream.events.next(), TimeoutFuture::new(GLANCE_MS)).await {
                Either::Left((Some(Ok((name, event))), _)) => {
                    if let Some(news) = stream.read(&name, &event) {
                        return Some(news);
                    }
                }
                Either::Left(_) => return None,
                Either::Right(_) => {}
            }
        }
    }

    fn open(&mut self) {
        // Whoever hears that a stream broke off reads the job anew, and with it all its results.
        let results = if self.has_ended { "&results=false" } else { "" };
        self.stream = open(&format!("{}{results}", self.address));
        self.wait = None;
    }

    /// Closes the stream. When it was open, the next wait is the first one again.
    fn close(&mut self) {
        if (self.stream.take()).is_some_and(|stream| stream.was_connected) {
            self.wait_ms = RETRY_MS;
        }
    }

    /// Opens the stream again after a wait.
    async fn open_later(&mut self) {
        self.close();
        if self.wait.is_none() {
            self.wait = Some(TimeoutFuture::new(self.wait_ms));
            self.wait_ms = longer(self.wait_ms);
        }
        if let Some(wait) = &mut self.wait {
            wait.await;
        }
        self.open();
    }
}

/// The wait after a wait for nothing.
fn longer(wait_ms: u32) -> u32 {
    (wait_ms * 2).min(LONGEST_WAIT_MS)
}

fn open(address: &str) -> Option<Stream> {
    let mut source = EventSource::new(address).ok()?;
    let names = TOLD.iter().map(|name| name.as_str());
    let told: Vec<_> = (names.chain([OPEN]))
        .filter_map(|name| source.subscribe(name).ok())
        .collect();
    Some(Stream {
        events: select_all(told),
        _source: source,
        was_connected: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_is_asked_less_and_less_often_but_at_least_once_a_minute() {
        let waits: Vec<u32> =
            std::iter::successors(Some(RETRY_MS), |wait_ms| Some(longer(*wait_ms)))
                .take(7)
                .collect();
        assert_eq!(
            waits,
            [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]
        );
    }
}
