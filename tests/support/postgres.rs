//! PostgreSQL: a private server that `make test` starts, and a database of its own for every test.

use sqlx::{Connection, Executor};

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
