//! Reading a sitemap and all that it leads to, level by level. Files of a level are fetched together and taken in their
//! order, so that what is found does not depend on which answers first.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::Problem;
use super::fetch::{FetchError, fetch};
use super::robots;
use super::sitemap_file::{self, MAX_ADDRESSES, SitemapFile};
use crate::app::App;
use crate::gate::of_job::Gates;
use crate::page_path::path_and_query;
use crate::target::TargetPolicy;
use crate::turn::{Turn, in_turn};

/// Files that a sitemap may lead to, itself included.
const MAX_FILES: usize = 500;

/// How deep indexes may name indexes; the protocol knows one level.
const MAX_DEPTH: usize = 5;

/// Files that are fetched at once, from one site.
const AT_ONCE: usize = 4;

/// Different pages that are kept, and bytes of their paths: a job captures a few of them.
const MAX_PAGES: usize = 200_000;
const MAX_PATH_BYTES: usize = 64 * 1024 * 1024;

/// Where reading begins.
pub(super) enum Start {
    /// At the sitemap that somebody named.
    Named(Url),
    /// At `/sitemap.xml` of the test origin, or at what its `robots.txt` names when that is missing.
    Default,
}

/// What the sitemap lists.
#[derive(Default)]
pub(super) struct Listing {
    /// Paths with query, each once, in the order in which they are listed.
    pub(super) paths: Vec<Arc<str>>,
    /// What was left out that somebody may miss.
    pub(super) warnings: Vec<String>,
    /// What else a person may want to know.
    pub(super) notes: Vec<String>,
    /// Why the sitemap was not read whole.
    pub(super) problem: Option<Problem>,
}

/// Reads the sitemap within the budget. Pages are mapped onto the test origin by their paths. A file whose budget is over may be
/// read to its end, and has the turn, where there is one, as long.
pub(super) async fn read(
    app: &App,
    gates: &Gates,
    origin: &Url,
    start: Start,
    (budget, turn): (Duration, Option<Turn>),
) -> Listing {
    let mut walk = Walk::new(app, gates, origin, budget, turn);
    let ended = match start {
        Start::Named(address) => walk.levels(vec![address]).await,
        Start::Default => walk.default_place().await,
    };
    walk.into_listing(ended.err())
}

/// Reading, as far as it has come.
struct Walk<'a> {
    app: &'a App,
    gates: &'a Gates,
    origin: &'a Url,
    budget: Duration,
    deadline: Instant,
    turn: Option<Turn>,
    /// Addresses of files that were or will be read.
    files: HashSet<Url>,
    paths: Vec<Arc<str>>,
    known: HashSet<Arc<str>>,
    path_bytes: usize,
    told: Told,
}

/// What is counted on the way, to be told at the end.
#[derive(Default)]
struct Told {
    entries: usize,
    foreign: usize,
    foreign_origin: Option<String>,
    unusable: usize,
    too_many_pages: bool,
    unread_files: usize,
    warnings: Vec<String>,
    notes: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(
        app: &'a App,
        gates: &'a Gates,
        origin: &'a Url,
        budget: Duration,
        turn: Option<Turn>,
    ) -> Self {
        Self {
            app,
            gates,
            origin,
            budget,
            deadline: Instant::now() + budget,
            turn,
            files: HashSet::new(),
            paths: Vec::new(),
            known: HashSet::new(),
            path_bytes: 0,
            told: Told::default(),
        }
    }

    /// Begins where a site's sitemap is when nobody says where.
    async fn default_place(&mut self) -> Result<(), Problem> {
        let [default, robots] = ["/sitemap.xml", "/robots.txt"].map(|path| {
            let mut address = self.origin.clone();
            address.set_path(path);
            address
        });
        let first = self
            .in_time(read_file(
                self.app,
                self.gates,
                default.clone(),
                self.turn.clone(),
            ))
            .await?;
        match first {
            Err(error) if error.is_missing => {}
            first => {
                self.files.insert(default.clone());
                let nested = self.take(&default, first)?;
                return self.levels(nested).await;
            }
        }
        let fetched = self.in_time(fetch(self.app, self.gates, &robots)).await?;
        let named = match fetched {
            Ok(file) => robots::sitemaps(&file.bytes),
            Err(error) if error.is_missing => Vec::new(),
            Err(error) => {
                return Err(Problem::Unread(format!(
                    "There is no sitemap at {default}, and whether {robots} names one is not known: {}",
                    error.sentence
                )));
            }
        };
        if named.is_empty() {
            return Err(Problem::Unread(format!(
                "There is no sitemap at {default}, and {robots} names none; say where it is with `sitemapUrl`."
            )));
        }
        self.told.notes.push(format!(
            "There is no sitemap at {default}; {robots} names {}.",
            named.len()
        ));
        let named = self.new_files(&robots, &named)?;
        self.levels(named).await
    }

    /// Reads files, then the files that they name, and so on.
    async fn levels(&mut self, first: Vec<Url>) -> Result<(), Problem> {
        self.files.extend(first.iter().cloned());
        let mut level = first;
        for _ in 0..=MAX_DEPTH {
            let (app, gates, turn) = (self.app, self.gates, self.turn.clone());
            let mut reading = futures::stream::iter(level)
                .map(move |address| {
                    let turn = turn.clone();
                    async move {
                        let file = read_file(app, gates, address.clone(), turn).await;
                        (address, file)
                    }
                })
                .buffered(AT_ONCE);
            let mut next = Vec::new();
            while let Some((address, file)) = self.in_time(reading.next()).await? {
                next.extend(self.take(&address, file)?);
            }
            drop(reading);
            if next.is_empty() {
                return Ok(());
            }
            level = next;
        }
        self.told.warnings.push(format!(
            "Indexes name indexes more than {MAX_DEPTH} levels deep; {} files below were not read.",
            level.len()
        ));
        Ok(())
    }

    async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Problem> {
        let ended = tokio::time::timeout_at(self.deadline, work).await;
        ended.map_err(|_| {
            Problem::Cut(format!(
                "The sitemap, or one of those it names, did not arrive within {} s.",
                self.budget.as_secs_f64().ceil()
            ))
        })
    }

    /// Takes in what a file lists; gives the files to read next.
    fn take(
        &mut self,
        address: &Url,
        file: Result<(Url, SitemapFile), FetchError>,
    ) -> Result<Vec<Url>, Problem> {
        let (base, file) = file.map_err(|error| Problem::Unread(error.sentence))?;
        self.told.unusable += file.unusable;
        if file.surplus > 0 {
            self.told.warnings.push(format!(
                "The sitemap {address} lists more than {MAX_ADDRESSES} addresses; the other {} were left out.",
                file.surplus
            ));
        }
        for page in &file.pages {
            match base.join(page) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => self.add_page(&url),
                _ => self.told.unusable += 1,
            }
        }
        self.new_files(&base, &file.files)
    }

    fn add_page(&mut self, url: &Url) {
        self.told.entries += 1;
        if url.origin() != self.origin.origin() {
            self.told.foreign += 1;
            let origin = || url.origin().ascii_serialization();
            self.told.foreign_origin.get_or_insert_with(origin);
        }
        let path: Arc<str> = path_and_query(url).into();
        if self.known.contains(&path) {
            return;
        }
        if self.paths.len() >= MAX_PAGES || self.path_bytes + path.len() > MAX_PATH_BYTES {
            self.told.too_many_pages = true;
            return;
        }
        self.path_bytes += path.len();
        self.known.insert(path.clone());
        self.paths.push(path);
    }

    /// Of the files that one names, those that were not named before.
    fn new_files(&mut self, base: &Url, named: &[String]) -> Result<Vec<Url>, Problem> {
        let mut new = Vec::new();
        for address in named {
            let joined = base.join(address).map_err(|_| {
                Problem::Unread(format!(
                    "{base} names the sitemap `{address}`, which is no address."
                ))
            })?;
            let mut url = TargetPolicy::parse(joined.as_str()).map_err(|error| {
                Problem::Unread(format!("{base} names the sitemap `{address}`: {error}."))
            })?;
            url.set_fragment(None);
            if self.files.contains(&url) {
                continue;
            }
            if self.files.len() >= MAX_FILES {
                self.told.unread_files += 1;
                continue;
            }
            self.files.insert(url.clone());
            new.push(url);
        }
        Ok(new)
    }

    fn into_listing(self, problem: Option<Problem>) -> Listing {
        let (origin, told) = (self.origin.origin().ascii_serialization(), self.told);
        let (mut warnings, mut notes) = (told.warnings, told.notes);
        if told.unread_files > 0 {
            warnings.push(format!(
                "The sitemap leads to more than {MAX_FILES} files; the other {} were not read.",
                told.unread_files
            ));
        }
        if told.too_many_pages {
            warnings.push(format!(
                "The sitemap lists more pages than are looked at; the first {} were.",
                self.paths.len()
            ));
        }
        if self.paths.is_empty() && problem.is_none() {
            warnings.push("The sitemap lists no page.".to_owned());
        }
        if let Some(foreign) = told.foreign_origin {
            notes.push(format!(
                "{} of the sitemap's {} addresses are on another origin, such as {foreign}; what has their paths on {origin} is captured.",
                told.foreign, told.entries
            ));
        }
        if told.unusable > 0 {
            notes.push(format!(
                "{} entries of the sitemap were left out, since they hold no http address of at most 2,048 bytes.",
                told.unusable
            ));
        }
        Listing {
            paths: self.paths,
            warnings,
            notes,
            problem,
        }
    }
}

/// Fetches and reads a file; gives also where it came from in the end, which its relative addresses start from.
async fn read_file(
    app: &App,
    gates: &Gates,
    address: Url,
    turn: Option<Turn>,
) -> Result<(Url, SitemapFile), FetchError> {
    let fetched = fetch(app, gates, &address).await?;
    let file = parse(&address, fetched.bytes, turn).await?;
    Ok((fetched.url, file))
}

/// Reads a file, of which up to 50 MB are unpacked and parsed.
async fn parse(
    address: &Url,
    bytes: Vec<u8>,
    turn: Option<Turn>,
) -> Result<SitemapFile, FetchError> {
    let read = in_turn(turn, move || sitemap_file::read(bytes)).await;
    let read = read.map_err(|_| format!("The sitemap {address} could not be read."))?;
    Ok(read.map_err(|why| format!("The sitemap {address} {why}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::tests::keeps_its_turn;

    #[test]
    fn reading_a_file_keeps_its_turn_when_nobody_waits_any_more() {
        let address = Url::parse("http://site.test/sitemap.xml").unwrap();
        let file = b"<urlset></urlset>".to_vec();
        keeps_its_turn(|turn| async move { parse(&address, file, Some(turn)).await.is_ok() });
    }
}
