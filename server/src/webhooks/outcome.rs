//! What follows from an attempt: delivered, tried again later, given up, and the end of webhooks that nobody answers for.

use anyhow::Context;
use pentimento_api::webhook::{DeliveryAttempt, DeliveryStatus, WebhookEvent};
use serde_json::json;
use url::Url;
use uuid::Uuid;

use super::attempt::Reply;
use super::view;
use crate::app::App;
use crate::clock::MS_PER_HOUR;
use crate::clock::rfc3339;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::deliveries::DeliveryRow;
use crate::db::webhooks::WebhookRow;

/// Waits between attempts: nine attempts in about a day. Soon at first, for a receiver that restarts; then seldom, for one
/// that somebody must mend.
const WAITS_MS: [i64; 8] = [
    5_000,
    30_000,
    2 * 60_000,
    10 * 60_000,
    MS_PER_HOUR,
    3 * MS_PER_HOUR,
    8 * MS_PER_HOUR,
    12 * MS_PER_HOUR,
];

/// One attempt before the first wait, and one after each.
const MAX_ATTEMPTS: i64 = 9;

/// A wait is longer or shorter by up to a fifth, so that what failed together does not come back together.
const JITTER_FIFTHS: i64 = 5;

/// The longest wait that a receiver can ask for.
const MAX_ASKED_WAIT_MS: i64 = 12 * MS_PER_HOUR;

/// A webhook through which nothing got so long is disabled.
const DISABLED_AFTER_MS: i64 = 5 * 24 * MS_PER_HOUR;

/// The one status by which a receiver says that it wants no more.
const GONE: u16 = 410;

/// What an attempt brought, and when.
#[derive(Debug)]
pub(crate) struct Attempted {
    pub(crate) reply: Reply,
    pub(crate) began_at_ms: i64,
    pub(crate) ended_at_ms: i64,
}

/// Keeps what an attempt brought. An attempt that is not the latest any more changes nothing.
pub(crate) async fn keep(
    app: &App,
    webhook: &WebhookRow,
    delivery: &DeliveryRow,
    attempted: &Attempted,
) -> anyhow::Result<()> {
    let after = after(delivery, attempted)?;
    let now = attempted.ended_at_ms;
    let mut tx = app.db.begin().await?;
    // The webhook first, as in every other transaction that writes both.
    db::webhooks::lock_webhook(&mut tx, &webhook.id).await?;
    let Some(webhook) = db::webhooks::get_webhook(&mut tx, &webhook.id).await? else {
        return Ok(());
    };
    if !db::deliveries::set_attempted(&mut tx, &after.row).await? {
        return Ok(());
    }
    let failing_since = match after.verdict {
        Verdict::Delivered => None,
        _ => Some(webhook.failing_since_ms.unwrap_or(now)),
    };
    if failing_since != webhook.failing_since_ms {
        db::webhooks::set_failing_since(&mut tx, &webhook.id, failing_since).await?;
    }
    let reason = match (after.verdict, failing_since) {
        (Verdict::Gone, _) => Some("The receiver answered 410 Gone: it wants no more events."),
        (Verdict::GivenUp, Some(since)) if now - since >= DISABLED_AFTER_MS => {
            Some("Nothing got through for five days.")
        }
        _ => None,
    };
    if let Some(reason) = reason.filter(|_| webhook.enabled == 1) {
        db::webhooks::disable_webhook(&mut tx, &webhook.id, reason, now).await?;
        db::deliveries::fail_pending(&mut tx, &webhook.id, "The webhook was disabled.").await?;
        let url = Url::parse(&webhook.url).context("a webhook's address")?;
        let host = url.host_str();
        let entry = AuditEntry {
            organization_id: &webhook.organization_id,
            actor: "webhooks",
            action: "webhook.disable",
            subject: &webhook.id,
            detail: json!({ "host": host, "project": webhook.project_name, "reason": reason }),
        };
        db::audit::insert_audit(&mut tx, &entry, now).await?;
        tracing::warn!(webhook = webhook.id, reason, "a webhook is disabled");
    }
    tx.commit().await?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Delivered,
    TriedAgain,
    GivenUp,
    Gone,
}

/// A delivery as an attempt leaves it.
#[derive(Debug)]
struct After {
    row: DeliveryRow,
    verdict: Verdict,
}

fn after(delivery: &DeliveryRow, attempted: &Attempted) -> anyhow::Result<After> {
    let (status_code, answer, error) = match &attempted.reply {
        Reply::Unreached { error } => (None, None, Some(error.clone())),
        Reply::Answered {
            status_code,
            answer,
            retry_after: _,
        } => (
            Some(*status_code),
            Some(answer.clone()).filter(|answer| !answer.is_empty()),
            complaint(*status_code),
        ),
    };
    let verdict = match (&error, status_code) {
        (None, _) => Verdict::Delivered,
        (Some(_), Some(GONE)) => Verdict::Gone,
        (Some(_), _) if delivery.attempts < most_attempts(&delivery.event) => Verdict::TriedAgain,
        (Some(_), _) => Verdict::GivenUp,
    };
    let mut log = view::attempt_log(delivery)?;
    log.push(DeliveryAttempt {
        number: u64::try_from(delivery.attempts).unwrap_or_default(),
        at: rfc3339(attempted.began_at_ms),
        // A clock may be set back while an attempt is under way.
        duration_ms: u64::try_from(attempted.ended_at_ms - attempted.began_at_ms).unwrap_or(0),
        status_code,
        answer,
        error: error.clone(),
    });
    let status = match verdict {
        Verdict::Delivered => DeliveryStatus::Delivered,
        Verdict::TriedAgain => DeliveryStatus::Pending,
        Verdict::GivenUp | Verdict::Gone => DeliveryStatus::Failed,
    };
    let waits = verdict == Verdict::TriedAgain;
    let mut row = delivery.clone();
    status.as_str().clone_into(&mut row.status);
    row.error = error.filter(|_| matches!(verdict, Verdict::GivenUp | Verdict::Gone));
    row.attempt_log = serde_json::to_string(&log).context("a delivery's log")?;
    row.next_attempt_at_ms = waits.then(|| {
        let wait = wait_ms(delivery).max(asked_wait_ms(&attempted.reply));
        attempted.ended_at_ms + wait
    });
    Ok(After { row, verdict })
}

/// Why an answer is no success.
fn complaint(status_code: u16) -> Option<String> {
    match status_code {
        200..=299 => None,
        300..=399 => Some(format!(
            "It answered {status_code}: redirects are not followed. Set the address that it leads to."
        )),
        _ => Some(format!("It answered {status_code}.")),
    }
}

/// Somebody who tries a webhook wants to know now, not tomorrow.
fn most_attempts(event: &str) -> i64 {
    if event == WebhookEvent::WebhookTest.as_str() {
        1
    } else {
        MAX_ATTEMPTS
    }
}

/// The wait that a receiver asked for by `Retry-After`; a longer one of ours stands.
fn asked_wait_ms(reply: &Reply) -> i64 {
    let Reply::Answered {
        retry_after: Some(asked),
        ..
    } = reply
    else {
        return 0;
    };
    i64::try_from(asked.as_millis()).map_or(MAX_ASKED_WAIT_MS, |asked| asked.min(MAX_ASKED_WAIT_MS))
}

/// The wait after a delivery's latest attempt, with a jitter that hangs on the delivery and the attempt alone.
fn wait_ms(delivery: &DeliveryRow) -> i64 {
    let place = usize::try_from(delivery.attempts - 1).unwrap_or_default();
    let wait = WAITS_MS[place.min(WAITS_MS.len() - 1)];
    // The last bytes of such an id are random.
    let random = delivery
        .id
        .parse::<Uuid>()
        .map_or(0, |id| id.as_u64_pair().1);
    let span = 2 * wait / JITTER_FIFTHS;
    let mixed = random.rotate_left(8 * u32::try_from(place).unwrap_or_default()) >> 1;
    wait - span / 2 + i64::try_from(mixed).unwrap_or_default() % (span + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn delivery(attempts: i64, event: WebhookEvent) -> DeliveryRow {
        DeliveryRow {
            id: Uuid::now_v7().to_string(),
            webhook_id: "w".to_owned(),
            event_id: "e".to_owned(),
            event: event.as_str().to_owned(),
            body: "{}".to_owned(),
            status: "pending".to_owned(),
            error: None,
            attempts,
            attempt_log: "[]".to_owned(),
            next_attempt_at_ms: Some(0),
            created_at_ms: 0,
        }
    }

    fn answered(delivery: &DeliveryRow, status_code: u16) -> After {
        asked_to_wait(delivery, status_code, None)
    }

    fn asked_to_wait(delivery: &DeliveryRow, status_code: u16, seconds: Option<u64>) -> After {
        let attempted = Attempted {
            reply: Reply::Answered {
                status_code,
                answer: String::new(),
                retry_after: seconds.map(Duration::from_secs),
            },
            began_at_ms: 1_000,
            ended_at_ms: 1_500,
        };
        after(delivery, &attempted).unwrap()
    }

    #[test]
    fn nine_attempts_are_made_in_about_a_day() {
        let mut total_ms = 0;
        for (attempts, wait) in (1..).zip(WAITS_MS) {
            let delivery = delivery(attempts, WebhookEvent::JobCompleted);
            let after = answered(&delivery, 500);
            assert_eq!(after.verdict, Verdict::TriedAgain);
            let waited = after.row.next_attempt_at_ms.unwrap() - 1_500;
            assert!(
                (waited - wait).abs() <= wait / JITTER_FIFTHS,
                "{waited} of {wait}"
            );
            total_ms += wait;
        }
        assert_eq!(total_ms / MS_PER_HOUR, 24);
        assert_eq!(MAX_ATTEMPTS, i64::try_from(WAITS_MS.len()).unwrap() + 1);
        let last = answered(&delivery(9, WebhookEvent::JobCompleted), 500);
        assert_eq!(last.verdict, Verdict::GivenUp);
        assert_eq!(last.row.error.as_deref(), Some("It answered 500."));
        assert_eq!(last.row.next_attempt_at_ms, None);
    }

    #[test]
    fn a_receiver_is_left_alone_for_as_long_as_it_asks_within_reason() {
        let delivery = delivery(1, WebhookEvent::JobCompleted);
        for (asked, waited) in [
            (0, wait_ms(&delivery)),
            (90, 90_000),
            (3_600, MS_PER_HOUR),
            (u64::MAX, MAX_ASKED_WAIT_MS),
        ] {
            let after = asked_to_wait(&delivery, 429, Some(asked));
            assert_eq!(after.row.next_attempt_at_ms, Some(1_500 + waited));
        }
    }

    #[test]
    fn deliveries_that_failed_together_do_not_come_back_together() {
        let waits: std::collections::BTreeSet<i64> = (0..32)
            .map(|_| wait_ms(&delivery(4, WebhookEvent::JobCompleted)))
            .collect();
        assert!(waits.len() > 28, "{waits:?}");
    }

    #[test]
    fn an_answer_decides_what_comes_next() {
        for (status_code, verdict) in [
            (200, Verdict::Delivered),
            (204, Verdict::Delivered),
            (301, Verdict::TriedAgain),
            (404, Verdict::TriedAgain),
            (410, Verdict::Gone),
            (429, Verdict::TriedAgain),
            (503, Verdict::TriedAgain),
        ] {
            let after = answered(&delivery(1, WebhookEvent::JobTriaged), status_code);
            assert_eq!(after.verdict, verdict, "{status_code}");
        }
        let test = answered(&delivery(1, WebhookEvent::WebhookTest), 500);
        assert_eq!(test.verdict, Verdict::GivenUp);
    }
}
