//! The `pentimento` program: parses the command line and hands over to the library.

use std::process::ExitCode;

use clap::Parser;
use pentimento::cli::{Cli, run};

fn main() -> anyhow::Result<ExitCode> {
    run(Cli::parse())
}
