//! Large jobs, whose pages are stored in several transactions: one that fails leaves nothing behind that a job would keep.

use std::time::{Duration, Instant};

use pentimento::tasks::sweep;
use serde_json::json;
use sqlx::SqlitePool;

use super::{serve, sitemap};
use crate::support::app::TestApp as App;
use crate::support::site::Site;

/// More than two transactions' worth, and one's.
const PAGES: usize = 1_100;
const SLICE: i64 = 500;

const PATIENCE: Duration = Duration::from_secs(20);

/// A service that cannot store a page of the second slice, and a job that has tried that once.
async fn broken_off() -> (App, Site, SqlitePool, String) {
    let (app, site) = (App::on_sqlite().await, Site::start().await);
    let rows = app.sqlite("pentimento.db").await;
    let refuse = "CREATE TRIGGER stuck BEFORE INSERT ON results WHEN NEW.page_key = '/800' \
                  BEGIN SELECT RAISE(ABORT, 'it is stuck'); END";
    sqlx::query(refuse).execute(&rows).await.unwrap();
    list(&site, 0);
    let map = format!("{}/sitemap.xml", site.origin);
    let body = json!({ "project": "large", "testOrigin": site.origin, "sitemapUrl": map, "concurrency": 1 });
    let job = app.client.crawl(body).await;
    until(&rows, "attempts > 0 AND worker_id IS NULL").await;
    (app, site, rows, job)
}

/// The site lists its pages from this one on.
fn list(site: &Site, first: usize) {
    let pages: Vec<String> = (first..PAGES).map(|number| format!("/{number}")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    serve(site, "/sitemap.xml", sitemap(&pages));
}

/// Waits until the only job is like this.
async fn until(rows: &SqlitePool, like: &str) {
    let begun = Instant::now();
    let sql = format!("SELECT COUNT(*) FROM jobs WHERE {like}");
    let is_like = async || {
        let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql.clone()));
        count.fetch_one(rows).await.unwrap() == 1
    };
    while !is_like().await {
        assert!(begun.elapsed() < PATIENCE, "never {like}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// How many results there are, at how many places, from which on, and how many of the page that is listed no more.
async fn stored(rows: &SqlitePool) -> (i64, i64, Option<i64>, i64) {
    sqlx::query_as(
        "SELECT COUNT(*), COUNT(DISTINCT position), MIN(position), COUNT(CASE WHEN page_key = '/0' THEN 1 END) FROM results",
    )
    .fetch_one(rows)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_job_is_begun_anew_when_storing_its_pages_is_broken_off() {
    let (app, site, rows, job) = broken_off().await;
    assert_eq!(stored(&rows).await, (SLICE, SLICE, Some(0), 1));
    // No page is captured before all are there, and by the next time there is one page less.
    let view = app.client.get(&format!("/job/{job}")).await.ok();
    assert_eq!(
        (&view["status"], &view["progress"]["completed"]),
        (&json!("INITIALIZING"), &json!(0))
    );
    list(&site, 1);
    sqlx::query("DROP TRIGGER stuck")
        .execute(&rows)
        .await
        .unwrap();
    sweep::tick(&app.service.app).await.unwrap();
    until(&rows, "status = 'PROCESSING'").await;
    let rest = i64::try_from(PAGES).unwrap() - 1;
    assert_eq!(stored(&rows).await, (rest, rest, Some(0), 0));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_job_whose_pages_cannot_be_stored_fails_without_any() {
    let (app, _site, rows, job) = broken_off().await;
    let begun = Instant::now();
    let ended = loop {
        let view = app.client.get(&format!("/job/{job}")).await.ok();
        if view["status"] == "FAILED" {
            break view;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", view["status"]);
        sweep::tick(&app.service.app).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let error = ended["error"].as_str().unwrap();
    assert!(error.contains("failed to discover"), "{error}");
    assert_eq!(ended["results"], json!([]));
    assert_eq!(stored(&rows).await, (0, 0, None, 0));
    app.stop().await;
}
