//! The database: SQLite in a file, or PostgreSQL. The only place that knows SQL.
//!
//! Both speak the same SQL text through sqlx's `Any` driver: columns are text, bigint and double precision alone, and
//! binds are `$1`. Queries are free functions over a connection, one file per table or view of it; a caller that needs
//! several in one transaction opens it with [`Db::begin`] and passes it on.

pub mod audit;
pub mod baselines;
pub mod captures;
pub mod deliveries;
pub mod idempotency;
pub mod jobs;
pub mod keys;
mod needle;
pub mod organizations;
pub mod projects;
pub mod results;
pub mod retention;
mod rows;
pub mod schedules;
pub mod sessions;
pub mod takes;
pub mod uploads;
pub mod webhooks;
pub mod workers;

use std::borrow::Cow;
use std::time::Duration;

use anyhow::Context;
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Any, AnyConnection, AnyPool, Connection, PgPool, SqlitePool, Transaction};

use crate::config::StoreConfig;
use crate::storage;
use crate::store_lock::StoreLock;

/// Longest wait for a free connection, and for a lock that another writer holds.
const LOCK_DEADLINE: Duration = Duration::from_secs(20);

/// How transactions for writing begin. The times are [`LOCK_DEADLINE`]; SQLite has it from its pool.
const SQLITE_BEGIN: &str = "BEGIN IMMEDIATE";
const POSTGRES_BEGIN: &str = "BEGIN; SET LOCAL lock_timeout = '20s'";

/// Connections of the task queue; it polls and acknowledges, nothing more.
const QUEUE_CONNECTIONS: u32 = 4;

/// A text as both databases keep it: PostgreSQL takes no NUL.
fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The queue's migrations are numbered by their dates, ours from 1 on.
const QUEUE_VERSIONS: i64 = 1_000_000;

/// The database of one process.
#[derive(Clone)]
pub struct Db {
    read: AnyPool,
    write: AnyPool,
    queue: QueuePool,
}

/// The pool that the task queue works on, in its own driver.
#[derive(Clone)]
pub(crate) enum QueuePool {
    /// The embedded file.
    Sqlite(SqlitePool),
    /// A server.
    Postgres(PgPool),
}

impl Db {
    /// Opens the database, creates or migrates its tables.
    ///
    /// # Errors
    /// It cannot be reached, or its tables are of a newer version.
    pub async fn open(config: &StoreConfig) -> anyhow::Result<Self> {
        let db = Self::connect(config).await?;
        db.migrate().await?;
        Ok(db)
    }

    /// Opens the database for a program that may run beside a service, whose tables it leaves as they are: they are created or
    /// migrated only while nobody uses them.
    ///
    /// # Errors
    /// As [`Db::open`]; also when the tables are of another version and a service uses them.
    pub(crate) async fn open_beside(config: &StoreConfig) -> anyhow::Result<Self> {
        let db = Self::connect(config).await?;
        let newest = newest(&sqlx::migrate!("./migrations"));
        // Of a database without tables there is no version.
        if db.version().await.is_ok_and(|found| found == newest) {
            return Ok(db);
        }
        let _alone = StoreLock::of_tables(config).await.context(
            "the tables are of another version than this program's; use the program of the service that runs, or stop it first",
        )?;
        db.migrate().await?;
        Ok(db)
    }

    async fn connect(config: &StoreConfig) -> anyhow::Result<Self> {
        sqlx::any::install_default_drivers();
        match &config.database_url {
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Self::open_postgres(url, config.database_connections).await
            }
            Some(url) if url.starts_with("sqlite:") => {
                Self::open_sqlite(url, config.database_connections).await
            }
            Some(_) => anyhow::bail!("DATABASE_URL must start with `postgres://` or `sqlite://`"),
            None => {
                storage::create_private_folder(&config.data_dir).with_context(|| {
                    format!(
                        "cannot create the data folder {}",
                        config.data_dir.display()
                    )
                })?;
                let file = config.data_dir.join("pentimento.db");
                Self::open_sqlite(
                    &format!("sqlite://{}", file.display()),
                    config.database_connections,
                )
                .await
            }
        }
    }

    async fn open_sqlite(url: &str, connections: u32) -> anyhow::Result<Self> {
        let any_url = if url.contains('?') {
            url.to_owned()
        } else {
            format!("{url}?mode=rwc")
        };
        // One writer: SQLite has one write lock, and waiting for our own pool is fairer than polling for the lock.
        let write = sqlite_options()
            .max_connections(1)
            .connect(&any_url)
            .await
            .context("cannot open the SQLite file")?;
        let read = sqlite_options()
            .max_connections(connections)
            .connect(&any_url)
            .await?;
        // The queue's tables have a file of their own beside ours: its polling stays off our write lock, two of its
        // tables have names of ours, and as it holds reminders alone, losing it loses nothing.
        let queue_options = any_url.parse::<SqliteConnectOptions>()?;
        let queue_file = queue_options.get_filename().with_extension("queue.db");
        let queue_options = queue_options
            .filename(queue_file)
            .create_if_missing(true)
            .journal_mode(sqlx::sqlite::SqliteJournalMode::Wal)
            .busy_timeout(LOCK_DEADLINE)
            .synchronous(sqlx::sqlite::SqliteSynchronous::Normal);
        let queue = SqlitePoolOptions::new()
            .max_connections(QUEUE_CONNECTIONS)
            .connect_with(queue_options)
            .await?;
        Ok(Self {
            read,
            write,
            queue: QueuePool::Sqlite(queue),
        })
    }

    async fn open_postgres(url: &str, connections: u32) -> anyhow::Result<Self> {
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(LOCK_DEADLINE)
            .connect(url)
            .await
            .context("cannot connect to PostgreSQL; check DATABASE_URL")?;
        let queue = PgPoolOptions::new()
            .max_connections(QUEUE_CONNECTIONS * 2)
            .connect(url)
            .await?;
        Ok(Self {
            read: pool.clone(),
            write: pool,
            queue: QueuePool::Postgres(queue),
        })
    }

    /// On PostgreSQL our tables and the queue's live in one database, so each migrator passes over the other's records; what a
    /// newer version of ours added is noticed here.
    async fn migrate(&self) -> anyhow::Result<()> {
        let mut ours = sqlx::migrate!("./migrations");
        ours.set_ignore_missing(true);
        ours.run(&self.write)
            .await
            .context("migrating the database")?;
        let (newest, found) = (newest(&ours), self.version().await?);
        anyhow::ensure!(
            found <= newest,
            "the database was changed by a newer Pentimento (its tables are of version {found}, this program knows those up to {newest}); \
             run that version, or restore what was backed up before the upgrade"
        );
        let mut theirs = match &self.queue {
            QueuePool::Sqlite(_) => apalis_sqlite::SqliteStorage::migrations(),
            QueuePool::Postgres(_) => apalis_postgres::PostgresStorage::migrations(),
        };
        theirs.set_ignore_missing(true);
        match &self.queue {
            QueuePool::Sqlite(pool) => theirs.run(pool).await,
            QueuePool::Postgres(pool) => theirs.run(pool).await,
        }
        .context("migrating the task queue")
    }

    /// The newest of our migrations that was run.
    async fn version(&self) -> anyhow::Result<i64> {
        let (found,): (i64,) = sqlx::query_as(
            "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations WHERE version < $1",
        )
        .bind(QUEUE_VERSIONS)
        .fetch_one(&self.write)
        .await
        .context("looking at the database's version")?;
        Ok(found)
    }

    /// A connection for reading.
    ///
    /// # Errors
    /// None is free within the deadline, or the database is gone.
    pub async fn read(&self) -> sqlx::Result<PoolConnection<Any>> {
        self.read.acquire().await
    }

    /// A transaction for writing. On SQLite it takes the write lock at once: a transaction that reads first and writes
    /// later would be refused when another writer came between.
    ///
    /// # Errors
    /// The lock is not free within the deadline, or the database is gone.
    pub async fn begin(&self) -> sqlx::Result<Transaction<'static, Any>> {
        match &self.queue {
            QueuePool::Sqlite(_) => self.write.begin_with(SQLITE_BEGIN).await,
            QueuePool::Postgres(_) => self.write.begin_with(POSTGRES_BEGIN).await,
        }
    }

    /// A connection for writing; [`Db::begin_on`] begins a transaction on it. For who may give up waiting: the connection can be
    /// detached then. Given back to the others it would be asked whether it still answers, without a deadline.
    ///
    /// # Errors
    /// None is free within the deadline, or the database is gone.
    pub(crate) async fn write(&self) -> sqlx::Result<PoolConnection<Any>> {
        self.write.acquire().await
    }

    /// What [`Db::begin`] does, on a connection that [`Db::write`] gave.
    ///
    /// # Errors
    /// As [`Db::begin`].
    pub(crate) async fn begin_on<'c>(
        &self,
        connection: &'c mut AnyConnection,
    ) -> sqlx::Result<Transaction<'c, Any>> {
        match &self.queue {
            QueuePool::Sqlite(_) => connection.begin_with(SQLITE_BEGIN).await,
            QueuePool::Postgres(_) => connection.begin_with(POSTGRES_BEGIN).await,
        }
    }

    /// Whether the database answers who reads.
    ///
    /// # Errors
    /// It does not.
    pub async fn probe(&self) -> sqlx::Result<()> {
        sqlx::query("SELECT 1")
            .execute(&mut *self.read().await?)
            .await
            .map(drop)
    }

    /// Whether this process alone uses the database.
    pub(crate) fn is_embedded(&self) -> bool {
        matches!(self.queue, QueuePool::Sqlite(_))
    }

    pub(crate) fn queue_pool(&self) -> &QueuePool {
        &self.queue
    }
}

fn newest(migrations: &sqlx::migrate::Migrator) -> i64 {
    let versions = migrations.iter().map(|one| one.version);
    versions.max().unwrap_or(0)
}

fn sqlite_options() -> AnyPoolOptions {
    AnyPoolOptions::new()
        .acquire_timeout(LOCK_DEADLINE)
        .after_connect(|connection, _| {
            Box::pin(async move { set_sqlite_pragmas(connection).await })
        })
}

/// `synchronous = FULL`: what was answered 200 survives a power cut.
async fn set_sqlite_pragmas(connection: &mut AnyConnection) -> sqlx::Result<()> {
    for pragma in [
        "PRAGMA busy_timeout = 20000",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
    ] {
        sqlx::query(pragma).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tables_of_a_newer_version_are_refused() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("own.db").display());
        let store = StoreConfig {
            data_dir: folder.path().to_owned(),
            database_url: Some(url),
            database_connections: 2,
        };
        let db = Db::open(&store).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'later', TRUE, X'00', 0)",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        for refused in [Db::open(&store).await, Db::open_beside(&store).await] {
            let sentence = format!("{:#}", refused.err().expect("it is refused"));
            assert!(sentence.contains("version 9999"), "{sentence}");
        }
    }
}
