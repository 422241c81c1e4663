//! The pages of two folders: PNG files, matched by name.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use walkdir::WalkDir;

use super::names::readable;

/// Files looked at in one folder; more are a mistaken path rather than screenshots.
const MAX_FILES: usize = 100_000;

/// In which of the folders a page lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Presence {
    Both,
    BaselineOnly,
    CurrentOnly,
    /// It is a folder that cannot be listed: why.
    Unreadable(String),
}

/// The pages of two folders.
pub(super) struct Pages {
    /// Each by its path within, in order.
    pub(super) pages: Vec<(PathBuf, Presence)>,
    /// The files that pages lead to which are links.
    pub(super) linked: HashSet<PathBuf>,
}

/// Every page of either folder; a sub-folder that cannot be listed does not stop the others.
pub(super) fn find_pages(baseline: &Path, current: &Path) -> anyhow::Result<Pages> {
    let mut pages = BTreeMap::new();
    let mut linked = HashSet::new();
    let mut unreadable = Vec::new();
    for (folder, alone) in [
        (baseline, Presence::BaselineOnly),
        (current, Presence::CurrentOnly),
    ] {
        let mut found = Found::default();
        found.look_into(folder)?;
        for name in found.pages {
            pages
                .entry(name)
                .and_modify(|presence| *presence = Presence::Both)
                .or_insert(alone.clone());
        }
        linked.extend(found.linked);
        unreadable.extend(found.unreadable);
    }
    for (folder, why) in unreadable {
        // What the other folder has there is not alone.
        pages.retain(|name, _| !name.starts_with(&folder));
        pages.insert(folder, Presence::Unreadable(why));
    }
    if pages.is_empty() {
        bail!(
            "neither {} nor {} has a file whose name ends in .png",
            readable(baseline),
            readable(current)
        );
    }
    Ok(Pages {
        pages: pages.into_iter().collect(),
        linked,
    })
}

/// What a folder holds, by its path within.
#[derive(Default)]
struct Found {
    pages: Vec<PathBuf>,
    /// The files that some of these lead to, as links.
    linked: Vec<PathBuf>,
    /// Sub-folders that cannot be listed, and why.
    unreadable: Vec<(PathBuf, String)>,
}

impl Found {
    /// Links to files count as files; links to folders are not followed, so that none leads in circles.
    fn look_into(&mut self, folder: &Path) -> anyhow::Result<()> {
        let within = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
        let mut files = 0;
        for entry in WalkDir::new(folder) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let why =
                        (error.io_error()).map_or_else(|| error.to_string(), ToString::to_string);
                    let why = format!("cannot list {}: {why}", readable(&path));
                    if path == folder {
                        bail!(why);
                    }
                    self.unreadable.push((within(&path), why));
                    continue;
                }
            };
            if entry.file_type().is_dir() {
                continue;
            }
            files += 1;
            if files > MAX_FILES {
                bail!(
                    "{} holds more than {MAX_FILES} files; name the folder that holds the screenshots alone",
                    readable(folder)
                );
            }
            if is_png(entry.file_name()) && may_be_file(entry.path()) {
                self.pages.push(within(entry.path()));
                if entry.path_is_symlink() {
                    self.linked.extend(entry.path().canonicalize());
                }
            }
        }
        Ok(())
    }
}

/// Whether a name ends in `.png`, in whatever case.
fn is_png(name: &OsStr) -> bool {
    let end = name.as_encoded_bytes().last_chunk();
    end.is_some_and(|end: &[u8; 4]| end.eq_ignore_ascii_case(b".png"))
}

/// Whether it is a file, also by a link. A link that leads nowhere is left to be told when it is read; a pipe would be waited
/// for.
fn may_be_file(path: &Path) -> bool {
    path.metadata().map_or(true, |there| there.is_file())
}
