//! Many pages from many clients at once.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ORIGIN, TEAL};
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::process::ServiceProcess;
use crate::support::uploads::{picture, tree};

const CLIENTS: usize = 16;

/// Every so many-th page is uploaded twice, and every so many-th never arrives.
const REPEATED: usize = 7;
const MISSING: usize = 25;

fn url(page: usize) -> String {
    format!("{ORIGIN}/page-{page}")
}

fn screenshot(page: usize, run: u8) -> Vec<u8> {
    let [number, more] = u16::try_from(page).unwrap().to_le_bytes();
    picture([number, more, run], 7)
}

/// Uploads pages `0..pages` from all clients at once; `run` tints those that change.
async fn upload_all(client: &Client, job: &str, pages: usize, run: impl Fn(usize) -> u8 + Copy) {
    let clients = (0..CLIENTS).map(|number| async move {
        for page in (number..pages).step_by(CLIENTS) {
            if page % MISSING == 1 {
                client.links(job, &url(page)).await;
                continue;
            }
            if page % REPEATED == 2 {
                let former = picture(TEAL, 1);
                client
                    .upload(job, &url(page), former, &tree("Former"))
                    .await;
            }
            let text = format!("Page {page}, run {}", run(page));
            let shot = screenshot(page, run(page));
            client.upload(job, &url(page), shot, &tree(&text)).await;
        }
    });
    futures::future::join_all(clients).await;
}

fn count(job: &Value, holds: impl Fn(&Value) -> bool) -> usize {
    let results = job["results"].as_array().unwrap();
    results.iter().filter(|result| holds(result)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_hundred_pages_from_sixteen_clients_all_end_right() {
    const PAGES: usize = 300;
    let missing = (0..PAGES).filter(|page| page % MISSING == 1).count();
    let app = TestApp::on_sqlite().await;
    let client = &app.client;
    let first = client.init("bulk", ORIGIN).await;
    upload_all(client, &first, PAGES, |_| 0).await;
    let begun = Instant::now();
    client.finalize(&first).await.ok();
    let answered = begun.elapsed();
    assert!(answered < Duration::from_secs(1), "{answered:?}");
    let first = client.wait(&first).await;
    assert_eq!(first["results"].as_array().unwrap().len(), PAGES);
    assert_eq!(
        count(&first, |page| page["isNewBaseline"] == true),
        PAGES - missing
    );

    // Every third page changes; the repeated ones are compared by what was uploaded last.
    let changes = |page: usize| page.is_multiple_of(3);
    let second = client.init("bulk", ORIGIN).await;
    upload_all(
        client,
        &second,
        PAGES,
        |page| {
            if changes(page) { 200 } else { 0 }
        },
    )
    .await;
    let second = client.finish(&second).await;
    for page in 0..PAGES {
        let results = second["results"].as_array().unwrap();
        let found = results.iter().find(|result| result["url"] == url(page));
        let found = found.expect("every page has a result");
        if page % MISSING == 1 {
            assert_eq!(found["status"], "ERROR", "{found:#}");
        } else {
            assert_eq!(found["changed"], changes(page), "{found:#}");
        }
    }
    let summary = client.summary(&second).await;
    assert_eq!(summary["errorCount"], missing);
    let approved = client
        .post("/approve", json!({ "jobId": second["jobId"] }))
        .await
        .ok();
    assert_eq!(approved["approvedUrlsCount"], PAGES - missing);
    app.stop().await;
}

/// `make uploads`: 2,000 pages from 16 clients, twice; prints what it took.
#[ignore = "a measurement: run it with `make uploads`"]
#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_pages_measured() {
    const PAGES: usize = 2_000;
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path(), None);
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    println!(
        "peak memory of the service before: {} MiB",
        service.peak_memory_mib()
    );
    for (name, run) in [("new baselines", 0), ("every page changed", 200)] {
        let job = client.init("measured", ORIGIN).await;
        let begun = Instant::now();
        upload_all(&client, &job, PAGES, |_| run).await;
        let uploaded = begun.elapsed();
        let begun = Instant::now();
        client.finalize(&job).await.ok();
        let answered = begun.elapsed();
        let progress = wait_patiently(&client, &job).await;
        let compared = begun.elapsed();
        let rate = |took: Duration| PAGES as f64 / took.as_secs_f64();
        println!(
            "{name}: {PAGES} pages uploaded in {:.1} s ({:.0} pages/s), finalize answered in {} ms, done after {:.1} s ({:.0} pages/s); \
             peak memory {} MiB; {progress}",
            uploaded.as_secs_f64(),
            rate(uploaded),
            answered.as_millis(),
            compared.as_secs_f64(),
            rate(compared),
            service.peak_memory_mib(),
        );
    }
}

/// Asks seldom: the status of so large a job is a large answer.
async fn wait_patiently(client: &Client, job: &str) -> Value {
    let begun = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let view = client.get(&format!("/job/{job}/overview")).await.ok();
        if view["status"] == "COMPLETED" {
            return view["counts"].clone();
        }
        assert!(
            view["status"] != "FAILED" && begun.elapsed() < Duration::from_mins(20),
            "{view:#}"
        );
    }
}
