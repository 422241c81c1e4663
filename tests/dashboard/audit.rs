//! The page of the audit log.

use serde_json::json;

use super::{changed_job, open_as};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};

/// JavaScript: the actions of the entries that are shown.
const SHOWN: &str = "[...document.querySelectorAll('[data-testid=\"audit-entry\"]')].map((row) => row.dataset.action)";

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_reads_who_did_what() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let id = job["jobId"].as_str().unwrap();
    let one = job["results"][1]["url"].as_str().unwrap();
    let decision = json!({
        "jobId": id, "url": one, "variantName": "Desktop Chrome", "action": "reject", "note": "not maroon"
    });
    app.client.post("/approve", decision).await.ok();
    let made = json!({ "name": "ana", "scopes": ["review"] });
    let made = app.client.post("/keys", made).await.ok();
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, &app.client.key, "/app/audit").await;
    let until_shown = async |actions: &[&str]| {
        let wanted = json!(actions).to_string();
        eyes.until(&format!("JSON.stringify({SHOWN}) === '{wanted}'"))
            .await;
    };
    eyes.until(&format!("{SHOWN}[0] === 'key.create'")).await;
    eyes.until(&format!("{SHOWN}[1] === 'triage.reject'")).await;
    let row = "document.querySelectorAll('[data-testid=\"audit-entry\"]')[1]";
    let text = eyes.run(&format!("{row}.innerText")).await;
    let text = text.as_str().unwrap();
    for said in ["Rejected", "by admin", "not maroon"] {
        assert!(text.contains(said), "{text}");
    }
    let href = eyes
        .run(&format!("{row}.querySelector('a').pathname"))
        .await;
    assert_eq!(href, format!("/app/jobs/{id}"));

    // Filters are in the address, and in that of the file.
    eyes.run(&format!(
        "(() => {{ const field = {}; field.value = 'key'; field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        hook("audit-about")
    ))
    .await;
    until_shown(&["key.create", "key.create"]).await;
    eyes.until("location.search === '?about=key'").await;
    let file = eyes
        .run(&format!(
            "fetch({}.href).then((answer) => answer.text())",
            hook("audit-file")
        ))
        .await;
    let file = file.as_str().unwrap();
    assert_eq!(file.trim_end().lines().count(), 1 + 2, "{file}");
    assert!(file.contains(made["key"]["keyId"].as_str().unwrap()));
    eyes.type_into("search", "nobody").await;
    until_shown(&[]).await;
    eyes.until("document.body.innerText.includes('Nothing in the log matches')")
        .await;

    // Of a day that is still to come there is nothing; of one that was there is.
    let base = &app.client.base;
    eyes.goto(&format!("{base}/app/audit?about=key&from=2999-01-01"))
        .await;
    eyes.until("document.body.innerText.includes('Nothing in the log matches')")
        .await;
    let today = eyes
        .run("new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10)")
        .await;
    let today = today.as_str().unwrap();
    eyes.goto(&format!(
        "{base}/app/audit?about=key&from={today}&to={today}"
    ))
    .await;
    until_shown(&["key.create", "key.create"]).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_on_by_key_does_not_lose_the_place() {
    let app = TestApp::on_sqlite().await;
    let made = json!({ "name": "shop", "testOrigin": "http://shop.test" });
    app.client.post("/projects", made).await.ok();
    for change in 0..120 {
        let update = json!({ "environment": format!("staging {change}") });
        app.client.put("/project/shop", update).await.ok();
    }
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, &app.client.key, "/app/audit").await;
    eyes.until(&format!(
        "{}.focus() || document.activeElement.innerText === 'Load more'",
        hook("load-more")
    ))
    .await;
    let shown = "document.querySelectorAll('.audit-list > li').length";
    let before = eyes.run(shown).await.as_u64().unwrap();
    eyes.run("window.scrollTo(0, 600)").await;
    eyes.press("Enter").await;
    eyes.until(&format!("{shown} > {before} && !{}", hook("load-more")))
        .await;
    eyes.until("document.activeElement.innerText === 'That is all.'")
        .await;
    eyes.close().await;
    app.stop().await;
}
