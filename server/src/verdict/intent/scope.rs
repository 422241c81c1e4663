//! The parts of a page that a run says it is about: globs over tags, ids, classes and names of components, selectors made
//! of them, and files that are called like them.

mod files;

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
    /// Whether it says no more than this: an attribute that documents do not record is left out of it.
    is_whole: bool,
}

/// Patterns of one run that are looked at; what more of them name is left open.
const MAX_PATTERNS: usize = 500;

/// Tags, ids and classes of one pattern; what a longer one names is left open.
const MAX_PARTS: usize = 32;

impl Scope {
    /// The scope of these patterns, none when there are none; a pattern that is no glob matches nothing.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p String>) -> Option<Self> {
        let patterns: Vec<&str> = patterns
            .flat_map(|pattern| alternatives(pattern))
            .map(str::trim)
            .filter(|pattern| !pattern.is_empty())
            .take(MAX_PATTERNS + 1)
            .collect();
        let mut scope = Self {
            patterns: Vec::new(),
            is_open: patterns.len() > MAX_PATTERNS,
        };
        for pattern in patterns.into_iter().take(MAX_PATTERNS) {
            match Pattern::all_of(pattern) {
                Some(known) if scope.patterns.len() + known.len() <= MAX_PATTERNS => {
                    scope.patterns.extend(known);
                }
                _ => scope.is_open = true,
            }
        }
        (scope.is_open || !scope.patterns.is_empty()).then_some(scope)
    }

    /// Whether an element lies in it, by its selector and those of its ancestors, the innermost first; nothing when that
    /// cannot be said.
    pub(super) fn has<'n>(&self, chain: impl Iterator<Item = &'n String>) -> Option<bool> {
        let chain: Vec<Vec<String>> = chain.map(|selector| simple_names(selector)).collect();
        let (mut is_met, mut is_open) = (false, self.is_open);
        for pattern in self.patterns.iter().filter(|pattern| pattern.has(&chain)) {
            is_met |= pattern.is_whole;
            is_open |= !pattern.is_whole;
        }
        (is_met || !is_open).then_some(is_met)
    }
}

/// The parts of a pattern between its commas; those in braces belong to a glob.
fn alternatives(pattern: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    pattern.split(move |character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
}

/// The tags, ids and classes of a selector, with what stands between.
fn parts(selector: &str) -> impl Iterator<Item = &str> {
    selector
        .split([' ', '>', '+', '~', '.', '#'])
        .filter(|part| !part.is_empty())
}

/// Whether it is a selector with an attribute (`[data-testid=plan]`, `button[disabled]`), not a glob with a choice of
/// letters (`plan-[ab]`).
fn names_an_attribute(pattern: &str) -> bool {
    let insides = pattern.split('[').skip(1);
    insides
        .map(|rest| rest.split(']').next().unwrap_or(rest))
        .any(|inside| inside.contains('=') || inside.chars().count() > 3)
}

/// A selector without what stands in square brackets.
fn without_attributes(selector: &str) -> String {
    let mut is_inside = false;
    let outside = selector.chars().filter(|character| {
        is_inside |= *character == '[';
        let was_inside = is_inside;
        is_inside &= *character != ']';
        !was_inside
    });
    outside.collect()
}

impl Pattern {
    /// What a pattern may mean: files, a selector, the name of a component, or either of the last; none when that cannot be
    /// known.
    fn all_of(pattern: &str) -> Option<Vec<Self>> {
        let steps = pattern.split('/').count();
        if parts(pattern).count().max(steps) > MAX_PARTS {
            return None;
        }
        if files::is_path(pattern) {
            let names: Vec<_> = files::names(pattern).filter_map(Self::of_name).collect();
            return (!names.is_empty()).then_some(names);
        }
        if names_an_attribute(pattern) {
            let rest = Self::of_selector(&without_attributes(pattern))?;
            return Some(vec![Self {
                is_whole: false,
                ..rest
            }]);
        }
        let has_signs = pattern.contains(['.', '#', '>', '*', '+', '~', ':']);
        let is_selector = has_signs || pattern == pattern.to_lowercase();
        // A space parts the words of a component's name as well as an ancestor from an element.
        let is_name = !has_signs && (!is_selector || pattern.contains(' '));
        let by_selector = is_selector.then(|| Self::of_selector(pattern)).flatten();
        let by_name = is_name.then(|| Self::of_name(pattern)).flatten();
        Some(by_selector.into_iter().chain(by_name).collect())
    }

    fn of_name(name: &str) -> Option<Self> {
        Some(Self {
            elements: vec![vec![glob(name)?]],
            is_whole: true,
        })
    }

    fn of_selector(pattern: &str) -> Option<Self> {
        let elements = pattern
            .split([' ', '>', '+', '~'])
            .map(|part| part.split(':').next().unwrap_or(part))
            // Everything inside of what stands before it.
            .filter(|part| !part.is_empty() && *part != "*");
        let elements: Vec<_> = elements.map(globs).collect::<Option<_>>()?;
        (!elements.is_empty()).then_some(Self {
            elements,
            is_whole: true,
        })
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
    parts(part).map(glob).collect()
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
        assert_eq!(has(&["article[data-plan=pro]"]), None);
        assert_eq!(has(&["[data-testid=\"plans\"] .price"]), None);
        assert_eq!(has(&["button[disabled]"]), Some(false), "it is no button");
        assert_eq!(has(&["nav[aria-label=\"Main\"]", ".plan"]), Some(true));
        assert!(Scope::of(std::iter::empty()).is_none());
    }

    #[test]
    fn files_are_about_what_they_are_called() {
        assert_eq!(has(&["src/components/Plan.tsx"]), Some(true));
        assert_eq!(has(&["src/pricing/**"]), Some(true));
        assert_eq!(has(&["src/components/SiteFooter.tsx"]), Some(false));
        assert_eq!(has(&["styles/**/*.css"]), None);
    }

    #[test]
    fn braces_and_letters_to_choose_from_are_globs() {
        for (pattern, expected) in [
            (".{plan,offer}", true),
            (".{offer,tariff}, footer", false),
            ("{footer,pla[mn]}", true),
            (".pla[xy]", false),
        ] {
            assert_eq!(has(&[pattern]), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn names_of_components_may_be_written_with_spaces() {
        let chain = [".price".to_owned(), ".pricing-table".to_owned()];
        for (pattern, expected) in [
            ("pricing table", true),
            ("Pricing Table", true),
            ("price table", false),
        ] {
            let scope = Scope::of([pattern.to_owned()].iter()).unwrap();
            assert_eq!(scope.has(chain.iter()), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn endless_patterns_leave_it_open() {
        let chains = "p ".repeat(MAX_PARTS + 1);
        let classes = ".p".repeat(MAX_PARTS + 1);
        for endless in [chains, classes] {
            assert_eq!(has(&[&endless, "footer"]), None);
            assert_eq!(has(&[&endless, ".plan"]), Some(true));
        }
        let many = ["footer"].repeat(MAX_PATTERNS).join(",");
        assert_eq!(has(&[&many]), Some(false));
        assert_eq!(has(&[&format!("{many},header")]), None);
    }
}
