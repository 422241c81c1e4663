//! Which pages a folder of screenshots holds.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use url::Url;
use walkdir::WalkDir;

/// Most pages of a folder: what a job may have.
const MAX_PAGES: usize = 10_000;

/// A page to upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// Its address on the test origin.
    pub(super) url: Url,
    /// Its variant.
    pub(super) variant: String,
    /// The screenshot.
    pub(super) screenshot: PathBuf,
    /// The DOM tree, where there is one.
    pub(super) dom: Option<PathBuf>,
}

/// The pages of a folder by name. `about/team@mobile.png` is the page `/about/team` in the variant `mobile`, `index.png` the
/// page of its folder; `about/team@mobile.json`, also with `.gz`, is its DOM tree.
///
/// # Errors
/// The folder cannot be read, holds no screenshot, or too many.
pub(super) fn find(folder: &Path, origin: &Url, variant: &str) -> anyhow::Result<Vec<Page>> {
    let mut pages = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(std::io::Error::from);
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let path = entry.path();
        let is_screenshot = entry.file_type().is_file()
            && path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        if !is_screenshot {
            continue;
        }
        if pages.len() == MAX_PAGES {
            bail!(
                "{} holds more than {MAX_PAGES} screenshots; upload it in parts",
                folder.display()
            );
        }
        pages.push(page(folder, path, origin, variant)?);
    }
    if pages.is_empty() {
        bail!(
            "{} holds no screenshot: no file ends in .png",
            folder.display()
        );
    }
    Ok(pages)
}

fn page(folder: &Path, file: &Path, origin: &Url, variant: &str) -> anyhow::Result<Page> {
    let inside = file.strip_prefix(folder).context("a file of the folder")?;
    let stem = inside.with_extension("");
    let names: Vec<&str> = (stem.iter().map(std::ffi::OsStr::to_str))
        .collect::<Option<_>>()
        .with_context(|| format!("the name of {} is no UTF-8", file.display()))?;
    let (last, folders) = names.split_last().context("a file has a name")?;
    let (name, variant) = last.rsplit_once('@').unwrap_or((last, variant));
    let mut url = origin.clone();
    url.path_segments_mut()
        .map_err(|()| anyhow::anyhow!("the test origin has no paths"))?
        .clear()
        .extend(folders)
        .push(if name == "index" { "" } else { name });
    let dom = ["json", "json.gz"].map(|extension| file.with_extension(extension));
    Ok(Page {
        url,
        variant: variant.to_owned(),
        screenshot: file.to_owned(),
        dom: dom.into_iter().find(|dom| dom.is_file()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_pages_and_variants() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "index.png",
            "about/team@mobile.png",
            "about/team@mobile.json",
            "about/index.PNG",
            "notes.txt",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let origin = "http://localhost:3000".parse().unwrap();
        let pages = find(folder.path(), &origin, "desktop").unwrap();
        let found: Vec<(&str, &str, bool)> = (pages.iter())
            .map(|page| (page.url.path(), page.variant.as_str(), page.dom.is_some()))
            .collect();
        assert_eq!(
            found,
            [
                ("/about/", "desktop", false),
                ("/about/team", "mobile", true),
                ("/", "desktop", false)
            ]
        );
        let empty = tempfile::tempdir().unwrap();
        let error = find(empty.path(), &origin, "desktop").unwrap_err();
        assert!(error.to_string().contains("no screenshot"), "{error}");
    }
}
