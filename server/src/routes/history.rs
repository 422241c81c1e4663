//! `GET /project/{name}/history`: one page in one variant through the project's runs.

use anyhow::Context;
use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::history::{
    BaselineAction, BaselineMove, HistoryQuery, PageBaseline, PageHistory, PageRun,
};
use pentimento_api::ids::ResultId;
use sqlx::AnyConnection;
use url::Url;

use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::clock::rfc3339;
use crate::db;
use crate::db::baselines::{BaselineKey, BaselineRow, MoveRow};
use crate::db::results::ResultRow;
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query, entries_limit};
use crate::jobs::checks::{MAX_KEPT_URL_CHARACTERS, check_length, check_variant_name, clip};
use crate::jobs::links::LinkMaker;
use crate::jobs::spec::CaptureConfig;
use crate::jobs::view;
use crate::page_path::path_and_query;

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;

/// Most moves of a baseline that are told with one answer: ten for each of its runs.
const MAX_MOVES: i64 = 1000;

/// Read what became of a page in the project's runs, and how its baseline moved.
#[utoipa::path(
    get, path = "/project/{name}/history", tag = "projects",
    params(("name" = String, Path, description = "The project's name"), HistoryQuery),
    responses(
        (status = 200, description = "The page's runs, newest first", body = PageHistory),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`project_not_found`; `not_found`: no run of the project had this page in this variant", body = ErrorBody),
    )
)]
pub(super) async fn get_history(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(name): PathPart,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<PageHistory>> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    check_length("page", &query.page, MAX_KEPT_URL_CHARACTERS)?;
    check_variant_name(&query.variant_name)?;
    let page = page_key(&query.page)?;
    let mut connection = app.db.read().await?;
    let project =
        db::projects::find_project(&mut connection, &caller.organization_id, &name).await?;
    let project = project.ok_or_else(|| Error::project_not_found(&name))?;
    let key = BaselineKey {
        project_id: &project.id,
        page_key: &page,
        variant_name: &query.variant_name,
    };
    let before = query.before.as_deref().unwrap_or_default();
    // One more than wanted tells whether there are older ones.
    let most = i64::from(limit) + 1;
    let mut rows = db::results::history::list_page_runs(&mut connection, key, before, most).await?;
    let pointer = db::baselines::find_baseline(&mut connection, key).await?;
    // The runs may be gone, and the baseline that one of them made still be there.
    if rows.is_empty() && before.is_empty() && pointer.is_none() {
        return Err(Error::not_found(format!(
            "No run of this project had the page “{}” in the variant “{}”.",
            clip(&page),
            query.variant_name
        )));
    }
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    // A baseline of a former configuration is compared with nothing any more.
    let pointer = pointer.filter(|pointer| pointer.baseline_version == project.baseline_version);
    let config: CaptureConfig =
        serde_json::from_str(&project.config).context("a project's stored configuration")?;
    Ok(Json(PageHistory {
        comparison_mode: config.mode(),
        baseline: match &pointer {
            Some(pointer) => baseline(&mut connection, key, pointer, &links).await?,
            None => None,
        },
        next: rows
            .last()
            .filter(|_| more)
            .map(|oldest| oldest.job_id.clone()),
        runs: runs(&mut connection, key, rows, pointer.as_ref(), &links).await?,
        page,
    }))
}

/// What a page is known by: the path with query of what was sent, a path or an address.
fn page_key(sent: &str) -> Result<String> {
    // Joining would take a path that begins with two slashes for another host.
    let address = if sent.starts_with('/') {
        Url::parse(&format!("http://page.invalid{sent}"))
    } else {
        Url::parse(sent)
    };
    let address = address
        .ok()
        .filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"));
    let url = address.ok_or_else(|| {
        Error::invalid(
            "`page` must be a page's path, such as `/pricing?year=2026`, or its http(s) address.",
        )
    })?;
    Ok(path_and_query(&url))
}

async fn baseline(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    pointer: &BaselineRow,
    links: &LinkMaker,
) -> anyhow::Result<Option<PageBaseline>> {
    let Some(capture_id) = pointer.capture_id.as_deref() else {
        return Ok(None);
    };
    // The pointer may have moved since it was read.
    let last = db::baselines::find_move(db, key, pointer.version).await?;
    let captured = db::results::history::find_captured(db, key, capture_id).await?;
    let Some(last) = last else {
        return Ok(None);
    };
    let result_id = captured.map(|id| id.parse()).transpose();
    let capture = db::captures::get_capture(db, capture_id).await?;
    Ok(Some(PageBaseline {
        moved: baseline_move(&last)?,
        result_id: result_id.context("a result's id")?.map(ResultId),
        captured_at: rfc3339(capture.captured_at_ms),
        thumbnail_url: links.picture(&capture.thumbnail_blob),
    }))
}

/// The page's results, newest first, as runs.
async fn runs(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    rows: Vec<ResultRow>,
    pointer: Option<&BaselineRow>,
    links: &LinkMaker,
) -> anyhow::Result<Vec<PageRun>> {
    let (Some(newest), Some(oldest)) = (rows.first(), rows.last()) else {
        return Ok(Vec::new());
    };
    let jobs = (oldest.job_id.as_str(), newest.job_id.as_str());
    let moves = db::baselines::list_moves(db, key, jobs, MAX_MOVES).await?;
    let baseline = pointer.and_then(|pointer| pointer.capture_id.as_deref());
    let mut runs = Vec::with_capacity(rows.len());
    for mut row in rows {
        let job = match db::jobs::get_job(db, &row.job_id).await {
            // It was removed just now.
            Err(sqlx::Error::RowNotFound) => continue,
            job => job?,
        };
        row.forget_changes();
        let own = (moves.iter()).filter(|one| one.job_id.as_deref() == Some(row.job_id.as_str()));
        runs.push(PageRun {
            job_id: view::job_id(&job)?,
            created_at: rfc3339(job.created_at_ms),
            started_by: job.started_by.clone(),
            run_context: view::run_context(&job)?,
            comparison_mode: job.mode(),
            is_baseline: baseline.is_some() && row.current_capture_id.as_deref() == baseline,
            moves: own.map(baseline_move).collect::<anyhow::Result<_>>()?,
            item: view::result_item(&row, links)?,
        });
    }
    Ok(runs)
}

fn baseline_move(row: &MoveRow) -> anyhow::Result<BaselineMove> {
    let action = BaselineAction::ALL
        .into_iter()
        .find(|action| action.as_str() == row.action);
    Ok(BaselineMove {
        version: u64::try_from(row.version)?,
        action: action.context("a baseline's move")?,
        moved_at: rfc3339(row.moved_at_ms),
        moved_by: row.actor.clone(),
        leaves_none: row.capture_id.is_none(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_path_whatever_was_sent() {
        for (sent, page) in [
            ("/pricing?year=2026", "/pricing?year=2026"),
            ("https://shop.test:8443/pricing#top", "/pricing"),
            ("http://shop.test", "/"),
            ("/ä b", "/%C3%A4%20b"),
            ("/login?next=%2Fhome", "/login?next=%2Fhome"),
            ("//blog/post", "//blog/post"),
            ("http://shop.test//blog/post", "//blog/post"),
        ] {
            assert_eq!(page_key(sent).ok().as_deref(), Some(page), "{sent}");
        }
        for wrong in [
            "",
            "pricing",
            "mailto:ana@shop.test",
            "http://",
            "file:///etc",
        ] {
            assert!(page_key(wrong).is_err(), "{wrong}");
        }
    }
}
