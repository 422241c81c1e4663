//! What webhooks must not do: reach private addresses, follow redirects, show secrets, hold others up, send twice, lose.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use pentimento::clock::Clock;
use serde_json::{Value, json};

use super::{ORIGIN, TEAL, assert_signed, ended, log, logged, webhook};
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::on_both_databases;
use crate::support::postgres;
use crate::support::process::ServiceProcess;
use crate::support::receiver::{Behaviour, Receiver};

on_both_databases! {
    async fn a_receiver_that_takes_its_time_holds_nobody_up(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/slow", Behaviour::Hangs);
        let (slow, _) = webhook(client, &receiver.url("/slow")).await;
        let (quick, _) = webhook(client, &receiver.url("/quick")).await;
        // More than may be under way for one webhook, and more than a process sends at once.
        for _ in 0..40 {
            client.post(&format!("/webhook/{slow}/test"), json!({})).await.ok();
        }
        receiver.wait_for("/slow", 4).await;
        let begun = Instant::now();
        client.captured("brisk", ORIGIN, TEAL).await;
        ended(client, &quick).await;
        assert!(begun.elapsed() < Duration::from_secs(9), "the slow one's attempts take ten seconds each");
        assert_eq!(receiver.sent("/slow").len(), 4);
        let given_up = logged(client, &slow, |delivery| delivery["status"] == "failed").await;
        assert_eq!(given_up["error"], "It took longer than 10s.");
        app.stop().await;
    }

    async fn redirects_are_not_followed_and_endless_answers_are_cut(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/moved", Behaviour::RedirectsTo(receiver.url("/inside")));
        receiver.behaves("/endless", Behaviour::Endless);
        let (moved, _) = webhook(client, &receiver.url("/moved")).await;
        let (endless, _) = webhook(client, &receiver.url("/endless")).await;
        for id in [&moved, &endless] {
            client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        }
        let delivery = ended(client, &moved).await;
        assert_eq!((&delivery["status"], &delivery["attempts"][0]["statusCode"]), (&json!("failed"), &json!(302)));
        assert!(delivery["error"].as_str().unwrap().contains("redirects are not followed"), "{delivery}");
        assert!(receiver.sent("/inside").is_empty());
        let delivery = ended(client, &endless).await;
        assert_eq!((&delivery["status"], &delivery["attempts"][0]["answer"]), (&json!("delivered"), &json!("x".repeat(1_000))));
        app.stop().await;
    }

    async fn a_private_address_is_refused_when_it_is_saved_and_at_every_attempt(app: TestApp) {
        let receiver = Receiver::start().await;
        let (id, _) = webhook(&app.client, &receiver.url("/hook")).await;
        // Listening for everybody, the service may reach its own machine no more.
        let app = app.restarted(&["--listen", "0.0.0.0:0"], Clock::System).await;
        let client = &app.client;
        client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        let delivery = ended(client, &id).await;
        assert!(delivery["error"].as_str().unwrap().contains("127.0.0.1, which is loopback (127.0.0.0/8)"), "{delivery}");
        assert!(receiver.sent("/hook").is_empty());
        let port = receiver.origin.rsplit(':').next().unwrap();
        for url in [
            receiver.url("/hook"), format!("http://localhost:{port}/"), "http://169.254.169.254/latest".to_owned(), "http://[::1]/".to_owned(),
            "http://2130706433/".to_owned(), "http://10.0.0.1/".to_owned(),
        ] {
            let error = client.post("/webhooks", json!({ "url": url, "events": ["job.completed"] })).await.refused(400, "invalid_url");
            assert!(error.starts_with("`url`: ") && error.contains("--allow-target"), "{error}");
            client.put(&format!("/webhook/{id}"), json!({ "url": url })).await.refused(400, "invalid_url");
        }
        let allowed = format!("127.0.0.1:{port}");
        let app = app.restarted(&["--listen", "0.0.0.0:0", "--allow-target", &allowed], Clock::System).await;
        app.client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        receiver.wait_for("/hook", 1).await;
        app.stop().await;
    }

    async fn what_belongs_to_one_organization_does_not_exist_for_another(app: TestApp) {
        let receiver = Receiver::start().await;
        let (id, _) = webhook(&app.client, &receiver.url("/hook")).await;
        app.client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        let delivery = ended(&app.client, &id).await["deliveryId"].as_str().unwrap().to_owned();
        let all = async |client: &Client| -> Vec<crate::support::client::Answer> {
            let path = format!("/webhook/{id}");
            let mut answers = vec![
                client.get(&path).await,
                client.put(&path, json!({ "enabled": false })).await,
                client.get(&format!("{path}/deliveries")).await,
            ];
            for post in ["rotate-secret".to_owned(), "test".to_owned(), format!("deliveries/{delivery}/redeliver")] {
                answers.push(client.post(&format!("{path}/{post}"), json!({})).await);
            }
            answers.push(client.delete(&path).await);
            answers
        };
        let other = app.client_with("acme", &["read", "run", "review", "admin"]).await;
        for answer in all(&other).await {
            answer.refused(404, "not_found");
        }
        assert_eq!(other.get("/webhooks").await.ok(), json!([]));
        let weak = app.client_with("main", &["read", "run", "review"]).await;
        for answer in all(&weak).await {
            answer.refused(403, "forbidden");
        }
        weak.get("/webhooks").await.refused(403, "forbidden");
        weak.post("/webhooks", json!({ "url": receiver.url("/x"), "events": ["job.completed"] })).await.refused(403, "forbidden");
        other.captured("theirs", ORIGIN, TEAL).await;
        let kept = log(&app.client, &id).await;
        assert_eq!((kept.len(), app.client.get(&format!("/webhook/{id}")).await.ok()["enabled"].clone()), (1, json!(true)), "nothing of it happened");
        app.stop().await;
    }

    async fn a_secret_is_shown_once_and_stored_sealed(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, first) = webhook(client, &receiver.url("/hook")).await;
        let second = client.post(&format!("/webhook/{id}/rotate-secret"), json!({})).await.ok()["secret"].as_str().unwrap().to_owned();
        client.captured("sealed", ORIGIN, TEAL).await;
        ended(client, &id).await;
        let mut said = vec![format!("{:?}", app.audit().await)];
        for path in ["/webhooks".to_owned(), format!("/webhook/{id}"), format!("/webhook/{id}/deliveries")] {
            said.push(client.get(&path).await.ok().to_string());
        }
        said.push(client.put(&format!("/webhook/{id}"), json!({ "description": "x" })).await.ok().to_string());
        let stored: Vec<(String, Option<String>)> = sqlx::query_as("SELECT secret, former_secret FROM webhooks")
            .fetch_all(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
        said.push(format!("{stored:?}"));
        for text in said {
            for secret in [&first, &second] {
                assert!(!text.contains(secret.strip_prefix("whsec_").unwrap()), "{text}");
            }
            assert!(!text.contains("whsec_"), "{text}");
        }
        app.stop().await;
    }

    async fn wrong_fields_are_named(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        let url = receiver.url("/hook");
        let long = format!("{url}/{}", "x".repeat(2_048));
        for (body, code, field) in [
            (json!({ "events": ["job.completed"] }), "invalid_input", "url"),
            (json!({ "url": url }), "invalid_input", "events"),
            (json!({ "url": url, "events": [] }), "invalid_input", "`events`"),
            (json!({ "url": url, "events": ["webhook.test"] }), "invalid_input", "`events`"),
            (json!({ "url": url, "events": ["job.started"] }), "invalid_input", "`events[0]`"),
            (json!({ "url": url, "events": ["job.completed"], "project": "nobody" }), "invalid_input", "`project`"),
            (json!({ "url": url, "events": ["job.completed"], "description": "x".repeat(201) }), "invalid_input", "`description`"),
            (json!({ "url": url, "events": ["job.completed"], "description": "a\0b" }), "invalid_input", "`description`"),
            (json!({ "url": long, "events": ["job.completed"] }), "invalid_input", "`url`"),
            (json!({ "url": "ftp://example.com/", "events": ["job.completed"] }), "invalid_url", "`url`"),
            (json!({ "url": "https://ana:pw@example.com/", "events": ["job.completed"] }), "invalid_url", "`url`"),
            (json!({ "url": "hook", "events": ["job.completed"] }), "invalid_url", "`url`"),
            (json!({ "url": "http://nobody.invalid/", "events": ["job.completed"] }), "invalid_url", "`url`"),
        ] {
            let error = client.post("/webhooks", body.clone()).await.refused(400, code);
            assert!(error.contains(field) && !error.contains("pw@"), "{body}: {error}");
        }
        assert_eq!(client.get("/webhooks").await.ok(), json!([]));
        for path in ["/webhook/nonsense", "/webhook/%00", "/webhook/x/deliveries"] {
            client.get(path).await.refused(404, "not_found");
        }
        app.stop().await;
    }

    async fn an_organization_has_twenty_however_many_ask_at_once(app: TestApp) {
        let receiver = Receiver::start().await;
        let body = json!({ "url": receiver.url("/hook"), "events": ["job.completed"] });
        let calls = (0..25).map(|_| app.client.post("/webhooks", body.clone()));
        let mut statuses: Vec<u16> = futures::future::join_all(calls).await.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!((statuses[19], statuses[20]), (200, 400));
        assert_eq!(app.client.get("/webhooks").await.ok().as_array().unwrap().len(), 20);
        app.client.post("/webhooks", body).await.refused(400, "invalid_state");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_send_each_event_once() {
    let app = TestApp::on_postgres().await;
    let other = app.beside(&["--secret", SECRET], Clock::System).await;
    let app = app.restarted(&["--secret", SECRET], Clock::System).await;
    let receiver = Receiver::start().await;
    let mut ids = Vec::new();
    for path in ["/one", "/two", "/three"] {
        ids.push(webhook(&app.client, &receiver.url(path)).await);
    }
    let clients = [&app.client, &other.client];
    let calls = (0..60).map(|number| {
        let path = format!("/webhook/{}/test", ids[number % 3].0);
        let client = clients[number % 2].clone();
        async move { client.post(&path, json!({})).await }
    });
    for answer in futures::future::join_all(calls).await {
        answer.ok();
    }
    for (path, (id, secret)) in ["/one", "/two", "/three"].into_iter().zip(&ids) {
        let sent = receiver.wait_for(path, 20).await;
        let events: BTreeSet<&str> = sent.iter().map(|sent| sent.header("webhook-id")).collect();
        assert_eq!((sent.len(), events.len()), (20, 20));
        for sent in &sent {
            assert_signed(sent, secret);
        }
        logged(&other.client, id, |delivery| {
            delivery["status"] == "delivered"
        })
        .await;
    }
    other.stop().await;
    app.stop().await;
    for path in ["/one", "/two", "/three"] {
        assert_eq!(receiver.sent(path).len(), 20, "none came later");
    }
}

const SECRET: &str = "one secret for all servers of a database";

/// kill -9 while the receiver has the request and has not answered: the event comes again, the same.
async fn an_event_survives_kill_nine(database_url: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await;
    receiver.behaves("/hook", Behaviour::Hangs);
    let mut service = ServiceProcess::start(folder.path(), database_url);
    let key = service.first_key.clone().unwrap();
    let client = Client::new(service.base.clone(), key.clone());
    let (id, secret) = webhook(&client, &receiver.url("/hook")).await;
    client.captured("killed", ORIGIN, TEAL).await;
    receiver.wait_for("/hook", 1).await;
    service.kill();
    receiver.behaves("/hook", Behaviour::Answers(200, String::new()));
    let service = ServiceProcess::start(folder.path(), database_url);
    let client = Client::new(service.base.clone(), key);
    let sent = receiver.wait_for("/hook", 2).await;
    assert_eq!(sent[0].header("webhook-id"), sent[1].header("webhook-id"));
    assert_eq!(sent[0].body, sent[1].body);
    assert_signed(&sent[1], &secret);
    let delivery: Value = ended(&client, &id).await;
    assert_eq!(
        (&delivery["status"], &delivery["attemptCount"]),
        (&json!("delivered"), &json!(2))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_survives_kill_nine_on_sqlite() {
    an_event_survives_kill_nine(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_survives_kill_nine_on_postgres() {
    an_event_survives_kill_nine(Some(&postgres::fresh_database().await)).await;
}
