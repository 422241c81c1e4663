//! Describing a job anew while somebody waits for it: no longer than clients wait, and one round at a time.

use std::time::Duration;

use anyhow::Context;

use super::{Told, describe};
use crate::app::App;
use crate::db::jobs::JobRow;
use crate::language_model::Which;

/// Longest wait for the model: clients give up after 10 s, and the answer has to be put together too.
const WAIT: Duration = Duration::from_secs(8);

/// What came of describing a job anew.
#[derive(Debug)]
pub(crate) enum Anew {
    /// The model has answered, or its time is up.
    Told(Told),
    /// It goes on without whoever asked; what comes of it is kept as it comes.
    GoesOn,
}

/// Describes the regressions of a job anew. What takes longer than clients wait goes on by itself, within the limits of the
/// model; until then nobody begins another round.
pub(crate) async fn describe_anew(app: &App, job: &JobRow) -> anyhow::Result<Anew> {
    let Some(turn) = app.describing.begin(&job.id) else {
        return Ok(Anew::GoesOn);
    };
    let (app, job) = (app.clone(), job.clone());
    let round = tokio::spawn(async move {
        let _turn = turn;
        let model = (app.language_model.as_ref()).context("no language model is configured")?;
        let told = describe(&app, model, &job, Which::All).await;
        if let Err(error) = &told {
            // Nobody may be there any more to whom it is told.
            tracing::warn!(
                job = job.id,
                error = format!("{error:#}"),
                "a job was not described anew"
            );
        }
        told
    });
    match tokio::time::timeout(WAIT, round).await {
        Ok(ended) => Ok(Anew::Told(ended.context("describing a job")??)),
        Err(_) => Ok(Anew::GoesOn),
    }
}
