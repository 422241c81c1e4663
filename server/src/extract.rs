//! Request bodies and queries, with errors that name the field.

use std::time::Duration;

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

/// How many times the limit of a too large body is read and thrown away, so that the caller hears the answer instead of
/// a closed connection.
const DRAINED_LIMITS: usize = 8;

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        parse_json(&body_bytes(request, app).await?).map(Self)
    }
}

/// A JSON body that may be empty, which is an object without fields.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for OptionalBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let bytes = body_bytes(request, app).await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(Self(T::default()));
        }
        parse_json(&bytes).map(Self)
    }
}

/// A JSON object that is read as two types, each of which ignores the fields of the other. One type with the other
/// flattened into it would lose the names of fields with a wrong value.
pub(crate) struct BodyInTwo<A, B>(pub(crate) A, pub(crate) B);

impl<A: DeserializeOwned, B: DeserializeOwned> FromRequest<App> for BodyInTwo<A, B> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let bytes = body_bytes(request, app).await?;
        Ok(Self(parse_json(&bytes)?, parse_json(&bytes)?))
    }
}

async fn body_bytes(request: Request, app: &App) -> Result<Vec<u8>, Error> {
    let limit = app.config.max_body_kib as usize * 1024;
    let reading = tokio::time::timeout(BODY_DEADLINE, read_body(request, limit)).await;
    reading.unwrap_or_else(|_| {
        Err(Error::invalid(
            "The body did not arrive in time; send it again.",
        ))
    })
}

async fn read_body(request: Request, limit: usize) -> Result<Vec<u8>, Error> {
    let mut chunks = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    let mut total = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk
            .map_err(|_| Error::invalid("The body could not be read whole; send it again."))?;
        total += chunk.len();
        if total <= limit {
            bytes.extend_from_slice(&chunk);
        } else if total > limit * DRAINED_LIMITS {
            break;
        }
    }
    if total <= limit {
        return Ok(bytes);
    }
    Err(Error::refused(
        ErrorCode::PayloadTooLarge,
        format!(
            "The body is larger than the {} KiB that this call takes; send fewer entries at once.",
            limit / 1024
        ),
    ))
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
