//! Lists of a configuration as the sets that they stand for: what counts when two of them are compared.

use std::collections::BTreeSet;

use pentimento_api::crawl::{PagePath, Scan};

/// Device names count in any case.
pub(crate) fn lower_case(names: &[String]) -> Vec<String> {
    names
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect()
}

/// Each once, in any order.
pub(super) fn string_set(values: &[String]) -> BTreeSet<&str> {
    values.iter().map(String::as_str).collect()
}

/// The pages that paths name: one to which only a fragment is added is the same page.
pub(super) fn page_set(paths: &[PagePath]) -> BTreeSet<&str> {
    let paths = paths.iter();
    paths
        .filter_map(|page| page.path.split('#').next())
        .collect()
}

/// The paths, whatever their labels.
pub(super) fn path_set(paths: &[PagePath]) -> BTreeSet<&str> {
    paths.iter().map(|page| page.path.as_str()).collect()
}

/// A scan as far as pages depend on it: its pattern, its limit, and what it leaves out.
pub(super) type ScanValue<'a> = (&'a str, Option<u32>, BTreeSet<&'a str>);

/// Scans with their options.
pub(super) fn scan_values(scans: &[Scan]) -> BTreeSet<ScanValue<'_>> {
    scans.iter().map(scan_value).collect()
}

fn scan_value(scan: &Scan) -> ScanValue<'_> {
    let options = scan.options.as_ref();
    let exclude = options.and_then(|options| options.exclude.as_deref());
    (
        &scan.pattern,
        options.and_then(|options| options.limit),
        string_set(exclude.unwrap_or_default()),
    )
}

/// Their patterns.
pub(super) fn scan_set(scans: &[Scan]) -> BTreeSet<&str> {
    scans.iter().map(|scan| scan.pattern.as_str()).collect()
}
