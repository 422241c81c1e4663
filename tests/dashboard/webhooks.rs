//! An admin's way through the webhooks: make one, try it, see what came of it, change it, delete it.

use super::{keep_secret, open_as};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::receiver::{Behaviour, Receiver};

/// JavaScript: what is listed of deliveries, the newest first.
const DELIVERIES: &str = "[...document.querySelectorAll('[data-testid=\"delivery\"]')].map((row) => \
                          `${row.dataset.event} ${row.dataset.status}`).join()";

async fn until_deliveries(eyes: &Eyes, wanted: &str) {
    eyes.until(&format!("{DELIVERIES} === '{wanted}'")).await;
}

async fn write(eyes: &Eyes, field: &str, text: &str) {
    eyes.until(&hook(field)).await;
    eyes.run(&format!("{}.select()", hook(field))).await;
    eyes.type_into(field, text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_makes_tries_changes_and_deletes_a_webhook() {
    let app = TestApp::on_sqlite().await;
    let receiver = Receiver::start().await;
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, &app.client.key, "/app/webhooks").await;
    eyes.until("document.body.innerText.includes('Nobody is told of anything yet')")
        .await;

    // What is refused is said in the form, and stays typed.
    eyes.click("make-webhook").await;
    eyes.until(&format!("{}.disabled", hook("webhook-submit")))
        .await;
    write(&eyes, "webhook-url", "ftp://hooks.example").await;
    eyes.click("webhook-submit").await;
    let refusal = eyes.text("webhook-refusal").await;
    assert!(refusal.contains("http"), "{refusal}");
    eyes.until(&format!(
        "{}.value === 'ftp://hooks.example'",
        hook("webhook-url")
    ))
    .await;
    write(&eyes, "webhook-url", &receiver.url("/hook")).await;
    write(&eyes, "webhook-description", "for the chat").await;
    eyes.click("event-job.triaged").await;
    eyes.click("webhook-submit").await;
    let secret = keep_secret(&eyes, "whsec_").await;
    let made = app.client.get("/webhooks").await.ok();
    assert_eq!(made[0]["events"], serde_json::json!(["job.completed"]));
    assert_eq!(made[0]["description"], "for the chat");

    // A test arrives, signed with the secret that was shown; the log follows it by itself.
    eyes.click("webhook-test").await;
    let sent = receiver.wait_for("/hook", 1).await;
    assert!(sent[0].signatures().contains(&sent[0].expected(&secret)));
    until_deliveries(&eyes, "webhook.test delivered").await;
    receiver.behaves("/hook", Behaviour::Answers(410, "gone for good".to_owned()));
    eyes.click("redeliver").await;
    until_deliveries(&eyes, "webhook.test failed,webhook.test delivered").await;
    let log = eyes.text("deliveries").await;
    assert!(log.contains("answered 410"), "{log}");

    // A receiver that is gone for good is given up, which its row says by itself; who knows better starts it again.
    let row = hook("webhook");
    eyes.until(&format!("{row}.dataset.enabled === 'false'"))
        .await;
    assert!(eyes.text("webhook").await.contains("Given up"));
    eyes.until(&format!("{}.disabled", hook("webhook-test")))
        .await;
    eyes.click("webhook-switch").await;
    eyes.until(&format!("{row}.dataset.enabled === 'true'"))
        .await;

    eyes.click("webhook-edit").await;
    eyes.until(&format!(
        "{}.value === '{}'",
        hook("webhook-url"),
        receiver.url("/hook")
    ))
    .await;
    write(&eyes, "webhook-url", &receiver.url("/other")).await;
    eyes.click("webhook-submit").await;
    eyes.until(&format!("{row}.innerText.includes('/other')"))
        .await;
    eyes.click("webhook-rotate").await;
    eyes.click("webhook-rotate-confirm").await;
    assert_ne!(keep_secret(&eyes, "whsec_").await, secret);
    eyes.until(&format!("{row}.innerText.includes('former secret')"))
        .await;

    eyes.click("webhook-delete").await;
    eyes.click("webhook-delete-confirm").await;
    eyes.until("document.body.innerText.includes('Nobody is told of anything yet')")
        .await;
    assert_eq!(
        app.client.get("/webhooks").await.ok(),
        serde_json::json!([])
    );
    eyes.close().await;
    app.stop().await;
}
