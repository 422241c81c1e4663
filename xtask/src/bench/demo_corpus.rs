//! A corpus of our own, for who has no other: the demo site in its two versions, rendered by our own capture.
//!
//! `pentimento demo` captures both versions and goes on serving; the pictures are fetched from it as any client would.
//! Pairs of anti-aliasing come of one more run, with the page moved by half a pixel.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::corpus::{Corpus, Entry, Kind, MANIFEST};
use super::demo::Demo;

/// What happens to the demo's pages; `demo/README.md` has the details. Others change in more ways than one, or by chance.
const PAGES: [(&str, &str, Kind); 8] = [
    ("/about", "about", Kind::Identical),
    ("/catalogue", "catalogue", Kind::Identical),
    ("/pricing", "pricing", Kind::Text),
    ("/contact", "contact", Kind::Colour),
    ("/journal/long-read", "long-read", Kind::Shift),
    ("/features", "features", Kind::Shift),
    ("/faq", "faq", Kind::Aa),
    ("/catalogue", "catalogue", Kind::Aa),
];
/// Moves every glyph off the pixels that it was drawn on.
const HALF_A_PIXEL: &str = "body { transform: translateX(0.5px); }";

/// The corpus in the folder, which is made first when there is none.
pub(super) fn read_or_make(pentimento: &Path, folder: &Path) -> Result<Corpus> {
    if !folder.join(MANIFEST).exists() {
        println!(
            "There is no corpus: capturing the demo site, as {} is to have one",
            folder.display()
        );
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        let demo = Demo::start(pentimento)?;
        let entries = collect(&demo, folder)?;
        let text = serde_json::to_vec_pretty(&entries).context("entries are JSON")?;
        // It comes last: a folder without it is made again.
        std::fs::write(folder.join(MANIFEST), text).context("the manifest cannot be written")?;
    }
    Corpus::read(folder)
}

fn collect(demo: &Demo, folder: &Path) -> Result<Vec<Entry>> {
    let before_and_after = demo.results(demo.changed_run())?;
    let moved = demo.results(&capture_moved(demo)?)?;
    let mut entries = Vec::new();
    for (path, name, kind) in PAGES {
        let of = |results: &[Value]| {
            let is_page = |result: &&Value| {
                result["result"]["url"]
                    .as_str()
                    .is_some_and(|url| url.ends_with(path))
            };
            results.iter().find(is_page).cloned()
        };
        let review =
            of(&before_and_after).with_context(|| format!("the demo has no page {path}"))?;
        let (base, current) = if kind == Kind::Aa {
            let moved = of(&moved).with_context(|| format!("{path} was not captured again"))?;
            (review["current"].clone(), moved["current"].clone())
        } else {
            (review["baseline"].clone(), review["current"].clone())
        };
        let (base_png, current_png) = (demo.picture(&base)?, demo.picture(&current)?);
        if (kind == Kind::Identical) != (base_png == current_png) {
            println!(
                "  {path} is left out: its two captures are not what a pair of kind {} is",
                kind.as_str()
            );
            continue;
        }
        entries.push(write_pair(
            folder,
            name,
            kind,
            &base,
            &base_png,
            &current_png,
        )?);
    }
    Ok(entries)
}

fn write_pair(
    folder: &Path,
    name: &str,
    kind: Kind,
    about: &Value,
    baseline: &[u8],
    current: &[u8],
) -> Result<Entry> {
    let pair = format!("{name}.{}", kind.as_str());
    let entry = Entry {
        base: format!("{pair}.base.png"),
        cur: format!("{pair}.current.png"),
        pair,
        kind,
        w: side(about, "width")?,
        h: side(about, "height")?,
    };
    for (file, png) in [(&entry.base, baseline), (&entry.cur, current)] {
        std::fs::write(folder.join(file), png)
            .with_context(|| format!("{file} cannot be written"))?;
    }
    Ok(entry)
}

fn side(picture: &Value, name: &str) -> Result<u32> {
    let pixels = picture[name]
        .as_u64()
        .and_then(|pixels| u32::try_from(pixels).ok());
    pixels.with_context(|| format!("a capture has no {name}"))
}

/// Captures the pages of kind `aa` once more, moved by half a pixel; returns the job.
fn capture_moved(demo: &Demo) -> Result<String> {
    let paths: Vec<Value> = (PAGES.iter().filter(|(_, _, kind)| *kind == Kind::Aa))
        .map(|(path, name, _)| json!({ "path": path, "label": name }))
        .collect();
    demo.run_job(&json!({
        "project": "moved",
        "testOrigin": demo.site(),
        "paths": paths,
        "customCss": HALF_A_PIXEL,
    }))
}
