//! Screenshots that are lost or damaged in storage.

use pentimento::tasks::sweep;
use sqlx::AssertSqlSafe;

use super::{compared_on_a_full_disk, write};
use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::{on_both_databases, until};

const ORIGIN: &str = "http://localhost:3000";

/// The blobs of the pictures of a capture that a column of the results names.
async fn pictures(app: &TestApp, column: &str) -> Vec<String> {
    let sql = format!(
        "SELECT c.screenshot_blob, c.strips_blob FROM captures c JOIN results r ON r.{column} = c.id \
         ORDER BY r.id DESC LIMIT 1"
    );
    let sql = sqlx::query_as(AssertSqlSafe(sql));
    let mut db = app.service.app.db.read().await.unwrap();
    let (screenshot, strips): (String, String) = sql.fetch_one(&mut *db).await.unwrap();
    vec![screenshot, strips]
}

async fn attempts(app: &TestApp) -> i64 {
    sqlx::query_scalar("SELECT attempts FROM results ORDER BY id DESC LIMIT 1")
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap()
}

on_both_databases! {
    async fn a_lost_baseline_is_told_at_once_and_rejecting_it_gives_the_page_another(app: TestApp) {
        for (project, tint) in [("missing", 0), ("damaged", 1)] {
            let first = app.client.captured(project, ORIGIN, [tint, 128, 128]).await;
            for blob in pictures(&app, "current_capture_id").await {
                let file = app.blob_file(&blob);
                let mut content = std::fs::read(&file).unwrap();
                std::fs::remove_file(&file).unwrap();
                if project == "damaged" {
                    *content.last_mut().unwrap() ^= 1;
                    std::fs::write(&file, content).unwrap();
                }
            }
            let job = app.client.captured(project, ORIGIN, [128, tint, 0]).await;
            let page = result(&job, "/");
            assert_eq!(page["status"], "ERROR", "{page:#}");
            let sentence = page["errorMessage"].as_str().unwrap();
            assert!(sentence.starts_with("The baseline's screenshot is missing"), "{sentence}");
            assert_eq!(attempts(&app).await, 1, "it was not tried again");
            app.client.decide(&first, result(&first, "/"), "reject").await.ok();
            let job = app.client.captured(project, ORIGIN, [128, tint, 0]).await;
            assert_eq!(result(&job, "/")["isNewBaseline"], true, "{job:#}");
            let job = app.client.captured(project, ORIGIN, [128, tint, 255]).await;
            assert_eq!(result(&job, "/")["changed"], true, "{job:#}");
        }
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jobs_own_screenshot_that_is_lost_is_told_and_running_it_again_helps() {
    let app = TestApp::on_sqlite().await;
    let job = compared_on_a_full_disk(&app).await;
    until(|| app.service.app.owed.count() == 1).await;
    for blob in pictures(&app, "current_capture_id").await {
        std::fs::remove_file(app.blob_file(&blob)).unwrap();
    }
    write(&app, "DROP TRIGGER full_disk").await;
    sweep::tick(&app.service.app).await.unwrap();
    let job = app.client.wait(&job).await;
    let page = result(&job, "/");
    assert_eq!(page["status"], "ERROR", "{page:#}");
    let sentence = page["errorMessage"].as_str().unwrap();
    assert!(
        sentence.starts_with("A screenshot of this job's own is missing"),
        "{sentence}"
    );
    let again = app.client.captured("full", ORIGIN, [128, 0, 0]).await;
    assert_eq!(result(&again, "/")["changed"], true, "{again:#}");
    app.stop().await;
}
