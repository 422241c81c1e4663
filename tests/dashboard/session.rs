//! Whose session the browser has: a link with another key asks first, and a tab notices who has signed in elsewhere.

use serde_json::json;

use super::deciding::{hold, replace_fetch};
use super::{changed_job, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;

/// Asks for the session as another tab would: the cookie is the whole browser's.
async fn elsewhere(eyes: &Eyes, request: &str, status: u16) {
    let answer = format!("fetch('/session', {request}).then((answer) => answer.status)");
    assert_eq!(eyes.run(&answer).await, json!(status));
}

async fn sign_in_elsewhere(eyes: &Eyes, key: &str) {
    let request = format!(
        "{{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify({{ key: '{key}' }}) }}"
    );
    elsewhere(eyes, &request, 200).await;
}

/// Comes back to the tab.
async fn see_again(eyes: &Eyes) {
    eyes.run("document.dispatchEvent(new Event('visibilitychange', { bubbles: true })), 0")
        .await;
}

/// As the browser tells the other tabs, also those that are hidden, when one of them has signed in.
async fn told_by_another_tab(eyes: &Eyes) {
    eyes.run("window.dispatchEvent(new StorageEvent('storage', { key: 'pentimento.session', newValue: '1' })), 0")
        .await;
}

async fn until_signed_in(eyes: &Eyes, organization: &str, name: &str) {
    let said = |class: &str| format!("document.querySelector('.who-{class}')?.innerText");
    eyes.until(&format!(
        "{} === '{organization}' && {} === '{name}'",
        said("organization"),
        said("name")
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_is_seen_again_goes_on_as_whoever_has_signed_in_meanwhile() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["read", "review"]).await;
    let stranger = app.client_with("other", &["read"]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    let two = result(&job, "/two");
    eyes.until(&reviewed(two)).await;

    // The page stays, and what the one before has decided is not the next one's to undo.
    sign_in_elsewhere(&eyes, &ana.key).await;
    see_again(&eyes).await;
    until_signed_in(&eyes, "main", "main read+review").await;
    until_toast(&eyes, "“main read+review” of “main” has signed in").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    // Before the page is there again the button is off in any case.
    eyes.until(&format!("{}.disabled", hook("undo"))).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page two”").await;
    let decided = app.client.reread(&job).await;
    assert_eq!(result(&decided, "/two")["triagedBy"], "main read+review");

    // Another organization has no such page.
    sign_in_elsewhere(&eyes, &stranger.key).await;
    see_again(&eyes).await;
    until_signed_in(&eyes, "other", "other read").await;
    eyes.until(
        "location.pathname === '/app' && document.body.innerText.includes('No job has run yet')",
    )
    .await;

    // Signed out, and signed in again.
    elsewhere(&eyes, "{ method: 'DELETE' }", 204).await;
    see_again(&eyes).await;
    eyes.until(&hook("sign-in-key")).await;
    sign_in_elsewhere(&eyes, &app.client.key).await;
    see_again(&eyes).await;
    until_signed_in(&eyes, "main", "admin").await;
    eyes.until("location.pathname === '/app'").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_with_another_key_asks_before_it_takes_the_place_of_a_session() {
    let app = TestApp::on_sqlite().await;
    let ana = app.client_with("main", &["read", "review"]).await;
    let eyes = Eyes::open(390, 844).await;
    let follow = async |key: &str| {
        let base = &app.client.base;
        let next = "/app/projects";
        eyes.goto(&format!("{base}/app/sign-in?next={next}#key={key}"))
            .await;
    };
    let is_there = "location.pathname === '/app/projects'";
    follow(&app.client.key).await;
    eyes.until(is_there).await;

    follow(&ana.key).await;
    let told = eyes.text("session-there").await;
    assert!(told.contains("admin of main"), "{told}");
    let field = hook("sign-in-key");
    eyes.until(&format!(
        "{field}.value === '{}' && !location.href.includes('key=')",
        ana.key
    ))
    .await;
    let overflow = "document.documentElement.scrollWidth - innerWidth";
    assert!(eyes.run(overflow).await.as_i64().unwrap() <= 0);
    let name = "fetch('/session').then((answer) => answer.json()).then((session) => session.name)";
    assert_eq!(eyes.run(name).await, json!("admin"));
    eyes.click("stay-signed-in").await;
    eyes.until(is_there).await;
    until_signed_in(&eyes, "main", "admin").await;

    // A key that is none takes nobody's place, and is not passed over in silence.
    follow("pnt_main_wrong").await;
    assert!(eyes.text("sign-in-error").await.contains("No key is known"));
    eyes.click("stay-signed-in").await;
    eyes.until(is_there).await;

    follow(&ana.key).await;
    eyes.until(&hook("session-there")).await;
    eyes.click("sign-in-button").await;
    eyes.until(is_there).await;
    until_signed_in(&eyes, "main", "main read+review").await;
    // The same once more goes on at once.
    follow(&ana.key).await;
    eyes.until(is_there).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_not_sent_in_the_name_of_whoever_has_signed_in_meanwhile() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["read", "review"]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    until_triage(&eyes, "pending").await;
    // The first one gets lost and is not sent again, the second one waits for it.
    hold(&eyes).await;
    let lost = "way.then(() => { throw new TypeError('lost'); })";
    replace_fetch(
        &eyes,
        &format!("path.endsWith('/approve') ? {lost} : ask()"),
    )
    .await;
    eyes.press("a").await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    sign_in_elsewhere(&eyes, &ana.key).await;
    told_by_another_tab(&eyes).await;
    until_signed_in(&eyes, "main", "main read+review").await;
    replace_fetch(&eyes, "ask()").await;
    eyes.run("clearWay(); 0").await;
    until_toast(
        &eyes,
        "No answer came, and “Page one” (Desktop Chrome) was not changed.",
    )
    .await;
    until_toast(
        &eyes,
        "The decision on “Page two” (Desktop Chrome) was not sent: another key has signed in.",
    )
    .await;
    let after = app.client.reread(&job).await;
    for path in ["/one", "/two"] {
        assert_eq!(result(&after, path)["triageStatus"], "pending");
    }
    eyes.close().await;
    app.stop().await;
}
