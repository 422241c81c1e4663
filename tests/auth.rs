//! Keys, scopes, organizations and sessions.

use reqwest::Method;
use serde_json::json;

use crate::schedule::at;
use crate::support::app::TestApp as App;
use crate::support::on_both_databases;
use crate::support::site::Site;

/// Every address that needs a key, with a body that is otherwise well-formed.
const GUARDED: [(&str, &str); 22] = [
    ("POST", "/crawl"),
    ("POST", "/approve"),
    ("GET", "/jobs"),
    ("GET", "/job/01900000-0000-7000-8000-000000000000"),
    ("GET", "/job/01900000-0000-7000-8000-000000000000/summary"),
    ("GET", "/job/01900000-0000-7000-8000-000000000000/words"),
    ("GET", "/job/01900000-0000-7000-8000-000000000000/results"),
    (
        "POST",
        "/job/01900000-0000-7000-8000-000000000000/ai-summary",
    ),
    ("GET", "/result/01900000-0000-7000-8000-000000000000"),
    ("GET", "/projects"),
    ("GET", "/project/any"),
    ("POST", "/projects"),
    ("PUT", "/project/any"),
    ("POST", "/project/any/run"),
    ("POST", "/ci/job/init"),
    ("POST", "/ci/job/upload-url"),
    ("POST", "/ci/job/finalize"),
    ("GET", "/job/01900000-0000-7000-8000-000000000000/events"),
    ("GET", "/keys"),
    ("POST", "/keys"),
    ("DELETE", "/key/01900000-0000-7000-8000-000000000000"),
    ("POST", "/key/01900000-0000-7000-8000-000000000000/rotate"),
];

on_both_databases! {
    async fn every_endpoint_needs_a_key(app: TestApp) {
        for (method, path) in GUARDED {
            let bare = || app.client.request(method.parse().unwrap(), path).json(&json!({}));
            app.client.send(bare()).await.refused(401, "unauthorized");
            app.client.send(bare().bearer_auth("pnt_main_unknown")).await.refused(401, "unauthorized");
            app.client.send(bare().header("authorization", "Basic YTpi")).await.refused(401, "unauthorized");
        }
        app.stop().await;
    }

    async fn both_headers_are_accepted_also_together(app: TestApp) {
        let key = app.client.key.clone();
        let get = || app.client.request(Method::GET, "/projects");
        app.client.send(get().header("x-api-key", &key)).await.ok();
        app.client.send(get().bearer_auth(&key)).await.ok();
        app.client.send(get().bearer_auth(&key).header("x-api-key", &key)).await.ok();
        app.client.send(get().bearer_auth(&key).header("x-api-key", "pnt_main_other")).await.refused(401, "unauthorized");
        // A gateway in front may pass its own scheme on; by itself that is no key.
        app.client.send(get().basic_auth("gate", Some("open")).header("x-api-key", &key)).await.ok();
        app.client.send(get().basic_auth("gate", Some("open"))).await.refused(401, "unauthorized");
        app.stop().await;
    }

    async fn scopes_are_kept_apart(app: TestApp) {
        let reader = app.client_with("main", &["read"]).await;
        reader.get("/projects").await.ok();
        let sentence = reader.post("/crawl", json!({ "project": "x", "testOrigin": "http://127.0.0.1:9" })).await.refused(403, "forbidden");
        assert!(sentence.contains("`run`"), "{sentence}");
        let runner = app.client_with("main", &["run"]).await;
        runner.get("/projects").await.refused(403, "forbidden");
        let key = "/key/01900000-0000-7000-8000-000000000000";
        let body = json!({ "jobId": "01900000-0000-7000-8000-000000000000" });
        let everything_but_admin = app.client_with("main", &["read", "run", "review"]).await;
        for (client, path, scope) in [
            (&runner, "/approve", "review"),
            (&reader, "/ci/job/finalize", "run"),
            (&everything_but_admin, "/keys", "admin"),
            (&everything_but_admin, &format!("{key}/rotate"), "admin"),
            (&everything_but_admin, "/projects", "admin"),
        ] {
            let body = if path == "/keys" || path == "/projects" { json!({ "name": "x", "scopes": ["read"] }) } else { body.clone() };
            let sentence = client.post(path, body).await.refused(403, "forbidden");
            assert!(sentence.contains(&format!("lacks the scope `{scope}`")), "{path}: {sentence}");
        }
        // What is sent is looked at only after who sends it.
        for (client, path) in [(&reader, "/crawl"), (&runner, "/approve"), (&reader, "/ci/job/init"), (&everything_but_admin, "/projects")] {
            let broken = client.request(Method::POST, path).header("content-type", "application/json").header("idempotency-key", "").bearer_auth(&client.key).body("{");
            client.send(broken).await.refused(403, "forbidden");
        }
        everything_but_admin.get("/keys").await.refused(403, "forbidden");
        everything_but_admin.delete(key).await.refused(403, "forbidden");
        app.stop().await;
    }

    async fn another_organization_sees_nothing(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let job = app.client.run(json!({ "project": "mine", "testOrigin": site.origin })).await;
        let id = job["jobId"].as_str().unwrap();
        let stranger = app.client_with("other", &["read", "run", "review", "admin"]).await;
        for view in ["", "/summary", "/words", "/results", "/overview"] {
            stranger.get(&format!("/job/{id}{view}")).await.refused(404, "job_not_found");
        }
        let result = job["results"][0]["resultId"].as_str().unwrap();
        stranger.get(&format!("/result/{result}")).await.refused(404, "not_found");
        stranger.get("/project/mine").await.refused(404, "project_not_found");
        stranger.post("/approve", json!({ "jobId": id })).await.refused(404, "job_not_found");
        assert_eq!(stranger.get("/projects").await.ok(), json!([]));
        assert_eq!(stranger.get("/jobs").await.ok()["jobs"], json!([]));
        app.stop().await;
    }

    async fn a_key_ends_by_itself_and_its_last_use_is_told(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:00:00.500Z").await;
        let made = app.client.post("/keys", json!({ "name": "a week", "scopes": ["read"], "expiresInDays": 7 })).await.ok();
        assert_eq!(made["key"]["expiresAt"], "2030-01-08T10:00:00.500Z");
        let client = app.client.with_key(&made["secret"]);
        let last_use = async || {
            let keys = app.client.get("/keys").await.ok();
            keys.as_array().unwrap().iter().find(|key| key["name"] == "a week").unwrap()["lastUsedAt"].clone()
        };
        assert_eq!(last_use().await, json!(null));
        client.get("/projects").await.ok();
        assert_eq!(last_use().await, "2030-01-01T10:00:00.500Z");
        hands.put("2030-01-01T10:00:50Z");
        client.get("/projects").await.ok();
        assert_eq!(last_use().await, "2030-01-01T10:00:00.500Z", "to the minute");
        hands.put("2030-01-08T10:00:00.499Z");
        client.get("/projects").await.ok();
        assert_eq!(last_use().await, "2030-01-08T10:00:00.499Z");
        hands.put("2030-01-08T10:00:00.500Z");
        let sentence = client.get("/projects").await.refused(401, "unauthorized");
        assert!(sentence.contains("has expired"), "{sentence}");
        app.stop().await;
    }

    async fn a_session_stands_for_its_key_and_ends_with_it(app: TestApp) {
        let key = app.client_with("main", &["read", "review"]).await.key;
        let response = app.client.request(Method::POST, "/session").json(&json!({ "key": key })).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        let pair = cookie.split(';').next().unwrap().to_owned();
        let with_cookie = |method: Method, path: &str| app.client.request(method, path).header("cookie", &pair);
        let session = app.client.send(with_cookie(Method::GET, "/session")).await.ok();
        assert_eq!(session, json!({ "name": "main read+review", "organization": "main", "scopes": ["read", "review"] }));

        // A gateway in front has asked for a password, which the browser sends from then on.
        app.client.send(with_cookie(Method::GET, "/session").basic_auth("gate", Some("open"))).await.ok();
        app.client.send(with_cookie(Method::GET, "/session").bearer_auth("pnt_main_other")).await.refused(401, "unauthorized");

        let approve = || with_cookie(Method::POST, "/approve").json(&json!({ "jobId": "01900000-0000-7000-8000-000000000000" }));
        app.client.send(approve()).await.refused(403, "forbidden");
        app.client.send(approve().header("origin", "https://evil.example")).await.refused(403, "forbidden");
        app.client.send(approve().header("origin", &app.client.base)).await.refused(404, "job_not_found");

        let mut tx = app.service.app.db.begin().await.unwrap();
        let keys = pentimento::db::keys::list_keys(&mut tx).await.unwrap();
        let id = &keys.iter().find(|row| row.name == "main read+review").unwrap().id;
        assert!(pentimento::db::keys::revoke_key(&mut tx, id, 1).await.unwrap());
        tx.commit().await.unwrap();
        app.client.send(with_cookie(Method::GET, "/session")).await.refused(401, "unauthorized");
        app.client.send(app.client.request(Method::GET, "/projects").bearer_auth(&key)).await.refused(401, "unauthorized");
        app.stop().await;
    }
}

/// Signs in with the admin key and returns the cookie with its attributes.
async fn signed_in(app: &App) -> String {
    let sign_in = app.client.request(Method::POST, "/session");
    let response = sign_in
        .json(&json!({ "key": app.client.key }))
        .send()
        .await
        .unwrap();
    response.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_ends_the_session_and_wrong_keys_open_none() {
    let app = App::on_sqlite().await;
    app.client
        .post("/session", json!({ "key": "pnt_main_wrong" }))
        .await
        .refused(401, "unauthorized");
    let cookie = signed_in(&app).await;
    let cookie = cookie.split(';').next().unwrap();
    let out = app
        .client
        .request(Method::DELETE, "/session")
        .header("cookie", cookie);
    assert_eq!(out.send().await.unwrap().status().as_u16(), 204);
    app.client
        .send(
            app.client
                .request(Method::GET, "/session")
                .header("cookie", cookie),
        )
        .await
        .refused(401, "unauthorized");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_of_no_session_is_forgotten_without_waiting_for_those_who_write() {
    let app = App::on_sqlite().await;
    let held = app.service.app.db.begin().await.unwrap();
    let out = app.client.request(Method::DELETE, "/session");
    let out = out.header("cookie", "pentimento_session=unknown");
    // The client is less patient than whoever waits to write.
    assert_eq!(app.client.send(out).await.status.as_u16(), 204);
    held.rollback().await.unwrap();
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_signs_nobody_in() {
    let app = App::with(&["--public-url", "https://vr.example.com"]).await;
    let sign_in = |origin: &str| {
        let request = app.client.request(Method::POST, "/session");
        let request = request.header("origin", origin);
        request.json(&json!({ "key": app.client.key }))
    };
    for origin in ["https://evil.example.com", "http://vr.example.com", "null"] {
        let sentence = app
            .client
            .send(sign_in(origin))
            .await
            .refused(403, "forbidden");
        assert!(sentence.contains("set `--public-url`"), "{sentence}");
    }
    let sessions: i64 = sqlx::query_scalar("SELECT count(*) FROM sessions")
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap();
    assert_eq!(sessions, 0);
    for origin in ["https://vr.example.com", &app.client.base] {
        app.client.send(sign_in(origin)).await.ok();
    }
    app.stop().await;
}

/// A service that runs knows the tables that it was started with.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_changes_no_tables_under_a_service_that_runs() {
    let app = App::on_sqlite().await;
    let folder = app.service.app.config.store.data_dir.clone();
    let keys = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command
            .args(["keys", "--data-dir"])
            .arg(&folder)
            .arg("list");
        command.env_remove("DATABASE_URL").output().unwrap()
    };
    assert!(keys().status.success(), "one of the same version may look");
    let versions = async || -> (i64,) {
        let count = "SELECT COUNT(*) FROM _sqlx_migrations";
        let mut connection = app.service.app.db.read().await.unwrap();
        sqlx::query_as(count)
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    };
    let mut tx = app.service.app.db.begin().await.unwrap();
    let older =
        "DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
    sqlx::query(older).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let before = versions().await;
    let said = keys();
    let why = String::from_utf8(said.stderr).unwrap();
    assert!(
        !said.status.success() && why.contains("of another version"),
        "{why}"
    );
    assert_eq!(versions().await, before);
    app.stop().await;
}

#[test]
fn keys_are_made_listed_and_revoked_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command
            .args(["keys", "--data-dir"])
            .arg(folder.path())
            .args(arguments)
            .env_remove("DATABASE_URL");
        let output = command.output().unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (made, key, _) = keys(&[
        "create",
        "--name",
        "ci",
        "--scopes",
        "read,run",
        "--organization",
        "acme",
    ]);
    assert!(made && key.starts_with("pnt_acme_"), "{key}");
    let (_, table, _) = keys(&["list"]);
    let row = table
        .lines()
        .find(|line| line.contains("acme"))
        .expect("the key is listed");
    assert!(
        row.contains("read run") && row.contains("active"),
        "{table}"
    );
    assert!(!table.contains(key.trim()), "the secret is not listed");
    let id = row.split_whitespace().next().unwrap();
    let (rotated, fresh, _) = keys(&["rotate", id, "--overlap-hours", "2"]);
    assert!(
        rotated && fresh.starts_with("pnt_acme_") && fresh != key,
        "{fresh}"
    );
    let table = keys(&["list"]).1;
    let old = table.lines().find(|line| line.starts_with(id)).unwrap();
    assert!(old.contains("rotated, active until 20"), "{table}");
    assert!(
        table.lines().any(|line| !line.starts_with(id)
            && line.contains("read run")
            && line.ends_with("active")),
        "{table}"
    );
    let (again, _, error) = keys(&["rotate", id]);
    assert!(!again && error.contains("rotated already"), "{error}");
    let (long, _, error) = keys(&["rotate", id, "--overlap-hours", "169"]);
    assert!(!long && error.contains("169"), "{error}");
    assert!(keys(&["revoke", id]).0);
    assert!(keys(&["list"]).1.contains("revoked"));
    let (again, _, error) = keys(&["revoke", id]);
    assert!(!again && error.contains("no living key"), "{error}");
    let (wrong, _, error) = keys(&["create", "--name", "x", "--scopes", "fly"]);
    assert!(!wrong && error.contains("`fly` is no scope"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn decisions_come_through_a_proxy_that_hides_the_host() {
    let app = App::with(&["--public-url", "https://vr.example.com"]).await;
    let cookie = signed_in(&app).await;
    assert!(cookie.contains("Secure"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let approve = |origin: &str| {
        let body = json!({ "jobId": "01900000-0000-7000-8000-000000000000" });
        app.client
            .request(Method::POST, "/approve")
            .header("cookie", pair)
            .header("origin", origin)
            .json(&body)
    };
    app.client
        .send(approve("https://vr.example.com"))
        .await
        .refused(404, "job_not_found");
    app.client
        .send(approve("https://evil.example.com"))
        .await
        .refused(403, "forbidden");
    // The public host without TLS is another site, also where the proxy tells the host.
    app.client
        .send(approve("http://vr.example.com").header("host", "vr.example.com"))
        .await
        .refused(403, "forbidden");
    app.stop().await;
}
