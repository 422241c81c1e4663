//! Shrinks a WebAssembly file with the wasm-opt of npm's `binaryen`, which it installs when missing.
//!
//! Never Debian's wasm-opt: version 108 breaks the module without a word, and the page stays blank.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

const BINARYEN_VERSION: &str = "132.0.0";

/// What rustc and wasm-bindgen use of WebAssembly. `--all-features` would let wasm-opt use more, and break the module.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Rewrites `wasm` in place, small before fast.
pub(crate) fn shrink(wasm: &Path, target_folder: &Path) -> Result<()> {
    let tool = installed(target_folder)?;
    let status = Command::new(&tool)
        .arg("-Oz")
        .args(FEATURES)
        .arg(wasm)
        .arg("-o")
        .arg(wasm)
        .status()
        .with_context(|| format!("{} could not be started; it needs Node", tool.display()))?;
    if !status.success() {
        bail!(
            "wasm-opt failed on {}, see its message above",
            wasm.display()
        );
    }
    Ok(())
}

fn installed(target_folder: &Path) -> Result<PathBuf> {
    let folder = target_folder.join(format!("binaryen-{BINARYEN_VERSION}"));
    let tool = folder.join("node_modules/.bin/wasm-opt");
    if tool.exists() {
        return Ok(tool);
    }
    println!(
        "wasm-opt is missing: installing npm's binaryen@{BINARYEN_VERSION} into {}",
        folder.display()
    );
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    let status = Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--loglevel",
            "error",
            "--prefix",
        ])
        .arg(&folder)
        .arg(format!("binaryen@{BINARYEN_VERSION}"))
        .status()
        .context("npm could not be started; install Node with npm, or build without --release")?;
    if !status.success() || !tool.exists() {
        bail!(
            "npm could not install binaryen@{BINARYEN_VERSION}; without the network, build without --release"
        );
    }
    Ok(tool)
}
