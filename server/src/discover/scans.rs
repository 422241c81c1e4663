//! Scans: which of a sitemap's paths their globs let through. Pure, and within a deadline: whoever writes 200 patterns over
//! 200,000 paths can make each of them slow.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use globset::{Candidate, Glob, GlobSet};
use pentimento_api::crawl::Scan;

use crate::page_path::path_glob;

/// What scans let through.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Paths with the number of the scan that let them through first; scan by scan, in the sitemap's order.
    pub(super) pages: Vec<(Arc<str>, usize)>,
    /// A sentence for each scan without a match.
    pub(super) warnings: Vec<String>,
}

/// Why scans let nothing through.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A pattern is no glob: a sentence for people.
    Pattern(String),
    /// The deadline passed before every path was looked at.
    OutOfTime,
}

/// The paths that the scans let through, each once. A glob is about the path without its query.
pub(super) fn apply(
    scans: &[Scan],
    paths: &[Arc<str>],
    deadline: Instant,
) -> Result<Chosen, Fault> {
    let rules = Rules::of(scans)?;
    let mut tallies: Vec<Tally> = scans.iter().map(|_| Tally::default()).collect();
    let (mut globs, mut refusing) = (Vec::new(), vec![usize::MAX; scans.len()]);
    for (number, path) in paths.iter().enumerate() {
        if Instant::now() >= deadline {
            return Err(Fault::OutOfTime);
        }
        let bare = path.split('?').next().unwrap_or_default();
        rules.matching(bare, &mut globs);
        for glob in &globs {
            for scan in &rules.excluded_by[*glob] {
                refusing[*scan] = number;
            }
        }
        let mut letting: Vec<usize> = globs
            .iter()
            .flat_map(|glob| &rules.wanted_by[*glob])
            .copied()
            .filter(|scan| refusing[*scan] != number && tallies[*scan].count < rules.limits[*scan])
            .collect();
        letting.sort_unstable();
        for scan in &letting {
            tallies[*scan].count += 1;
        }
        if let Some(first) = letting.first() {
            tallies[*first].paths.push(path.clone());
        }
    }
    let warnings = scans
        .iter()
        .zip(&tallies)
        .filter(|(_, tally)| tally.count == 0);
    Ok(Chosen {
        warnings: warnings
            .map(|(scan, _)| {
                format!(
                    "The scan `{}` matches none of the sitemap's {} pages.",
                    scan.pattern,
                    paths.len()
                )
            })
            .collect(),
        pages: (tallies.into_iter().enumerate())
            .flat_map(|(scan, tally)| tally.paths.into_iter().map(move |path| (path, scan)))
            .collect(),
    })
}

/// What came of one scan.
#[derive(Default)]
struct Tally {
    /// Paths that it let through.
    count: usize,
    /// Those that no scan before it did.
    paths: Vec<Arc<str>>,
}

/// All globs of all scans, matched at once, and which scan means what by each.
struct Rules {
    /// With the number of each one's first glob.
    sets: Vec<(usize, GlobSet)>,
    /// Scans that look for a glob, and scans that leave it out, by the glob's number.
    wanted_by: Vec<Vec<usize>>,
    excluded_by: Vec<Vec<usize>>,
    /// Paths that each scan lets through at most.
    limits: Vec<usize>,
}

impl Rules {
    fn of(scans: &[Scan]) -> Result<Self, Fault> {
        let mut globs = Globs::default();
        let mut rules = Self {
            sets: Vec::new(),
            wanted_by: Vec::new(),
            excluded_by: Vec::new(),
            limits: Vec::new(),
        };
        for (number, scan) in scans.iter().enumerate() {
            let options = scan.options.as_ref();
            let wanted = globs.number(&scan.pattern)?;
            let excluded = options
                .iter()
                .flat_map(|options| options.exclude.iter().flatten());
            let excluded = excluded
                .map(|pattern| globs.number(pattern))
                .collect::<Result<Vec<_>, _>>()?;
            rules.wanted_by.resize(globs.all.len(), Vec::new());
            rules.excluded_by.resize(globs.all.len(), Vec::new());
            rules.wanted_by[wanted].push(number);
            for glob in excluded {
                rules.excluded_by[glob].push(number);
            }
            let limit = options.and_then(|options| options.limit);
            rules
                .limits
                .push(limit.map_or(usize::MAX, |limit| limit as usize));
        }
        compile(&globs.all, 0, &mut rules.sets)?;
        Ok(rules)
    }

    /// The numbers of the globs that a path matches.
    fn matching(&self, path: &str, into: &mut Vec<usize>) {
        let candidate = Candidate::new(path);
        into.clear();
        for (first, set) in &self.sets {
            let matches = set.matches_candidate(&candidate).into_iter();
            into.extend(matches.map(|glob| first + glob));
        }
    }
}

/// Globs by the patterns that they come of.
#[derive(Default)]
struct Globs {
    all: Vec<Glob>,
    numbers: HashMap<String, usize>,
}

impl Globs {
    fn number(&mut self, pattern: &str) -> Result<usize, Fault> {
        if let Some(number) = self.numbers.get(pattern) {
            return Ok(*number);
        }
        let glob = path_glob(pattern).map_err(|error| no_glob(pattern, &error))?;
        self.all.push(glob);
        self.numbers.insert(pattern.to_owned(), self.all.len() - 1);
        Ok(self.all.len() - 1)
    }
}

/// Sets of the globs: one, or as many as are small enough to be compiled.
fn compile(globs: &[Glob], first: usize, sets: &mut Vec<(usize, GlobSet)>) -> Result<(), Fault> {
    match GlobSet::new(globs) {
        Ok(set) => {
            sets.push((first, set));
            Ok(())
        }
        Err(error) => match globs {
            [] => Ok(()),
            [only] => Err(no_glob(only.glob(), &error)),
            several => {
                let (left, right) = several.split_at(several.len() / 2);
                compile(left, first, sets)?;
                compile(right, first + left.len(), sets)
            }
        },
    }
}

fn no_glob(pattern: &str, error: &globset::Error) -> Fault {
    Fault::Pattern(format!("The scan `{pattern}` is no glob: {error}."))
}

#[cfg(test)]
mod tests;
