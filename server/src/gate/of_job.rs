//! The credentials that a job may use, each bound to its origin.

use std::sync::Arc;

use anyhow::Context;
use url::Url;

use super::{Gate, GateError, Side};
use crate::app::App;
use crate::db;
use crate::db::jobs::JobRow;
use crate::db::projects::ProjectRow;
use crate::jobs::spec::CaptureConfig;

/// The credentials of a job's project for the origins that the job captures.
#[derive(Debug, Default)]
pub struct Gates {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    side: Side,
    origin: String,
    gate: Result<Arc<Gate>, GateError>,
}

impl Gates {
    /// The credentials as they stand now: a job does not pin them, so one that is taken away is used no more. They are
    /// for the origins that the project names; a job on another origin has none.
    ///
    /// # Errors
    /// The database refuses.
    pub async fn of_job(app: &App, job: &JobRow, config: &CaptureConfig) -> anyhow::Result<Self> {
        let Some(project_id) = &job.project_id else {
            return Ok(Self::default());
        };
        let project = db::projects::get_project(&mut *app.db.read().await?, project_id).await?;
        Self::of_project(app, &project, config)
    }

    /// The same for what a project would capture.
    ///
    /// # Errors
    /// The project's stored configuration cannot be read.
    pub(crate) fn of_project(
        app: &App,
        project: &ProjectRow,
        config: &CaptureConfig,
    ) -> anyhow::Result<Self> {
        let saved: CaptureConfig =
            serde_json::from_str(&project.config).context("a project's stored configuration")?;
        let mut entries = Vec::new();
        for side in Side::ALL {
            let (sealed, stored, wanted) = match side {
                Side::Test => (&project.test_auth, &saved.test_origin, &config.test_origin),
                Side::Base => (&project.base_auth, &saved.base_origin, &config.base_origin),
            };
            let (Some(sealed), Some(origin)) = (sealed, wanted) else {
                continue;
            };
            if stored.as_ref() != Some(origin) {
                continue;
            }
            let opened = app.vault.open(&side.place(&project.id), sealed).ok();
            let gate = opened.as_ref().and_then(Gate::from_stored);
            entries.push(Entry {
                side,
                origin: origin.clone(),
                gate: gate.map(Arc::new).ok_or_else(|| GateError {
                    side,
                    project: project.name.clone(),
                }),
            });
        }
        Ok(Self { entries })
    }

    /// The credential for captures of one side.
    ///
    /// # Errors
    /// There is one that cannot be read.
    pub fn of_side(&self, side: Side) -> Result<Option<Arc<Gate>>, GateError> {
        let entry = self.entries.iter().find(|entry| entry.side == side);
        entry.map(|entry| entry.gate.clone()).transpose()
    }

    /// The credential for an address, by its origin.
    ///
    /// # Errors
    /// There is one that cannot be read.
    pub fn of_address(&self, url: &Url) -> Result<Option<Arc<Gate>>, GateError> {
        let origin = url.origin().ascii_serialization();
        let entry = self.entries.iter().find(|entry| entry.origin == origin);
        entry.map(|entry| entry.gate.clone()).transpose()
    }
}
