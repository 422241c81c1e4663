//! Which pages a job captures: its URL, its paths, and what its sitemap lists. A job and its preview both ask here.

mod fetch;
mod robots;
mod scans;
mod sitemap;
mod sitemap_file;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento_api::crawl::Scan;
use pentimento_api::discover::PageOrigin;
use url::Url;

use crate::app::App;
use crate::gate::of_job::Gates;
use crate::jobs::checks::{MAX_RESULTS, MAX_URL_CHARACTERS, clip};
use crate::jobs::spec::CaptureConfig;
use crate::page_path::path_and_query;
use crate::turn::{Turn, in_turn};
use scans::{Chosen, Fault};
use sitemap::Start;

/// Longest wait of a job for a sitemap and all that it leads to.
pub const JOB_BUDGET: Duration = Duration::from_mins(2);

/// Of a budget, what is left for matching scans when a sitemap takes all the time it may.
const MATCHING: Duration = Duration::from_secs(1);

/// A page that a job captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address on the test origin.
    pub url: String,
    /// Path with query.
    pub page_key: String,
    /// A name for people; empty when it has none.
    pub label: String,
    /// What led to it first.
    pub from: PageOrigin,
    /// The pattern of the scan that let it through first.
    pub scan: Option<String>,
}

/// The pages, and what is odd about them.
#[derive(Debug, Default)]
pub struct Discovery {
    /// In a stable order, without duplicates.
    pub pages: Vec<Page>,
    /// What keeps pages away that somebody may miss, such as a scan without a match: a job says so.
    pub warnings: Vec<String>,
    /// What a person may want to know, and nothing is wrong with it.
    pub notes: Vec<String>,
    /// Why a job cannot run on these pages.
    pub problem: Option<Problem>,
}

/// Why a job cannot run, in a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The time ran out before everything was read.
    Cut(String),
    /// The sitemap cannot be read.
    Unread(String),
    /// Everything was read, and there is no page, or there are too many.
    Size(String),
}

impl Problem {
    /// The sentence.
    pub fn sentence(&self) -> &str {
        let (Self::Cut(sentence) | Self::Unread(sentence) | Self::Size(sentence)) = self;
        sentence
    }
}

/// Finds the pages of a job: the union of `url`, `paths` and what the sitemap holds; `/` when nothing is given. Reading
/// the sitemap ends with the budget. What its threads do may outlast it by a moment, and has the turn, where there is one, as long.
pub async fn discover(
    app: &App,
    config: &CaptureConfig,
    gates: &Gates,
    budget: Duration,
    turn: Option<Turn>,
) -> Discovery {
    let origin = config.test_origin.as_deref().unwrap_or_default();
    let Ok(origin) = Url::parse(origin) else {
        let sentence = format!("The test origin `{origin}` is no address.");
        return Discovery {
            problem: Some(Problem::Unread(sentence)),
            ..Discovery::default()
        };
    };
    let mut discovery = Discovery::default();
    let mut found = named(config);
    if config.sitemap_url.is_some() || !config.scans.is_empty() {
        let limits = (budget, turn.clone());
        let listed = listed(app, config, gates, &origin, limits, &mut discovery);
        found.extend(listed.await);
    } else if found.is_empty() {
        found.push(Found::new("/", PageOrigin::Default));
    }
    let pages = pages_of(origin, found, turn).await;
    let (pages, too_long): (Vec<_>, Vec<_>) =
        (pages.into_iter()).partition(|page| page.page_key.len() <= MAX_URL_CHARACTERS);
    discovery.pages = pages;
    discovery.warnings.extend(left_out(&too_long));
    if discovery.problem.is_none() {
        discovery.problem = refuse_size(&discovery, config.devices.len()).map(Problem::Size);
    }
    discovery
}

/// The pages on the test origin. A sitemap lists so many that a worker thread would be held up.
async fn pages_of(origin: Url, found: Vec<Found>, turn: Option<Turn>) -> Vec<Page> {
    match in_turn(turn, move || on_origin(&origin, found)).await {
        Ok(pages) => pages,
        Err(failed) => std::panic::resume_unwind(failed.into_panic()),
    }
}

/// A path and what led to it.
struct Found {
    path: String,
    label: String,
    from: PageOrigin,
    scan: Option<String>,
}

impl Found {
    fn new(path: &str, from: PageOrigin) -> Self {
        Self {
            path: path.to_owned(),
            label: String::new(),
            from,
            scan: None,
        }
    }
}

/// What the configuration names by itself.
fn named(config: &CaptureConfig) -> Vec<Found> {
    let url = config.url_path.iter();
    let url = url.map(|path| Found::new(path, PageOrigin::Url));
    let paths = config.paths.iter().map(|page| Found {
        label: page.label.clone(),
        ..Found::new(&page.path, PageOrigin::Paths)
    });
    url.chain(paths).collect()
}

/// What the sitemap lists and the scans let through.
async fn listed(
    app: &App,
    config: &CaptureConfig,
    gates: &Gates,
    origin: &Url,
    (budget, turn): (Duration, Option<Turn>),
    discovery: &mut Discovery,
) -> Vec<Found> {
    let start = match config.sitemap_url.as_deref().map(Url::parse) {
        None => Start::Default,
        Some(Ok(address)) => Start::Named(address),
        Some(Err(_)) => {
            let sentence = "The sitemap's address is no address.".to_owned();
            discovery.problem = Some(Problem::Unread(sentence));
            return Vec::new();
        }
    };
    let deadline = Instant::now() + budget;
    let reading = if config.scans.is_empty() {
        budget
    } else {
        budget.saturating_sub(MATCHING)
    };
    let listing = sitemap::read(app, gates, origin, start, (reading, turn.clone())).await;
    discovery.warnings = listing.warnings;
    discovery.notes = listing.notes;
    discovery.problem = listing.problem;
    if config.scans.is_empty() {
        let paths = listing.paths.iter();
        return paths
            .map(|path| Found::new(path, PageOrigin::Sitemap))
            .collect();
    }
    let chosen = match scanned(config.scans.clone(), listing.paths, deadline, turn).await {
        Ok(chosen) => chosen,
        Err(problem) => {
            discovery.problem.get_or_insert(problem);
            return Vec::new();
        }
    };
    // Of a sitemap that was not read whole, nobody knows what a scan would have matched.
    if discovery.problem.is_none() {
        discovery.warnings.extend(chosen.warnings);
    }
    let pages = chosen.pages.into_iter();
    pages
        .map(|(path, scan)| Found {
            scan: Some(config.scans[scan].pattern.clone()),
            ..Found::new(&path, PageOrigin::Sitemap)
        })
        .collect()
}

/// What the scans let through of these paths; on a thread of its own, as it may take all of the time.
async fn scanned(
    scans: Vec<Scan>,
    paths: Vec<Arc<str>>,
    deadline: Instant,
    turn: Option<Turn>,
) -> Result<Chosen, Problem> {
    let (patterns, pages) = (scans.len(), paths.len());
    let work = in_turn(turn, move || scans::apply(&scans, &paths, deadline));
    // One glob alone may take long enough to pass the deadline unseen.
    let ended = tokio::time::timeout_at(deadline.into(), work).await;
    match ended {
        Ok(Ok(Ok(chosen))) => Ok(chosen),
        Ok(Ok(Err(Fault::Pattern(sentence)))) => Err(Problem::Unread(sentence)),
        Ok(Err(failed)) => std::panic::resume_unwind(failed.into_panic()),
        Ok(Ok(Err(Fault::OutOfTime))) | Err(_) => Err(Problem::Cut(format!(
            "The {patterns} scans could not be matched in time with the sitemap's {pages} pages; name fewer or simpler patterns."
        ))),
    }
}

/// The pages on the test origin; of those that are named twice, the first.
fn on_origin(origin: &Url, found: Vec<Found>) -> Vec<Page> {
    let origin = origin.origin().ascii_serialization();
    let mut seen = HashSet::new();
    found
        .into_iter()
        .filter_map(|found| {
            // Joining would take a path that begins with two slashes for another host.
            let url = Url::parse(&format!("{origin}{}", found.path)).ok()?;
            let page_key = path_and_query(&url);
            seen.insert(page_key.clone()).then(|| Page {
                url: format!("{origin}{page_key}"),
                page_key,
                label: found.label,
                from: found.from,
                scan: found.scan,
            })
        })
        .collect()
}

/// Says that pages are left out because their paths are longer than any database keeps.
fn left_out(too_long: &[Page]) -> Option<String> {
    let first = too_long.first()?;
    let (count, longest) = (too_long.len(), MAX_URL_CHARACTERS);
    let pages = if count == 1 {
        "page has a path"
    } else {
        "pages have paths"
    };
    Some(format!(
        "{count} {pages} of more than {longest} characters and cannot be captured: `{}`.",
        clip(&first.page_key)
    ))
}

/// Why a job cannot have so many pages, or so few.
fn refuse_size(discovery: &Discovery, devices: usize) -> Option<String> {
    let pages = discovery.pages.len();
    if pages == 0 {
        let sentences = std::iter::once("No page was found to capture.")
            .chain(discovery.warnings.iter().map(String::as_str));
        return Some(sentences.collect::<Vec<_>>().join(" "));
    }
    let count = pages * devices;
    (count > MAX_RESULTS).then(|| {
        format!(
            "The job would have {pages} pages on {devices} devices, {count} captures; {MAX_RESULTS} are the most. Narrow it with scans or fewer devices."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::tests::keeps_its_turn;

    fn found(path: &str, label: &str) -> Found {
        Found {
            label: label.to_owned(),
            ..Found::new(path, PageOrigin::Paths)
        }
    }

    #[test]
    fn duplicates_collapse_and_order_is_kept() {
        let origin = Url::parse("http://site.test:81").unwrap();
        let named = vec![
            found("/b", "B"),
            found("/a?x=1#top", ""),
            found("/b", ""),
            found("//other.test/c", ""),
        ];
        let pages = on_origin(&origin, named);
        let urls: Vec<&str> = pages.iter().map(|page| page.url.as_str()).collect();
        assert_eq!(
            urls,
            [
                "http://site.test:81/b",
                "http://site.test:81/a?x=1",
                "http://site.test:81//other.test/c"
            ]
        );
        assert_eq!(pages[0].label, "B");
    }

    #[test]
    fn making_pages_keeps_its_turn_when_nobody_waits_any_more() {
        let origin = Url::parse("http://site.test").unwrap();
        keeps_its_turn(|turn| pages_of(origin, vec![found("/a", "")], Some(turn)));
    }

    #[test]
    fn a_job_has_at_least_one_result_and_at_most_ten_thousand() {
        let origin = Url::parse("http://site.test").unwrap();
        let of = |pages: usize| Discovery {
            pages: on_origin(
                &origin,
                (0..pages).map(|it| found(&format!("/{it}"), "")).collect(),
            ),
            warnings: vec!["Nothing matched.".to_owned()],
            ..Discovery::default()
        };
        assert_eq!(
            refuse_size(&of(0), 2).as_deref(),
            Some("No page was found to capture. Nothing matched.")
        );
        assert_eq!(refuse_size(&of(5_000), 2), None);
        let refusal = refuse_size(&of(5_001), 2).unwrap();
        assert!(refusal.contains("10002 captures"), "{refusal}");
    }
}
