//! The project's own build steps, run by `cargo run -p xtask -- <step>`.

#[cfg(target_os = "linux")]
mod bench;
mod cargo;
mod dashboard;
mod page;
mod wasm_opt;

use anyhow::{Result, bail};

const USAGE: &str = "\
Usage: cargo run -p xtask -- dashboard [--release]
       cargo run -p xtask -- bench [options]

  dashboard    builds the dashboard into dashboard/dist, and does nothing when it is up to date
  --release    small instead of quick: the `wasm` profile and wasm-opt (installed from npm when missing)
  bench        measures us beside other tools and writes docs/benchmarks.md; `bench --help` lists its options";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["dashboard"] => dashboard::build(dashboard::Mode::Dev),
        ["dashboard", "--release"] => dashboard::build(dashboard::Mode::Release),
        #[cfg(target_os = "linux")]
        ["bench", ref options @ ..] => bench::run(options),
        #[cfg(not(target_os = "linux"))]
        ["bench", ..] => {
            bail!("CPU time of other processes is read as Linux tells it: run it there")
        }
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("no such step: `{}`\n\n{USAGE}", arguments.join(" ")),
    }
}
