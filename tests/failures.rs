//! What cannot be captured ends in its own error, and the rest goes on.

mod lost; // screenshots that storage has no more
mod twice; // reminders that come twice

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use pentimento::tasks::sweep;
use serde_json::{Value, json};
use sqlx::SqlitePool;

use crate::leash::canary::start_failing_dns;
use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::site::Site;
use crate::support::until;
use crate::support::uploads::{picture, tree};

/// Longest wait for what the service does by itself.
const DEADLINE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_fails_is_an_error_and_the_rest_goes_on() {
    let app = TestApp::with(&["--page-budget-seconds", "6"]).await;
    let site = Site::start().await;
    site.page("/good", "teal", "");
    site.hangs("/hangs");
    site.content("/broken", 500, "text/html", b"<h1>broken</h1>".to_vec());
    site.content("/download", 200, "application/zip", vec![0; 64]);
    let paths: Vec<Value> = ["/good", "/hangs", "/missing", "/broken", "/download"]
        .map(|path| json!({ "path": path }))
        .to_vec();
    let job = app
        .client
        .run(json!({ "project": "mixed", "testOrigin": site.origin, "paths": paths }))
        .await;
    assert_eq!(job["status"], "COMPLETED");
    assert_eq!(result(&job, "/good")["status"], "SUCCESS");
    for (path, expected) in [
        ("/hangs", "budget of 6 s"),
        ("/missing", "answered 404"),
        ("/broken", "answered 500"),
        ("/download", "download"),
    ] {
        let page = result(&job, path);
        assert_eq!(page["status"], "ERROR", "{page:#}");
        assert!(
            page["errorMessage"].as_str().unwrap().contains(expected),
            "{page:#}"
        );
        assert_eq!(
            (&page["currentUrl"], &page["changed"]),
            (&json!(null), &json!(false))
        );
    }
    let summary = app.client.summary(&job).await;
    assert_eq!(
        (&summary["errorCount"], &summary["newBaselineCount"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(summary["errors"].as_array().unwrap().len(), 4);
    app.stop().await;
}

/// The library that speaks to the browser gives a command thirty seconds; a page has its budget.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_may_take_its_whole_budget_to_answer() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let html = "<!doctype html><title>late</title><h1>Here at last</h1>";
    site.slow("/", Duration::from_secs(33), html);
    let once = json!({ "name": "late", "testOrigin": site.origin, "captureProfile": { "agreement": false } });
    app.client.post("/projects", once).await.ok();
    let job = app.client.run(json!({ "project": "late" })).await;
    let page = result(&job, "/");
    assert_eq!(
        (&page["status"], site.count("/")),
        (&json!("SUCCESS"), 1),
        "{page}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_cannot_run_says_why() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.content(
        "/page.xml",
        200,
        "text/html",
        b"<!doctype html><html><body>hello</body></html>".to_vec(),
    );
    site.content(
        "/empty.xml",
        200,
        "application/xml",
        b"<urlset></urlset>".to_vec(),
    );
    site.content(
        "/map.xml",
        200,
        "application/xml",
        format!("<urlset><url><loc>{}/a</loc></url></urlset>", site.origin).into_bytes(),
    );
    let nobody = format!("http://127.0.0.1:{}", free_port());
    for (sitemap, scans, expected) in [
        (
            format!("{}/page.xml", site.origin),
            json!([]),
            "is not a sitemap: it holds a <html> document",
        ),
        (
            format!("{}/empty.xml", site.origin),
            json!([]),
            "lists no page",
        ),
        (
            format!("{}/gone.xml", site.origin),
            json!([]),
            "answered 404",
        ),
        (
            format!("{}/map.xml", site.origin),
            json!([{ "pattern": "/shop/**" }]),
            "The scan `/shop/**` matches none",
        ),
        (format!("{nobody}/sitemap.xml"), json!([]), "cannot be read"),
    ] {
        let project = format!("p{}", uuid::Uuid::new_v4().simple());
        let job = app.client.run(json!({ "project": project, "testOrigin": site.origin, "sitemapUrl": sitemap, "scans": scans })).await;
        assert_eq!(job["status"], "FAILED", "{job:#}");
        assert!(
            job["error"].as_str().unwrap().contains(expected),
            "{}",
            job["error"]
        );
        let summary = app.client.summary(&job).await;
        assert!(
            summary["runSummary"]
                .as_str()
                .unwrap()
                .starts_with("The job failed."),
            "{summary:#}"
        );
        assert_eq!(
            summary["intentAssessment"]["summary"],
            "Nothing was compared."
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_site_is_an_error_of_its_page() {
    let app = TestApp::on_sqlite().await;
    let job = app
        .client
        .run(
            json!({ "project": "gone", "testOrigin": format!("http://127.0.0.1:{}", free_port()) }),
        )
        .await;
    let page = result(&job, "/");
    assert!(
        page["errorMessage"]
            .as_str()
            .unwrap()
            .contains("nothing listens"),
        "{page:#}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_server_that_is_away_for_seconds_costs_no_page() {
    // It fails once the job was started: then its host was asked for, with both kinds of addresses.
    let outage = Arc::new(OnceLock::new());
    let begun = outage.clone();
    let dns = start_failing_dns(move |asked| {
        asked > 2 && begun.get_or_init(Instant::now).elapsed() < Duration::from_secs(5)
    });
    let dns = dns.await.to_string();
    let app = TestApp::with(&["--dns-server", &dns]).await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let origin = site.origin.replace("127.0.0.1", "inside.test");
    let job = app
        .client
        .run(json!({ "project": "away", "testOrigin": origin }))
        .await;
    assert_eq!(result(&job, "/")["status"], "SUCCESS", "{job:#}");
    let since = outage.get().expect("it failed").elapsed();
    assert!(since > Duration::from_secs(5), "{since:?}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_server_that_is_away_behind_a_redirect_costs_no_page() {
    // The page's own host has no name, so the first question is about the one that it leads on to.
    let outage = Arc::new(OnceLock::new());
    let begun = outage.clone();
    let dns = start_failing_dns(move |_| {
        begun.get_or_init(Instant::now).elapsed() < Duration::from_secs(3)
    });
    let dns = dns.await.to_string();
    let app = TestApp::with(&["--dns-server", &dns]).await;
    let site = Site::start().await;
    site.page("/landing", "teal", "");
    let elsewhere = site.origin.replace("127.0.0.1", "inside.test");
    site.redirects("/", &format!("{elsewhere}/landing"));
    let job = app
        .client
        .run(json!({ "project": "leading", "testOrigin": site.origin }))
        .await;
    assert_eq!(result(&job, "/")["status"], "SUCCESS", "{job:#}");
    let since = outage.get().expect("it failed").elapsed();
    assert!(since > Duration::from_secs(3), "{since:?}");
    app.stop().await;
}

/// Small error pages under load: their status must be seen however fast they load.
#[tokio::test(flavor = "multi_thread")]
async fn error_pages_never_become_baselines() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let paths: Vec<Value> = (0..40)
        .map(|number| json!({ "path": format!("/missing-{number}") }))
        .collect();
    let request = json!({ "project": "missing", "testOrigin": site.origin, "paths": paths, "concurrency": 4 });
    let job = app.client.run(request).await;
    for page in job["results"].as_array().unwrap() {
        assert_eq!(page["status"], "ERROR", "{page:#}");
        assert!(
            page["errorMessage"].as_str().unwrap().contains("404"),
            "{page:#}"
        );
    }
    let assessed = app.client.summary(&job).await["intentAssessment"].clone();
    assert_eq!(
        assessed["summary"],
        "Nothing changed. 40 of 40 page variants could not be compared."
    );
    app.stop().await;
}

/// A port that nothing listens on.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A process is alive whose disk is full: nobody else frees what it works on.
#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_given_back_is_given_back_when_it_can_be() {
    let app = TestApp::on_sqlite().await;
    let job = compared_on_a_full_disk(&app).await;
    let owes = |count: usize| {
        let app = &app.service.app;
        move || app.owed.count() == count
    };
    until(owes(1)).await;
    sweep::tick(&app.service.app).await.unwrap();
    until(owes(1)).await;
    write(&app, "DROP TRIGGER full_disk").await;
    sweep::tick(&app.service.app).await.unwrap();
    until(owes(0)).await;
    let job = app.client.wait(&job).await;
    assert_eq!(result(&job, "/")["changed"], true, "{job:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_failing_worker_had_under_way_goes_on_and_is_not_begun_again() {
    let (app, site) = (TestApp::on_sqlite().await, Site::start().await);
    site.page("/page", "teal", "");
    let sitemap = format!(
        "<urlset><url><loc>{}/page</loc></url></urlset>",
        site.origin
    );
    site.after(
        "/map.xml",
        "/go-on",
        "application/xml",
        sitemap.into_bytes(),
    );
    let map = format!("{}/map.xml", site.origin);
    let job = json!({ "project": "queued", "testOrigin": site.origin, "sitemapUrl": map });
    let job = app.client.crawl(job).await;
    site.asked_for("/map.xml").await;
    workers_fail(&app, "discover").await;
    reqwest::get(format!("{}/go-on", site.origin))
        .await
        .unwrap();
    let job = app.client.wait(&job).await;
    assert_eq!(job["status"], "COMPLETED", "{job:#}");
    assert_eq!(result(&job, "/page")["status"], "SUCCESS", "{job:#}");
    assert_eq!(site.count("/map.xml"), 1);
    app.stop().await;
}

/// A disk fills up while it is written that an upload was taken in, and meanwhile the worker that began it fails.
#[tokio::test(flavor = "multi_thread")]
async fn what_fails_after_its_worker_is_given_back_all_the_same() {
    let app = TestApp::on_sqlite().await;
    // Counting takes some seconds, in which the worker fails.
    let counted = "WHERE (WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count LIMIT 10000000) \
                   SELECT MAX(n) FROM count) > 0";
    let job = on_a_full_disk(&app, "ingest", counted).await;
    let rows = app.sqlite("pentimento.db").await;
    until_counted(
        &rows,
        "FROM results WHERE stage = 'ingest' AND worker_id IS NOT NULL",
    )
    .await;
    rows.close().await;
    workers_fail(&app, "ingest").await;
    until(|| app.service.app.owed.count() == 1).await;
    write(&app, "DROP TRIGGER full_disk").await;
    sweep::tick(&app.service.app).await.unwrap();
    let job = app.client.wait(&job).await;
    assert_eq!(result(&job, "/")["changed"], true, "{job:#}");
    app.stop().await;
}

/// A job whose page changed, on a disk that is full as soon as the page is compared.
async fn compared_on_a_full_disk(app: &TestApp) -> String {
    on_a_full_disk(app, "compare", "").await
}

/// A job whose page changed, on a disk that is full when the page would leave this stage; `when` may say when that is told.
async fn on_a_full_disk(app: &TestApp, stage: &str, when: &str) -> String {
    let origin = "http://localhost:3000";
    app.client.captured("full", origin, [0, 128, 128]).await;
    write(
        app,
        &format!(
            "CREATE TRIGGER full_disk BEFORE UPDATE ON results WHEN OLD.stage = '{stage}' AND OLD.worker_id IS NOT NULL \
             BEGIN SELECT RAISE(ABORT, 'database or disk is full') {when}; END"
        ),
    )
    .await;
    let job = app.client.init("full", origin).await;
    let (url, png) = (format!("{origin}/"), picture([128, 0, 0], 3));
    app.client.upload(&job, &url, png, &tree("Welcome")).await;
    app.client.finalize(&job).await.ok();
    job
}

async fn write(app: &TestApp, sql: &str) {
    let mut tx = app.service.app.db.begin().await.unwrap();
    let sql = sqlx::AssertSqlSafe(sql.to_owned());
    sqlx::query(sql).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// Waits until there are such rows.
async fn until_counted(database: &SqlitePool, rows: &str) {
    let begun = Instant::now();
    let count = async || {
        let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) {rows}"));
        let count = sqlx::query_scalar::<_, i64>(sql).fetch_one(database);
        count.await.unwrap()
    };
    while count().await == 0 {
        assert!(begun.elapsed() < DEADLINE, "never any {rows}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The queue's own table is away for a while: its workers fail and are started again, and drop what they have under way.
/// Returns when one of this queue is there again.
async fn workers_fail(app: &TestApp, name: &str) {
    let queue = app.sqlite("pentimento.queue.db").await;
    let rename = async |from: &str, to: &str| {
        let sql = sqlx::AssertSqlSafe(format!("ALTER TABLE {from} RENAME TO {to}"));
        sqlx::query(sql).execute(&queue).await.unwrap();
    };
    rename("Jobs", "Away").await;
    // Several times as long as a worker goes without looking at it.
    tokio::time::sleep(Duration::from_secs(2)).await;
    rename("Away", "Jobs").await;
    // A worker that is started again has another number at the end of its name.
    let again = format!("FROM Workers WHERE id LIKE '{name}-%' AND id NOT LIKE '%-0'");
    until_counted(&queue, &again).await;
    queue.close().await;
}
