//! Request bodies and queries, with errors that name the field.

use std::time::Duration;

use axum::body::{BodyDataStream, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use futures::StreamExt;
use pentimento_api::error::ErrorCode;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::Error;

/// A JSON body. Unknown fields are ignored; a wrong type is a 400 that names the field.
pub(crate) struct Body<T>(pub(crate) T);

/// Longest wait for a body to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// How much of a too large body is read and thrown away.
const DRAINED_BYTES: usize = 16 * 1024 * 1024;

/// Most bytes of a body that names one thing and holds no list.
const SMALL_BODY_BYTES: usize = 64 * 1024;

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        parse_json(&body_bytes(request, list_limit(app)).await?).map(Self)
    }
}

/// The same for a call that names one thing and holds no list: at most 64 KiB.
pub(crate) struct SmallBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for SmallBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        parse_json(&body_bytes(request, small_limit(app)).await?).map(Self)
    }
}

/// The same, and it may be empty, which is an object without fields.
pub(crate) struct SmallOptionalBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for SmallOptionalBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        parse_optional(&body_bytes(request, small_limit(app)).await?).map(Self)
    }
}

/// A JSON body that may be empty, which is an object without fields.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for OptionalBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        parse_optional(&body_bytes(request, list_limit(app)).await?).map(Self)
    }
}

/// A JSON object that is read as two types, each of which ignores the fields of the other. One type with the other
/// flattened into it would lose the names of fields with a wrong value.
pub(crate) struct BodyInTwo<A, B>(pub(crate) A, pub(crate) B);

impl<A: DeserializeOwned, B: DeserializeOwned> FromRequest<App> for BodyInTwo<A, B> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let bytes = body_bytes(request, list_limit(app)).await?;
        Ok(Self(parse_json(&bytes)?, parse_json(&bytes)?))
    }
}

/// The limit of calls that may hold lists, in bytes.
fn list_limit(app: &App) -> usize {
    app.config.max_body_kib as usize * 1024
}

/// The limit of calls that hold no list, in bytes.
fn small_limit(app: &App) -> usize {
    list_limit(app).min(SMALL_BODY_BYTES)
}

async fn body_bytes(request: Request, limit: usize) -> Result<Vec<u8>, Error> {
    let reading = tokio::time::timeout(BODY_DEADLINE, read_body(request, limit)).await;
    reading.unwrap_or_else(|_| {
        Err(Error::invalid(
            "The body did not arrive in time; send it again.",
        ))
    })
}

/// Reads a body up to its limit. One that says beforehand that it is longer is not begun.
async fn read_body(request: Request, limit: usize) -> Result<Vec<u8>, Error> {
    let body = request.into_body();
    let is_declared_too_large = body.size_hint().lower() > limit as u64;
    let mut chunks = body.into_data_stream();
    if is_declared_too_large {
        drain(chunks);
        return Err(too_large(limit));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk
            .map_err(|_| Error::invalid("The body could not be read whole; send it again."))?;
        if bytes.len() + chunk.len() > limit {
            drain(chunks);
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Goes on reading a refused body within bounds and throws it away, beside the answer: whoever writes the whole body
/// before reading would find the connection closed instead.
fn drain(mut chunks: BodyDataStream) {
    tokio::spawn(async move {
        let draining = async {
            let mut total = 0;
            while let Some(Ok(chunk)) = chunks.next().await {
                total += chunk.len();
                if total > DRAINED_BYTES {
                    break;
                }
            }
        };
        // Whoever is slower than this hears nothing.
        let _ = tokio::time::timeout(BODY_DEADLINE, draining).await;
    });
}

fn too_large(limit: usize) -> Error {
    Error::refused(
        ErrorCode::PayloadTooLarge,
        format!(
            "The body is larger than the {} KiB that this call takes; send fewer entries at once.",
            limit / 1024
        ),
    )
}

fn parse_optional<T: DeserializeOwned + Default>(bytes: &[u8]) -> Result<T, Error> {
    if bytes.trim_ascii().is_empty() {
        return Ok(T::default());
    }
    parse_json(bytes)
}

fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    if bytes.is_empty() {
        return Err(Error::invalid("The body is empty; send a JSON object."));
    }
    let start = bytes.trim_ascii_start();
    if matches!(
        start.first(),
        Some(b'[' | b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n')
    ) {
        return Err(Error::invalid(
            "The body is not what this call takes: send a JSON object.",
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let cause = error.into_inner();
        if cause.is_syntax() || cause.is_eof() {
            Error::invalid(format!("The body is not valid JSON: {cause}."))
        } else if path == "." {
            Error::invalid(format!("The body is not what this call takes: {cause}."))
        } else {
            Error::invalid(format!("`{path}` has a wrong value: {cause}."))
        }
    })?;
    deserializer
        .end()
        .map_err(|_| Error::invalid("The body holds more than one JSON value; send one object."))?;
    Ok(value)
}

/// The query part of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // PostgreSQL keeps no NUL in a text, so nothing is named with one.
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(Error::invalid(
                "The query holds a NUL character; leave it out.",
            ));
        }
        axum::extract::Query::<T>::try_from_uri(&parts.uri)
            .map(|query| Self(query.0))
            .map_err(|rejection| {
                Error::invalid(format!(
                    "The query has a wrong value: {}.",
                    rejection.body_text()
                ))
            })
    }
}

/// How many entries one page of a list holds.
///
/// # Errors
/// 400 when it is 0 or more than `most`.
pub(crate) fn entries_limit(sent: Option<u32>, default: u32, most: u32) -> Result<u32, Error> {
    let limit = sent.unwrap_or(default);
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    Err(Error::invalid(format!(
        "`limit` must be 1–{most}; got {limit}."
    )))
}

/// One part of the path. What is no text names nothing, so it is a 404.
pub(crate) struct PathPart(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathPart {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let part = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        match part {
            Ok(axum::extract::Path(part)) if !part.contains('\0') => Ok(Self(part)),
            _ => Err(unnamed()),
        }
    }
}

/// Two parts of the path, in their order.
pub(crate) struct PathParts(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathParts {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let both = axum::extract::Path::<(String, String)>::from_request_parts(parts, state).await;
        match both {
            Ok(axum::extract::Path((one, two))) if !one.contains('\0') && !two.contains('\0') => {
                Ok(Self(one, two))
            }
            _ => Err(unnamed()),
        }
    }
}

fn unnamed() -> Error {
    Error::not_found("Nothing is named so; GET /openapi.json describes every address.")
}
