//! A review that goes through what a list has, and no other pages.

use serde_json::{Value, json};

use super::{reviewed, sign_in, until_toast, until_triage};
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
    eyes.until(&format!("{}.innerText === '{text}'", hook("position")))
        .await;
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
    eyes.until(&format!("{}.innerText.endsWith(' of 4')", hook("position")))
        .await;
    eyes.until(&format!("!{}", hook("leave-list"))).await;
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
