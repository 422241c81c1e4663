//! Who calls: an API key in a header, or a dashboard session in a cookie.

mod allowed;

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method};
use axum_extra::extract::CookieJar;
use pentimento_api::error::ErrorCode;
use pentimento_api::session::Scope;
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::db;
use crate::db::keys::KeyRow;
use crate::error::{Error, Result};
use crate::keys::secret::hash_secret;

pub(crate) use allowed::{Admin, Allowed, Read, Review, Run};

/// The cookie that carries a session's token.
pub(crate) const SESSION_COOKIE: &str = "pentimento_session";

/// How exact "last used" is: one write a minute and key at most.
const LAST_USED_GRAIN_MS: i64 = 60_000;

/// Uses of keys that are noted at once; more would wait for each other.
static NOTING: Semaphore = Semaphore::const_new(4);

/// How long a call waits for its own use to be noted.
const NOTING_PATIENCE: Duration = Duration::from_millis(500);

/// Whoever made a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key that was used, or that the session was opened with.
    pub key_id: String,
    /// The key's name, which triage records.
    pub name: String,
    /// Whose data may be seen.
    pub organization_id: String,
    /// The organization's name.
    pub organization_name: String,
    /// What may be done.
    pub scopes: Vec<Scope>,
}

impl Caller {
    /// The caller that a key stands for, which must have been found to be alive.
    pub(crate) fn of_key(row: KeyRow) -> Self {
        Self {
            scopes: row.scopes(),
            key_id: row.id,
            name: row.name,
            organization_id: row.organization_id,
            organization_name: row.organization_name,
        }
    }

    /// Refuses the call unless the key has this scope.
    ///
    /// # Errors
    /// 403 that names the scope.
    pub fn need(&self, scope: Scope) -> Result<()> {
        if self.scopes.contains(&scope) {
            return Ok(());
        }
        Err(Error::refused(
            ErrorCode::Forbidden,
            format!(
                "This key lacks the scope `{0}`. Use a key that has it, or have one made with `pentimento keys create --scopes {0},…`.",
                scope.as_str()
            ),
        ))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = authenticate(parts, app).await?;
        app.rate_limits.admit(&caller.key_id, &parts.extensions)?;
        Ok(caller)
    }
}

async fn authenticate(parts: &Parts, app: &App) -> Result<Caller> {
    let jar = CookieJar::from_headers(&parts.headers);
    let session = jar.get(SESSION_COOKIE);
    if let Some(key) = key_of(&parts.headers, session.is_some())? {
        return authenticate_key(app, &key).await;
    }
    let Some(cookie) = session else {
        return Err(unauthorized(
            "Send an API key as `Authorization: Bearer <key>` or `x-api-key: <key>`.",
        ));
    };
    if parts.method != Method::GET
        && parts.method != Method::HEAD
        && !is_same_origin(app, &parts.headers)
    {
        return Err(of_another_site(
            "A signed-in browser may only send changes from the dashboard itself.",
        ));
    }
    authenticate_session(app, cookie.value()).await
}

/// The key in the headers. Clients send both headers at once with the same key; two different ones are refused.
fn key_of(headers: &HeaderMap, has_session: bool) -> Result<Option<String>> {
    let is_bearer = |value: &&HeaderValue| {
        let scheme = value.as_bytes().split(|byte| *byte == b' ').next();
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer"))
    };
    // Beside a key or a session, another scheme is somebody else's: a gateway in front passes its own on, and browsers send it
    // with every request.
    let is_known = has_session || headers.contains_key("x-api-key");
    let authorization = headers.get(AUTHORIZATION);
    let bearer = match authorization.filter(|value| !is_known || is_bearer(value)) {
        None => None,
        Some(value) => {
            let text = value.to_str().unwrap_or_default();
            let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
            if !scheme.eq_ignore_ascii_case("bearer") || token.trim().is_empty() {
                return Err(unauthorized(
                    "The Authorization header must be `Bearer <key>`.",
                ));
            }
            Some(token.trim().to_owned())
        }
    };
    let legacy = headers
        .get("x-api-key")
        .map(|value| value.to_str().unwrap_or_default().trim().to_owned());
    match (bearer, legacy) {
        (Some(bearer), Some(legacy)) if bearer != legacy => Err(unauthorized(
            "`Authorization` and `x-api-key` hold two different keys; send one key.",
        )),
        (bearer, legacy) => Ok(bearer.or(legacy)),
    }
}

/// Resolves a key to its caller.
///
/// # Errors
/// 401 when it is unknown, expired or revoked.
pub(crate) async fn authenticate_key(app: &App, key: &str) -> Result<Caller> {
    let hash = hash_secret(key);
    let row = db::keys::find_key_by_hash(&mut *app.db.read().await?, &hash).await?;
    let genuine = row.filter(|row| bool::from(row.secret_hash.as_bytes().ct_eq(hash.as_bytes())));
    let row = genuine.ok_or_else(|| {
        unauthorized("No key is known by this value; check it, or have a new one made.")
    })?;
    accept(app, row).await
}

async fn authenticate_session(app: &App, token: &str) -> Result<Caller> {
    let ended = || unauthorized("The session has ended; sign in again.");
    let now = app.clock.now_ms();
    let mut connection = app.db.read().await?;
    let key_id = db::sessions::find_session_key(&mut connection, &hash_secret(token), now)
        .await?
        .ok_or_else(ended)?;
    let row = db::keys::find_key(&mut connection, &key_id)
        .await?
        .ok_or_else(ended)?;
    drop(connection);
    accept(app, row).await
}

async fn accept(app: &App, row: KeyRow) -> Result<Caller> {
    let now = app.clock.now_ms();
    if row.revoked_at_ms.is_some() {
        return Err(unauthorized("This key was revoked; have a new one made."));
    }
    if row.expires_at_ms.is_some_and(|end| end <= now) {
        return Err(unauthorized("This key has expired; have a new one made."));
    }
    if row
        .last_used_at_ms
        .is_none_or(|last| last + LAST_USED_GRAIN_MS < now)
    {
        note_use(app, &row.id, now).await;
    }
    Ok(Caller::of_key(row))
}

/// Notes when a key was used. Whoever reads needs no database that can be written, and hardly waits for those who write: what
/// is not noted now the next call notes.
async fn note_use(app: &App, key_id: &str, now: i64) {
    let Ok(turn) = NOTING.try_acquire() else {
        return;
    };
    let (app, key_id) = (app.clone(), key_id.to_owned());
    // A task of its own: a transaction that is begun goes to its end, whoever goes away meanwhile.
    let noting = tokio::spawn(async move {
        let _turn = turn;
        let noted = async {
            let mut tx = app.db.begin().await?;
            db::keys::touch_key(&mut tx, &key_id, now).await?;
            tx.commit().await
        };
        if let Err(error) = noted.await {
            tracing::warn!(%error, "when a key was used could not be noted");
        }
    });
    let _ = tokio::time::timeout(NOTING_PATIENCE, noting).await;
}

/// Refuses what a browser sends from a page of another site, which could otherwise sign its visitors in with a key of its own.
/// Programs send no `Origin`.
///
/// # Errors
/// 403.
pub(crate) fn refuse_other_sites(app: &App, headers: &HeaderMap) -> Result<()> {
    if !headers.contains_key(ORIGIN) || is_same_origin(app, headers) {
        return Ok(());
    }
    Err(of_another_site(
        "A browser may only sign in from the dashboard itself.",
    ))
}

fn of_another_site(rule: &str) -> Error {
    Error::refused(
        ErrorCode::Forbidden,
        format!(
            "{rule} If this is the dashboard, a proxy in front of the service hides its address: set `--public-url` to the address in the browser."
        ),
    )
}

/// Whether a browser sent this from a page of our own: from the host that was asked, or from the public address, which
/// a proxy may hide from us. Browsers put `Origin` on every request that is not a plain GET.
fn is_same_origin(app: &App, headers: &HeaderMap) -> bool {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = header(ORIGIN) else {
        return false;
    };
    let public = app.config.public_url.as_ref();
    let public = public.map(|url| url.origin().ascii_serialization());
    if public.as_deref() == Some(origin) {
        return true;
    }
    let Some((_, authority)) = origin.split_once("://") else {
        return false;
    };
    // Where the public address has TLS, its host without it is another site: anybody on the way may have written that page.
    let is_plain = (public
        .as_deref()
        .and_then(|public| public.strip_prefix("https://")))
    .is_some_and(|public| public.eq_ignore_ascii_case(authority));
    !is_plain && header(HOST).is_some_and(|host| host.eq_ignore_ascii_case(authority))
}

fn unauthorized(message: &str) -> Error {
    Error::refused(ErrorCode::Unauthorized, message)
}
