//! A person's way through the dashboard, in Chromium: sign in, open the changed page, decide, see the baseline move.

mod audit;
mod canvas;
mod deciding;
mod groups;
mod history;
mod job_list;
mod keys;
mod listed;
mod loading;
mod long_names;
mod masking;
mod notes;
mod order;
mod queue;
mod regions;
mod resending;
mod session;
mod settings;
mod together;
mod undo;
mod unstable;
mod webhooks;
mod whole_job;

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};

/// Two of three pages changed.
async fn changed_job(app: &TestApp) -> (Site, Value, Value) {
    let site = Site::start().await;
    for path in ["/", "/one", "/two"] {
        site.page(path, "teal", "");
    }
    let paths = [("/", "Home"), ("/one", "Page one"), ("/two", "Page two")]
        .map(|(path, label)| json!({ "path": path, "label": label }));
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    app.client.run(request.clone()).await;
    site.page("/one", "maroon", "");
    site.page("/two", "navy", "");
    let job = app.client.run(request.clone()).await;
    (site, request, job)
}

/// A job under way: one of its two pages has changed, and the other, which will have, is held back until `/go` is asked for.
async fn late_job(app: &TestApp) -> (Site, String) {
    let site = Site::start().await;
    let paths = ["/", "/late"].map(|path| json!({ "path": path }));
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    for path in ["/", "/late"] {
        site.page(path, "teal", "");
    }
    app.client.run(request.clone()).await;
    site.page("/", "maroon", "");
    let late = b"<!doctype html><title>Late</title><h1>Late".to_vec();
    site.after("/late", "/go", "text/html", late);
    let id = app.client.crawl(request).await;
    (site, id)
}

/// Signs in with the link that the demo prints, and waits for the jobs.
async fn sign_in(app: &TestApp, eyes: &Eyes) {
    eyes.goto(&format!(
        "{}/app/sign-in#key={}",
        app.client.base, app.client.key
    ))
    .await;
    eyes.until("document.querySelectorAll('[data-testid=\"job-row\"]').length === 2")
        .await;
    eyes.until("!location.href.includes('key=')").await;
}

/// Opens a page of the app, signed in with a key, which takes the place of the one before.
async fn open_as(app: &TestApp, eyes: &Eyes, key: &str, path: &str) {
    let base = &app.client.base;
    eyes.goto(&format!("{base}/app/sign-in?next={path}#key={key}"))
        .await;
    let is_there = format!("location.pathname === '{path}'");
    let asks = hook("session-there");
    eyes.until(&format!("{is_there} || {asks}")).await;
    if eyes.run(&format!("!!{asks}")).await == json!(true) {
        eyes.click("sign-in-button").await;
    }
    eyes.until(&is_there).await;
}

/// Opens the review of a page, and waits until it is there.
async fn open_review(app: &TestApp, eyes: &Eyes, page: &Value) {
    let id = page["resultId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/review/{id}", app.client.base))
        .await;
    eyes.until(&reviewed(page)).await;
}

/// The secret on the screen, which begins so, and is gone when its dialog is closed.
async fn keep_secret(eyes: &Eyes, begins: &str) -> String {
    eyes.until(&format!(
        "{}.innerText.startsWith('{begins}')",
        hook("secret")
    ))
    .await;
    // No stray key takes it away.
    eyes.until("document.activeElement.dataset.testid === 'copy-secret'")
        .await;
    eyes.run("document.querySelector('dialog[open]').requestClose()")
        .await;
    let secret = eyes.text("secret").await.trim().to_owned();
    eyes.click("copy-secret").await;
    eyes.until("/Copied|copy it yourself/.test(document.querySelector('dialog[open]').innerText)")
        .await;
    eyes.click("secret-kept").await;
    eyes.until(&format!(
        "!document.documentElement.innerHTML.includes('{secret}')"
    ))
    .await;
    secret
}

/// JavaScript: whether this page is the one that is looked at, and is there to be seen: keys decide on nothing else.
fn reviewed(page: &Value) -> String {
    let id = page["resultId"].as_str().unwrap();
    let data = format!("{}.dataset", hook("review"));
    format!(
        "{data}.resultId === '{id}' && {data}.triage !== undefined && {data}.pictures === 'settled'"
    )
}

/// JavaScript: whether the bar says that the review is at this place, such as `1 of 5`. What is left stands behind it.
fn is_at(place: &str) -> String {
    format!(
        "{}.textContent.split(' · ')[0] === '{place}'",
        hook("position")
    )
}

/// Waits until the page that is looked at is there to be seen, and is decided so.
async fn until_triage(eyes: &Eyes, triage: &str) {
    let data = format!("{}.dataset", hook("review"));
    eyes.until(&format!(
        "{data}.triage === '{triage}' && {data}.pictures === 'settled'"
    ))
    .await;
}

/// Waits for a notice with this text.
async fn until_toast(eyes: &Eyes, text: &str) {
    eyes.until(&format!(
        "[...document.querySelectorAll('[data-testid=\"toast\"]')].some((toast) => toast.innerText.includes('{text}'))"
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reviewer_signs_in_approves_a_change_and_the_baseline_moves() {
    let app = TestApp::on_sqlite().await;
    let (_site, request, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;

    // A page of the app asks for a key first and comes back afterwards.
    let job_page = format!(
        "{}/app/jobs/{}",
        app.client.base,
        job["jobId"].as_str().unwrap()
    );
    eyes.goto(&job_page).await;
    eyes.type_into("sign-in-key", "pnt_main_wrong").await;
    eyes.click("sign-in-button").await;
    assert!(eyes.text("sign-in-error").await.contains("No key is known"));
    eyes.run(&format!("{}.select()", hook("sign-in-key"))).await;
    eyes.type_into("sign-in-key", &app.client.key).await;
    eyes.press("Enter").await;
    eyes.until(&format!("location.href === '{job_page}'")).await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 3")
        .await;
    assert!(eyes.text("job-summary").await.contains("2 changed"));

    eyes.click("start-review").await;
    eyes.until(&hook("review")).await;
    eyes.until("document.body.innerText.includes('Page one')")
        .await;
    eyes.until(&reviewed(result(&job, "/one"))).await;
    assert!(
        eyes.text("region-A")
            .await
            .contains("background-color went from")
    );
    eyes.click("approve").await;
    // The next undecided change comes by itself; a key decides on it too.
    eyes.until(&reviewed(result(&job, "/two"))).await;
    until_triage(&eyes, "pending").await;
    eyes.press("r").await;
    eyes.type_into("note", "not navy").await;
    eyes.press("Enter").await;
    // A decision is shown at once and sent meanwhile; its toast says that it has arrived.
    until_toast(&eyes, "Its baseline stays").await;

    let decided = app.client.reread(&job).await;
    assert_eq!(result(&decided, "/one")["triageStatus"], "approved");
    let rejected = result(&decided, "/two");
    assert_eq!(
        (&rejected["triageStatus"], &rejected["triageNote"]),
        (&json!("rejected"), &json!("not navy"))
    );
    let next = app.client.run(request).await;
    assert_eq!(
        result(&next, "/one")["changed"],
        false,
        "maroon is the baseline now"
    );
    assert_eq!(result(&next, "/two")["changed"], true, "teal still is");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_followed_as_it_happens_without_asking_again_and_again() {
    let app = TestApp::on_sqlite().await;
    let eyes = Eyes::open(1440, 900).await;
    let id = app.client.init("followed", "http://shop.test").await;
    eyes.goto(&format!(
        "{}/app/sign-in?next=/app/jobs/{id}#key={}",
        app.client.base, app.client.key
    ))
    .await;
    eyes.until("document.body.innerText.includes('Taking uploads')")
        .await;
    let address = "http://shop.test/";
    app.client
        .upload(&id, address, picture([200, 0, 0], 3), &tree("text"))
        .await;
    eyes.until("document.body.innerText.includes('1 page so far')")
        .await;
    app.client.finish(&id).await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 1")
        .await;

    // Another reviewer decides; it shows here at once, and nothing was asked meanwhile.
    eyes.until(&format!(
        "{}.dataset.status === 'COMPLETED'",
        hook("job-status")
    ))
    .await;
    let asked = "performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/overview')).length";
    let before = eyes.run(asked).await.as_u64().unwrap();
    app.client
        .post("/approve", json!({ "jobId": id }))
        .await
        .ok();
    eyes.until(&format!(
        "{}.dataset.status === 'APPROVED'",
        hook("job-status")
    ))
    .await;
    let after = eyes.run(asked).await.as_u64().unwrap();
    assert!(after - before <= 3, "{before} {after}");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_can_be_undone_and_a_conflict_is_told() {
    let app = TestApp::on_sqlite().await;
    let (site, request, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let one = result(&job, "/one");
    open_review(&app, &eyes, one).await;
    eyes.click("approve").await;
    eyes.until(&format!("!({})", reviewed(one))).await;
    eyes.press("u").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    // The screen says so at once; the message comes when the service has agreed.
    until_toast(&eyes, "undone").await;
    assert_eq!(
        result(&app.client.run(request.clone()).await, "/one")["changed"],
        true,
        "the former baseline is back"
    );

    // Somebody else approves a newer capture of page two while it is looked at.
    let two = result(&job, "/two");
    open_review(&app, &eyes, two).await;
    until_triage(&eyes, "pending").await;
    site.page("/two", "olive", "");
    let newer = app.client.run(request).await;
    app.client
        .decide(&newer, result(&newer, "/two"), "approve")
        .await
        .ok();
    eyes.click("approve").await;
    eyes.until("document.querySelector('[data-testid=\"toast\"]')?.innerText.includes('baseline')")
        .await;
    let stays = app.client.reread(&job).await;
    assert_eq!(result(&stays, "/two")["triageStatus"], "pending");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_phone_and_loads_nothing_from_elsewhere() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let id = job["jobId"].as_str().unwrap();
    let review = result(&job, "/one")["resultId"].as_str().unwrap();
    for (path, ready) in [
        ("/app".to_owned(), hook("job-row")),
        (format!("/app/jobs/{id}"), hook("result-card")),
        (format!("/app/review/{review}"), hook("approve")),
        ("/app/projects".to_owned(), hook("project-row")),
        ("/app/projects/shop".to_owned(), hook("project")),
    ] {
        eyes.goto(&format!("{}{path}", app.client.base)).await;
        eyes.until(&ready).await;
        // Projects may have long names.
        eyes.run("document.querySelectorAll('.filters select').forEach((one) => one.append(new Option('a-long-name-'.repeat(20)))); 0").await;
        let overflow = eyes
            .run("document.documentElement.scrollWidth - innerWidth")
            .await;
        assert!(
            overflow.as_i64().unwrap() <= 0,
            "{path} is {overflow} px too wide"
        );
        let foreign = eyes.run("performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:'))").await;
        assert_eq!(foreign, json!([]), "{path}");
    }
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_asset_is_no_page() {
    let app = TestApp::on_sqlite().await;
    let get = |path: &str| {
        app.client
            .send(app.client.request(reqwest::Method::GET, path))
    };
    get("/app/gone-0123456789.js")
        .await
        .refused(404, "not_found");
    for path in ["/", "/app", "/app/jobs/anything", "/app/projects/next.js"] {
        let page = get(path).await;
        assert!(
            page.status.is_success() && page.body.as_str().unwrap().contains("<!"),
            "{path}"
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_in_error_says_why_on_a_phone_too() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let request = json!({ "project": "gone", "testOrigin": site.origin });
    app.client.run(request.clone()).await;
    site.content("/", 500, "text/html", b"<h1>broken</h1>".to_vec());
    let job = app.client.run(request).await;
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    let id = result(&job, "/")["resultId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/review/{id}", app.client.base))
        .await;
    assert!(eyes.text("no-picture").await.contains("answered 500"));
    // What could not be compared passes nothing.
    let job_id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{job_id}", app.client.base))
        .await;
    let told = eyes.text("job-summary").await;
    assert!(
        told.contains("1 of 1 page variants could not be compared") && !told.contains("Pass"),
        "{told}"
    );
    eyes.close().await;
    app.stop().await;
}
