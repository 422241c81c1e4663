//! The demo's summary as a table for terminals.

use std::fmt::Write as _;

use pentimento_api::job::Job;
use pentimento_api::result::{PageResult, ResultStatus};
use pentimento_api::summary::JobSummary;
use url::Url;

/// Findings of a page that the terminal tells.
const TOLD_FINDINGS: usize = 4;

/// Every page with its verdict, then what changed and the run in words.
pub(super) fn table(job: &Job, summary: &JobSummary, base: &str) -> String {
    let rows: Vec<[String; 6]> = job.results.iter().map(|result| row(result, base)).collect();
    let heads = ["page", "variant", "verdict", "diff %", "score", "link"];
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .chain([heads[column].len()])
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::from("\n");
    line(&mut text, &heads.map(str::to_owned), &widths);
    line(
        &mut text,
        &std::array::from_fn(|column| "─".repeat(widths[column])),
        &widths,
    );
    for row in &rows {
        line(&mut text, row, &widths);
    }
    let _ = writeln!(
        text,
        "\n{}{}\n{} Overall score {:.1}.",
        told(job),
        summary.run_summary,
        summary.intent_assessment.summary,
        summary.overall_score
    );
    for error in &summary.errors {
        let _ = writeln!(
            text,
            "{} ({}): {}",
            path(&error.url),
            error.variant_name,
            error.error_message
        );
    }
    text
}

/// What changed on each page, in words.
fn told(job: &Job) -> String {
    let mut text = String::new();
    for result in &job.results {
        if result.service_summary.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{} ({})", path(&result.url), result.variant_name);
        let (following, causes): (Vec<_>, Vec<_>) =
            (result.service_summary.iter()).partition(|finding| finding.consequence);
        for finding in causes.iter().take(TOLD_FINDINGS) {
            let label = match finding.label.as_str() {
                "" => "·",
                letter => letter,
            };
            let _ = writeln!(text, "  {label} {}", finding.text);
        }
        let more = causes.len().saturating_sub(TOLD_FINDINGS);
        if more > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
        match following.len() {
            0 => {}
            1 => text.push_str("  1 more region follows from this\n"),
            more => {
                let _ = writeln!(text, "  {more} more regions follow from this");
            }
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn row(result: &PageResult, base: &str) -> [String; 6] {
    let verdict = match (result.status, &result.verdict) {
        (ResultStatus::Error, _) => "error".to_owned(),
        (_, Some(verdict)) => verdict.decision.as_str().replace('_', " "),
        _ if result.is_new_baseline => "new baseline".to_owned(),
        _ => "match".to_owned(),
    };
    let number =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    [
        path(&result.url),
        result.variant_name.clone(),
        verdict,
        number(result.diff_percentage),
        number(result.visual_match_score),
        format!("{base}/app/review/{}", result.result_id),
    ]
}

/// Numbers stand to the right, words to the left.
fn line(text: &mut String, cells: &[String; 6], widths: &[usize]) {
    for (column, cell) in cells.iter().enumerate() {
        let gap = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
        let _ = match column {
            3 | 4 => write!(text, "{gap}{cell}  "),
            5 => write!(text, "{cell}"),
            _ => write!(text, "{cell}{gap}  "),
        };
    }
    text.push('\n');
}

fn path(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.path().to_owned())
}
