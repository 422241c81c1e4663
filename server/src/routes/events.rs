//! `GET /job/{jobId}/events`: a job's progress as server-sent events.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::time::Duration;

use anyhow::Context;
use axum::extract::State;
use axum::http::HeaderName;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use pentimento_api::error::ErrorBody;
use pentimento_api::events::{
    EventName, FollowQuery, ResultEvent, StatusEvent, StreamEvent, TriageEvent,
};
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::Progress;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;

use super::job::find_job;
use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::db;
use crate::db::results::lists::{Decided, DoneResult};
use crate::db::results::{outcome_of, status_of, triage_of};
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query};
use crate::jobs::view;
use crate::keys::is_alive;
use crate::streams::Place;

/// Between two looks at the job.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// How long a decision may take to be stored after its time was read. A stream begins with those of the last moments, too:
/// whoever opens it has read the job just before.
const OVERLAP_MS: i64 = 30_000;

/// Age from which on no decision is still to come, however far apart the clocks of several servers are.
const SETTLED_MS: i64 = 120_000;

/// Longest that one stream stays open; a client that still wants to know connects again.
const LONGEST: Duration = Duration::from_mins(30);

/// Silence after which a comment keeps proxies from closing the stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events that wait for a slow client.
const WAITING_EVENTS: usize = 64;

/// Follow a job: where it stands, its progress, and each result as it is done.
///
/// The stream begins with all that is so already and ends, with an `end` event, when the job does. With `triage=true` it goes
/// on and tells each decision, from half a minute before on. After 30 minutes, and when its key is revoked, it ends without an `end` event; who connects
/// again is told everything again, without results where `results=false`.
#[utoipa::path(
    get, path = "/job/{jobId}/events", tag = "jobs", params(("jobId" = JobId, Path, description = "The job"), FollowQuery),
    responses(
        (status = 200, description = "Events: `status` (`StatusEvent`), `progress` (`Progress`), `result` (`ResultEvent`), `triage` (`TriageEvent`), `end`", content_type = "text/event-stream", body = StreamEvent),
        (status = 400, description = "`invalid_input`: `triage` or `results` is neither `true` nor `false`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
        (status = 429, description = "`rate_limited`: too many streams are open, or the key has called too often; `Retry-After` says when to come back", body = ErrorBody),
    )
)]
pub(super) async fn follow_job(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    PathPart(id): PathPart,
    Query(query): Query<FollowQuery>,
) -> Result<impl IntoResponse> {
    let job = find_job(&mut *app.db.read().await?, &caller, &id).await?;
    let place = app.streams.open(&caller.organization_id);
    let place = place.map_err(|full| Error::RateLimited {
        message: format!(
            "{full}; try again in a minute, or poll GET /job/{}.",
            job.id
        ),
        retry_after_seconds: 60,
    })?;
    let (events, stream) = mpsc::channel(WAITING_EVENTS);
    let follower = Follower {
        decided: query.triage.then(|| Decisions::since(app.clock.now_ms())),
        tells_results: query.results.unwrap_or(true),
        app,
        key_id: caller.key_id,
        job_id: job.id,
        events,
        status: None,
        progress: None,
        told: Told::default(),
        _place: place,
    };
    tokio::spawn(follower.run());
    let events = Sse::new(ReceiverStream::new(stream));
    // Without this a proxy such as nginx keeps events back until it has a few KiB of them.
    let at_once = [(HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((
        at_once,
        events.keep_alive(KeepAlive::new().interval(KEEP_ALIVE)),
    ))
}

/// Looks at a job again and again, and tells what is new.
struct Follower {
    app: App,
    /// The key of whoever follows: with it, the stream ends.
    key_id: String,
    job_id: String,
    events: mpsc::Sender<std::result::Result<Event, Infallible>>,
    /// What was told last.
    status: Option<StatusEvent>,
    progress: Option<Progress>,
    told: Told,
    tells_results: bool,
    /// The decisions that were told, if they are wanted.
    decided: Option<Decisions>,
    _place: Place,
}

impl Follower {
    async fn run(mut self) {
        let end = Instant::now() + LONGEST;
        let stopping = self.app.stopping.clone();
        let follow = async {
            let mut look = tokio::time::interval(LOOK_INTERVAL);
            loop {
                look.tick().await;
                match self.look().await {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => {
                        tracing::warn!(job = %self.job_id, %error, "a stream of events ended early");
                        return;
                    }
                }
            }
        };
        // When the service stops, or the time is over, the stream just ends.
        tokio::select! {
            () = follow => {}
            () = stopping.cancelled() => {}
            () = tokio::time::sleep_until(end) => {}
        }
    }

    /// Tells what is new; false when there is nothing more to tell, or nobody listens.
    async fn look(&mut self) -> anyhow::Result<bool> {
        let mut connection = self.app.db.read().await?;
        let key = db::keys::find_key(&mut connection, &self.key_id).await?;
        if key.is_none_or(|key| !is_alive(&key, self.app.clock.now_ms())) {
            return Ok(false);
        }
        let job = db::jobs::get_job(&mut connection, &self.job_id).await?;
        let (total, done) = db::results::lists::count_done(&mut connection, &self.job_id).await?;
        let results = if self.tells_results && done > self.told.count {
            let from = self.told.from;
            db::results::lists::list_done(&mut connection, &self.job_id, from).await?
        } else {
            Vec::new()
        };
        let decided = match &self.decided {
            Some(told) => {
                db::results::lists::list_decided(&mut connection, &self.job_id, told.since_ms)
                    .await?
            }
            None => Vec::new(),
        };
        drop(connection);
        let status = StatusEvent {
            status: job.status(),
            summary_status: view::summary_status(&job),
            error: job.error.clone(),
        };
        let is_final = job.status().is_final();
        let mut heard = true;
        for result in &results {
            if self.told.insert(result.position) {
                heard = heard && self.tell(EventName::Result, &result_event(result)?).await?;
            }
        }
        let progress = Progress::new(total, done);
        if self.progress.as_ref() != Some(&progress) {
            heard = heard && self.tell(EventName::Progress, &progress).await?;
            self.progress = Some(progress);
        }
        if self.status.as_ref() != Some(&status) {
            heard = heard && self.tell(EventName::Status, &status).await?;
            self.status = Some(status);
        }
        let now = self.app.clock.now_ms();
        let fresh =
            (self.decided.as_mut()).map_or_else(Vec::new, |told| told.fresh_of(decided, now));
        for decision in &fresh {
            heard = heard
                && self
                    .tell(EventName::Triage, &triage_event(decision)?)
                    .await?;
        }
        let goes_on = !is_final || self.decided.is_some();
        if !goes_on && heard {
            self.tell(EventName::End, &serde_json::json!({})).await?;
        }
        Ok(heard && goes_on && !self.events.is_closed())
    }

    /// Sends an event; false when nobody listens any more.
    async fn tell(&self, name: EventName, data: &impl Serialize) -> anyhow::Result<bool> {
        let event = Event::default().event(name.as_str()).json_data(data)?;
        Ok(self.events.send(Ok(event)).await.is_ok())
    }
}

/// Which results a stream has told. They are done in their order but for what is worked on at the same time, so looking from
/// the first that was not told on finds few others: a stream would else read all of a job at each look.
#[derive(Default)]
struct Told {
    count: u64,
    /// All before this position.
    from: i64,
    /// Those at this position and behind it.
    others: HashSet<i64>,
}

impl Told {
    /// Whether the result at a position was not told before.
    fn insert(&mut self, position: i64) -> bool {
        if position < self.from || !self.others.insert(position) {
            return false;
        }
        self.count += 1;
        while self.others.remove(&self.from) {
            self.from += 1;
        }
        true
    }
}

/// Which decisions a stream has told. A decision may be stored while a later one is seen already, so those of the last
/// moments are looked at again.
struct Decisions {
    since_ms: i64,
    told: HashMap<String, i64>,
}

impl Decisions {
    fn since(now_ms: i64) -> Self {
        Self {
            since_ms: now_ms - OVERLAP_MS,
            told: HashMap::new(),
        }
    }

    /// Those of `decided` that were not told yet; what has settled before `now_ms` is not looked at again.
    fn fresh_of(&mut self, decided: Vec<Decided>, now_ms: i64) -> Vec<Decided> {
        let fresh: Vec<Decided> = decided
            .into_iter()
            .filter(|decision| self.told.get(&decision.id) != Some(&decision.triaged_at_ms))
            .collect();
        for decision in &fresh {
            self.told
                .insert(decision.id.clone(), decision.triaged_at_ms);
            self.since_ms = self.since_ms.max(decision.triaged_at_ms - OVERLAP_MS);
        }
        self.since_ms = self.since_ms.max(now_ms - SETTLED_MS);
        self.told.retain(|_, at_ms| *at_ms >= self.since_ms);
        fresh
    }
}

fn triage_event(decision: &Decided) -> anyhow::Result<TriageEvent> {
    Ok(TriageEvent {
        result_id: ResultId(decision.id.parse().context("a result's id")?),
        triage_status: triage_of(&decision.triage_status),
        triaged_by: decision.triaged_by.clone(),
    })
}

fn result_event(row: &DoneResult) -> anyhow::Result<ResultEvent> {
    Ok(ResultEvent {
        result_id: ResultId(row.id.parse().context("a result's id")?),
        url: row.url.clone(),
        variant_name: row.variant_name.clone(),
        status: status_of(&row.status),
        outcome: outcome_of(&row.outcome),
        decision: row.decision.as_deref().and_then(view::decision),
        change_group: row.change_group.clone(),
        error_message: row.error_message.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_is_told_once_whatever_their_order() {
        let mut told = Told::default();
        for (position, is_new, from) in [
            (1, true, 0),
            (1, false, 0),
            (0, true, 2),
            (0, false, 2),
            (4, true, 2),
            (3, true, 2),
            (2, true, 5),
            (3, false, 5),
            (5, true, 6),
        ] {
            assert_eq!(told.insert(position), is_new, "{position}");
            assert_eq!(told.from, from, "{position}");
        }
        assert_eq!(told.count, 6);
        assert!(told.others.is_empty());
    }
}
