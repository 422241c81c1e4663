//! Whose result is compared next: turns between organizations and jobs.

use std::time::{Duration, Instant};

use pentimento::clock::Clock;
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::postgres;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];

/// Pages of the long job, and of each short one.
const LONG: u32 = 30;
const SHORT: u32 = 2;

/// Longest wait for what the service does by itself.
const DEADLINE: Duration = Duration::from_mins(1);

/// Uploads a job of so many pages and begins its comparison.
async fn begin(client: &Client, project: &str, pages: u32, colour: [u8; 3]) -> String {
    let job = client.init(project, ORIGIN).await;
    for number in 0..pages {
        let (url, picture) = (format!("{ORIGIN}/{number}"), picture(colour, number));
        client.upload(&job, &url, picture, &tree("Page")).await;
    }
    client.finalize(&job).await.ok();
    job
}

/// How many pages of a job are in a stage.
async fn count(app: &TestApp, job: &str, stage: &str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM results WHERE job_id = $1 AND stage = '{stage}'");
    sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(job)
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap()
}

/// Waits until so many pages of a job are in a stage.
async fn until_counted(app: &TestApp, job: &str, stage: &str, pages: u32) {
    let begun = Instant::now();
    while count(app, job, stage).await < i64::from(pages) {
        assert!(begun.elapsed() < DEADLINE, "{stage} of {job}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A single place, and many pages of one job in front of it when two short ones come: of the same organization, and of another.
async fn short_jobs_do_not_wait_for_a_long_one(database_url: Option<&str>) {
    let app = TestApp::on_s3(database_url, &["--compare-workers", "1"], Clock::System).await;
    let other = app.client_with("other", &["read", "run", "admin"]).await;
    let jobs = [
        (&app.client, "long", LONG),
        (&app.client, "second", SHORT),
        (&other, "third", SHORT),
    ];
    for (client, project, pages) in jobs {
        let first = begin(client, project, pages, TEAL).await;
        client.wait(&first).await;
    }
    // What is compared waits for its captures, until all pages are there.
    let held = app.bucket.as_ref().unwrap().hold_blobs().await;
    let mut ids = Vec::new();
    for (client, project, pages) in jobs {
        let job = begin(client, project, pages, MAROON).await;
        until_counted(&app, &job, "compare", pages).await;
        ids.push(job);
    }
    drop(held);
    // In turns they are done after some two, and some four pages of the long one.
    for (job, most) in [(&ids[2], 12), (&ids[1], 20)] {
        until_counted(&app, job, "done", SHORT).await;
        let done = count(&app, &ids[0], "done").await;
        assert!(done <= most, "{done} of {LONG} pages came before {job}");
    }
    for ((client, _, pages), job) in jobs.into_iter().zip(&ids) {
        let job = client.wait(job).await;
        let results = job["results"].as_array().unwrap();
        let changed = results.iter().filter(|page| page["changed"] == true);
        assert_eq!(changed.count(), pages as usize, "{job:#}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn short_jobs_do_not_wait_for_a_long_one_on_sqlite() {
    short_jobs_do_not_wait_for_a_long_one(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn short_jobs_do_not_wait_for_a_long_one_on_postgres() {
    short_jobs_do_not_wait_for_a_long_one(Some(&postgres::fresh_database().await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_compare_each_page_of_a_job_once() {
    let [one, two] = TestApp::two_on_s3(&postgres::fresh_database().await).await;
    let first = begin(&one.client, "shared", LONG, TEAL).await;
    one.client.wait(&first).await;
    let job = begin(&one.client, "shared", LONG, MAROON).await;
    let job = one.client.wait(&job).await;
    let results = job["results"].as_array().unwrap();
    assert!(
        results.iter().all(|page| page["changed"] == true),
        "{job:#}"
    );
    let counts = [compared(&one.client).await, compared(&two.client).await];
    assert_eq!(counts.iter().sum::<u64>(), u64::from(LONG), "{counts:?}");
    one.stop().await;
    two.stop().await;
}

/// How many pairs a server has compared.
async fn compared(client: &Client) -> u64 {
    let metrics = client.get("/metrics").await.ok();
    let lines = metrics.as_str().unwrap().lines();
    lines
        .filter(|line| line.starts_with("pentimento_comparisons_total{"))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum()
}
