//! The command line.

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::config::{Config, StoreConfig};
use crate::demo::DemoConfig;
use crate::keys::KeysCommand;
use crate::{demo, keys, routes, serve};

/// A self-hosted visual regression service.
#[derive(Debug, Parser)]
#[command(name = "pentimento", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service: REST interface, dashboard, capturing and comparing.
    Serve(Box<Config>),
    /// Make, list and revoke API keys.
    Keys {
        #[command(flatten)]
        store: StoreConfig,
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Show what the service does: two runs over a bundled site, then the dashboard.
    Demo(DemoConfig),
    /// Print the OpenAPI description of the REST interface.
    Openapi,
}

/// Runs the command.
///
/// # Errors
/// What the command says.
pub async fn run(cli: Cli) -> anyhow::Result<()> {
    let default_level = if matches!(cli.command, Command::Demo(_)) {
        "warn"
    } else {
        "info"
    };
    let filter = EnvFilter::try_from_env("PENTIMENTO_LOG").unwrap_or_else(|_| {
        EnvFilter::new(format!(
            "{default_level},apalis_core=warn,apalis=warn,chromiumoxide=off,sqlx=warn"
        ))
    });
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    match cli.command {
        Command::Serve(config) => serve::run(*config).await,
        Command::Keys { store, command } => keys::run(&store, command).await,
        Command::Demo(config) => demo::run(config).await,
        Command::Openapi => {
            println!("{}", routes::openapi_json());
            Ok(())
        }
    }
}
