//! Events as they are written down to be sent: in the transaction of what they tell of.
//!
//! After the transaction, [`announce`] has them sent at once; without it the next look finds them.

use anyhow::Context;
use pentimento_api::approve::{ApproveAnswer, TriageAction};
use pentimento_api::summary::RunDecision;
use pentimento_api::webhook::{DeliveryStatus, WebhookEvent};
use pentimento_api::webhook_payload::{
    JobCompleted, JobFacts, JobLinks, JobTriaged, WebhookPayload, WebhookTest,
};
use serde::Serialize;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::app::App;
use crate::clock::rfc3339;
use crate::db;
use crate::db::deliveries::DeliveryRow;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::judged::JudgedCounts;
use crate::db::webhooks::WebhookRow;
use crate::jobs::links::service_base;
use crate::jobs::summary::{self, Unseen};
use crate::jobs::{in_words, view};

/// Longest text of an event, in characters: what a job says may quote all that its run context expected.
const MAX_TEXT_CHARACTERS: usize = 1_000;

/// Has what was written down sent at once.
pub(crate) fn announce(app: &App) {
    app.deliveries_due.notify_one();
}

/// What a job's results come to, as the event of its end tells it.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    overall_score: f64,
    counts: JudgedCounts,
    unseen: Unseen,
    /// Whether the results could be read.
    is_read: bool,
}

impl Tally {
    /// Of results that could not be read: what they come to is for a person to see.
    pub(crate) fn unread() -> Self {
        Self {
            is_read: false,
            // No page is known to be the same; that of no results at all is 100.
            overall_score: 0.0,
            ..Self::of(&[])
        }
    }

    /// What these results of a job come to.
    pub(crate) fn of(results: &[ResultRow]) -> Self {
        Self {
            overall_score: summary::overall_score(results),
            counts: summary::count_judged(results),
            unseen: Unseen::of(results),
            is_read: true,
        }
    }

    /// The same as the database counts it, without the results themselves.
    pub(crate) async fn read(connection: &mut AnyConnection, job_id: &str) -> anyhow::Result<Self> {
        let scores = db::results::judged::list_scores(connection, job_id).await?;
        Ok(Self {
            overall_score: summary::mean_score(&scores),
            counts: db::results::judged::count_judged(connection, job_id).await?,
            unseen: in_words::unseen(connection, job_id).await?,
            is_read: true,
        })
    }
}

/// Writes down that a job ended. What its results come to is read where nobody has done so: on the embedded database whoever
/// else writes waits meanwhile.
pub(crate) async fn job_completed(
    tx: &mut AnyConnection,
    app: &App,
    job_id: &str,
    tally: Option<&Tally>,
) -> anyhow::Result<()> {
    let job = db::jobs::get_job(tx, job_id).await?;
    let webhooks = subscribed(tx, &job, WebhookEvent::JobCompleted).await?;
    if webhooks.is_empty() {
        return Ok(());
    }
    let Tally {
        overall_score,
        counts,
        unseen,
        is_read,
    } = if let Some(tally) = tally {
        tally.clone()
    } else {
        Tally::read(tx, job_id).await?
    };
    let now = app.clock.now_ms();
    let mut assessment = summary::assess_counted(&job, counts, &unseen)?;
    if !is_read {
        assessment.decision = RunDecision::Review;
        assessment.all_accounted_for = false;
        "The results could not be read.".clone_into(&mut assessment.summary);
    }
    assessment.summary = clip(assessment.summary);
    let data = JobCompleted {
        error: job.error.clone().map(clip),
        overall_score,
        execution_time: view::execution_seconds(&job, now),
        intent_assessment: assessment,
        links: links(app, &job),
        job: facts(tx, &job).await?,
    };
    put(tx, &webhooks, WebhookEvent::JobCompleted, data, now).await
}

/// A call of `POST /approve`, for the event that tells of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriageCall<'a> {
    pub(crate) triaged_by: &'a str,
    pub(crate) action: TriageAction,
    /// The page and its variant, when the call was about one.
    pub(crate) page: Option<(&'a str, &'a str)>,
    pub(crate) answer: &'a ApproveAnswer,
}

/// Writes down that somebody decided on pages of a job.
pub(crate) async fn job_triaged(
    tx: &mut AnyConnection,
    app: &App,
    job_id: &str,
    call: TriageCall<'_>,
) -> anyhow::Result<()> {
    let job = db::jobs::get_job(tx, job_id).await?;
    let webhooks = subscribed(tx, &job, WebhookEvent::JobTriaged).await?;
    if webhooks.is_empty() {
        return Ok(());
    }
    let data = JobTriaged {
        triaged_by: call.triaged_by.to_owned(),
        action: call.action,
        url: call.page.map(|(url, _)| url.to_owned()),
        variant_name: call.page.map(|(_, variant)| variant.to_owned()),
        approved_urls_count: call.answer.approved_urls_count,
        skipped_urls_count: call.answer.skipped_urls_count,
        triage_status: call.answer.triage_status,
        links: links(app, &job),
        job: facts(tx, &job).await?,
    };
    let now = app.clock.now_ms();
    put(tx, &webhooks, WebhookEvent::JobTriaged, data, now).await
}

/// Writes down that somebody tries a webhook.
pub(crate) async fn webhook_test(
    tx: &mut AnyConnection,
    webhook: &WebhookRow,
    sent_by: &str,
    now_ms: i64,
) -> anyhow::Result<DeliveryRow> {
    let data = WebhookTest {
        message: "This webhook works.".to_owned(),
        sent_by: sent_by.to_owned(),
    };
    let message = Message::of(WebhookEvent::WebhookTest, data, now_ms)?;
    message.put(tx, &webhook.id, now_ms).await
}

/// Writes an event down once more, under its own id.
pub(crate) async fn again(
    tx: &mut AnyConnection,
    delivery: &DeliveryRow,
    now_ms: i64,
) -> anyhow::Result<DeliveryRow> {
    let message = Message {
        event_id: delivery.event_id.clone(),
        event: delivery.event.clone(),
        body: delivery.body.clone(),
    };
    message.put(tx, &delivery.webhook_id, now_ms).await
}

/// The enabled webhooks that want this event of this job.
async fn subscribed(
    tx: &mut AnyConnection,
    job: &JobRow,
    event: WebhookEvent,
) -> anyhow::Result<Vec<WebhookRow>> {
    let mut webhooks = db::webhooks::list_enabled(tx, &job.organization_id).await?;
    webhooks.retain(|webhook| {
        let of_project = webhook.project_name.is_none() || webhook.project_name == job.project_name;
        of_project && super::view::events(webhook).contains(&event)
    });
    Ok(webhooks)
}

async fn put<T: Serialize>(
    tx: &mut AnyConnection,
    webhooks: &[WebhookRow],
    event: WebhookEvent,
    data: T,
    now_ms: i64,
) -> anyhow::Result<()> {
    let message = Message::of(event, data, now_ms)?;
    for webhook in webhooks {
        message.put(tx, &webhook.id, now_ms).await?;
    }
    Ok(())
}

/// An event as it is sent.
struct Message {
    event_id: String,
    event: String,
    body: String,
}

impl Message {
    fn of<T: Serialize>(event: WebhookEvent, data: T, now_ms: i64) -> anyhow::Result<Self> {
        let id = Uuid::now_v7().to_string();
        let payload = WebhookPayload {
            id: id.clone(),
            event,
            timestamp: rfc3339(now_ms),
            data,
        };
        Ok(Self {
            event_id: id,
            event: event.as_str().to_owned(),
            body: serde_json::to_string(&payload).context("an event")?,
        })
    }

    async fn put(
        &self,
        tx: &mut AnyConnection,
        webhook_id: &str,
        now_ms: i64,
    ) -> anyhow::Result<DeliveryRow> {
        let row = DeliveryRow {
            id: Uuid::now_v7().to_string(),
            webhook_id: webhook_id.to_owned(),
            event_id: self.event_id.clone(),
            event: self.event.clone(),
            body: self.body.clone(),
            status: DeliveryStatus::Pending.as_str().to_owned(),
            error: None,
            attempts: 0,
            attempt_log: "[]".to_owned(),
            next_attempt_at_ms: Some(now_ms),
            created_at_ms: now_ms,
        };
        db::deliveries::insert_delivery(tx, &row).await?;
        Ok(row)
    }
}

async fn facts(tx: &mut AnyConnection, job: &JobRow) -> anyhow::Result<JobFacts> {
    let counts = db::results::lists::count_by_job(tx, std::slice::from_ref(&job.id)).await?;
    let (counts, triage) = counts.get(&job.id).copied().unwrap_or_default();
    Ok(JobFacts {
        job_id: view::job_id(job)?,
        project: job.project_name.clone(),
        status: job.status(),
        comparison_mode: job.mode(),
        environment: job.environment.clone(),
        base_environment: job.base_environment.clone(),
        started_by: job.started_by.clone(),
        counts,
        triage,
    })
}

fn links(app: &App, job: &JobRow) -> JobLinks {
    let base = service_base(app);
    JobLinks {
        dashboard: format!("{base}/app/jobs/{}", job.id),
        summary: format!("{base}/job/{}/summary", job.id),
    }
}

fn clip(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
