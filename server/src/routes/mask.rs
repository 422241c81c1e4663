//! `POST /result/{resultId}/mask`: what masking a place would leave of a job's changes.

use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::ResultId;
use pentimento_api::mask::{MaskQuestion, MaskTrial};

use super::review::find_result;
use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::error::Result;
use crate::extract::{PathPart, SmallBody};
use crate::masks;

/// Try out a mask before it becomes one of the project's.
///
/// For a place of one of the result's captures, selectors are suggested that would mask it. The first of them, or the one that was
/// sent, is tried out on the changed results of the job: of how many would no change be left? Nothing is captured or stored.
#[utoipa::path(
    post, path = "/result/{resultId}/mask", tag = "review", params(("resultId" = ResultId, Path, description = "The result")),
    request_body = MaskQuestion,
    responses(
        (status = 200, description = "What the mask would do", body = MaskTrial),
        (status = 400, description = "`invalid_input`: nothing or both were asked, or the selector asks for more than captures hold; `invalid_state`: the result has no two documents", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn try_mask(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    PathPart(id): PathPart,
    SmallBody(question): SmallBody<MaskQuestion>,
) -> Result<Json<MaskTrial>> {
    let row = find_result(&mut *app.db.read().await?, &caller, &id).await?;
    masks::try_mask(&app, &row, question).await.map(Json)
}
