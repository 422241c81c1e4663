//! A process that is busy is not taken for dead: its heartbeat waits for nothing else that it does.

use std::time::{Duration, Instant};

use pentimento::clock::Clock;
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp as App;
use crate::support::hands::Hands;

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

/// Each heartbeat that is given up frees its connection, so that others can read meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_that_wait_for_a_lock_leave_connections_to_those_who_read() {
    let one = App::on_postgres_with(&SECRET).await;
    let few = [&SECRET[..], &["--database-connections", "2"]].concat();
    let two = one.beside(&few, Clock::System).await;
    let begun = Instant::now();
    while heard(&one, &two.service.app.worker_id).await == 0 {
        assert!(begun.elapsed() < PATIENCE, "no heartbeat");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut held = one.service.app.db.begin().await.unwrap();
    sqlx::query("LOCK TABLE workers IN EXCLUSIVE MODE")
        .execute(&mut *held)
        .await
        .unwrap();
    // Time for two of them to be given up.
    tokio::time::sleep(Duration::from_secs(26)).await;
    let asked = Instant::now();
    two.client.get("/projects").await.ok();
    assert!(
        asked.elapsed() < Duration::from_secs(5),
        "{:?}",
        asked.elapsed()
    );
    held.rollback().await.unwrap();
    two.stop().await;
    one.stop().await;
}

/// Of an embedded database nobody else can be alive, whatever time it was by the clock when they last said so.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_had_an_embedded_database_before_is_dead_by_any_clock() {
    let ahead = Hands::at("2030-01-01T11:00:00Z");
    let app = App::with_clock(None, &[], ahead.clock()).await;
    let now = app.service.app.clock.now_ms();
    // This server's own first look may come in between, once.
    for _ in 0..2 {
        let mut tx = app.service.app.db.begin().await.unwrap();
        let beat = pentimento::db::workers::beat_worker(&mut tx, "killed", now);
        beat.await.unwrap();
        tx.commit().await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(heard(&app, "killed").await, now);
    let mended = Hands::at("2030-01-01T10:00:00Z");
    let app = app.restarted(&[], mended.clock()).await;
    let begun = Instant::now();
    while heard(&app, "killed").await != 0 {
        assert!(begun.elapsed() < PATIENCE, "it counts as alive");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    app.stop().await;
}
