//! What becomes of browsers: one that hangs, one that is too large while a page is in it; and what they know of their service.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use super::site::UnrulySite;
use super::{DEADLINE, captured, failed, run_while, start};
use crate::support::client::Client;
use crate::support::process::{ServiceProcess, signal};
use crate::support::until;

/// Bytes that the browsers hold in all.
async fn browser_memory(client: &Client) -> f64 {
    let metrics = client.get("/metrics").await.ok();
    let mut lines = metrics.as_str().unwrap().lines();
    let held = lines.find_map(|line| line.strip_prefix("pentimento_browser_memory_bytes "));
    held.map_or(0.0, |held| held.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_browser_hangs_is_captured_in_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &["--page-budget-seconds", "8"]);
    let mut stopped = Vec::new();
    let job = run_while(&client, &site, "/slow-once", || {
        if stopped.is_empty() && site.asked("/slow-once") > 0 {
            stopped = service.browsers();
            for browser in &stopped {
                signal(*browser, Signal::STOP);
            }
        }
    })
    .await;
    captured(&job, "/slow-once");
    assert_eq!(stopped.len(), 1);
    until(|| {
        let left = service.browsers();
        left.len() == 1 && left != stopped
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_ready_while_a_page_waits_until_a_browser_that_is_too_large_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let flags = ["--browser-memory-mib", "300", "--page-budget-seconds", "12"];
    let (service, client) = start(folder.path(), &flags);
    let crawl = |path: &'static str| {
        let paths = [json!({ "path": path })];
        client.crawl(json!({ "project": path.trim_start_matches('/'), "testOrigin": site.origin(), "paths": paths }))
    };
    let large = crawl("/takes-much-and-hangs").await;
    let begun = Instant::now();
    while browser_memory(&client).await < 300.0 * 1024.0 * 1024.0 {
        assert!(begun.elapsed() < DEADLINE, "it takes little");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let waiting = crawl("/slow-1").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let asked = Instant::now();
    client.get("/readyz").await.ok();
    assert!(asked.elapsed() < Duration::from_secs(3));
    let job = client.wait(&large).await;
    failed(&job, "/takes-much-and-hangs", "it was still loading");
    let job = client.wait(&waiting).await;
    captured(&job, "/slow-1");
    assert_eq!(service.browsers().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_given_nothing_of_its_services_secrets() {
    const SECRETS: [(&str, &str); 4] = [
        (
            "PENTIMENTO_SECRET",
            "a secret of thirty-two characters or more",
        ),
        ("PENTIMENTO_LANGUAGE_MODEL_KEY", "the key of a model"),
        ("AWS_SECRET_ACCESS_KEY", "the key of a bucket"),
        ("SOMETHING_ELSE", "what the operator alone knows"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let (program, told) = (folder.path().join("browser"), folder.path().join("told"));
    // Chromium overwrites what the kernel shows of its environment, so another program tells what it was given.
    let script = format!("#!/bin/sh\nenv > '{}'\n", told.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let flags = ["--browser".to_owned(), program.display().to_string()];
    let service =
        ServiceProcess::start_with(&data, None, &flags, &SECRETS, "error", Stdio::inherit());
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    client.get("/readyz").await.refused(503, "internal");
    let environment = std::fs::read_to_string(&told).unwrap();
    for (name, secret) in SECRETS {
        assert!(!environment.contains(secret), "{name} is in {environment}");
    }
    let has = |beginning: &str| environment.lines().any(|line| line.starts_with(beginning));
    assert!(has("TZ=UTC") && has("PATH=/"), "{environment}");
}
