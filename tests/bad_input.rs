//! What is wrong in a request is refused at once, with the field's name.

mod masks;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn wrong_fields_are_named() {
    let app = TestApp::on_sqlite().await;
    let origin = "http://127.0.0.1:9";
    let with = |field: &str, value: Value| {
        let mut body = json!({ "project": "p", "testOrigin": origin });
        body[field] = value;
        body
    };
    let many: Vec<String> = (0..201).map(|number| format!(".m{number}")).collect();
    let rows: Vec<(Value, &str, &str)> = vec![
        (
            json!({ "testOrigin": origin }),
            "invalid_input",
            "`project` or `baseOrigin` is missing",
        ),
        (
            json!({ "project": "p" }),
            "invalid_input",
            "`testOrigin` is missing",
        ),
        (
            with("project", json!("sp ace")),
            "invalid_input",
            "`project` must have",
        ),
        (
            with("project", json!(7)),
            "invalid_input",
            "`project` has a wrong value",
        ),
        (
            with("devices", json!("mobile")),
            "invalid_input",
            "`devices` has a wrong value",
        ),
        (
            with("devices", json!(["mobile", 4])),
            "invalid_input",
            "`devices[1]` has a wrong value",
        ),
        (
            with("devices", json!(["iPhone13"])),
            "invalid_input",
            "did you mean `iPhone 13`",
        ),
        (
            with("concurrency", json!(0)),
            "invalid_input",
            "`concurrency` must be 1–20",
        ),
        (
            with("concurrency", json!(21)),
            "invalid_input",
            "`concurrency` must be 1–20",
        ),
        (
            with("concurrency", json!(-1)),
            "invalid_input",
            "`concurrency` has a wrong value",
        ),
        (
            with("paths", json!([{ "path": "about" }])),
            "invalid_input",
            "`paths[0].path` must start with",
        ),
        (
            with("paths", json!([{ "path": "//evil.example/" }])),
            "invalid_input",
            "`paths[0].path` must start with",
        ),
        (
            with("paths", json!([{ "label": "x" }])),
            "invalid_input",
            "`paths[0]`",
        ),
        (
            with("masks", json!(many)),
            "invalid_input",
            "`masks` has 201 entries; 200 are the most",
        ),
        (
            with("masks", json!([" "])),
            "invalid_input",
            "`masks[0]` is empty",
        ),
        (
            with("customCss", json!("x".repeat(4097))),
            "invalid_input",
            "`customCss` has 4097 characters",
        ),
        (
            with("scans", json!([{ "pattern": "/a\n" }])),
            "invalid_input",
            "`scans[0]` holds a control character",
        ),
        (
            with(
                "scans",
                json!([{ "pattern": "/**", "options": { "limit": 0 } }]),
            ),
            "invalid_input",
            "`scans[0].options.limit` must be 1 or more",
        ),
        (
            with("runContext", json!(["a list", "of values"])),
            "invalid_input",
            "`runContext` has a wrong value",
        ),
        (
            with("paths", json!([["/a"]])),
            "invalid_input",
            "`paths[0]` has a wrong value",
        ),
        (
            with("paths", json!([{ "path": "/a", "label": "two\nlines" }])),
            "invalid_input",
            "`paths[0].label` holds a control character",
        ),
        (
            with("runContext", json!({ "prDescription": "a\u{0}b" })),
            "invalid_input",
            "`runContext.prDescription` holds a NUL",
        ),
        (
            with("runContext", json!({ "scope": vec!["x"; 101] })),
            "invalid_input",
            "`runContext.scope` has 101 entries",
        ),
        (
            with("testOrigin", json!("ftp://example.com")),
            "invalid_url",
            "`testOrigin`",
        ),
        (
            with("testOrigin", json!("http://example.com/path")),
            "invalid_url",
            "`testOrigin` is an origin without a path",
        ),
        (
            with("testOrigin", json!("http://a:b@example.com")),
            "invalid_url",
            "user name or password",
        ),
        (
            with("testOrigin", json!("nonsense")),
            "invalid_url",
            "`testOrigin`",
        ),
        (
            with("testOrigin", json!("http://no-such-host.invalid")),
            "invalid_url",
            "does not resolve",
        ),
        (
            with("testOrigin", json!("http://10.0.0.1")),
            "invalid_url",
            "PENTIMENTO_ALLOW_TARGETS",
        ),
        (
            with("sitemapUrl", json!("http://169.254.169.254/latest")),
            "invalid_url",
            "`sitemapUrl`",
        ),
    ];
    for (body, code, expected) in rows {
        let sentence = app
            .client
            .post("/crawl", body.clone())
            .await
            .refused(400, code);
        assert!(sentence.contains(expected), "{body}: {sentence}");
    }
    assert_eq!(
        app.client.get("/projects").await.ok(),
        json!([]),
        "a refused job leaves nothing behind"
    );
    app.stop().await;
}

/// What stands for a word is a string: no object of one member, which the library would take too.
#[tokio::test(flavor = "multi_thread")]
async fn words_are_strings_and_the_error_names_their_field() {
    let app = TestApp::on_sqlite().await;
    let project = json!({ "name": "p", "testOrigin": "http://127.0.0.1:9" });
    app.client.post("/projects", project).await.ok();
    for wrong in [
        json!(5),
        json!([]),
        json!(true),
        json!({ "rolling": null, }),
        json!({}),
    ] {
        for field in ["baselinePolicy", "schedule"] {
            let sentence = app
                .client
                .put("/project/p", json!({ field: wrong }))
                .await
                .refused(400, "invalid_input");
            let expected = format!("`{field}` has a wrong value");
            assert!(sentence.contains(&expected), "{wrong}: {sentence}");
        }
        let job = "01935b1e-7f3c-7000-8000-000000000000";
        let scopes = json!({ "name": "k", "scopes": [wrong] });
        let hook = json!({ "url": "http://127.0.0.1:9/", "events": [wrong] });
        let approve =
            json!({ "jobId": job, "url": "http://x/", "variantName": "v", "action": wrong });
        let seen = json!({ "jobId": job, "url": "http://x/", "variantName": "v", "seen": { "triageStatus": wrong } });
        for (path, body, field) in [
            ("/keys", scopes, "`scopes[0]`"),
            ("/webhooks", hook, "`events[0]`"),
            ("/approve", approve, "`action`"),
            ("/approve", seen, "`seen"),
        ] {
            let sentence = app
                .client
                .post(path, body)
                .await
                .refused(400, "invalid_input");
            assert!(sentence.contains(field), "{path} {wrong}: {sentence}");
        }
    }
    let listed = json!({ "captureProfile": [true] });
    let sentence = app
        .client
        .put("/project/p", listed)
        .await
        .refused(400, "invalid_input");
    assert!(
        sentence.contains("`captureProfile` has a wrong value"),
        "{sentence}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_at_the_request_is_told_by_it() {
    let app = TestApp::on_sqlite().await;
    let paths: Vec<Value> = (0..5_001)
        .map(|at| json!({ "path": format!("/{at}") }))
        .collect();
    let many = json!({ "project": "many", "testOrigin": "http://127.0.0.1:9", "devices": ["mobile", "tablet"], "paths": paths });
    let sentence = app
        .client
        .post("/crawl", many)
        .await
        .refused(400, "invalid_input");
    assert!(
        sentence.contains("make 10002 captures; 10000 are the most"),
        "{sentence}"
    );
    let refused = json!({ "project": "p", "url": "http://10.0.0.1/x" });
    let sentence = app
        .client
        .post("/crawl", refused)
        .await
        .refused(400, "invalid_url");
    assert!(sentence.starts_with("`url`: "), "{sentence}");
    let project = json!({ "name": "p", "testOrigin": "http://127.0.0.1:9" });
    app.client.post("/projects", project).await.ok();
    let hour = json!({ "scheduleHourUtc": 3 });
    let sentence = app
        .client
        .put("/project/p", hour)
        .await
        .refused(400, "invalid_input");
    assert!(
        sentence.contains("send `daily` or `weekly` with it"),
        "{sentence}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_requests_get_the_one_error_body() {
    let app = TestApp::on_sqlite().await;
    let send = |body: &'static str| {
        app.client
            .request(Method::POST, "/crawl")
            .bearer_auth(&app.client.key)
            .body(body)
    };
    for (body, expected) in [
        ("{\"project\": ", "not valid JSON"),
        ("", "empty"),
        ("[]", "not what this call takes"),
        ("{} {}", "more than one"),
    ] {
        let sentence = app
            .client
            .send(send(body))
            .await
            .refused(400, "invalid_input");
        assert!(sentence.contains(expected), "{body}: {sentence}");
    }
    app.client.get("/nowhere").await.refused(404, "not_found");
    app.client
        .get("/crawl")
        .await
        .refused(405, "method_not_allowed");
    app.client
        .get("/job/not-an-id")
        .await
        .refused(404, "job_not_found");
    app.client
        .get("/jobs?limit=0")
        .await
        .refused(400, "invalid_input");
    app.client
        .get("/jobs?status=WORKING")
        .await
        .refused(400, "invalid_input");
    let large = json!({ "project": "p", "testOrigin": "http://127.0.0.1:9", "customCss": "x".repeat(3 * 1024 * 1024) });
    app.client
        .post("/crawl", large)
        .await
        .refused(413, "payload_too_large");
    let unknown_field =
        json!({ "project": "p", "testOrigin": "http://127.0.0.1:9", "invented": true });
    app.client.post("/crawl", unknown_field).await.ok();
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_job_has_no_summary_yet() {
    let app = TestApp::with(&["--page-budget-seconds", "3"]).await;
    let site = Site::start().await;
    site.hangs("/");
    let job_id = app
        .client
        .crawl(json!({ "project": "slow", "testOrigin": site.origin }))
        .await;
    for view in ["summary", "words"] {
        app.client
            .get(&format!("/job/{job_id}/{view}"))
            .await
            .refused(400, "job_not_completed");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_open_to_the_network_refuses_loopback_targets() {
    let app = TestApp::with(&["--listen", "0.0.0.0:0"]).await;
    let client = crate::support::client::Client::new(
        format!("http://127.0.0.1:{}", app.service.address.port()),
        app.client.key.clone(),
    );
    let sentence = client
        .post(
            "/crawl",
            json!({ "project": "p", "testOrigin": "http://127.0.0.1:9" }),
        )
        .await
        .refused(400, "invalid_url");
    assert!(sentence.contains("127.0.0.1"), "{sentence}");
    app.stop().await;
}
