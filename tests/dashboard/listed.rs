//! A review that goes through what a list has, and no other pages.

use serde_json::{Value, json};

use super::{is_at, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

const PAGES: [&str; 4] = ["/shop/a", "/about", "/shop/b", "/contact"];

/// Pages that the site does not have at first.
const NEW: [&str; 2] = ["/new/c", "/new/d"];

/// A job in which these pages changed, and the others are new.
async fn changed_job(app: &TestApp, site: &Site) -> Value {
    let paths: Vec<Value> = (PAGES.iter().chain(&NEW))
        .map(|path| json!({ "path": path }))
        .collect();
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    for path in PAGES {
        site.page(path, "teal", "");
    }
    app.client.run(request.clone()).await;
    for path in PAGES {
        let is_shop = path.starts_with("/shop");
        site.page(path, if is_shop { "navy" } else { "maroon" }, "");
    }
    for path in NEW {
        site.page(path, "teal", "");
    }
    app.client.run(request).await
}

/// JavaScript: the card of a page in the job's list.
fn card(path: &str) -> String {
    format!(
        "[...document.querySelectorAll('[data-testid=\"result-card\"]')].find((card) => card.dataset.url.endsWith('{path}'))"
    )
}

/// Waits until so many pages are listed, and opens one of them.
async fn open_from_list(eyes: &Eyes, count: usize, page: &Value) {
    eyes.until(&format!(
        "document.querySelectorAll('[data-testid=\"result-card\"]').length === {count}"
    ))
    .await;
    let path = page["url"].as_str().unwrap();
    eyes.run(&format!("{}.querySelector('a').click()", card(path)))
        .await;
    eyes.until(&reviewed(page)).await;
}

async fn until_place(eyes: &Eyes, text: &str) {
    eyes.until(&is_at(text)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_from_a_filtered_list_goes_through_what_is_in_it() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let [a, about, b, contact] = PAGES.map(|path| result(&job, path));
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    let list = format!("{}/app/jobs/{id}?q=%2Fshop", app.client.base);
    eyes.goto(&list).await;

    open_from_list(&eyes, 2, b).await;
    until_place(&eyes, "2 of 2").await;
    assert_eq!(eyes.text("leave-list").await, "“/shop”");
    eyes.press("k").await;
    eyes.until(&reviewed(a)).await;
    until_place(&eyes, "1 of 2").await;
    // The address has the list; it leads back to it, too.
    let address = eyes.run("location.href").await;
    let address = address.as_str().unwrap();
    assert!(address.ends_with("?q=%2Fshop"), "{address}");
    eyes.goto(address).await;
    eyes.until(&reviewed(a)).await;
    until_place(&eyes, "1 of 2").await;
    let back = eyes
        .run("document.querySelector('.toolbar-job').href")
        .await;
    assert_eq!(back, list);

    // A decision goes on in the list, and says when nothing is left of it.
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(&reviewed(b)).await;
    until_toast(&eyes, "Approved “/shop/a”").await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “/shop/b”").await;
    let dialog = "document.querySelector('dialog[open]').innerText";
    eyes.until(&format!(
        "document.querySelector('dialog[open]') && {dialog}.includes('Every change in the list is decided')"
    ))
    .await;
    let said = eyes.run(dialog).await;
    let said = said.as_str().unwrap();
    assert!(said.contains("2 approved, 0 rejected"), "{said}");
    assert!(
        said.contains("2 changed pages that are not in the list are undecided"),
        "{said}"
    );
    eyes.click("done-leave-list").await;
    eyes.until("location.search === '' && !document.querySelector('dialog[open]')")
        .await;
    eyes.until(&format!("({}) || ({})", reviewed(about), reviewed(contact)))
        .await;
    eyes.until(&format!(
        "{}.textContent.includes(' of 4 · 2 left')",
        hook("position")
    ))
    .await;
    eyes.until(&format!("!{}", hook("leave-list"))).await;
    eyes.close().await;
    app.stop().await;
}

/// “Start review” means what is listed, as a click on one of its cards does.
#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_is_started_from_a_filtered_list_stays_in_it() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let [a, _, b, _] = PAGES.map(|path| result(&job, path));
    app.client.decide(&job, a, "approve").await.ok();
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    let list = |text: &str| format!("{}/app/jobs/{id}?q=%2F{text}", app.client.base);
    let until_listed = async || {
        eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 2")
            .await;
        eyes.until(&hook("start-review")).await;
    };
    eyes.goto(&list("shop")).await;
    until_listed().await;
    eyes.press("Enter").await;
    // The first of them is decided.
    eyes.until(&reviewed(b)).await;
    eyes.until("location.search === '?q=%2Fshop'").await;
    until_place(&eyes, "2 of 2").await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “/shop/b”").await;

    // Where all of them are, they are looked at again.
    eyes.goto(&list("shop")).await;
    until_listed().await;
    eyes.click("start-review").await;
    eyes.until(&reviewed(a)).await;
    until_place(&eyes, "1 of 2").await;

    // New pages are in no review unless they are asked for.
    eyes.goto(&list("new")).await;
    until_listed().await;
    eyes.click("start-review").await;
    until_toast(&eyes, "The list (“/new”) has no page to review.").await;
    eyes.close().await;
    app.stop().await;
}

/// Also when the filters were set in another order than the review's address has them, and have spaces in them.
#[tokio::test(flavor = "multi_thread")]
async fn job_leads_back_to_where_the_list_was_left() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let eyes = Eyes::open(390, 300).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    let list = format!("/app/jobs/{id}?q=desktop+chrome&outcome=regression");
    eyes.goto(&format!("{}{list}", app.client.base)).await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 4")
        .await;
    eyes.run("scrollTo(0, 250)").await;
    eyes.until("scrollY === 250").await;
    // Pages hear of it with the next frame.
    eyes.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        .await;
    open_from_list(&eyes, 4, result(&job, "/about")).await;
    assert_eq!(eyes.text("leave-list").await, "“desktop chrome”");
    eyes.run("document.querySelector('.toolbar-job').click()")
        .await;
    eyes.until(&format!(
        "location.pathname === '/app/jobs/{id}' && scrollY === 250"
    ))
    .await;
    eyes.close().await;
    app.stop().await;
}

/// New pages are gone through, too, which are no part of a review otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_another_outcome_are_gone_through_when_they_are_listed() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let [c, d] = NEW.map(|path| result(&job, path));
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.until(&format!("!!{}", hook("tab-new_baseline"))).await;
    eyes.click("tab-new_baseline").await;
    open_from_list(&eyes, 2, c).await;
    until_place(&eyes, "1 of 2").await;
    assert_eq!(eyes.text("leave-list").await, "new");
    // Nobody decides about new pages, so none of them is left to be.
    assert_eq!(eyes.text("position").await, "1 of 2");
    // The details lie over one page, and not over the next.
    eyes.click("details").await;
    eyes.until(&format!("!!{}.closest('.details-open')", hook("canvas")))
        .await;
    eyes.press("j").await;
    eyes.until(&reviewed(d)).await;
    until_place(&eyes, "2 of 2").await;
    eyes.until(&format!("!{}.closest('.details-open')", hook("canvas")))
        .await;

    // Without the list the page stands before those that changed.
    eyes.click("leave-list").await;
    eyes.until("location.search === ''").await;
    until_place(&eyes, "1 of 5").await;
    eyes.until(&reviewed(d)).await;
    eyes.close().await;
    app.stop().await;
}

/// Whoever goes back and opens the same thing again has its address, to send it or to load it anew.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_opened_again_after_going_back_has_its_address_again() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let path = format!("/app/jobs/{}", job["jobId"].as_str().unwrap());
    let open =
        format!("document.querySelector('[data-testid=\"job-row\"] a[href=\"{path}\"]').click()");
    let is_open = format!("{} && location.pathname === '{path}'", hook("job"));
    let entries = eyes.run("history.length").await.as_u64().unwrap();
    eyes.run(&open).await;
    eyes.until(&is_open).await;
    for (tab, search) in [("regression", "?outcome=regression"), ("all", "")] {
        eyes.click(&format!("tab-{tab}")).await;
        eyes.until(&format!("location.search === '{search}'")).await;
    }
    eyes.run("history.back()").await;
    eyes.until(
        "location.pathname === '/app' && document.querySelector('[data-testid=\"job-row\"]')",
    )
    .await;
    eyes.run(&open).await;
    eyes.until(&is_open).await;
    // It is one entry, and not two.
    eyes.run("new Promise((done) => setTimeout(done, 200))")
        .await;
    assert_eq!(eyes.run("history.length").await, json!(entries + 1));
    eyes.close().await;
    app.stop().await;
}

/// The cards of one filter would pass for those of another that could not be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_cannot_be_read_shows_no_pages_of_the_one_before() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    let cards = |count: usize| {
        format!("document.querySelectorAll('[data-testid=\"result-card\"]').length === {count}")
    };
    eyes.until(&cards(6)).await;
    eyes.run(
        "globalThis.realFetch = fetch; globalThis.fetch = async (...asked) => { \
         const path = asked[0].url ?? String(asked[0]); \
         if (path.includes('outcome=new_baseline')) throw new TypeError('gone'); return realFetch(...asked); }; 0",
    )
    .await;
    eyes.click("tab-new_baseline").await;
    eyes.until(&format!("{} && {}", hook("problem"), cards(0)))
        .await;
    eyes.run("globalThis.fetch = realFetch; 0").await;
    eyes.run(&format!(
        "{}.querySelector('button').click()",
        hook("problem")
    ))
    .await;
    eyes.until(&format!("!{} && {}", hook("problem"), cards(2)))
        .await;
    eyes.close().await;
    app.stop().await;
}

/// Also what leaves the figures as they were.
#[tokio::test(flavor = "multi_thread")]
async fn decisions_that_make_up_for_each_other_show_in_the_list() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let job = changed_job(&app, &site).await;
    let (a, b) = (result(&job, "/shop/a"), result(&job, "/shop/b"));
    app.client.decide(&job, a, "approve").await.ok();
    app.client.decide(&job, b, "reject").await.ok();
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    let stand = |a: &str, b: &str| {
        let triage = |path: &str| format!("{}?.dataset.triage", card(path));
        format!(
            "{} === '{a}' && {} === '{b}'",
            triage("/shop/a"),
            triage("/shop/b")
        )
    };
    eyes.until(&stand("approved", "rejected")).await;
    app.client.decide(&job, a, "reject").await.ok();
    app.client.decide(&job, b, "approve").await.ok();
    eyes.until(&stand("rejected", "approved")).await;
    eyes.close().await;
    app.stop().await;
}
