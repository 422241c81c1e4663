//! A page through time: the marks of its runs beside the review, and the page that lists them.

use std::time::Duration;

use pentimento::tasks::retention::remove_old;
use serde_json::json;

use super::{changed_job, open_review, reviewed, sign_in, until_toast};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::hands::Hands;
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
    eyes.until(&reviewed(result(&job, "/two"))).await;
    eyes.run("history.back()").await;
    eyes.until(&reviewed(page)).await;
    let approved = format!("Changed, {diff}, approved by admin, the baseline");
    until_marks(&eyes, &["New", &approved]).await;
    let told = eyes.text("baseline-now").await;
    assert!(told.contains("approved by admin"), "{told}");
    eyes.press("u").await;
    until_marks(&eyes, &["New, the baseline", &changed]).await;
    let told = eyes.text("baseline-now").await;
    assert!(told.contains("put back by admin"), "{told}");

    // A mark leads to the review of its run.
    let history = "/project/shop/history?page=/one&variantName=Desktop%20Chrome";
    let history = app.client.get(history).await.ok();
    eyes.run("document.querySelector('.run-mark').click()")
        .await;
    eyes.until(&reviewed(&history["runs"][1]["item"]["result"]))
        .await;
    let current = "document.querySelector('.run-mark[aria-current=page]') === document.querySelector('.run-mark')";
    eyes.until(current).await;
    let again = app.client.run(request).await;
    open_review(&app, &eyes, result(&again, "/one")).await;
    eyes.until(&format!("{MARKS}.length === 3")).await;

    eyes.click("whole-history").await;
    eyes.until("document.querySelectorAll('[data-testid=\"run\"]').length === 3")
        .await;
    let heading = "document.querySelector('h1').innerText === 'Page one'";
    eyes.until(heading).await;
    let runs = eyes.text("runs").await;
    for said in [
        "Approved by admin: its capture became the baseline.",
        "admin decided otherwise: the baseline was again what it had been before.",
        "Its capture became the baseline.",
    ] {
        assert!(runs.contains(said), "{said}: {runs}");
    }
    eyes.run("document.querySelector('[data-testid=\"run\"] a').click()")
        .await;
    eyes.until(&reviewed(result(&again, "/one"))).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_baseline_is_told_of_when_the_run_that_made_it_is_gone() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &["--keep-days", "30"], hands.clock()).await;
    let origin = "http://shop.test";
    app.client.captured("shop", origin, [0, 128, 128]).await;
    hands.move_on(Duration::from_hours(31 * 24));
    let job = app.client.captured("shop", origin, [128, 0, 0]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let link = r#"document.querySelector('[data-testid="baseline-now"] a')"#;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until(&format!("{link} !== null")).await;
    assert_eq!(remove_old(&app.service.app).await.unwrap().jobs, 1);
    open_review(&app, &eyes, result(&job, "/")).await;
    until_marks(&eyes, &["Changed, 97.50 %"]).await;
    let told = eyes.text("baseline-now").await;
    assert!(told.contains("baseline is its capture of"), "{told}");
    assert_eq!(eyes.run(&format!("{link} === null")).await, json!(true));
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_path_is_escaped_keeps_it_in_every_address() {
    let app = TestApp::on_sqlite().await;
    let path = "/login?next=%2Fhome&sum=50%25";
    let mut jobs = Vec::new();
    for line in [5, 9] {
        let job = app.client.init("shop", "http://shop.test").await;
        let shot = picture([0, 128, 128], line);
        let url = format!("http://shop.test{path}");
        app.client.upload(&job, &url, shot, &tree("Prices")).await;
        jobs.push(app.client.finish(&job).await);
    }
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&jobs[1], path)).await;
    eyes.until(&hook("whole-history")).await;
    eyes.click("whole-history").await;
    let is_told = format!(
        "document.querySelectorAll('[data-testid=\"run\"]').length === 2 \
         && document.querySelector('.history-page code').innerText === '{path}'"
    );
    eyes.until(&is_told).await;

    // Also for a colleague who has to sign in first.
    let address = eyes.run("location.href").await;
    let colleague = Eyes::open(1440, 900).await;
    colleague.goto(address.as_str().unwrap()).await;
    colleague.type_into("sign-in-key", &app.client.key).await;
    colleague.click("sign-in-button").await;
    colleague.until(&is_told).await;
    colleague.close().await;
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
