//! Pages and browsers that misbehave: each ends in its own result with a sentence, the others are captured, and nothing is
//! left behind.

mod browsers; // what becomes of browsers, and what they know
mod ends; // what becomes of each page that misbehaves
mod site;
mod talk; // what a page makes the browser tell

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use site::UnrulySite;
use tokio::io::AsyncReadExt;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::process::{ServiceProcess, signal};

/// Longest wait for what a browser does by itself.
const DEADLINE: Duration = Duration::from_secs(20);

fn start(folder: &Path, flags: &[&str]) -> (ServiceProcess, Client) {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let service = ServiceProcess::start_with(folder, None, &flags, &[], "error", Stdio::inherit());
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    (service, client)
}

async fn run(client: &Client, site: &UnrulySite, paths: &[&str]) -> Value {
    let paths: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
    // A project of its own, which has no other pages.
    let name = uuid::Uuid::new_v4().to_string();
    let job =
        json!({ "project": name, "testOrigin": site.origin(), "paths": paths, "concurrency": 8 });
    let job = client.run(job).await;
    assert_eq!(job["status"], "COMPLETED");
    job
}

#[track_caller]
fn captured(job: &Value, path: &str) {
    let page = result(job, path);
    assert_eq!(page["status"], "SUCCESS", "{page:#}");
}

#[track_caller]
fn failed(job: &Value, path: &str, expected: &str) {
    let page = result(job, path);
    assert_eq!(page["status"], "ERROR", "{page:#}");
    let sentence = page["errorMessage"].as_str().unwrap();
    assert!(sentence.contains(expected), "{page:#}");
}

/// Waits until the browsers hold nothing of any page: no target, no renderer at work, no file.
async fn nothing_is_left(service: &ServiceProcess, folder: &Path) {
    let begun = Instant::now();
    let mut look = tokio::time::interval(Duration::from_millis(100));
    loop {
        look.tick().await;
        let mut left = targets(folder).await;
        // One of the browser's own, with its first page or none.
        let renderers = service.renderers();
        if renderers.len() > 1 {
            left.push(format!("{} renderers", renderers.len()));
        }
        left.extend(downloads(folder));
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < DEADLINE, "left behind: {left:#?}");
    }
}

/// What the browsers have open, except the empty page that each begins with.
async fn targets(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for profile in std::fs::read_dir(folder.join("browsers"))
        .unwrap()
        .flatten()
    {
        let Ok(port) = std::fs::read_to_string(profile.path().join("DevToolsActivePort")) else {
            continue;
        };
        let port = port.lines().next().unwrap();
        let list = http
            .get(format!("http://127.0.0.1:{port}/json/list"))
            .send()
            .await;
        let list: Value = list.unwrap().json().await.unwrap();
        let open = list.as_array().unwrap().iter();
        let urls = open.map(|target| target["url"].as_str().unwrap().to_owned());
        all.extend(urls.filter(|url| url != "about:blank"));
    }
    all
}

/// Files that pages brought in, anywhere below the folder.
fn downloads(folder: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(folder).into_iter().flatten();
    files
        .map(|file| file.path().display().to_string())
        .filter(|path| path.contains("file.bin") || path.contains("crdownload"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_captured_without_what_never_comes_and_its_report_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &["--page-budget-seconds", "15"]);
    let project = json!({
        "name": "waits",
        "testOrigin": site.origin(),
        "paths": [{ "path": "/waits" }],
        "captureProfile": { "agreement": false },
    });
    client.post("/projects", project).await.ok();
    let job = client.run(json!({ "project": "waits" })).await;
    captured(&job, "/waits");
    let id = result(&job, "/waits")["resultId"]
        .as_str()
        .unwrap()
        .to_owned();
    let told = client.get(&format!("/result/{id}")).await.ok();
    let steps = told["current"]["report"]["steps"].as_array().unwrap();
    let load = &steps[0];
    assert_eq!(
        (&load["step"], &load["outcome"]),
        (&json!("load"), &json!("gave_up")),
        "{load:#}"
    );
    let note = load["note"].as_str().unwrap();
    assert!(
        note.contains("2 requests") && note.contains("/silent"),
        "{note}"
    );
    // A third of the budget is for waiting.
    let took = load["tookMs"].as_u64().unwrap();
    assert!((5_000..10_000).contains(&took), "{took}");
    nothing_is_left(&service, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_within_frames_come_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(
        folder.path(),
        &["--page-budget-seconds", "20", "--page-memory-mib", "512"],
    );
    let job = run(&client, &site, &["/holds-itself", "/good"]).await;
    captured(&job, "/good");
    let page = result(&job, "/holds-itself");
    let said = page["errorMessage"].as_str().unwrap_or_default();
    let is_known = ["budget", "memory", "crashed"]
        .iter()
        .any(|it| said.contains(it));
    assert!(page["status"] == "SUCCESS" || is_known, "{page:#}");
    nothing_is_left(&service, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_takes_too_much_memory_is_ended_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &["--page-memory-mib", "400"]);
    let job = run(
        &client,
        &site,
        &["/takes-all", "/takes-all-in-a-frame", "/good", "/slow-1"],
    )
    .await;
    for path in ["/takes-all", "/takes-all-in-a-frame"] {
        failed(&job, path, "more than 400 MiB of memory");
    }
    captured(&job, "/good");
    captured(&job, "/slow-1");
    assert_eq!(
        site.asked("/takes-all-in-a-frame"),
        1,
        "it is not tried again"
    );
    let metrics = client.get("/metrics").await.ok();
    let metrics = metrics.as_str().unwrap();
    assert!(
        metrics.contains("pentimento_capture_seconds_count{outcome=\"memory\"} 2"),
        "{metrics}"
    );
    nothing_is_left(&service, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_takes_too_much_memory_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(
        folder.path(),
        &["--browser-memory-mib", "300", "--tabs-per-browser", "2"],
    );
    run(&client, &site, &["/good"]).await;
    let before = service.browsers();
    let paths = ["/takes-much", "/slow-1", "/slow-2", "/slow-3", "/slow-4"];
    let paths: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
    let job = client
        .run(json!({ "project": "large", "testOrigin": site.origin(), "paths": paths }))
        .await;
    for page in job["results"].as_array().unwrap() {
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
    }
    let after = service.browsers();
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_ne!(before, after);
}

/// Does something to the service's processes again and again until the job has ended.
async fn run_while(
    client: &Client,
    site: &UnrulySite,
    path: &str,
    mut disturb: impl FnMut(),
) -> Value {
    let job = json!({ "project": path.trim_start_matches('/'), "testOrigin": site.origin(), "paths": [{ "path": path }] });
    let job_id = client.crawl(job).await;
    let mut look = tokio::time::interval(Duration::from_millis(20));
    let begun = Instant::now();
    loop {
        look.tick().await;
        let job = client.get(&format!("/job/{job_id}")).await.ok();
        if job["status"] == "COMPLETED" {
            return job;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "{job:#}");
        disturb();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renderer_that_crashes_once_costs_nothing_and_one_that_always_does_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &[]);
    run(&client, &site, &["/good"]).await;
    let own = service.renderers();
    let crash = || {
        let others = service
            .renderers()
            .into_iter()
            .filter(|id| !own.contains(id));
        others
            .map(|id| signal(id, rustix::process::Signal::SEGV))
            .count()
            > 0
    };
    let asked = site.asked("/slow-once");
    let mut crashed = false;
    let job = run_while(&client, &site, "/slow-once", || {
        crashed = crashed || (site.asked("/slow-once") > asked && crash());
    })
    .await;
    assert!(crashed);
    captured(&job, "/slow-once");
    let job = run_while(&client, &site, "/slow-always", || {
        crash();
    })
    .await;
    failed(&job, "/slow-always", "crashed the browser's renderer");
    nothing_is_left(&service, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_always_killed_is_an_error_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &[]);
    let job = run_while(&client, &site, "/slow", || {
        if site.asked("/slow") > 0 {
            for browser in service.browsers() {
                signal(browser, rustix::process::Signal::KILL);
            }
        }
    })
    .await;
    failed(&job, "/slow", "browser");
    let job = run(&client, &site, &["/good"]).await;
    captured(&job, "/good");
    nothing_is_left(&service, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_nobody_vouches_for_is_named() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A browser that refuses the certificate ends the connection.
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    let mut request = [0; 1024];
                    let _ = stream.read(&mut request).await;
                }
            });
        }
    });
    let app = TestApp::on_sqlite().await;
    let job = json!({ "project": "unknown", "testOrigin": format!("https://localhost:{port}") });
    let job = app.client.run(job).await;
    failed(
        &job,
        "/",
        "its certificate is not valid (net::ERR_CERT_AUTHORITY_INVALID)",
    );
    app.stop().await;
}
