//! What every handler and task shares: the database, the blobs, the clock, the comparator, the browsers.

use std::ops::Deref;
use std::sync::Arc;

use anyhow::Context;
use pentimento_compute::{Comparator, ComparatorOptions};
use secrecy::SecretString;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::capture::pool::BrowserPool;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::dial::{self, Dialer};
use crate::jobs::describe::under_way::UnderWay;
use crate::keys::secret::random_token;
use crate::language_model::LanguageModel;
use crate::metrics::Metrics;
use crate::rate_limit::RateLimits;
use crate::readiness::LastLook;
use crate::storage::links::LinkSigner;
use crate::storage::staging::Staging;
use crate::storage::{self, Storage};
use crate::store_lock::StoreLock;
use crate::streams::Streams;
use crate::target::{Names, TargetPolicy};
use crate::tasks::owed::Owed;
use crate::tasks::pauses::Pauses;
use crate::tasks::queue::Queue;
use crate::vault::{Purpose, Vault};

/// Shortest link secret that is taken.
const MIN_SECRET_CHARACTERS: usize = 32;

/// See [`AppState::previews`].
const PREVIEWS_AT_ONCE: usize = 4;

/// See [`AppState::drawings`].
const DRAWINGS_AT_ONCE: usize = 4;

/// A handle on everything the service holds; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// See [`App`].
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// The time.
    pub clock: Clock,
    /// Rows.
    pub db: Db,
    /// Blobs.
    pub storage: Storage,
    /// Uploads that are not blobs yet.
    pub staging: Staging,
    /// Signed links.
    pub links: LinkSigner,
    /// Seals gate credentials.
    pub vault: Vault,
    /// Seals the secrets of webhooks.
    pub webhook_vault: Vault,
    /// Which addresses may be opened.
    pub targets: TargetPolicy,
    /// Measures captures.
    pub comparator: Arc<Comparator>,
    /// How often keys may call.
    pub rate_limits: RateLimits,
    /// What is counted for monitoring.
    pub metrics: Metrics,
    /// Browsers that capture.
    pub browsers: BrowserPool,
    /// Reminders of work to do.
    pub queue: Queue,
    /// What could not be given back yet.
    pub owed: Owed,
    /// Between tries at capturing.
    pub capture_pauses: Pauses,
    /// Between tries at what is done with captures.
    pub task_pauses: Pauses,
    /// Told when a page may be there to capture.
    pub captures_due: Notify,
    /// Told when a result may be there to compare.
    pub comparisons_due: Notify,
    /// Told when deliveries of webhooks are due.
    pub deliveries_due: Notify,
    /// Requests to addresses that the operator named.
    pub http: reqwest::Client,
    /// Reaches addresses that people named: sitemaps, webhooks.
    pub dialer: Dialer,
    /// Previews of discoveries, and masks that are tried out, at once: each holds files of some size, and what its threads do may
    /// outlast it.
    pub previews: Arc<Semaphore>,
    /// Streams of events that are open.
    pub streams: Streams,
    /// Whether all parts were ready when that was last asked.
    pub last_look: LastLook,
    /// Annotated images that may be drawn at once: each holds both captures of a page, as pixels.
    pub drawings: Arc<Semaphore>,
    /// Describes what changed, when the operator wants one to.
    pub language_model: Option<LanguageModel>,
    /// Jobs that it describes anew at the moment.
    pub describing: UnderWay,
    /// Cancelled when the service ends: what waits for something else ends then too.
    pub stopping: CancellationToken,
    /// This process among all that work on the database.
    pub worker_id: String,
    /// Held as long as this process works on the embedded database.
    _store_lock: Option<StoreLock>,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// Opens everything that the settings name. No browser is started before the first capture.
    ///
    /// # Errors
    /// The database, the data folder, the bucket, the secret or a wanted GPU is not to be had; the message says which and why.
    pub async fn open(config: Config, clock: Clock) -> anyhow::Result<Self> {
        // Another part of the process may have installed it before; either is the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Before the tables are changed: a service that runs on them would not know them any more.
        let store_lock = StoreLock::of_service(&config.store).await?;
        let db = Db::open(&config.store).await?;
        let (storage, staging) =
            storage::open(&config.s3, &config.store.data_dir, clock.now_ms()).await?;
        let storage = if config.keep_days.is_some() {
            storage.renewing()
        } else {
            storage
        };
        let secret = link_secret(&config)?;
        let vault = Vault::new(&secret, Purpose::GateCredentials);
        let webhook_vault = Vault::new(&secret, Purpose::WebhookSecrets);
        let links = LinkSigner::new(secret, config.link_ttl_seconds);
        let targets = TargetPolicy::new(config.allow_targets.clone(), config.is_for_this_machine());
        let targets = match config.dns_server {
            Some(server) => targets.resolving_by(Names::of_server(server)?),
            None => targets,
        };
        let options = ComparatorOptions {
            backend: config.compare_backend.into(),
            resident_bytes: u64::from(config.gpu_baselines_mib) << 20,
        };
        let comparator = tokio::task::spawn_blocking(move || Comparator::with_options(options))
            .await?
            .context("cannot start the comparator")?;
        let browsers = BrowserPool::new(
            &config.capture,
            absolute(&config.store.data_dir)?.join("browsers"),
        );
        if store_lock.is_some() {
            browsers.end_left_behind();
        }
        let queue = Queue::open(&db);
        let http = dial::builder().build()?;
        let dialer = Dialer::new(targets.clone(), http.clone());
        let language_model = LanguageModel::from_settings(&config.language_model, http.clone())?;
        let rate_limits = RateLimits::new(&config.rate_limit, &clock)?;
        Ok(Self(Arc::new(AppState {
            rate_limits,
            config,
            clock,
            db,
            storage,
            staging,
            links,
            vault,
            webhook_vault,
            targets,
            comparator: Arc::new(comparator),
            metrics: Metrics::new()?,
            browsers,
            queue,
            owed: Owed::default(),
            capture_pauses: Pauses::default(),
            task_pauses: Pauses::default(),
            captures_due: Notify::new(),
            comparisons_due: Notify::new(),
            deliveries_due: Notify::new(),
            dialer,
            previews: Arc::new(Semaphore::new(PREVIEWS_AT_ONCE)),
            streams: Streams::default(),
            last_look: LastLook::default(),
            drawings: Arc::new(Semaphore::new(DRAWINGS_AT_ONCE)),
            http,
            language_model,
            describing: UnderWay::default(),
            stopping: CancellationToken::new(),
            worker_id: Uuid::now_v7().to_string(),
            _store_lock: store_lock,
        })))
    }
}

fn absolute(folder: &std::path::Path) -> anyhow::Result<std::path::PathBuf> {
    std::path::absolute(folder)
        .with_context(|| format!("cannot tell where {} is", folder.display()))
}

/// The secret from the settings, or one that is made once and kept in the data folder, readable by its owner alone.
fn link_secret(config: &Config) -> anyhow::Result<SecretString> {
    use secrecy::ExposeSecret;
    if let Some(secret) = &config.secret {
        let length = secret.expose_secret().chars().count();
        anyhow::ensure!(
            length >= MIN_SECRET_CHARACTERS,
            "PENTIMENTO_SECRET has {length} characters; use {MIN_SECRET_CHARACTERS} or more"
        );
        return Ok(secret.clone());
    }
    let folder = &config.store.data_dir;
    storage::create_private_folder(folder)
        .with_context(|| format!("cannot create the data folder {}", folder.display()))?;
    let path = folder.join("link-secret");
    if !path.exists() {
        write_private(&path, &random_token()?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let secret = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    anyhow::ensure!(
        secret.len() >= MIN_SECRET_CHARACTERS,
        "{} is damaged; restore it, or delete it and start again (links given out so far end, and stored gate credentials must be sent again and the secrets of webhooks rotated)",
        path.display()
    );
    Ok(secret.into())
}

fn write_private(path: &std::path::Path, content: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(content.as_bytes())
}
