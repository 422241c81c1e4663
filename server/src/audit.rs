//! Reading the audit log: page by page, or all that is asked for as one file.

mod csv_file;

use anyhow::Context;
use jiff::Timestamp;
use pentimento_api::audit::{AuditEntry, AuditList, AuditQuery};
use serde::Deserialize;

pub(crate) use csv_file::stream;

use crate::app::App;
use crate::auth::Caller;
use crate::clock::rfc3339;
use crate::db;
use crate::db::audit::{AuditFilter, AuditRow};
use crate::error::{Error, Result};
use crate::extract::entries_limit;

const DEFAULT_LIMIT: u32 = 100;
const MAX_LIMIT: u32 = 500;

/// Longest text that is looked for, in characters; nothing in the log has a longer name.
const MAX_WORD_CHARACTERS: usize = 100;

/// Most digits of the time in an entry's place.
const MAX_PLACE_DIGITS: usize = 18;

/// One page of the log.
///
/// # Errors
/// 400 for a value that is out of range, no time, or too long.
pub(crate) async fn list(app: &App, caller: &Caller, query: &AuditQuery) -> Result<AuditList> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let filter = filter(query)?;
    // One more than wanted tells whether there is a next page.
    let mut rows = read(app, &caller.organization_id, &filter, limit + 1).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more);
    Ok(AuditList {
        next: next.map(|row| format!("{}.{}", row.happened_at_ms, row.id)),
        entries: rows.iter().map(entry).collect::<anyhow::Result<_>>()?,
    })
}

/// What a query asks for.
///
/// # Errors
/// 400 for a value that is no time, too long, or nothing that an answer has had.
pub(crate) fn filter(query: &AuditQuery) -> Result<AuditFilter> {
    let from_ms = time(query.from.as_deref(), "from")?;
    let until_ms = time(query.until.as_deref(), "until")?;
    Ok(AuditFilter {
        between_ms: (
            from_ms.unwrap_or(i64::MIN),
            until_ms.map_or(i64::MAX, |until_ms| until_ms - 1),
        ),
        before: query.before.as_deref().map(place).transpose()?,
        action: word(query.action.as_deref(), "action")?,
        actor: word(query.actor.as_deref(), "actor")?,
        subject: word(query.subject.as_deref(), "subject")?,
    })
}

/// Entries behind the place that the filter names.
async fn read(
    app: &App,
    organization_id: &str,
    filter: &AuditFilter,
    limit: u32,
) -> sqlx::Result<Vec<AuditRow>> {
    let mut connection = app.db.read().await?;
    db::audit::list_audit(&mut connection, organization_id, filter, i64::from(limit)).await
}

/// An entry as it travels.
fn entry(row: &AuditRow) -> anyhow::Result<AuditEntry> {
    Ok(AuditEntry {
        entry_id: row.id.parse().context("the id of an entry")?,
        at: rfc3339(row.happened_at_ms),
        actor: row.actor.clone(),
        action: row.action.clone(),
        subject: row.subject.clone(),
        project: project(row),
        detail: serde_json::from_str(&row.detail).context("the figures of an entry")?,
    })
}

/// The project that an entry is about: as what it was done to says, else, where that is gone, as the figures do.
fn project(row: &AuditRow) -> Option<String> {
    #[derive(Deserialize)]
    struct Figures {
        project: Option<String>,
    }
    let written = || serde_json::from_str::<Figures>(&row.detail).ok()?.project;
    row.project.clone().or_else(written)
}

fn time(sent: Option<&str>, field: &str) -> Result<Option<i64>> {
    let parse = |text: &str| {
        text.parse::<Timestamp>().map(Timestamp::as_millisecond).map_err(|_| {
            Error::invalid(format!(
                "`{field}` must be a time in RFC 3339, such as 2026-11-27T08:00:00Z (a plus is written %2B in an address)."
            ))
        })
    };
    sent.map(parse).transpose()
}

fn word(sent: Option<&str>, field: &str) -> Result<String> {
    let text = sent.unwrap_or_default();
    if text.chars().count() <= MAX_WORD_CHARACTERS {
        return Ok(text.to_owned());
    }
    Err(Error::invalid(format!(
        "`{field}` is longer than anything in the log."
    )))
}

/// The entry that a page of the list ended with.
fn place(sent: &str) -> Result<(i64, String)> {
    let place = sent.split_once('.').and_then(|(ms, id)| {
        let digits = ms.strip_prefix('-').unwrap_or(ms);
        let is_number =
            digits.len() <= MAX_PLACE_DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit());
        let parsed: uuid::Uuid = id.parse().ok()?;
        // Ids may be written in other ways too, in which none is given.
        let is_given = is_number && parsed.to_string() == id;
        Some((ms.parse().ok()?, id.to_owned())).filter(|_| is_given)
    });
    place.ok_or_else(|| Error::invalid("`before` must be the `next` of the page before."))
}
