//! Decisions that are lost on their way once.

use serde_json::json;

use super::deciding::{begin, replace_fetch};
use super::{reviewed, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::Eyes;
use crate::support::client::result;

/// The decision does not reach the service.
const REQUEST: &str = "Promise.reject(new TypeError('lost'))";
/// The service does what it is asked, and its answer is lost on the way.
pub(super) const ANSWER: &str = "ask().then(() => { throw new TypeError('lost'); })";
/// What stands before the service cannot reach it.
const BEHIND_A_PROXY: &str =
    "Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }))";

/// Loses the next decision in such a way; what is sent after it arrives.
pub(super) async fn lose_one(eyes: &Eyes, way: &str) {
    eyes.run("globalThis.sent = 0").await;
    replace_fetch(
        eyes,
        &format!("path.endsWith('/approve') && ++globalThis.sent === 1 ? {way} : ask()"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_lost_once_is_sent_again_and_costs_nothing() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    until_triage(&eyes, "pending").await;
    lose_one(&eyes, REQUEST).await;
    eyes.press("r").await;
    eyes.type_into("note", "wrong red").await;
    eyes.press("Enter").await;
    eyes.until(&reviewed(two)).await;
    until_toast(
        &eyes,
        "Rejected “Page one” (Desktop Chrome). Its baseline stays.",
    )
    .await;
    let stands = app.client.reread(&job).await;
    assert_eq!(result(&stands, "/one")["triageNote"], "wrong red");

    // What the service did already it is asked for once more, and that is no other decision.
    lose_one(&eyes, ANSWER).await;
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Rejection of “Page one” (Desktop Chrome) undone: it is undecided again.",
    )
    .await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;

    lose_one(&eyes, BEHIND_A_PROXY).await;
    eyes.press("a").await;
    until_toast(
        &eyes,
        "Approved “Page one” (Desktop Chrome). Its capture is the baseline now.",
    )
    .await;
    let stands = app.client.reread(&job).await;
    assert_eq!(result(&stands, "/one")["triageStatus"], "approved");
    assert_eq!(eyes.run("globalThis.sent").await, json!(2));
    let failed = "document.querySelectorAll('.toast-failed').length";
    assert_eq!(eyes.run(failed).await, json!(0));
    eyes.close().await;
    app.stop().await;
}
