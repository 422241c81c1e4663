//! The `pentimento` program: parses the command line and hands over to the library.

use clap::Parser;
use pentimento::cli::Cli;

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(pentimento::cli::run(cli))
}
