//! Webhooks: where the service tells of what happened, and the log of what it sent.

use serde::{Deserialize, Serialize};

use crate::form::words_only;
use crate::ids::{DeliveryId, WebhookId};
use crate::patch::Patch;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub enum WebhookEvent {
    /// A job ended: `COMPLETED`, `APPROVED` or `FAILED`, whoever started it.
    #[serde(rename = "job.completed")]
    JobCompleted,
    /// Somebody decided on pages of a job: one event for each call of `POST /approve`.
    #[serde(rename = "job.triaged")]
    JobTriaged,
    /// Somebody tried the webhook; it cannot be subscribed to.
    #[serde(rename = "webhook.test")]
    WebhookTest,
}

impl WebhookEvent {
    /// Every event.
    pub const ALL: [Self; 3] = [Self::JobCompleted, Self::JobTriaged, Self::WebhookTest];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JobCompleted => "job.completed",
            Self::JobTriaged => "job.triaged",
            Self::WebhookTest => "webhook.test",
        }
    }
}

/// The body of `POST /webhooks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewWebhook {
    /// Where events are sent, by POST: `http` or `https`, a public address unless the operator allows it, at most 2,048
    /// characters.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::PageUrl))]
    pub url: String,
    /// Which events: at least one of `job.completed` and `job.triaged`.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub events: Vec<WebhookEvent>,
    /// Only jobs of this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::ProjectName>))]
    pub project: Option<String>,
    /// A note for people, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Label>))]
    pub description: Option<String>,
}

/// The body of `PUT /webhook/{id}`: what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookUpdate {
    /// As in `POST /webhooks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub url: Option<String>,
    /// As in `POST /webhooks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub events: Option<Vec<WebhookEvent>>,
    /// Only jobs of this project; `null`: of every project.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::ProjectName>))]
    pub project: Patch<String>,
    /// A note for people; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Label>))]
    pub description: Patch<String>,
    /// `false` stops it, what waits to be sent included; `true` starts it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// A webhook as it stands; its secret is never part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub webhook_id: WebhookId,
    /// Where events are sent.
    pub url: String,
    /// Which events.
    pub events: Vec<WebhookEvent>,
    /// Only jobs of this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// A note for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why the service itself stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
    /// Since when every attempt has failed; absent while they succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<String>,
    /// After a rotation: until when a former secret signs too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_secret_until: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
}

/// A webhook with its new secret, which is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookWithSecret {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What events are signed with, as the Standard Webhooks specification writes it.
    #[cfg_attr(
        feature = "openapi",
        schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")
    )]
    pub secret: String,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// An attempt is to come, or under way.
    Pending,
    /// The receiver took it.
    Delivered,
    /// It was given up.
    Failed,
}

impl DeliveryStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its id.
    pub delivery_id: DeliveryId,
    /// The event's id, which is sent as `webhook-id`: the same in every attempt and redelivery.
    pub event_id: String,
    /// What happened.
    pub event: WebhookEvent,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Why it was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Attempts that were begun.
    pub attempt_count: u64,
    /// When the next attempt is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<String>,
    /// What came of each attempt, oldest first. An attempt during which the service died is missing.
    pub attempts: Vec<DeliveryAttempt>,
    /// The body that is sent, as it is signed.
    pub payload: String,
    /// When the event happened, or was sent again.
    pub created_at: String,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// Counts from 1.
    pub number: u64,
    /// When it began.
    pub at: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The status that the receiver answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_code: Option<u16>,
    /// The beginning of what it answered, at most 1,000 characters, without control characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The answer of `GET /webhook/{id}/deliveries`: newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryList {
    /// The deliveries of this page of the list.
    pub deliveries: Vec<Delivery>,
    /// Send it as `before` to read on; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The query of `GET /webhook/{id}/deliveries`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct DeliveryListQuery {
    /// Deliveries on one page of the list: 1–100, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 100)
    )]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub before: Option<String>,
    /// Only deliveries in this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub status: Option<DeliveryStatus>,
}

words_only!(WebhookEvent);
