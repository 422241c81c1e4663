//! Webhooks: where an organization's events are sent.

use sqlx::any::AnyArguments;
use sqlx::query::QueryAs;
use sqlx::{Any, AnyConnection, AssertSqlSafe, FromRow};

/// A webhook as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct WebhookRow {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// Where events are sent.
    pub url: String,
    /// The events it wants, as JSON.
    pub events: String,
    /// Only jobs of the project with this name.
    pub project_name: Option<String>,
    /// A note for people.
    pub description: Option<String>,
    /// 1 when events are sent.
    pub enabled: i64,
    /// Why the service itself stopped it.
    pub disabled_reason: Option<String>,
    /// Since when every attempt has failed.
    pub failing_since_ms: Option<i64>,
    /// The secret, sealed: see [`crate::vault::Vault`].
    pub secret: String,
    /// The secret before the last rotation, sealed.
    pub former_secret: Option<String>,
    /// Until when that signs too.
    pub former_secret_until_ms: Option<i64>,
    /// A secret before that one which signed still when it came, sealed.
    pub older_secret: Option<String>,
    /// Until when that signs too.
    pub older_secret_until_ms: Option<i64>,
    /// When it was made.
    pub created_at_ms: i64,
    /// When it was last changed.
    pub updated_at_ms: i64,
}

impl WebhookRow {
    /// The former secrets that sign too at this time, sealed, each with its end; the newest first.
    pub fn signing_too(&self, now_ms: i64) -> Vec<(&str, i64)> {
        let former = [
            (&self.former_secret, self.former_secret_until_ms),
            (&self.older_secret, self.older_secret_until_ms),
        ];
        let signing = former.into_iter().filter_map(|(sealed, until_ms)| {
            let until_ms = until_ms.filter(|until_ms| *until_ms > now_ms)?;
            Some((sealed.as_deref()?, until_ms))
        });
        signing.collect()
    }
}

const SELECT: &str = "SELECT id, organization_id, url, events, project_name, description, enabled, disabled_reason, failing_since_ms, \
     secret, former_secret, former_secret_until_ms, older_secret, older_secret_until_ms, created_at_ms, updated_at_ms FROM webhooks";

fn select<'q>(rest: &str) -> QueryAs<'q, Any, WebhookRow, AnyArguments> {
    sqlx::query_as(AssertSqlSafe(format!("{SELECT} {rest}")))
}

/// The organization's webhooks, oldest first. There are no more of them than may be made.
pub async fn list_webhooks(
    db: &mut AnyConnection,
    organization_id: &str,
) -> sqlx::Result<Vec<WebhookRow>> {
    select("WHERE organization_id = $1 ORDER BY id")
        .bind(organization_id)
        .fetch_all(db)
        .await
}

/// The organization's webhooks that events are sent to.
pub async fn list_enabled(
    db: &mut AnyConnection,
    organization_id: &str,
) -> sqlx::Result<Vec<WebhookRow>> {
    select("WHERE organization_id = $1 AND enabled = 1 ORDER BY id")
        .bind(organization_id)
        .fetch_all(db)
        .await
}

/// The organization's webhook with this id.
pub async fn find_webhook(
    db: &mut AnyConnection,
    organization_id: &str,
    id: &str,
) -> sqlx::Result<Option<WebhookRow>> {
    select("WHERE organization_id = $1 AND id = $2")
        .bind(organization_id)
        .bind(id)
        .fetch_optional(db)
        .await
}

/// A webhook by its id, for work that holds the id from a row of its own.
pub async fn get_webhook(db: &mut AnyConnection, id: &str) -> sqlx::Result<Option<WebhookRow>> {
    select("WHERE id = $1").bind(id).fetch_optional(db).await
}

/// Holds the webhook's row until the transaction ends, so that changes come one after the other.
pub async fn lock_webhook(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE webhooks SET enabled = enabled WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Stores a new webhook.
pub async fn insert_webhook(db: &mut AnyConnection, row: &WebhookRow) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO webhooks (id, organization_id, url, events, project_name, description, enabled, secret, created_at_ms, \
         updated_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(&row.id)
    .bind(&row.organization_id)
    .bind(&row.url)
    .bind(&row.events)
    .bind(&row.project_name)
    .bind(&row.description)
    .bind(row.enabled)
    .bind(&row.secret)
    .bind(row.created_at_ms)
    .bind(row.updated_at_ms)
    .execute(db)
    .await
    .map(drop)
}

/// Stores all that may change of a webhook.
pub async fn update_webhook(db: &mut AnyConnection, row: &WebhookRow) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE webhooks SET url = $1, events = $2, project_name = $3, description = $4, enabled = $5, disabled_reason = $6, \
         failing_since_ms = $7, secret = $8, former_secret = $9, former_secret_until_ms = $10, older_secret = $11, \
         older_secret_until_ms = $12, updated_at_ms = $13 WHERE id = $14",
    )
    .bind(&row.url)
    .bind(&row.events)
    .bind(&row.project_name)
    .bind(&row.description)
    .bind(row.enabled)
    .bind(&row.disabled_reason)
    .bind(row.failing_since_ms)
    .bind(&row.secret)
    .bind(&row.former_secret)
    .bind(row.former_secret_until_ms)
    .bind(&row.older_secret)
    .bind(row.older_secret_until_ms)
    .bind(row.updated_at_ms)
    .bind(&row.id)
    .execute(db)
    .await
    .map(drop)
}

/// Remembers since when nothing gets through; none when something did.
pub async fn set_failing_since(
    db: &mut AnyConnection,
    id: &str,
    since_ms: Option<i64>,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE webhooks SET failing_since_ms = $1 WHERE id = $2")
        .bind(since_ms)
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Stops a webhook for a reason that its owner reads.
pub async fn disable_webhook(
    db: &mut AnyConnection,
    id: &str,
    reason: &str,
    now_ms: i64,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE webhooks SET enabled = 0, disabled_reason = $1, updated_at_ms = $2 WHERE id = $3",
    )
    .bind(reason)
    .bind(now_ms)
    .bind(id)
    .execute(db)
    .await
    .map(drop)
}

/// Removes a webhook.
pub async fn delete_webhook(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM webhooks WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}
