//! `POST /ci/job/…`: jobs whose pages the client captures.

use axum::Json;
use axum::extract::State;
use pentimento_api::ci::{
    FinalizeRequest, InitAnswer, InitRequest, UploadUrlAnswer, UploadUrlRequest,
};
use pentimento_api::crawl::JobStarted;
use pentimento_api::error::ErrorBody;

use crate::app::App;
use crate::auth::{Allowed, Run};
use crate::error::Result;
use crate::extract::{Body, SmallBody};
use crate::idempotency::IdempotencyKey;
use crate::jobs::client;
use crate::jobs::links::LinkMaker;

/// Start a client-driven job.
///
/// The client captures the pages itself: ask for links with `POST /ci/job/upload-url`, PUT each page's screenshot and DOM
/// tree to them, and end with `POST /ci/job/finalize`. A job that is not finalized in time is closed as `FAILED`. The
/// project comes to be when there is none; the test origin of one that is there may be another.
#[utoipa::path(
    post, path = "/ci/job/init", tag = "ci", request_body = InitRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "1–255 visible ASCII characters, such as a UUID. The same key, body and address within 24 hours give the first answer again and do nothing twice; with another body it is a 400. Only accepted calls are remembered")),
    responses(
        (status = 200, description = "The job takes uploads", body = InitAnswer),
        (status = 400, description = "A field is wrong: `invalid_input`, `invalid_url`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
        (status = 500, description = "`internal`", body = ErrorBody),
    )
)]
pub(super) async fn init(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    key: IdempotencyKey,
    Body(request): Body<InitRequest>,
) -> Result<Json<InitAnswer>> {
    let call = key.call(&caller, &request)?;
    client::init(&app, &caller, &call, request).await.map(Json)
}

/// Get links to upload one page in one variant.
///
/// May be called many times, in parallel; the same page and variant gives links to the same place, and what is uploaded
/// last counts. At most 10,000 pages × variants a job.
#[utoipa::path(
    post, path = "/ci/job/upload-url", tag = "ci", request_body = UploadUrlRequest,
    responses(
        (status = 200, description = "Where to PUT the screenshot and the DOM tree; both are needed", body = UploadUrlAnswer),
        (status = 400, description = "`invalid_input`, `invalid_url`; `invalid_state` when the job takes no uploads", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
        (status = 500, description = "`internal`", body = ErrorBody),
    )
)]
pub(super) async fn upload_url(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    links: LinkMaker,
    SmallBody(request): SmallBody<UploadUrlRequest>,
) -> Result<Json<UploadUrlAnswer>> {
    client::upload_url(&app, &caller, &links, request)
        .await
        .map(Json)
}

/// Say that all uploads are done, and begin the comparison.
///
/// Answers at once; `GET /job/{jobId}` shows the progress. A page whose screenshot or DOM tree is missing or unreadable
/// ends in `ERROR`, the others go on.
#[utoipa::path(
    post, path = "/ci/job/finalize", tag = "ci", request_body = FinalizeRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "1–255 visible ASCII characters, such as a UUID. The same key, body and address within 24 hours give the first answer again and do nothing twice; with another body it is a 400. Only accepted calls are remembered")),
    responses(
        (status = 200, description = "The comparison has begun", body = JobStarted),
        (status = 400, description = "`invalid_input`; `invalid_state` when the job was finalized already, was closed, or has no upload", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
        (status = 500, description = "`internal`", body = ErrorBody),
    )
)]
pub(super) async fn finalize(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    key: IdempotencyKey,
    SmallBody(request): SmallBody<FinalizeRequest>,
) -> Result<Json<JobStarted>> {
    let call = key.call(&caller, &request)?;
    client::finalize(&app, &caller, &call, request.job_id)
        .await
        .map(Json)
}
