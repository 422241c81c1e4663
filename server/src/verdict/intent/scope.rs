//! The parts of a page that a run says it is about: globs over tags, ids, classes and names of components.

use globset::{GlobBuilder, GlobMatcher};

/// The declared parts.
#[derive(Debug)]
pub(super) struct Scope {
    patterns: Vec<GlobMatcher>,
}

impl Scope {
    /// The scope of these patterns, none when there are none; a pattern that is no glob matches nothing.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p String>) -> Option<Self> {
        let mut patterns = patterns
            .filter(|pattern| !pattern.trim().is_empty())
            .peekable();
        patterns.peek()?;
        let patterns = patterns.filter_map(|pattern| matcher(pattern)).collect();
        Some(Self { patterns })
    }

    /// Whether one of these selectors names a part of it.
    pub(super) fn has<'n>(&self, mut names: impl Iterator<Item = &'n String>) -> bool {
        names.any(|selector| {
            let mut names = simple_names(selector).into_iter();
            names.any(|name| self.patterns.iter().any(|pattern| pattern.is_match(&name)))
        })
    }
}

/// A scope pattern: a glob over a tag, an id or a class; a component's name matches however its words are joined.
fn matcher(pattern: &str) -> Option<GlobMatcher> {
    let plain = plain_name(pattern.trim());
    let glob = GlobBuilder::new(&plain)
        .literal_separator(false)
        .build()
        .ok()?;
    Some(glob.compile_matcher())
}

/// The tags, ids and classes of a selector.
fn simple_names(selector: &str) -> Vec<String> {
    let parts = selector.split([' ', '>', '.', '#', ':', '[', '(']);
    parts
        .filter(|part| !part.is_empty())
        .map(plain_name)
        .collect()
}

/// `PricingTable`, `pricing_table`, `.pricing-table` and `#pricingTable` are one name.
fn plain_name(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '-' | '_' | '.' | '#' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}
