//! `POST /crawl`: start a job that the service captures itself.

use axum::Json;
use axum::extract::State;
use pentimento_api::crawl::{CrawlRequest, JobStarted};
use pentimento_api::error::ErrorBody;

use crate::app::App;
use crate::auth::{Allowed, Run};
use crate::error::Result;
use crate::extract::Body;
use crate::idempotency::IdempotencyKey;
use crate::jobs::start;

/// Start a job.
///
/// Needs `project` (compare with its stored baselines) or `baseOrigin` (compare two sites now), and a `testOrigin` or a
/// `url`. Pages are the union of `url`, `paths` and what the sitemap holds; with none of them, `/`.
#[utoipa::path(
    post, path = "/crawl", tag = "jobs", request_body = CrawlRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "1–255 visible ASCII characters, such as a UUID. The same key, body and address within 24 hours give the first answer again and do nothing twice; with another body it is a 400. Only accepted calls are remembered")),
    responses(
        (status = 200, description = "The job was accepted", body = JobStarted),
        (status = 400, description = "A field is wrong: `invalid_input`, `invalid_url`, `config_mismatch`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
        (status = 500, description = "`internal`", body = ErrorBody),
    )
)]
pub(super) async fn start_crawl(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    key: IdempotencyKey,
    Body(request): Body<CrawlRequest>,
) -> Result<Json<JobStarted>> {
    let call = key.call(&caller, &request)?;
    start::start_crawl(&app, &caller, &call, request)
        .await
        .map(Json)
}
