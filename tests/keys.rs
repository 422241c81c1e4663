//! Making, rotating and revoking keys over HTTP: who may, what it does, and that nobody is locked out.

use reqwest::Method;
use serde_json::{Value, json};

use crate::schedule::at;
use crate::support::app::TestApp as App;
use crate::support::client::Client;
use crate::support::on_both_databases;

/// The organization's key of this name, as it is listed; the newest of several.
async fn listed(client: &Client, name: &str) -> Value {
    let keys = client.get("/keys").await.ok();
    let found = keys
        .as_array()
        .unwrap()
        .iter()
        .find(|key| key["name"] == name);
    found
        .unwrap_or_else(|| panic!("no key {name}: {keys:#}"))
        .clone()
}

async fn make(client: &Client, name: &str, scopes: &[&str]) -> Value {
    client
        .post("/keys", json!({ "name": name, "scopes": scopes }))
        .await
        .ok()
}

fn path_of(key: &Value) -> String {
    format!("/key/{}", key["keyId"].as_str().expect("a key has an id"))
}

on_both_databases! {
    async fn a_key_is_made_once_and_revoked_at_once(app: TestApp) {
        let made = make(&app.client, " nightly ", &["run", "read", "run"]).await;
        let secret = made["secret"].as_str().unwrap().to_owned();
        assert!(secret.starts_with("pnt_main_"), "{made}");
        let expected = json!({
            "keyId": made["key"]["keyId"], "name": "nightly", "scopes": ["read", "run"], "state": "active",
            "isOwn": false, "createdAt": made["key"]["createdAt"],
        });
        assert_eq!(made["key"], expected);
        assert_eq!(listed(&app.client, "nightly").await, expected, "the secret is not listed");
        assert_eq!(listed(&app.client, "admin").await["isOwn"], true);

        let client = app.client.with_key(&made["secret"]);
        client.get("/projects").await.ok();
        let signed_in = app.client.request(Method::POST, "/session").json(&json!({ "key": secret })).send().await.unwrap();
        let cookie = signed_in.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let session = || app.client.send(app.client.request(Method::GET, "/session").header("cookie", &cookie));
        session().await.ok();
        let path = path_of(&made["key"]);
        let revoke = || app.client.delete(&path);
        assert_eq!(revoke().await.status.as_u16(), 204);
        assert!(client.get("/projects").await.refused(401, "unauthorized").contains("revoked"));
        session().await.refused(401, "unauthorized");
        assert_eq!(listed(&app.client, "nightly").await["state"], "revoked");
        assert_eq!(revoke().await.status.as_u16(), 204, "again changes nothing");
        let rotate = app.client.post(&format!("{path}/rotate"), json!({})).await;
        rotate.refused(400, "invalid_state");

        let about_it: Vec<_> = app.audit().await.into_iter().filter(|(action, actor, detail)| action.starts_with("key.") && actor == "admin" && detail.contains("nightly")).collect();
        let actions: Vec<_> = about_it.iter().map(|(action, _, _)| action.as_str()).collect();
        assert_eq!(actions, ["key.create", "key.revoke"]);
        assert!(about_it.iter().all(|(_, _, detail)| !detail.contains("pnt_")), "the log holds no secret");
        app.stop().await;
    }

    async fn rotation_overlaps_and_takes_schedules_along(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:00:00Z").await;
        let old = app.client.post("/keys", json!({ "name": "ci", "scopes": ["read", "run"], "expiresInDays": 30 })).await.ok();
        let project = json!({
            "name": "shop", "testOrigin": "http://127.0.0.1:9", "baselinePolicy": "rolling", "schedule": "daily",
            "scheduleKeyId": old["key"]["keyId"],
        });
        app.client.post("/projects", project).await.ok();
        hands.put("2030-01-11T10:00:00Z");
        let rotate = |key: &Value, body: Value| {
            let path = format!("{}/rotate", path_of(key));
            let client = app.client.clone();
            async move { client.post(&path, body).await }
        };
        let new = rotate(&old["key"], json!({ "overlapHours": 2 })).await.ok();
        assert_ne!(new["secret"], old["secret"]);
        let key = |field: &str| new["key"][field].clone();
        assert_eq!((key("name"), key("scopes"), key("expiresAt")), (json!("ci"), json!(["read", "run"]), json!("2030-02-10T10:00:00.000Z")));
        assert_eq!(app.client.get("/project/shop").await.ok()["scheduleKeyId"], new["key"]["keyId"]);
        let keys = app.client.get("/keys").await.ok();
        let was = keys.as_array().unwrap().iter().find(|key| key["keyId"] == old["key"]["keyId"]).unwrap();
        assert_eq!((&was["state"], &was["expiresAt"], &was["replacedBy"]), (&json!("rotated"), &json!("2030-01-11T12:00:00.000Z"), &new["key"]["keyId"]));
        rotate(&old["key"], json!({})).await.refused(400, "invalid_state");
        // Whoever names the old one, as a script does that was written before, means the one that took its place.
        let again = json!({ "schedule": "weekly", "scheduleKeyId": old["key"]["keyId"] });
        app.client.put("/project/shop", again).await.ok();
        assert_eq!(app.client.get("/project/shop").await.ok()["scheduleKeyId"], new["key"]["keyId"]);

        // One that took its place and was revoked takes no schedule; the old one still can.
        let brief = make(&app.client, "brief", &["run"]).await;
        let lost = rotate(&brief["key"], json!({})).await.ok();
        app.client.delete(&path_of(&lost["key"])).await;
        app.client.put("/project/shop", json!({ "schedule": "daily", "scheduleKeyId": brief["key"]["keyId"] })).await.ok();
        assert_eq!(app.client.get("/project/shop").await.ok()["scheduleKeyId"], brief["key"]["keyId"]);

        let (with_old, with_new) = (app.client.with_key(&old["secret"]), app.client.with_key(&new["secret"]));
        hands.put("2030-01-11T11:59:59.999Z");
        with_old.get("/projects").await.ok();
        with_new.get("/projects").await.ok();
        hands.put("2030-01-11T12:00:00Z");
        with_old.get("/projects").await.refused(401, "unauthorized");
        with_new.get("/projects").await.ok();

        // Without an overlap the old one ends now; without a word it has a day; never longer than it had.
        let newer = rotate(&new["key"], json!({ "overlapHours": 0 })).await.ok();
        with_new.get("/projects").await.refused(401, "unauthorized");
        assert_eq!(app.client.post(&format!("{}/rotate", path_of(&newer["key"])), Value::Null).await.refused(400, "invalid_input"), "The body is not what this call takes: send a JSON object.");
        let bare = app.client.request(Method::POST, &format!("{}/rotate", path_of(&newer["key"]))).bearer_auth(&app.client.key);
        app.client.send(bare).await.ok();
        let ends = app.client.get("/keys").await.ok();
        let ends = ends.as_array().unwrap().iter().find(|key| key["keyId"] == newer["key"]["keyId"]).unwrap()["expiresAt"].clone();
        assert_eq!(ends, "2030-01-12T12:00:00.000Z");
        let sentence = rotate(&newer["key"], json!({ "overlapHours": 169 })).await.refused(400, "invalid_input");
        assert!(sentence.contains("`overlapHours` must be 0–168"), "{sentence}");
        let figures = &app.audited("key.rotate").await[0];
        assert_eq!((&figures["overlapHours"], &figures["schedules"], &figures["replacedBy"]), (&json!(2), &json!(1), &new["key"]["keyId"]));
        app.stop().await;
    }

    async fn two_rotations_at_once_make_one_key(app: TestApp) {
        let key = make(&app.client, "twice", &["read"]).await["key"].clone();
        let path = format!("{}/rotate", path_of(&key));
        let answers = futures::future::join_all((0..8).map(|_| app.client.post(&path, json!({})))).await;
        let made = answers.iter().filter(|answer| answer.status.is_success()).count();
        assert_eq!(made, 1, "{answers:?}");
        let keys = app.client.get("/keys").await.ok();
        assert_eq!(keys.as_array().unwrap().iter().filter(|key| key["name"] == "twice").count(), 2);
        app.stop().await;
    }

    async fn keys_of_another_organization_do_not_exist(app: TestApp) {
        let mine = make(&app.client, "mine", &["read"]).await;
        let stranger = app.client_with("other", &["read", "run", "review", "admin"]).await;
        let names: Vec<_> = stranger.get("/keys").await.ok().as_array().unwrap().iter().map(|key| key["name"].clone()).collect();
        assert_eq!(names, ["other read+run+review+admin"]);
        let path = path_of(&mine["key"]);
        stranger.delete(&path).await.refused(404, "not_found");
        stranger.post(&format!("{path}/rotate"), json!({})).await.refused(404, "not_found");
        stranger.delete("/key/not-an-id").await.refused(404, "not_found");
        app.client.with_key(&mine["secret"]).get("/projects").await.ok();
        assert!(make(&stranger, "theirs", &["read"]).await["secret"].as_str().unwrap().starts_with("pnt_other_"));
        app.stop().await;
    }

    async fn nobody_is_locked_out(app: TestApp) {
        let own = listed(&app.client, "admin").await;
        let sentence = app.client.delete(&path_of(&own)).await.refused(400, "invalid_state");
        assert!(sentence.contains("last key with the scope `admin`"), "{sentence}");
        // Neither a key of another organization, nor one that is about to end, could manage this one's keys.
        app.client_with("other", &["admin"]).await;
        let second = make(&app.client, "second", &["read", "run", "review", "admin"]).await;
        app.client.post(&format!("{}/rotate", path_of(&own)), json!({})).await.ok();
        let third = app.client.with_key(&second["secret"]);
        let fresh = listed(&third, "admin").await;
        assert_eq!(fresh["state"], "active");
        assert_eq!(third.delete(&path_of(&fresh)).await.status.as_u16(), 204);
        third.delete(&path_of(&second["key"])).await.refused(400, "invalid_state");

        // Nor one that ends soon, unless the other ends as soon.
        let brief = json!({ "name": "brief", "scopes": ["read", "admin"], "expiresInDays": 7 });
        let brief = third.post("/keys", brief).await.ok();
        third.delete(&path_of(&second["key"])).await.refused(400, "invalid_state");
        let briefer = json!({ "name": "briefer", "scopes": ["read", "admin"], "expiresInDays": 6 });
        let briefer = third.post("/keys", briefer).await.ok();
        for key in [&briefer["key"], &brief["key"]] {
            assert_eq!(third.delete(&path_of(key)).await.status.as_u16(), 204);
        }

        // Two admins who revoke each other at the same moment do not both succeed.
        let fourth = make(&third, "fourth", &["admin"]).await;
        let with_fourth = app.client.with_key(&fourth["secret"]);
        let (second, fourth) = (path_of(&second["key"]), path_of(&fourth["key"]));
        let (one, other) = tokio::join!(third.delete(&fourth), with_fourth.delete(&second));
        let revoked = [&one, &other].iter().filter(|answer| answer.status.as_u16() == 204).count();
        assert_eq!(revoked, 1, "{one:?} {other:?}");
        app.stop().await;
    }

    async fn nobody_gives_more_than_they_have(app: TestApp) {
        let admin = app.client_with("main", &["read", "admin"]).await;
        let sentence = admin.post("/keys", json!({ "name": "x", "scopes": ["read", "run"] })).await.refused(403, "forbidden");
        assert!(sentence.contains("`run`"), "{sentence}");
        make(&admin, "x", &["read", "admin"]).await;
        let strong = listed(&app.client, "admin").await;
        admin.post(&format!("{}/rotate", path_of(&strong)), json!({})).await.refused(403, "forbidden");
        assert_eq!(listed(&app.client, "admin").await["state"], "active");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_fields_are_named() {
    let app = App::on_sqlite().await;
    let with = |field: &str, value: Value| {
        let mut body = json!({ "name": "x", "scopes": ["read"] });
        body[field] = value;
        body
    };
    for (body, expected) in [
        (with("name", json!("")), "`name` must have 1–100"),
        (with("name", json!("  ")), "`name` must have 1–100"),
        (
            with("name", json!("x".repeat(101))),
            "`name` must have 1–100",
        ),
        (with("name", json!("a\u{0}b")), "control character"),
        (with("scopes", json!([])), "`scopes` is empty"),
        (
            with("scopes", json!(["fly"])),
            "`scopes[0]` has a wrong value",
        ),
        (
            with("expiresInDays", json!(0)),
            "`expiresInDays` must be 1–3650",
        ),
        (
            with("expiresInDays", json!(3651)),
            "`expiresInDays` must be 1–3650",
        ),
        (
            with("expiresInDays", json!(-1)),
            "`expiresInDays` has a wrong value",
        ),
    ] {
        let sentence = app
            .client
            .post("/keys", body.clone())
            .await
            .refused(400, "invalid_input");
        assert!(sentence.contains(expected), "{body}: {sentence}");
    }
    assert_eq!(
        app.client.get("/keys").await.ok().as_array().unwrap().len(),
        1
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_events_ends_with_its_key() {
    let site = crate::support::site::Site::start().await;
    site.hangs("/");
    let app = App::on_sqlite().await;
    let job = app
        .client
        .crawl(json!({ "project": "slow", "testOrigin": site.origin }))
        .await;
    let made = make(&app.client, "follower", &["read"]).await;
    let follower = app.client.with_key(&made["secret"]);
    let path = format!("/job/{job}/events");
    let mut stream = follower
        .request(Method::GET, &path)
        .bearer_auth(&follower.key)
        .send()
        .await
        .unwrap();
    let first = stream
        .chunk()
        .await
        .unwrap()
        .expect("it begins with all that is so");
    assert!(!first.is_empty());
    app.client.delete(&path_of(&made["key"])).await;
    // The job goes on, so that nothing but the key ends the stream.
    let rest = async { while stream.chunk().await.unwrap().is_some() {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), rest)
        .await
        .expect("the stream ends");
    let status = app.client.get(&format!("/job/{job}")).await.ok()["status"].clone();
    assert_eq!(status, "PROCESSING");
    app.stop().await;
}
