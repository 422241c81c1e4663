//! Saved project configurations.

use serde::{Deserialize, Serialize};

use crate::capture::CaptureProfile;
use crate::crawl::{PagePath, RunContext, Scan};
use crate::form::words_only;
use crate::gate::{GateCredential, GateState};
use crate::ids::{JobId, KeyId};
use crate::patch::Patch;

/// How a project's captures become baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum BaselinePolicy {
    /// A person approves them.
    Approved,
    /// Each run's captures become the baselines of the next.
    Rolling,
}

/// How often a project runs by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum Schedule {
    /// Every hour.
    Hourly,
    /// Every day at `scheduleHourUtc`.
    Daily,
    /// Every week at `scheduleHourUtc`.
    Weekly,
}

/// A project as `GET /projects` lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProjectListed {
    /// Its name within the organization.
    pub name: String,
    /// The origin it tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_origin: Option<String>,
    /// The origin it compares with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_origin: Option<String>,
    /// The sitemap it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sitemap_url: Option<String>,
    /// The pages it names.
    #[serde(default)]
    pub paths: Vec<PagePath>,
    /// Globs over its sitemap.
    #[serde(default)]
    pub scans: Vec<Scan>,
    /// Its devices.
    pub devices: Vec<String>,
    /// Its masks.
    #[serde(default)]
    pub masks: Vec<String>,
    /// Its CSS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_css: Option<String>,
    /// Pages captured at once.
    pub concurrency: u32,
    /// When it came to be.
    pub created_at: String,
    /// When its configuration last changed.
    pub updated_at: String,
    /// When it last ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<String>,
    /// Its newest job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_job_id: Option<JobId>,
    /// When its baselines were last invalidated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_invalidated_at: Option<String>,
    /// Changes whenever its baselines are invalidated.
    pub baseline_version: String,
}

/// A project as `GET /project/{name}` shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// What the list shows too.
    #[serde(flatten)]
    pub listed: ProjectListed,
    /// How captures become baselines.
    pub baseline_policy: BaselinePolicy,
    /// How often it runs by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// At which hour, UTC, 0–23.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule_hour_utc: Option<u8>,
    /// With which key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule_key_id: Option<KeyId>,
    /// When it last ran by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_scheduled_run_at: Option<String>,
    /// When it runs by itself next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_scheduled_run_at: Option<String>,
    /// Which changes are expected, and which must not occur.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Label of the tested environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Label of the reference environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_environment: Option<String>,
    /// Whether there is a gate credential for the test origin; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_auth: Option<GateState>,
    /// Whether there is one for the base origin; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_auth: Option<GateState>,
    /// What a language model is told of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_prompt_instructions: Option<String>,
    /// Percentage of changed pixels below which a language model describes nothing, unless the document changed.
    #[serde(default)]
    pub ai_summary_threshold: f64,
    /// Percentage of changed pixels above which a page is changed.
    #[serde(default)]
    pub diff_threshold: f64,
    /// The steps before its pictures are taken.
    #[serde(default)]
    pub capture_profile: CaptureProfile,
}

/// The body of `PUT /project/{name}`: what is left out stays, `null` clears.
///
/// A changed value of `testOrigin`, `baseOrigin`, `sitemapUrl`, `paths`, `scans`, `devices`, `masks`, `customCss`,
/// `testAuth` or `baseAuth` invalidates the baselines; the others never do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProjectUpdate {
    /// The origin to test; it cannot be cleared.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub test_origin: Patch<String>,
    /// The origin to compare with: runs are then `live`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub base_origin: Patch<String>,
    /// The sitemap to read pages from.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub sitemap_url: Patch<String>,
    /// Pages to capture.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<PagePath>>, max_items = 10000))]
    pub paths: Patch<Vec<PagePath>>,
    /// Globs over the paths that the sitemap lists.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Scan>>, max_items = 200))]
    pub scans: Patch<Vec<Scan>>,
    /// Device or viewport names; cleared or empty, `["Desktop Chrome"]`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::DeviceName>>, max_items = 50))]
    pub devices: Patch<Vec<String>>,
    /// CSS selectors of what is hidden before capturing.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::Selector>>, max_items = 200))]
    pub masks: Patch<Vec<String>>,
    /// CSS applied before capturing; at most 4096 characters.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Css>))]
    pub custom_css: Patch<String>,
    /// Pages of a job captured at once: 1–20; cleared, 4.
    #[serde(
        default,
        deserialize_with = "crate::whole::patch",
        skip_serializing_if = "Patch::is_absent"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Concurrency>))]
    pub concurrency: Patch<u32>,
    /// How captures become baselines; cleared, `approved`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<BaselinePolicy>))]
    pub baseline_policy: Patch<BaselinePolicy>,
    /// How often it runs by itself. A project without `baseOrigin` needs `baselinePolicy: rolling` for it. Clearing it
    /// clears `scheduleHourUtc` and `scheduleKeyId` too.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Schedule>))]
    pub schedule: Patch<Schedule>,
    /// At which hour, 0–23; only with `daily` or `weekly`; cleared, 0.
    #[serde(
        default,
        deserialize_with = "crate::whole::patch",
        skip_serializing_if = "Patch::is_absent"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::HourUtc>))]
    pub schedule_hour_utc: Patch<u8>,
    /// The key whose rights scheduled runs have. Left out, the stored one stays, also with another schedule; where none is stored
    /// or it is dead, and a `schedule` is sent, the key that makes this call. Cleared, that one.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<KeyId>))]
    pub schedule_key_id: Patch<String>,
    /// Label of the tested environment; at most 200 characters.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Label>))]
    pub environment: Patch<String>,
    /// Label of the reference environment; at most 200 characters.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Label>))]
    pub base_environment: Patch<String>,
    /// Which changes are expected, and which must not occur; at most 10,000 characters.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::LongText>))]
    pub intent: Patch<String>,
    /// The credential for the gate of the test origin. It is dropped when that origin changes and it is not sent again.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<GateCredential>))]
    pub test_auth: Patch<GateCredential>,
    /// The credential for the gate of the base origin; likewise.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<GateCredential>))]
    pub base_auth: Patch<GateCredential>,
    /// What a language model is told of the project; at most 1000 characters.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 1000))]
    pub ai_prompt_instructions: Patch<String>,
    /// Percentage of changed pixels, 0–100, below which a language model describes nothing, unless the document changed: such a page
    /// is described at any percentage. Cleared, 0.01.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Percentage>))]
    pub ai_summary_threshold: Patch<f64>,
    /// Percentage of changed pixels, 0–100, above which a page is changed; cleared, 0.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Percentage>))]
    pub diff_threshold: Patch<f64>,
    /// The steps before its pictures are taken, as a whole: a step that is left out of it is on. Cleared, all are.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<CaptureProfile>))]
    pub capture_profile: Patch<CaptureProfile>,
}

/// The body of `POST /projects`: `name` and `testOrigin` are needed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewProject {
    /// Its name within the organization: 1–100 letters, digits, `.`, `_`, `-`.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::ProjectName))]
    pub name: String,
    /// Its settings.
    #[serde(flatten)]
    pub settings: ProjectUpdate,
}

/// The answer of every call that saves a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectAnswer {
    /// A sentence for people: what changed, and what follows.
    pub message: String,
    /// The project as it stands.
    pub project: ProjectSaved,
}

/// What tells whether saving a project invalidated its baselines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProjectSaved {
    /// Its name within the organization.
    pub name: String,
    /// The origin it tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_origin: Option<String>,
    /// The origin it compares with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_origin: Option<String>,
    /// The sitemap it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sitemap_url: Option<String>,
    /// Changes whenever its baselines are invalidated.
    pub baseline_version: String,
    /// When its baselines were last invalidated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_invalidated_at: Option<String>,
    /// When its configuration last changed.
    pub updated_at: String,
}

/// The body of `POST /project/{name}/run`, which may be empty. A field that is sent must equal the stored one; what is
/// left out is taken from the project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunRequest {
    /// The origin to test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub test_origin: Option<String>,
    /// The one page of this run, on the project's test origin; without it, all of the project's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub url: Option<String>,
    /// The sitemap to read pages from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub sitemap_url: Option<String>,
    /// The origin to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Origin>))]
    pub base_origin: Option<String>,
    /// Device or viewport names, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::DeviceName>>, max_items = 50))]
    pub devices: Option<Vec<String>>,
    /// Pages, in any order; labels are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<PagePath>>, max_items = 10000))]
    pub paths: Option<Vec<PagePath>>,
    /// Globs, in any order; their options are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Scan>>, max_items = 200))]
    pub scans: Option<Vec<Scan>>,
    /// CSS selectors, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::Selector>>, max_items = 200))]
    pub masks: Option<Vec<String>>,
    /// CSS applied before capturing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Css>))]
    pub custom_css: Option<String>,
    /// Pages captured at once.
    #[serde(
        default,
        deserialize_with = "crate::whole::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Concurrency>))]
    pub concurrency: Option<u32>,
    /// Promote every successful page when the job completes; for this run alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve: Option<bool>,
    /// What the run is about; for this run alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
}

words_only!(BaselinePolicy, Schedule);
