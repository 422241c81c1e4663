//! Gate credentials: past the gate of a site, to nobody else, and shown by nothing.

use pentimento::clock::Clock;
use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::gated::Gated;
use crate::support::on_both_databases;
use crate::support::process::ServiceProcess;

/// A kind of credential: what is stored, the header that the gate looks for, and what in it must be there.
type Kind = (Value, (&'static str, &'static str));

/// `sesame` and its forms are the secret of all of them: `YW5hOnNlc2FtZQ==` is `ana:sesame` in base64.
const SECRETS: [&str; 3] = ["sesame", "YW5hOnNlc2FtZQ", "c2VzYW1l"];

fn kinds() -> [Kind; 3] {
    [
        (
            json!({ "basic": { "username": "ana", "password": "sesame" } }),
            ("authorization", "Basic YW5hOnNlc2FtZQ=="),
        ),
        (
            json!({ "headers": { "X-Gate": "sesame" } }),
            ("x-gate", "sesame"),
        ),
        (
            json!({ "cookies": [{ "name": "gate", "value": "sesame" }] }),
            ("cookie", "gate=sesame"),
        ),
    ]
}

#[track_caller]
fn assert_no_secret(text: &str, whose: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{whose} shows {secret}: {text}");
    }
}

/// What a site was sent shows nothing of a credential.
#[track_caller]
fn assert_never_saw_it(site: &Gated) {
    for request in site.received() {
        assert_no_secret(&request.headers, &request.path);
    }
}

async fn create(client: &Client, name: &str, settings: Value) {
    let mut body = json!({ "name": name });
    body.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    client.post("/projects", body).await.ok();
}

#[track_caller]
fn assert_captured(job: &Value, path: &str) {
    let page = result(job, path);
    assert_eq!(page["status"], "SUCCESS", "{page:#}");
}

on_both_databases! {
    async fn a_page_behind_a_gate_is_captured_and_nobody_else_sees_the_credential(app: TestApp) {
        for (number, (credential, key)) in kinds().into_iter().enumerate() {
            let other = Gated::open().await;
            let site = Gated::behind(key, &other).await;
            let name = format!("kind-{number}");
            create(&app.client, &name, json!({ "testOrigin": site.origin, "paths": [{ "path": "/" }, { "path": "/leaves" }] })).await;
            let without = app.client.run_project(&name, json!({})).await;
            assert!(result(&without, "/")["errorMessage"].as_str().unwrap().contains("401"), "{without:#}");

            app.client.put(&format!("/project/{name}"), json!({ "testAuth": credential })).await.ok();
            let job = app.client.run_project(&name, json!({})).await;
            assert_captured(&job, "/");
            for path in ["/inside.png", "/away.png", "/api", "/worker.js", "/from-worker.png"] {
                let asked = site.received().into_iter().rfind(|request| request.path == path);
                let asked = asked.unwrap_or_else(|| panic!("{path} was not asked for: {:?}", site.paths()));
                assert!(asked.headers.contains(key.1), "{path} came without the credential: {}", asked.headers);
            }
            // The site's own cookies go on beside the credential.
            let inside = site.received().into_iter().rfind(|request| request.path == "/inside.png").unwrap();
            assert!(inside.headers.contains("own=1"), "{}", inside.headers);
            // A page that leaves for another host is captured there, without it.
            assert_captured(&job, "/leaves");
            for path in ["/outside.png", "/redirected.png", "/fetched", "/framed", "/landed"] {
                assert!(other.paths().contains(&path.to_owned()), "{path} was not asked for: {:?}", other.paths());
            }
            assert_never_saw_it(&other);
        }
        app.stop().await;
    }

    async fn sitemaps_are_read_through_the_gate_and_not_past_it(app: TestApp) {
        for (number, (credential, key)) in kinds().into_iter().enumerate() {
            let other = Gated::open().await;
            let site = Gated::behind(key, &other).await;
            let name = format!("map-{number}");
            create(&app.client, &name, json!({ "testOrigin": site.origin, "sitemapUrl": format!("{}/sitemap.xml", site.origin), "testAuth": credential })).await;
            let job = app.client.run_project(&name, json!({})).await;
            assert_eq!(job["progress"]["total"], 2, "{job:#}");
            assert_captured(&job, "/two");
            app.client.put(&format!("/project/{name}"), json!({ "sitemapUrl": format!("{}/sitemap-away.xml", site.origin) })).await.ok();
            let job = app.client.run_project(&name, json!({})).await;
            assert_captured(&job, "/two");
            assert!(other.paths().contains(&"/sitemap.xml".to_owned()));
            assert_never_saw_it(&other);
        }
        app.stop().await;
    }

    async fn both_sides_of_a_live_project_have_their_own(app: TestApp) {
        let other = Gated::open().await;
        let test = Gated::behind(("x-gate", "sesame-test"), &other).await;
        let base = Gated::behind(("x-gate", "sesame-base"), &other).await;
        create(&app.client, "live", json!({
            "testOrigin": test.origin, "baseOrigin": base.origin,
            "testAuth": { "headers": { "x-gate": "sesame-test" } }, "baseAuth": { "headers": { "x-gate": "sesame-base" } },
        })).await;
        let job = app.client.run_project("live", json!({})).await;
        assert_captured(&job, "/");
        for (site, others) in [(&test, "sesame-base"), (&base, "sesame-test")] {
            assert!(site.received().iter().all(|request| !request.headers.contains(others)));
        }
        assert_never_saw_it(&other);

        // Another origin than the project's gets no credential, whoever asks for it.
        let stray = Gated::open().await;
        let job = app.client.run(json!({ "project": "live", "testOrigin": stray.origin, "baseOrigin": stray.origin })).await;
        assert_captured(&job, "/");
        assert_never_saw_it(&stray);
        // It goes with its origin.
        let moved = app.client.put("/project/live", json!({ "testOrigin": stray.origin })).await.ok();
        assert!(moved["message"].as_str().unwrap().contains("`testAuth`"), "{moved}");
        let read = app.client.get("/project/live").await.ok();
        assert_eq!((read.get("testAuth"), &read["baseAuth"]), (None, &json!({ "configured": true })));
        app.client.run_project("live", json!({})).await;
        assert_never_saw_it(&stray);
        app.stop().await;
    }

    async fn nothing_that_is_read_or_kept_shows_a_credential(app: TestApp) {
        let other = Gated::open().await;
        for (number, (credential, key)) in kinds().into_iter().enumerate() {
            let site = Gated::behind(key, &other).await;
            let name = format!("quiet-{number}");
            create(&app.client, &name, json!({ "testOrigin": site.origin, "testAuth": credential })).await;
            let saved = app.client.put(&format!("/project/{name}"), json!({ "testAuth": credential, "intent": "x" })).await.ok();
            let job = app.client.run_project(&name, json!({})).await;
            assert_captured(&job, "/");
            let read = app.client.get(&format!("/project/{name}")).await.ok();
            assert_eq!(read["testAuth"], json!({ "configured": true }));
            let summary = app.client.summary(&job).await;
            for answer in [saved, read, job, summary, app.client.get("/projects").await.ok(), app.client.get("/jobs").await.ok()] {
                assert_no_secret(&answer.to_string(), "an answer");
            }
        }
        assert_no_secret(&format!("{:?}", app.audit().await), "the audit log");
        let mut connection = app.service.app.db.read().await.unwrap();
        let stored: Vec<(String, String, String)> = sqlx::query_as("SELECT p.test_auth, p.config, j.config FROM projects p JOIN jobs j ON j.project_id = p.id").fetch_all(&mut *connection).await.unwrap();
        assert_eq!(stored.len(), 3);
        assert!(stored.iter().all(|(sealed, _, _)| sealed.starts_with("v1.")));
        assert_no_secret(&format!("{stored:?}"), "the database");
        drop(connection);
        for wrong in [json!({ "basic": { "username": "sesame" } }), json!("sesame"), json!({ "headers": { "x": 5 }, "token": "sesame" }), json!({ "headers": { "host": "sesame" } })] {
            let sentence = app.client.put("/project/quiet-0", json!({ "testAuth": wrong })).await.refused(400, "invalid_input");
            assert!(sentence.contains("`testAuth`"), "{sentence}");
            assert_no_secret(&sentence, "a refusal");
        }
        app.stop().await;
    }

    async fn a_changed_secret_makes_credentials_unreadable_and_says_what_to_do(app: TestApp) {
        let other = Gated::open().await;
        let (credential, key) = kinds()[0].clone();
        let site = Gated::behind(key, &other).await;
        create(&app.client, "sealed", json!({ "testOrigin": site.origin, "testAuth": credential })).await;
        let app = app.restarted(&["--secret", "quite another secret of some length"], Clock::System).await;
        let job = app.client.run_project("sealed", json!({})).await;
        let message = result(&job, "/")["errorMessage"].as_str().unwrap().to_owned();
        for part in ["test origin", "secret was changed", "`testAuth`", "PUT /project/sealed", "PENTIMENTO_SECRET"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(site.received().is_empty(), "the page is not opened in vain");
        app.client.put("/project/sealed", json!({ "sitemapUrl": format!("{}/sitemap.xml", site.origin) })).await.ok();
        let failed = app.client.run_project("sealed", json!({})).await;
        assert!(failed["error"].as_str().unwrap().contains("secret was changed"), "{failed:#}");
        app.client.put("/project/sealed", json!({ "testAuth": credential, "sitemapUrl": null })).await.ok();
        assert_captured(&app.client.run_project("sealed", json!({})).await, "/");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_most_talkative_log_shows_no_credential() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let file = std::fs::File::create(&log).unwrap();
    let level = "trace,chromiumoxide::conn=trace,tungstenite::protocol=trace";
    let service =
        ServiceProcess::start_logging(&folder.path().join("data"), None, level, file.into());
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    let other = Gated::open().await;
    for (number, (credential, key)) in kinds().into_iter().enumerate() {
        let site = Gated::behind(key, &other).await;
        let name = format!("log-{number}");
        create(&client, &name, json!({ "testOrigin": site.origin, "sitemapUrl": format!("{}/sitemap.xml", site.origin), "testAuth": credential })).await;
        assert_captured(&client.run_project(&name, json!({})).await, "/two");
    }
    drop(service);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(
        text.contains("TRACE") && text.contains("DEBUG"),
        "the log is talkative"
    );
    for line in text.lines() {
        assert_no_secret(line, "the log");
    }
}
