//! `GET /job/{jobId}/report`: the summary as a file.

use std::time::Duration;

use anyhow::Context;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use pentimento_api::error::{ErrorBody, ErrorCode};
use pentimento_api::ids::JobId;
use pentimento_api::review::Outcome;
use pentimento_api::summary::JobSummary;
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};

use super::job::find_job;
use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::clock::rfc3339;
use crate::db;
use crate::db::results::ResultRow;
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query};
use crate::jobs::links::LinkMaker;
use crate::jobs::{summary, whole};
use crate::report::{self, Report};

/// Changed pages whose pictures an HTML report holds, so that it stays a file to send.
const MAX_PICTURED: usize = 60;

/// Longest wait for all of them: those that come later are left out.
const PATIENCE: Duration = Duration::from_secs(20);

/// What to answer with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// `html` when absent.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// A report's format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Html,
    Junit,
    Markdown,
}

/// Read a job's summary as JUnit XML, Markdown, or one self-contained HTML file.
#[utoipa::path(
    get, path = "/job/{jobId}/report", tag = "jobs",
    params(("jobId" = JobId, Path, description = "The job"), Wanted),
    responses(
        (status = 200, description = "The report; in JUnit XML a page that needs a person or is wrong is a failure", content(
            (String = "text/html"), (String = "application/xml"), (String = "text/markdown"),
        )),
        (status = 400, description = "`job_not_completed`; `invalid_input`: an unknown format", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_report(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
    Query(Wanted { format }): Query<Wanted>,
) -> Result<Response> {
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    if !job.status().is_final() {
        return Err(Error::refused(
            ErrorCode::JobNotCompleted,
            format!(
                "The job is {}; its report is there when it is COMPLETED. GET /job/{} shows its progress.",
                job.status, job.id
            ),
        ));
    }
    let results = db::results::lists::list_job_results_in_brief(&mut connection, &job.id).await?;
    let changed: Vec<&ResultRow> = (results.iter())
        .filter(|result| result.outcome() == Outcome::Regression)
        .collect();
    let mut pictures = Vec::new();
    if format == Format::Html {
        for row in changed.iter().take(MAX_PICTURED) {
            let baseline = match &row.baseline_capture_id {
                Some(id) => Some(
                    db::captures::get_capture(&mut connection, id)
                        .await?
                        .thumbnail_blob,
                ),
                None => None,
            };
            pictures.push([baseline, row.thumbnail_blob.clone()]);
        }
    }
    drop(connection);
    let of = |outcome| whole::page_results(&app, &links, &job.id, outcome);
    let summary = JobSummary {
        regressions: of(Outcome::Regression).await?,
        matches: of(Outcome::Match).await?,
        ..summary::summarize(&job, &results, app.clock.now_ms())?
    };
    let report = Report {
        name: name(&job)?,
        created_at: rfc3339(job.created_at_ms),
        job_url: links.page(&format!("/app/jobs/{}", job.id)),
        review_urls: (changed.iter())
            .map(|row| links.page(&format!("/app/review/{}", row.id)))
            .collect(),
        pictures: read_pictures(&app, pictures).await,
        summary,
    };
    let (media_type, extension, content) = match format {
        Format::Html => ("text/html; charset=utf-8", "html", report::html(&report)),
        Format::Markdown => (
            "text/markdown; charset=utf-8",
            "md",
            report::markdown(&report),
        ),
        Format::Junit => {
            let xml = report::junit(&report).context("writing a report")?;
            ("application/xml", "xml", xml)
        }
    };
    let file = format!("inline; filename=\"pentimento-{}.{extension}\"", job.id);
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(
        CONTENT_DISPOSITION,
        HeaderValue::from_str(&file).context("a file's name")?,
    );
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
        ),
    );
    Ok(response)
}

/// The project, else the origin that was tested.
fn name(job: &db::jobs::JobRow) -> anyhow::Result<String> {
    if let Some(name) = &job.project_name {
        return Ok(name.clone());
    }
    let config: serde_json::Value =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let origin = config["testOrigin"].as_str().unwrap_or("a site");
    Ok(origin.to_owned())
}

/// A report is there also when a picture of it is not.
async fn read_pictures(app: &App, blobs: Vec<[Option<String>; 2]>) -> Vec<[Option<Vec<u8>>; 2]> {
    let until = Instant::now() + PATIENCE;
    let read = async |blob: Option<String>| {
        let blob = blob?;
        let reading = timeout_at(until, app.storage.get_named(&blob));
        reading.await.ok()?.ok()
    };
    let mut pictures = Vec::with_capacity(blobs.len());
    for [baseline, current] in blobs {
        pictures.push([read(baseline).await, read(current).await]);
    }
    pictures
}
