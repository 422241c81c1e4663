//! Scans: which of a sitemap's paths their globs let through. Pure, and within a deadline: whoever writes 200 patterns over
//! 200,000 paths can make each of them slow.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use globset::{Candidate, Glob, GlobMatcher, GlobSet};
use pentimento_api::crawl::Scan;

use crate::page_path::{comparable, path_glob};

/// Bytes of the patterns that are matched together: the matcher takes some ten times as much, and refuses beyond 10 MiB.
const SET_BYTES: usize = 64 * 1024;

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

fn check_time(deadline: Instant) -> Result<(), Fault> {
    if Instant::now() < deadline {
        Ok(())
    } else {
        Err(Fault::OutOfTime)
    }
}

/// The paths that the scans let through, each once. A glob is about the path without its query.
pub(super) fn apply(
    scans: &[Scan],
    paths: &[Arc<str>],
    deadline: Instant,
) -> Result<Chosen, Fault> {
    let mut globs = Globs::default();
    let mut rules = scans
        .iter()
        .map(|scan| Rule::of(scan, &mut globs))
        .collect::<Result<Vec<_>, _>>()?;
    let mut matching = Matching::of(globs, deadline)?;
    for path in paths {
        matching.look_at(&comparable(path.split('?').next().unwrap_or_default()))?;
        let mut is_chosen = false;
        for rule in &mut rules {
            if rule.count < rule.limit && rule.lets_through(&mut matching)? {
                rule.count += 1;
                if !is_chosen {
                    rule.paths.push(path.clone());
                }
                is_chosen = true;
            }
        }
    }
    let without_match = scans.iter().zip(&rules).filter(|(_, rule)| rule.count == 0);
    Ok(Chosen {
        warnings: without_match
            .map(|(scan, _)| {
                format!(
                    "The scan `{}` matches none of the sitemap's {} pages.",
                    scan.pattern,
                    paths.len()
                )
            })
            .collect(),
        pages: (rules.into_iter().enumerate())
            .flat_map(|(scan, rule)| rule.paths.into_iter().map(move |path| (path, scan)))
            .collect(),
    })
}

/// A scan by the numbers of its globs, and what came of it.
struct Rule {
    wanted: usize,
    excluded: Vec<usize>,
    /// Paths that it lets through at most, and has let through.
    limit: usize,
    count: usize,
    /// Those that no scan before it did.
    paths: Vec<Arc<str>>,
}

impl Rule {
    fn of(scan: &Scan, globs: &mut Globs) -> Result<Self, Fault> {
        let options = scan.options.as_ref();
        let excluded = options
            .iter()
            .flat_map(|options| options.exclude.iter().flatten());
        let limit = options.and_then(|options| options.limit);
        Ok(Self {
            wanted: globs.number(&scan.pattern)?,
            excluded: excluded
                .map(|pattern| globs.number(pattern))
                .collect::<Result<_, _>>()?,
            limit: limit.map_or(usize::MAX, |limit| limit as usize),
            count: 0,
            paths: Vec::new(),
        })
    }

    /// Whether it lets the path through that is looked at.
    fn lets_through(&self, matching: &mut Matching) -> Result<bool, Fault> {
        if !matching.matches(self.wanted)? {
            return Ok(false);
        }
        for glob in &self.excluded {
            if matching.matches(*glob)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The different globs of all scans, numbered.
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

/// Which globs match one path after the other.
struct Matching {
    /// Globs that are fixed up to their end, with their numbers: matched together, whatever their count.
    sets: Vec<(Vec<usize>, GlobSet)>,
    /// The others by their numbers. Together they would need more states than a matcher keeps, which is twenty times slower
    /// than one after the other; so each is matched when somebody asks.
    alone: Vec<Option<GlobMatcher>>,
    path: String,
    /// What is known of the path, by the globs' numbers.
    known: Vec<Option<bool>>,
    deadline: Instant,
}

impl Matching {
    fn of(globs: Globs, deadline: Instant) -> Result<Self, Fault> {
        let is_fixed = |glob: &Glob| !glob.glob().trim_end_matches('*').contains('*');
        let count = globs.all.len();
        let (fixed, others): (Vec<_>, Vec<_>) =
            (globs.all.into_iter().enumerate()).partition(|(_, glob)| is_fixed(glob));
        let mut matching = Self {
            sets: compile(&fixed, deadline)?,
            alone: vec![None; count],
            path: String::new(),
            known: vec![None; count],
            deadline,
        };
        for (number, glob) in others {
            check_time(deadline)?;
            matching.alone[number] = Some(glob.compile_matcher());
        }
        Ok(matching)
    }

    fn look_at(&mut self, path: &str) -> Result<(), Fault> {
        check_time(self.deadline)?;
        path.clone_into(&mut self.path);
        let candidate = Candidate::new(path);
        for (known, alone) in self.known.iter_mut().zip(&self.alone) {
            *known = alone.is_none().then_some(false);
        }
        for (numbers, set) in &self.sets {
            check_time(self.deadline)?;
            for glob in set.matches_candidate(&candidate) {
                self.known[numbers[glob]] = Some(true);
            }
        }
        Ok(())
    }

    fn matches(&mut self, glob: usize) -> Result<bool, Fault> {
        if let Some(known) = self.known[glob] {
            return Ok(known);
        }
        check_time(self.deadline)?;
        let alone = self.alone[glob].as_ref();
        let matches = alone.is_some_and(|matcher| matcher.is_match(&self.path));
        self.known[glob] = Some(matches);
        Ok(matches)
    }
}

/// The globs in sets that are small enough to be compiled.
fn compile(
    globs: &[(usize, Glob)],
    deadline: Instant,
) -> Result<Vec<(Vec<usize>, GlobSet)>, Fault> {
    let mut sets = Vec::new();
    let mut rest = globs;
    while !rest.is_empty() {
        check_time(deadline)?;
        let mut bytes = 0;
        let fits = rest.iter().take_while(|(_, glob)| {
            bytes += glob.glob().len();
            bytes <= SET_BYTES
        });
        let (set, after) = rest.split_at(fits.count().max(1));
        let compiled = GlobSet::new(set.iter().map(|(_, glob)| glob));
        let compiled = compiled.map_err(|error| no_glob(set[0].1.glob(), &error))?;
        sets.push((set.iter().map(|(number, _)| *number).collect(), compiled));
        rest = after;
    }
    Ok(sets)
}

fn no_glob(pattern: &str, error: &globset::Error) -> Fault {
    Fault::Pattern(format!("The scan `{pattern}` is no glob: {error}."))
}

#[cfg(test)]
mod tests;
