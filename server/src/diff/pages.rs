//! The pages of two folders: PNG files, matched by name.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use walkdir::WalkDir;

/// Files looked at in one folder; more are a mistaken path rather than screenshots.
const MAX_FILES: usize = 100_000;

/// In which of the folders a page lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Both,
    BaselineOnly,
    CurrentOnly,
}

/// Every page of either folder by its path within, in order.
pub(super) fn find_pages(
    baseline: &Path,
    current: &Path,
) -> anyhow::Result<Vec<(PathBuf, Presence)>> {
    let mut pages = BTreeMap::new();
    for name in pages_in(baseline)? {
        pages.insert(name, Presence::BaselineOnly);
    }
    for name in pages_in(current)? {
        pages
            .entry(name)
            .and_modify(|presence| *presence = Presence::Both)
            .or_insert(Presence::CurrentOnly);
    }
    if pages.is_empty() {
        bail!(
            "neither {} nor {} has a file whose name ends in .png",
            baseline.display(),
            current.display()
        );
    }
    Ok(pages.into_iter().collect())
}

/// Links to files count as files; links to folders are not followed, so that none leads in circles.
fn pages_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    let mut files = 0;
    for entry in WalkDir::new(folder) {
        let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
        if entry.file_type().is_dir() {
            continue;
        }
        files += 1;
        if files > MAX_FILES {
            bail!(
                "{} holds more than {MAX_FILES} files; name the folder that holds the screenshots alone",
                folder.display()
            );
        }
        let is_png = |name: &OsStr| name.eq_ignore_ascii_case("png");
        if entry.path().extension().is_some_and(is_png) && may_be_file(entry.path()) {
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Whether it is a file, also by a link. A link that leads nowhere is left to be told when it is read; a pipe would be waited
/// for.
fn may_be_file(path: &Path) -> bool {
    path.metadata().map_or(true, |there| there.is_file())
}
