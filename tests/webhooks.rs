//! Webhooks: what is told, to whom, how often, and what the log says of it. Receivers are real servers on loopback, and
//! signatures are checked by the text of the specification.

mod hardening; // private addresses, other organizations, several servers, kill -9
mod retries; // time is moved, never waited for

use std::time::{Duration, Instant};

use pentimento::tasks::queue::Task;
use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::receiver::{Behaviour, Receiver, Sent};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];

/// Longest wait for the log to say something.
const LOG_DEADLINE: Duration = Duration::from_secs(30);

/// A webhook that wants everything: its id and its secret.
async fn webhook(client: &Client, url: &str) -> (String, String) {
    let body = json!({ "url": url, "events": ["job.completed", "job.triaged"] });
    let made = client.post("/webhooks", body).await.ok();
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    (text("webhookId"), text("secret"))
}

async fn log(client: &Client, id: &str) -> Vec<Value> {
    let list = client.get(&format!("/webhook/{id}/deliveries")).await.ok();
    list["deliveries"].as_array().unwrap().clone()
}

/// Waits until the log holds a delivery for which this is true, and returns it.
async fn logged(client: &Client, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    let mut look = tokio::time::interval(Duration::from_millis(20));
    loop {
        look.tick().await;
        let log = log(client, id).await;
        if let Some(found) = log.iter().find(|delivery| wanted(delivery)) {
            return found.clone();
        }
        assert!(begun.elapsed() < LOG_DEADLINE, "the log says {log:#?}");
    }
}

/// The newest delivery, when it has come to its end.
async fn ended(client: &Client, id: &str) -> Value {
    logged(client, id, |delivery| delivery["status"] != "pending").await
}

#[track_caller]
fn assert_signed(sent: &Sent, secret: &str) {
    assert_eq!(sent.signatures(), [sent.expected(secret)]);
}

on_both_databases! {
    async fn an_ended_job_and_each_decision_are_told_signed_and_logged(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/hook", Behaviour::Answers(202, "taken\u{1b}[31m, thanks".to_owned()));
        let (id, secret) = webhook(client, &receiver.url("/hook")).await;
        client.captured("shop", ORIGIN, TEAL).await;
        let changed = client.captured("shop", ORIGIN, MAROON).await;
        let told = receiver.wait_for("/hook", 2).await;
        let sent = told.iter().find(|sent| sent.json()["data"]["jobId"] == changed["jobId"]).unwrap();
        assert_signed(sent, &secret);
        assert_eq!(sent.header("content-type"), "application/json");
        assert!(sent.header("user-agent").starts_with("pentimento/"));
        let payload = sent.json();
        assert_eq!(payload["id"], sent.header("webhook-id"));
        assert_eq!(payload["type"], "job.completed");
        let at: jiff::Timestamp = payload["timestamp"].as_str().unwrap().parse().unwrap();
        let signed_at: i64 = sent.header("webhook-timestamp").parse().unwrap();
        assert!((signed_at - at.as_second()).abs() < 60);
        let data = &payload["data"];
        assert_eq!(data["counts"], json!({ "regression": 1, "match": 0, "newBaseline": 0, "error": 0, "pending": 0 }));
        assert_eq!((&data["project"], &data["status"], &data["startedBy"]), (&json!("shop"), &json!("COMPLETED"), &json!("admin")));
        let summary = client.summary(&changed).await;
        for field in ["intentAssessment", "overallScore"] {
            assert_eq!(data[field], summary[field], "{field}");
        }
        let job_id = changed["jobId"].as_str().unwrap();
        assert_eq!(data["links"], json!({
            "dashboard": format!("{}/app/jobs/{job_id}", client.base), "summary": format!("{}/job/{job_id}/summary", client.base),
        }));
        assert!(!sent.body.contains("/blob/") && !sent.body.contains("?e="), "no signed links: {}", sent.body);

        let page = result(&changed, "/");
        client.decide(&changed, page, "approve").await.ok();
        client.decide(&changed, page, "reject").await.ok();
        let told = receiver.wait_for("/hook", 4).await;
        let of = |action: &str| told.iter().find(|sent| sent.json()["data"]["action"] == action).unwrap();
        for (action, status, triage_status, approved) in [("approve", "APPROVED", "approved", 1), ("reject", "COMPLETED", "rejected", 0)] {
            let sent = of(action);
            assert_signed(sent, &secret);
            let payload = sent.json();
            let data = &payload["data"];
            assert_eq!(payload["type"], "job.triaged");
            assert_eq!((&data["status"], &data["triageStatus"], &data["triagedBy"]), (&json!(status), &json!(triage_status), &json!("admin")));
            assert_eq!((&data["approvedUrlsCount"], &data["url"], &data["variantName"]), (&json!(approved), &page["url"], &page["variantName"]));
            assert_eq!(data["triage"][triage_status], 1);
        }

        let delivery = logged(client, &id, |delivery| delivery["eventId"] == payload["id"] && delivery["status"] == "delivered").await;
        assert_eq!((&delivery["event"], &delivery["attemptCount"]), (&json!("job.completed"), &json!(1)));
        assert_eq!(delivery["payload"], json!(sent.body));
        let attempt = &delivery["attempts"][0];
        assert_eq!((&attempt["statusCode"], &attempt["answer"]), (&json!(202), &json!("taken [31m, thanks")));
        assert_eq!((attempt.get("error"), delivery.get("nextAttemptAt")), (None, None));
        app.stop().await;
    }

    async fn a_job_that_failed_is_told_too(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        receiver.behaves("/sitemap.xml", Behaviour::Answers(404, String::new()));
        webhook(client, &receiver.url("/hook")).await;
        let job = client.run(json!({ "project": "broken", "testOrigin": receiver.origin, "sitemapUrl": receiver.url("/sitemap.xml") })).await;
        assert_eq!(job["status"], "FAILED");
        let data = receiver.wait_for("/hook", 1).await[0].json()["data"].clone();
        assert_eq!((&data["status"], &data["error"], &data["jobId"]), (&json!("FAILED"), &job["error"], &job["jobId"]));
        app.stop().await;
    }

    async fn a_job_that_fails_at_its_end_is_told_with_what_its_results_come_to(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        client.captured("shop", ORIGIN, TEAL).await;
        let job = client.captured("shop", ORIGIN, MAROON).await;
        let job_id = job["jobId"].as_str().unwrap();
        webhook(client, &receiver.url("/hook")).await;
        // As if its end had been begun as often as it may be.
        let mut tx = app.service.app.db.begin().await.unwrap();
        sqlx::query("UPDATE jobs SET status = 'FINISHING', attempts = 3, worker_id = NULL WHERE id = $1")
            .bind(job_id)
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        app.service.app.queue.push(&Task::Finish { job_id: job_id.to_owned() }).await;
        let data = receiver.wait_for("/hook", 1).await[0].json()["data"].clone();
        assert_eq!((&data["status"], &data["counts"]["regression"]), (&json!("FAILED"), &json!(1)));
        let summary = client.summary(&job).await;
        assert_eq!(summary["status"], "FAILED");
        for field in ["intentAssessment", "overallScore"] {
            assert_eq!(data[field], summary[field], "{field}");
        }
        assert_ne!(data["intentAssessment"]["summary"], "Nothing was compared.");
        assert!(data["overallScore"].as_f64().unwrap() < 100.0, "{data:#}");
        app.stop().await;
    }

    async fn a_job_that_promotes_by_itself_is_told_as_it_ended(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        webhook(client, &receiver.url("/hook")).await;
        client.post("/projects", json!({ "name": "rolling", "testOrigin": ORIGIN, "baselinePolicy": "rolling" })).await.ok();
        client.captured("rolling", ORIGIN, TEAL).await;
        client.captured("rolling", ORIGIN, MAROON).await;
        let told = receiver.wait_for("/hook", 2).await;
        let statuses: Vec<Value> = told.iter().map(|sent| sent.json()["data"]["status"].clone()).collect();
        assert_eq!(statuses, ["APPROVED", "APPROVED"]);
        assert!(told.iter().all(|sent| sent.json()["type"] == "job.completed"), "nobody called, so nothing was triaged");
        app.stop().await;
    }

    async fn a_webhook_gets_what_it_wants_and_no_more(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        client.captured("one", ORIGIN, TEAL).await;
        for (path, events, project) in [
            ("/completed", json!(["job.completed"]), None),
            ("/triaged", json!(["job.triaged", "job.triaged"]), None),
            ("/of-one", json!(["job.triaged", "job.completed"]), Some("one")),
        ] {
            let body = json!({ "url": receiver.url(path), "events": events, "project": project, "description": path });
            client.post("/webhooks", body).await.ok();
        }
        let job = client.captured("two", ORIGIN, TEAL).await;
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        let job = client.captured("one", ORIGIN, MAROON).await;
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        for (path, expected) in [("/completed", ["job.completed"; 2]), ("/triaged", ["job.triaged"; 2]), ("/of-one", ["job.completed", "job.triaged"])] {
            let told = receiver.wait_for(path, 2).await;
            let mut events: Vec<String> = told.iter().map(|sent| sent.json()["type"].as_str().unwrap().to_owned()).collect();
            events.sort_unstable();
            assert_eq!(events, expected, "{path}");
        }
        let ids = |path: &str| -> Vec<String> { receiver.sent(path).iter().map(|sent| sent.header("webhook-id").to_owned()).collect() };
        let shared = ids("/of-one").iter().filter(|id| ids("/completed").contains(id)).count();
        assert_eq!(shared, 1, "an event has one id, whoever gets it");
        let list = client.get("/webhooks").await.ok();
        let described: Vec<&Value> = list.as_array().unwrap().iter().map(|webhook| &webhook["description"]).collect();
        assert_eq!(described, ["/completed", "/triaged", "/of-one"]);
        assert_eq!((&list[1]["events"], &list[2]["project"]), (&json!(["job.triaged"]), &json!("one")));
        app.stop().await;
    }

    async fn a_webhook_is_changed_tried_disabled_and_deleted(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, _) = webhook(client, &receiver.url("/before")).await;
        let path = format!("/webhook/{id}");
        let changed = client.put(&path, json!({ "url": format!("{}#part", receiver.url("/after")), "events": ["job.triaged"], "description": "CI" })).await.ok();
        assert_eq!((&changed["url"], &changed["events"], &changed["description"]), (&json!(receiver.url("/after")), &json!(["job.triaged"]), &json!("CI")));
        assert_eq!(client.put(&path, json!({ "description": null })).await.ok().get("description"), None);
        let begun = client.post(&format!("{path}/test"), json!({})).await.ok();
        assert_eq!((&begun["status"], &begun["event"], &begun["attemptCount"]), (&json!("pending"), &json!("webhook.test"), &json!(0)));
        let sent = receiver.wait_for("/after", 1).await[0].json();
        assert_eq!((&sent["type"], &sent["data"]["sentBy"]), (&json!("webhook.test"), &json!("admin")));
        ended(client, &id).await;

        client.put(&path, json!({ "enabled": false })).await.ok();
        client.post(&format!("{path}/test"), json!({})).await.refused(400, "invalid_state");
        client.post(&format!("{path}/deliveries/{}/redeliver", begun["deliveryId"].as_str().unwrap()), json!({})).await.refused(400, "invalid_state");
        let job = client.captured("quiet", ORIGIN, TEAL).await;
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!(log(client, &id).await.len(), 1, "what happens while it is disabled is not sent");
        assert_eq!(client.put(&path, json!({ "enabled": true })).await.ok()["enabled"], true);
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        receiver.wait_for("/after", 2).await;

        assert_eq!(client.delete(&path).await.status.as_u16(), 204);
        client.get(&path).await.refused(404, "not_found");
        client.get(&format!("{path}/deliveries")).await.refused(404, "not_found");
        client.delete(&path).await.refused(404, "not_found");
        assert_eq!(client.get("/webhooks").await.ok(), json!([]));
        client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        let actions: Vec<String> = app.audit().await.into_iter().map(|(action, _, _)| action).filter(|action| action.starts_with("webhook.")).collect();
        assert_eq!(actions, ["webhook.create", "webhook.update", "webhook.update", "webhook.update", "webhook.update", "webhook.delete"]);
        assert!(receiver.sent("/before").is_empty());
        app.stop().await;
    }

    async fn an_event_is_sent_again_under_its_own_id(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, secret) = webhook(client, &receiver.url("/hook")).await;
        client.captured("again", ORIGIN, TEAL).await;
        let first = ended(client, &id).await;
        let path = format!("/webhook/{id}/deliveries/{}/redeliver", first["deliveryId"].as_str().unwrap());
        let second = client.post(&path, json!({})).await.ok();
        assert_ne!(second["deliveryId"], first["deliveryId"]);
        let sent = receiver.wait_for("/hook", 2).await;
        assert_eq!(sent[0].header("webhook-id"), sent[1].header("webhook-id"));
        assert_eq!(sent[0].body, sent[1].body);
        assert_signed(&sent[1], &secret);
        logged(client, &id, |delivery| delivery["deliveryId"] == second["deliveryId"] && delivery["status"] == "delivered").await;
        let unknown = format!("/webhook/{id}/deliveries/{id}/redeliver");
        client.post(&unknown, json!({})).await.refused(404, "not_found");
        app.stop().await;
    }

    async fn the_log_is_read_page_by_page(app: TestApp) {
        let (client, receiver) = (&app.client, Receiver::start().await);
        let (id, _) = webhook(client, &receiver.url("/hook")).await;
        for _ in 0..5 {
            client.post(&format!("/webhook/{id}/test"), json!({})).await.ok();
        }
        receiver.wait_for("/hook", 5).await;
        let (mut seen, mut pages, mut query) = (Vec::new(), 0, "limit=2".to_owned());
        loop {
            let list = client.get(&format!("/webhook/{id}/deliveries?{query}")).await.ok();
            seen.extend(list["deliveries"].as_array().unwrap().iter().map(|delivery| delivery["deliveryId"].as_str().unwrap().to_owned()));
            pages += 1;
            let Some(next) = list["next"].as_str() else { break };
            query = format!("limit=2&before={next}");
        }
        assert_eq!((seen.len(), pages), (5, 3));
        assert!(seen.is_sorted_by(|one, two| one > two), "newest first");
        let failed = client.get(&format!("/webhook/{id}/deliveries?status=failed")).await.ok();
        assert_eq!(failed, json!({ "deliveries": [] }));
        for query in ["limit=0", "limit=101", "status=lost"] {
            client.get(&format!("/webhook/{id}/deliveries?{query}")).await.refused(400, "invalid_input");
        }
        app.stop().await;
    }
}
