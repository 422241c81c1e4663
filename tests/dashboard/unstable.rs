//! A page that never looks the same twice: found in the list, its captures side by side, and how they were made.

use serde_json::{Value, json};

use super::sign_in;
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

/// A run whose first page shows another banner each time, and whose second page is as it was.
async fn unstable_job(app: &TestApp) -> (Site, Value) {
    let site = Site::start().await;
    let banner = |colour: &str| {
        let html = format!(
            "<!doctype html><html lang=en><title>Turns</title><body style='margin:0'>\
             <div style='background:{colour};height:200px'></div><p>Text</p></html>"
        );
        (200, html)
    };
    site.page("/still", "teal", "");
    let paths = json!([{ "path": "/" }, { "path": "/still" }]);
    let request = json!({ "project": "turns", "testOrigin": site.origin, "paths": paths });
    site.in_turn("/", [banner("teal")]);
    app.client.run(request.clone()).await;
    site.in_turn("/", ["gold", "pink", "lime"].map(banner));
    let job = app.client.run(request).await;
    (site, job)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unstable_page_is_found_and_its_captures_are_seen_side_by_side() {
    let app = TestApp::on_sqlite().await;
    let (_site, job) = unstable_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let job_id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{job_id}", app.client.base))
        .await;
    let cards = "document.querySelectorAll('[data-testid=\"result-card\"]').length";
    eyes.until(&format!("{cards} === 2")).await;
    eyes.click("filter-unstable").await;
    eyes.until(&format!("{cards} === 1")).await;
    eyes.until("location.search.includes('unstable=true')")
        .await;
    assert!(eyes.text("unstable").await.contains("Unstable"));

    let id = result(&job, "/")["resultId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/review/{id}", app.client.base))
        .await;
    let told = eyes.text("agreement").await;
    assert!(
        told.contains("Three captures in this run all differ")
            && told.contains("Flaky in 1 of its last 2 runs"),
        "{told}"
    );
    let titles =
        "[...document.querySelectorAll('.pane-title')].map((title) => title.innerText).join()";
    eyes.until(&format!("{titles} === 'Baseline,Current'"))
        .await;
    eyes.click("show-captures").await;
    eyes.until(&format!("{titles} === 'Capture 1,Capture 2'"))
        .await;
    // Both are there, and the mask of where they differ lies over the second.
    let pictures = "[...document.querySelectorAll('[data-testid=\"canvas\"] img')].filter((img) => img.complete && img.naturalWidth === 1280).map((img) => img.src)";
    eyes.until(&format!("new Set({pictures}).size >= 2")).await;
    let mask = hook("mask-layer");
    eyes.until(&format!("getComputedStyle({mask}).maskImage.includes('/blob/') || getComputedStyle({mask}).webkitMaskImage.includes('/blob/')")).await;
    eyes.click("show-captures").await;
    eyes.until(&format!("{titles} === 'Baseline,Current'"))
        .await;
    assert!(
        eyes.run(&format!("{}.disabled", hook("approve"))).await == true,
        "there is nothing to decide"
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn how_a_page_was_captured_is_told_on_a_phone_too() {
    let app = TestApp::on_sqlite().await;
    let (_site, job) = unstable_job(&app).await;
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let id = result(&job, "/")["resultId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/review/{id}", app.client.base))
        .await;
    eyes.click("details").await;
    let report = hook("capture-report");
    eyes.until(&report).await;
    eyes.run(&format!("{report}.open = true")).await;
    let told = eyes.text("capture-report").await;
    for step in ["Loading", "Quiet network", "Fonts", "Animations ended"] {
        assert!(told.contains(step), "{step}: {told}");
    }
    let overflow = eyes
        .run("document.documentElement.scrollWidth - innerWidth")
        .await;
    assert!(overflow.as_i64().unwrap() <= 0, "{overflow} px too wide");
    // The pictures that differ are looked at on the canvas, so the details make room for them.
    eyes.click("show-captures").await;
    eyes.until(&format!("!{}.closest('.details-open')", hook("canvas")))
        .await;
    eyes.close().await;
    app.stop().await;
}
