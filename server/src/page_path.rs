//! Paths of pages: what a page is keyed by whatever its origin, and globs over them.

use globset::{Glob, GlobBuilder};
use url::Url;

/// Path with query: what a page is keyed by, whatever its origin.
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// A glob over URL paths: `*` stays within a segment, `**` crosses segments, every other character stands for itself.
///
/// # Errors
/// The pattern is too large.
pub fn path_glob(pattern: &str) -> Result<Glob, globset::Error> {
    let stars_alone = pattern
        .split('*')
        .map(globset::escape)
        .collect::<Vec<_>>()
        .join("*");
    GlobBuilder::new(&stars_alone)
        .literal_separator(true)
        .backslash_escape(false)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_the_only_wildcards() {
        for (pattern, path, matches) in [
            ("/docs/*", "/docs/a", true),
            ("/docs/*", "/docs/a/b", false),
            ("/docs/**", "/docs/a/b", true),
            ("/**/edit", "/a/b/edit", true),
            ("/a?", "/ab", false),
            ("/a?b=[1]", "/a?b=[1]", true),
            ("/[a", "/[a", true),
            ("/{a,b}", "/a", false),
            ("/{a,b}", "/{a,b}", true),
            ("/a\\*", "/a\\b", true),
        ] {
            let glob = path_glob(pattern).unwrap().compile_matcher();
            assert_eq!(glob.is_match(path), matches, "{pattern} {path}");
        }
    }
}
