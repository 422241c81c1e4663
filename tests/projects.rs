//! Saving projects, what invalidates their baselines, and running them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::result;
use crate::support::model::{Behaviour, Model};
use crate::support::on_both_databases;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};

/// A project with every field that its baselines depend on.
fn full(name: &str) -> Value {
    json!({
        "name": name, "testOrigin": "http://test.example", "baseOrigin": "http://base.example",
        "sitemapUrl": "http://test.example/sitemap.xml", "paths": [{ "path": "/", "label": "Home" }, { "path": "/b", "label": "" }],
        "scans": [{ "pattern": "/docs/**", "options": null }], "devices": ["mobile", "iPhone 13"], "masks": [".ad", ".clock"],
        "customCss": "a{}", "concurrency": 3,
        "testAuth": { "basic": { "username": "ana", "password": "sesame" } }, "baseAuth": { "headers": { "x-gate": "sesame" } },
    })
}

/// What a PUT of one field does to the baselines.
fn rows() -> Vec<(&'static str, Value, bool)> {
    let basic = |password: &str| json!({ "basic": { "username": "ana", "password": password } });
    vec![
        ("testOrigin", json!("http://test.example"), false),
        ("testOrigin", json!("http://TEST.example:80/"), false),
        ("baseOrigin", json!("http://base.example"), false),
        (
            "sitemapUrl",
            json!("http://test.example/sitemap.xml"),
            false,
        ),
        (
            "paths",
            json!([{ "path": "/b", "label": "Other" }, { "path": "/" }]),
            false,
        ),
        (
            "scans",
            json!([{ "pattern": "/docs/**", "options": { "exclude": [] } }]),
            false,
        ),
        ("devices", json!(["IPHONE 13", "Mobile"]), false),
        ("masks", json!([".clock", ".ad", ".ad"]), false),
        ("customCss", json!("a{}"), false),
        ("testAuth", basic("sesame"), false),
        ("testAuth", json!({ "configured": true }), false),
        (
            "baseAuth",
            json!({ "headers": { "x-gate": "sesame" } }),
            false,
        ),
        ("concurrency", json!(7), false),
        ("baselinePolicy", json!("rolling"), false),
        ("schedule", json!("daily"), false),
        ("scheduleHourUtc", json!(4), false),
        ("intent", json!("Prices rise."), false),
        ("environment", json!("staging"), false),
        ("baseEnvironment", json!("production"), false),
        ("aiPromptInstructions", json!("Be brief."), false),
        ("aiSummaryThreshold", json!(0.5), false),
        ("diffThreshold", json!(0.1), false),
        ("unknownField", json!(1), false),
        ("testOrigin", json!("https://test.example"), true),
        ("baseOrigin", json!("http://other.example"), true),
        ("sitemapUrl", json!(null), true),
        ("paths", json!([{ "path": "/" }]), true),
        (
            "scans",
            json!([{ "pattern": "/docs/**", "options": { "limit": 3 } }]),
            true,
        ),
        (
            "scans",
            json!([{ "pattern": "/docs/**", "options": { "limit": 3, "exclude": ["/docs/old/**"] } }]),
            true,
        ),
        ("scans", json!([]), true),
        ("devices", json!(["mobile"]), true),
        ("masks", json!(null), true),
        ("customCss", json!("b{}"), true),
        ("testAuth", basic("another"), true),
        (
            "baseAuth",
            json!({ "cookies": [{ "name": "gate", "value": "1" }] }),
            true,
        ),
        ("testAuth", json!(null), true),
    ]
}

on_both_databases! {
    async fn only_what_captures_depend_on_invalidates_baselines(app: TestApp) {
        let made = app.client.post("/projects", full("table")).await.ok();
        let mut version = made["project"]["baselineVersion"].clone();
        for (field, value, invalidates) in rows() {
            // An origin that changes takes its credential along, so it is sent again.
            let again = json!({ "basic": { "username": "ana", "password": "sesame" } });
            let mut body = json!({ field: value });
            if field == "testOrigin" {
                body["testAuth"] = again;
            }
            let saved = app.client.put("/project/table", body.clone()).await.ok()["project"].clone();
            assert_eq!(saved["baselineVersion"] != version, invalidates, "{body}: {saved}");
            version = saved["baselineVersion"].clone();
        }
        let audited = app.audited("project.update").await;
        let last = audited.last().unwrap();
        assert_eq!((&last["changed"], &last["invalidated"]), (&json!(["testAuth"]), &json!(["testAuth"])));
        app.stop().await;
    }

    async fn an_answer_has_its_stated_shape_and_what_does_not_change_is_not_touched(app: TestApp) {
        let made = app.client.post("/projects", full("shape")).await.ok();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&made), ["message", "project"]);
        assert_eq!(keys(&made["project"]), ["baseOrigin", "baselineVersion", "name", "sitemapUrl", "testOrigin", "updatedAt"]);
        let same = app.client.put("/project/shape", json!({ "masks": [".clock", ".ad"], "concurrency": 3, "testOrigin": "http://test.example" })).await.ok();
        assert_eq!(same["project"]["baselineVersion"], made["project"]["baselineVersion"]);
        let changed = app.client.put("/project/shape", json!({ "masks": [] })).await.ok();
        assert_eq!(keys(&changed["project"]), ["baseOrigin", "baselineInvalidatedAt", "baselineVersion", "name", "sitemapUrl", "testOrigin", "updatedAt"]);
        assert!(changed["project"].as_object().unwrap().values().all(Value::is_string));
        assert!(changed["message"].as_str().unwrap().contains("masks"), "{changed}");
        let touched = app.client.get("/project/shape").await.ok();
        for same in [json!({}), touched.clone(), json!({ "diffThreshold": 0.0, "aiSummaryThreshold": 0.01 })] {
            let nothing = app.client.put("/project/shape", same).await.ok();
            assert_eq!(nothing["project"]["updatedAt"], touched["updatedAt"]);
        }
        app.stop().await;
    }

    async fn every_field_is_read_back_and_null_clears(app: TestApp) {
        let key = app.client_with("main", &["run"]).await;
        app.client.post("/projects", full("all")).await.ok();
        let key_id = app.key_id("main run").await;
        let settings = json!({
            "baselinePolicy": "rolling", "schedule": "weekly", "scheduleHourUtc": 5, "scheduleKeyId": key_id, "environment": "staging",
            "baseEnvironment": "production", "intent": "Prices rise.", "aiPromptInstructions": "Be brief.", "aiSummaryThreshold": 1.5, "diffThreshold": 0.2,
        });
        app.client.put("/project/all", settings.clone()).await.ok();
        let read = app.client.get("/project/all").await.ok();
        let mut expected = full("all");
        for (field, value) in settings.as_object().unwrap() {
            expected[field] = value.clone();
        }
        expected["testAuth"] = json!({ "configured": true });
        expected["baseAuth"] = json!({ "configured": true });
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&read[field], value, "{field}");
        }
        assert!(read["nextScheduledRunAt"].as_str().unwrap().contains("T05:00:00"));
        // What was read may be sent back as it is.
        let again = app.client.put("/project/all", read.clone()).await.ok();
        assert_eq!(again["message"], "Nothing differs from what is stored.");

        let nulls: Value = settings.as_object().unwrap().keys().map(|field| (field.clone(), Value::Null)).collect::<serde_json::Map<_, _>>().into();
        app.client.put("/project/all", nulls).await.ok();
        app.client.put("/project/all", json!({ "baseOrigin": null, "sitemapUrl": null, "paths": null, "scans": null, "devices": null, "masks": null, "customCss": null, "concurrency": null, "testAuth": null })).await.ok();
        let read = app.client.get("/project/all").await.ok();
        let of = |field: &str| read.get(field).cloned();
        for field in ["baseOrigin", "sitemapUrl", "customCss", "schedule", "scheduleHourUtc", "scheduleKeyId", "environment", "intent", "testAuth", "baseAuth", "aiPromptInstructions", "nextScheduledRunAt"] {
            assert_eq!(of(field), None, "{field}");
        }
        for (field, value) in [
            ("paths", json!([])), ("devices", json!(["Desktop Chrome"])), ("concurrency", json!(4)), ("baselinePolicy", json!("approved")),
            ("aiSummaryThreshold", json!(0.01)), ("diffThreshold", json!(0.0)),
        ] {
            assert_eq!(of(field), Some(value), "{field}");
        }
        drop(key);
        app.stop().await;
    }

    async fn names_scopes_and_strangers_are_told_apart(app: TestApp) {
        let project = json!({ "name": "mine", "testOrigin": "http://test.example" });
        app.client.post("/projects", project.clone()).await.ok();
        let taken = app.client.post("/projects", project.clone()).await.refused(400, "invalid_input");
        assert!(taken.contains("`name`") && taken.contains("mine"), "{taken}");
        for (body, expected) in [
            (json!({ "testOrigin": "http://test.example" }), "name"),
            (json!({ "name": "sp ace", "testOrigin": "http://test.example" }), "`name`"),
            (json!({ "name": "bare" }), "`testOrigin` is missing"),
            (json!({ "name": "bad", "testOrigin": "http://test.example", "concurrency": "x" }), "`concurrency`"),
        ] {
            let sentence = app.client.post("/projects", body).await.refused(400, "invalid_input");
            assert!(sentence.contains(expected), "{sentence}");
        }
        let runner = app.client_with("main", &["read", "run"]).await;
        runner.post("/projects", json!({ "name": "x", "testOrigin": "http://test.example" })).await.refused(403, "forbidden");
        runner.put("/project/mine", json!({ "intent": "x" })).await.refused(403, "forbidden");
        let admin = app.client_with("main", &["admin"]).await;
        admin.post("/project/mine/run", json!({})).await.refused(403, "forbidden");
        let stranger = app.client_with("other", &["read", "run", "admin"]).await;
        stranger.put("/project/mine", json!({ "intent": "x" })).await.refused(404, "project_not_found");
        stranger.post("/project/mine/run", json!({})).await.refused(404, "project_not_found");
        stranger.post("/projects", project).await.ok();
        app.client.put("/project/none", json!({})).await.refused(404, "project_not_found");
        assert_eq!(app.audited("project.create").await.len(), 2);
        app.stop().await;
    }

    async fn a_run_takes_the_stored_configuration_and_applies_no_other(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        site.page("/b", "silver", "");
        let project = json!({ "name": "run", "testOrigin": site.origin, "paths": [{ "path": "/" }, { "path": "/b" }], "devices": ["mobile", "tablet"], "masks": [".ad"], "concurrency": 2 });
        app.client.post("/projects", project).await.ok();
        let bodiless = app.client.request(reqwest::Method::POST, "/project/run/run").bearer_auth(&app.client.key);
        let started = app.client.send(bodiless).await.ok();
        let first = app.client.wait(started["jobId"].as_str().unwrap()).await;
        assert_eq!((&first["status"], &first["comparisonMode"], &first["progress"]["total"]), (&json!("COMPLETED"), &json!("managed"), &json!(4)));

        let same = json!({ "testOrigin": site.origin, "devices": ["Tablet", "mobile"], "paths": [{ "path": "/b", "label": "x" }, { "path": "/" }], "masks": [".ad"], "scans": [], "customCss": "", "concurrency": 2, "runContext": { "prTitle": "A title" } });
        let second = app.client.run_project("run", same).await;
        assert_eq!(app.client.summary(&second).await["runContext"]["prTitle"], "A title");
        assert!(second["results"].as_array().unwrap().iter().all(|page| page["changed"] == false && page["isNewBaseline"] == false));

        let other = json!({ "concurrency": 3, "masks": [".banner"], "baseOrigin": "http://127.0.0.1:9", "customCss": "a{}", "testOrigin": "http://127.0.0.1:9", "url": "http://127.0.0.1:9/" });
        let sentence = app.client.post("/project/run/run", other).await.refused(400, "config_mismatch");
        for part in ["`concurrency` was sent as 3 and is stored as 2", "`masks`", ".banner", ".ad", "`baseOrigin`", "nothing", "`customCss`", "`testOrigin`", &site.origin, "`url`", "PUT /project/run"] {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
        let stored = app.client.get("/project/run").await.ok();
        assert_eq!((&stored["concurrency"], &stored["masks"]), (&json!(2), &json!([".ad"])));
        for (body, code) in [
            (json!({ "url": "nonsense" }), "invalid_url"),
            (json!({ "testOrigin": "ftp://x" }), "invalid_url"),
            (json!({ "devices": ["nokia"] }), "invalid_input"),
            (json!({ "concurrency": 0 }), "invalid_input"),
        ] {
            app.client.post("/project/run/run", body).await.refused(400, code);
        }
        app.client.post("/project/none/run", json!({})).await.refused(404, "project_not_found");
        let unresolved = json!({ "name": "gone", "testOrigin": "http://no-such-host.invalid" });
        app.client.post("/projects", unresolved).await.ok();
        app.client.post("/project/gone/run", json!({})).await.refused(400, "invalid_url");

        let one = app.client.run_project("run", json!({ "url": format!("{}/b", site.origin) })).await;
        assert_eq!(one["progress"]["total"], 2, "one page on two devices");
        assert_eq!(result(&one, "/b")["changed"], false);
        app.stop().await;
    }

    async fn a_project_with_a_base_origin_runs_live_and_a_rolling_one_promotes(app: TestApp) {
        let (site, base) = (Site::start().await, Site::start().await);
        site.page("/", "teal", "");
        base.page("/", "maroon", "");
        app.client.post("/projects", json!({ "name": "live", "testOrigin": site.origin, "baseOrigin": base.origin })).await.ok();
        for job in [app.client.run_project("live", json!({})).await, app.client.run(json!({ "project": "live" })).await] {
            assert_eq!((&job["comparisonMode"], &result(&job, "/")["changed"]), (&json!("live"), &json!(true)));
        }
        app.client.post("/projects", json!({ "name": "rolls", "testOrigin": site.origin, "baselinePolicy": "rolling" })).await.ok();
        app.client.run_project("rolls", json!({})).await;
        site.page("/", "gold", "");
        let changed = app.client.run_project("rolls", json!({})).await;
        assert_eq!((&changed["status"], &result(&changed, "/")["triageStatus"]), (&json!("APPROVED"), &json!("approved")));
        let next = app.client.run_project("rolls", json!({})).await;
        assert_eq!(result(&next, "/")["changed"], false);
        app.stop().await;
    }

    async fn invalid_baselines_are_captured_anew(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        app.client.post("/projects", json!({ "name": "anew", "testOrigin": site.origin })).await.ok();
        app.client.run_project("anew", json!({})).await;
        app.client.put("/project/anew", json!({ "concurrency": 1 })).await.ok();
        let kept = app.client.run_project("anew", json!({})).await;
        assert_eq!(result(&kept, "/")["isNewBaseline"], false);
        app.client.put("/project/anew", json!({ "customCss": "body{color:red}" })).await.ok();
        site.page("/", "maroon", "");
        let anew = app.client.run_project("anew", json!({})).await;
        assert_eq!((&result(&anew, "/")["isNewBaseline"], &result(&anew, "/")["changed"]), (&json!(true), &json!(false)));
        let next = app.client.run_project("anew", json!({})).await;
        assert_eq!((&result(&next, "/")["isNewBaseline"], &result(&next, "/")["changed"]), (&json!(false), &json!(false)));
        app.stop().await;
    }

    async fn a_run_of_a_former_configuration_takes_no_baseline_from_a_newer_run(app: TestApp) {
        let site = Site::start().await;
        site.after("/", "/go", "text/html", b"<p>Welcome".to_vec());
        let client = &app.client;
        let former = client.crawl(json!({ "project": "shop", "testOrigin": site.origin })).await;
        site.asked_for("/").await;
        client.put("/project/shop", json!({ "customCss": "p { color: red }" })).await.ok();
        let newer = client.init("shop", &site.origin).await;
        client.upload(&newer, &format!("{}/", site.origin), picture([0, 128, 128], 3), &tree("Welcome")).await;
        let newer = client.finish(&newer).await;
        assert_eq!(result(&newer, "/")["isNewBaseline"], true);
        client.send(client.request_to(Method::GET, &format!("{}/go", site.origin))).await;
        let former = client.wait(&former).await;
        let page = result(&former, "/");
        assert_eq!(page["status"], "ERROR", "{page}");
        let why = page["errorMessage"].as_str().unwrap();
        assert!(why.contains("configuration was changed while this job ran") && why.contains("Run the project again"), "{why}");
        let next = client.init("shop", &site.origin).await;
        client.upload(&next, &format!("{}/", site.origin), picture([0, 128, 128], 3), &tree("Welcome")).await;
        let next = client.finish(&next).await;
        let page = result(&next, "/");
        assert_eq!((&page["isNewBaseline"], &page["changed"]), (&json!(false), &json!(false)), "the newer baseline stands");
        app.stop().await;
    }

    async fn a_page_below_the_threshold_is_a_match_unless_its_document_changed(app: TestApp) {
        let site = Site::start().await;
        drawing(&site, 40, "");
        app.client.post("/projects", json!({ "name": "small", "testOrigin": site.origin, "diffThreshold": 5 })).await.ok();
        app.client.run_project("small", json!({})).await;
        drawing(&site, 60, "");
        let below = app.client.run_project("small", json!({})).await;
        let page = result(&below, "/");
        assert_eq!((&page["changed"], &page["verdict"]), (&json!(false), &json!(null)), "{page:#}");
        assert!(page["diffPercentage"].as_f64().unwrap() > 0.0);
        assert_eq!(app.client.summary(&below).await["matchCount"], 1);
        app.client.put("/project/small", json!({ "diffThreshold": 0 })).await.ok();
        let above = app.client.run_project("small", json!({})).await;
        assert_eq!(result(&above, "/")["changed"], true);
        app.client.put("/project/small", json!({ "diffThreshold": 5 })).await.ok();
        drawing(&site, 40, "<p>News</p>");
        let edited = app.client.run_project("small", json!({})).await;
        assert_eq!(result(&edited, "/")["changed"], true, "the document changed");
        app.stop().await;
    }
}

/// A page whose picture changes without its document: a canvas with a square of so many pixels.
fn drawing(site: &Site, extent: u32, body: &str) {
    site.content(
        "/draw.js",
        200,
        "text/javascript",
        format!(
            "document.querySelector('canvas').getContext('2d').fillRect(0, 0, {extent}, {extent})"
        )
        .into_bytes(),
    );
    site.page(
        "/",
        "silver",
        &format!("<canvas width=100 height=100></canvas>{body}<script src=/draw.js></script>"),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_model_describes_nothing_below_its_threshold() {
    let model = Model::start(Behaviour::Honest).await;
    let flags = [
        "--language-model-url",
        &model.base,
        "--language-model",
        "small",
        "--language-model-key",
        "sk-test",
    ];
    let app = App::with(&flags).await;
    let site = Site::start().await;
    drawing(&site, 40, "");
    app.client
        .post("/projects", json!({ "name": "quiet", "testOrigin": site.origin, "aiSummaryThreshold": 5, "intent": "The square grows" }))
        .await
        .ok();
    app.client.run_project("quiet", json!({})).await;
    drawing(&site, 60, "");
    let job = app.client.run_project("quiet", json!({})).await;
    let page = result(&job, "/");
    assert_eq!(
        (page["changed"].as_bool(), page["verdict"]["basis"].as_str()),
        (Some(true), Some("measured"))
    );
    assert!(
        !page["serviceSummary"].as_array().unwrap().is_empty(),
        "what was measured is told all the same"
    );
    describe_again(&app, &job).await;
    assert!(model.asked().is_empty());
    app.client
        .put("/project/quiet", json!({ "aiSummaryThreshold": null }))
        .await
        .ok();
    let job = app.client.run_project("quiet", json!({})).await;
    describe_again(&app, &job).await;
    assert!(!model.asked().is_empty());
    app.stop().await;
}

async fn describe_again(app: &App, job: &Value) {
    let path = format!("/job/{}/ai-summary", job["jobId"].as_str().unwrap());
    app.client.post(&path, json!({})).await.ok();
}
