//! `GET /audit`: the audit log.

use anyhow::Context;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use pentimento_api::audit::{AuditFormat, AuditList, AuditQuery};
use pentimento_api::error::ErrorBody;

use crate::app::App;
use crate::audit;
use crate::auth::{Admin, Allowed};
use crate::clock::rfc3339;
use crate::error::Result;
use crate::extract::Query;

/// Read the audit log, newest first.
///
/// Every start of a job, decision, move of a baseline, change of a project, key or webhook, and every address that a captured page was
/// refused. As `csv` it is a file with all entries that are asked for.
#[utoipa::path(
    get, path = "/audit", tag = "audit", params(AuditQuery),
    responses(
        (status = 200, description = "One page of the log, or all of it as a file", content(
            (AuditList = "application/json"), (String = "text/csv"),
        )),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
    )
)]
pub(super) async fn get_audit(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    Query(query): Query<AuditQuery>,
) -> Result<Response> {
    match query.format.unwrap_or_default() {
        AuditFormat::Json => {
            let list = audit::list(&app, &caller, &query).await?;
            Ok(Json(list).into_response())
        }
        AuditFormat::Csv => {
            let filter = audit::filter(&query)?;
            let day = rfc3339(app.clock.now_ms())[..10].to_owned();
            let name = format!("attachment; filename=\"pentimento-audit-{day}.csv\"");
            let name = HeaderValue::from_str(&name).context("a file's name")?;
            let lines = audit::stream(app, caller.organization_id, filter);
            let headers = [
                (
                    CONTENT_TYPE,
                    HeaderValue::from_static("text/csv; charset=utf-8"),
                ),
                (CONTENT_DISPOSITION, name),
            ];
            Ok((headers, Body::from_stream(lines)).into_response())
        }
    }
}
