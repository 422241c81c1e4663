//! Calls with an `Idempotency-Key`: sent again they give the first answer again, and nothing is done twice.

use std::collections::HashSet;

use pentimento::db::idempotency::{CallName, claim_call};
use pentimento::tasks::clean_up::clean_up;
use reqwest::Method;
use serde_json::{Value, json};

use crate::schedule::at;
use crate::support::app::TestApp as App;
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

/// Nothing listens there, so that jobs end quickly.
const ORIGIN: &str = "http://127.0.0.1:9";

/// How many jobs there are, of whatever organization.
async fn count_jobs(app: &App) -> i64 {
    count(app, "SELECT COUNT(*) FROM jobs").await
}

async fn count_kept(app: &App) -> i64 {
    count(app, "SELECT COUNT(*) FROM idempotency_keys").await
}

async fn count(app: &App, sql: &'static str) -> i64 {
    let mut connection = app.service.app.db.read().await.unwrap();
    sqlx::query_scalar(sql)
        .fetch_one(&mut *connection)
        .await
        .unwrap()
}

on_both_databases! {
    async fn the_first_answer_comes_again(app: TestApp) {
        let crawl = json!({ "project": "shop", "testOrigin": ORIGIN });
        let init = json!({ "project": "shots", "testOrigin": ORIGIN });
        app.client.post("/projects", json!({ "name": "saved", "testOrigin": ORIGIN })).await.ok();
        for (path, body) in [("/crawl", &crawl), ("/ci/job/init", &init), ("/project/saved/run", &json!({}))] {
            let before = count_jobs(&app).await;
            let first = app.client.post_once(path, "7f1c", body).await.ok();
            let again = app.client.post_once(path, "7f1c", body).await.ok();
            assert_eq!(first, again, "{path}");
            assert_eq!(count_jobs(&app).await, before + 1, "{path}");
            // Another key, and none, mean another job.
            let other = app.client.post_once(path, "7f1d", body).await.ok();
            let without = app.client.post(path, body.clone()).await.ok();
            let ids = HashSet::from([&first, &other, &without].map(|answer| answer["jobId"].to_string()));
            assert_eq!(ids.len(), 3, "{path}");
        }
        // The order of fields, and fields that are ignored, make no other body.
        let mut extra = json!({ "invented": 1, "testOrigin": ORIGIN, "project": "shop" });
        let first = app.client.post_once("/crawl", "7f1c", &crawl).await.ok();
        assert_eq!(app.client.post_once("/crawl", "7f1c", &extra).await.ok(), first);
        extra["autoApprove"] = true.into();
        let sentence = app.client.post_once("/crawl", "7f1c", &extra).await.refused(400, "invalid_input");
        assert!(sentence.contains("`Idempotency-Key` was used for a call with another body"), "{sentence}");
        app.stop().await;
    }

    async fn finalizing_again_is_answered_as_before(app: TestApp) {
        let init = json!({ "project": "shots", "testOrigin": ORIGIN });
        let job = app.client.post("/ci/job/init", init).await.ok()["jobId"].clone();
        let finalize = json!({ "jobId": job });
        // Refused, so that it is not remembered: it may be mended and sent again.
        app.client.post_once("/ci/job/finalize", "end", &finalize).await.refused(400, "invalid_state");
        app.client.upload(job.as_str().unwrap(), "http://localhost/", picture([0; 3], 3), &tree("Text")).await;
        let first = app.client.post_once("/ci/job/finalize", "end", &finalize).await.ok();
        app.client.wait(job.as_str().unwrap()).await;
        assert_eq!(app.client.post_once("/ci/job/finalize", "end", &finalize).await.ok(), first);
        app.client.post("/ci/job/finalize", finalize).await.refused(400, "invalid_state");
        app.stop().await;
    }

    async fn thirty_two_equal_calls_at_once_start_one_job(app: TestApp) {
        for (path, body) in [
            ("/crawl", json!({ "project": "crowd", "testOrigin": ORIGIN })),
            ("/ci/job/init", json!({ "project": "crowd", "testOrigin": ORIGIN })),
            ("/project/crowd/run", json!({})),
        ] {
            let before = count_jobs(&app).await;
            let calls = (0..32).map(|_| app.client.post_once(path, "at-once", &body));
            let answers: Vec<Value> = futures::future::join_all(calls).await.into_iter().map(crate::support::client::Answer::ok).collect();
            assert!(answers.iter().all(|answer| answer == &answers[0]), "{path}: {answers:?}");
            assert_eq!(count_jobs(&app).await, before + 1, "{path}");
        }
        app.stop().await;
    }

    async fn names_belong_to_an_organization_and_an_address(app: TestApp) {
        let body = json!({ "project": "shop", "testOrigin": ORIGIN });
        let mine = app.client.post_once("/crawl", "same", &body).await.ok();
        let stranger = app.client_with("other", &["read", "run"]).await;
        let theirs = stranger.post_once("/crawl", "same", &body).await.ok();
        assert_ne!(mine["jobId"], theirs["jobId"]);
        stranger.get(&format!("/job/{}", theirs["jobId"].as_str().unwrap())).await.ok();
        let elsewhere = app.client.post_once("/ci/job/init", "same", &body).await.ok();
        assert_ne!(mine["jobId"], elsewhere["jobId"]);
        // The rights of whoever asks are checked each time; another key of the organization may ask.
        app.client_with("main", &["read"]).await.post_once("/crawl", "same", &body).await.refused(403, "forbidden");
        assert_eq!(app.client_with("main", &["run"]).await.post_once("/crawl", "same", &body).await.ok(), mine);
        app.stop().await;
    }

    async fn what_was_refused_may_be_mended_and_what_was_accepted_stays(app: TestApp) {
        let wrong = json!({ "project": "shop", "testOrigin": ORIGIN, "devices": ["iPhone13"] });
        app.client.post_once("/crawl", "mend", &wrong).await.refused(400, "invalid_input");
        let right = json!({ "project": "shop", "testOrigin": ORIGIN, "devices": ["iPhone 13"] });
        let first = app.client.post_once("/crawl", "mend", &right).await.ok();
        // The project has another configuration by now, so that the same crawl would be refused as a new call.
        app.client.put("/project/shop", json!({ "devices": ["mobile"] })).await.ok();
        app.client.post("/crawl", right.clone()).await.refused(400, "config_mismatch");
        assert_eq!(app.client.post_once("/crawl", "mend", &right).await.ok(), first);
        app.stop().await;
    }

    async fn a_call_that_dies_frees_its_name(app: TestApp) {
        let keys = app.client.get("/projects").await.ok();
        assert_eq!(keys, json!([]));
        let state = &app.service.app;
        let organization: String = sqlx::query_scalar("SELECT id FROM organizations").fetch_one(&mut *state.db.read().await.unwrap()).await.unwrap();
        let call = CallName { organization_id: &organization, route: "POST /crawl", idempotency_key: "dies" };
        let mut tx = state.db.begin().await.unwrap();
        assert!(claim_call(&mut tx, &call, "hash", 0, i64::MAX).await.unwrap());
        // Sent again while the first one is under way, which then dies.
        let client = app.client.clone();
        let body = json!({ "project": "shop", "testOrigin": ORIGIN });
        let waiting = tokio::spawn(async move { client.post_once("/crawl", "dies", &body).await });
        tx.rollback().await.unwrap();
        waiting.await.unwrap().ok();
        assert_eq!(count_jobs(&app).await, 1);
        app.stop().await;
    }

    async fn answers_are_kept_for_a_day_and_swept_then(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:00:00Z").await;
        let body = json!({ "project": "shop", "testOrigin": ORIGIN });
        let first = app.client.post_once("/crawl", "day", &body).await.ok();
        app.client.post_once("/crawl", "other", &body).await.ok();
        hands.put("2030-01-02T09:59:59.999Z");
        clean_up(&app.service.app).await;
        assert_eq!(count_kept(&app).await, 2);
        assert_eq!(app.client.post_once("/crawl", "day", &body).await.ok(), first);
        hands.put("2030-01-02T10:00:00Z");
        let second = app.client.post_once("/crawl", "day", &body).await.ok();
        assert_ne!(first["jobId"], second["jobId"], "an answer that is too old does not count, swept or not");
        assert_eq!(count_kept(&app).await, 2);
        clean_up(&app.service.app).await;
        assert_eq!(count_kept(&app).await, 1);
        assert_eq!(app.client.post_once("/crawl", "day", &body).await.ok(), second);
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_keys_are_refused() {
    let app = App::on_sqlite().await;
    let request = || {
        let body = json!({ "project": "shop", "testOrigin": ORIGIN });
        app.client
            .request(Method::POST, "/crawl")
            .bearer_auth(&app.client.key)
            .json(&body)
    };
    let long = "x".repeat(256);
    for wrong in [
        &b""[..],
        b"two words",
        "schl\u{fc}ssel".as_bytes(),
        long.as_bytes(),
    ] {
        let value = reqwest::header::HeaderValue::from_bytes(wrong).unwrap();
        let answer = app
            .client
            .send(request().header("idempotency-key", value))
            .await;
        let sentence = answer.refused(400, "invalid_input");
        assert!(
            sentence.contains("`Idempotency-Key` must have 1–255"),
            "{sentence}"
        );
    }
    let twice = request()
        .header("idempotency-key", "a")
        .header("idempotency-key", "b");
    app.client.send(twice).await.refused(400, "invalid_input");
    assert_eq!(count_jobs(&app).await, 0);
    for right in ["\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", &long[1..]] {
        app.client
            .send(request().header("idempotency-key", right))
            .await
            .ok();
    }
    assert_eq!(count_jobs(&app).await, 2);
    app.stop().await;
}
