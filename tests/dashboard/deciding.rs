//! What becomes of decisions: notes that are undone.

use super::{changed_job, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::Eyes;
use crate::support::client::result;

#[tokio::test(flavor = "multi_thread")]
async fn undoing_a_note_takes_it_away_and_leaves_the_rejection() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let one = result(&job, "/one");
    app.client.decide(&job, one, "reject").await.ok();
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "rejected").await;
    eyes.press("r").await;
    eyes.type_into("note", "wrong red").await;
    eyes.press("Enter").await;
    until_toast(&eyes, "Rejected “Page one”").await;
    assert_eq!(
        result(&app.client.reread(&job).await, "/one")["triageNote"],
        "wrong red"
    );
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Rejection of “Page one” undone: it is rejected, as before.",
    )
    .await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "rejected").await;
    eyes.until("!document.querySelector('.inspector .note')")
        .await;
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/one")["triageStatus"], "rejected");
    assert_eq!(result(&after, "/one").get("triageNote"), None);
    eyes.close().await;
    app.stop().await;
}
