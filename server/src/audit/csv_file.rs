//! The log as a file of comma-separated values (RFC 4180), written while it is read: it may be long.

use anyhow::Context;
use axum::body::Bytes;
use csv::WriterBuilder;
use futures::Stream;
use futures::stream::try_unfold;

use super::read;
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
    let first = Some((filter, true));
    try_unfold(first, move |rest| {
        let (app, organization_id) = (app.clone(), organization_id.clone());
        async move {
            let Some((mut filter, is_first)) = rest else {
                return Ok(None);
            };
            let rows = read(&app, &organization_id, &filter, BATCH).await;
            let rows = rows
                .inspect_err(|error| tracing::error!(%error, "the audit log cannot be read on"))?;
            let text = lines(&rows, is_first)?;
            let last = rows.last().filter(|_| rows.len() == BATCH as usize);
            let rest = last.map(|row| {
                filter.before = Some((row.happened_at_ms, row.id.clone()));
                (filter, false)
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
        let project = row.project.as_deref().unwrap_or_default();
        let cells = [
            &row.id,
            &at,
            &row.actor,
            &row.action,
            &row.subject,
            project,
            &row.detail,
        ];
        file.write_record(cells.map(harmless))?;
    }
    Ok(file.into_inner().context("a file in memory")?.into())
}

/// What spreadsheets take for a formula begins with an apostrophe, as OWASP advises ("CSV Injection"): names are chosen by
/// whoever makes a key.
fn harmless(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let row = AuditRow {
            id: "1".to_owned(),
            happened_at_ms: 0,
            actor: "=SUM(1), \"ana\"".to_owned(),
            action: "key.create".to_owned(),
            subject: "2".to_owned(),
            project: None,
            detail: "{\"a\":1}".to_owned(),
        };
        let text = lines(&[row], true).unwrap();
        let expected = "entryId,at,actor,action,subject,project,detail\r\n\
            1,1970-01-01T00:00:00.000Z,\"'=SUM(1), \"\"ana\"\"\",key.create,2,,\"{\"\"a\"\":1}\"\r\n";
        assert_eq!(text, expected);
        assert_eq!(lines(&[], false).unwrap(), "");
    }
}
