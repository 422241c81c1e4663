//! Which pages a job captures: its URL, its paths, and what its sitemap lists.

pub mod sitemap;

use std::collections::HashSet;
use std::time::Duration;

use globset::GlobMatcher;
use pentimento_api::crawl::Scan;
use url::Url;

use crate::app::App;
use crate::gate::Gates;
use crate::jobs::spec::CaptureConfig;
use crate::page_path::{path_and_query, path_glob};

/// Longest wait for a sitemap and all that it leads to.
const SITEMAP_DEADLINE: Duration = Duration::from_mins(2);

/// A page that a job captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address on the test origin.
    pub url: String,
    /// Path with query.
    pub page_key: String,
    /// A name for people; empty when it has none.
    pub label: String,
}

/// The pages, and what is odd about them.
#[derive(Debug)]
pub struct Discovery {
    /// In a stable order, without duplicates.
    pub pages: Vec<Page>,
    /// What a person should know, such as a scan without a match.
    pub warnings: Vec<String>,
}

/// Finds the pages of a job: the union of `url`, `paths` and what the sitemap holds; `/` when nothing is given.
///
/// # Errors
/// A sentence for people: the sitemap cannot be read, or no page was found.
pub async fn discover(
    app: &App,
    config: &CaptureConfig,
    gates: &Gates,
) -> Result<Discovery, String> {
    let origin = config.test_origin.as_deref().unwrap_or_default();
    let origin =
        Url::parse(origin).map_err(|_| format!("The test origin `{origin}` is no address."))?;
    let mut found: Vec<(String, String)> = Vec::new();
    found.extend(
        config
            .url_path
            .iter()
            .map(|path| (path.clone(), String::new())),
    );
    found.extend(
        config
            .paths
            .iter()
            .map(|page| (page.path.clone(), page.label.clone())),
    );
    let mut warnings = Vec::new();
    if config.sitemap_url.is_some() || !config.scans.is_empty() {
        let address = match &config.sitemap_url {
            Some(address) => Url::parse(address)
                .map_err(|_| format!("The sitemap address `{address}` is no address."))?,
            None => origin
                .join("/sitemap.xml")
                .map_err(|error| error.to_string())?,
        };
        let paths = tokio::time::timeout(SITEMAP_DEADLINE, sitemap::read(app, &address, gates))
            .await
            .map_err(|_| {
                format!(
                    "The sitemap {address} and those it names did not arrive within {} s.",
                    SITEMAP_DEADLINE.as_secs()
                )
            })??;
        let chosen = if config.scans.is_empty() {
            paths
        } else {
            apply_scans(&config.scans, &paths, &mut warnings)?
        };
        found.extend(chosen.into_iter().map(|path| (path, String::new())));
    } else if found.is_empty() {
        found.push(("/".to_owned(), String::new()));
    }
    let pages = on_origin(&origin, found);
    if pages.is_empty() {
        let mut message = "No page was found to capture.".to_owned();
        for warning in &warnings {
            message = format!("{message} {warning}");
        }
        return Err(message);
    }
    Ok(Discovery { pages, warnings })
}

fn on_origin(origin: &Url, found: Vec<(String, String)>) -> Vec<Page> {
    let mut seen = HashSet::new();
    found
        .into_iter()
        .filter_map(|(path, label)| {
            let url = origin.join(&path).ok()?;
            let page_key = path_and_query(&url);
            seen.insert(page_key.clone()).then(|| Page {
                url: format!("{}{page_key}", origin.origin().ascii_serialization()),
                page_key,
                label,
            })
        })
        .collect()
}

/// The sitemap's paths that the scans let through, scan by scan.
fn apply_scans(
    scans: &[Scan],
    paths: &[String],
    warnings: &mut Vec<String>,
) -> Result<Vec<String>, String> {
    let mut chosen = Vec::new();
    for scan in scans {
        let wanted = path_glob(&scan.pattern).map_err(|error| error.to_string())?;
        let options = scan.options.clone().unwrap_or_default();
        let excluded: Vec<GlobMatcher> = options
            .exclude
            .iter()
            .flatten()
            .map(|pattern| path_glob(pattern))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let limit = options.limit.map_or(usize::MAX, |limit| limit as usize);
        let matches: Vec<&String> = paths
            .iter()
            .filter(|path| {
                let bare = path.split('?').next().unwrap_or_default();
                wanted.is_match(bare) && !excluded.iter().any(|glob| glob.is_match(bare))
            })
            .take(limit)
            .collect();
        if matches.is_empty() {
            warnings.push(format!(
                "The scan `{}` matches none of the sitemap's {} pages.",
                scan.pattern,
                paths.len()
            ));
        }
        chosen.extend(matches.into_iter().cloned());
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_api::crawl::ScanOptions;

    #[test]
    fn scans_filter_limit_and_exclude() {
        let paths: Vec<String> = ["/", "/docs/a", "/docs/b", "/docs/deep/c", "/blog/x?page=2"]
            .map(str::to_owned)
            .to_vec();
        let scan = |pattern: &str, limit, exclude: Option<Vec<String>>| Scan {
            pattern: pattern.to_owned(),
            options: Some(ScanOptions {
                limit,
                exclude,
                ..ScanOptions::default()
            }),
        };
        for (scan, expected) in [
            (scan("/docs/*", None, None), vec!["/docs/a", "/docs/b"]),
            (scan("/docs/**", Some(2), None), vec!["/docs/a", "/docs/b"]),
            (
                scan("/docs/**", None, Some(vec!["/docs/*".to_owned()])),
                vec!["/docs/deep/c"],
            ),
            (scan("/blog/*", None, None), vec!["/blog/x?page=2"]),
        ] {
            let mut warnings = Vec::new();
            assert_eq!(
                apply_scans(std::slice::from_ref(&scan), &paths, &mut warnings).unwrap(),
                expected,
                "{scan:?}"
            );
            assert!(warnings.is_empty());
        }
        let mut warnings = Vec::new();
        assert!(
            apply_scans(&[scan("/shop/**", None, None)], &paths, &mut warnings)
                .unwrap()
                .is_empty()
        );
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn duplicates_collapse_and_order_is_kept() {
        let origin = Url::parse("http://site.test:81").unwrap();
        let pages = on_origin(
            &origin,
            vec![
                ("/b".into(), "B".into()),
                ("/a?x=1#top".into(), String::new()),
                ("/b".into(), String::new()),
            ],
        );
        let urls: Vec<&str> = pages.iter().map(|page| page.url.as_str()).collect();
        assert_eq!(urls, ["http://site.test:81/b", "http://site.test:81/a?x=1"]);
        assert_eq!(pages[0].label, "B");
    }
}
