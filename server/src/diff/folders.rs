//! Two folders compared page by page, several at once.

mod room;
mod summary;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pentimento_compute::Comparator;
use serde::Serialize;

use super::names::readable;
use super::outputs::Outputs;
use super::pages::{Pages, Presence, find_pages};
use super::pair::{Opened, Wanted};
use super::report::Facts;
use super::{By, DiffArgs, Outcome, json, print};
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
    progress.show(0, pages.len() as u64);
    let pages = compare_pages(
        &pages,
        |page| compare_page(args, &outputs, &comparator, &room, page),
        |done| progress.show(done, pages.len() as u64),
    );
    progress.finish();
    let by = (pages.iter())
        .filter_map(|page| page.comparison.as_ref())
        .map(|facts| By::one(facts.backend))
        .fold(By::default(), By::and);
    args.tell_fallback(&comparator, by);
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

/// Compares pages on as many threads as there are processors, and tells after each how many are done; the reports come in the order
/// of the pages. One whose comparison panics is an error, and takes no other page with it.
///
/// They are threads of their own because a large page shares its work among rayon's: one begun on one
/// of those could not wait for its parts without beginning another page meanwhile, which would
/// hold ever more pictures in memory. These, unlike rayon's, may also wait for [`Room`].
fn compare_pages(
    pages: &[Page],
    compare: impl Fn(&Page) -> PageReport + Sync,
    tell: impl Fn(u64) + Sync,
) -> Vec<PageReport> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let page = pages.get(index)?;
            let report = catch_unwind(AssertUnwindSafe(|| compare(page)));
            tell(done.fetch_add(1, Ordering::Relaxed) + 1);
            Some((index, report.unwrap_or_else(|_| panicked(page))))
        })
        .collect::<Vec<_>>()
    };
    let mut reports: Vec<(usize, PageReport)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.min(pages.len()))
            .map(|_| scope.spawn(work))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("what panics is caught"))
            .collect()
    });
    reports.sort_unstable_by_key(|&(index, _)| index);
    reports.into_iter().map(|(_, report)| report).collect()
}

/// The report of a page whose comparison panicked; what it said is on the standard error.
fn panicked((name, _): &Page) -> PageReport {
    let name = readable(name);
    PageReport {
        error: Some(format!(
            "{name}: comparing it failed in a way that it never should; please report it with both files"
        )),
        name,
        status: PageStatus::Error,
        comparison: None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_panics_is_an_error_and_takes_no_other_with_it() {
        // More than there are threads: those must go on.
        let pages: Vec<Page> = (0..1_000)
            .map(|number| (format!("{number:04}.png").into(), Presence::Both))
            .collect();
        let told = AtomicU64::new(0);
        let compare = |(name, _): &Page| {
            let name = readable(name);
            assert!(!name.ends_with("77.png"), "a comparison that panics");
            PageReport {
                name,
                status: PageStatus::Same,
                error: None,
                comparison: None,
            }
        };
        let reports = compare_pages(&pages, compare, |_| {
            told.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!((reports.len(), told.into_inner()), (1_000, 1_000));
        for (report, (name, _)) in reports.iter().zip(&pages) {
            assert_eq!(report.name, readable(name));
            let panicked = report.name.ends_with("77.png");
            assert_eq!(report.status == PageStatus::Error, panicked, "{report:?}");
            let said = report.error.as_deref().unwrap_or_default();
            assert_eq!(said.contains(&report.name), panicked, "{said}");
        }
        let worst = reports.iter().map(|report| report.status.outcome()).max();
        assert_eq!(worst, Some(Outcome::Failed));
    }
}
