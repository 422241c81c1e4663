//! One scan of the sitemap as it stands in the form.

use pentimento_api::crawl::{Scan, ScanOptions};
use serde_json::{Map, Value};

use super::lines::without_blanks;

/// A scan's texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScanDraft {
    pub(crate) pattern: String,
    /// Most pages of it, as a number; empty where there is no limit.
    pub(crate) limit: String,
    /// Globs that are left out, with blanks between them.
    pub(crate) exclude: String,
    /// What another version of the service has set; it stays.
    other: Map<String, Value>,
}

impl ScanDraft {
    pub(crate) fn of(scan: &Scan) -> Self {
        let options = scan.options.clone().unwrap_or_default();
        let excluded = options.exclude.unwrap_or_default();
        let excluded: Vec<String> = excluded.iter().map(|glob| without_blanks(glob)).collect();
        Self {
            pattern: scan.pattern.clone(),
            limit: (options.limit).map_or_else(String::new, |limit| limit.to_string()),
            exclude: excluded.join(" "),
            other: options.other,
        }
    }

    /// Whether nothing was entered.
    pub(crate) fn is_empty(&self) -> bool {
        [&self.pattern, &self.limit, &self.exclude]
            .into_iter()
            .all(|text| text.trim().is_empty())
    }

    /// The scan; nothing when its limit is no number of pages.
    pub(crate) fn scan(&self) -> Option<Scan> {
        let limit = match self.limit.trim() {
            "" => None,
            limit => Some(limit.parse().ok().filter(|limit| *limit > 0)?),
        };
        let exclude: Vec<String> = (self.exclude.split_whitespace())
            .map(str::to_owned)
            .collect();
        let options = ScanOptions {
            limit,
            exclude: Some(exclude).filter(|globs| !globs.is_empty()),
            other: self.other.clone(),
        };
        Some(Scan {
            pattern: self.pattern.trim().to_owned(),
            options: Some(options).filter(|options| *options != ScanOptions::default()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scans_come_back_as_they_were() {
        for scan in [
            json!({ "pattern": "/docs/**", "options": null }),
            json!({ "pattern": "/**", "options": { "limit": 20, "exclude": ["/a/*", "/b"] } }),
            json!({ "pattern": "/**", "options": { "later": [1] } }),
        ] {
            let scan: Scan = serde_json::from_value(scan).unwrap();
            assert_eq!(ScanDraft::of(&scan).scan(), Some(scan));
        }
    }

    #[test]
    fn a_limit_is_a_number_of_pages() {
        for limit in ["0", "-1", "many", "1.5"] {
            let draft = ScanDraft {
                limit: limit.to_owned(),
                ..ScanDraft::default()
            };
            assert_eq!(draft.scan(), None, "{limit}");
        }
    }
}
