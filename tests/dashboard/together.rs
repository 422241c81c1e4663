//! Reviewers who decide on the same pages at once, a review that is begun while its job runs, and what undo brings back.

use serde_json::{Value, json};

use super::{
    changed_job, is_at, late_job, open_review, reviewed, sign_in, until_toast, until_triage,
};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::{Client, result};

/// Closes the dialog that sums up; the focus goes back to the page a moment later.
pub(super) async fn close_dialog(eyes: &Eyes) {
    eyes.until("document.querySelector('dialog[open]')").await;
    eyes.run("document.querySelector('dialog[open]').requestClose()")
        .await;
    eyes.until(
        "!document.querySelector('dialog[open]') && document.activeElement.matches('.toolbar h1')",
    )
    .await;
}

pub(super) async fn decide(
    client: &Client,
    job: &Value,
    page: &Value,
    action: &str,
    note: Option<&str>,
) {
    let body = json!({
        "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "action": action, "note": note,
    });
    client.post("/approve", body).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_reviewers_see_each_others_decisions_and_lose_none() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    // The page that is looked at.
    decide(&ana, &job, one, "reject", Some("wrong price")).await;
    until_triage(&eyes, "rejected").await;
    until_toast(&eyes, "main review rejected").await;
    eyes.until("document.body.innerText.includes('wrong price')")
        .await;
    // The same once more, for another reason.
    let ben = app.client_with("main", &["read", "review"]).await;
    decide(&ben, &job, one, "reject", Some("wrong font")).await;
    eyes.until("document.body.innerText.includes('wrong font')")
        .await;
    // One that was read ahead.
    decide(&ana, &job, two, "approve", None).await;
    eyes.press("j").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "approved").await;

    // Who does not hear of a decision does not overwrite it either.
    decide(&ana, &job, two, "withdraw", None).await;
    until_triage(&eyes, "pending").await;
    eyes.run("window.EventSource.prototype.dispatchEvent = () => true; performance.now()")
        .await;
    eyes.run("globalThis.realFetch = fetch; globalThis.fetch = async (...asked) => { await new Promise((go) => globalThis.go = go); return realFetch(...asked); }")
        .await;
    eyes.press("a").await;
    eyes.until("globalThis.go").await;
    decide(&ana, &job, two, "reject", Some("not yet")).await;
    eyes.run("globalThis.fetch = realFetch, go(), 0").await;
    until_toast(&eyes, "main review rejected this page meanwhile").await;
    let after = app.client.reread(&job).await;
    let stands = result(&after, "/two");
    assert_eq!(
        (
            &stands["triageStatus"],
            &stands["triagedBy"],
            &stands["triageNote"]
        ),
        (&json!("rejected"), &json!("main review"), &json!("not yet"))
    );
    open_review(&app, &eyes, two).await;
    until_triage(&eyes, "rejected").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_that_is_being_written_is_not_laid_over_what_others_decide() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let one = result(&job, "/one");
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    // What is given up is there again.
    eyes.press("r").await;
    eyes.type_into("note", "wrong red").await;
    eyes.press("Escape").await;
    eyes.until(&format!("!{}", hook("note"))).await;
    eyes.press("r").await;
    eyes.until(&format!("{}?.value === 'wrong red'", hook("note")))
        .await;
    decide(&ana, &job, one, "approve", None).await;
    eyes.until(&format!(
        "{}.innerText.startsWith('main review approved this page meanwhile.')",
        hook("note-warning")
    ))
    .await;
    // The first time it is only noted that somebody has read it.
    eyes.press("Enter").await;
    eyes.run(&format!("{}.value.length", hook("note"))).await;
    eyes.press("Enter").await;
    until_toast(
        &eyes,
        "Rejected “Page one” (Desktop Chrome). Its former baseline is back.",
    )
    .await;
    let after = app.client.reread(&job).await;
    let stands = result(&after, "/one");
    assert_eq!(
        (&stands["triageStatus"], &stands["triageNote"]),
        (&json!("rejected"), &json!("wrong red"))
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_run_has_overtaken_says_so_and_is_not_approved() {
    let app = TestApp::on_sqlite().await;
    let (site, request, job) = changed_job(&app).await;
    let one = result(&job, "/one");
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    let is_off = format!("{}.disabled", hook("approve"));
    assert_eq!(eyes.run(&is_off).await, json!(false));
    site.page("/one", "olive", "");
    let newer = app.client.run(request).await;
    app.client
        .decide(&newer, result(&newer, "/one"), "approve")
        .await
        .ok();
    open_review(&app, &eyes, one).await;
    eyes.until(&is_off).await;
    assert!(
        eyes.text("verdict-note")
            .await
            .contains("run the job again")
    );
    eyes.press("a").await;
    let stands = app.client.reread(&job).await;
    assert_eq!(result(&stands, "/one")["triageStatus"], "pending");
    // The baseline comes back, and nobody tells.
    app.client
        .decide(&newer, result(&newer, "/one"), "reject")
        .await
        .ok();
    eyes.until(&format!("!{is_off}")).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_read_ahead_says_what_has_overtaken_it() {
    let app = TestApp::on_sqlite().await;
    let (site, request, job) = changed_job(&app).await;
    let two = result(&job, "/two");
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    let id = two["resultId"].as_str().unwrap();
    eyes.until(&format!("performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('/result/{id}'))"))
        .await;
    site.page("/two", "olive", "");
    let newer = app.client.run(request).await;
    let newer_two = result(&newer, "/two");
    app.client.decide(&newer, newer_two, "approve").await.ok();
    eyes.press("j").await;
    eyes.until(&reviewed(two)).await;
    eyes.until(&format!("{}.disabled", hook("approve"))).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_brings_back_what_was_decided_before() {
    let app = TestApp::on_sqlite().await;
    let (_site, request, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    decide(&ana, &job, one, "approve", None).await;
    decide(&ana, &job, two, "reject", Some("wrong blue")).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;

    // What is approved already stays its reviewer's, and there is nothing to undo.
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "approved").await;
    eyes.press("a").await;
    eyes.until("document.querySelector('dialog[open]')").await;
    assert_eq!(
        eyes.run(&format!("{}.disabled", hook("undo"))).await,
        json!(true)
    );
    assert_eq!(
        result(&app.client.reread(&job).await, "/one")["triagedBy"],
        "main review"
    );
    close_dialog(&eyes).await;

    // Another decision than the one before, undone: the one before, with its baseline.
    eyes.press("r").await;
    eyes.type_into("note", "after all not").await;
    eyes.press("Enter").await;
    until_toast(&eyes, "Its former baseline is back").await;
    close_dialog(&eyes).await;
    eyes.press("u").await;
    until_toast(&eyes, "Rejection of “Page one” (Desktop Chrome) undone").await;
    until_triage(&eyes, "approved").await;
    assert_eq!(
        result(&app.client.run(request).await, "/one")["changed"],
        false
    );

    // A note comes back with its rejection.
    open_review(&app, &eyes, two).await;
    until_triage(&eyes, "rejected").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page two”").await;
    close_dialog(&eyes).await;
    eyes.press("u").await;
    until_toast(&eyes, "Approval of “Page two” (Desktop Chrome) undone").await;
    let after = app.client.reread(&job).await;
    let stands = result(&after, "/two");
    assert_eq!(
        (&stands["triageStatus"], &stands["triageNote"]),
        (&json!("rejected"), &json!("wrong blue"))
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_went_to_and_fro_meanwhile_can_be_undone_and_what_somebody_else_decided_cannot() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    eyes.until(&reviewed(two)).await;
    // The screen hears of each decision, made elsewhere with the same key, and reads its list anew.
    let lists = "performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/results?')).length";
    for action in ["reject", "approve"] {
        let before = eyes.run(lists).await;
        decide(&app.client, &job, one, action, None).await;
        eyes.until(&format!("{lists} > {before}")).await;
    }
    eyes.press("u").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    assert_eq!(
        result(&app.client.reread(&job).await, "/one")["triageStatus"],
        "pending"
    );

    // The other one is somebody else's by then.
    eyes.press("j").await;
    eyes.until(&reviewed(two)).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page two”").await;
    eyes.until(&reviewed(one)).await;
    let before = eyes.run(lists).await;
    decide(&ana, &job, two, "reject", None).await;
    eyes.until(&format!("{lists} > {before}")).await;
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Nothing was undone: somebody else decided on “Page two” (Desktop Chrome) meanwhile.",
    )
    .await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "rejected").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_held_decides_once_and_no_picture_outlives_its_page() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    eyes.until("document.querySelectorAll('img.capture').length === 4 && document.querySelector('img.minimap-picture')")
        .await;
    eyes.run("globalThis.shown = () => [...document.querySelectorAll('img:not(.queue-list img)')], globalThis.before = shown(), 0")
        .await;
    let held = "for (let times = 0; times < 20; times += 1) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', repeat: true, bubbles: true, cancelable: true })); 0";
    eyes.run(held).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.run(held).await;
    eyes.until(&reviewed(two)).await;
    eyes.run(held).await;
    until_toast(&eyes, "Approved “Page one”").await;
    until_triage(&eyes, "pending").await;
    assert_eq!(
        result(&app.client.reread(&job).await, "/two")["triageStatus"],
        "pending"
    );
    eyes.until("document.querySelectorAll('img.capture').length === 4")
        .await;
    let kept = eyes
        .run("shown().filter((image) => before.includes(image)).length")
        .await;
    assert_eq!(
        kept, 0,
        "an element that is given another address shows its former picture meanwhile"
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_is_begun_while_its_job_runs_goes_on_to_what_is_found_later() {
    let app = TestApp::on_sqlite().await;
    let (site, id) = late_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    // A list of what runs holds the job while it does, and no longer.
    eyes.goto(&format!("{}/app?status=PROCESSING", app.client.base))
        .await;
    let rows = "document.querySelectorAll('[data-testid=\"job-row\"]').length";
    eyes.until(&format!("{rows} === 1")).await;
    let other = Eyes::open(1440, 900).await;
    other
        .goto(&format!(
            "{}/app/sign-in?next=/app/jobs/{id}#key={}",
            app.client.base, app.client.key
        ))
        .await;
    other.click("start-review").await;
    other.until(&is_at("1 of 1")).await;
    // The service takes no decision before the job has ended, so none is offered.
    other
        .until(&format!(
            "{}.disabled && document.body.innerText.includes('The job still runs')",
            hook("approve")
        ))
        .await;
    other.press("a").await;
    app.client
        .send(
            app.client
                .request_to(reqwest::Method::GET, &format!("{}/go", site.origin)),
        )
        .await;
    other.until(&is_at("1 of 2")).await;
    let job = app.client.wait(&id).await;
    eyes.until(&format!("{rows} === 0")).await;
    other.press("j").await;
    other.until(&reviewed(result(&job, "/late"))).await;
    // The page hears of the job's end when it does.
    other.until(&format!("!{}.disabled", hook("approve"))).await;
    other.press("a").await;
    until_toast(&other, "Approved").await;
    let statuses = app.client.wait(&id).await;
    assert_eq!(result(&statuses, "/")["triageStatus"], "pending");
    other.close().await;
    eyes.close().await;
    app.stop().await;
}
