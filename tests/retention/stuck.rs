//! Jobs that cannot be removed: however many they are, they hold no other up, and go when they can.

use std::time::Duration;

use pentimento::tasks::retention::remove_old;
use serde_json::Value;
use sqlx::{AssertSqlSafe, SqlitePool};

use super::{KEEP_A_MONTH, days, gone, is_there, remove, run};
use crate::support::app::TestApp;
use crate::support::hands::Hands;
use crate::support::postgres;

/// More than are looked up at once.
const SOME: usize = 150;

/// More than a round tries, of hidden ones and of others.
const MANY: usize = 600;

/// From one round to the next.
const AN_HOUR: Duration = Duration::from_hours(1);

/// What refuses to remove these jobs once they are hidden, and what refuses to hide them.
const AT_THEIR_END: &str = "DELETE ON jobs WHEN OLD.id";
const FROM_THE_START: &str = "UPDATE OF removed_at_ms ON jobs WHEN OLD.id";

async fn execute(rows: &SqlitePool, sql: String) {
    sqlx::query(AssertSqlSafe(sql)).execute(rows).await.unwrap();
}

/// So many jobs that ended when this one did, come before it, and cannot be removed.
async fn stick(rows: &SqlitePool, job: &Value, count: usize, refused: &str) {
    let copy = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) \
         INSERT INTO jobs (id, organization_id, project_id, project_name, config, comparison_mode, status, summary_status, \
         auto_approve, started_by, created_at_ms, finished_at_ms) \
         SELECT '00000000-0000-7000-8000-' || (100000000000 + n), j.organization_id, j.project_id, j.project_name, j.config, \
         j.comparison_mode, j.status, j.summary_status, j.auto_approve, j.started_by, j.created_at_ms, j.finished_at_ms \
         FROM jobs j CROSS JOIN numbers WHERE j.id = '{}'",
        job["jobId"].as_str().unwrap()
    );
    execute(rows, copy).await;
    let refuse = format!(
        "CREATE TRIGGER stuck BEFORE {refused} LIKE '00000000-%' BEGIN SELECT RAISE(ABORT, 'it is stuck'); END"
    );
    execute(rows, refuse).await;
}

/// A round that could not remove all; how many, it says first.
async fn fails(app: &TestApp) -> String {
    format!("{:#}", remove_old(&app.service.app).await.unwrap_err())
}

/// Jobs that one round after the other removes, from hour to hour, until none is stuck.
async fn removed_in_the_end(app: &TestApp, hands: &Hands, rows: &SqlitePool) -> usize {
    let mut jobs = 0;
    loop {
        hands.move_on(AN_HOUR);
        let removed = remove(app).await.jobs;
        let stuck: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM stuck_jobs")
            .fetch_one(rows)
            .await
            .unwrap();
        jobs += removed;
        if stuck == 0 {
            return jobs;
        }
        assert!(removed > 0, "{stuck} stay");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_cannot_be_removed_hold_no_other_up() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let rows = app.sqlite("pentimento.db").await;
    stick(&rows, &first, SOME, AT_THEIR_END).await;
    hands.move_on(days(31));
    for round in 0..2 {
        let said = fails(&app).await;
        assert!(
            said.starts_with(&format!("{SOME} old jobs could not be removed")),
            "{said}"
        );
        assert!(!is_there(&app.client, &first).await, "round {round}");
        hands.move_on(AN_HOUR);
    }
    execute(&rows, "DROP TRIGGER stuck".to_owned()).await;
    assert_eq!(remove(&app).await, gone(SOME, 0, 0));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_stuck_jobs_than_a_round_tries_hold_no_other_up() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let rows = app.sqlite("pentimento.db").await;
    stick(&rows, &first, MANY, FROM_THE_START).await;
    hands.move_on(days(31));
    // The second round begins behind those that the first one tried.
    for (count, is_held_up) in [(500, true), (MANY - 500, false)] {
        let said = fails(&app).await;
        assert!(
            said.starts_with(&format!("{count} old jobs could not be removed")),
            "{said}"
        );
        assert_eq!(is_there(&app.client, &first).await, is_held_up);
        hands.move_on(AN_HOUR);
    }
    execute(&rows, "DROP TRIGGER stuck".to_owned()).await;
    assert_eq!(removed_in_the_end(&app, &hands, &rows).await, MANY);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_stuck_jobs_hold_no_interrupted_removal_up() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &[], hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let rows = app.sqlite("pentimento.db").await;
    stick(&rows, &first, MANY, AT_THEIR_END).await;
    let hide = "UPDATE jobs SET removed_at_ms = CASE WHEN id LIKE '00000000-%' THEN 1 ELSE 2 END WHERE finished_at_ms IS NOT NULL \
                AND id NOT IN (SELECT last_job_id FROM projects)";
    execute(&rows, hide.to_owned()).await;
    for _ in 0..2 {
        fails(&app).await;
        hands.move_on(AN_HOUR);
    }
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM jobs WHERE removed_at_ms = 2")
        .fetch_one(&rows)
        .await
        .unwrap();
    assert_eq!(left, 0);
    execute(&rows, "DROP TRIGGER stuck".to_owned()).await;
    assert_eq!(removed_in_the_end(&app, &hands, &rows).await, MANY);
    app.stop().await;
}

async fn a_stuck_job_is_tried_again_round_by_round(database_url: Option<&str>, refuse: &[&str]) {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(database_url, &KEEP_A_MONTH, hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let write = async |statements: &[&str]| {
        let mut tx = app.service.app.db.begin().await.unwrap();
        for statement in statements {
            let statement = sqlx::query(AssertSqlSafe((*statement).to_owned()));
            statement.execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
    };
    write(refuse).await;
    hands.move_on(days(31));
    for _ in 0..2 {
        let said = fails(&app).await;
        assert!(
            said.starts_with("1 old jobs could not be removed"),
            "{said}"
        );
        // What was tried just now waits for the next round.
        assert_eq!(remove(&app).await, gone(0, 0, 0));
        assert!(!is_there(&app.client, &first).await, "it is hidden");
        hands.move_on(AN_HOUR);
    }
    let allow = match database_url {
        None => "DROP TRIGGER stuck",
        Some(_) => "DROP TRIGGER stuck ON jobs",
    };
    write(&[allow]).await;
    assert_eq!(remove(&app).await, gone(1, 0, 0));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_job_is_tried_again_round_by_round_on_sqlite() {
    let refuse =
        "CREATE TRIGGER stuck BEFORE DELETE ON jobs BEGIN SELECT RAISE(ABORT, 'it is stuck'); END";
    a_stuck_job_is_tried_again_round_by_round(None, &[refuse]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_job_is_tried_again_round_by_round_on_postgres() {
    let refuse = [
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''it is stuck''; END'",
        "CREATE TRIGGER stuck BEFORE DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION refuse()",
    ];
    let url = postgres::fresh_database().await;
    a_stuck_job_is_tried_again_round_by_round(Some(&url), &refuse).await;
}
