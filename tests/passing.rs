//! Troubles of a storage that pass: what is under way meanwhile is tried again, and ends as if nothing had been. What stays gone is
//! said to be gone.

use std::path::Path;
use std::time::{Duration, Instant};

use pentimento::tasks::{sweep, uploads};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::hands::Hands;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];

/// Longest wait for a second try.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a job whose only page shows this text, always with the same picture.
async fn uploaded(app: &TestApp, text: &str) -> String {
    let job = app.client.init("passing", ORIGIN).await;
    let page = format!("{ORIGIN}/");
    let picture = picture(TEAL, 3);
    app.client.upload(&job, &page, picture, &tree(text)).await;
    job
}

/// Waits until a step of the job's only page was begun twice: the first time it failed.
async fn until_tried_again(app: &TestApp, job: &str, stage: &str) {
    let begun = Instant::now();
    let tries = async || -> Option<i64> {
        let mut db = app.service.app.db.read().await.unwrap();
        sqlx::query_scalar("SELECT attempts FROM results WHERE job_id = $1 AND stage = $2")
            .bind(job)
            .bind(stage)
            .fetch_optional(&mut *db)
            .await
            .unwrap()
    };
    while tries().await.is_none_or(|tries| tries < 2) {
        assert!(begun.elapsed() < PATIENCE, "it is not tried again");
        // What was given back is begun again without its turn being waited for.
        sweep::tick(&app.service.app).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_that_cannot_be_read_for_a_while_hides_no_change() {
    let app = TestApp::on_sqlite().await;
    let client = &app.client;
    let job = uploaded(&app, "Welcome").await;
    client.finish(&job).await;
    let blob: String = sqlx::query_scalar(
        "SELECT c.dom_blob FROM baselines b JOIN captures c ON c.id = b.capture_id",
    )
    .fetch_one(&mut *app.service.app.db.read().await.unwrap())
    .await
    .unwrap();
    let file = app.blob_file(&blob);
    let aside = file.with_extension("aside");
    // A folder in its place cannot be read, and is not nothing.
    std::fs::rename(&file, &aside).unwrap();
    std::fs::create_dir(&file).unwrap();
    let job = uploaded(&app, "Farewell").await;
    client.finalize(&job).await.ok();
    until_tried_again(&app, &job, "compare").await;
    std::fs::remove_dir(&file).unwrap();
    std::fs::rename(&aside, &file).unwrap();
    let done = client.wait(&job).await;
    let page = result(&done, "/");
    assert_eq!(
        ["status", "changed", "contentChanged", "domAssistSkipReason"].map(|field| &page[field]),
        [&json!("SUCCESS"), &json!(true), &json!(true), &Value::Null],
        "{page:#}"
    );

    // One that is lost is not waited for.
    std::fs::remove_file(&file).unwrap();
    let job = uploaded(&app, "Farewell").await;
    let done = client.finish(&job).await;
    let page = result(&done, "/");
    assert_eq!(
        ["status", "changed", "domAssistSkipReason"].map(|field| &page[field]),
        [
            &json!("SUCCESS"),
            &json!(false),
            &json!("A stored DOM tree cannot be read.")
        ],
        "{page:#}"
    );
    app.stop().await;
}

/// How often the last page was begun, and what it says.
async fn ended(app: &TestApp, job: &Value) -> (i64, Value) {
    let attempts = sqlx::query_scalar("SELECT attempts FROM results ORDER BY id DESC LIMIT 1")
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap();
    (attempts, result(job, "/")["errorMessage"].clone())
}

const FAILED: &str = "The service failed at this page. Run the job again; if it persists, the operator finds the reason in the service's log.";

#[tokio::test(flavor = "multi_thread")]
async fn a_storage_that_stays_away_ends_pages_at_their_first_try() {
    let app = TestApp::on_sqlite().await;
    let (client, site) = (&app.client, Site::start().await);
    site.page("/", "teal", "");
    let capturing = json!({ "project": "captured", "testOrigin": site.origin });
    let job = uploaded(&app, "Welcome").await;
    client.finish(&job).await;
    let blobs = app.blob_file("none").parent().unwrap().to_owned();
    let blobs = blobs.parent().unwrap();
    let aside = blobs.with_extension("aside");
    std::fs::rename(blobs, &aside).unwrap();
    // No folder can be made in a file.
    std::fs::write(blobs, "in the way").unwrap();
    let long = Duration::from_mins(6);

    app.service.app.task_pauses.have_failed_for(long);
    let job = uploaded(&app, "Farewell").await;
    let job = client.finish(&job).await;
    assert_eq!(ended(&app, &job).await, (1, json!(FAILED)));
    app.service.app.capture_pauses.have_failed_for(long);
    let job = client.run(capturing.clone()).await;
    assert_eq!(ended(&app, &job).await, (1, json!(FAILED)));

    std::fs::remove_file(blobs).unwrap();
    std::fs::rename(&aside, blobs).unwrap();
    let job = client.run(capturing).await;
    assert_eq!(result(&job, "/")["isNewBaseline"], true, "{job:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_a_bucket_does_not_give_for_a_while_are_taken_in_when_it_does() {
    let app = TestApp::on_s3_and_sqlite().await;
    let bucket = app.bucket.as_ref().unwrap();
    let job = uploaded(&app, "Welcome").await;
    bucket.set_away(true);
    app.client.finalize(&job).await.ok();
    until_tried_again(&app, &job, "ingest").await;
    assert_eq!(app.left_in_staging(&job).len(), 2);
    bucket.set_away(false);
    let done = app.client.wait(&job).await;
    assert_eq!(result(&done, "/")["isNewBaseline"], true, "{done:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_was_seen_is_looked_for_again_before_it_is_said_to_be_gone() {
    let app = TestApp::on_s3_and_sqlite().await;
    let job = uploaded(&app, "Welcome").await;
    let held = app.bucket.as_ref().unwrap().hold_staging().await;
    app.client.finalize(&job).await.ok();
    let staged = app.left_in_staging(&job);
    let is_png = |name: &&String| Path::new(name).extension() == Some("png".as_ref());
    let screenshot = staged.iter().find(is_png).unwrap();
    std::fs::remove_file(app.staging_folder().join(&job).join(screenshot)).unwrap();
    drop(held);
    until_tried_again(&app, &job, "ingest").await;
    assert_eq!(app.left_in_staging(&job).len(), 1, "nothing is cleared yet");
    let done = app.client.wait(&job).await;
    let page = result(&done, "/");
    let said = page["errorMessage"].as_str().unwrap_or_default();
    assert!(
        page["status"] == "ERROR" && said.contains("lay in the bucket"),
        "{page:#}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_removes_nothing_keeps_no_job_open() {
    let hands = Hands::at_now();
    let app = TestApp::on_s3(None, &[], hands.clock()).await;
    let bucket = app.bucket.as_ref().unwrap();
    let jobs = [uploaded(&app, "One").await, uploaded(&app, "Two").await];
    bucket.refuse_removals();
    // Past the two hours that a job takes uploads.
    hands.move_on(Duration::from_mins(121));
    sweep::tick(&app.service.app).await.unwrap();
    for job in &jobs {
        let closed = app.client.get(&format!("/job/{job}")).await.ok();
        assert_eq!(closed["status"], "FAILED", "{closed:#}");
        assert_eq!(app.left_in_staging(job).len(), 2);
    }
    bucket.take_removals();
    uploads::clear_staging(&app.service.app).await.unwrap();
    assert!(jobs.iter().all(|job| app.left_in_staging(job).is_empty()));
    app.stop().await;
}
