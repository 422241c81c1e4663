//! Answers with all results of a job. What is stored of these may be hundreds of megabytes, so it is read slice by slice, and sent
//! while it is read.

use std::collections::VecDeque;
use std::future::ready;

use anyhow::Context;
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use futures::stream::{once, try_unfold};
use pentimento_api::result::PageResult;
use pentimento_api::review::Outcome;
use serde::Serialize;

use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;
use crate::db::results::lists::ResultFilter;
use crate::jobs::links::LinkMaker;
use crate::jobs::view;

/// Results that are read at once; no connection is held while the client takes them.
const SLICE: u64 = 100;

/// What is made of an answer before it begins. Shorter ones go out in one piece, with their length, and what fails before is
/// answered as any failure is.
const BEGINNING_BYTES: usize = 256 * 1024;

/// A list of results in an answer.
pub(crate) struct List {
    /// Its field.
    pub(crate) field: &'static str,
    /// Only results of this outcome; without it, all.
    pub(crate) outcome: Option<Outcome>,
    /// How many it has.
    pub(crate) count: u64,
}

/// The answer that an object is, once its lists are filled: it has these, in this order, and empty.
///
/// # Errors
/// It has no such lists, or its first results cannot be read. When later ones cannot, the answer breaks off.
pub(crate) async fn answer(
    app: App,
    links: LinkMaker,
    job_id: &str,
    object: &impl Serialize,
    lists: &[List],
) -> anyhow::Result<Response> {
    let object = serde_json::to_string(object).context("an answer as JSON")?;
    let mut filling = Filling {
        app,
        links,
        job_id: job_id.to_owned(),
        parts: parts(&object, lists)?,
    };
    let mut begun = String::new();
    while begun.len() < BEGINNING_BYTES {
        match filling.next().await? {
            Some(text) => begun.push_str(&text),
            None => return Ok(json(Body::from(begun))),
        }
    }
    let begun = once(ready(Ok::<_, anyhow::Error>(Bytes::from(begun))));
    let rest = try_unfold(filling, |mut filling| async move {
        let text = filling.next().await;
        let text = text.inspect_err(|error| tracing::error!("an answer breaks off: {error:#}"))?;
        Ok::<_, anyhow::Error>(text.map(|text| (Bytes::from(text), filling)))
    });
    Ok(json(Body::from_stream(begun.chain(rest))))
}

fn json(body: Body) -> Response {
    let media_type = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, media_type)], body).into_response()
}

/// All results of an outcome as they travel, in the job's order: what is stored of them is much longer.
///
/// # Errors
/// The database refuses, or holds what cannot be read.
pub(crate) async fn page_results(
    app: &App,
    links: &LinkMaker,
    job_id: &str,
    outcome: Outcome,
) -> anyhow::Result<Vec<PageResult>> {
    let (mut pages, mut after) = (Vec::new(), -1);
    loop {
        let rows = slice(app, job_id, Some(outcome), after, SLICE).await?;
        let Some(last) = rows.last() else {
            return Ok(pages);
        };
        after = last.position;
        for row in &rows {
            pages.push(view::page_result(row, links)?);
        }
    }
}

/// The first so many results of a job behind a position.
async fn slice(
    app: &App,
    job_id: &str,
    outcome: Option<Outcome>,
    after: i64,
    most: u64,
) -> anyhow::Result<Vec<ResultRow>> {
    let filter = ResultFilter {
        after,
        outcome: outcome.map_or("", Outcome::as_str),
        limit: i64::try_from(most)?,
        ..ResultFilter::default()
    };
    let mut connection = app.db.read().await?;
    Ok(db::results::lists::list_results(&mut connection, job_id, &filter).await?)
}

/// An answer on its way.
struct Filling {
    app: App,
    links: LinkMaker,
    job_id: String,
    /// What is still to be sent.
    parts: VecDeque<Part>,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The results of a list that come behind a position.
    Results {
        outcome: Option<Outcome>,
        after: i64,
        left: u64,
    },
}

/// An object's text, with its lists where they belong.
fn parts(object: &str, lists: &[List]) -> anyhow::Result<VecDeque<Part>> {
    let mut parts = VecDeque::new();
    let mut rest = object;
    for list in lists {
        // Within a text the quotation marks would be escaped.
        let empty = format!("\"{}\":[]", list.field);
        let at = rest.find(&empty).context("an answer without its list")?;
        let (before, behind) = rest.split_at(at + empty.len() - 1);
        parts.push_back(Part::Text(before.to_owned()));
        if list.count > 0 {
            parts.push_back(Part::Results {
                outcome: list.outcome,
                after: -1,
                left: list.count,
            });
        }
        rest = behind;
    }
    parts.push_back(Part::Text(rest.to_owned()));
    Ok(parts)
}

impl Filling {
    /// The next piece of the text; none at its end.
    async fn next(&mut self) -> anyhow::Result<Option<String>> {
        let (outcome, after, left) = match self.parts.pop_front() {
            None => return Ok(None),
            Some(Part::Text(text)) => return Ok(Some(text)),
            Some(Part::Results {
                outcome,
                after,
                left,
            }) => (outcome, after, left),
        };
        let rows = slice(&self.app, &self.job_id, outcome, after, left.min(SLICE)).await?;
        // A list that ends before its count would pass for a whole one.
        let last = rows.last().context("the results of a job went")?;
        let left = left - rows.len() as u64;
        if left > 0 {
            let after = last.position;
            self.parts.push_front(Part::Results {
                outcome,
                after,
                left,
            });
        }
        let mut text = String::new();
        for row in &rows {
            let page = view::page_result(row, &self.links)?;
            if after >= 0 || !text.is_empty() {
                text.push(',');
            }
            text.push_str(&serde_json::to_string(&page).context("a result as JSON")?);
        }
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_filled_where_they_stand_and_nowhere_else() {
        let list = |field, count| List {
            field,
            outcome: Some(Outcome::Match),
            count,
        };
        let object = r#"{"error":"\"b\":[]","a":[],"b":[],"c":[]}"#;
        let text = |text: &str| Part::Text(text.to_owned());
        let results = Part::Results {
            outcome: Some(Outcome::Match),
            after: -1,
            left: 7,
        };
        let expected = [
            text(r#"{"error":"\"b\":[]","a":["#),
            text(r#"],"b":["#),
            results,
            text(r#"],"c":[]}"#),
        ];
        let found = parts(object, &[list("a", 0), list("b", 7)]).unwrap();
        assert_eq!(found, expected);
        assert!(parts(object, &[list("b", 1), list("a", 1)]).is_err());
    }
}
