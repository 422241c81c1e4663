//! Scans: which of a sitemap's paths their globs let through.

use std::sync::Arc;

use globset::GlobMatcher;
use pentimento_api::crawl::Scan;

use crate::page_path::path_glob;

/// What scans let through.
pub(super) struct Chosen<'a> {
    /// Paths with the pattern that let them through, scan by scan, in the sitemap's order.
    pub(super) pages: Vec<(Arc<str>, &'a str)>,
    /// A sentence for each scan without a match.
    pub(super) warnings: Vec<String>,
}

/// The paths that the scans let through. A glob is about the path without its query.
///
/// # Errors
/// A sentence for people: a pattern is no glob.
pub(super) fn apply<'a>(scans: &'a [Scan], paths: &[Arc<str>]) -> Result<Chosen<'a>, String> {
    let mut chosen = Chosen {
        pages: Vec::new(),
        warnings: Vec::new(),
    };
    for scan in scans {
        let wanted = glob(&scan.pattern)?;
        let options = scan.options.clone().unwrap_or_default();
        let excluded: Vec<GlobMatcher> = options
            .exclude
            .iter()
            .flatten()
            .map(|pattern| glob(pattern))
            .collect::<Result<_, _>>()?;
        let limit = options.limit.map_or(usize::MAX, |limit| limit as usize);
        let before = chosen.pages.len();
        let matches = paths.iter().filter(|path| {
            let bare = path.split('?').next().unwrap_or_default();
            wanted.is_match(bare) && !excluded.iter().any(|glob| glob.is_match(bare))
        });
        let matches = matches.take(limit).cloned();
        chosen
            .pages
            .extend(matches.map(|path| (path, scan.pattern.as_str())));
        if chosen.pages.len() == before {
            chosen.warnings.push(format!(
                "The scan `{}` matches none of the sitemap's {} pages.",
                scan.pattern,
                paths.len()
            ));
        }
    }
    Ok(chosen)
}

fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    path_glob(pattern).map_err(|error| format!("The scan `{pattern}` is no glob: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_api::crawl::ScanOptions;

    fn scan(pattern: &str, limit: Option<u32>, exclude: &[&str]) -> Scan {
        Scan {
            pattern: pattern.to_owned(),
            options: Some(ScanOptions {
                limit,
                exclude: Some(exclude.iter().map(|&glob| glob.to_owned()).collect()),
                ..ScanOptions::default()
            }),
        }
    }

    #[test]
    fn scans_filter_limit_and_exclude() {
        let paths = ["/", "/docs/a", "/docs/b", "/docs/deep/c", "/blog/x?page=2"].map(Arc::from);
        for (scan, expected) in [
            (scan("/docs/*", None, &[]), vec!["/docs/a", "/docs/b"]),
            (scan("/docs/**", Some(2), &[]), vec!["/docs/a", "/docs/b"]),
            (
                scan("/docs/**", Some(1), &["/docs/a", "/docs/b"]),
                vec!["/docs/deep/c"],
            ),
            (scan("/blog/*", None, &[]), vec!["/blog/x?page=2"]),
            (scan("/shop/**", None, &[]), vec![]),
            (scan("/**", None, &["/**"]), vec![]),
        ] {
            let scans = std::slice::from_ref(&scan);
            let chosen = apply(scans, &paths).unwrap();
            let found: Vec<&str> = chosen.pages.iter().map(|(path, _)| &**path).collect();
            assert_eq!(found, expected, "{scan:?}");
            assert_eq!(chosen.warnings.len(), usize::from(expected.is_empty()));
        }
    }

    #[test]
    fn a_page_tells_the_scan_that_let_it_through() {
        let paths = ["/a", "/b"].map(Arc::from);
        let scans = [scan("/b", None, &[]), scan("/*", None, &[])];
        let chosen = apply(&scans, &paths).unwrap();
        let told: Vec<(&str, &str)> = (chosen.pages.iter())
            .map(|(path, pattern)| (&**path, *pattern))
            .collect();
        assert_eq!(told, [("/b", "/b"), ("/a", "/*"), ("/b", "/*")]);
    }
}
