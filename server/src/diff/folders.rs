//! Two folders compared page by page, several at once.

mod room;
mod summary;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pentimento_compute::Comparator;
use serde::Serialize;

use super::names::readable;
use super::outputs::Outputs;
use super::pages::{Pages, Presence, find_pages};
use super::pair::{Opened, Wanted};
use super::report::Facts;
use super::{DiffArgs, Outcome, json, print};
use crate::progress::Progress;
use room::Room;
use summary::Summary;

/// What comparing two folders gave.
#[derive(Debug, Serialize)]
struct FoldersReport {
    pages: Vec<PageReport>,
    summary: Summary,
}

/// What became of one page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PageReport {
    /// Its path within the folders.
    name: String,
    status: PageStatus,
    /// Why it could not be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Facts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum PageStatus {
    Same,
    Changed,
    /// Only the current folder has it.
    Added,
    /// Only the baseline folder has it.
    Removed,
    Error,
}

impl PageStatus {
    fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Error => "error",
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            Self::Same => Outcome::Same,
            Self::Changed | Self::Added | Self::Removed => Outcome::Different,
            Self::Error => Outcome::Failed,
        }
    }
}

/// Compares all pages, prints, and says how it came out: as the worst page did.
pub(super) fn compare(args: &DiffArgs, outputs: Outputs) -> anyhow::Result<Outcome> {
    outputs.refuse_inputs([&args.baseline, &args.current])?;
    let Pages { pages, linked } = find_pages(&args.baseline, &args.current)?;
    let outputs = outputs.sparing(linked);
    outputs.make_folders()?;
    let comparator = args.comparator()?;
    let room = Room::default();
    let progress = Progress::new("compared");
    let done = AtomicU64::new(0);
    let pages = compare_pages(&pages, |page| {
        let report = compare_page(args, &outputs, &comparator, &room, page);
        let now = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.show(now, pages.len() as u64);
        report
    });
    progress.finish();
    args.tell_fallback(&comparator);
    let report = FoldersReport {
        summary: Summary::of(&pages),
        pages,
    };
    if args.json {
        print(&json(&report))?;
    } else {
        print(&summary::describe(&report.pages, &report.summary))?;
    }
    let outcomes = report.pages.iter().map(|page| page.status.outcome());
    Ok(outcomes.max().unwrap_or(Outcome::Same))
}

type Page = (PathBuf, Presence);

/// Compares pages on as many threads as there are processors; the reports come in the order of the
/// pages.
///
/// They are threads of their own because a large page shares its work among rayon's: one begun on one
/// of those could not wait for its parts without beginning another page meanwhile, which would
/// hold ever more pictures in memory. These, unlike rayon's, may also wait for [`Room`].
fn compare_pages(pages: &[Page], compare: impl Fn(&Page) -> PageReport + Sync) -> Vec<PageReport> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            Some((index, compare(pages.get(index)?)))
        })
        .collect::<Vec<_>>()
    };
    let mut reports: Vec<(usize, PageReport)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.min(pages.len()))
            .map(|_| scope.spawn(work))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("comparing does not panic"))
            .collect()
    });
    reports.sort_unstable_by_key(|&(index, _)| index);
    reports.into_iter().map(|(_, report)| report).collect()
}

fn compare_page(
    args: &DiffArgs,
    outputs: &Outputs,
    comparator: &Comparator,
    room: &Room,
    (name, presence): &Page,
) -> PageReport {
    let report = |status| PageReport {
        name: readable(name),
        status,
        error: None,
        comparison: None,
    };
    match presence {
        Presence::BaselineOnly => return report(PageStatus::Removed),
        Presence::CurrentOnly => return report(PageStatus::Added),
        Presence::Unreadable(why) => {
            return PageReport {
                error: Some(why.clone()),
                ..report(PageStatus::Error)
            };
        }
        Presence::Both => {}
    }
    let paths = [args.baseline.join(name), args.current.join(name)];
    let wanted = Wanted {
        drawings: outputs.drawings(),
        of_same: false,
    };
    let paths = [paths[0].as_path(), &paths[1]];
    let failed = |error: anyhow::Error| PageReport {
        error: Some(format!("{error:#}")),
        ..report(PageStatus::Error)
    };
    let opened = match Opened::new(paths, args.options()) {
        Ok(opened) => opened,
        Err(error) => return failed(error),
    };
    // Until its pictures are written.
    let _place = room.place(opened.pixels());
    let pair = match opened.compare(comparator, &wanted) {
        Ok(pair) => pair,
        Err(error) => return failed(error),
    };
    let compared = match pair.outcome() {
        Outcome::Same => report(PageStatus::Same),
        Outcome::Different | Outcome::Failed => (outputs.of_page(name))
            .write(&pair, &[paths[0], paths[1], &args.baseline, &args.current])
            .map_or_else(failed, |_| report(PageStatus::Changed)),
    };
    // What was found is told also when a picture of it could not be written.
    PageReport {
        comparison: Some(Facts::from(&pair.comparison)),
        ..compared
    }
}
