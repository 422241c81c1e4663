//! `POST /job/{jobId}/ai-summary`: have the language model describe the regressions of a job anew.

use axum::Json;
use axum::extract::State;
use pentimento_api::ai_summary::{AiSummary, DescribedPage};
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::JobId;
use pentimento_api::review::Outcome;

use super::job::{check_final, find_job};
use crate::app::App;
use crate::auth::{Allowed, Review};
use crate::error::Result;
use crate::extract::PathPart;
use crate::jobs::describe::Told;
use crate::jobs::describe::anew::{Anew, describe_anew};
use crate::jobs::links::LinkMaker;
use crate::jobs::{view, whole};

/// Describe the regressions of a completed job anew.
///
/// The language model words every finding once more and judges those that the rules leave open, within the operator's
/// limits; what people decided stays. The answer comes when the model has answered or its time is up, and after 8 s in any
/// case: then the model goes on, `message` says so, and the findings are described when it has answered. Without a language
/// model the findings come as they are, and `message` says that.
#[utoipa::path(
    post, path = "/job/{jobId}/ai-summary", tag = "jobs", params(("jobId" = JobId, Path, description = "The job")),
    responses(
        (status = 200, description = "The findings of every regression as they stand now", body = AiSummary),
        (status = 400, description = "`job_not_completed`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `review`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn describe_job(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Review>,
    links: LinkMaker,
    PathPart(id): PathPart,
) -> Result<Json<AiSummary>> {
    // It may move open verdicts, as a person's review does.
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    drop(connection);
    check_final(&job)?;
    let message = match &app.language_model {
        Some(model) => match describe_anew(&app, &job).await? {
            Anew::Told(told) => in_words(&told, model.name()),
            Anew::GoesOn => goes_on(model.name()),
        },
        None => "No language model is configured, so these are the measured sentences. The operator turns one on with --language-model-url and --language-model.".to_owned(),
    };
    let regressions = whole::page_results(&app, &links, &job.id, Outcome::Regression).await?;
    let summaries = regressions.into_iter().map(|page| DescribedPage {
        url: page.url,
        variant_name: page.variant_name,
        service_summary: page.service_summary,
        regressionbot_summary: page.regressionbot_summary,
    });
    Ok(Json(AiSummary {
        message,
        job_id: view::job_id(&job)?,
        summaries: summaries.collect(),
    }))
}

fn goes_on(model: &str) -> String {
    format!(
        "The language model {model} is still at work, so these are the findings as they stand. Read them again in a while; they are kept as they come."
    )
}

/// How many regressions were described, and why others were not.
fn in_words(told: &Told, model: &str) -> String {
    let refused: usize = told.refused.values().sum();
    let all = told.described + told.not_asked + refused;
    if all == 0 {
        return "The job has no regressions, so there is nothing to describe.".to_owned();
    }
    let mut sentences = vec![format!(
        "The language model {model} described {} of {all} {}.",
        told.described,
        if all == 1 {
            "regression"
        } else {
            "regressions"
        }
    )];
    if refused > 0 {
        let reasons = told.refused.iter();
        let reasons: Vec<String> = reasons
            .map(|(refusal, count)| format!("{refusal} ({count})"))
            .collect();
        sentences.push(format!(
            "{refused} {} as before: {}.",
            if refused == 1 { "stands" } else { "stand" },
            reasons.join("; ")
        ));
    }
    if told.not_asked > 0 {
        sentences.push(format!(
            "{} had nothing to ask about; run the job again if an earlier version of the service compared it.",
            told.not_asked
        ));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language_model::Refusal;

    #[test]
    fn refusals_are_told_with_their_reasons() {
        let mut told = Told::default();
        assert_eq!(
            in_words(&told, "small"),
            "The job has no regressions, so there is nothing to describe."
        );
        told.described = 3;
        assert_eq!(
            in_words(&told, "small"),
            "The language model small described 3 of 3 regressions."
        );
        told.refused.insert(Refusal::TimedOut, 2);
        told.refused.insert(Refusal::Status(500), 1);
        assert_eq!(
            in_words(&told, "small"),
            "The language model small described 3 of 6 regressions. 3 stand as before: it did not answer in time (2); it answered with status 500 (1)."
        );
    }
}
