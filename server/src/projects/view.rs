//! Stored projects as they travel.

use anyhow::Context;
use pentimento_api::gate::GateState;
use pentimento_api::project::{
    BaselinePolicy, Project, ProjectAnswer, ProjectListed, ProjectSaved,
};

use super::schedule::schedule_of;
use crate::clock::rfc3339;
use crate::db::projects::ProjectRow;
use crate::error::Result;
use crate::jobs::spec::CaptureConfig;

/// A project as the list shows it.
pub(crate) fn listed(row: &ProjectRow) -> anyhow::Result<ProjectListed> {
    let config: CaptureConfig =
        serde_json::from_str(&row.config).context("a project's configuration")?;
    Ok(ProjectListed {
        name: row.name.clone(),
        test_origin: config.test_origin,
        base_origin: config.base_origin,
        sitemap_url: config.sitemap_url,
        paths: config.paths,
        scans: config.scans,
        devices: config.devices,
        masks: config.masks,
        custom_css: config.custom_css,
        concurrency: config.concurrency,
        created_at: rfc3339(row.created_at_ms),
        updated_at: rfc3339(row.updated_at_ms),
        last_run_at: row.last_run_at_ms.map(rfc3339),
        last_job_id: row.last_job_id.as_deref().and_then(|id| id.parse().ok()),
        baseline_invalidated_at: row.baseline_invalidated_at_ms.map(rfc3339),
        baseline_version: row.baseline_version.clone(),
    })
}

/// A project with all of its settings. Of its credentials it says whether there are any.
pub(crate) fn project(row: &ProjectRow) -> anyhow::Result<Project> {
    let config: CaptureConfig =
        serde_json::from_str(&row.config).context("a project's configuration")?;
    let state =
        |sealed: &Option<String>| sealed.is_some().then_some(GateState { configured: true });
    Ok(Project {
        listed: listed(row)?,
        baseline_policy: match row.baseline_policy.as_str() {
            "rolling" => BaselinePolicy::Rolling,
            _ => BaselinePolicy::Approved,
        },
        schedule: schedule_of(row),
        schedule_hour_utc: row
            .schedule_hour_utc
            .and_then(|hour| u8::try_from(hour).ok()),
        schedule_key_id: row
            .schedule_key_id
            .as_deref()
            .and_then(|id| id.parse().ok()),
        last_scheduled_run_at: row.last_scheduled_run_at_ms.map(rfc3339),
        next_scheduled_run_at: row.next_run_at_ms.map(rfc3339),
        intent: row.intent.clone(),
        environment: row.environment.clone(),
        base_environment: row.base_environment.clone(),
        test_auth: state(&row.test_auth),
        base_auth: state(&row.base_auth),
        ai_summary_threshold: config.ai_summary_threshold(),
        diff_threshold: config.diff_threshold(),
        ai_prompt_instructions: config.ai_prompt_instructions,
        capture_profile: config.capture_profile,
    })
}

/// The answer of a call that saved a project.
pub(crate) fn answer(message: String, row: &ProjectRow) -> Result<ProjectAnswer> {
    let listed = listed(row)?;
    Ok(ProjectAnswer {
        message,
        project: ProjectSaved {
            name: listed.name,
            test_origin: listed.test_origin,
            base_origin: listed.base_origin,
            sitemap_url: listed.sitemap_url,
            baseline_version: listed.baseline_version,
            baseline_invalidated_at: listed.baseline_invalidated_at,
            updated_at: listed.updated_at,
        },
    })
}
