//! Signing in to the dashboard: a key is exchanged for a session in an `HttpOnly` cookie.

use axum::Json;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use pentimento_api::error::ErrorBody;
use pentimento_api::session::{Session, SignIn};

use crate::app::App;
use crate::auth::{Caller, SESSION_COOKIE, authenticate_key, refuse_other_sites};
use crate::clock::MS_PER_HOUR;
use crate::db;
use crate::error::Result;
use crate::extract::SmallBody;
use crate::jobs::checks::check_length;
use crate::keys::secret::{hash_secret, random_token};

/// Longest text that is looked up as a key, in characters; keys are much shorter.
const MAX_KEY_CHARACTERS: usize = 1_000;

/// Sign in with a key.
#[utoipa::path(
    post, path = "/session", tag = "session", security(()), request_body = SignIn,
    responses(
        (status = 200, description = "Signed in; the answer sets the session's cookie", body = Session),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: a browser sends this from another site than the dashboard", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn sign_in(
    State(app): State<App>,
    jar: CookieJar,
    extensions: Extensions,
    headers: HeaderMap,
    SmallBody(request): SmallBody<SignIn>,
) -> Result<(CookieJar, Json<Session>)> {
    refuse_other_sites(&app, &headers)?;
    check_length("key", &request.key, MAX_KEY_CHARACTERS)?;
    let caller = authenticate_key(&app, request.key.trim()).await?;
    app.rate_limits.admit(&caller.key_id, &extensions)?;
    let token = random_token()?;
    let now = app.clock.now_ms();
    let hours = i64::from(app.config.session_ttl_hours);
    let mut tx = app.db.begin().await?;
    db::sessions::insert_session(
        &mut tx,
        &hash_secret(&token),
        &caller.key_id,
        now,
        now + hours * MS_PER_HOUR,
    )
    .await?;
    tx.commit().await?;
    let over_https = app
        .config
        .public_url
        .as_ref()
        .is_some_and(|url| url.scheme() == "https");
    let cookie = Cookie::build((SESSION_COOKIE, token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(over_https)
        .max_age(time::Duration::hours(hours))
        .build();
    Ok((jar.add(cookie), Json(session(caller))))
}

/// Who is signed in.
#[utoipa::path(
    get, path = "/session", tag = "session",
    responses((status = 200, description = "The session", body = Session), (status = 401, description = "`unauthorized`", body = ErrorBody))
)]
pub(super) async fn get_session(caller: Caller) -> Json<Session> {
    Json(session(caller))
}

/// Sign out.
#[utoipa::path(delete, path = "/session", tag = "session", security(()), responses((status = 204, description = "Signed out")))]
pub(super) async fn sign_out(
    State(app): State<App>,
    jar: CookieJar,
) -> Result<(StatusCode, CookieJar)> {
    if let Some(cookie) = jar.get(SESSION_COOKIE) {
        let token = hash_secret(cookie.value());
        let now = app.clock.now_ms();
        let key = db::sessions::find_session_key(&mut *app.db.read().await?, &token, now).await?;
        // Anybody may send a cookie, and whoever writes holds up all others who do.
        if key.is_some() {
            let mut tx = app.db.begin().await?;
            db::sessions::delete_session(&mut tx, &token).await?;
            tx.commit().await?;
        }
    }
    let gone = Cookie::build((SESSION_COOKIE, "")).path("/").build();
    Ok((StatusCode::NO_CONTENT, jar.remove(gone)))
}

fn session(caller: Caller) -> Session {
    Session {
        name: caller.name,
        organization: caller.organization_name,
        scopes: caller.scopes,
    }
}
