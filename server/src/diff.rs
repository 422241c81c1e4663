//! `pentimento diff`: compares two PNG files, or two folders of them, without a service.
//!
//! It must start at once, so it touches neither the runtime nor the log, the database or, unless
//! asked, the graphics driver.

mod area;
mod folders;
mod names;
mod outputs;
mod pages;
mod pair;
mod report;
mod table;
mod words;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use pentimento_compute::{
    Alignment, AntiAliasing, Backend, BackendReport, Comparator, CompareOptions, Rect,
};
use serde::Serialize;

use crate::config::CompareBackend;
use names::{printable, readable};
use outputs::Outputs;
use pair::{Opened, Wanted};

/// Settings of `pentimento diff`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Two folders are compared page by page: files ending in .png that have the same name and sub-folder belong together.

Exit status: 0 when nothing changed, 1 when something did, 2 when something could not be compared.")]
pub struct DiffArgs {
    /// What was: a PNG file, or a folder of them.
    pub baseline: PathBuf,

    /// What is now: a PNG file, or a folder of them.
    pub current: PathBuf,

    /// Where to write the mask: a PNG whose changed pixels are white and whose others are transparent. With folders,
    /// the folder for the masks of the pages that differ.
    #[arg(long, value_name = "PNG")]
    pub mask: Option<PathBuf>,

    /// Where to write the diff: the current picture faded, with the changed pixels painted and the regions lettered.
    /// With folders, the folder for the diffs of the pages that differ.
    #[arg(long, value_name = "PNG")]
    pub diff: Option<PathBuf>,

    /// Where to write baseline, current picture and diff beside each other. With folders, the folder for those of the
    /// pages that differ.
    #[arg(long, value_name = "PNG")]
    pub side_by_side: Option<PathBuf>,

    /// Print JSON instead of words.
    #[arg(long)]
    pub json: bool,

    /// Colour distance that counts as a change, from 0 (any) to 1 (none that both pictures have).
    #[arg(long, default_value_t = 0.1, value_parser = threshold, allow_hyphen_values = true)]
    pub threshold: f64,

    /// Count anti-aliased pixels as changed.
    #[arg(long)]
    pub include_aa: bool,

    /// Compare every pixel with the one at the same place, even when rows moved.
    #[arg(long)]
    pub no_align: bool,

    /// Area left out of every number, in pixels of both pictures: where rows moved, what either shows there. May be repeated.
    #[arg(long, value_name = "X,Y,W,H", value_parser = area::parse, allow_hyphen_values = true)]
    pub ignore: Vec<Rect>,

    /// What compares. Opening a graphics driver takes longer than comparing a page, so the GPU pays off only for large
    /// folders; both give the same numbers, the score to 1e-4.
    #[arg(long, value_enum, default_value_t = CompareBackend::Cpu, hide_possible_values = true, value_name = "auto|cpu|gpu")]
    pub backend: CompareBackend,
}

/// How it came out, as the exit status tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Same,
    Different,
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Same => 0,
            Outcome::Different => 1,
            Outcome::Failed => 2,
        })
    }
}

/// Compares, prints, and says how it came out.
pub fn run(args: &DiffArgs) -> ExitCode {
    match compare(args) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            // Whoever closed the standard error has seen enough of it.
            let error = printable(&format!("{error:#}"));
            let _ = writeln!(std::io::stderr(), "error: {error}");
            Outcome::Failed.into()
        }
    }
}

fn compare(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let (baseline, current) = (args.baseline.as_path(), args.current.as_path());
    let outputs = Outputs::new(args)?;
    match (is_folder(baseline)?, is_folder(current)?) {
        (true, true) => folders::compare(args, outputs),
        (false, false) => compare_files(args, &outputs),
        (folder_first, _) => {
            let (folder, file) = if folder_first {
                (baseline, current)
            } else {
                (current, baseline)
            };
            bail!(
                "{} is a folder and {} is a file; name two files or two folders",
                readable(folder),
                readable(file)
            )
        }
    }
}

fn compare_files(args: &DiffArgs, outputs: &Outputs) -> anyhow::Result<Outcome> {
    let (baseline, current) = (args.baseline.as_path(), args.current.as_path());
    outputs.refuse_inputs([baseline, current])?;
    if args.json && outputs.go_to_stdout() {
        bail!(
            "a picture and the JSON would both go to the standard output; name a file for the picture"
        );
    }
    let wanted = Wanted {
        drawings: outputs.drawings(),
        of_same: true,
    };
    let comparator = args.comparator()?;
    let pair = Opened::new([baseline, current], args.options())?.compare(&comparator, &wanted)?;
    args.tell_fallback(&comparator, By::one(pair.comparison.backend.as_str()));
    // What was found is told also when a picture of it could not be written.
    let (written, failure) = match outputs.write(&pair, &[baseline, current]) {
        Ok(written) => (written, None),
        Err(failure) => (Vec::new(), Some(failure)),
    };
    if args.json {
        print(&json(&report::PairReport::new([baseline, current], &pair)))?;
    } else {
        let words = words::describe(&pair.comparison, args.anti_aliasing(), &written);
        if outputs.go_to_stdout() {
            let _ = std::io::stderr().write_all(words.as_bytes());
        } else {
            print(&words)?;
        }
    }
    failure.map_or_else(|| Ok(pair.outcome()), Err)
}

impl DiffArgs {
    fn options(&self) -> CompareOptions {
        CompareOptions {
            threshold: self.threshold,
            anti_aliasing: self.anti_aliasing(),
            alignment: if self.no_align {
                Alignment::Off
            } else {
                Alignment::Auto
            },
            ignore: self.ignore.clone(),
            doubts: Vec::new(),
        }
    }

    fn anti_aliasing(&self) -> AntiAliasing {
        if self.include_aa {
            AntiAliasing::Include
        } else {
            AntiAliasing::Exclude
        }
    }

    fn comparator(&self) -> anyhow::Result<Comparator> {
        Ok(Comparator::new(self.backend.into())?)
    }

    /// Says on the standard error that the CPU compared, and why, where something else was asked for: once for all pages.
    fn tell_fallback(&self, comparator: &Comparator, by: By) {
        let note = fallback(self.backend, by, &comparator.report(), comparator.failure());
        if let Some(note) = note {
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }
}

/// What compared the pages that were compared.
#[derive(Debug, Clone, Copy, Default)]
struct By {
    cpu: bool,
    gpu: bool,
}

impl By {
    /// One page, by what its report names.
    fn one(backend: &str) -> Self {
        let gpu = backend == Backend::Gpu.as_str();
        Self { cpu: !gpu, gpu }
    }

    fn and(self, other: Self) -> Self {
        Self {
            cpu: self.cpu || other.cpu,
            gpu: self.gpu || other.gpu,
        }
    }
}

/// Where the CPU compared although something else was asked for, and why, on one line.
fn fallback(
    asked: CompareBackend,
    by: By,
    report: &BackendReport,
    failure: Option<&str>,
) -> Option<String> {
    let note = match (asked, report.backend, failure) {
        (CompareBackend::Cpu, ..) => return None,
        (_, Backend::Gpu, None) if !by.cpu => return None,
        (_, Backend::Gpu, None) => {
            "note: compared on the CPU where columns of a page are aligned apart, which the GPU does not compare".to_owned()
        }
        // It was lost only after the last page.
        _ if by.gpu && !by.cpu => return None,
        (_, Backend::Cpu, _) if by.gpu => {
            format!(
                "note: compared on the GPU until it was lost, and on the CPU from then on: {}",
                report.reason
            )
        }
        (_, Backend::Cpu, _) => format!("note: compared on the CPU: {}", report.reason),
        // The GPU works, again or still.
        (_, Backend::Gpu, Some(why)) => {
            format!("note: compared on the CPU where the GPU failed: {why}")
        }
    };
    // What a driver says may go over several lines.
    let words: Vec<&str> = note.split_whitespace().collect();
    Some(words.join(" "))
}

fn threshold(text: &str) -> Result<f64, String> {
    (text.parse().ok())
        .filter(|value| (0.0..=1.0).contains(value))
        .ok_or_else(|| "a number from 0 to 1 is wanted; 0.1 is the usual value".into())
}

fn is_folder(path: &Path) -> anyhow::Result<bool> {
    let facts =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", readable(path)))?;
    Ok(facts.is_dir())
}

fn json(report: &impl Serialize) -> String {
    let text = serde_json::to_string(report).expect("reports have no maps and no foreign types");
    text + "\n"
}

/// A reader that closes its end early, such as `head`, has seen enough: that is no failure.
fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to the standard output")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(backend: Backend) -> BackendReport {
        BackendReport {
            backend,
            adapter: None,
            driver: None,
            reason: "a reason".into(),
        }
    }

    #[test]
    fn who_asks_for_the_gpu_is_told_where_it_did_not_compare() {
        let (cpu, gpu) = (report(Backend::Cpu), report(Backend::Gpu));
        let (by_cpu, by_card) = (By::one("cpu"), By::one("gpu"));
        for asked in [CompareBackend::Auto, CompareBackend::Gpu] {
            let told = |by, report, failure| fallback(asked, by, report, failure);
            assert_eq!(told(by_card, &gpu, None), None);
            for by in [by_cpu, by_cpu.and(by_card)] {
                let note = told(by, &gpu, None).unwrap_or_default();
                assert!(
                    note.contains("columns of a page are aligned apart"),
                    "{note}"
                );
            }
            for failure in [None, Some("it was lost")] {
                for by in [by_cpu, By::default()] {
                    let note = told(by, &cpu, failure);
                    assert_eq!(note.as_deref(), Some("note: compared on the CPU: a reason"));
                }
                let note = told(by_cpu.and(by_card), &cpu, failure);
                let expected = "note: compared on the GPU until it was lost, and on the CPU from then on: a reason";
                assert_eq!(note.as_deref(), Some(expected));
                assert_eq!(told(by_card, &cpu, failure), None, "no page was left");
            }
            let why = Some("Out of memory\n\nCaused by:\n  a page");
            let note = told(by_cpu.and(by_card), &gpu, why);
            let expected =
                "note: compared on the CPU where the GPU failed: Out of memory Caused by: a page";
            assert_eq!(note.as_deref(), Some(expected));
        }
        assert_eq!(fallback(CompareBackend::Cpu, by_cpu, &cpu, None), None);
    }
}
