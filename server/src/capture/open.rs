//! Opening a page, and seeing what comes of it: its status, a failure, or that its proxy refused it.

use std::sync::OnceLock;
use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventRequestWillBeSent, EventResponseReceived, RequestId, ResourceType,
};
use chromiumoxide::cdp::browser_protocol::page::{
    EventDomContentEventFired, EventLoadEventFired, FrameId, NavigateParams,
};
use chromiumoxide::error::CdpError;
use chromiumoxide::listeners::EventStream;
use futures::{FutureExt, StreamExt};
use tokio::sync::watch;
use url::Url;

use super::budget::Budget;
use super::failure::{explain, readable};
use super::{CaptureError, CaptureRequest};
use crate::proxy::Proxy;

/// Longest wait for the status of a page that has loaded.
const STATUS_DEADLINE: Duration = Duration::from_secs(5);

/// How Chromium says that a document was a download, or that another one took its place.
const ABORTED: &str = "net::ERR_ABORTED";

/// Longest wait for an address that a page went to by itself.
const LOAD_DEADLINE: Duration = Duration::from_secs(10);

/// Longest wait for what a document fetches while it loads, once the document itself is there; docs/capturing.md says it to
/// people.
pub(super) const LOAD_CAP: Duration = Duration::from_secs(20);

/// How often what a page requests is read while something else goes on.
const READ_INTERVAL: Duration = Duration::from_millis(100);

/// Where a page's own frame went, each redirect and each way it took by itself included.
pub(super) struct Documents {
    requests: EventStream<EventRequestWillBeSent>,
    responses: EventStream<EventResponseReceived>,
    loads: EventStream<EventLoadEventFired>,
    main_frame: Option<FrameId>,
    last: Option<Sought>,
}

/// A document that the page went to.
struct Sought {
    /// The same for an address and all that it redirects to.
    request: RequestId,
    url: Url,
    /// Of its answer; none while there is none.
    status: Option<i64>,
}

impl Documents {
    /// Follows the page from now on.
    pub(super) async fn follow(page: &Page) -> Result<Self, CaptureError> {
        let requests = listen(page).await?;
        let responses = listen(page).await?;
        let loads = listen(page).await?;
        let main_frame = page.mainframe().await.map_err(|error| explain(&error))?;
        Ok(Self {
            requests,
            responses,
            loads,
            main_frame,
            last: None,
        })
    }

    /// Does some work with the page, and reads meanwhile where it goes: what is not read stays in memory, with the addresses of
    /// all that a page requests, and these may be pictures as long as one likes.
    pub(super) async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            match tokio::time::timeout(READ_INTERVAL, &mut work).await {
                Ok(done) => return done,
                Err(_) => self.read(),
            }
        }
    }

    /// Reads what has come, and keeps what is of the page's own frame.
    fn read(&mut self) {
        // Whatever was seen of an answer, its request's event lies here already.
        while let Some(Some(event)) = self.requests.next().now_or_never() {
            if event.r#type == Some(ResourceType::Document) && event.frame_id == self.main_frame {
                self.last = Url::parse(&event.request.url).ok().map(|url| Sought {
                    request: event.request_id.clone(),
                    url,
                    status: None,
                });
            }
        }
        while let Some(Some(event)) = self.responses.next().now_or_never() {
            let answered = (self.last.as_mut()).filter(|last| last.request == event.request_id);
            if let Some(last) = answered {
                last.status = Some(event.response.status);
            }
        }
    }

    /// Whether the document that the page went to last came, from where it should and not as an error: the proxy may have
    /// answered in its place. Once it is there, it does not matter what else of its address fails: what a page asks for later
    /// goes to the same host, and often to the same address.
    pub(super) fn reached(&mut self, proxy: &Proxy) -> Result<(), CaptureError> {
        self.read();
        let Some(last) = &self.last else {
            return Ok(());
        };
        match (last.status, proxy.obstacle(&last.url)) {
            (Some(status), _) if status < 400 => Ok(()),
            (_, Some(obstacle)) => Err(obstacle.into()),
            (Some(status), None) => Err(CaptureError::Status(status)),
            (None, None) => Ok(()),
        }
    }

    /// Takes what has loaded so far for known.
    pub(super) fn know_loads(&mut self) {
        while let Some(Some(_)) = self.loads.next().now_or_never() {}
    }

    /// Waits until a document has loaded since those that are known. One that does not is for the next step to find out.
    pub(super) async fn until_loaded(&mut self, budget: Budget) {
        let _ = tokio::time::timeout(budget.wait(LOAD_DEADLINE), self.loads.next()).await;
    }
}

/// Opens the page, waits until it has loaded, and refuses error statuses. What a document that is there still fetches is
/// waited for at most for [`LOAD_CAP`].
pub(super) async fn open(
    page: &Page,
    request: &CaptureRequest,
    budget: Budget,
) -> Result<(), CaptureError> {
    let mut responses = listen::<EventResponseReceived>(page).await?;
    let mut failures = listen::<EventLoadingFailed>(page).await?;
    let main_frame = page.mainframe().await.map_err(|error| explain(&error))?;
    let mut loads = listen::<EventLoadEventFired>(page).await?;
    let mut documents = listen::<EventDomContentEventFired>(page).await?;
    let (answered, last_answer) = watch::channel((0_i64, None));
    let last_status = last_answer.clone();
    let first_answer = OnceLock::new();
    let note_answers = async {
        while let Some(event) = responses.next().await {
            if event.r#type == ResourceType::Document && event.frame_id == main_frame {
                first_answer.get_or_init(|| event.request_id.clone());
                answered.send_replace((event.response.status, Some(event.request_id.clone())));
            }
        }
    };
    // A page that turns out to be a download answers and then fails; the navigation itself would never end. One that goes
    // to a download by itself stays where it was.
    let (failed, mut last_failure) = watch::channel(None);
    let note_failures = async {
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
                && (error != ABORTED || first_answer.get() == Some(&request))
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
    let mut begun = answered.subscribe();
    let loaded = async {
        if begun.wait_for(|(status, _)| *status != 0).await.is_ok() {
            tokio::select! {
                Some(_) = loads.next() => return,
                true = there_in_vain(&mut documents, budget) => return,
                else => {}
            }
        }
        std::future::pending::<()>().await;
    };
    // The browser's events are handed out after the navigation's result, so the status may come a moment later.
    let navigate_and_see = async {
        tokio::pin!(loaded);
        let navigated = tokio::select! {
            navigated = navigate => navigated,
            // The library waits for more than this, and without end where a page changes its address all the time.
            () = &mut loaded => return Ok(None),
        };
        let navigated = match navigated {
            // Thirty seconds are all that the library gives a command; a page has as long as its budget.
            Err(CdpError::Timeout) => {
                return tokio::select! {
                    () = loaded => Ok(None),
                    error = fails_unanswered(failed.subscribe(), answered.subscribe()) => Ok(Some(error)),
                };
            }
            navigated => navigated.map_err(|error| explain(&error))?.result,
        };
        if navigated.error_text.is_none() {
            let answer = seen.wait_for(|(status, _)| *status != 0);
            // When none comes at all, the check below says so.
            let _ = tokio::time::timeout(STATUS_DEADLINE, answer).await;
        }
        Ok::<_, CaptureError>(navigated.error_text)
    };
    let error = tokio::select! {
        biased;
        () = note_answers => return Err(CaptureError::BrowserGone("it stopped sending events".to_owned())),
        () = note_failures => return Err(CaptureError::BrowserGone("it stopped sending events".to_owned())),
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

/// Waits until a page fails without an answer. Before the page itself answers there are no frames whose failure it could be.
async fn fails_unanswered(
    mut failures: watch::Receiver<Option<(RequestId, String)>>,
    answers: watch::Receiver<(i64, Option<RequestId>)>,
) -> String {
    loop {
        let failure = failures.borrow_and_update().clone();
        if let Some((_, error)) = failure
            && error != ABORTED
            && answers.borrow().0 == 0
        {
            return error;
        }
        if failures.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

async fn listen<E: IntoEventKind>(page: &Page) -> Result<EventStream<E>, CaptureError> {
    page.event_listener().await.map_err(|error| explain(&error))
}

/// Waits until a document has been there for [`LOAD_CAP`], and no other one took its place; `false` when no events come any
/// more.
async fn there_in_vain(
    documents: &mut EventStream<EventDomContentEventFired>,
    budget: Budget,
) -> bool {
    let mut next = documents.next().await;
    while next.is_some() {
        match tokio::time::timeout(budget.wait(LOAD_CAP), documents.next()).await {
            Ok(another) => next = another,
            Err(_) => return true,
        }
    }
    false
}
