//! Every operation of the description × everything that is wrong with a call: no key, a wrong one, one without the scope,
//! another organization's, ids that name nothing, bodies that are no JSON, fields of another type, too long, too many.
//! The answer is the documented error, never a 500, and nothing is stored.

mod belongings;
mod description;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::{Answer, Client};
use crate::support::on_both_databases;
use belongings::Belongings;
use description::{Operation, operations};

/// Calls an operation about `belongings`.
async fn call(client: &Client, operation: &Operation, belongings: &Belongings) -> Answer {
    let path = operation.path_with(|name| belongings.named(name));
    let mut request = client
        .request(operation.method.clone(), &path)
        .bearer_auth(&client.key);
    if let Some(body) = belongings.body(operation) {
        request = request.json(&body);
    }
    client.send(request).await
}

/// How many rows there are of everything that a call could store. Of keys and sessions, nothing but the time of a key's
/// last use may change.
async fn stored(app: &App) -> Vec<(&'static str, i64)> {
    let tables = [
        "organizations",
        "api_keys",
        "sessions",
        "projects",
        "jobs",
        "captures",
        "results",
        "baselines",
        "baseline_history",
        "audit",
        "webhooks",
        "webhook_deliveries",
        "idempotency_keys",
    ];
    let mut connection = app.service.app.db.read().await.unwrap();
    let mut counts = Vec::new();
    for table in tables {
        let sql = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        let count: i64 = sqlx::query_scalar(sql)
            .fetch_one(&mut *connection)
            .await
            .unwrap();
        counts.push((table, count));
    }
    counts
}

/// Checks that an answer is a documented refusal: below 500, with a sentence and a code.
#[track_caller]
fn is_refusal(answer: &Answer, what: &str) {
    let status = answer.status.as_u16();
    assert!(
        (400..500).contains(&status),
        "{what}: {status} {}",
        answer.body
    );
    let sentence = answer.body["error"].as_str().unwrap_or_default();
    let code = answer.body["code"].as_str().unwrap_or_default();
    assert!(
        !sentence.is_empty() && !code.is_empty(),
        "{what}: {}",
        answer.body
    );
}

on_both_databases! {
    async fn without_a_key_or_with_a_wrong_one_nothing_is_done(app: TestApp) {
        let mine = Belongings::of(&app.client).await;
        let before = stored(&app).await;
        let nobody = Client::new(app.client.base.clone(), "pnt_main_000000000000".to_owned());
        let mut guarded = 0;
        for operation in operations().iter().filter(|operation| operation.scope.is_some()) {
            let path = operation.path_with(|name| mine.named(name));
            let bare = app.client.request(operation.method.clone(), &path);
            let bare = bare.json(&mine.body(operation).unwrap_or(json!({})));
            app.client.send(bare).await.refused(401, "unauthorized");
            call(&nobody, operation, &mine).await.refused(401, "unauthorized");
            guarded += 1;
        }
        assert!(guarded > 15, "{guarded}");
        assert_eq!(stored(&app).await, before);
        app.stop().await;
    }

    async fn a_key_without_the_scope_is_refused(app: TestApp) {
        let mine = Belongings::of(&app.client).await;
        let all = ["read", "run", "review", "admin"];
        let mut others = Vec::new();
        for scope in all {
            let scopes: Vec<&str> = all.into_iter().filter(|other| *other != scope).collect();
            others.push((scope, app.client_with("main", &scopes).await));
        }
        let before = stored(&app).await;
        for operation in operations() {
            let Some(scope) = &operation.scope else { continue };
            let (_, client) = others.iter().find(|(lacking, _)| lacking == scope).unwrap();
            let sentence = call(client, &operation, &mine).await.refused(403, "forbidden");
            assert!(sentence.contains(&format!("`{scope}`")), "{}: {sentence}", operation.name());
        }
        assert_eq!(stored(&app).await, before);
        app.stop().await;
    }

    async fn what_belongs_to_another_organization_does_not_exist(app: TestApp) {
        let theirs = Belongings::of(&app.client).await;
        let stranger = app.client_with("other", &["read", "run", "review", "admin"]).await;
        let nobody = "01900000-0000-7000-8000-000000000000".to_owned();
        let nothing = Belongings {
            job: nobody.clone(),
            result: nobody.clone(),
            project: "no-such-project",
            open_job: nobody.clone(),
            upload: "01900000-0000-7000-8000-000000000000.png".to_owned(),
            blob: "0".repeat(64),
            key: nobody.clone(),
            webhook: nobody.clone(),
            delivery: nobody.clone(),
        };
        let before = stored(&app).await;
        for operation in operations() {
            let names_something = operation.parameters().next().is_some()
                || operation.body.as_ref().is_some_and(|body| body.get("jobId").is_some());
            if operation.scope.is_none() || (!names_something && operation.method != Method::GET) {
                continue;
            }
            let name = operation.name();
            let answer = call(&stranger, &operation, &theirs).await;
            let text = answer.body.to_string();
            if names_something {
                assert_eq!(answer.status.as_u16(), 404, "{name}: {text}");
                // The same as of what never existed: nothing is said about what exists.
                let of_nothing = call(&stranger, &operation, &nothing).await;
                let same = text.replace(theirs.project, nothing.project);
                assert_eq!((answer.status, same), (of_nothing.status, of_nothing.body.to_string()), "{name}");
            } else {
                for secret in theirs.secrets() {
                    assert!(!text.contains(secret), "{name} shows {secret}: {text}");
                }
            }
        }
        assert_eq!(stored(&app).await, before);
        let job = app.client.get(&format!("/job/{}", theirs.job)).await.ok();
        assert_eq!(job["results"][0]["triageStatus"], "pending");
        app.stop().await;
    }

    async fn ids_that_name_nothing_are_not_found(app: TestApp) {
        let mine = Belongings::of(&app.client).await;
        let before = stored(&app).await;
        let long = "x".repeat(5_000);
        for operation in operations() {
            for wrong in ["01900000-0000-7000-8000-000000000000", "nonsense", "0", "-1", "%00", "%0d%0a", "..%2f..%2fetc", "%F0%9F%A6%80", &long] {
                for parameter in operation.parameters() {
                    let path = operation.path_with(|name| if name == parameter { wrong.to_owned() } else { mine.named(name) });
                    let request = app.client.request(operation.method.clone(), &path).bearer_auth(&app.client.key);
                    let request = request.json(&mine.body(&operation).unwrap_or(json!({})));
                    let what = format!("{} with `{}`", operation.name(), &wrong[..wrong.len().min(40)]);
                    let answer = app.client.send(request).await;
                    is_refusal(&answer, &what);
                    if operation.scope.is_some() {
                        assert_eq!(answer.status.as_u16(), 404, "{what}: {}", answer.body);
                    }
                }
            }
        }
        assert_eq!(stored(&app).await, before);
        app.stop().await;
    }

    async fn bodies_that_are_no_objects_are_refused(app: TestApp) {
        let mine = Belongings::of(&app.client).await;
        let before = stored(&app).await;
        for operation in operations() {
            if operation.body.is_none() {
                continue;
            }
            let path = operation.path_with(|name| mine.named(name));
            for wrong in ["{", "[]", "\"text\"", "null", "7", "true", "{\"a\":1}{", "{'a':1}", "\u{0}", "{\"jobId\":", "\u{feff}{}x"] {
                let request = app.client.request(operation.method.clone(), &path).bearer_auth(&app.client.key);
                let request = request.header("content-type", "application/json").body(wrong);
                let answer = app.client.send(request).await;
                let what = format!("{} with {wrong:?}", operation.name());
                is_refusal(&answer, &what);
                assert_eq!(answer.body["code"], "invalid_input", "{what}");
            }
        }
        assert_eq!(stored(&app).await, before);
        app.stop().await;
    }

    async fn fields_of_a_wrong_type_or_length_are_named(app: TestApp) {
        let mine = Belongings::of(&app.client).await;
        let before = stored(&app).await;
        let mut refused = 0;
        for operation in operations() {
            let Some(body) = mine.body(&operation) else { continue };
            let path = operation.path_with(|name| mine.named(name));
            let send = async |field: &str, value: Value| {
                let mut body = body.clone();
                body[field] = value;
                let request = app.client.request(operation.method.clone(), &path).bearer_auth(&app.client.key);
                app.client.send(request.json(&body)).await
            };
            for (field, types) in operation.fields.iter().filter(|(_, types)| !types.is_empty()) {
                let samples = [
                    ("object", json!({ "unexpected": [1] })),
                    ("array", json!([["nested"]])),
                    ("string", json!("not\u{0}this")),
                    ("number", json!(-1.5)),
                    ("boolean", json!(true)),
                ];
                for (kind, value) in samples {
                    let fits = types.iter().any(|allowed| allowed == kind || (allowed == "integer" && kind == "number"));
                    // What is out of its bounds is refused as what has another type is.
                    if fits && kind != "number" && kind != "string" {
                        continue;
                    }
                    let answer = send(field, value.clone()).await;
                    let what = format!("{} with `{field}`: {value}", operation.name());
                    is_refusal(&answer, &what);
                    if operation.path != "/session" {
                        assert_eq!(answer.status.as_u16(), 400, "{what}: {}", answer.body);
                    }
                    refused += 1;
                }
            }
            for (field, longest) in &operation.longest {
                let answer = send(field, json!("x".repeat(usize::try_from(*longest).unwrap() + 1))).await;
                is_refusal(&answer, &format!("{} with a long `{field}`", operation.name()));
                refused += 1;
            }
        }
        assert!(refused > 200, "{refused}");
        assert_eq!(stored(&app).await, before);
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_a_query_beyond_their_bounds_are_named() {
    let app = App::on_sqlite().await;
    let mine = Belongings::of(&app.client).await;
    let mut refused = 0;
    for operation in operations() {
        for (name, value) in &operation.beyond {
            let path =
                operation.path_asking(|part| mine.named(part), &[(name.as_str(), value.as_str())]);
            let request = app.client.request(operation.method.clone(), &path);
            let answer = app.client.send(request.bearer_auth(&app.client.key)).await;
            let sentence = answer.refused(400, "invalid_input");
            let what = format!("{} with `{name}`", operation.name());
            assert!(
                sentence.contains(&format!("`{name}`")),
                "{what}: {sentence}"
            );
            refused += 1;
        }
    }
    assert!(refused > 15, "{refused}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_may_be_left_out_exactly_where_that_is_described() {
    let app = App::on_sqlite().await;
    let mine = Belongings::of(&app.client).await;
    let mut optional = 0;
    for operation in operations() {
        if operation.body.is_none() {
            continue;
        }
        let path = operation.path_with(|name| mine.named(name));
        let request = app.client.request(operation.method.clone(), &path);
        let answer = app.client.send(request.bearer_auth(&app.client.key)).await;
        let is_missed = answer.body["error"]
            .as_str()
            .is_some_and(|sentence| sentence.starts_with("The body is empty"));
        assert_eq!(is_missed, operation.needs_body, "{}", operation.name());
        optional += usize::from(!operation.needs_body);
    }
    assert_eq!(optional, 4);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_million_paths_are_too_many() {
    let app = App::on_sqlite().await;
    let before = stored(&app).await;
    let request = |count: usize| {
        let paths: Vec<Value> = (0..count)
            .map(|number| json!({ "path": format!("/{number}") }))
            .collect();
        json!({ "project": "many", "testOrigin": "http://127.0.0.1:9", "paths": paths })
    };
    let sentence = app
        .client
        .post("/crawl", request(10_001))
        .await
        .refused(400, "invalid_input");
    assert!(sentence.contains("`paths` has 10001 entries"), "{sentence}");
    let sentence = app
        .client
        .post("/crawl", request(1_000_000))
        .await
        .refused(413, "payload_too_large");
    assert!(sentence.contains("2048 KiB"), "{sentence}");
    assert_eq!(stored(&app).await, before);
    app.stop().await;
}
