//! Signing in to the dashboard with a key.

use serde::{Deserialize, Serialize};

use crate::form::words_only;

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum Scope {
    /// Read jobs and projects.
    Read,
    /// Start jobs.
    Run,
    /// Approve and reject.
    Review,
    /// Change projects and keys.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 4] = [Self::Read, Self::Run, Self::Review, Self::Admin];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Review => "review",
            Self::Admin => "admin",
        }
    }
}

/// The body of `POST /session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignIn {
    /// An API key.
    #[cfg_attr(feature = "openapi", schema(max_length = 1000))]
    pub key: String,
}

/// Who is signed in: the answer of `POST /session` and `GET /session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Session {
    /// The key's name, which triage records.
    pub name: String,
    /// The organization's name.
    pub organization: String,
    /// What may be done.
    pub scopes: Vec<Scope>,
}

words_only!(Scope);
