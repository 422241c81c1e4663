//! Identifiers as they travel: UUIDs (version 7), one type for each thing they name.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

/// Longest text that is taken for somebody's idea of an id, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Reads the id of a job that a request names. A line of text that is no UUID names no job, just as an unknown UUID: it
/// becomes the nil one, which no job has, so that both are answered alike.
pub(crate) fn named_job<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JobId, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.parse() {
        Ok(id) => Ok(id),
        Err(error) if text.len() > MAX_NAME_BYTES || text.contains(char::is_control) => {
            Err(D::Error::custom(error))
        }
        Err(_) => Ok(JobId(Uuid::nil())),
    }
}

id! {
    /// Names a job: one run over the pages of a site.
    JobId
}
id! {
    /// Names a result: one page in one variant within a job.
    ResultId
}
id! {
    /// Names an entry of the audit log.
    AuditEntryId
}
id! {
    /// Names an API key; the key itself is a secret and never an id.
    KeyId
}
id! {
    /// Names a webhook.
    WebhookId
}
id! {
    /// Names one event on its way to one webhook.
    DeliveryId
}
