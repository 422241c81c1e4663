//! Starting a job that the service captures itself: `POST /crawl`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::form::objects_only;
use crate::ids::JobId;

/// The body of `POST /crawl`. It needs `project` or `baseOrigin`, and a `testOrigin` or a `url`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CrawlRequest {
    /// The project to run; it comes to be with its first run. 1–100 letters, digits, `.`, `_`, `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::ProjectName>))]
    pub project: Option<String>,
    /// Promote every successful page when the job completes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve: Option<bool>,
    /// The origin to test, such as `https://staging.example.com`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub test_origin: Option<String>,
    /// One page to check; its origin is the test origin when none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub url: Option<String>,
    /// The sitemap to read pages from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub sitemap_url: Option<String>,
    /// The origin to compare with. Given, the job is `live`: both origins are captured and nothing is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub base_origin: Option<String>,
    /// Device or viewport names; `["Desktop Chrome"]` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::DeviceName>>, max_items = 50))]
    pub devices: Option<Vec<String>>,
    /// Pages to capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<PagePath>>, max_items = 10000))]
    pub paths: Option<Vec<PagePath>>,
    /// Globs over the paths that the sitemap lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Scan>>, max_items = 200))]
    pub scans: Option<Vec<Scan>>,
    /// CSS selectors of what is hidden before capturing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::Selector>>, max_items = 200))]
    pub masks: Option<Vec<String>>,
    /// CSS applied before capturing; at most 4096 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Css>))]
    pub custom_css: Option<String>,
    /// Pages of this job captured at once: 1–20, 4 when absent.
    #[serde(
        default,
        deserialize_with = "crate::whole::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Concurrency>))]
    pub concurrency: Option<u32>,
    /// What the run is about: the change, its commit, what is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
}

/// A page named by its path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub struct PagePath {
    /// Path with query, starting with `/`.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::PathWithQuery))]
    pub path: String,
    /// A name for people.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::Label))]
    pub label: String,
}

/// A glob over the paths of the sitemap: `*` within a segment, `**` across segments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub struct Scan {
    /// The glob, such as `/docs/**`.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::PathGlob))]
    pub pattern: String,
    /// Nullable.
    #[serde(default)]
    pub options: Option<ScanOptions>,
}

/// What narrows a scan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub struct ScanOptions {
    /// At most this many pages of the scan: 1 or more.
    #[serde(
        default,
        deserialize_with = "crate::whole::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295_i64)
    )]
    pub limit: Option<u32>,
    /// Globs that are left out; of all scans of a request at most 2000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::PathGlob>>, max_items = 1000))]
    pub exclude: Option<Vec<String>>,
    /// Settings that this version does not know, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What a run is about; echoed by the job's summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RunContext {
    /// What was changed, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::LongText>))]
    pub change_description: Option<String>,
    /// The commit under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::LongText>))]
    pub git_commit_sha: Option<String>,
    /// Its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::LongText>))]
    pub git_commit_message: Option<String>,
    /// The pull request's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::LongText>))]
    pub pr_title: Option<String>,
    /// The pull request's description; cut to 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pr_description: Option<String>,
    /// Changes that should be seen, one sentence each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::LongText>>, max_items = 100))]
    pub expected_changes: Option<Vec<String>>,
    /// Selectors or component names that the change is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::LongText>>, max_items = 100))]
    pub scope: Option<Vec<String>>,
}

impl RunContext {
    /// What the run is about in one line, the first that there is of the pull request's title, the commit's message and the
    /// description.
    #[must_use]
    pub fn headline(&self) -> Option<&str> {
        [
            &self.pr_title,
            &self.git_commit_message,
            &self.change_description,
        ]
        .into_iter()
        .flatten()
        .filter_map(|text| text.lines().next())
        .find(|line| !line.is_empty())
    }
}

/// The answer of every call that starts a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobStarted {
    /// A sentence for people.
    pub message: String,
    /// The job to follow at `GET /job/{jobId}`.
    pub job_id: JobId,
}

objects_only!(PagePath, Scan, ScanOptions, RunContext);
