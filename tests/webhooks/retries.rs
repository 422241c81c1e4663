//! What comes after an attempt: retries, giving up, secrets that overlap. The time is set, so nothing waits for it.

use pentimento::tasks::deliver::tick;
use serde_json::{Value, json};

use super::{MAROON, TEAL};
use super::{ORIGIN, assert_signed, ended, log, logged, webhook};
use crate::support::app::TestApp;
use crate::support::hands::Hands;
use crate::support::on_both_databases;
use crate::support::receiver::{Behaviour, Receiver};

const START: &str = "2030-01-01T10:00:00Z";

/// The service again, with a clock that stands still.
async fn still(app: TestApp) -> (TestApp, Hands) {
    let hands = Hands::at(START);
    (app.restarted(&[], hands.clock()).await, hands)
}

/// Sends all that is due, and waits until the newest delivery has so many attempts in its log.
async fn attempted(app: &TestApp, id: &str, attempts: usize) -> Value {
    tick(&app.service.app).await.unwrap();
    let newest = log(&app.client, id).await[0]["deliveryId"].clone();
    logged(&app.client, id, |delivery| {
        delivery["deliveryId"] == newest
            && delivery["attempts"].as_array().unwrap().len() == attempts
    })
    .await
}

fn fails() -> Behaviour {
    Behaviour::Answers(503, "down for maintenance".to_owned())
}

on_both_databases! {
    async fn what_fails_comes_again_until_the_receiver_heals(app: TestApp) {
        let (app, hands) = still(app).await;
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/hook", fails());
        let (id, secret) = webhook(client, &receiver.url("/hook")).await;
        client.captured("healing", ORIGIN, TEAL).await;
        let first = attempted(&app, &id, 1).await;
        assert_eq!((&first["status"], &first["attempts"][0]["statusCode"]), (&json!("pending"), &json!(503)));
        assert_eq!(first["attempts"][0]["answer"], "down for maintenance");
        let due = first["nextAttemptAt"].as_str().unwrap();
        assert!(("2030-01-01T10:00:04.000Z"..="2030-01-01T10:00:06.000Z").contains(&due), "{due}");
        assert_eq!(client.get(&format!("/webhook/{id}")).await.ok()["failingSince"], "2030-01-01T10:00:00.000Z");
        tick(&app.service.app).await.unwrap();
        assert_eq!(receiver.sent("/hook").len(), 1, "not before its time");

        hands.put(due);
        let second = attempted(&app, &id, 2).await;
        receiver.behaves("/hook", Behaviour::Answers(200, String::new()));
        hands.put(second["nextAttemptAt"].as_str().unwrap());
        let third = attempted(&app, &id, 3).await;
        assert_eq!((&third["status"], &third["attemptCount"]), (&json!("delivered"), &json!(3)));
        assert_eq!(client.get(&format!("/webhook/{id}")).await.ok().get("failingSince"), None);
        let sent = receiver.sent("/hook");
        assert_eq!(sent.len(), 3);
        for attempt in &sent {
            assert_signed(attempt, &secret);
            assert_eq!((attempt.header("webhook-id"), &attempt.body), (sent[0].header("webhook-id"), &sent[0].body));
        }
        assert!(sent[1].header("webhook-timestamp") > sent[0].header("webhook-timestamp"), "each attempt is signed at its own time");
        app.stop().await;
    }

    async fn a_receiver_is_left_alone_for_as_long_as_it_asks(app: TestApp) {
        let (app, hands) = still(app).await;
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/hook", Behaviour::AsksToWait(120));
        let (id, _) = webhook(client, &receiver.url("/hook")).await;
        client.captured("busy", ORIGIN, TEAL).await;
        let first = attempted(&app, &id, 1).await;
        assert_eq!((&first["attempts"][0]["statusCode"], &first["nextAttemptAt"]), (&json!(429), &json!("2030-01-01T10:02:00.000Z")));
        hands.put("2030-01-01T10:01:59Z");
        tick(&app.service.app).await.unwrap();
        assert_eq!(receiver.sent("/hook").len(), 1, "not before its time");
        hands.put("2030-01-01T10:02:00Z");
        attempted(&app, &id, 2).await;
        app.stop().await;
    }

    async fn an_event_is_given_up_after_a_day_and_a_webhook_after_five(app: TestApp) {
        let (app, hands) = still(app).await;
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/hook", fails());
        let (id, _) = webhook(client, &receiver.url("/hook")).await;
        let job = client.captured("dead", ORIGIN, TEAL).await;
        let mut last = attempted(&app, &id, 1).await;
        for attempts in 2..=9 {
            hands.put(last["nextAttemptAt"].as_str().unwrap());
            last = attempted(&app, &id, attempts).await;
        }
        assert_eq!((&last["status"], &last["error"]), (&json!("failed"), &json!("It answered 503.")));
        assert_eq!(last.get("nextAttemptAt"), None);
        let given_up_at = last["attempts"][8]["at"].as_str().unwrap();
        assert!(("2030-01-02T05:00:00Z"..="2030-01-02T16:00:00Z").contains(&given_up_at), "{given_up_at}");
        assert_eq!(client.get(&format!("/webhook/{id}")).await.ok()["enabled"], true);

        // A test has one attempt, so each of these is given up at once.
        hands.put("2030-01-06T09:59:00Z");
        client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        attempted(&app, &id, 1).await;
        assert_eq!(client.get(&format!("/webhook/{id}")).await.ok()["enabled"], true);
        hands.put("2030-01-06T10:00:00Z");
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        let waiting = attempted(&app, &id, 1).await;
        assert_eq!(waiting["status"], "pending");
        client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        attempted(&app, &id, 1).await;
        let disabled = client.get(&format!("/webhook/{id}")).await.ok();
        assert_eq!((&disabled["enabled"], &disabled["disabledReason"]), (&json!(false), &json!("Nothing got through for five days.")));
        let given_up = logged(client, &id, |delivery| delivery["deliveryId"] == waiting["deliveryId"]).await;
        assert_eq!((&given_up["status"], &given_up["error"]), (&json!("failed"), &json!("The webhook was disabled.")));
        assert_eq!(app.audited("webhook.disable").await, [json!({ "host": "127.0.0.1", "project": null, "reason": "Nothing got through for five days." })]);

        let enabled = client.put(&format!("/webhook/{id}"), json!({ "enabled": true })).await.ok();
        assert_eq!((enabled.get("disabledReason"), enabled.get("failingSince")), (None, None));
        app.stop().await;
    }

    async fn a_receiver_that_is_gone_disables_its_webhook(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/hook", Behaviour::Answers(410, String::new()));
        let (id, _) = webhook(client, &receiver.url("/hook")).await;
        let job = client.captured("gone", ORIGIN, TEAL).await;
        let delivery = ended(client, &id).await;
        assert_eq!((&delivery["status"], &delivery["attemptCount"]), (&json!("failed"), &json!(1)));
        let disabled = client.get(&format!("/webhook/{id}")).await.ok();
        assert_eq!(disabled["enabled"], false);
        assert!(disabled["disabledReason"].as_str().unwrap().contains("410"), "{disabled}");
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!(log(client, &id).await.len(), 1);
        app.stop().await;
    }

    async fn a_former_secret_signs_too_for_a_while(app: TestApp) {
        let (app, hands) = still(app).await;
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, former) = webhook(client, &receiver.url("/hook")).await;
        let rotated = client.post(&format!("/webhook/{id}/rotate-secret"), json!({ "overlapHours": 2 })).await.ok();
        assert_eq!(rotated["formerSecretUntil"], "2030-01-01T12:00:00.000Z");
        let secret = rotated["secret"].as_str().unwrap();
        assert_ne!(secret, former);
        hands.put("2030-01-01T11:59:59Z");
        client.captured("rotated", ORIGIN, TEAL).await;
        attempted(&app, &id, 1).await;
        let sent = &receiver.sent("/hook")[0];
        assert_eq!(sent.signatures(), [sent.expected(secret), sent.expected(&former)]);

        hands.put("2030-01-01T12:00:00Z");
        client.captured("rotated", ORIGIN, MAROON).await;
        attempted(&app, &id, 1).await;
        assert_signed(&receiver.sent("/hook")[1], secret);
        assert_eq!(client.get(&format!("/webhook/{id}")).await.ok().get("formerSecretUntil"), None);
        client.post(&format!("/webhook/{id}/rotate-secret"), json!({ "overlapHours": 169 })).await.refused(400, "invalid_input");
        let at_once = client.send(client.request(reqwest::Method::POST, &format!("/webhook/{id}/rotate-secret")).bearer_auth(&client.key)).await.ok();
        assert_eq!(at_once["formerSecretUntil"], "2030-01-02T12:00:00.000Z", "a day when nothing is said");
        assert_eq!(app.audited("webhook.rotate_secret").await.len(), 2);
        app.stop().await;
    }

    async fn each_former_secret_signs_until_its_own_end(app: TestApp) {
        let (app, hands) = still(app).await;
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, first) = webhook(client, &receiver.url("/hook")).await;
        let rotate = async |hours: u32| client.post(&format!("/webhook/{id}/rotate-secret"), json!({ "overlapHours": hours })).await;
        let secret_of = |rotated: &Value| rotated["secret"].as_str().unwrap().to_owned();
        let second = secret_of(&rotate(3).await.ok());
        hands.put("2030-01-01T10:30:00Z");
        let rotated = rotate(1).await.ok();
        let third = secret_of(&rotated);
        assert_eq!(rotated["formerSecretUntil"], "2030-01-01T13:00:00.000Z", "the later end of both");
        let sentence = rotate(1).await.refused(400, "invalid_state");
        assert!(sentence.contains("2030-01-01T11:30:00.000Z") && sentence.contains("`overlapHours`"), "{sentence}");
        client.captured("rotated", ORIGIN, TEAL).await;
        attempted(&app, &id, 1).await;
        let sent = &receiver.sent("/hook")[0];
        assert_eq!(sent.signatures(), [&third, &second, &first].map(|secret| sent.expected(secret)));

        // The second one has ended, and the first one has not.
        hands.put("2030-01-01T11:30:00Z");
        let fourth = secret_of(&rotate(24).await.ok());
        client.captured("rotated", ORIGIN, MAROON).await;
        attempted(&app, &id, 1).await;
        let sent = &receiver.sent("/hook")[1];
        assert_eq!(sent.signatures(), [&fourth, &third, &first].map(|secret| sent.expected(secret)));

        // Whoever leaves no overlap wants none of them any more.
        let rotated = rotate(0).await.ok();
        assert_eq!(rotated.get("formerSecretUntil"), None);
        client.captured("rotated", ORIGIN, TEAL).await;
        attempted(&app, &id, 1).await;
        assert_signed(&receiver.sent("/hook")[2], &secret_of(&rotated));
        app.stop().await;
    }
}
