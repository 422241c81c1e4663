//! The parts of a page that a run says it is about: globs over tags, ids, classes and names of components, and selectors
//! made of them.

use globset::{GlobBuilder, GlobMatcher};

/// The declared parts.
#[derive(Debug)]
pub(super) struct Scope {
    patterns: Vec<Pattern>,
    /// Whether one of them names what documents do not record, so that no one can say what lies outside.
    is_open: bool,
}

/// An element and its ancestors, the outermost first, by globs that each must have a name for.
#[derive(Debug)]
struct Pattern {
    elements: Vec<Vec<GlobMatcher>>,
}

impl Scope {
    /// The scope of these patterns, none when there are none; a pattern that is no glob matches nothing.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p String>) -> Option<Self> {
        let patterns: Vec<&str> = patterns
            .flat_map(|pattern| pattern.split(','))
            .map(str::trim)
            .filter(|pattern| !pattern.is_empty())
            .collect();
        let (open, known): (Vec<&str>, Vec<&str>) = patterns
            .into_iter()
            .partition(|pattern| pattern.contains('['));
        let scope = Self {
            is_open: !open.is_empty(),
            patterns: known.into_iter().filter_map(Pattern::of).collect(),
        };
        (scope.is_open || !scope.patterns.is_empty()).then_some(scope)
    }

    /// Whether an element lies in it, by its selector and those of its ancestors, the innermost first; nothing when that
    /// cannot be said.
    pub(super) fn has<'n>(&self, chain: impl Iterator<Item = &'n String>) -> Option<bool> {
        let chain: Vec<Vec<String>> = chain.map(|selector| simple_names(selector)).collect();
        if self.patterns.iter().any(|pattern| pattern.has(&chain)) {
            Some(true)
        } else {
            (!self.is_open).then_some(false)
        }
    }
}

impl Pattern {
    fn of(pattern: &str) -> Option<Self> {
        // A space parts the words of a component's name as well as an ancestor from an element.
        let is_selector =
            pattern.contains(['.', '#', '>', '*']) || pattern == pattern.to_lowercase();
        let elements = if is_selector {
            pattern
                .split([' ', '>', '+', '~'])
                .map(|part| part.split(':').next().unwrap_or(part))
                // Everything inside of what stands before it.
                .filter(|part| !part.is_empty() && *part != "*")
                .map(globs)
                .collect::<Option<Vec<_>>>()?
        } else {
            vec![vec![glob(pattern)?]]
        };
        (!elements.is_empty()).then_some(Self { elements })
    }

    /// Whether it names an element of the chain, with its other parts among the ancestors.
    fn has(&self, chain: &[Vec<String>]) -> bool {
        let mut around = chain.iter();
        let mut inward = self.elements.iter().rev();
        inward.all(|globs| around.any(|names| are_met(globs, names)))
    }
}

fn are_met(globs: &[GlobMatcher], names: &[String]) -> bool {
    let is_met = |glob: &GlobMatcher| names.iter().any(|name| glob.is_match(name));
    globs.iter().all(is_met)
}

/// The globs of a tag, an id and classes that belong to one element.
fn globs(part: &str) -> Option<Vec<GlobMatcher>> {
    let names = part.split(['.', '#']).filter(|name| !name.is_empty());
    names.map(glob).collect()
}

/// A glob over a tag, an id or a class; a component's name matches however its words are joined.
fn glob(name: &str) -> Option<GlobMatcher> {
    let plain = plain_name(name);
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

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: [&str; 3] = ["p.price", "article.plan.plan--pro", "main#pricing"];

    fn has(patterns: &[&str]) -> Option<bool> {
        let owned =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(|&text| text.to_owned()).collect() };
        let (patterns, chain) = (owned(patterns), owned(&CHAIN));
        Scope::of(patterns.iter()).unwrap().has(chain.iter())
    }

    #[test]
    fn selectors_name_elements_and_what_they_lie_in() {
        for (pattern, expected) in [
            (".plan", true),
            ("article.plan--pro", true),
            ("#pricing .price", true),
            ("main > article", true),
            (".plan *", true),
            ("footer, .plan", true),
            ("article:first-child", true),
            (".price .plan", false),
            ("article.footer", false),
            ("footer *", false),
        ] {
            assert_eq!(has(&[pattern]), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn what_documents_do_not_record_leaves_it_open() {
        assert_eq!(has(&["[data-testid=\"plan\"]"]), None);
        assert_eq!(has(&["[data-testid=\"plan\"]", "footer"]), None);
        assert_eq!(has(&["[data-testid=\"plan\"]", ".plan"]), Some(true));
        assert!(Scope::of(std::iter::empty()).is_none());
    }
}
