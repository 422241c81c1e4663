//! Identifiers as they travel: UUIDs (version 7), one type for each thing they name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
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

id! {
    /// Names a job: one run over the pages of a site.
    JobId
}
id! {
    /// Names a result: one page in one variant within a job.
    ResultId
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
