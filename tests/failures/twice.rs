//! Reminders that come twice.

use pentimento::tasks::queue::Task;
use sqlx::AssertSqlSafe;

use super::{until_counted, write};
use crate::support::app::TestApp;
use crate::support::client::result;

/// The lease on a row of a table.
async fn lease(app: &TestApp, table: &str, id: &str) -> Option<String> {
    let sql = format!("SELECT worker_id FROM {table} WHERE id = $1");
    sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(id)
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap()
}

/// Both are of one process, and leases name no more than that.
#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_fails_before_it_takes_the_lease_leaves_it_to_the_one_at_work() {
    let app = TestApp::on_sqlite().await;
    let origin = "http://localhost:3000";
    let job = app.client.captured("twice", origin, [0, 128, 128]).await;
    let job_id = job["jobId"].as_str().unwrap().to_owned();
    let page = result(&job, "/");
    let result_id = page["resultId"].as_str().unwrap().to_owned();
    // As if tasks of this process were at work for the last time on the page and on the job's end.
    let worker = app.service.app.worker_id.clone();
    write(
        &app,
        &format!("UPDATE results SET stage = 'ingest', attempts = 3, worker_id = '{worker}'"),
    )
    .await;
    write(
        &app,
        &format!("UPDATE jobs SET status = 'FINISHING', attempts = 3, worker_id = '{worker}'"),
    )
    .await;
    // No lease can be taken without it.
    write(&app, "ALTER TABLE workers RENAME TO away").await;
    let queue = app.sqlite("pentimento.queue.db").await;
    sqlx::query("DELETE FROM Jobs")
        .execute(&queue)
        .await
        .unwrap();
    for (table, id, task) in [
        (
            "results",
            &result_id,
            Task::Ingest {
                result_id: result_id.clone(),
            },
        ),
        (
            "jobs",
            &job_id,
            Task::Finish {
                job_id: job_id.clone(),
            },
        ),
    ] {
        app.service.app.queue.push(&task).await;
        until_counted(&queue, "FROM Jobs WHERE status = 'Done'").await;
        assert_eq!(
            lease(&app, table, id).await.as_ref(),
            Some(&worker),
            "{table}"
        );
        sqlx::query("DELETE FROM Jobs")
            .execute(&queue)
            .await
            .unwrap();
    }
    queue.close().await;
    write(&app, "ALTER TABLE away RENAME TO workers").await;
    app.stop().await;
}
