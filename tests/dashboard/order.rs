//! The order in which a review goes through its pages.

use serde_json::{Value, json};

use super::{is_at, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

/// A job with four changed pages, of which the second and the last one show the same change.
async fn changed_job(app: &TestApp) -> (Site, Value) {
    let site = Site::start().await;
    let pages = ["/first", "/one", "/between", "/two"];
    let show = |alike: &str, other: &str| {
        for path in pages {
            let is_alike = ["/one", "/two"].contains(&path);
            let text = if is_alike { alike } else { other };
            site.page(path, "teal", &format!("<h1>{text}</h1>"));
        }
    };
    show("Order now", "Welcome");
    let paths: Vec<Value> = pages.iter().map(|path| json!({ "path": path })).collect();
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    app.client.run(request.clone()).await;
    show("Buy it", "Welcome");
    site.page("/first", "teal", "<h1>Good day</h1>");
    site.page("/between", "teal", "<h1>Farewell</h1>");
    let job = app.client.run(request).await;
    (site, job)
}

/// Waits until the page that is looked at has this place among the four.
async fn until_place(eyes: &Eyes, place: &str) {
    eyes.until(&is_at(&format!("{place} of 4"))).await;
}

/// JavaScript: whether pages come by cause, as the button says.
fn is_pressed(is: bool) -> String {
    format!("{}.getAttribute('aria-pressed') === '{is}'", hook("order"))
}

/// What is on the most pages comes first, of changes that are judged alike; in the job's order another page does.
#[tokio::test(flavor = "multi_thread")]
async fn pages_come_by_cause_or_in_the_jobs_order_as_the_address_says() {
    let app = TestApp::on_sqlite().await;
    let (_site, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    // The place, and what is left; changes are counted where pages are sorted by them.
    let place = async |text: &str| {
        eyes.until(&format!("{}.textContent === '{text}'", hook("position")))
            .await;
    };

    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.click("start-review").await;
    eyes.until(&reviewed(result(&job, "/one"))).await;
    place("1 of 4 · 4 left · 3 causes").await;
    eyes.until(&is_pressed(true)).await;
    // A decision goes on within its cause, and only then to the next one.
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    place("2 of 4 · 3 left · 3 causes").await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(&reviewed(result(&job, "/first"))).await;
    place("3 of 4 · 2 left · 2 causes").await;
    until_toast(&eyes, "Approved “/two”").await;

    // In the job's order, which the address keeps from page to page.
    eyes.press("o").await;
    eyes.until("location.search === '?order=page'").await;
    eyes.until(&is_pressed(false)).await;
    place("1 of 4 · 2 left").await;
    eyes.press("j").await;
    eyes.until(&reviewed(result(&job, "/one"))).await;
    place("2 of 4 · 2 left").await;
    let address = eyes.run("location.href").await;
    eyes.goto(address.as_str().unwrap()).await;
    eyes.until(&reviewed(result(&job, "/one"))).await;
    place("2 of 4 · 2 left").await;
    eyes.press("j").await;
    eyes.until(&reviewed(result(&job, "/between"))).await;
    place("3 of 4 · 2 left").await;
    eyes.click("order").await;
    eyes.until("location.search === ''").await;
    place("4 of 4 · 2 left · 2 causes").await;

    // Whoever opens a page by its address has the same order.
    open_review(&app, &eyes, result(&job, "/first")).await;
    place("3 of 4 · 2 left · 2 causes").await;
    eyes.close().await;
    app.stop().await;
}

/// One answer that is lost does not decide on the order of the whole visit.
#[tokio::test(flavor = "multi_thread")]
async fn causes_that_could_not_be_read_are_asked_for_again() {
    let app = TestApp::on_sqlite().await;
    let (_site, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 4")
        .await;
    eyes.run(
        "globalThis.realFetch = fetch; globalThis.fetch = async (...asked) => { \
         if ((asked[0].url ?? String(asked[0])).includes('/groups?limit=100')) throw new TypeError('lost'); \
         return realFetch(...asked); }; 0",
    )
    .await;
    let first = result(&job, "/first");
    let card = "[...document.querySelectorAll('[data-testid=\"result-card\"]')].find((card) => card.dataset.url.endsWith('/first'))";
    eyes.run(&format!("{card}.querySelector('a').click()"))
        .await;
    eyes.until(&reviewed(first)).await;
    // Without them the job's order has to do.
    until_place(&eyes, "1").await;
    eyes.until(&is_pressed(true)).await;
    eyes.run("globalThis.fetch = realFetch; 0").await;
    until_place(&eyes, "3").await;
    eyes.until(&reviewed(first)).await;
    eyes.close().await;
    app.stop().await;
}
