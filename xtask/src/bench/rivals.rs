//! The other tools: installed by npm at the versions of `benches/rivals`, into the target folder; and where every program is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::contender::Tool;
use super::options::Options;
use super::process;

/// Longest time for npm: 50 MB over a slow line.
const INSTALL_DEADLINE: Duration = Duration::from_mins(5);
const FILES: [&str; 4] = [
    "package.json",
    "package-lock.json",
    "worker.mjs",
    "honeydiff.mjs",
];

/// Where npm puts the packages; only x86-64 has a binary of blazediff's under this name.
const ODIFF: &str = "odiff-bin";
const BLAZEDIFF: &str = "@blazediff/core-native-linux-x64";
const PIXELMATCH: &str = "pixelmatch";
const HONEYDIFF: &str = "@vizzly-testing/honeydiff";

/// The folder that the tools are installed in.
pub(super) struct Rivals {
    folder: PathBuf,
}

/// Every program of a run.
pub(super) struct Programs {
    /// The service's; the one that only compares lies beside it.
    pub(super) pentimento: PathBuf,
    /// Our warm process; the program that only loads lies beside it.
    pub(super) warm: PathBuf,
    rivals: PathBuf,
}

/// Installs what is not there yet.
pub(super) fn install(source: &Path, work: &Path) -> Result<Rivals> {
    let folder = work.join("rivals");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    let wanted = std::fs::read(source.join("package.json"))
        .context("benches/rivals/package.json cannot be read")?;
    // npm writes it last.
    let done = folder.join("node_modules/.package-lock.json");
    let installed = done.exists()
        && std::fs::read(folder.join("package.json")).is_ok_and(|present| present == wanted);
    for file in FILES {
        std::fs::copy(source.join(file), folder.join(file))
            .with_context(|| format!("benches/rivals/{file} cannot be copied"))?;
    }
    if !installed {
        println!(
            "Installing the other tools by npm into {}",
            folder.display()
        );
        // What fails is tried again the next time.
        let _ = std::fs::remove_file(done);
        let mut npm = Command::new("npm");
        // Not `npm ci`: it wants the lockfile to know the binaries of all platforms.
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel", "error"])
            .current_dir(&folder);
        let done = process::run(&mut npm, INSTALL_DEADLINE)
            .context("npm could not install the other tools")?;
        ensure!(
            done.code == Some(0),
            "npm could not install the other tools:\n{}",
            done.stderr
        );
    }
    Ok(Rivals { folder })
}

impl Rivals {
    pub(super) fn with_ours(self, pentimento: PathBuf, warm: PathBuf) -> Programs {
        Programs {
            pentimento,
            warm,
            rivals: self.folder,
        }
    }
}

impl Programs {
    /// The tool's command line, without pictures and settings.
    pub(super) fn command(&self, tool: Tool) -> Command {
        let modules = self.rivals.join("node_modules");
        match tool {
            Tool::Pentimento => Command::new(self.pentimento_diff()),
            // The binary itself: `bin/odiff` is a script that starts it.
            Tool::Odiff => {
                Command::new(modules.join(format!("@odiff/linux-{}/odiff", npm_architecture())))
            }
            Tool::Blazediff => {
                faster_blazediff(Command::new(modules.join(BLAZEDIFF).join("blazediff")))
            }
            Tool::Pixelmatch => node(&modules.join(PIXELMATCH).join("bin/pixelmatch")),
            Tool::Honeydiff => node(&self.rivals.join("honeydiff.mjs")),
        }
    }

    /// Our program that only compares.
    pub(super) fn pentimento_diff(&self) -> PathBuf {
        self.pentimento.with_file_name("pentimento-diff")
    }

    /// Our program that loads a pair and compares nothing.
    pub(super) fn load(&self) -> PathBuf {
        self.warm.with_file_name("load")
    }

    /// The service's own command line that compares, without pictures and settings.
    pub(super) fn service_diff(&self) -> Command {
        let mut command = Command::new(&self.pentimento);
        command.arg("diff");
        command
    }

    /// The tool's warm process.
    pub(super) fn worker(&self, tool: Tool, output: &Path) -> Command {
        let mut command = faster_blazediff(node(&self.rivals.join("worker.mjs")));
        command.arg(tool.as_str()).arg(output);
        command
    }

    /// Name and version of everything that is measured.
    pub(super) fn versions(&self, options: &Options) -> Vec<(String, String)> {
        let mut versions: Vec<(String, String)> = Tool::ALL
            .into_iter()
            .filter(|&tool| options.wants(tool))
            .map(|tool| {
                let (name, version) = match tool {
                    Tool::Pentimento => (
                        "pentimento",
                        said(Command::new(&self.pentimento).arg("--version")),
                    ),
                    Tool::Odiff => (ODIFF, self.package_version(ODIFF)),
                    Tool::Blazediff => (BLAZEDIFF, self.package_version(BLAZEDIFF)),
                    Tool::Pixelmatch => (PIXELMATCH, self.package_version(PIXELMATCH)),
                    Tool::Honeydiff => (HONEYDIFF, self.package_version(HONEYDIFF)),
                };
                let version = version.unwrap_or_else(|| "not installed".to_owned());
                (
                    name.to_owned(),
                    version.trim_start_matches("pentimento ").to_owned(),
                )
            })
            .collect();
        let node = said(Command::new("node").arg("--version")).unwrap_or_default();
        versions.push(("Node".to_owned(), node.trim_start_matches('v').to_owned()));
        versions
    }

    fn package_version(&self, package: &str) -> Option<String> {
        let path = self
            .rivals
            .join("node_modules")
            .join(package)
            .join("package.json");
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        about["version"].as_str().map(str::to_owned)
    }
}

/// Its README says that its own codec, which this switches on, is the faster one.
fn faster_blazediff(mut command: Command) -> Command {
    command.env("BLAZEDIFF_PNG_ENABLED", "1");
    command
}

fn node(script: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(script);
    command
}

fn npm_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}

fn said(command: &mut Command) -> Option<String> {
    let done = process::run(command, Duration::from_secs(10)).ok()?;
    (done.code == Some(0)).then(|| done.stdout.trim().to_owned())
}
