//! Deciding on captures: `POST /approve`.

use serde::{Deserialize, Serialize};

use crate::form::{objects_only, words_only};
use crate::ids::{JobId, ResultId};
use crate::result::TriageStatus;

/// The body of `POST /approve`: all pages, the changed pages of certain verdicts or of one change (`where`), or one page (`url`
/// and `variantName`). None of these may be `null`, which is no wish for all pages, nor `action` and `seen`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApproveRequest {
    /// The job whose pages are decided.
    #[serde(deserialize_with = "crate::ids::named_job")]
    pub job_id: JobId,
    /// Only changed pages of certain verdicts, or that show the same change.
    #[serde(
        default,
        rename = "where",
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = ApproveFilter))]
    pub filter: Option<ApproveFilter>,
    /// One page.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = String, max_length = 24576))]
    pub url: Option<String>,
    /// Its variant; needed with `url`, and only with it.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = String, max_length = 200))]
    pub variant_name: Option<String>,
    /// What to do; `approve` when absent.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = TriageAction))]
    pub action: Option<TriageAction>,
    /// A note, at most 2000 characters, kept as `triageNote`; an empty one takes away the note that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 2000))]
    pub note: Option<String>,
    /// The decision that the caller has seen. Of one page: when somebody else decided meanwhile, nothing is done and the answer
    /// is `invalid_state`; without it the last decision counts. With `where.changeGroup`: pages that are decided otherwise are
    /// left as they are.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = SeenTriage))]
    pub seen: Option<SeenTriage>,
}

/// The decision on a page as somebody has seen it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SeenTriage {
    /// The page's `triageStatus`.
    pub triage_status: TriageStatus,
    /// Its `triagedBy`, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub triaged_by: Option<String>,
}

/// Which changed pages are decided on; at least one of `decision` and `changeGroup`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ApproveFilter {
    /// Those whose verdict is one of these: `intentional`, `bug`, `noise`, `needs_review`; an unknown word is refused with
    /// `unknown_decision`.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Vec<crate::result::Decision>, min_items = 1)
    )]
    pub decision: Option<Vec<String>>,
    /// Those that show this change: a result's `changeGroup`. They may be rejected as well.
    #[serde(
        default,
        deserialize_with = "crate::form::never_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = String, max_length = 200))]
    pub change_group: Option<String>,
    /// Results of the `changeGroup` that are left as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<ResultId>,
}

/// What a reviewer does with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum TriageAction {
    /// Promote the capture.
    Approve,
    /// Keep the baseline.
    Reject,
    /// Take a decision back: the page is undecided again, and its baseline as it was before.
    Withdraw,
}

impl TriageAction {
    /// A page's triage after this.
    pub fn leads_to(self) -> TriageStatus {
        match self {
            Self::Approve => TriageStatus::Approved,
            Self::Reject => TriageStatus::Rejected,
            Self::Withdraw => TriageStatus::Pending,
        }
    }
}

/// The triage of the pages that a call touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum OverallTriage {
    /// None was decided.
    Pending,
    /// All were approved.
    Approved,
    /// All were rejected.
    Rejected,
    /// Some were decided, some were not.
    Partial,
}

/// The answer of `POST /approve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApproveAnswer {
    /// A sentence for people.
    pub message: String,
    /// The job.
    pub job_id: JobId,
    /// Pages that were approved; 0 when a page was rejected.
    pub approved_urls_count: u64,
    /// Pages that were left as they were.
    pub skipped_urls_count: u64,
    /// Pages whose baseline moved; always empty in a 200.
    pub conflicted_urls: Vec<String>,
    /// The triage of the touched pages.
    pub triage_status: OverallTriage,
}

objects_only!(ApproveFilter, SeenTriage);

words_only!(TriageAction);
