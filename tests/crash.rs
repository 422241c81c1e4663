//! kill -9: of the service in the middle of a job, and of its browser. Nothing is lost, the job ends.

use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::postgres;
use crate::support::process::{ServiceProcess, is_running};
use crate::support::site::Site;
use crate::support::until;

const PAGES: usize = 12;

async fn site() -> (Site, Vec<Value>) {
    let site = Site::start().await;
    let paths: Vec<String> = (0..PAGES).map(|number| format!("/page-{number}")).collect();
    for path in &paths {
        site.page(path, "teal", &format!("<p>{path}</p>"));
    }
    let paths = paths.iter().map(|path| json!({ "path": path })).collect();
    (site, paths)
}

/// Waits until some of the job's pages are done, but not all.
async fn wait_for_the_middle(client: &Client, job_id: &str) {
    let mut look = tokio::time::interval(std::time::Duration::from_millis(20));
    for _ in 0..3_000 {
        look.tick().await;
        let progress = client.get(&format!("/job/{job_id}")).await.ok()["progress"].clone();
        let completed = progress["completed"].as_u64().unwrap();
        assert!(
            completed < PAGES as u64,
            "the job ended before it could be disturbed"
        );
        if completed >= 2 {
            return;
        }
    }
    panic!("the job does not move");
}

async fn survives_kill_nine(database_url: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let (site, paths) = site().await;
    let mut service = ServiceProcess::start(folder.path(), database_url);
    let key = service
        .first_key
        .clone()
        .expect("the first start gives a key");
    let client = Client::new(service.base.clone(), key.clone());
    let request =
        json!({ "project": "killed", "testOrigin": site.origin, "paths": paths, "concurrency": 2 });
    let job_id = client.crawl(request).await;
    wait_for_the_middle(&client, &job_id).await;
    let browsers = service.browsers();
    assert!(!browsers.is_empty());
    service.kill();

    let service = ServiceProcess::start(folder.path(), database_url);
    assert_eq!(service.first_key, None, "keys survive");
    let client = Client::new(service.base.clone(), key);
    if database_url.is_none() {
        // The embedded service knows that nobody else uses its folder, and ends what the killed one left behind.
        until(|| !browsers.iter().any(|browser| is_running(*browser))).await;
    }
    let job = client.wait(&job_id).await;
    assert_eq!(job["status"], "COMPLETED");
    let results = job["results"].as_array().unwrap();
    assert_eq!(results.len(), PAGES);
    for page in results {
        assert_eq!(
            (&page["status"], &page["isNewBaseline"]),
            (&json!("SUCCESS"), &json!(true)),
            "{page:#}"
        );
    }
    let next = client.run(json!({ "project": "killed" })).await;
    for page in next["results"].as_array().unwrap() {
        assert_eq!(page["diffPercentage"], 0.0, "{page:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_survives_kill_nine_on_sqlite() {
    survives_kill_nine(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_survives_kill_nine_on_postgres() {
    survives_kill_nine(Some(&postgres::fresh_database().await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_is_replaced_and_its_pages_are_captured_again() {
    let folder = tempfile::tempdir().unwrap();
    let (site, paths) = site().await;
    let service = ServiceProcess::start(folder.path(), None);
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    let job_id = client.crawl(json!({ "project": "crash", "testOrigin": site.origin, "paths": paths, "concurrency": 2 })).await;
    wait_for_the_middle(&client, &job_id).await;
    service.kill_a_browser();
    let job = client.wait(&job_id).await;
    for number in 0..PAGES {
        let page = result(&job, &format!("/page-{number}"));
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_service_on_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = ServiceProcess::start(folder.path(), None);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(folder.path());
    let second = command.env_remove("DATABASE_URL").output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        !second.status.success() && said.contains("another service uses the data folder"),
        "{said}"
    );
    drop(first);
}
