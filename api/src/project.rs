//! Saved project configurations.

use serde::{Deserialize, Serialize};

use crate::crawl::{PagePath, Scan};
use crate::ids::{JobId, KeyId};

/// How a project's captures become baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum BaselinePolicy {
    /// A person approves them.
    Approved,
    /// Each run's captures become the baselines of the next.
    Rolling,
}

/// How often a project runs by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
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
    /// Which changes are expected, and which must not occur.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Label of the tested environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Label of the reference environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_environment: Option<String>,
}
