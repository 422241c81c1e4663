//! A whole service in this process, on its own database, folder and port.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use pentimento::clock::Clock;
use pentimento::config::Config;
use pentimento::keys::{CreateKey, create_key};
use pentimento::serve::Service;
use serde_json::Value;
use sqlx::SqlitePool;
use tempfile::TempDir;

use super::client::Client;
use super::postgres;
use super::s3::S3Server;

#[derive(Parser)]
struct Settings {
    #[command(flatten)]
    config: Config,
}

/// The settings of a service on a free port, with `extra` flags.
pub(crate) fn settings(folder: &TempDir, database_url: Option<&str>, extra: &[&str]) -> Config {
    let data_dir = folder.path().display().to_string();
    let mut arguments = vec!["pentimento", "--data-dir", &data_dir];
    if !extra.contains(&"--listen") {
        arguments.extend(["--listen", "127.0.0.1:0"]);
    }
    // A machine may have a card that is faster; which of both compared is part of the answers.
    if !extra.contains(&"--compare-backend") {
        arguments.extend(["--compare-backend", "cpu"]);
    }
    if let Some(url) = database_url {
        arguments.extend(["--database-url", url]);
    }
    arguments.extend(extra);
    Settings::try_parse_from(arguments)
        .expect("the settings of a test")
        .config
}

/// A running service with an admin key of the organization `main`.
pub(crate) struct TestApp {
    pub(crate) service: Service,
    pub(crate) client: Client,
    /// Where captures and uploads lie, when not in a folder.
    pub(crate) bucket: Option<Arc<S3Server>>,
    folder: TempDir,
    database_url: Option<String>,
}

impl TestApp {
    /// The blob of the saved page of a result's capture, if it has one.
    pub(crate) async fn saved_page(&self, page: &Value) -> Option<String> {
        let db = &self.service.app.db;
        sqlx::query_scalar(
            "SELECT c.page_blob FROM captures c JOIN results r ON r.current_capture_id = c.id WHERE r.id = $1",
        )
        .bind(page["resultId"].as_str().unwrap())
        .fetch_one(&mut *db.read().await.unwrap())
        .await
        .unwrap()
    }

    pub(crate) async fn on_sqlite() -> Self {
        Self::start(None, &[], Clock::System).await
    }

    pub(crate) async fn on_postgres() -> Self {
        Self::on_postgres_with(&[]).await
    }

    pub(crate) async fn on_postgres_with(extra: &[&str]) -> Self {
        let url = postgres::fresh_database().await;
        Self::start(Some(&url), extra, Clock::System).await
    }

    pub(crate) async fn on_s3_and_sqlite() -> Self {
        Self::on_s3(None, &[], Clock::System).await
    }

    pub(crate) async fn on_s3_and_postgres() -> Self {
        let url = postgres::fresh_database().await;
        Self::on_s3(Some(&url), &[], Clock::System).await
    }

    /// Two servers that have a database and a bucket in common, and no folder.
    pub(crate) async fn two_on_s3(database_url: &str) -> [Self; 2] {
        let secret = ["--secret", "the same secret for both of the servers"];
        let one = Self::on_s3(Some(database_url), &secret, Clock::System).await;
        let mut flags = one.bucket.as_ref().unwrap().settings();
        flags.extend(secret.map(str::to_owned));
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let other = one.beside(&flags, Clock::System).await;
        [one, other]
    }

    /// A service whose captures lie in a bucket of its own.
    pub(crate) async fn on_s3(database_url: Option<&str>, extra: &[&str], clock: Clock) -> Self {
        let bucket = S3Server::start().await;
        let settings = bucket.settings();
        let mut all: Vec<&str> = settings.iter().map(String::as_str).collect();
        all.extend(extra);
        let mut app = Self::start(database_url, &all, clock).await;
        app.bucket = Some(Arc::new(bucket));
        app
    }

    pub(crate) async fn with(extra: &[&str]) -> Self {
        Self::start(None, extra, Clock::System).await
    }

    /// A service whose time the test sets.
    pub(crate) async fn with_clock(
        database_url: Option<&str>,
        extra: &[&str],
        clock: Clock,
    ) -> Self {
        Self::start(database_url, extra, clock).await
    }

    async fn start(database_url: Option<&str>, extra: &[&str], clock: Clock) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let service = Service::start(settings(&folder, database_url, extra), clock)
            .await
            .unwrap();
        let key = service
            .first_key
            .clone()
            .expect("a new database gives its first key");
        let client = Client::new(format!("http://{}", service.address), key);
        Self {
            service,
            client,
            bucket: None,
            folder,
            database_url: database_url.map(str::to_owned),
        }
    }

    /// The same service stopped and started again, with other flags and another clock.
    pub(crate) async fn restarted(self, extra: &[&str], clock: Clock) -> Self {
        let Self {
            service,
            client,
            bucket,
            folder,
            database_url,
        } = self;
        stop(service).await;
        let settings = settings(&folder, database_url.as_deref(), extra);
        let service = Service::start(settings, clock).await.unwrap();
        let client = Client::new(format!("http://{}", service.address), client.key);
        Self {
            service,
            client,
            bucket,
            folder,
            database_url,
        }
    }

    /// Names of a job's files in staging, half-received ones too.
    pub(crate) fn left_in_staging(&self, job_id: &str) -> Vec<String> {
        let folder = self.staging_folder().join(job_id);
        let Ok(files) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        files
            .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// The file of a blob on this disk.
    pub(crate) fn blob_file(&self, hash: &str) -> PathBuf {
        let folder = self.folder.path().join("blobs");
        folder.join(&hash[..2]).join(hash)
    }

    /// An embedded database by its file: that of the service, or that of its task queue.
    pub(crate) async fn sqlite(&self, file: &str) -> SqlitePool {
        let file = self.folder.path().join(file);
        let url = format!("sqlite://{}", file.display());
        SqlitePool::connect(&url).await.unwrap()
    }

    /// Where uploads wait, on this disk or on that of the S3 server.
    pub(crate) fn staging_folder(&self) -> PathBuf {
        match &self.bucket {
            Some(bucket) => bucket.file("staging"),
            None => self.folder.path().join("staging"),
        }
    }

    /// Another server on the same database; which storage it has, `extra` says.
    pub(crate) async fn beside(&self, extra: &[&str], clock: Clock) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(&folder, self.database_url.as_deref(), extra);
        let service = Service::start(settings, clock).await.unwrap();
        let client = Client::new(
            format!("http://{}", service.address),
            self.client.key.clone(),
        );
        Self {
            service,
            client,
            bucket: self.bucket.clone(),
            folder,
            database_url: self.database_url.clone(),
        }
    }

    /// The id of the key with this name.
    pub(crate) async fn key_id(&self, name: &str) -> String {
        let mut connection = self.service.app.db.read().await.unwrap();
        let keys = pentimento::db::keys::list_keys(&mut connection)
            .await
            .unwrap();
        keys.into_iter()
            .find(|key| key.name == name)
            .expect("a key of this name")
            .id
    }

    /// The audit log, oldest first: what was done, by whom, and the figures.
    pub(crate) async fn audit(&self) -> Vec<(String, String, String)> {
        sqlx::query_as("SELECT action, actor, detail FROM audit ORDER BY happened_at_ms, id")
            .fetch_all(&mut *self.service.app.db.read().await.unwrap())
            .await
            .unwrap()
    }

    /// Of the audit log, the figures of one kind of entries.
    pub(crate) async fn audited(&self, action: &str) -> Vec<serde_json::Value> {
        let entries = self.audit().await.into_iter();
        entries
            .filter(|(done, _, _)| done == action)
            .map(|(_, _, detail)| serde_json::from_str(&detail).unwrap())
            .collect()
    }

    /// A client with a new key.
    pub(crate) async fn client_with(&self, organization: &str, scopes: &[&str]) -> Client {
        let create = CreateKey {
            organization: organization.to_owned(),
            name: format!("{organization} {}", scopes.join("+")),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            expires_days: None,
        };
        let app = &self.service.app;
        let mut tx = app.db.begin().await.unwrap();
        let key = create_key(&mut tx, &create, app.clock.now_ms())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        Client::new(self.client.base.clone(), key)
    }

    pub(crate) async fn stop(self) {
        stop(self.service).await;
    }
}

async fn stop(service: Service) {
    tokio::time::timeout(Duration::from_secs(30), service.stop())
        .await
        .expect("the service stops in time");
}
