//! `GET /job/{jobId}/results` and `GET /result/{resultId}`: what the review screens read.

use anyhow::Context;
use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultList, ResultListQuery, ReviewItem};
use sqlx::AnyConnection;

use super::job::find_job;
use crate::agreement::StoredDisagreement;
use crate::app::App;
use crate::auth::{Allowed, Caller, Read};
use crate::db;
use crate::db::results::ResultRow;
use crate::db::results::lists::ResultFilter;
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query, entries_limit};
use crate::jobs::checks::{MAX_GROUP_CHARACTERS, check_length};
use crate::jobs::links::LinkMaker;
use crate::jobs::view::{self, ApartRow};
use crate::triage;

const DEFAULT_LIMIT: u32 = 100;
const MAX_LIMIT: u32 = 500;
const MAX_NEEDLE_CHARACTERS: usize = 200;
/// Most digits of a place in a job.
const MAX_PLACE_DIGITS: usize = 9;

/// List a job's results by the page, filtered.
#[utoipa::path(
    get, path = "/job/{jobId}/results", tag = "review",
    params(("jobId" = JobId, Path, description = "The job"), ResultListQuery),
    responses(
        (status = 200, description = "One page of the list", body = ResultList),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn list_results(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
    Query(query): Query<ResultListQuery>,
) -> Result<Json<ResultList>> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let after = match &query.after {
        Some(after) => place(after)?,
        None => -1,
    };
    if let Some(group) = &query.change_group {
        check_length("changeGroup", group, MAX_GROUP_CHARACTERS)?;
    }
    let filter = ResultFilter {
        after,
        outcome: query.outcome.map_or("", Outcome::as_str),
        triage: query.triage.map_or("", TriageStatus::as_str),
        unstable: match query.unstable {
            None => "",
            Some(true) => "1",
            Some(false) => "0",
        },
        change_group: query.change_group.as_deref().unwrap_or_default(),
        needle: query
            .q
            .unwrap_or_default()
            .chars()
            .take(MAX_NEEDLE_CHARACTERS)
            .collect(),
        limit: i64::from(limit) + 1,
    };
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    let mut rows = db::results::lists::list_results(&mut connection, &job.id, &filter).await?;
    let total = db::results::lists::count_results(&mut connection, &job.id, &filter).await?;
    let counts =
        db::results::lists::count_by_job(&mut connection, std::slice::from_ref(&job.id)).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    if query.brief == Some(true) {
        rows.iter_mut().for_each(ResultRow::forget_changes);
    }
    let item = if query.crops == Some(true) {
        view::result_item_with_crops
    } else {
        view::result_item
    };
    Ok(Json(ResultList {
        next: if more {
            rows.last().map(|row| row.position.to_string())
        } else {
            None
        },
        results: rows
            .iter()
            .map(|row| item(row, &links))
            .collect::<anyhow::Result<_>>()?,
        counts: counts.get(&job.id).copied().unwrap_or_default().0,
        total: u64::try_from(total).unwrap_or(0),
    }))
}

/// The place that a page of the list ended with.
fn place(sent: &str) -> Result<i64> {
    let is_place = sent.len() <= MAX_PLACE_DIGITS && sent.bytes().all(|byte| byte.is_ascii_digit());
    let place = sent.parse().ok().filter(|_| is_place);
    place.ok_or_else(|| Error::invalid("`after` must be the `next` of the page before."))
}

/// Read one result with all that a review page shows.
#[utoipa::path(
    get, path = "/result/{resultId}", tag = "review", params(("resultId" = ResultId, Path, description = "The result")),
    responses(
        (status = 200, description = "The result", body = ReviewItem),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_result(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
) -> Result<Json<ReviewItem>> {
    let mut connection = app.db.read().await?;
    let row = find_result(&mut connection, &caller, &id).await?;
    // It may have been removed since.
    let job = db::jobs::find_job(&mut connection, &caller.organization_id, &row.job_id).await?;
    let job = job.ok_or_else(missing)?;
    let current = match &row.current_capture_id {
        Some(id) => Some(db::captures::get_capture(&mut connection, id).await?),
        None => None,
    };
    let baseline = match &row.baseline_capture_id {
        Some(id) => Some(db::captures::get_capture(&mut connection, id).await?),
        None => None,
    };
    let apart = find_apart(&mut connection, &row).await?;
    let out_of_date = triage::is_out_of_date(&mut connection, &job, &row).await?;
    let item = view::review_item(
        &row,
        &job,
        current.as_ref(),
        baseline.as_ref(),
        &apart,
        &links,
    )?;
    Ok(Json(ReviewItem {
        out_of_date,
        ..item
    }))
}

fn missing() -> Error {
    Error::not_found("No result has this id in your organization.")
}

/// The caller's result with this id.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn find_result(
    connection: &mut AnyConnection,
    caller: &Caller,
    id: &str,
) -> Result<ResultRow> {
    let id: ResultId = id.parse().map_err(|_| missing())?;
    db::results::find_result(connection, &caller.organization_id, &id.to_string())
        .await?
        .ok_or_else(missing)
}

/// The captures of an unstable page that do not agree.
async fn find_apart(db: &mut AnyConnection, row: &ResultRow) -> anyhow::Result<Vec<ApartRow>> {
    let Some(json) = &row.disagreements else {
        return Ok(Vec::new());
    };
    let stored: Vec<StoredDisagreement> =
        serde_json::from_str(json).context("a result's disagreements")?;
    let mut apart = Vec::with_capacity(stored.len());
    for stored in stored {
        apart.push(ApartRow {
            kept: db::captures::get_capture(db, &stored.kept_capture_id).await?,
            other: db::captures::get_capture(db, &stored.other_capture_id).await?,
            stored,
        });
    }
    Ok(apart)
}
