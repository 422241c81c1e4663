//! Calls that are sent again without being done again: the `Idempotency-Key` header
//! (draft-ietf-httpapi-idempotency-key-header-07, October 2025).
//!
//! A call's name is written in the transaction of what it does. Whoever sends it again while that transaction is open waits
//! for it; when it is rolled back, or its process dies, the name is free.

use anyhow::Context;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;

use crate::app::App;
use crate::auth::Caller;
use crate::clock::MS_PER_HOUR;
use crate::db;
use crate::db::idempotency::{AnsweredCall, CallName};
use crate::error::{Error, Result};

/// The request header.
pub(crate) const HEADER: &str = "idempotency-key";

/// How long answers are kept: a pipeline that is run again the next day means a new job.
const KEPT_MS: i64 = 24 * MS_PER_HOUR;

/// Most characters of a key.
const MAX_CHARACTERS: usize = 255;

/// The key that a request was sent with, if any, and where it was sent to.
pub(crate) struct IdempotencyKey {
    key: Option<String>,
    route: String,
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut sent = parts.headers.get_all(HEADER).iter();
        let key = match (sent.next(), sent.next()) {
            (None, _) => None,
            (Some(one), None) => Some(check(one.as_bytes())?),
            (Some(_), Some(_)) => {
                return Err(Error::invalid(
                    "`Idempotency-Key` was sent more than once; send one.",
                ));
            }
        };
        Ok(Self {
            key,
            route: format!("{} {}", parts.method, parts.uri.path()),
        })
    }
}

fn check(value: &[u8]) -> Result<String> {
    let is_visible = value.iter().all(u8::is_ascii_graphic);
    match std::str::from_utf8(value) {
        Ok(text) if is_visible && (1..=MAX_CHARACTERS).contains(&text.len()) => Ok(text.to_owned()),
        _ => Err(Error::invalid(format!(
            "`Idempotency-Key` must have 1–{MAX_CHARACTERS} visible ASCII characters, such as a UUID."
        ))),
    }
}

impl IdempotencyKey {
    /// The call that this request makes.
    ///
    /// # Errors
    /// The request cannot be written as JSON.
    pub(crate) fn call(self, caller: &Caller, request: &impl Serialize) -> Result<Call> {
        let Some(key) = self.key else {
            return Ok(Call(None));
        };
        // Of the request as it was understood: fields in another order, and fields that are ignored, make no other request.
        let request = serde_json::to_vec(request).context("a request")?;
        Ok(Call(Some(Named {
            organization_id: caller.organization_id.clone(),
            route: self.route,
            key,
            request_hash: hex::encode(Sha256::digest(request)),
        })))
    }
}

/// A call that is done once, when it has a name; without one it is done each time.
pub struct Call(Option<Named>);

struct Named {
    organization_id: String,
    route: String,
    key: String,
    request_hash: String,
}

impl Call {
    /// What the call was answered before. Asked first: what was accepted once may not pass the checks any more.
    ///
    /// # Errors
    /// 400 when the name was used for another request.
    pub(crate) async fn answered<T: DeserializeOwned>(&self, app: &App) -> Result<Option<T>> {
        match &self.0 {
            None => Ok(None),
            Some(named) => {
                let mut connection = app.db.read().await?;
                named.answered(&mut connection, app.clock.now_ms()).await
            }
        }
    }

    /// Takes the call's name in the transaction of what it does, before anything else in it. When another call took it
    /// meanwhile: what that was answered.
    ///
    /// # Errors
    /// 400 when the name was used for another request.
    pub(crate) async fn claim<T: DeserializeOwned>(
        &self,
        tx: &mut AnyConnection,
        now: i64,
    ) -> Result<Option<T>> {
        let Some(named) = &self.0 else {
            return Ok(None);
        };
        let expires_at_ms = now + KEPT_MS;
        let hash = &named.request_hash;
        if db::idempotency::claim_call(tx, &named.name(), hash, now, expires_at_ms).await? {
            return Ok(None);
        }
        let answer = named.answered(tx, now).await?;
        // None only if the other one's answer was swept in this very moment.
        answer.map(Some).ok_or_else(|| {
            Error::invalid_state("This call was being forgotten just now; send it again.")
        })
    }

    /// Keeps the answer, in the transaction in which the name was taken.
    ///
    /// # Errors
    /// The database refuses.
    pub(crate) async fn keep(&self, tx: &mut AnyConnection, answer: &impl Serialize) -> Result<()> {
        let Some(named) = &self.0 else {
            return Ok(());
        };
        let answer = serde_json::to_string(answer).context("an answer")?;
        Ok(db::idempotency::keep_answer(tx, &named.name(), &answer).await?)
    }
}

impl Named {
    fn name(&self) -> CallName<'_> {
        CallName {
            organization_id: &self.organization_id,
            route: &self.route,
            idempotency_key: &self.key,
        }
    }

    async fn answered<T: DeserializeOwned>(
        &self,
        db: &mut AnyConnection,
        now: i64,
    ) -> Result<Option<T>> {
        let found = db::idempotency::find_answered(db, &self.name(), now).await?;
        let Some(AnsweredCall {
            request_hash,
            answer,
        }) = found
        else {
            return Ok(None);
        };
        if request_hash != self.request_hash {
            return Err(Error::invalid(
                "`Idempotency-Key` was used for a call with another body in the last 24 hours; send a new key with a new call.",
            ));
        }
        Ok(Some(
            serde_json::from_str(&answer).context("a stored answer")?,
        ))
    }
}
