//! Whose page is captured next: a job's limit over all servers, and turns between organizations and jobs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Html;
use pentimento::clock::Clock;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::leash::canary::start_failing_dns;
use crate::support::app::TestApp as App;
use crate::support::client::Client;
use crate::support::on_both_databases;
use crate::support::site::Site;
use crate::support::until;

/// How long the site takes for a page: long enough that others come meanwhile.
const SERVING: Duration = Duration::from_millis(150);

/// Longest wait for so many pages at once as a test expects.
const DEADLINE: Duration = Duration::from_secs(20);

/// A site that notes which pages are asked for, and how many at once. The first ones wait for each other.
struct SlowSite {
    origin: String,
    log: Arc<Log>,
}

struct Log {
    expected: usize,
    asked: Mutex<Vec<String>>,
    open: watch::Sender<Open>,
}

#[derive(Default, Clone, Copy)]
struct Open {
    now: usize,
    most: usize,
}

impl SlowSite {
    /// A site that serves nothing until so many pages are asked for at once.
    async fn start(expected: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Log {
            expected,
            asked: Mutex::default(),
            open: watch::Sender::default(),
        });
        let router = Router::new().fallback(serve).with_state(log.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, log }
    }

    fn most_at_once(&self) -> usize {
        self.log.open.borrow().most
    }

    fn asked(&self) -> Vec<String> {
        self.log.asked.lock().unwrap().clone()
    }

    /// A job of so many pages below `/<name>/`.
    async fn crawl(&self, client: &Client, name: &str, pages: usize, concurrency: usize) -> String {
        let paths: Vec<Value> = (0..pages)
            .map(|number| json!({ "path": format!("/{name}/{number}") }))
            .collect();
        // Each page is captured once, so that what was asked for tells the order.
        let project = json!({
            "name": name, "testOrigin": self.origin, "paths": paths, "concurrency": concurrency,
            "captureProfile": { "agreement": false },
        });
        client.post("/projects", project).await.ok();
        client.crawl(json!({ "project": name })).await
    }
}

async fn serve(State(log): State<Arc<Log>>, uri: Uri) -> Html<String> {
    log.asked.lock().unwrap().push(uri.path().to_owned());
    log.open.send_modify(|open| {
        open.now += 1;
        open.most = open.most.max(open.now);
    });
    let mut open = log.open.subscribe();
    let together = open.wait_for(|open| open.most >= log.expected);
    // A test that expects too much says so by its own figure.
    let _ = tokio::time::timeout(DEADLINE, together).await;
    tokio::time::sleep(SERVING).await;
    log.open.send_modify(|open| open.now -= 1);
    Html(format!("<!doctype html><title>A page</title><p>{uri}"))
}

#[track_caller]
fn all_captured(job: &Value, pages: usize) {
    let results = job["results"].as_array().unwrap();
    assert_eq!(results.len(), pages);
    for page in results {
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
    }
}

/// How many pages of others came between the first and the last of these.
fn between(asked: &[String], prefix: &str) -> usize {
    let is_own = |path: &String| path.starts_with(prefix);
    let first = asked.iter().position(is_own).unwrap();
    let last = asked.iter().rposition(is_own).unwrap();
    asked[first..last]
        .iter()
        .filter(|path| !is_own(path))
        .count()
}

/// Waits until the site was asked for so many pages.
async fn until_asked(site: &SlowSite, pages: usize) {
    let mut look = tokio::time::interval(Duration::from_millis(10));
    for _ in 0..6_000 {
        look.tick().await;
        if site.asked().len() >= pages {
            return;
        }
    }
    panic!("the site was asked for {:?} only", site.asked());
}

async fn captures_counted(client: &Client) -> u64 {
    let metrics = client.get("/metrics").await.ok();
    let name = "pentimento_capture_seconds_count{outcome=\"captured\"} ";
    let mut lines = metrics.as_str().unwrap().lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .map_or(0, |count| count.parse().unwrap())
}

on_both_databases! {
    async fn a_job_is_captured_as_often_at_once_as_it_allows(app: TestApp) {
        for (name, concurrency) in [("one", 1), ("three", 3)] {
            let site = SlowSite::start(concurrency).await;
            let job_id = site.crawl(&app.client, name, 9, concurrency).await;
            all_captured(&app.client.wait(&job_id).await, 9);
            assert_eq!(site.most_at_once(), concurrency);
            let order: Vec<String> = (0..9).map(|number| format!("/{name}/{number}")).collect();
            if concurrency == 1 {
                assert_eq!(site.asked(), order, "in the job's order");
            }
        }
        app.stop().await;
    }

    async fn a_short_job_of_another_organization_does_not_wait_for_a_long_one(app: TestApp) {
        let app = app.restarted(&["--tabs-per-browser", "2"], Clock::System).await;
        let site = SlowSite::start(1).await;
        let other = app.client_with("other", &["read", "run", "admin"]).await;
        let long = site.crawl(&app.client, "long", 40, 20).await;
        until_asked(&site, 4).await;
        let short = site.crawl(&other, "short", 3, 4).await;
        all_captured(&other.wait(&short).await, 3);
        let progress = app.client.get(&format!("/job/{long}")).await.ok()["progress"].clone();
        assert!(progress["completed"].as_u64().unwrap() < 25, "{progress}");
        assert!(between(&site.asked(), "/short/") <= 4, "{:?}", site.asked());
        all_captured(&app.client.wait(&long).await, 40);
        app.stop().await;
    }

    async fn at_a_single_place_jobs_and_organizations_take_turns(app: TestApp) {
        let app = app.restarted(&["--tabs-per-browser", "1"], Clock::System).await;
        let site = SlowSite::start(1).await;
        let other = app.client_with("other", &["read", "run", "admin"]).await;
        let first = site.crawl(&app.client, "first", 12, 20).await;
        let second = site.crawl(&app.client, "second", 4, 20).await;
        until_asked(&site, 2).await;
        let third = site.crawl(&other, "third", 4, 20).await;
        all_captured(&other.wait(&third).await, 4);
        all_captured(&app.client.wait(&second).await, 4);
        all_captured(&app.client.wait(&first).await, 12);
        let asked = site.asked();
        // Every other page is the other organization's, and the two jobs of one organization share its turns.
        assert!(between(&asked, "/third/") <= 4, "{asked:?}");
        assert!(between(&asked, "/second/") <= 9, "{asked:?}");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_waits_for_a_name_leaves_its_place_to_others() {
    let (asked, answers) = (Arc::new(OnceLock::new()), Arc::new(AtomicBool::new(false)));
    let (first, says) = (asked.clone(), answers.clone());
    let dns = start_failing_dns(move |_| {
        first.get_or_init(Instant::now);
        !says.load(Ordering::Relaxed)
    });
    let dns = dns.await.to_string();
    let app = App::with(&["--tabs-per-browser", "1", "--dns-server", &dns]).await;
    let leading = Site::start().await;
    leading.page("/landing", "teal", "");
    let elsewhere = leading.origin.replace("127.0.0.1", "inside.test");
    leading.redirects("/", &format!("{elsewhere}/landing"));
    let waiting = json!({ "project": "waiting", "testOrigin": leading.origin });
    let waiting = app.client.crawl(waiting).await;
    until(|| asked.get().is_some()).await;
    let site = SlowSite::start(1).await;
    let other = site.crawl(&app.client, "other", 1, 1).await;
    until_asked(&site, 1).await;
    // For so long the name is asked for again before the next try.
    let since = asked.get().expect("it was asked for").elapsed();
    assert!(since < Duration::from_secs(4), "{since:?}");
    answers.store(true, Ordering::Relaxed);
    all_captured(&app.client.wait(&other).await, 1);
    all_captured(&app.client.wait(&waiting).await, 1);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jobs_limit_holds_over_two_servers_that_share_its_pages() {
    const PAGES: usize = 30;
    let one = App::on_postgres().await;
    let two = one.beside(&[], Clock::System).await;
    let site = SlowSite::start(5).await;
    let job_id = site.crawl(&one.client, "shared", PAGES, 5).await;
    all_captured(&one.client.wait(&job_id).await, PAGES);
    assert_eq!(site.most_at_once(), 5);
    assert_eq!(site.asked().len(), PAGES, "no page was captured twice");
    let counts = [
        captures_counted(&one.client).await,
        captures_counted(&two.client).await,
    ];
    assert_eq!(counts.iter().sum::<u64>(), PAGES as u64);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    one.stop().await;
    two.stop().await;
}
