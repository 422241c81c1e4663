//! Paths of pages: what a page is keyed by whatever its origin, and globs over them.

use globset::{Glob, GlobBuilder, GlobMatcher};
use url::Url;

/// Path with query: what a page is keyed by, whatever its origin.
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// A glob over URL paths: `*` stays within a segment, `**` crosses segments.
///
/// # Errors
/// The pattern is no glob.
pub fn path_glob(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    let glob: Glob = GlobBuilder::new(pattern).literal_separator(true).build()?;
    Ok(glob.compile_matcher())
}
