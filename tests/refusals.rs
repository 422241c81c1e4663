//! The one body of every refusal, on every way to get one: each stable code, its status, and its media type; that the table of
//! codes tells them all; and that no answer ever leads elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pentimento::clock::Clock;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// The status that comes with a stable code.
fn status_of(code: &str) -> u16 {
    match code {
        "unauthorized" => 401,
        "forbidden" => 403,
        "job_not_found" | "project_not_found" | "not_found" => 404,
        "method_not_allowed" => 405,
        "baseline_moved" => 409,
        "precondition_failed" => 412,
        "payload_too_large" => 413,
        "rate_limited" => 429,
        "internal" => 500,
        _ => 400,
    }
}

/// Checks a refusal whole, and returns its code.
#[track_caller]
fn check(what: &str, status: u16, media_type: &str, body: &Value) -> String {
    assert_eq!(media_type, "application/json", "{what}: {body}");
    let code = body["code"].as_str().expect("a code").to_owned();
    let sentence = body["error"].as_str().expect("a sentence");
    assert!(
        sentence.len() > 10 && sentence.ends_with('.'),
        "{what}: {sentence}"
    );
    let fields: Vec<&str> = body
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = if code == "baseline_moved" {
        vec!["code", "conflictedUrls", "error"]
    } else {
        vec!["code", "error"]
    };
    assert_eq!(fields, expected, "{what}");
    assert_eq!(status, status_of(&code), "{what}: {body}");
    code
}

async fn refusal(what: &str, response: Response) -> String {
    let status = response.status().as_u16();
    let media_type = response
        .headers()
        .get("content-type")
        .map(|value| value.to_str().unwrap().to_owned());
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{what}: no JSON: {text}"));
    check(what, status, &media_type.unwrap_or_default(), &body)
}

/// A job of one page in one colour.
async fn job(app: &App, project: &str, colour: [u8; 3]) -> String {
    let id = app.client.init(project, ORIGIN).await;
    app.client
        .upload(
            &id,
            &format!("{ORIGIN}/"),
            picture(colour, 3),
            &tree("Page"),
        )
        .await;
    app.client.finish(&id).await;
    id
}

on_both_databases! {
    async fn every_stable_code_comes_in_the_one_body(app: TestApp) {
        let reader = app.client_with("main", &["read"]).await;
        job(&app, "codes", [0, 0, 0]).await;
        let (older, newer) = (job(&app, "codes", [200, 0, 0]).await, job(&app, "codes", [0, 200, 0]).await);
        app.client.post("/approve", json!({ "jobId": newer })).await.ok();
        let open = app.client.init("codes", ORIGIN).await;
        let nobody = "01900000-0000-7000-8000-000000000000";
        let link = app.client.links(&open, ORIGIN).await.screenshot;
        let link = link.strip_prefix(&app.client.base).unwrap().to_owned();
        let unsigned = link.split('?').next().unwrap().to_owned();
        let body = |body: Value| body.to_string();
        let rows: Vec<(&str, String, String)> = vec![
            ("POST", "/crawl".into(), "{\"project\": ".into()),
            ("POST", "/crawl".into(), body(json!({}))),
            ("POST", "/crawl".into(), body(json!({ "project": "p", "testOrigin": "ftp://x" }))),
            ("POST", "/project/codes/run".into(), body(json!({ "concurrency": 9 }))),
            ("POST", "/project/none/run".into(), "{}".into()),
            ("GET", "/project/none".into(), String::new()),
            ("GET", format!("/job/{nobody}"), String::new()),
            ("GET", format!("/job/{open}/summary"), String::new()),
            ("POST", "/ci/job/finalize".into(), body(json!({ "jobId": newer }))),
            ("POST", "/approve".into(), body(json!({ "jobId": newer, "where": { "decision": ["fine"] } }))),
            ("POST", "/approve".into(), body(json!({ "jobId": newer, "where": { "decision": ["bug"] }, "url": "http://x/", "variantName": "y" }))),
            ("POST", "/approve".into(), body(json!({ "jobId": older }))),
            ("POST", "/ci/job/finalize".into(), body(json!({ "jobId": open, "padding": "x".repeat(70_000) }))),
            ("GET", "/nowhere".into(), String::new()),
            ("GET", "/app/gone-0123456789.js".into(), String::new()),
            ("DELETE", "/crawl".into(), String::new()),
            ("PATCH", "/projects".into(), String::new()),
            ("GET", link.clone(), String::new()),
            ("PUT", link.replace("sig=", "sig=A"), "x".into()),
            ("PUT", unsigned, "x".into()),
            ("GET", "/inspect/x?exp=1&sig=x".into(), String::new()),
            ("GET", "/blob/x".into(), String::new()),
            ("GET", "/jobs?limit=x".into(), String::new()),
        ];
        let mut codes = BTreeSet::new();
        for (method, path, body) in rows {
            let request = app.client.request(method.parse().unwrap(), &path).bearer_auth(&app.client.key);
            let request = if body.is_empty() { request } else { request.header("content-type", "application/json").body(body) };
            codes.insert(refusal(&format!("{method} {path}"), request.send().await.unwrap()).await);
        }
        let bare = app.client.request(Method::GET, "/projects").send().await.unwrap();
        codes.insert(refusal("no key", bare).await);
        let moved = app.client.request(Method::PUT, "/project/codes").bearer_auth(&app.client.key).header("if-match", "\"former\"").json(&json!({}));
        codes.insert(refusal("another state than was seen", moved.send().await.unwrap()).await);
        let lacking = app.client.request(Method::PUT, "/project/codes").bearer_auth(&reader.key).json(&json!({})).send().await.unwrap();
        codes.insert(refusal("a key without the scope", lacking).await);

        let rename = async |from: &str, to: &str| {
            let sql = sqlx::AssertSqlSafe(format!("ALTER TABLE {from} RENAME TO {to}"));
            let mut tx = app.service.app.db.begin().await.unwrap();
            sqlx::query(sql).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        };
        rename("idempotency_keys", "gone").await;
        let call = app.client.request(Method::POST, "/crawl").bearer_auth(&app.client.key).header("idempotency-key", "once");
        let failed = call.json(&json!({ "project": "p", "testOrigin": "http://127.0.0.1:9" })).send().await.unwrap();
        codes.insert(refusal("a table is gone", failed).await);
        rename("gone", "idempotency_keys").await;

        let app = app.restarted(&["--rate-limit-per-minute", "1", "--rate-limit-burst", "1"], Clock::System).await;
        app.client.get("/projects").await.ok();
        let often = app.client.request(Method::GET, "/projects").bearer_auth(&app.client.key).send().await.unwrap();
        codes.insert(refusal("too often", often).await);

        let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
        let all = description["components"]["schemas"]["ErrorCode"]["enum"].as_array().unwrap();
        let all: BTreeSet<String> = all.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
        assert_eq!(all.len(), 18);
        assert_eq!(codes, all);
        app.stop().await;
    }
}

#[test]
fn the_table_of_codes_tells_each_with_its_status() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace's folder");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let sentences: BTreeMap<String, String> =
        serde_json::from_str(&read("server/src/routes/docs/errors.json")).unwrap();
    let expected: Vec<(String, u16)> = sentences
        .into_keys()
        .map(|code| {
            let status = status_of(&code);
            (code, status)
        })
        .collect();
    let page = read("docs/limits.md");
    let codes = page
        .split("\n## ")
        .find(|section| section.starts_with("Codes\n"))
        .expect("a section on codes");
    let mut told: Vec<(String, u16)> = codes
        .lines()
        .filter_map(|line| {
            let (code, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
            let (status, _) = rest.split_once(" | ")?;
            Some((code.to_owned(), status.parse().expect("a status")))
        })
        .collect();
    told.sort();
    assert_eq!(told, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_redirects() {
    let app = App::on_sqlite().await;
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let described = description["paths"].as_object().unwrap().keys().cloned();
    let others = ["/", "/app", "/app/jobs", "/docs", "/nowhere"].map(str::to_owned);
    let mut answered = 0;
    for path in described.chain(others) {
        assert!(
            !path.starts_with("/v1"),
            "no path carries a version: {path}"
        );
        for path in [path.clone(), format!("{path}/"), format!("/{path}")] {
            for method in [
                Method::GET,
                Method::HEAD,
                Method::POST,
                Method::PUT,
                Method::DELETE,
            ] {
                let request = app
                    .client
                    .request(method.clone(), &path)
                    .bearer_auth(&app.client.key);
                let status = request.send().await.unwrap().status();
                assert!(!status.is_redirection(), "{method} {path}: {status}");
                answered += 1;
            }
        }
    }
    assert!(answered > 300, "{answered}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_not_ready_says_so_as_every_refusal_does() {
    let app = App::with(&["--browser", "/nowhere/chromium"]).await;
    let answer = app
        .client
        .send(app.client.request(Method::GET, "/readyz"))
        .await;
    assert!(answer.refused(503, "internal").contains("not ready"));
    app.stop().await;
}
