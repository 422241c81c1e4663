//! Masks that can be no selectors, or name no elements.

use serde_json::json;

use crate::support::app::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn masks_name_elements() {
    let app = TestApp::on_sqlite().await;
    let masks = json!([".ad", ".price::before"]);
    for (path, body) in [
        (
            "/crawl",
            json!({ "project": "p", "testOrigin": "http://127.0.0.1:9", "masks": masks }),
        ),
        (
            "/projects",
            json!({ "name": "p", "testOrigin": "http://127.0.0.1:9", "masks": masks }),
        ),
    ] {
        let refused = app
            .client
            .post(path, body)
            .await
            .refused(400, "invalid_input");
        let said = "`masks[1]` names the pseudo-element `::before`, which cannot be masked by itself; name its element";
        assert!(refused.contains(said), "{path}: {refused}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mask_that_can_be_no_selector_is_told_at_once() {
    let app = TestApp::on_sqlite().await;
    let body =
        json!({ "project": "p", "testOrigin": "http://127.0.0.1:9", "masks": [".ad", "p[["] });
    let refused = app.client.post("/crawl", body).await;
    let said = "`masks[1]` is no CSS selector: a `]` is missing.";
    assert_eq!(refused.refused(400, "invalid_input"), said);
    app.stop().await;
}
