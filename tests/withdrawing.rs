//! Taking decisions back, and deciding with the knowledge of what others decided.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::site::Site;

const ORIGIN: &str = "http://shop.test";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];

/// Decides on the job's page, and returns the page's triage and the job's status after it.
async fn decide(client: &Client, job: &Value, action: &str) -> (String, String) {
    client.decide(job, result(job, "/"), action).await.ok();
    let after = client.reread(job).await;
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    (
        word(&result(&after, "/")["triageStatus"]),
        word(&after["status"]),
    )
}

/// What the pointer of `/` went through: its moves, and the captures that they named.
async fn moves(app: &TestApp) -> Vec<(String, Option<String>)> {
    let mut connection = app.service.app.db.read().await.unwrap();
    sqlx::query_as(
        "SELECT action, capture_id FROM baseline_history WHERE page_key = '/' ORDER BY version",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap()
}

fn of_page(job: &Value, action: &str, seen: &Value) -> Value {
    let page = result(job, "/");
    json!({ "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "action": action, "seen": seen })
}

fn state(triage: &str, job: &str) -> (String, String) {
    (triage.to_owned(), job.to_owned())
}

on_both_databases! {
    async fn a_decision_taken_back_leaves_the_page_as_if_nobody_had_decided(app: TestApp) {
        let client = &app.client;
        client.captured("back", ORIGIN, TEAL).await;
        let job = client.captured("back", ORIGIN, MAROON).await;
        let undecided = state("pending", "COMPLETED");
        assert_eq!(decide(client, &job, "withdraw").await, undecided, "nothing to take back");
        for (action, left) in [("approve", state("approved", "APPROVED")), ("reject", state("rejected", "COMPLETED"))] {
            assert_eq!(decide(client, &job, action).await, left);
            assert_eq!(decide(client, &job, "withdraw").await, undecided);
            assert_eq!(decide(client, &job, "withdraw").await, undecided, "it is repeatable");
            let page = client.reread(&job).await;
            let page = result(&page, "/");
            for field in ["triagedAt", "triagedBy", "triagedVerdict", "triageNote"] {
                assert_eq!(page.get(field), None, "{field} after {action}");
            }
            let next = client.captured("back", ORIGIN, MAROON).await;
            assert_eq!(result(&next, "/")["changed"], true, "{action}: the former baseline counts");
        }
        // The decision itself is made anew as often as one likes.
        assert_eq!(decide(client, &job, "approve").await, state("approved", "APPROVED"));
        assert_eq!(decide(client, &job, "reject").await, state("rejected", "COMPLETED"));
        assert_eq!(decide(client, &job, "withdraw").await, undecided);
        assert_eq!(decide(client, &job, "approve").await, state("approved", "APPROVED"));
        let next = client.captured("back", ORIGIN, MAROON).await;
        assert_eq!(result(&next, "/")["changed"], false);
        let moves = moves(&app).await;
        let actions: Vec<&str> = moves.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(actions, ["new", "promote", "restore", "promote", "restore", "promote"]);
        assert!(moves.iter().step_by(2).all(|(_, capture)| *capture == moves[0].1));
        assert!(moves.iter().skip(1).step_by(2).all(|(_, capture)| *capture == moves[1].1));
        assert_eq!(app.audited("triage.withdraw").await.len(), 6);
        app.stop().await;
    }

    async fn what_was_decided_about_a_new_page_is_taken_back_too(app: TestApp) {
        let client = &app.client;
        let job = client.captured("new", ORIGIN, TEAL).await;
        let undecided = state("pending", "COMPLETED");
        assert_eq!(decide(client, &job, "withdraw").await, undecided);
        assert_eq!(decide(client, &job, "reject").await.0, "rejected");
        assert_eq!(decide(client, &job, "withdraw").await, undecided);
        let again = client.captured("new", ORIGIN, TEAL).await;
        assert_eq!((&result(&again, "/")["isNewBaseline"], &result(&again, "/")["changed"]), (&json!(false), &json!(false)), "it is its baseline again");
        assert_eq!(decide(client, &job, "approve").await, state("approved", "APPROVED"));
        assert_eq!(decide(client, &job, "withdraw").await, undecided);
        let moves = moves(&app).await;
        let actions: Vec<&str> = moves.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(actions, ["new", "restore", "restore"]);
        assert_eq!((moves[1].1.as_ref(), &moves[2].1), (None, &moves[0].1));
        app.stop().await;
    }

    async fn an_approval_is_not_taken_back_once_the_baseline_has_moved_on(app: TestApp) {
        let client = &app.client;
        client.captured("moved", ORIGIN, TEAL).await;
        let job = client.captured("moved", ORIGIN, MAROON).await;
        decide(client, &job, "approve").await;
        let newer = client.captured("moved", ORIGIN, [0, 0, 128]).await;
        decide(client, &newer, "approve").await;
        client.decide(&job, result(&job, "/"), "withdraw").await.refused(409, "baseline_moved");
        assert_eq!(result(&client.reread(&job).await, "/")["triageStatus"], "approved");
        app.stop().await;
    }

    async fn a_decision_that_does_not_know_of_another_one_is_refused(app: TestApp) {
        let client = &app.client;
        client.captured("seen", ORIGIN, TEAL).await;
        let job = client.captured("seen", ORIGIN, MAROON).await;
        let ana = app.client_with("main", &["review"]).await;
        let undecided = json!({ "triageStatus": "pending" });
        let mut rejection = of_page(&job, "reject", &undecided);
        rejection["note"] = json!("wrong price");
        ana.post("/approve", rejection.clone()).await.ok();
        // The same again is no news.
        ana.post("/approve", rejection).await.ok();
        let why = client.post("/approve", of_page(&job, "approve", &undecided)).await.refused(400, "invalid_state");
        assert!(why.contains("main review rejected this page meanwhile"), "{why}");
        let page = client.reread(&job).await;
        let page = result(&page, "/");
        assert_eq!((&page["triageStatus"], &page["triageNote"]), (&json!("rejected"), &json!("wrong price")), "nothing is lost");
        assert_eq!(moves(&app).await.len(), 1);
        // Who has seen it may decide otherwise; who saw that may not take the other decision for it.
        let seen = json!({ "triageStatus": "rejected", "triagedBy": "main review" });
        client.post("/approve", of_page(&job, "approve", &seen)).await.ok();
        ana.post("/approve", of_page(&job, "withdraw", &seen)).await.refused(400, "invalid_state");
        let seen = json!({ "triageStatus": "approved", "triagedBy": "admin" });
        ana.post("/approve", of_page(&job, "withdraw", &seen)).await.ok();
        let why = client.post("/approve", of_page(&job, "reject", &seen)).await.refused(400, "invalid_state");
        assert!(why.contains("taken back"), "{why}");
        client.post("/approve", of_page(&job, "reject", &undecided)).await.ok();
        let notes: Vec<Value> = app.audited("triage.reject").await.iter().map(|detail| detail["note"].clone()).collect();
        assert!(notes.contains(&json!("wrong price")), "{notes:?}");
        app.stop().await;
    }

    async fn taking_back_and_what_was_seen_are_about_one_page(app: TestApp) {
        let client = &app.client;
        let job = client.captured("one", ORIGIN, TEAL).await;
        for body in [
            json!({ "jobId": job["jobId"], "action": "withdraw" }),
            json!({ "jobId": job["jobId"], "where": { "decision": ["bug"] }, "action": "withdraw" }),
            json!({ "jobId": job["jobId"], "seen": { "triageStatus": "pending" } }),
            of_page(&job, "approve", &json!({ "triageStatus": "maybe" })),
            of_page(&job, "approve", &json!({ "triagedBy": "admin" })),
            of_page(&job, "approve", &json!(["pending"])),
        ] {
            client.post("/approve", body).await.refused(400, "invalid_input");
        }
        app.stop().await;
    }

    async fn who_follows_a_job_hears_of_a_decision_that_is_taken_back(app: TestApp) {
        let client = &app.client;
        client.captured("heard", ORIGIN, TEAL).await;
        let job = client.captured("heard", ORIGIN, MAROON).await;
        let mut stream = client.stream(&format!("/job/{}/events?triage=true", job["jobId"].as_str().unwrap())).await;
        for (action, triage) in [("approve", "approved"), ("withdraw", "pending")] {
            decide(client, &job, action).await;
            let told = stream.until("triage").await;
            assert_eq!((&told["triageStatus"], &told["resultId"]), (&json!(triage), &result(&job, "/")["resultId"]));
        }
        app.stop().await;
    }

    async fn decisions_on_a_live_job_are_recorded_and_taken_back(app: TestApp) {
        let (base, preview) = (Site::start().await, Site::start().await);
        base.page("/", "teal", "");
        preview.page("/", "maroon", "");
        let client = &app.client;
        let job = client.run(json!({ "testOrigin": preview.origin, "baseOrigin": base.origin })).await;
        let told = client.decide(&job, result(&job, "/"), "reject").await.ok();
        assert_eq!(told["message"], "Recorded the decision on 1 page, skipped 0 pages; a live job has no baselines to move.");
        assert_eq!(decide(client, &job, "withdraw").await.0, "pending");
        app.stop().await;
    }
}
