//! Builds the dashboard: cargo, wasm-bindgen, wasm-opt for a release, and an `index.html` that names the results.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::cargo;
use crate::page::{self, Asset, Mark};
use crate::wasm_opt;

const PACKAGE: &str = "pentimento-dashboard";
/// Where the service serves the files; `public_url` in Trunk.toml.
const PUBLIC_URL: &str = "/app/";
/// Part of the build's name: raise it when this file makes other output of the same input.
const FORMAT: &str = "1";

/// Quick to build, or small to download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Dev,
    Release,
}

/// The files that the built page is made of, read before anything is written.
struct Sources {
    html: String,
    marks: Vec<Mark>,
    /// The text of each mark's file; empty for the app itself.
    texts: Vec<String>,
    /// The `.wasm` file as cargo made it.
    wasm: PathBuf,
}

/// Builds `dashboard/dist`; does nothing when it already is what the sources give.
pub(crate) fn build(mode: Mode) -> Result<()> {
    let begun = Instant::now();
    let folders = cargo::folders()?;
    let home = folders.workspace.join("dashboard");
    let dist = home.join("dist");

    let wasm = cargo::build_wasm(&folders, PACKAGE, mode)?;
    let sources = read_sources(&home, wasm)?;
    let build = name_of_build(&sources, mode)?;
    if is_current(&dist, &build) {
        println!("dashboard/dist is up to date");
        return Ok(());
    }

    let bound = tempfile::tempdir().context("no temporary folder can be made")?;
    bind(&sources.wasm, bound.path(), mode)?;
    let bound_wasm = bound.path().join(format!("{PACKAGE}_bg.wasm"));
    if mode == Mode::Release {
        wasm_opt::shrink(&bound_wasm, &folders.target)?;
    }
    write(&sources, &build, bound.path(), &bound_wasm, &dist)?;
    println!(
        "dashboard/dist is built ({:.1} s)",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn read_sources(home: &Path, wasm: PathBuf) -> Result<Sources> {
    let html = read_text(&home.join("index.html"))?;
    let marks = page::marks(&html)?;
    ensure!(
        marks
            .iter()
            .filter(|mark| mark.asset == Asset::Rust)
            .count()
            == 1,
        "dashboard/index.html needs exactly one <link data-trunk rel=\"rust\">"
    );
    let texts = marks
        .iter()
        .map(|mark| match &mark.asset {
            Asset::Rust => Ok(String::new()),
            Asset::Css(path) | Asset::Script(path) => read_text(&home.join(path)),
        })
        .collect::<Result<_>>()?;
    Ok(Sources {
        html,
        marks,
        texts,
        wasm,
    })
}

/// A hash of all that the output depends on; the page carries it.
fn name_of_build(sources: &Sources, mode: Mode) -> Result<String> {
    let wasm = std::fs::read(&sources.wasm).with_context(|| {
        format!(
            "cargo left no {}; is its crate type still `bin`?",
            sources.wasm.display()
        )
    })?;
    let mode = format!("{FORMAT} {mode:?}");
    let mut hash = Sha256::new();
    for part in [mode.as_bytes(), &wasm, sources.html.as_bytes()]
        .into_iter()
        .chain(sources.texts.iter().map(String::as_bytes))
    {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    Ok(short(&hash.finalize()))
}

/// Whether `dist` holds this very build with every file that its page names.
fn is_current(dist: &Path, build: &str) -> bool {
    let Ok(page) = std::fs::read_to_string(dist.join("index.html")) else {
        return false;
    };
    let named = page
        .split('"')
        .filter_map(|text| text.strip_prefix(PUBLIC_URL));
    page.contains(&build_mark(build)) && named.into_iter().all(|file| dist.join(file).is_file())
}

fn build_mark(build: &str) -> String {
    format!("<meta name=\"build\" content=\"{build}\">")
}

fn bind(wasm: &Path, folder: &Path, mode: Mode) -> Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .out_name(PACKAGE)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(mode == Mode::Release)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen failed; the wasm-bindgen versions of Cargo.lock and Cargo.toml must be the same")
}

fn write(sources: &Sources, build: &str, bound: &Path, wasm: &Path, dist: &Path) -> Result<()> {
    if dist.exists() {
        std::fs::remove_dir_all(dist)
            .with_context(|| format!("{} cannot be emptied", dist.display()))?;
    }
    std::fs::create_dir_all(dist).with_context(|| format!("{} cannot be made", dist.display()))?;

    let snippets = bound.join("snippets");
    ensure!(
        !snippets.exists(),
        "a dependency brings JavaScript snippets ({}), which xtask does not copy",
        snippets.display()
    );
    let js = std::fs::read(bound.join(format!("{PACKAGE}.js")))
        .context("wasm-bindgen left no JavaScript")?;
    let js = hashed(dist, PACKAGE, "js", &js)?;
    let wasm = hashed(
        dist,
        PACKAGE,
        "wasm",
        &std::fs::read(wasm).context("wasm-bindgen left no WebAssembly")?,
    )?;
    let boot = hashed(dist, "boot", "js", boot_script(&js, &wasm).as_bytes())?;

    let mut replacements = Vec::new();
    for (mark, text) in sources.marks.iter().zip(&sources.texts) {
        replacements.push(match &mark.asset {
            Asset::Rust => format!(
                "<link rel=\"modulepreload\" href=\"{js}\">\n    \
                 <link rel=\"preload\" href=\"{wasm}\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n    \
                 <script type=\"module\" src=\"{boot}\"></script>\n    {}",
                build_mark(build)
            ),
            Asset::Css(path) => {
                let file = hashed(dist, stem(path), "css", text.as_bytes())?;
                format!("<link rel=\"stylesheet\" href=\"{file}\">")
            }
            Asset::Script(path) => {
                let file = hashed(dist, stem(path), "js", text.as_bytes())?;
                format!("<script src=\"{file}\"></script>")
            }
        });
    }
    let page = page::replaced(&sources.html, &sources.marks, &replacements);
    // The page comes last: a build that was cut off is then never taken for a finished one.
    std::fs::write(dist.join("index.html"), page)
        .context("dashboard/dist/index.html cannot be written")
}

/// Starts the app. A file of its own, because the service's content policy allows no script inside the page.
fn boot_script(js: &str, wasm: &str) -> String {
    format!(
        "import start from \"{js}\";\n\
         start({{ module_or_path: \"{wasm}\" }}).catch((error) => {{\n  \
           console.error(error);\n  \
           document.body.textContent = \"The dashboard could not start. Reload the page; it needs a browser with WebAssembly.\";\n\
         }});\n"
    )
}

/// Writes `stem-<hash>.extension` into `dist`; returns its address.
fn hashed(dist: &Path, stem: &str, extension: &str, content: &[u8]) -> Result<String> {
    let name = format!("{stem}-{}.{extension}", short(&Sha256::digest(content)));
    std::fs::write(dist.join(&name), content)
        .with_context(|| format!("dashboard/dist/{name} cannot be written"))?;
    Ok(format!("{PUBLIC_URL}{name}"))
}

/// Sixteen hexadecimal digits tell builds apart.
fn short(hash: &[u8]) -> String {
    hex::encode(&hash[..8])
}

fn stem(path: &str) -> &str {
    Path::new(path)
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("asset")
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}
