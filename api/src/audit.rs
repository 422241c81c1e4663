//! The audit log: who did what to what, and when.

use serde::{Deserialize, Serialize};

use crate::ids::AuditEntryId;

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Names the entry.
    pub entry_id: AuditEntryId,
    /// When it was done.
    pub at: String,
    /// The name of the key that did it, or what the service calls that part of itself: `schedule`, `retention`, `webhooks`,
    /// `command line`.
    pub actor: String,
    /// What was done: what it is about, a dot, and what became of it, such as `baseline.promote`.
    pub action: String,
    /// The id of what it was done to: of a job, a result, a project, a key or a webhook.
    pub subject: String,
    /// The project that this is, or belonged to, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The figures, which each action has of its own; never a secret.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub detail: serde_json::Map<String, serde_json::Value>,
}

/// The answer of `GET /audit`: newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditList {
    /// The entries of this page of the list.
    pub entries: Vec<AuditEntry>,
    /// Send it as `before` to read on; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What the log is answered as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum AuditFormat {
    /// A page of the list.
    #[default]
    Json,
    /// A file of comma-separated values (RFC 4180) with all entries that are asked for.
    Csv,
}

/// The query of `GET /audit`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct AuditQuery {
    /// Entries on one page of the list: 1–500, 100 when absent. A file has all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 500)
    )]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(
            nullable = false,
            pattern = "^-?[0-9]{1,18}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
        )
    )]
    pub before: Option<String>,
    /// Only this action, such as `key.revoke`, or all that are about one thing, such as `key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, max_length = 100))]
    pub action: Option<String>,
    /// Only what was done by those whose name contains this, whatever its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, max_length = 100))]
    pub actor: Option<String>,
    /// Only what was done to this: an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, max_length = 100))]
    pub subject: Option<String>,
    /// Only what was done at this time or later, as RFC 3339 says times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, format = DateTime))]
    pub from: Option<String>,
    /// Only what was done before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, format = DateTime))]
    pub until: Option<String>,
    /// A page of the list, or a file with all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub format: Option<AuditFormat>,
}
