//! The task queue: apalis, on the same database as everything else. Captures and comparisons are not in it; see `places` and
//! `comparing`.
//!
//! Pushing is a reminder, not a promise: it happens outside the transaction that wrote the row, and when it fails the
//! sweep pushes again. Workers wake at once for tasks of their own process and poll for those of others.

use std::sync::Mutex;

use apalis::prelude::TaskSink;
use apalis_postgres::PostgresStorage;
use apalis_sqlite::SqliteStorage;
use futures::channel::mpsc::{Receiver, Sender, channel};
use serde::{Deserialize, Serialize};

use crate::db::{Db, QueuePool};

/// A reminder of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Find a job's pages; whose turn it is, is chosen when there is a place for it.
    Discover {
        /// The job that began to wait.
        job_id: String,
    },
    /// Take in what a client uploaded for a page.
    Ingest {
        /// The result.
        result_id: String,
    },
    /// End a job whose every page is done.
    Finish {
        /// The job.
        job_id: String,
    },
}

/// Queues are apart so that a worker may choose what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueName {
    /// Discovering pages.
    Discover,
    /// Ending jobs.
    Finish,
    /// Taking uploads in.
    Ingest,
}

impl QueueName {
    const COUNT: usize = 3;

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Finish => "finish",
            Self::Ingest => "ingest",
        }
    }
}

impl Task {
    fn queue(&self) -> QueueName {
        match self {
            Self::Discover { .. } => QueueName::Discover,
            Self::Finish { .. } => QueueName::Finish,
            Self::Ingest { .. } => QueueName::Ingest,
        }
    }
}

/// The queue of one process.
pub struct Queue {
    pool: QueuePool,
    wakers: Mutex<[Option<Sender<()>>; QueueName::COUNT]>,
}

impl Queue {
    /// The queue on this database.
    pub fn open(db: &Db) -> Self {
        Self {
            pool: db.queue_pool().clone(),
            wakers: Mutex::new([const { None }; QueueName::COUNT]),
        }
    }

    /// Pushes a reminder. A failure is logged and left to the sweep.
    pub async fn push(&self, task: &Task) {
        let name = task.queue();
        let pushed = match &self.pool {
            QueuePool::Sqlite(pool) => sqlite_queue(pool, name)
                .push(task.clone())
                .await
                .map_err(|error| error.to_string()),
            QueuePool::Postgres(pool) => postgres_queue(pool, name)
                .push(task.clone())
                .await
                .map_err(|error| error.to_string()),
        };
        match pushed {
            Ok(()) => self.wake(name),
            Err(error) => tracing::warn!(
                ?task,
                error,
                "a task could not be enqueued; the sweep will enqueue it again"
            ),
        }
    }

    pub(super) fn pool(&self) -> &QueuePool {
        &self.pool
    }

    fn wake(&self, name: QueueName) {
        let mut wakers = self
            .wakers
            .lock()
            .expect("no code panics while it holds this lock");
        if let Some(waker) = &mut wakers[name as usize] {
            // A full channel means that a wake-up is waiting already.
            let _ = waker.try_send(());
        }
    }

    /// Wakes for every task that this process pushes; the newest listener of a queue replaces the former one.
    pub(super) fn listen(&self, name: QueueName) -> Receiver<()> {
        let (sender, receiver) = channel(1);
        self.wakers
            .lock()
            .expect("no code panics while it holds this lock")[name as usize] = Some(sender);
        receiver
    }
}

pub(super) fn sqlite_queue(pool: &sqlx::SqlitePool, name: QueueName) -> SqliteStorage<Task> {
    SqliteStorage::new(pool).with_config(apalis_sqlite::Config::default().queue(name.as_str()))
}

pub(super) fn postgres_queue(pool: &sqlx::PgPool, name: QueueName) -> PostgresStorage<Task> {
    PostgresStorage::new(pool).with_config(apalis_postgres::Config::default().queue(name.as_str()))
}
