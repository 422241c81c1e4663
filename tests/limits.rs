//! How often a key may call, and how large a body may be.

use std::time::{Duration, Instant};

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::app::TestApp as App;
use crate::support::client::Client;
use crate::support::hands::Hands;
use crate::support::on_both_databases;

async fn get(client: &Client, path: &str) -> Response {
    let request = client.request(Method::GET, path);
    request.bearer_auth(&client.key).send().await.unwrap()
}

/// Status, `RateLimit` and `Retry-After` of an answer.
fn told(answer: &Response) -> (u16, Option<&str>, Option<&str>) {
    let header = |name: &str| {
        answer
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap())
    };
    (
        answer.status().as_u16(),
        header("ratelimit"),
        header("retry-after"),
    )
}

on_both_databases! {
    async fn a_key_that_calls_too_often_is_told_when_to_come_back(app: TestApp) {
        let hands = Hands::at("2030-01-01T10:00:00Z");
        let app = app.restarted(&["--rate-limit-per-minute", "20", "--rate-limit-burst", "3"], hands.clock()).await;
        // Nothing to be counted by: no headers, however often.
        for _ in 0..5 {
            let stranger = app.client.with_key(&json!("pnt_main_unknown"));
            assert_eq!(told(&get(&stranger, "/projects").await), (401, None, None));
            assert_eq!(told(&get(&app.client, "/healthz").await), (200, None, None));
        }
        let first = get(&app.client, "/projects").await;
        assert_eq!(first.headers()["ratelimit-policy"], "\"key\";q=3;w=9");
        assert_eq!(told(&first), (200, Some("\"key\";r=2;t=3"), None));
        // Refused calls count as well; a session counts as its key.
        assert_eq!(told(&get(&app.client, "/project/unknown").await), (404, Some("\"key\";r=1;t=3"), None));
        let sign_in = app.client.request(Method::POST, "/session").json(&json!({ "key": app.client.key })).send().await.unwrap();
        assert_eq!(told(&sign_in), (200, Some("\"key\";r=0;t=3"), None));
        let cookie = sign_in.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap();
        let refused = app.client.request(Method::GET, "/session").header("cookie", cookie).send().await.unwrap();
        assert_eq!(told(&refused), (429, Some("\"key\";r=0;t=3"), Some("3")));
        let body: Value = refused.json().await.unwrap();
        assert_eq!(body["code"], "rate_limited");
        assert!(body["error"].as_str().unwrap().contains("wait 3 s"), "{body}");
        // Another key has a bucket of its own.
        assert_eq!(get(&app.client_with("main", &["read"]).await, "/projects").await.status().as_u16(), 200);

        hands.put("2030-01-01T10:00:01.500Z");
        assert_eq!(told(&get(&app.client, "/projects").await), (429, Some("\"key\";r=0;t=2"), Some("2")));
        hands.put("2030-01-01T10:00:03Z");
        assert_eq!(told(&get(&app.client, "/projects").await).0, 200);
        assert_eq!(told(&get(&app.client, "/projects").await).0, 429);
        hands.put("2030-01-01T11:00:00Z");
        pentimento::tasks::clean_up::clean_up(&app.service.app).await;
        assert_eq!(told(&get(&app.client, "/projects").await), (200, Some("\"key\";r=2;t=3"), None), "no more than the burst gathers");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_calls_of_a_pipeline_do_not_meet_the_default_limit_and_zero_is_none() {
    let app = App::on_sqlite().await;
    let calls = async |app: &App, count: usize| {
        let clients = (0..16).map(|_| async {
            let client = Client::new(app.client.base.clone(), app.client.key.clone());
            for _ in 0..count / 16 {
                client.get("/session").await.ok();
            }
        });
        futures::future::join_all(clients).await;
    };
    calls(&app, 2_000).await;
    let answer = get(&app.client, "/session").await;
    assert_eq!(answer.headers()["ratelimit-policy"], "\"key\";q=3000;w=15");
    let off = ["--rate-limit-per-minute", "0", "--rate-limit-burst", "1"];
    let app = app.restarted(&off, pentimento::clock::Clock::System).await;
    calls(&app, 160).await;
    assert_eq!(told(&get(&app.client, "/session").await), (200, None, None));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_route_has_its_limit() {
    let app = App::with(&["--max-body-kib", "256"]).await;
    let id = "01900000-0000-7000-8000-000000000000";
    let kib = |count: usize| "x".repeat(count * 1024);
    for (path, field, limit) in [
        ("/approve", "note", 256),
        ("/session", "key", 64),
        ("/keys", "name", 64),
        (&format!("/key/{id}/rotate"), "x", 64),
        ("/ci/job/upload-url", "url", 64),
        ("/ci/job/finalize", "x", 64),
        ("/crawl", "customCss", 256),
        ("/ci/job/init", "branch", 256),
        ("/projects", "customCss", 256),
        ("/project/any/run", "customCss", 256),
    ] {
        let sentence = app
            .client
            .post(path, json!({ field: kib(limit) }))
            .await
            .refused(413, "payload_too_large");
        assert!(
            sentence.contains(&format!("{limit} KiB")),
            "{path}: {sentence}"
        );
        let answer = app
            .client
            .post(path, json!({ field: kib(limit - 1) }))
            .await;
        assert!(
            (400..405).contains(&answer.status.as_u16()),
            "{path}: {answer:?}"
        );
    }
    let put = app
        .client
        .put("/project/any", json!({ "customCss": kib(256) }))
        .await;
    put.refused(413, "payload_too_large");
    // Whoever writes the whole body before reading hears the answer all the same.
    for _ in 0..4 {
        app.client
            .post("/approve", json!({ "note": kib(12 * 1024) }))
            .await
            .refused(413, "payload_too_large");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_says_that_it_is_too_large_is_answered_before_it_comes() {
    let app = App::on_sqlite().await;
    for (head, part) in [
        ("Content-Length: 1000000000", "{"),
        // Of unknown length: refused as soon as it is too long.
        (
            "Transfer-Encoding: chunked",
            &*format!("{:x}\r\n{}\r\n", 70_000, "x".repeat(70_000)),
        ),
    ] {
        let mut line = TcpStream::connect(app.service.address).await.unwrap();
        let request = format!(
            "POST /keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n{head}\r\n\r\n{part}",
            app.client.key
        );
        line.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let reading = async {
            while !String::from_utf8_lossy(&answer).contains("payload_too_large") {
                let read = line.read_buf(&mut answer).await.unwrap();
                assert_ne!(read, 0, "closed without an answer: {head}");
            }
        };
        tokio::time::timeout(Duration::from_secs(10), reading)
            .await
            .expect("the answer comes while the body does not");
        assert!(answer.starts_with(b"HTTP/1.1 413 "), "{head}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organization_follows_so_many_jobs_and_leaves_others_their_streams() {
    let app = App::on_sqlite().await;
    let events = async |client: &Client| {
        let job = client.init("followed", "http://shop.test").await;
        format!("/job/{job}/events")
    };
    let path = events(&app.client).await;
    let mut open = Vec::new();
    for _ in 0..100 {
        let mut stream = app.client.stream(&path).await;
        stream.until("status").await;
        open.push(stream);
    }
    let refused = get(&app.client, &path).await;
    let (status, _, retry_after) = told(&refused);
    assert_eq!((status, retry_after), (429, Some("60")));
    let body: Value = refused.json().await.unwrap();
    let sentence = body["error"].as_str().unwrap();
    assert!(
        sentence.starts_with("Your organization has 100 streams open"),
        "{sentence}"
    );
    let stranger = app.client_with("other", &["read", "run"]).await;
    let theirs = events(&stranger).await;
    stranger.stream(&theirs).await.until("status").await;
    drop(open);
    let begun = Instant::now();
    while get(&app.client, &path).await.status().as_u16() != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "none comes back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    app.stop().await;
}
