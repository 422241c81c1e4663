//! PostgreSQL: a private server that `make test` starts, and a database of its own for every test.

use std::time::{Duration, Instant};

use sqlx::{Connection, Executor};

use super::app::TestApp;

/// Names the server; `scripts/with-postgres` sets it.
const SERVER: &str = "PENTIMENTO_TEST_POSTGRES";

/// A new, empty database's address.
///
/// # Panics
/// When no server is named: a test that silently skips is none.
pub(crate) async fn fresh_database() -> String {
    let server = std::env::var(SERVER)
        .unwrap_or_else(|_| panic!("{SERVER} is not set; run the tests with `make test`, or `scripts/with-postgres cargo test`"));
    let name = format!("test_{}", uuid::Uuid::new_v4().simple());
    let mut connection = sqlx::PgConnection::connect(&format!("{server}/postgres"))
        .await
        .unwrap();
    connection
        .execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .await
        .unwrap();
    format!("{server}/{name}")
}

/// Waits until somebody waits for a row that another one holds.
pub(crate) async fn until_somebody_waits(app: &TestApp) {
    let begun = Instant::now();
    let waiting = async || {
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let mut db = app.service.app.db.read().await.unwrap();
        let count = sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *db);
        count.await.unwrap()
    };
    while waiting().await == 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "nobody waits");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
