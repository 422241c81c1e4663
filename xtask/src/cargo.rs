//! Asks cargo where things are, and builds the dashboard's WebAssembly with it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::dashboard::Mode;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The workspace's folder, and the target folder in effect (`CARGO_TARGET_DIR` and cargo's configuration count).
pub(crate) struct Folders {
    pub(crate) workspace: PathBuf,
    pub(crate) target: PathBuf,
}

pub(crate) fn folders() -> Result<Folders> {
    // Asked at run time: checkouts that share a target folder share this program, and each must build its own dashboard.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").context("run it as `cargo run -p xtask`")?;
    let output = cargo(Path::new(&here))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cargo could not be started")?;
    if !output.status.success() {
        bail!(
            "`cargo metadata` failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` wrote no JSON")?;
    let folder = |field: &str| {
        metadata[field]
            .as_str()
            .map(PathBuf::from)
            .with_context(|| format!("`cargo metadata` names no {field}"))
    };
    Ok(Folders {
        workspace: folder("workspace_root")?,
        target: folder("target_directory")?,
    })
}

/// Builds the package for the browser; returns where cargo put its `.wasm` file.
pub(crate) fn build_wasm(folders: &Folders, package: &str, mode: Mode) -> Result<PathBuf> {
    let (profile, profile_folder) = match mode {
        Mode::Dev => ("dev", "debug"),
        Mode::Release => ("wasm", "wasm"),
    };
    let output = cargo(&folders.workspace)
        .args([
            "build",
            "--package",
            package,
            "--target",
            WASM_TARGET,
            "--profile",
            profile,
        ])
        // Cargo colours and counts only where it sees a terminal, so its messages go straight through.
        .stdin(std::process::Stdio::null())
        .status()
        .context("cargo could not be started")?;
    if !output.success() {
        if !target_installed() {
            bail!("the wasm target is missing; install it with: rustup target add {WASM_TARGET}");
        }
        bail!("the dashboard does not compile, see cargo's messages above");
    }
    Ok(folders
        .target
        .join(WASM_TARGET)
        .join(profile_folder)
        .join(format!("{package}.wasm")))
}

fn cargo(folder: &Path) -> Command {
    // `cargo run` names the cargo that runs us; it is the right toolchain's.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

/// Whether the target's standard library is there. Where rustc cannot be asked, its absence is not what failed.
fn target_installed() -> bool {
    let library = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output();
    library.map_or(true, |output| {
        Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}
