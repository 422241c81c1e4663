//! The organization's API keys.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::KeyId;
use pentimento_api::keys::{Key, KeyMade, NewKey};
use pentimento_api::rotation::Rotation;

use crate::app::App;
use crate::auth::{Admin, Allowed};
use crate::error::Result;
use crate::extract::{PathPart, SmallBody, SmallOptionalBody};
use crate::keys;

/// List the organization's keys.
///
/// Those that were not revoked come first, then the newest; at most a thousand. Secrets are not stored and never listed.
#[utoipa::path(
    get, path = "/keys", tag = "keys",
    responses(
        (status = 200, description = "The keys", body = Vec<Key>),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
    )
)]
pub(super) async fn list_keys(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
) -> Result<Json<Vec<Key>>> {
    keys::list(&app, &caller).await.map(Json)
}

/// Make a key.
///
/// The answer holds the secret, this once.
#[utoipa::path(
    post, path = "/keys", tag = "keys", request_body = NewKey,
    responses(
        (status = 200, description = "The key and its secret", body = KeyMade),
        (status = 400, description = "A field is wrong: `invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the caller's key lacks the scope `admin`, or one that it would give", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn create_key(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    SmallBody(new): SmallBody<NewKey>,
) -> Result<Json<KeyMade>> {
    keys::create(&app, &caller, new).await.map(Json)
}

/// Revoke a key.
///
/// At once, and every session that was opened with it. Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/key/{keyId}", tag = "keys", params(("keyId" = KeyId, Path, description = "The key's id, never the key itself")),
    responses(
        (status = 204, description = "It is revoked"),
        (status = 400, description = "`invalid_state`: it is the organization's last key with the scope `admin`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn revoke_key(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
) -> Result<StatusCode> {
    keys::revoke(&app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Put a new key in a key's place.
///
/// It has the same name and scopes, and ends, if the old one was to end, after as long a life again; schedules move to it.
/// The old key works until the overlap is over. The answer holds the new secret, this once.
#[utoipa::path(
    post, path = "/key/{keyId}/rotate", tag = "keys", params(("keyId" = KeyId, Path, description = "The key's id, never the key itself")),
    request_body = Rotation,
    responses(
        (status = 200, description = "The new key and its secret", body = KeyMade),
        (status = 400, description = "`invalid_input`; `invalid_state` when the key is dead or was rotated already", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the caller's key lacks the scope `admin`, or one that the new key would have", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn rotate_key(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
    SmallOptionalBody(request): SmallOptionalBody<Rotation>,
) -> Result<Json<KeyMade>> {
    keys::rotate(&app, &caller, &id, request.overlap_hours)
        .await
        .map(Json)
}
