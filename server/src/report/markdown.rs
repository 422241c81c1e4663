//! Markdown, as a comment on a pull request shows it.

use std::fmt::Write as _;

use super::{Report, page_name, sentences, unstable, verdict_words};

/// Most characters of a report: hosts of code refuse comments of more than 65,536.
const MAX_CHARACTERS: usize = 60_000;

/// Rows of each table.
const MAX_ROWS: usize = 100;

/// Characters of each text about the run, and of what a row says of its page; escaping makes up to seven of one.
const MAX_SAID: usize = 2_000;
const MAX_TOLD: usize = 400;

/// Shows nothing, and parts what stands before it from what stands after it.
const APART: char = '\u{200b}';

/// The report as Markdown.
pub(crate) fn markdown(report: &Report) -> String {
    let summary = &report.summary;
    let mut text = Bounded::begin(report);
    let changed = summary.regressions.iter().zip(&report.review_urls);
    text.table(
        "| Page | Device | Verdict | Changed | What changed |\n|---|---|---|---:|---|\n",
        changed.map(|(result, review_url)| {
            let share = (result.diff_percentage).map(|share| format!("{share:.2} %"));
            format!(
                "| [{}]({review_url}) | {} | {} | {} | {} |\n",
                escaped(&page_name(&result.url)),
                escaped(&result.variant_name),
                verdict_words(result),
                share.unwrap_or_default(),
                escaped(cut(&sentences(result).join(" "), MAX_TOLD))
            )
        }),
    );
    let unstable: Vec<_> = unstable(summary).collect();
    text.table(
        "| Page | Device | Unstable, and unchanged as far as its captures agree |\n|---|---|---|\n",
        (unstable.iter()).map(|(result, note)| row(&result.url, &result.variant_name, note)),
    );
    text.table(
        "| Page | Device | Why it could not be compared |\n|---|---|---|\n",
        (summary.errors.iter()).map(|page| row(&page.url, &page.variant_name, &page.error_message)),
    );
    text.end(&report.job_url)
}

/// A row on a page that has no picture of a change.
fn row(url: &str, variant: &str, told: &str) -> String {
    format!(
        "| {} | {} | {} |\n",
        escaped(&page_name(url)),
        escaped(variant),
        escaped(cut(told, MAX_TOLD))
    )
}

/// A report so far, within its bound.
struct Bounded {
    text: String,
    /// Characters that there is room for in tables.
    left: usize,
    /// Pages that there was no room for.
    left_out: usize,
}

impl Bounded {
    /// What was checked, and what came of it.
    fn begin(report: &Report) -> Self {
        let summary = &report.summary;
        let [name, run, intent] = [
            &report.name,
            &summary.run_summary,
            &summary.intent_assessment.summary,
        ]
        .map(|text| escaped(cut(text, MAX_SAID)));
        let text = format!("## Visual check of {name}\n\n{run}\n\n{intent}\n\n");
        // Each of the three tables, and the report.
        let ends = 3 * table_end(usize::MAX).len() + last_line(usize::MAX, &report.job_url).len();
        Self {
            left: MAX_CHARACTERS.saturating_sub(text.chars().count() + ends),
            text,
            left_out: 0,
        }
    }

    /// Adds as many rows of a table as there is room for.
    fn table(&mut self, head: &str, rows: impl ExactSizeIterator<Item = String>) {
        let pages = rows.len();
        let mut written = 0;
        for row in rows.take(MAX_ROWS) {
            let head = if written == 0 { head } else { "" };
            let characters = head.chars().count() + row.chars().count();
            if characters > self.left {
                break;
            }
            self.left -= characters;
            self.text.push_str(head);
            self.text.push_str(&row);
            written += 1;
        }
        self.left_out += pages - written;
        if written > 0 {
            self.text.push_str(&table_end(pages - written));
        }
    }

    /// The whole report, with where to see the rest.
    fn end(self, job_url: &str) -> String {
        self.text + &last_line(self.left_out, job_url)
    }
}

fn table_end(left_out: usize) -> String {
    match left_out {
        0 => "\n".to_owned(),
        more => format!("\n…and {more} more.\n\n"),
    }
}

fn last_line(left_out: usize, job_url: &str) -> String {
    match left_out {
        0 => format!("[All of the run]({job_url})\n"),
        1 => format!("1 page is left out here; [all of the run]({job_url}) has it.\n"),
        more => format!("{more} pages are left out here; [all of the run]({job_url}) has them.\n"),
    }
}

/// The first so many characters.
fn cut(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most);
    end.map_or(text, |(at, _)| &text[..at])
}

/// A text of a page is data: it makes no table, link, mention or markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '\n' | '\r' | '\t' => escaped.push(' '),
            '&' | '<' | '>' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '@' | '\\' | '!'
            | '$' => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            other => escaped.push(other),
        }
        let (before, after) = text.split_at(at + character.len_utf8());
        if is_linked(before, after) {
            escaped.push(APART);
        }
    }
    escaped
}

/// Whether hosts of code would make a link or a mention of what a place lies within. They look for these in the text that the
/// reader sees, where what was escaped is itself again, so that its parts must be kept apart.
fn is_linked(before: &str, after: &str) -> bool {
    let is_digit = |next: char| next.is_ascii_digit();
    match before.chars().next_back() {
        // Somebody's name, the host of an e-mail address.
        Some('@') => true,
        Some(':') => after.starts_with("//"),
        Some('w' | 'W') => {
            let last = before.as_bytes().last_chunk::<3>();
            after.starts_with('.') && last.is_some_and(|last| last.eq_ignore_ascii_case(b"www"))
        }
        // Issues, merge requests, epics and snippets by their numbers.
        Some('#' | '!' | '&' | '$') => {
            // A colour goes on with letters.
            let behind = after.trim_start_matches(is_digit);
            behind.len() < after.len() && !behind.starts_with(char::is_alphanumeric)
        }
        // Labels and milestones, by their names, too.
        Some('~' | '%') => after.starts_with(|next: char| next.is_alphanumeric() || next == '"'),
        Some('-') => {
            let last = before.as_bytes().last_chunk::<3>();
            after.starts_with(is_digit)
                && last.is_some_and(|last| last.eq_ignore_ascii_case(b"gh-"))
        }
        _ => false,
    }
}
