//! `GET /job/{jobId}/groups`: the changes of a job, each with the pages that show it.

use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::groups::{ChangeGroup, GroupList, GroupListQuery};
use pentimento_api::ids::JobId;

use super::job::find_job;
use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::db;
use crate::error::Result;
use crate::extract::{PathPart, Query, entries_limit};
use crate::jobs::links::LinkMaker;
use crate::jobs::view;

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;

/// List the changes of a job, each with how many pages show it.
///
/// One decision settles all pages of a change: `POST /approve` with `where.changeGroup`.
#[utoipa::path(
    get, path = "/job/{jobId}/groups", tag = "review",
    params(("jobId" = JobId, Path, description = "The job"), GroupListQuery),
    responses(
        (status = 200, description = "The changes", body = GroupList),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn list_groups(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
    Query(query): Query<GroupListQuery>,
) -> Result<Json<GroupList>> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    let groups =
        db::results::groups::list_groups(&mut connection, &job.id, i64::from(limit)).await?;
    let total = db::results::groups::count_groups(&mut connection, &job.id).await?;
    let view = groups.into_iter().map(|group| {
        Ok(ChangeGroup {
            change_group: group.change_group,
            triage: group.triage,
            example: view::result_item_with_crops(&group.example, &links)?,
        })
    });
    Ok(Json(GroupList {
        groups: view.collect::<anyhow::Result<_>>()?,
        total: u64::try_from(total).unwrap_or(0),
    }))
}
