//! A review of which something is still to come: pictures that are on their way, a page that is not done, a stream that was closed.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::fetch::{DisableParams, EnableParams, RequestPattern};
use serde_json::{Value, json};

use super::{
    changed_job, is_at, late_job, open_review, reviewed, sign_in, until_toast, until_triage,
};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;

/// JavaScript: what panes say of pictures that they lack.
const AWAITED: &str = "[...document.querySelectorAll('[data-testid=\"picture-awaited\"]')] \
                       .filter((told) => told.offsetHeight > 0).map((told) => told.innerText).join()";

/// Keeps pictures back on their way until [`let_pictures_come`].
async fn hold_pictures(eyes: &Eyes) {
    let pictures = RequestPattern::builder().url_pattern("*/blob/*").build();
    let held = EnableParams::builder().pattern(pictures).build();
    eyes.page.execute(held).await.unwrap();
}

async fn let_pictures_come(eyes: &Eyes) {
    eyes.page.execute(DisableParams::default()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_approved_when_its_pictures_are_there_and_not_before() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.until(&hook("start-review")).await;
    hold_pictures(&eyes).await;
    eyes.click("start-review").await;

    // A page without its picture is no white page, and says why.
    eyes.until(&format!(
        "{AWAITED} === 'Loading the picture…,Loading the picture…'"
    ))
    .await;
    let ground = "getComputedStyle(document.querySelector('img.capture')).backgroundColor";
    assert_eq!(eyes.run(ground).await, json!("rgba(0, 0, 0, 0)"));
    let note = |text: &str| format!("{}.innerText === '{text}'", hook("verdict-note"));
    eyes.press("a").await;
    eyes.until(&note("The picture is not there yet.")).await;
    eyes.click("approve").await;
    let is_undecided = |page: &Value| {
        let data = format!("{}.dataset", hook("review"));
        let id = page["resultId"].as_str().unwrap();
        format!(
            "{data}.resultId === '{id}' && {data}.triage === 'pending' && {data}.pictures === 'awaited'"
        )
    };
    assert_eq!(eyes.run(&is_undecided(one)).await, json!(true));

    // Before that is said, the key waits for the picture: here a moment takes as long as it has to.
    eyes.until(&is_at("1 of 2")).await;
    eyes.run("globalThis.realTimeout = setTimeout; globalThis.setTimeout = (call, ms, ...rest) => realTimeout(call, ms === 150 ? 60_000 : ms, ...rest); 0")
        .await;
    eyes.press("j").await;
    eyes.until(&is_undecided(two)).await;
    eyes.press("a").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(eyes.run(&is_undecided(two)).await, json!(true));
    assert_eq!(eyes.run(&note("")).await, json!(true));
    assert_eq!(eyes.run(AWAITED).await, json!(""));
    let_pictures_come(&eyes).await;
    until_toast(&eyes, "Approved “Page two”").await;
    eyes.until(&reviewed(one)).await;

    // What was asked for too early is not done later.
    until_triage(&eyes, "pending").await;
    let ground = format!("{ground} !== 'rgba(0, 0, 0, 0)'");
    eyes.until(&ground).await;
    let decided = app.client.reread(&job).await;
    assert_eq!(result(&decided, "/one")["triageStatus"], "pending");
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    eyes.close().await;
    app.stop().await;
}

/// By the mask alone a page whose mask is on its way looks as if nothing had changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_seen_by_its_mask_alone_is_not_approved_before_that_is_there() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let one = result(&job, "/one");
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = one["resultId"].as_str().unwrap();
    let item = app.client.get(&format!("/result/{id}")).await.ok();
    let (mask, _) = item["maskUrl"].as_str().unwrap().split_once('?').unwrap();
    let of_mask = RequestPattern::builder()
        .url_pattern(format!("{mask}*"))
        .build();
    let held = EnableParams::builder().pattern(of_mask).build();
    eyes.page.execute(held).await.unwrap();
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    eyes.press("5").await;
    eyes.until("document.querySelector('.canvas').dataset.mode === 'Difference'")
        .await;
    eyes.press("a").await;
    let note = hook("verdict-note");
    eyes.until(&format!(
        "{note}.innerText === 'The picture is not there yet.'"
    ))
    .await;
    let data = format!("{}.dataset", hook("review"));
    let is_undecided = format!("{data}.triage === 'pending' && {data}.pictures === 'awaited'");
    assert_eq!(eyes.run(&is_undecided).await, json!(true));
    let_pictures_come(&eyes).await;
    eyes.until(&format!("{note}.innerText === ''")).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_opened_before_it_is_done_shows_how_it_came_out() {
    let app = TestApp::on_sqlite().await;
    let (site, id) = late_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    eyes.goto(&format!(
        "{}/app/jobs/{id}?outcome=pending",
        app.client.base
    ))
    .await;
    let card = "document.querySelector('[data-testid=\"result-card\"][data-url$=\"/late\"] a')";
    eyes.until(&format!(
        "{card} && document.querySelectorAll('[data-testid=\"result-card\"]').length === 1"
    ))
    .await;
    let link = eyes.run(&format!("new URL({card}.href).pathname")).await;
    let review = format!("{}{}?order=page", app.client.base, link.as_str().unwrap());
    eyes.goto(&review).await;
    eyes.until(&format!(
        "{}.disabled && document.body.innerText.includes('Pending')",
        hook("approve")
    ))
    .await;
    let place = is_at;
    eyes.until(&place("1 of 2")).await;

    app.client
        .send(
            app.client
                .request_to(reqwest::Method::GET, &format!("{}/go", site.origin)),
        )
        .await;
    // It stands behind the other one, in the order in which they were done, and stays when it is left.
    eyes.until(&format!("{} && {}", place("2 of 2"), hook("canvas")))
        .await;
    let job = app.client.wait(&id).await;
    eyes.until(&reviewed(result(&job, "/late"))).await;
    eyes.until(&format!("!{}.disabled", hook("approve"))).await;
    eyes.press("k").await;
    eyes.until(&reviewed(result(&job, "/"))).await;
    eyes.until(&place("1 of 2")).await;
    eyes.close().await;
    app.stop().await;
}

/// Thousands of them, where the job is large.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_to_a_job_that_has_ended_is_not_told_its_results_again() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let one = result(&job, "/one");
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    eyes.until(&is_at("1 of 2")).await;
    // Whoever hears of this decision has heard of the job's end.
    ana.decide(&job, one, "reject").await.ok();
    until_triage(&eyes, "rejected").await;
    eyes.run(
        "globalThis.opened = []; globalThis.timesClosed = 0; globalThis.isAway = true; const Real = EventSource; \
         globalThis.EventSource = class extends Real { constructor(...asked) { super(...asked); opened.push(asked[0]); } }; \
         const realClose = Real.prototype.close; \
         Real.prototype.close = function () { timesClosed += 1; return realClose.call(this); }; \
         Object.defineProperty(document, 'hidden', { get: () => isAway }); 0",
    )
    .await;
    eyes.until("timesClosed > 0").await;
    assert_eq!(eyes.run("opened").await, json!([]));
    eyes.run("isAway = false; 0").await;
    eyes.until("opened.length === 1").await;
    let asked = eyes.run("opened[0]").await;
    assert!(
        asked
            .as_str()
            .unwrap()
            .ends_with("?triage=true&results=false"),
        "{asked}"
    );
    // Decisions are.
    ana.decide(&job, one, "approve").await.ok();
    until_triage(&eyes, "approved").await;
    eyes.close().await;
    app.stop().await;
}
