//! Markdown, as a comment on a pull request shows it.

use std::fmt::Write as _;

use super::{Report, page_name, sentences, unstable, verdict_words};

/// Rows of each table; hosts of code cut comments off at some 65,000 characters.
const MAX_ROWS: usize = 100;

/// Characters of what a row says of its page.
const MAX_TOLD: usize = 400;

/// The report as Markdown.
pub(crate) fn markdown(report: &Report) -> String {
    let summary = &report.summary;
    let mut text = format!("## Visual check of {}\n\n", escaped(&report.name));
    let _ = writeln!(text, "{}\n", escaped(&summary.run_summary));
    let _ = writeln!(text, "{}\n", escaped(&summary.intent_assessment.summary));
    if !summary.regressions.is_empty() {
        text.push_str(
            "| Page | Device | Verdict | Changed | What changed |\n|---|---|---|---:|---|\n",
        );
        let rows = summary.regressions.iter().zip(&report.review_urls);
        for (result, review_url) in rows.take(MAX_ROWS) {
            let told: String = sentences(result).join(" ").chars().take(MAX_TOLD).collect();
            let _ = writeln!(
                text,
                "| [{}]({review_url}) | {} | {} | {:.2} % | {} |",
                escaped(&page_name(&result.url)),
                escaped(&result.variant_name),
                verdict_words(result),
                result.diff_percentage.unwrap_or_default(),
                escaped(&told)
            );
        }
        more(&mut text, summary.regressions.len());
    }
    let unstable: Vec<_> = unstable(summary).collect();
    if !unstable.is_empty() {
        text.push_str("| Page | Device | Unstable, and unchanged as far as its captures agree |\n|---|---|---|\n");
        for (result, note) in unstable.iter().take(MAX_ROWS) {
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                escaped(&page_name(&result.url)),
                escaped(&result.variant_name),
                escaped(note)
            );
        }
        more(&mut text, unstable.len());
    }
    if !summary.errors.is_empty() {
        text.push_str("| Page | Device | Why it could not be compared |\n|---|---|---|\n");
        for page in summary.errors.iter().take(MAX_ROWS) {
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                escaped(&page_name(&page.url)),
                escaped(&page.variant_name),
                escaped(&page.error_message)
            );
        }
        more(&mut text, summary.errors.len());
    }
    let _ = writeln!(text, "[All of the run]({})", report.job_url);
    text
}

fn more(text: &mut String, rows: usize) {
    let more = rows.saturating_sub(MAX_ROWS);
    if more > 0 {
        let _ = writeln!(text, "\n…and {more} more.");
    }
    text.push('\n');
}

/// A text of a page is data: it makes no table, link, mention or markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => escaped.push(' '),
            '&' | '<' | '>' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '@' | '\\' | '!' => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            other => escaped.push(other),
        }
    }
    escaped
}
