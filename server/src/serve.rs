//! `pentimento serve`: the HTTP side and the workers in one process, until a signal ends them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use pentimento_api::session::Scope;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock::Clock;
use crate::config::Config;
use crate::db;
use crate::keys::{CreateKey, FIRST_ORGANIZATION, create_key};
use crate::listen::{self, Limits};
use crate::{routes, tasks};

/// Longest wait for requests and tasks to end after a signal.
const SHUTDOWN_DEADLINE: Duration = Duration::from_secs(20);

/// A running service.
pub struct Service {
    /// Its shared state.
    pub app: App,
    /// Where it listens.
    pub address: SocketAddr,
    /// The admin key that the first start made; nothing keeps it.
    pub first_key: Option<String>,
    stop: CancellationToken,
    http: JoinHandle<()>,
    workers: JoinSet<()>,
}

impl Service {
    /// Opens everything, listens, and starts the workers.
    ///
    /// # Errors
    /// A setting is wrong, or something it names is not to be had.
    pub async fn start(config: Config, clock: Clock) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(config.listen).await.with_context(|| {
            format!(
                "cannot listen on {}; choose another port with --listen or PENTIMENTO_LISTEN",
                config.listen
            )
        })?;
        let address = listener.local_addr()?;
        let app = App::open(
            Config {
                listen: address,
                ..config
            },
            clock,
        )
        .await?;
        let first_key = make_first_key(&app).await?;
        let stop = app.stopping.clone();
        let workers = tasks::start(&app, &stop);
        let stopped = stop.clone();
        let limits = Limits::of_this_process();
        let router = routes::router(app.clone());
        let http = tokio::spawn(async move {
            listen::serve(listener, router, limits, &stopped).await;
        });
        Ok(Self {
            app,
            address,
            first_key,
            stop,
            http,
            workers,
        })
    }

    /// Stops taking requests and tasks, lets those under way end within a deadline, and ends the browsers.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let ended = tokio::time::timeout(SHUTDOWN_DEADLINE, async {
            if let Err(error) = (&mut self.http).await {
                tracing::error!(%error, "the HTTP side failed");
            }
            while self.workers.join_next().await.is_some() {}
        })
        .await;
        if ended.is_err() {
            tracing::warn!("work was under way at the end; the next start takes it up");
            self.http.abort();
            self.workers.abort_all();
        }
        self.app.browsers.close().await;
    }
}

/// Runs the service until it is told to end.
///
/// # Errors
/// It could not be started.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let service = Service::start(config, Clock::System).await?;
    announce(&service);
    wait_for_signal().await;
    tracing::info!("stopping");
    service.stop().await;
    Ok(())
}

fn announce(service: &Service) {
    let app = &service.app;
    let report = app.comparator.report();
    tracing::info!(address = %service.address, "listening; the dashboard is at http://{}/app", service.address);
    tracing::info!(
        browser = app.browsers.describe(),
        backend = report.backend.as_str(),
        reason = report.reason,
        "ready to capture and compare"
    );
    if let Some(bucket) = app.storage.bucket() {
        tracing::info!(bucket, "captures and uploads lie in a bucket");
    }
    if app.targets.allows_loopback() {
        tracing::info!(
            "this service listens on loopback alone, so sites on this machine may be captured"
        );
    }
    if let Some(model) = &app.language_model {
        tracing::info!(
            model = model.name(),
            at = model.origin(),
            "a language model describes what changed"
        );
    }
    let base = format!("http://{}", service.address);
    if let Some(key) = &service.first_key {
        println!(
            "The first admin key, shown this once; sign in with it at {base}/app:\n\n    {key}\n"
        );
    }
    println!("Listening on {base}");
}

/// The first start of an empty database makes one key that may do everything.
async fn make_first_key(app: &App) -> anyhow::Result<Option<String>> {
    let mut tx = app.db.begin().await?;
    // Of several servers that start at once the others wait here, and then find the first one's key.
    let now = app.clock.now_ms();
    db::organizations::ensure_organization(&mut tx, FIRST_ORGANIZATION, now).await?;
    if db::keys::count_keys(&mut tx).await? > 0 {
        return Ok(None);
    }
    let create = CreateKey {
        organization: FIRST_ORGANIZATION.to_owned(),
        name: "admin".to_owned(),
        scopes: Scope::ALL
            .iter()
            .map(|scope| scope.as_str().to_owned())
            .collect(),
        expires_days: None,
    };
    let key = create_key(&mut tx, &create, now).await?;
    tx.commit().await?;
    Ok(Some(key))
}

/// Waits for Ctrl-C, or for the signal that a service manager sends.
pub(crate) async fn wait_for_signal() {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
