//! A page through time: the marks of its runs beside the review, and the page that lists them.

use serde_json::json;

use super::{changed_job, open_review, reviewed, sign_in, until_toast};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::uploads::{picture, tree};

/// JavaScript: the words of the marks, the oldest run first.
const MARKS: &str =
    "[...document.querySelectorAll('.run-mark')].map((mark) => mark.title.replace(/, [^,]*$/, ''))";

async fn until_marks(eyes: &Eyes, marks: &[&str]) {
    let marks = serde_json::to_string(marks).unwrap();
    eyes.until(&format!("JSON.stringify({MARKS}) === '{marks}'"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_tells_its_runs_and_what_its_baseline_is() {
    let app = TestApp::on_sqlite().await;
    let (_site, request, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let page = result(&job, "/one");
    open_review(&app, &eyes, page).await;
    let diff = format!("{:.2} %", page["diffPercentage"].as_f64().unwrap());
    let changed = format!("Changed, {diff}");
    until_marks(&eyes, &["New, the baseline", &changed]).await;
    let current = "document.querySelector('.run-mark[aria-current=page]').title";
    let current = eyes.run(current).await;
    assert!(current.as_str().unwrap().starts_with(&changed), "{current}");
    let told = eyes.text("baseline-now").await;
    assert!(told.contains("there was none to compare with"), "{told}");

    // Who decided is told as soon as it is decided.
    eyes.press("a").await;
    until_toast(&eyes, "Approved").await;
    open_review(&app, &eyes, page).await;
    let approved = format!("Changed, {diff}, approved by admin, the baseline");
    until_marks(&eyes, &["New", &approved]).await;
    let told = eyes.text("baseline-now").await;
    assert!(told.contains("approved by admin"), "{told}");
    eyes.press("u").await;
    eyes.until(&reviewed(page)).await;

    // A mark leads to the review of its run.
    eyes.run("document.querySelector('.run-mark').click()")
        .await;
    eyes.until(&format!("!({})", reviewed(page))).await;
    let again = app.client.run(request).await;
    open_review(&app, &eyes, result(&again, "/one")).await;
    eyes.until(&format!("{MARKS}.length === 3")).await;

    eyes.click("whole-history").await;
    eyes.until("document.querySelectorAll('[data-testid=\"run\"]').length === 3")
        .await;
    let heading = "document.querySelector('h1').innerText === 'Page one'";
    eyes.until(heading).await;
    let runs = eyes.text("runs").await;
    assert!(runs.contains("Its capture became the baseline."), "{runs}");
    eyes.run("document.querySelector('[data-testid=\"run\"] a').click()")
        .await;
    eyes.until(&reviewed(result(&again, "/one"))).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_history_is_read_on_and_a_wrong_address_says_so_on_a_phone_too() {
    let app = TestApp::on_sqlite().await;
    for line in 1..=22 {
        let job = app.client.init("shop", "http://shop.test").await;
        let shot = picture([0, 128, 128], line % 9);
        let url = "http://shop.test/one";
        app.client.upload(&job, url, shot, &tree("Prices")).await;
        app.client.finish(&job).await;
    }
    let eyes = Eyes::open(390, 844).await;
    eyes.goto(&format!(
        "{}/app/sign-in#key={}",
        app.client.base, app.client.key
    ))
    .await;
    eyes.until(&hook("job-row")).await;
    let address = format!(
        "{}/app/projects/shop/history?page=%2Fone&variant=Desktop%20Chrome",
        app.client.base
    );
    eyes.goto(&address).await;
    let rows = |count: usize| {
        format!("document.querySelectorAll('[data-testid=\"run\"]').length === {count}")
    };
    eyes.until(&rows(20)).await;
    let width = eyes.run("document.documentElement.scrollWidth").await;
    assert_eq!(width, json!(390));
    eyes.click("load-more").await;
    eyes.until(&rows(22)).await;
    eyes.until(&format!("!{}", hook("load-more"))).await;
    eyes.goto(&address.replace("%2Fone", "%2Fnowhere")).await;
    eyes.until(&format!(
        "{}?.innerText.includes('/nowhere')",
        hook("problem")
    ))
    .await;
    eyes.close().await;
    app.stop().await;
}
