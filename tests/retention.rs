//! What is removed when it is old, and what stays because something needs it.

mod drawn; // what is drawn and made while its row goes
mod slices; // large jobs, which go in several transactions
mod stuck; // jobs that cannot be removed

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::hands::Hands;
use crate::support::postgres;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};
use pentimento::storage::{BlobKey, blob_object};
use pentimento::tasks::retention::{Removed, remove_old};
use serde_json::{Value, json};

const ORIGIN: &str = "http://shop.test";
const KEEP_A_MONTH: [&str; 2] = ["--keep-days", "30"];

fn days(count: u32) -> Duration {
    Duration::from_hours(24) * count
}

fn shot(line: u32) -> Vec<u8> {
    picture([0, 128, 128], line)
}

/// A run in which `/` has this line, and another page never changes.
async fn run(client: &Client, project: &str, line: u32) -> Value {
    let id = client.init(project, ORIGIN).await;
    for (path, line) in [("/", line), ("/other", 3)] {
        let url = format!("{ORIGIN}{path}");
        client.upload(&id, &url, shot(line), &tree("Prices")).await;
    }
    client.finish(&id).await
}

async fn history(client: &Client, page: &str) -> Value {
    let path = format!("/project/shop/history?page={page}&variantName=Desktop%20Chrome");
    client.get(&path).await.ok()
}

async fn is_there(client: &Client, job: &Value) -> bool {
    let path = format!("/job/{}", job["jobId"].as_str().unwrap());
    let answer = client.get(&path).await;
    if answer.status.as_u16() == 404 {
        answer.refused(404, "job_not_found");
        return false;
    }
    answer.ok();
    true
}

async fn pictures_of(client: &Client, result: &Value) -> [u16; 3] {
    let mut statuses = [0; 3];
    for (status, link) in statuses
        .iter_mut()
        .zip(["currentUrl", "baselineUrl", "diffUrl"])
    {
        *status = client.download(&result[link]).await.0.as_u16();
    }
    statuses
}

/// The blob of a picture, where blobs lie in a folder or behind a server.
fn blob(app: &TestApp, content: &[u8]) -> PathBuf {
    let key = BlobKey::of(content);
    match &app.bucket {
        Some(bucket) => bucket.file(&blob_object(key.as_str())),
        None => app.blob_file(key.as_str()),
    }
}

/// How many files there are in the folder of blobs.
fn blob_files(app: &TestApp) -> usize {
    let folder = blob(app, b"any").ancestors().nth(2).unwrap().to_owned();
    let files = walkdir::WalkDir::new(folder).into_iter();
    files
        .filter(|entry| entry.as_ref().unwrap().file_type().is_file())
        .count()
}

fn gone(jobs: usize, captures: usize, blobs: usize) -> Removed {
    Removed {
        jobs,
        captures,
        blobs,
    }
}

async fn remove(app: &TestApp) -> Removed {
    remove_old(&app.service.app).await.unwrap()
}

async fn old_jobs_go_and_what_others_need_stays(database_url: Option<&str>) {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(database_url, &KEEP_A_MONTH, hands.clock()).await;
    let client = &app.client;
    let id = client.init("shop", ORIGIN).await;
    for (path, line) in [("/", 5), ("/other", 3), ("/dropped", 3)] {
        let url = format!("{ORIGIN}{path}");
        client.upload(&id, &url, shot(line), &tree("Prices")).await;
    }
    let first = client.finish(&id).await;
    let only = run(client, "single", 5).await;
    hands.move_on(days(1));
    let approved = run(client, "shop", 9).await;
    assert_eq!(pictures_of(client, result(&approved, "/")).await, [200; 3]);
    client
        .decide(&approved, result(&approved, "/"), "approve")
        .await
        .ok();
    hands.move_on(days(1));
    let pending = run(client, "shop", 13).await;
    assert_eq!(pictures_of(client, result(&pending, "/")).await, [200; 3]);
    hands.move_on(days(18));
    let last = run(client, "shop", 13).await;
    assert_eq!(
        remove(&app).await,
        gone(0, 0, 0),
        "all are younger than a month"
    );

    // Day 30 and a bit: only the first run is old enough, and its capture is what the second was compared with.
    hands.move_on(days(10) + Duration::from_hours(1));
    let removed = gone(1, 0, 0);
    assert_eq!(remove(&app).await, removed);
    assert_eq!(remove(&app).await, gone(0, 0, 0));
    assert!(!is_there(client, &first).await);
    assert!(is_there(client, &only).await, "the last run of its project");
    let approved = client.reread(&approved).await;
    let page = result(&approved, "/");
    assert_eq!(pictures_of(client, page).await, [200; 3]);
    // Taking the approval back still leads to what was the baseline before it.
    client.decide(&approved, page, "reject").await.ok();
    let told = history(client, "/").await;
    assert_eq!(
        (
            &told["baseline"]["move"]["action"],
            told["baseline"].get("resultId")
        ),
        (&json!("restore"), None)
    );
    let (status, ..) = client.download(&told["baseline"]["thumbnailUrl"]).await;
    assert_eq!(status.as_u16(), 200);
    client.decide(&approved, page, "approve").await.ok();
    let told = history(client, "/").await;
    assert_eq!(told["baseline"]["resultId"], page["resultId"]);
    assert_eq!(told["runs"].as_array().unwrap().len(), 3);

    // Day 33: the approved run is gone, and the baseline that it made stays; what only it needed goes.
    hands.move_on(days(3));
    let removed = remove(&app).await;
    // Of the page: the first run's capture and the pending run's. Of the other page: those two that are no baseline.
    assert_eq!(removed, gone(2, 4, 0));
    assert!(!is_there(client, &approved).await && !is_there(client, &pending).await);
    let told = history(client, "/").await;
    assert_eq!(told["runs"].as_array().unwrap().len(), 1);
    assert_eq!(
        (
            &told["baseline"]["move"]["action"],
            told["baseline"].get("resultId")
        ),
        (&json!("promote"), None)
    );
    let reread = client.reread(&last).await;
    assert_eq!(pictures_of(client, result(&reread, "/")).await, [200; 3]);
    // A page that no kept run has still has its baseline.
    let dropped = history(client, "/dropped").await;
    assert_eq!(
        (&dropped["runs"], &dropped["baseline"]["move"]["action"]),
        (&json!([]), &json!("new"))
    );
    let removals = app.audited("job.remove").await;
    let pages: Vec<_> = removals.iter().map(|removal| &removal["pages"]).collect();
    assert_eq!(pages, [3, 2, 2]);
    assert!(
        removals.iter().all(|removal| removal["project"] == "shop"),
        "{removals:?}"
    );
    // What is removed is still named in the log.
    let log = client.get("/audit?action=baseline.promote").await.ok();
    let promoted = log["entries"].as_array().unwrap();
    assert!(
        !promoted.is_empty() && promoted.iter().all(|entry| entry["project"] == "shop"),
        "{log}"
    );
    blobs_go_days_later(&app, &hands, &last).await;
    app.stop().await;
}

/// A week and a day later the pictures go that nobody has: line 13 is the last run's, line 5 the other project's.
async fn blobs_go_days_later(app: &TestApp, hands: &Hands, last: &Value) {
    let client = &app.client;
    let before = blob_files(app);
    hands.move_on(days(7));
    assert_eq!(remove(app).await, gone(0, 0, 0), "not a day's worth yet");
    hands.move_on(days(2));
    let removed = remove(app).await;
    // The mask and the annotated picture of the second run.
    assert_eq!(removed, gone(0, 0, 2));
    assert_eq!(blob_files(app), before - 2);
    for line in [3, 5, 9, 13] {
        assert!(blob(app, &shot(line)).exists(), "line {line}");
    }
    let reread = client.reread(last).await;
    assert_eq!(pictures_of(client, result(&reread, "/")).await, [200; 3]);
    let again = run(client, "shop", 9).await;
    let page = result(&again, "/");
    assert_eq!(
        (&page["isNewBaseline"], &page["changed"]),
        (&json!(false), &json!(false)),
        "compared with the baseline"
    );
    assert_eq!(remove(app).await, gone(0, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_jobs_go_and_what_others_need_stays_on_sqlite() {
    old_jobs_go_and_what_others_need_stays(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_jobs_go_and_what_others_need_stays_on_postgres() {
    let url = postgres::fresh_database().await;
    old_jobs_go_and_what_others_need_stays(Some(&url)).await;
}

/// A run was compared with a baseline that another run's approval moved and its rejection restored. Both runs before it go;
/// what it was compared with is the baseline, so it can still be approved.
async fn what_a_kept_run_was_compared_with_is_known_as_the_baseline(database_url: Option<&str>) {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(database_url, &KEEP_A_MONTH, hands.clock()).await;
    let client = &app.client;
    run(client, "shop", 5).await;
    let taken_back = run(client, "shop", 9).await;
    hands.move_on(days(20));
    let kept = run(client, "shop", 13).await;
    for action in ["approve", "reject"] {
        let page = result(&taken_back, "/");
        client.decide(&taken_back, page, action).await.ok();
    }
    run(client, "shop", 17).await;
    hands.move_on(days(11));
    assert_eq!(remove(&app).await.jobs, 2);
    let page = result(&kept, "/");
    client.decide(&kept, page, "approve").await.ok();
    let told = history(client, "/").await;
    assert_eq!(told["baseline"]["resultId"], page["resultId"]);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_kept_run_was_compared_with_is_known_as_the_baseline_on_sqlite() {
    what_a_kept_run_was_compared_with_is_known_as_the_baseline(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_kept_run_was_compared_with_is_known_as_the_baseline_on_postgres() {
    let url = postgres::fresh_database().await;
    what_a_kept_run_was_compared_with_is_known_as_the_baseline(Some(&url)).await;
}

/// Of three runs the second one is approved, and a month later two are gone: of what they leave behind that stays which was
/// stored again since.
async fn blobs_go_unless_they_were_stored_since(app: TestApp, hands: Hands) {
    let client = &app.client;
    run(client, "shop", 5).await;
    let approved = run(client, "shop", 9).await;
    client
        .decide(&approved, result(&approved, "/"), "approve")
        .await
        .ok();
    run(client, "shop", 13).await;
    hands.move_on(days(31));
    // Of `/` the first run's; of the other page the second run's, which was no other than the baseline.
    assert_eq!(remove(&app).await, gone(2, 2, 0));
    let first = blob(&app, &shot(5));
    assert!(first.exists());
    hands.move_on(days(9));
    let now = Duration::from_millis(hands.clock().now_ms().unsigned_abs());
    let file = std::fs::File::open(&first).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + now - days(1))
        .unwrap();
    let removed = remove(&app).await;
    assert!(
        removed.blobs > 0 && removed.jobs + removed.captures == 0,
        "{removed:?}"
    );
    assert!(first.exists(), "it was stored again yesterday");
    for line in [3, 9, 13] {
        assert!(blob(&app, &shot(line)).exists(), "line {line}");
    }
    // It was forgotten, not put off: whoever stored it is about to name it.
    hands.move_on(days(9));
    assert_eq!(remove(&app).await, gone(0, 0, 0));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blobs_go_unless_they_were_stored_since_on_a_disk() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    blobs_go_unless_they_were_stored_since(app, hands).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blobs_go_unless_they_were_stored_since_in_a_bucket() {
    let hands = Hands::at_now();
    let url = postgres::fresh_database().await;
    let app = TestApp::on_s3(Some(&url), &KEEP_A_MONTH, hands.clock()).await;
    blobs_go_unless_they_were_stored_since(app, hands).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blob_that_cannot_be_removed_holds_no_other_up() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    run(&app.client, "shop", 5).await;
    for line in [9, 13] {
        let job = run(&app.client, "shop", line).await;
        let page = result(&job, "/");
        app.client.decide(&job, page, "approve").await.ok();
    }
    run(&app.client, "shop", 13).await;
    hands.move_on(days(31));
    assert_eq!(remove(&app).await.jobs, 3);
    let stuck = blob(&app, &shot(5));
    std::fs::remove_file(&stuck).unwrap();
    std::fs::create_dir(&stuck).unwrap();
    hands.move_on(days(9));
    let error = remove_old(&app.service.app).await.unwrap_err();
    let said = format!("{error:#}");
    assert!(said.starts_with("1 could not be removed"), "{said}");
    assert!(!blob(&app, &shot(9)).exists());
    assert_eq!(
        remove(&app).await,
        gone(0, 0, 0),
        "it waits for its next turn"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_removed_where_nobody_asks_for_it() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &[], hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    hands.move_on(days(36_500));
    assert_eq!(remove(&app).await, gone(0, 0, 0));
    assert!(is_there(&app.client, &first).await);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn masks_of_captures_that_disagree_go_with_their_job_and_not_before() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &["--keep-days", "1"], hands.clock()).await;
    let (client, site) = (&app.client, Site::start().await);
    let page = |colour: &str| {
        let html = format!(
            "<!doctype html><html lang=en><title>Turns</title><body style='background:{colour}'>"
        );
        (200, html)
    };
    let request = json!({ "project": "turns", "testOrigin": site.origin });
    site.in_turn("/", [page("teal")]);
    client.run(request.clone()).await;
    site.in_turn("/", ["gold", "pink", "lime"].map(page));
    let unstable = client.run(request.clone()).await;
    let id = result(&unstable, "/")["resultId"].as_str().unwrap();
    let item = client.get(&format!("/result/{id}")).await.ok();
    let (status, _, mask) = client.download(&item["disagreements"][0]["maskUrl"]).await;
    assert_eq!(status.as_u16(), 200);
    let mask = blob(&app, &mask);

    // The first run goes, and the unstable one, which is the last, keeps what it shows.
    for (passing, jobs) in [(2, 1), (9, 0)] {
        hands.move_on(days(passing));
        assert_eq!(remove(&app).await.jobs, jobs);
        assert!(mask.exists());
    }
    site.in_turn("/", [page("teal")]);
    client.run(request).await;
    for (passing, jobs) in [(2, 1), (9, 0)] {
        assert!(mask.exists());
        hands.move_on(days(passing));
        assert_eq!(remove(&app).await.jobs, jobs);
    }
    assert!(!mask.exists());
    app.stop().await;
}
