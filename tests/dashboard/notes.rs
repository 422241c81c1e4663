//! The note of a page that is rejected already: there to be read, kept, changed and taken away.

use serde_json::json;

use super::together::decide;
use super::{changed_job, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;

/// Rejects the page that is looked at, whose note is `stored`, with what `write` makes of the field.
async fn reject_again(eyes: &Eyes, stored: &str, write: &str) {
    let field = hook("note");
    until_triage(eyes, "rejected").await;
    eyes.press("r").await;
    eyes.until(&format!("{field}?.value === '{stored}'")).await;
    eyes.run(&format!(
        "(({{ field }}) => {{ {write} }})({{ field: {field} }}); 0"
    ))
    .await;
    eyes.type_into("note", "").await;
    eyes.press("Enter").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_that_is_there_is_kept_changed_or_taken_away() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let ana = app.client_with("main", &["review"]).await;
    decide(&ana, &job, two, "reject", Some("wrong blue")).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, two).await;
    let go_back = async || {
        eyes.until(&reviewed(one)).await;
        eyes.run("history.back()").await;
        eyes.until(&reviewed(two)).await;
    };
    let stands = async || {
        let after = app.client.reread(&job).await;
        let two = result(&after, "/two");
        assert_eq!(two["triageStatus"], "rejected");
        (two["triagedBy"].clone(), two.get("triageNote").cloned())
    };

    // Left as it is, it stays whose it is.
    reject_again(&eyes, "wrong blue", "").await;
    go_back().await;
    assert_eq!(
        stands().await,
        (json!("main review"), Some(json!("wrong blue")))
    );

    let write = |text: &str| {
        format!(
            "field.value = '{text}'; field.dispatchEvent(new Event('input', {{ bubbles: true }}));"
        )
    };
    reject_again(&eyes, "wrong blue", &write("too dark")).await;
    until_toast(&eyes, "Rejected “Page two”").await;
    assert_eq!(stands().await, (json!("admin"), Some(json!("too dark"))));
    go_back().await;

    reject_again(&eyes, "too dark", &write("")).await;
    eyes.until(&reviewed(one)).await;
    // Decisions arrive in their order.
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    assert_eq!(stands().await, (json!("admin"), None));
    eyes.close().await;
    app.stop().await;
}
