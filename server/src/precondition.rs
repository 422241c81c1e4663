//! Changes that are made only when nobody made another one meanwhile: `ETag` and `If-Match` (RFC 9110, 8.8.3 and 13.1.1).

use anyhow::Context;
use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use pentimento_api::error::ErrorCode;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// Bytes of a tag: no two states of one thing share one.
const BYTES: usize = 16;

/// Most tags of a request; whoever asks has seen one state.
const MAX_TAGS: usize = 100;

/// The name of a state: the same for what is the same as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ETag(String);

impl ETag {
    /// The name of what is answered.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub(crate) fn of(state: &impl Serialize) -> anyhow::Result<Self> {
        let json = serde_json::to_vec(state).context("a state as JSON")?;
        Ok(Self(hex::encode(&Sha256::digest(&json)[..BYTES])))
    }

    /// As it goes with the answer.
    pub(crate) fn header(&self) -> [(HeaderName, HeaderValue); 1] {
        let value = HeaderValue::try_from(format!("\"{}\"", self.0));
        [(ETAG, value.expect("quoted hexadecimal digits"))]
    }
}

/// What a change asks of the state that it finds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum IfMatch {
    /// Nothing: no header was sent, or `*`, and what is changed is there.
    Anything,
    /// It is one of these.
    OneOf(Vec<ETag>),
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut tags = Vec::new();
        let mut sent = parts.headers.get_all(IF_MATCH).iter().peekable();
        if sent.peek().is_none() {
            return Ok(Self::Anything);
        }
        for value in sent {
            let value = value.to_str().map_err(|_| malformed())?;
            if value.trim() == "*" {
                return Ok(Self::Anything);
            }
            let several = value.split(',').map(str::trim);
            for tag in several.filter(|tag| !tag.is_empty()) {
                tags.push(parse(tag).ok_or_else(malformed)?);
            }
        }
        if (1..=MAX_TAGS).contains(&tags.len()) {
            Ok(Self::OneOf(tags))
        } else {
            Err(malformed())
        }
    }
}

impl IfMatch {
    /// Refuses when the state is none of those that the caller has seen.
    ///
    /// # Errors
    /// 412; `what` names what was changed, as in “the project `shop`”.
    pub(crate) fn check(
        &self,
        what: &str,
        state: impl FnOnce() -> anyhow::Result<ETag>,
    ) -> Result<()> {
        let Self::OneOf(seen) = self else {
            return Ok(());
        };
        if seen.contains(&state()?) {
            return Ok(());
        }
        Err(Error::refused(
            ErrorCode::PreconditionFailed,
            format!(
                "Somebody changed {what} since it was read, so nothing was changed. Read it again, and send what you want with its new `ETag`."
            ),
        ))
    }
}

/// A tag in its quotes. A proxy that compresses answers makes tags weak; they name the same state.
fn parse(tag: &str) -> Option<ETag> {
    let quoted = tag.strip_prefix("W/").unwrap_or(tag);
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('"')).then(|| ETag(inner.to_owned()))
}

fn malformed() -> Error {
    Error::invalid(
        "`If-Match` holds an `ETag` as an answer gave it, in its quotes, several with commas between them, or `*`.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    async fn sent(values: &[&str]) -> Result<IfMatch> {
        let mut request = Request::builder();
        for value in values {
            request = request.header(IF_MATCH, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        IfMatch::from_request_parts(&mut parts, &()).await
    }

    #[tokio::test]
    async fn one_of_the_states_that_were_seen_suffices() {
        let [now, before] = ["now", "before"].map(|state| ETag::of(&state).unwrap());
        assert_ne!(now, before);
        let quoted = |tag: &ETag| format!("\"{}\"", tag.0);
        let weak = format!("W/{}", quoted(&now));
        let both = format!("{} , {}", quoted(&before), quoted(&now));
        let [apart, gaps] = [quoted(&before), format!(",{},, ", quoted(&now))];
        for values in [
            vec![],
            vec!["*"],
            vec![" * "],
            vec![weak.as_str()],
            vec![&both],
            vec![&apart, &gaps],
        ] {
            let asked = sent(&values).await.unwrap();
            assert!(asked.check("it", || Ok(now.clone())).is_ok(), "{values:?}");
        }
        let refused = sent(&[&quoted(&before)]).await.unwrap();
        let refused = refused.check("the page", || Ok(now.clone())).unwrap_err();
        assert!(refused.to_string().contains("changed the page since"));
        assert!(matches!(
            refused,
            Error::Refused {
                code: ErrorCode::PreconditionFailed,
                ..
            }
        ));
    }

    #[tokio::test]
    async fn what_is_no_tag_is_refused() {
        let many = vec!["\"a\""; MAX_TAGS + 1].join(",");
        for value in [
            "",
            " , ",
            "abc",
            "\"abc",
            "\"a\"b\"",
            "W/abc",
            "\"a\" \"b\"",
            &many,
        ] {
            assert!(sent(&[value]).await.is_err(), "{value}");
        }
    }
}
