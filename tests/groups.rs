//! One decision for all pages that show the same change.

use serde_json::{Value, json};

use crate::support::client::{Answer, Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// Pages that show one change, and a page that shows another.
const ALIKE: [&str; 4] = ["/a", "/b", "/c", "/d"];
const OTHER: &str = "/other";

async fn run(client: &Client, project: &str, alike: &str, other: &str) -> Value {
    let id = client.init(project, ORIGIN).await;
    let pages = ALIKE.map(|path| (path, alike));
    for (path, text) in pages.into_iter().chain([(OTHER, other)]) {
        let line = u32::try_from(5 + text.len() % 8).unwrap();
        let shot = picture([0, 128, 128], line);
        client
            .upload(&id, &format!("{ORIGIN}{path}"), shot, &tree(text))
            .await;
    }
    client.finish(&id).await
}

/// A job in which four pages say `Buy` instead of `Order now`, and a fifth something else.
async fn changed_job(client: &Client, project: &str) -> Value {
    run(client, project, "Order now", "Welcome").await;
    run(client, project, "Buy", "Bye").await
}

fn group(job: &Value, path: &str) -> Value {
    let group = &result(job, path)["changeGroup"];
    assert!(group.is_string(), "{job:#}");
    group.clone()
}

async fn decide(client: &Client, job: &Value, action: &str, more: Value) -> Answer {
    let mut body = json!({
        "jobId": job["jobId"], "action": action, "where": { "changeGroup": group(job, "/a") },
    });
    for (field, value) in more.as_object().unwrap() {
        if field == "except" {
            body["where"][field] = value.clone();
        } else {
            body[field] = value.clone();
        }
    }
    client.post("/approve", body).await
}

/// What became of the alike pages, and of the other one.
async fn triage(client: &Client, job: &Value) -> [String; 5] {
    let after = client.reread(job).await;
    let [a, b, c, d] = ALIKE;
    [a, b, c, d, OTHER].map(|path| {
        result(&after, path)["triageStatus"]
            .as_str()
            .unwrap()
            .to_owned()
    })
}

fn id(job: &Value, path: &str) -> Value {
    result(job, path)["resultId"].clone()
}

on_both_databases! {
    async fn one_decision_settles_all_pages_that_show_a_change_and_no_other(app: TestApp) {
        let client = &app.client;
        let job = changed_job(client, "alike").await;
        for path in ALIKE {
            assert_eq!(group(&job, path), group(&job, "/a"));
        }
        assert_ne!(group(&job, OTHER), group(&job, "/a"));
        let answer = decide(client, &job, "approve", json!({ "note": "as agreed" })).await.ok();
        assert_eq!((&answer["approvedUrlsCount"], &answer["skippedUrlsCount"], &answer["triageStatus"]), (&json!(4), &json!(1), &json!("partial")));
        assert_eq!(decide(client, &job, "approve", json!({})).await.ok(), answer, "it is repeatable");
        assert_eq!(triage(client, &job).await, ["approved", "approved", "approved", "approved", "pending"]);
        let after = client.reread(&job).await;
        assert_eq!(after["status"], "COMPLETED", "a changed page is undecided");
        assert_eq!((&result(&after, "/d")["triageNote"], &result(&after, "/d")["triagedBy"]), (&json!("as agreed"), &json!("admin")));
        let audited = app.audited("triage.approve").await;
        assert_eq!((&audited[0]["where"]["changeGroup"], &audited[0]["pages"]), (&group(&job, "/a"), &json!(4)));
        let again = run(client, "alike", "Buy", "Bye").await;
        assert_eq!((&result(&again, "/c")["changed"], &result(&again, OTHER)["changed"]), (&json!(false), &json!(true)));
        app.stop().await;
    }

    async fn pages_of_a_group_are_left_out_by_name_and_by_what_was_decided_before(app: TestApp) {
        let client = &app.client;
        let job = changed_job(client, "left-out").await;
        client.decide(&job, result(&job, "/b"), "reject").await.ok();
        decide(client, &job, "approve", json!({ "except": [id(&job, "/c")] })).await.ok();
        assert_eq!(triage(client, &job).await, ["approved", "rejected", "pending", "approved", "pending"]);
        // As many as a job may have are no too large call.
        let others: Vec<_> = (0..10_000).map(|_| uuid::Uuid::now_v7().to_string()).chain([id(&job, "/c").as_str().unwrap().to_owned()]).collect();
        decide(client, &job, "reject", json!({ "except": others, "seen": { "triageStatus": "approved", "triagedBy": "nobody" } })).await.ok();
        assert_eq!(triage(client, &job).await, ["approved", "rejected", "pending", "approved", "pending"]);
        // Rejecting leaves what was approved, as approving leaves what was rejected.
        let answer = decide(client, &job, "reject", json!({})).await.ok();
        assert_eq!(answer["message"], "Rejected 2 pages.");
        assert_eq!(triage(client, &job).await, ["approved", "rejected", "rejected", "approved", "pending"]);
        app.stop().await;
    }

    async fn a_group_decision_is_taken_back_where_it_stands_as_it_was_seen(app: TestApp) {
        let client = &app.client;
        let ana = app.client_with("main", &["review"]).await;
        let job = changed_job(client, "back").await;
        let undecided = json!({ "triageStatus": "pending" });
        ana.decide(&job, result(&job, "/b"), "approve").await.ok();
        // Only what nobody has decided; then only what this key has.
        decide(client, &job, "reject", json!({ "seen": undecided })).await.ok();
        assert_eq!(triage(client, &job).await, ["rejected", "approved", "rejected", "rejected", "pending"]);
        ana.decide(&job, result(&job, "/c"), "approve").await.ok();
        decide(client, &job, "withdraw", json!({})).await.refused(400, "invalid_input");
        let own = json!({ "triageStatus": "rejected", "triagedBy": "admin" });
        let answer = decide(client, &job, "withdraw", json!({ "seen": own, "except": [id(&job, "/d")] })).await.ok();
        assert_eq!(answer["message"], "Took back the decision on 1 page.");
        assert_eq!(triage(client, &job).await, ["pending", "approved", "approved", "rejected", "pending"]);
        app.stop().await;
    }

    async fn a_group_is_named_as_the_results_name_it(app: TestApp) {
        let client = &app.client;
        let job = changed_job(client, "named").await;
        let job_id = &job["jobId"];
        let said = client.post("/approve", json!({ "jobId": job_id, "where": { "changeGroup": "text-edit-0" } })).await.refused(404, "not_found");
        assert!(said.contains("text-edit-0"), "{said}");
        for (wrong, names) in [
            (json!({ "jobId": job_id, "where": {} }), "where.decision"),
            (json!({ "jobId": job_id, "where": { "changeGroup": 7 } }), "where.changeGroup"),
            (json!({ "jobId": job_id, "where": { "changeGroup": "x".repeat(201) } }), "where.changeGroup"),
            (json!({ "jobId": job_id, "where": { "decision": ["bug"], "except": [id(&job, "/a")] } }), "where.except"),
            (json!({ "jobId": job_id, "where": { "changeGroup": group(&job, "/a"), "except": ["/a"] } }), "where.except"),
            (json!({ "jobId": job_id, "where": { "decision": ["bug"] }, "action": "reject" }), "`reject`"),
            (json!({ "jobId": job_id, "action": "reject" }), "`reject`"),
        ] {
            let said = client.post("/approve", wrong.clone()).await.refused(400, "invalid_input");
            assert!(said.contains(names), "{wrong}: {said}");
        }
        // Both conditions count.
        let both = json!({ "jobId": job_id, "where": { "changeGroup": group(&job, "/a"), "decision": ["noise"] } });
        assert_eq!(client.post("/approve", both).await.ok()["approvedUrlsCount"], 0);
        let listed = client.get(&format!("/job/{}/results?changeGroup={}", job_id.as_str().unwrap(), group(&job, "/a").as_str().unwrap())).await.ok();
        assert_eq!((&listed["total"], listed["results"].as_array().unwrap().len()), (&json!(4), 4));
        app.stop().await;
    }

    async fn the_changes_of_a_job_are_listed_with_how_many_pages_show_each(app: TestApp) {
        let client = &app.client;
        let job = changed_job(client, "listed").await;
        let address = format!("/job/{}/groups", job["jobId"].as_str().unwrap());
        let list = client.get(&address).await.ok();
        assert_eq!(list["total"], 2);
        let groups = list["groups"].as_array().unwrap();
        let told: Vec<_> = groups.iter().map(|one| (&one["changeGroup"], &one["triage"]["pending"])).collect();
        assert_eq!(told, [(&group(&job, "/a"), &json!(4)), (&group(&job, OTHER), &json!(1))]);
        let example = &groups[0]["example"]["result"];
        assert_eq!((&example["resultId"], &example["serviceSummary"]), (&id(&job, "/a"), &result(&job, "/a")["serviceSummary"]));
        // An undecided page stands for the group.
        client.decide(&job, result(&job, "/a"), "reject").await.ok();
        client.decide(&job, result(&job, "/b"), "approve").await.ok();
        let one = client.get(&format!("{address}?limit=1")).await.ok();
        assert_eq!((&one["total"], one["groups"].as_array().unwrap().len()), (&json!(2), 1));
        assert_eq!(one["groups"][0]["triage"], json!({ "pending": 2, "approved": 1, "rejected": 1 }));
        assert_eq!(one["groups"][0]["example"]["result"]["resultId"], id(&job, "/c"));
        client.get(&format!("{address}?limit=101")).await.refused(400, "invalid_input");
        app.stop().await;
    }
}
