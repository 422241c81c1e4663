//! Approving all of a job.

use super::{changed_job, sign_in, until_toast};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_is_what_was_asked_for() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.click("approve-all").await;
    eyes.until("document.querySelector('dialog[open]')").await;
    eyes.until(&format!(
        "{}.innerText === 'Approve all 2'",
        hook("approve-all-confirm")
    ))
    .await;
    eyes.click("approve-all-confirm").await;
    until_toast(
        &eyes,
        "Approved 2 changed pages. Their captures are the baselines now. Unchanged pages count as approved.",
    )
    .await;
    eyes.close().await;
    app.stop().await;
}
