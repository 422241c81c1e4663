//! `docs/benchmarks.md`: written wholly by a run, but for the part between the GPU marks, which is kept.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::contender::Group;
use super::corpus::Kind;
use super::results::Results;
use super::tables;
use super::targets;

const GPU_BEGIN: &str = "<!-- gpu -->";
const GPU_END: &str = "<!-- /gpu -->";
const NO_GPU_YET: &str = "\nNothing has been measured on a graphics card yet.\n";

/// All that is said about a run.
pub(super) struct Report<'a> {
    pub(super) machine: Vec<(&'static str, String)>,
    /// Name and version of each program.
    pub(super) versions: Vec<(String, String)>,
    /// Where the pictures come from, in words.
    pub(super) origin: &'static str,
    pub(super) rounds: usize,
    pub(super) results: &'a Results,
    /// What the in-process benchmarks printed.
    pub(super) stages: Option<&'a str>,
}

impl Report<'_> {
    /// The tables for the terminal.
    pub(super) fn terminal(&self) -> String {
        let mut text = String::new();
        self.tables_by_kind(&mut text);
        let _ = write!(
            text,
            "## Targets\n\n{}",
            targets::reached(self.results, self.stages)
        );
        text
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let before = std::fs::read_to_string(path).unwrap_or_default();
        std::fs::write(path, self.page(kept(&before)))
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    fn page(&self, gpu: &str) -> String {
        let mut page = String::from("# Benchmarks\n\n");
        page += "`make bench` writes this page. ";
        page += "Other tools and ours compare the same pairs of pictures in turns, on one machine in one run; ";
        page += "ratios alone mean something elsewhere, and even they hang on the processor: ";
        page += "[benchmarks-xeon.md](benchmarks-xeon.md) and [benchmarks-epyc.md](benchmarks-epyc.md) hold runs on other processors and days.\n\n";
        self.about(&mut page);
        let _ = write!(page, "\n## Targets\n\n{WHAT_TARGETS_ARE}\n\n");
        page += &targets::reached(self.results, self.stages);
        page.push('\n');
        self.tables_by_kind(&mut page);
        self.details(&mut page);
        if let Some(stages) = self.stages.filter(|printed| !printed.trim().is_empty()) {
            let _ = write!(
                page,
                "\n## Inside the process\n\n{WHAT_STAGES_ARE}\n\n```text\n{}\n```\n",
                stages.trim_end()
            );
        }
        let _ = write!(
            page,
            "\n## On a graphics card\n\n{GPU_BEGIN}{gpu}{GPU_END}\n"
        );
        page
    }

    fn about(&self, page: &mut String) {
        let today = today();
        let mut rows = vec![("Date".to_owned(), today)];
        rows.extend(
            self.machine
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone())),
        );
        rows.extend(self.versions.iter().cloned());
        let of_kind = |kind: Kind| (self.results.pairs_of(kind).count(), kind.as_str());
        let kinds = Kind::ALL
            .map(of_kind)
            .into_iter()
            .filter(|(count, _)| *count > 0);
        let kinds: Vec<String> = kinds
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        rows.push((
            "Pictures".to_owned(),
            format!("{}: {}", self.origin, kinds.join(", ")),
        ));
        rows.push(("Rounds".to_owned(), self.rounds.to_string()));
        for (name, value) in rows {
            let _ = writeln!(page, "- {name}: {value}");
        }
        let _ = write!(page, "\n{HOW_IT_IS_MEASURED}\n");
    }

    fn tables_by_kind(&self, page: &mut String) {
        for group in Group::ALL {
            if let Some(table) = tables::by_kind(self.results, group) {
                let _ = write!(page, "## {}\n\n{table}\n", group.title());
            }
        }
    }

    fn details(&self, page: &mut String) {
        let _ = write!(
            page,
            "## Pair by pair\n\nMedian CPU time, and wall time in brackets, in milliseconds.\n"
        );
        for group in Group::ALL {
            if let Some(table) = tables::by_pair(self.results, group) {
                let _ = write!(page, "\n### {}\n\n{table}", group.title());
            }
        }
        if let Some(failures) = tables::failures(self.results) {
            let _ = write!(page, "\n### Not measured\n\n{failures}");
        }
        let _ = write!(
            page,
            "\n### Changed pixels\n\n{WHAT_PIXELS_ARE}\n\n{}",
            tables::changed_pixels(self.results)
        );
    }
}

const HOW_IT_IS_MEASURED: &str = "\
Every round has each contender compare each pair twice in a row, of which the second counts (some hosts take from a guest within
moments what memory it does not use), and begins with another contender than the round before; a round
that does not count comes first. A table shows medians over the rounds and then over the pairs of a kind. CPU time is
user and system time of all threads: of a command line from its start to its end, of a warm process from the question
until it is at rest. `pentimento-diff` is `pentimento diff` as a program of its own, as the other tools are; the
service's program takes longer to start, by what the table without images shows; a third program of ours loads the
pictures and compares nothing. A ratio says how many times more CPU
time a tool takes than ours, in the median over the pairs, and on the pair where that is lowest. Anti-aliased pixels are
left out and the threshold is 0.1 wherever a tool has these settings; honeydiff measures colours in another way
(CIEDE2000) and keeps its own default. honeydiff has no command line, so a Node script of a few lines stands in for one.
blazediff runs with its own PNG decoder, which is its faster one. odiff's server always writes an image when pictures
differ. A pair that a tool failed on, or refuses (blazediff and pixelmatch compare no pictures of unequal size), is in none of its
figures and ratios; a star marks what lacks one, and a list below says why.
Our diff image is drawn from a palette, the page in 64 greys and the changes in colour: less to encode than true colour. Stored
captures lie in memory, and no mask is written of them.";

const WHAT_TARGETS_ARE: &str = "\
Reached is what holds on every pair of the kind. Ratios are of CPU time. Loading alone is what the lowest would be if ours
loaded both pictures and did no more: of PNG files, decoded what differs and hashed its rows; of stored captures, opened them and
read the hashes that they bring along. Where that is near what is wanted, or below it, the rest of a comparison cannot
make up for it.";

const WHAT_STAGES_ARE: &str = "\
`cargo bench --package pentimento-compute --features stage-bench --bench compare`, right before. The groups `stages` and `memory` ran
on one thread, so that their times are CPU time: `memory` says what the memory gives, and what a stage takes can be set against
it. Bytes are those of both pages' pixels, of which a stage that looks at what differs alone reads few: hence rates that no memory has.
All other groups ran on all threads, and their times are wall time. Where the adapter is llvmpipe or another one of software, the rows
of `gpu` measure the processor.";

const WHAT_PIXELS_ARE: &str = "\
What each tool found. Ours lays rows that moved over each other before it compares; the others compare in place.";

#[expect(
    clippy::disallowed_methods,
    reason = "the page says when it was measured"
)]
fn today() -> String {
    jiff::Zoned::now().date().to_string()
}

/// What stands between the marks.
fn kept(page: &str) -> &str {
    let after = page.split_once(GPU_BEGIN).map(|(_, after)| after);
    after
        .and_then(|after| after.split_once(GPU_END))
        .map_or(NO_GPU_YET, |(kept, _)| kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_pasted_is_kept() {
        let page = format!("# Benchmarks\n\n{GPU_BEGIN}\nA card.\n{GPU_END}\n");
        assert_eq!(kept(&page), "\nA card.\n");
        assert_eq!(kept("# Benchmarks"), NO_GPU_YET);
    }
}
