//! The served description of the interface is what was reviewed, and names nothing that does not answer.

use reqwest::Method;
use serde_json::Value;

use crate::support::app::TestApp;

#[test]
fn the_description_is_the_reviewed_one() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    insta::assert_json_snapshot!("openapi", description);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_described_address_answers() {
    let app = TestApp::on_sqlite().await;
    let description = app
        .client
        .send(app.client.request(Method::GET, "/openapi.json"))
        .await
        .ok();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 14, "{}", paths.len());
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let concrete = path
                .replace("{jobId}", "01900000-0000-7000-8000-000000000000")
                .replace("{resultId}", "01900000-0000-7000-8000-000000000000");
            let answer = app
                .client
                .send(
                    app.client
                        .request(method.to_uppercase().parse().unwrap(), &concrete),
                )
                .await;
            let sentence = answer.body["error"].as_str().unwrap_or_default().to_owned();
            assert!(
                !sentence.starts_with("Nothing answers") && answer.status.as_u16() != 405,
                "{method} {path}: {sentence}"
            );
        }
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_told_without_a_key() {
    let app = TestApp::on_sqlite().await;
    let get = |path: &str| app.client.request(Method::GET, path);
    assert_eq!(app.client.send(get("/healthz")).await.ok()["status"], "ok");
    let ready = app.client.send(get("/readyz")).await.ok();
    assert_eq!(ready["ready"], true);
    assert!(
        ready["browser"].as_str().unwrap().contains("Chrom"),
        "{ready}"
    );
    assert!(
        ["cpu", "gpu"].contains(&ready["comparator"]["backend"].as_str().unwrap()),
        "{ready}"
    );
    let metrics = app.client.send(get("/metrics")).await;
    let text = metrics.body.as_str().unwrap();
    assert!(
        text.contains("pentimento_comparator_info{backend=\"cpu\""),
        "{text}"
    );
    let docs = app.client.send(get("/docs")).await;
    assert!(
        docs.body
            .as_str()
            .unwrap()
            .contains("/docs/swagger-ui-bundle.js")
    );
    for file in [
        "swagger-ui.css",
        "swagger-ui-bundle.js",
        "swagger-ui-standalone-preset.js",
        "swagger-initializer.js",
    ] {
        assert_eq!(
            app.client
                .send(get(&format!("/docs/{file}")))
                .await
                .status
                .as_u16(),
            200,
            "{file}"
        );
    }
    app.stop().await;
}
