//! Pages without a name are called by their addresses, which may be long.

use serde_json::json;

use super::{open_review, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::uploads::{picture, tree};

#[tokio::test(flavor = "multi_thread")]
async fn a_long_address_leaves_room_for_what_is_told_of_its_page() {
    let app = TestApp::on_sqlite().await;
    let path = format!("/search?q={}&page=2", "b".repeat(1_500));
    let url = format!("http://shop.test{path}");
    let mut jobs = Vec::new();
    for line in [5, 9] {
        let job = app.client.init("shop", "http://shop.test").await;
        let shot = picture([0, 128, 128], line);
        app.client.upload(&job, &url, shot, &tree("Prices")).await;
        jobs.push(app.client.finish(&job).await);
    }
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&jobs[1], &path)).await;
    until_triage(&eyes, "pending").await;
    let said = format!("{}.textContent", hook("announcement"));
    eyes.until(&format!(
        "{said}.includes(': /search?q=b') && {said}.includes('b&page=2 on Desktop Chrome') && {said}.length < 160"
    ))
    .await;
    let heading = "document.querySelector('.toolbar h1')";
    eyes.until(&format!(
        "{heading}.textContent.length === 80 && {heading}.title === '{path}'"
    ))
    .await;

    // The details show three lines of it, and have the whole.
    eyes.click("details").await;
    let link = "document.querySelector('.inspector-page a')";
    eyes.until(&format!(
        "{link}.clientHeight > 0 && {link}.clientHeight <= 60 && {link}.title === '{url}' && {link}.href === '{url}'"
    ))
    .await;
    let overflow = "document.documentElement.scrollWidth - innerWidth";
    assert!(eyes.run(overflow).await.as_i64().unwrap() <= 0);
    eyes.press("a").await;
    until_toast(
        &eyes,
        "b&page=2” (Desktop Chrome). Its capture is the baseline now.",
    )
    .await;
    let longest = "Math.max(...[...document.querySelectorAll('[data-testid=\"toast\"]')].map((toast) => toast.innerText.length))";
    assert!(eyes.run(longest).await.as_u64().unwrap() < 200);
    assert_eq!(
        result(&app.client.reread(&jobs[1]).await, &path)["triageStatus"],
        json!("approved")
    );
    eyes.close().await;
    app.stop().await;
}
