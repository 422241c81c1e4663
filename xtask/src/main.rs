//! The project's own build steps, run by `cargo run -p xtask -- <step>`.

mod cargo;
mod dashboard;
mod page;
mod wasm_opt;

use anyhow::{Result, bail};

const USAGE: &str = "\
Usage: cargo run -p xtask -- dashboard [--release]

  dashboard    builds the dashboard into dashboard/dist, and does nothing when it is up to date
  --release    small instead of quick: the `wasm` profile and wasm-opt (installed from npm when missing)";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["dashboard"] => dashboard::build(dashboard::Mode::Dev),
        ["dashboard", "--release"] => dashboard::build(dashboard::Mode::Release),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("no such step: `{}`\n\n{USAGE}", arguments.join(" ")),
    }
}
