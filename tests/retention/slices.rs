//! Large jobs: nobody sees half of one, and what an interrupted round leaves goes with the next.

use std::time::Duration;

use pentimento::tasks::retention::remove_old;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, SqlitePool};

use super::{KEEP_A_MONTH, ORIGIN, days, gone, is_there, remove, run};
use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::hands::Hands;
use crate::support::postgres;

/// More than two transactions' worth of results.
const COPIES: i64 = 2_500;

/// Gives a job so many more results of the kind of its first page's. Uploading them would take minutes.
async fn enlarge(app: &TestApp, job: &Value) {
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {COPIES}) \
         INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, status, \
         current_capture_id, baseline_capture_id, pinned_version, changed, triage_status) \
         SELECT '00000000-0000-7000-8000-' || (100000000000 + n), t.job_id, t.organization_id, t.position + 10 + n, t.url || n, \
         '/' || n, t.label, t.variant_name, t.stage, t.outcome, t.status, t.current_capture_id, t.baseline_capture_id, \
         t.pinned_version, t.changed, t.triage_status FROM results t CROSS JOIN numbers WHERE t.page_key = '/' AND t.job_id = '{}'",
        job["jobId"].as_str().unwrap()
    );
    let mut tx = app.service.app.db.begin().await.unwrap();
    sqlx::query(AssertSqlSafe(sql))
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn left(app: &TestApp, job: &Value) -> i64 {
    sqlx::query_scalar("SELECT COUNT(*) FROM results WHERE job_id = $1")
        .bind(job["jobId"].as_str().unwrap())
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap()
}

async fn a_large_job_goes_whole(database_url: Option<&str>) {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(database_url, &KEEP_A_MONTH, hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    enlarge(&app, &first).await;
    hands.move_on(days(31));
    assert_eq!(remove(&app).await, gone(1, 0, 0));
    assert_eq!(left(&app, &first).await, 0);
    assert!(!is_there(&app.client, &first).await);
    assert_eq!(app.audited("job.remove").await[0]["pages"], COPIES + 2);
    assert_eq!(remove(&app).await, gone(0, 0, 0));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_job_goes_whole_on_sqlite() {
    a_large_job_goes_whole(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_job_goes_whole_on_postgres() {
    let url = postgres::fresh_database().await;
    a_large_job_goes_whole(Some(&url)).await;
}

async fn write(rows: &SqlitePool, statement: &'static str) {
    sqlx::query(statement).execute(rows).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_job_that_went_half_nothing_is_seen_and_the_rest_goes_later() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    let client = &app.client;
    let first = run(client, "shop", 5).await;
    run(client, "shop", 9).await;
    enlarge(&app, &first).await;
    let rows = app.sqlite("pentimento.db").await;
    write(
        &rows,
        "CREATE TRIGGER stuck BEFORE DELETE ON results WHEN OLD.page_key = '/2400' \
         BEGIN SELECT RAISE(ABORT, 'it is stuck'); END",
    )
    .await;
    hands.move_on(days(31));
    assert!(remove_old(&app.service.app).await.is_err());
    let rest = left(&app, &first).await;
    assert!(rest > 0 && rest < COPIES, "{rest}");

    assert!(!is_there(client, &first).await);
    let list = client.get("/jobs").await.ok();
    assert_eq!(list["jobs"].as_array().unwrap().len(), 1, "{list:#}");
    for path in [
        "/result/00000000-0000-7000-8000-100000002400",
        "/project/shop/history?page=/2400&variantName=Desktop%20Chrome",
    ] {
        client.get(path).await.refused(404, "not_found");
    }
    let decision = json!({ "jobId": first["jobId"] });
    client
        .post("/approve", decision)
        .await
        .refused(404, "job_not_found");

    write(&rows, "DROP TRIGGER stuck").await;
    hands.move_on(Duration::from_hours(1));
    assert_eq!(remove(&app).await, gone(1, 0, 0));
    assert_eq!(left(&app, &first).await, 0);
    assert_eq!(app.audited("job.remove").await.len(), 1, "it is told once");
    let again = run(client, "shop", 5).await;
    let url = format!("{ORIGIN}/");
    let page = result(&again, "/");
    assert_eq!(
        (&page["url"], &page["changed"]),
        (&json!(url), &json!(false)),
        "the baseline that it made is there"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_removal_goes_on_where_everything_is_kept() {
    let app = TestApp::on_sqlite().await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let rows = app.sqlite("pentimento.db").await;
    sqlx::query("UPDATE jobs SET removed_at_ms = 1 WHERE id = $1")
        .bind(first["jobId"].as_str().unwrap())
        .execute(&rows)
        .await
        .unwrap();
    assert!(!is_there(&app.client, &first).await);
    assert_eq!(remove(&app).await, gone(1, 0, 0));
    assert_eq!(left(&app, &first).await, 0);
    assert_eq!(remove(&app).await, gone(0, 0, 0));
    app.stop().await;
}
