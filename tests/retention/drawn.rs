//! Pictures that are drawn, and forms of captures that are made again, while what they belong to goes: in whatever order that
//! comes, the blob is named by a row or known to be released.

use std::time::Duration;

use pentimento::db::captures::set_strips;
use pentimento::db::results::set_diff_blob;
use pentimento::storage::BlobKey;
use pentimento::tasks::retention::remove_old;
use serde_json::Value;

use super::{KEEP_A_MONTH, days, remove, run};
use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::hands::Hands;
use crate::support::postgres::{self, until_somebody_waits};

/// The name of a blob that nothing else has.
fn name(of: &str) -> String {
    BlobKey::of(of.as_bytes()).to_string()
}

async fn is_released(app: &TestApp, blob: &str) -> bool {
    let mut db = app.service.app.db.read().await.unwrap();
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM released_blobs WHERE blob = $1")
        .bind(blob)
        .fetch_one(&mut *db)
        .await
        .unwrap();
    found == 1
}

/// Three runs, of which the second one changed, a month later: the ids of its changed result and of that one's capture.
async fn month_old_change(app: &TestApp, hands: &Hands) -> (String, String) {
    run(&app.client, "shop", 5).await;
    let changed = run(&app.client, "shop", 9).await;
    run(&app.client, "shop", 13).await;
    hands.move_on(days(31));
    let id = id_of(&changed);
    let capture = sqlx::query_scalar("SELECT current_capture_id FROM results WHERE id = $1")
        .bind(&id)
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap();
    (id, capture)
}

fn id_of(job: &Value) -> String {
    result(job, "/")["resultId"].as_str().unwrap().to_owned()
}

async fn keep_picture(app: &TestApp, result: &str, blob: &str) {
    let mut tx = app.service.app.db.begin().await.unwrap();
    let now = app.service.app.clock.now_ms();
    set_diff_blob(&mut tx, result, blob, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn what_comes_too_late_is_released(database_url: Option<&str>) {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(database_url, &KEEP_A_MONTH, hands.clock()).await;
    let (gone, capture) = month_old_change(&app, &hands).await;
    let removed = remove(&app).await;
    assert!(removed.jobs == 2 && removed.captures > 0, "{removed:?}");
    let (picture, form) = (name("picture"), name("form"));
    keep_picture(&app, &gone, &picture).await;
    let mut tx = app.service.app.db.begin().await.unwrap();
    let now = app.service.app.clock.now_ms();
    set_strips(&mut tx, &capture, &form, now).await.unwrap();
    tx.commit().await.unwrap();
    assert!(is_released(&app, &picture).await && is_released(&app, &form).await);

    // Of two that draw a page at once, the first one's picture is kept.
    let last = id_of(&run(&app.client, "shop", 17).await);
    let (first, second) = (name("first"), name("second"));
    for blob in [&first, &second] {
        keep_picture(&app, &last, blob).await;
    }
    assert!(!is_released(&app, &first).await && is_released(&app, &second).await);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_too_late_is_released_on_sqlite() {
    what_comes_too_late_is_released(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_too_late_is_released_on_postgres() {
    let url = postgres::fresh_database().await;
    what_comes_too_late_is_released(Some(&url)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_while_its_row_goes_is_released_on_postgres() {
    let hands = Hands::at_now();
    let url = postgres::fresh_database().await;
    let app = TestApp::with_clock(Some(&url), &KEEP_A_MONTH, hands.clock()).await;
    let (changed, capture) = month_old_change(&app, &hands).await;
    let (picture, form) = (name("picture"), name("form"));
    let (db, now) = (&app.service.app.db, app.service.app.clock.now_ms());

    // Each waits in turn for what is written to its row when it goes.
    let mut drawing = db.begin().await.unwrap();
    set_diff_blob(&mut drawing, &changed, &picture, now)
        .await
        .unwrap();
    let mut making = db.begin().await.unwrap();
    set_strips(&mut making, &capture, &form, now).await.unwrap();
    let service = app.service.app.clone();
    let removing = tokio::spawn(async move { remove_old(&service).await.unwrap() });
    until_somebody_waits(&app).await;
    drawing.commit().await.unwrap();
    let known = async {
        while !is_released(&app, &picture).await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let known = tokio::time::timeout(Duration::from_secs(10), known).await;
    known.expect("the picture is known");
    until_somebody_waits(&app).await;
    making.commit().await.unwrap();
    let removed = removing.await.unwrap();
    assert!(removed.jobs == 2 && removed.captures > 0, "{removed:?}");
    assert!(is_released(&app, &form).await);
    app.stop().await;
}
