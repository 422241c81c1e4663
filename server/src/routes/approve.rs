//! `POST /approve`: decide on a job's captures.

use anyhow::Context;
use axum::Json;
use axum::extract::State;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest};
use pentimento_api::error::ErrorBody;

use crate::app::App;
use crate::auth::{Allowed, Review};
use crate::error::Result;
use crate::extract::Body;
use crate::triage::{self, Reviewer};

/// Approve or reject captures, or take a decision back.
///
/// `{jobId}` approves every page; with `where` only changed pages whose verdict is listed, or that show the same change; with
/// `url` and `variantName` one page. One page, or all that show a change, may also be rejected, or the decision withdrawn. All of
/// a call happens, or nothing.
///
/// With `where`, pages that were decided otherwise are passed over, so that a rejected one stays rejected; `seen` picks others. Among
/// all pages one that is the same as its baseline counts as approved and hinders no others, even where another job has moved that
/// baseline since; named alone it is then a conflict (409).
#[utoipa::path(
    post, path = "/approve", tag = "review", request_body = ApproveRequest,
    responses(
        (status = 200, description = "What was decided", body = ApproveAnswer),
        (status = 400, description = "`invalid_input`, `where_with_url`, `unknown_decision`; `invalid_state`: the job has not ended, or somebody decided whom `seen` does not know of", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `review`", body = ErrorBody),
        (status = 404, description = "`job_not_found`, or `not_found` for a page or a change", body = ErrorBody),
        (status = 409, description = "`baseline_moved`: nothing was approved", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn approve(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Review>,
    Body(request): Body<ApproveRequest>,
) -> Result<Json<ApproveAnswer>> {
    // Whoever stops waiting does not take back what was asked: the decision goes on by itself.
    let deciding = tokio::spawn(async move {
        let reviewer = Reviewer {
            organization_id: &caller.organization_id,
            name: &caller.name,
        };
        triage::decide(&app, reviewer, request).await
    });
    deciding.await.context("a decision")?.map(Json)
}
