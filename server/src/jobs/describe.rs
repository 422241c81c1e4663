//! Having a language model describe the changed results of a job, and keeping what is used of its answers.

pub mod anew;
pub mod under_way;

use std::collections::{BTreeMap, HashMap};

use anyhow::Context;
use pentimento_api::result::ServiceSummary;

use super::spec::CaptureConfig;
use super::{summary, view};
use crate::app::App;
use crate::db;
use crate::db::jobs::JobRow;
use crate::db::results::described::MeasuredRow;
use crate::language_model::{Described, IntentTexts, LanguageModel, Refusal, Reply, Which};
use crate::verdict::Fact;

/// Descriptions that are kept in one transaction: on the embedded database whoever else writes waits for so many.
const KEPT_AT_ONCE: usize = 200;

/// What came of describing a job.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Results that are described now.
    pub(crate) described: usize,
    /// Results that had nothing to ask about.
    pub(crate) not_asked: usize,
    /// Results that stand as they did, by the reason.
    pub(crate) refused: BTreeMap<Refusal, usize>,
}

/// Describes the changed results of a job. No transaction is open while the model is asked.
pub(crate) async fn describe(
    app: &App,
    model: &LanguageModel,
    job: &JobRow,
    which: Which,
) -> anyhow::Result<Told> {
    let mut connection = app.db.read().await?;
    let rows = db::results::described::list_measured(&mut connection, &job.id).await?;
    drop(connection);
    let facts = rows
        .iter()
        .map(facts_of)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let config: CaptureConfig =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let (project, run) = (job.intent.clone(), view::run_context(job)?);
    // Long texts take a thread for a while.
    let read = move || IntentTexts::of(project.as_deref(), run.as_ref());
    let intent = tokio::task::spawn_blocking(read)
        .await
        .context("reading an intent")?
        .with_instructions(config.ai_prompt_instructions);
    let replies = model
        .ask_about(&facts, &intent, which, &app.metrics)
        .await?;
    let mut told = Told::default();
    let mut kept = Vec::new();
    for ((row, facts), reply) in rows.iter().zip(&facts).zip(&replies) {
        match reply {
            Reply::NotAsked => told.not_asked += 1,
            Reply::Refused(refusal) => *told.refused.entry(*refusal).or_default() += 1,
            Reply::Answered(answers) => {
                let measured: Vec<ServiceSummary> =
                    serde_json::from_str(&row.findings).context("a result's findings")?;
                let now = app.clock.now_ms();
                let described = Described::of(&measured, facts, answers, model.name(), now);
                kept.push((&row.id, described));
            }
        }
    }
    told.described = kept.len();
    if !kept.is_empty() {
        keep(app, job, &kept).await?;
    }
    Ok(told)
}

/// Keeps descriptions. The run in words counts their decisions: of a job that has ended both are kept in one transaction; one
/// that has not gets its words later, from whatever was kept.
async fn keep(app: &App, job: &JobRow, kept: &[(&String, Described)]) -> anyhow::Result<()> {
    let is_final = job.status().is_final();
    // Before the transaction: of thousands of results only the decisions are read in it, which alone may have changed since.
    let mut results = Vec::new();
    if is_final {
        let mut connection = app.db.read().await?;
        results = db::results::lists::list_job_results_in_brief(&mut connection, &job.id).await?;
    }
    let at_once = if is_final { kept.len() } else { KEPT_AT_ONCE };
    for slice in kept.chunks(at_once.max(1)) {
        let mut tx = app.db.begin().await?;
        db::jobs::lock_job(&mut tx, &job.id).await?;
        for (id, described) in slice {
            let json = serde_json::to_string(described)?;
            let decision = described.verdict.decision.as_str();
            db::results::described::set_described(&mut tx, id, &json, decision).await?;
        }
        if is_final {
            let decisions = db::results::judged::list_decisions(&mut tx, &job.id).await?;
            let mut decisions: HashMap<_, _> = decisions.into_iter().collect();
            for result in &mut results {
                if let Some(decision) = decisions.remove(&result.id) {
                    result.decision = decision;
                }
            }
            let words = summary::words(job, &results);
            db::jobs::set_run_summary(&mut tx, &job.id, &words).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// The facts of a result; none when it was compared before there were any.
fn facts_of(row: &MeasuredRow) -> anyhow::Result<Vec<Fact>> {
    match &row.facts {
        Some(json) => serde_json::from_str(json).context("a result's facts"),
        None => Ok(Vec::new()),
    }
}
