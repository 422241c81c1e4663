//! The log as a file of comma-separated values (RFC 4180), written while it is read: it may be long.

use std::future::Future;

use anyhow::Context;
use axum::body::Bytes;
use csv::WriterBuilder;
use futures::Stream;
use futures::stream::try_unfold;

use super::{project, read};
use crate::app::App;
use crate::clock::rfc3339;
use crate::db::audit::{AuditFilter, AuditRow};

const COLUMNS: [&str; 7] = [
    "entryId", "at", "actor", "action", "subject", "project", "detail",
];

/// Entries read at once; no connection is held while the client takes them.
const BATCH: u32 = 500;

/// All entries that a filter lets through, and the columns' names in front of them.
pub(crate) fn stream(
    app: App,
    organization_id: String,
    filter: AuditFilter,
) -> impl Stream<Item = anyhow::Result<Bytes>> {
    batches(filter, BATCH, move |filter| {
        let (app, organization_id) = (app.clone(), organization_id.clone());
        async move { read(&app, &organization_id, &filter, BATCH).await }
    })
}

/// The file in parts of so many entries, as they are read.
fn batches<R>(
    filter: AuditFilter,
    batch: u32,
    read: impl Fn(AuditFilter) -> R + Clone,
) -> impl Stream<Item = anyhow::Result<Bytes>>
where
    R: Future<Output = sqlx::Result<Vec<AuditRow>>>,
{
    try_unfold(Some((filter, true)), move |rest| {
        let read = read.clone();
        async move {
            let Some((filter, is_first)) = rest else {
                return Ok(None);
            };
            let rows = read(filter.clone())
                .await
                .inspect_err(|error| tracing::error!(%error, "the audit log cannot be read on"))?;
            let text = lines(&rows, is_first)?;
            let last = rows.last().filter(|_| rows.len() == batch as usize);
            let rest = last.map(|row| {
                let before = Some((row.happened_at_ms, row.id.clone()));
                (AuditFilter { before, ..filter }, false)
            });
            Ok(Some((text, rest)))
        }
    })
}

fn lines(rows: &[AuditRow], with_names: bool) -> anyhow::Result<Bytes> {
    let mut file = WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    if with_names {
        file.write_record(COLUMNS)?;
    }
    for row in rows {
        let at = rfc3339(row.happened_at_ms);
        let project = project(row).unwrap_or_default();
        let cells = [
            row.id.as_str(),
            &at,
            &row.actor,
            &row.action,
            &row.subject,
            &project,
            &row.detail,
        ];
        file.write_record(cells.map(harmless))?;
    }
    Ok(file.into_inner().context("a file in memory")?.into())
}

/// What spreadsheets take for a formula begins with an apostrophe, as OWASP advises ("CSV Injection"): names are chosen by
/// whoever makes a key.
fn harmless(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use futures::executor::block_on;

    use super::*;

    fn row(number: i64) -> AuditRow {
        AuditRow {
            id: number.to_string(),
            happened_at_ms: number,
            actor: "ana".to_owned(),
            action: "key.create".to_owned(),
            subject: "2".to_owned(),
            project: None,
            detail: "{}".to_owned(),
        }
    }

    #[test]
    fn no_entry_is_lost_or_told_twice_between_batches() {
        for count in 0..7 {
            let read = move |filter: AuditFilter| {
                let before = filter.before.map_or(i64::MAX, |(ms, _)| ms);
                let rows = (0..count).rev().filter(|ms| *ms < before).take(2);
                std::future::ready(Ok(rows.map(row).collect()))
            };
            let everything = AuditFilter {
                between_ms: (i64::MIN, i64::MAX),
                before: None,
                action: String::new(),
                actor: String::new(),
                subject: String::new(),
            };
            let parts: Vec<Bytes> = block_on(batches(everything, 2, read).try_collect()).unwrap();
            let text = String::from_utf8(parts.concat()).unwrap();
            let told: Vec<_> = (text.lines())
                .map(|line| line.split(',').next().unwrap().to_owned())
                .collect();
            let numbers = (0..count).rev().map(|number| number.to_string());
            let expected: Vec<_> = ["entryId".to_owned()].into_iter().chain(numbers).collect();
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let row = AuditRow {
            actor: "=SUM(1), \"ana\"".to_owned(),
            detail: "{\"a\":1}".to_owned(),
            ..row(0)
        };
        let text = lines(&[row], true).unwrap();
        let expected = "entryId,at,actor,action,subject,project,detail\r\n\
            0,1970-01-01T00:00:00.000Z,\"'=SUM(1), \"\"ana\"\"\",key.create,2,,\"{\"\"a\"\":1}\"\r\n";
        assert_eq!(text, expected);
        assert_eq!(lines(&[], false).unwrap(), "");
    }
}
