//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing::Level;
use tracing_subscriber::filter::{EnvFilter, FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Config, StoreConfig};
use crate::demo::DemoConfig;
use crate::diff::DiffArgs;
use crate::keys::KeysCommand;
use crate::remote::{RunArgs, UploadArgs};
use crate::{demo, diff, keys, remote, routes, serve};

/// What no setting makes talk: at their most talkative these log all that is sent to the browser, gate credentials
/// included.
const NEVER_LOGGED: [&str; 4] = [
    "chromiumoxide",
    "tungstenite",
    "tokio_tungstenite",
    "async_tungstenite",
];

/// The variable that says what is logged.
const LOG_SETTING: &str = "PENTIMENTO_LOG";

/// What may say how it goes, but not what it sends: requests to a bucket hold what signs them.
const TERSE: &str = "aws_";

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
    /// Make, list, rotate and revoke API keys.
    Keys {
        #[command(flatten)]
        store: StoreConfig,
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Show what the service does: two runs over a bundled site, then the dashboard.
    Demo(DemoConfig),
    /// Compare two PNG files or two folders of them: 0 means the same, 1 different, 2 an error.
    Diff(Box<DiffArgs>),
    /// Start a project's job on a service and say how it went: 0 clean, 1 needs review, 2 could not run.
    Run(Box<RunArgs>),
    /// Upload a folder of screenshots as a job and say how it went: 0 clean, 1 needs review, 2 could not run.
    Upload(Box<UploadArgs>),
    /// Print the OpenAPI description of the REST interface.
    Openapi,
}

/// Runs the command.
///
/// # Errors
/// What the command says.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Serve(config) => in_runtime("info", succeeding(serve::run(*config))),
        Command::Keys { store, command } => {
            in_runtime("info", succeeding(keys::run(&store, command)))
        }
        Command::Demo(config) => in_runtime("warn", succeeding(demo::run(config))),
        Command::Run(args) => in_runtime("warn", async { Ok(remote::run(*args).await) }),
        Command::Upload(args) => in_runtime("warn", async { Ok(remote::upload(*args).await) }),
        // It takes milliseconds: starting a runtime and a log would show.
        Command::Diff(args) => Ok(diff::run(&args)),
        Command::Openapi => {
            println!("{}", routes::openapi_json());
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Runs what needs tokio, with a log on the standard error.
fn in_runtime(
    default_level: &str,
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    let said = std::env::var_os(LOG_SETTING).unwrap_or_default();
    let filter = log_filter(default_level, &said.to_string_lossy());
    let quiet = filter_fn(|event| {
        let target = event.target();
        let tells_all = target.starts_with(TERSE) && *event.level() > Level::INFO;
        !tells_all && !NEVER_LOGGED.iter().any(|silent| target.starts_with(silent))
    });
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry()
        .with(to_stderr.with_filter(filter.and(quiet)))
        .init();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(work)
}

/// What is logged. Nobody would look for the reason where a setting that cannot be read is passed over in silence.
fn log_filter(default_level: &str, said: &str) -> EnvFilter {
    let usual = || {
        EnvFilter::new(format!(
            "{default_level},apalis_core=warn,apalis=warn,chromiumoxide=off,sqlx=warn"
        ))
    };
    if said.trim().is_empty() {
        return usual();
    }
    // What is no UTF-8 would be taken for the name of a target.
    let read = if said.contains(char::REPLACEMENT_CHARACTER) {
        Err("it is not UTF-8".to_owned())
    } else {
        EnvFilter::try_new(said).map_err(|error| error.to_string())
    };
    read.unwrap_or_else(|error| {
        eprintln!(
            "{LOG_SETTING} is not heeded: {error}; write directives such as `debug` or `warn,pentimento=debug`"
        );
        usual()
    })
}

/// What ends without an error has succeeded.
async fn succeeding(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<ExitCode> {
    work.await.map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_setting_of_the_log_leaves_it_as_it_is() {
        let filter = |said: &str| log_filter("info", said).to_string();
        assert_eq!(filter("debug"), "debug");
        let usual = filter("");
        assert!(usual.contains("sqlx=warn"), "{usual}");
        for said in [" ", "pentimento=loud", "?", "debug\u{fffd}"] {
            assert_eq!(filter(said), usual, "{said}");
        }
    }
}
