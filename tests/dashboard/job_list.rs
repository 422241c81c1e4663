//! The list of jobs, searched.

use serde_json::{Value, json};

use super::sign_in;
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};

/// Starts a job of uploads on a branch, and returns its id.
async fn begun(app: &TestApp, branch: &str, commit: &str) -> String {
    let body = json!({ "project": "shop", "testOrigin": "http://localhost:3000", "branch": branch, "commit": commit });
    let answer: Value = app.client.post("/ci/job/init", body).await.ok();
    answer["jobId"].as_str().unwrap().to_owned()
}

/// Waits until the list has these jobs.
async fn until_listed(eyes: &Eyes, ids: &[&str]) {
    let rows = "[...document.querySelectorAll('[data-testid=\"job-row\"]')]";
    eyes.until(&format!(
        "{rows}.map((row) => row.dataset.jobId).join() === '{}'",
        ids.join(",")
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_jobs_of_a_branch_or_a_commit_are_found() {
    let app = TestApp::on_sqlite().await;
    let prices = begun(&app, "feature/prices", "0badc0de").await;
    let main = begun(&app, "main", "5eed1234").await;
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let field = hook("search");

    eyes.press("/").await;
    eyes.until(&format!("document.activeElement === {field}"))
        .await;
    eyes.type_into("search", " PRICES").await;
    until_listed(&eyes, &[&prices]).await;
    eyes.until("new URLSearchParams(location.search).get('search') === ' PRICES'")
        .await;
    // It has a line of its own where the window is narrow, and room for a finger.
    let has_room = format!(
        "(() => {{ const [search, status] = [{field}, {}].map((field) => field.getBoundingClientRect()); \
         return search.top >= status.bottom && search.height >= 44 && status.height >= 44 && \
         document.documentElement.scrollWidth <= innerWidth; }})()",
        hook("filter-status")
    );
    assert_eq!(eyes.run(&has_room).await, json!(true));

    eyes.type_into("search", "less").await;
    eyes.until("document.body.innerText.includes('No job matches these filters')")
        .await;
    // A hand's click takes the focus with it.
    eyes.run(
        "document.activeElement.blur(); \
         [...document.querySelectorAll('button')].find((button) => button.innerText === 'Show all jobs').click()",
    )
    .await;
    until_listed(&eyes, &[&main, &prices]).await;
    eyes.until(&format!("location.search === '' && {field}.value === ''"))
        .await;

    eyes.goto(&format!("{}/app?search=5EED", app.client.base))
        .await;
    until_listed(&eyes, &[&main]).await;
    eyes.until(&format!("{field}.value === '5EED'")).await;
    eyes.close().await;
    app.stop().await;
}
