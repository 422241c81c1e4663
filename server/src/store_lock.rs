//! Who may use an embedded database: one service, and beside it programs that leave its tables as they are.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use sqlx::sqlite::SqliteConnectOptions;
use tokio::time::Instant;

use crate::config::StoreConfig;
use crate::storage;

/// How long a lock is waited for: whoever changes tables alone is done sooner, and a service that stops gives its locks back.
const PATIENCE: Duration = Duration::from_secs(3);

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// What a process holds for as long as it is there.
#[derive(Debug)]
pub(crate) struct StoreLock {
    _files: Vec<File>,
}

impl StoreLock {
    /// For a service: its data folder and its tables. A second one would take the first one's work for lost, and tables that it
    /// changes would be strange to the first. `None` with a database that several may use.
    ///
    /// # Errors
    /// Another one has them, or nothing can be written there.
    pub(crate) async fn of_service(store: &StoreConfig) -> anyhow::Result<Option<Self>> {
        let Some(tables) = tables_file(store)? else {
            return Ok(None);
        };
        let folder = folder_file(store);
        let mut files = vec![take(&folder).await?];
        if tables != folder {
            files.push(take(&tables).await?);
        }
        Ok(Some(Self { _files: files }))
    }

    /// For whoever changes the tables: nobody uses them meanwhile.
    ///
    /// # Errors
    /// Somebody does, or nothing can be written there.
    pub(crate) async fn of_tables(store: &StoreConfig) -> anyhow::Result<Option<Self>> {
        let Some(tables) = tables_file(store)? else {
            return Ok(None);
        };
        let files = vec![take(&tables).await?];
        Ok(Some(Self { _files: files }))
    }
}

fn folder_file(store: &StoreConfig) -> PathBuf {
    store.data_dir.join("service.lock")
}

/// The file whose lock stands for the tables; none where they are a server's, which looks after them itself.
fn tables_file(store: &StoreConfig) -> anyhow::Result<Option<PathBuf>> {
    let Some(url) = &store.database_url else {
        return Ok(Some(folder_file(store)));
    };
    if !url.starts_with("sqlite:") {
        return Ok(None);
    }
    let options: SqliteConnectOptions = url.parse().context("DATABASE_URL")?;
    let mut name = options.get_filename().as_os_str().to_owned();
    name.push(".lock");
    Ok(Some(name.into()))
}

async fn take(path: &Path) -> anyhow::Result<File> {
    if let Some(folder) = path.parent() {
        storage::create_private_folder(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < end => {
                tokio::time::sleep(LOOK).await;
            }
            Err(TryLockError::WouldBlock) => bail!(
                "another service uses the data folder {} (it holds {}); stop it, choose another folder with --data-dir, or use PostgreSQL for several servers",
                path.parent().unwrap_or(path).display(),
                path.display()
            ),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(data_dir: &Path, database_url: Option<String>) -> StoreConfig {
        StoreConfig {
            data_dir: data_dir.to_owned(),
            database_url,
            database_connections: 2,
        }
    }

    #[tokio::test]
    async fn tables_have_one_lock_whatever_folder_is_named() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let url = format!("sqlite://{}?mode=rwc", one.path().join("own.db").display());
        let service = store(other.path(), Some(url.clone()));
        let held = StoreLock::of_service(&service).await.unwrap();
        assert!(held.is_some());
        let elsewhere = store(Path::new("/nowhere/at/all"), Some(url));
        let refused = StoreLock::of_tables(&elsewhere).await.unwrap_err();
        assert!(refused.to_string().contains("own.db.lock"), "{refused}");
        // The folder is the service's, too.
        assert!(
            StoreLock::of_tables(&store(other.path(), None))
                .await
                .is_err()
        );
        drop(held);
        assert!(StoreLock::of_tables(&elsewhere).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_lock_that_is_given_back_soon_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path(), None);
        let held = StoreLock::of_tables(&store).await.unwrap();
        let giving_back = async {
            tokio::time::sleep(3 * LOOK).await;
            drop(held);
        };
        let (taken, ()) = tokio::join!(StoreLock::of_service(&store), giving_back);
        assert!(taken.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_servers_database_has_none() {
        let store = store(Path::new("."), Some("postgres://db/x".to_owned()));
        assert!(StoreLock::of_service(&store).await.unwrap().is_none());
    }
}
