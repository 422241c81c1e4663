//! A process that is busy is not taken for dead: its heartbeat waits for nothing else that it does.

use std::time::{Duration, Instant};

use pentimento::clock::Clock;
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp as App;

const SECRET: [&str; 2] = ["--secret", "one secret for all of the servers"];

/// Two beats take ten seconds.
const PATIENCE: Duration = Duration::from_secs(25);

/// When a server last said that it is alive.
async fn heard(app: &App, worker_id: &str) -> i64 {
    let heard: Option<i64> =
        sqlx::query_scalar("SELECT heartbeat_at_ms FROM workers WHERE id = $1")
            .bind(worker_id)
            .fetch_optional(&mut *app.service.app.db.read().await.unwrap())
            .await
            .unwrap();
    heard.unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_beats_while_its_sweep_and_its_clean_up_wait() {
    let one = App::on_postgres_with(&SECRET).await;
    let mut held = one.service.app.db.begin().await.unwrap();
    // What the first round of each needs.
    for table in ["idempotency_keys", "jobs"] {
        let lock = format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        sqlx::query(AssertSqlSafe(lock))
            .execute(&mut *held)
            .await
            .unwrap();
    }
    let two = one.beside(&SECRET, Clock::System).await;
    let worker = &two.service.app.worker_id;
    let begun = Instant::now();
    let (mut last, mut beats) = (0, 0);
    while beats < 3 {
        let now = heard(&one, worker).await;
        beats += usize::from(now > last);
        last = now;
        assert!(begun.elapsed() < PATIENCE, "{beats} heartbeats");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    held.rollback().await.unwrap();
    two.stop().await;
    one.stop().await;
}
