//! One decision on thousands of pages: in few statements, all or nothing, and done whether or not its caller waits for it.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp as App;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::postgres::until_somebody_waits;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// Several statements' worth of rows.
const COPIES: i64 = 1_200;

/// Clients give up after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job whose only page changed, and `copies` more pages of the same kind. Capturing them would take minutes; as far as a
/// decision goes, their rows are what there is of them.
async fn changed_job(app: &App, copies: i64) -> Value {
    let run = async |shade: u8, text: &str| {
        let id = app.client.init("shop", ORIGIN).await;
        let page = format!("{ORIGIN}/");
        app.client
            .upload(&id, &page, picture([shade, 0, 0], 3), &tree(text))
            .await;
        app.client.finish(&id).await
    };
    run(10, "Order now").await;
    let job = run(200, "Buy").await;
    let page = result(&job, "/");
    assert_eq!(page["changed"], true, "{page:#}");
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {copies})"
    );
    let of_page = "t.page_key = '/'";
    let mut tx = app.service.app.db.begin().await.unwrap();
    for copy in [
        format!(
            "INSERT INTO baselines (project_id, page_key, variant_name, version, capture_id, baseline_version, moved_at_ms) \
             SELECT t.project_id, '/' || n, t.variant_name, t.version, t.capture_id, t.baseline_version, t.moved_at_ms \
             FROM baselines t CROSS JOIN numbers WHERE {of_page}"
        ),
        format!(
            "INSERT INTO baseline_history (project_id, page_key, variant_name, version, capture_id, action, job_id, actor, moved_at_ms) \
             SELECT t.project_id, '/' || n, t.variant_name, t.version, t.capture_id, t.action, t.job_id, t.actor, t.moved_at_ms \
             FROM baseline_history t CROSS JOIN numbers WHERE {of_page}"
        ),
        format!(
            "INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, status, \
             current_capture_id, baseline_capture_id, pinned_version, changed, decision, change_group, triage_status, findings, verdict) \
             SELECT '00000000-0000-7000-8000-' || (100000000000 + n), t.job_id, t.organization_id, t.position + n, t.url || n, '/' || n, \
             t.label, t.variant_name, t.stage, t.outcome, t.status, t.current_capture_id, t.baseline_capture_id, t.pinned_version, \
             t.changed, t.decision, t.change_group, t.triage_status, t.findings, t.verdict FROM results t CROSS JOIN numbers \
             WHERE {of_page} AND t.job_id = '{}'",
            job["jobId"].as_str().unwrap()
        ),
    ] {
        let inserted = sqlx::query(AssertSqlSafe(format!("{numbers} {copy}")))
            .execute(&mut *tx)
            .await
            .unwrap();
        assert_eq!(inserted.rows_affected(), u64::try_from(copies).unwrap());
    }
    tx.commit().await.unwrap();
    job
}

async fn count(app: &App, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql)
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap()
}

/// How many pointers stand at this version, and name the capture that this job made, or another one.
async fn pointers(app: &App, version: i64, job: &Value, own: bool) -> i64 {
    sqlx::query_scalar(
        "SELECT COUNT(*) FROM baselines b JOIN baseline_history h ON h.project_id = b.project_id AND h.page_key = b.page_key \
         AND h.variant_name = b.variant_name AND h.version = b.version AND h.capture_id = b.capture_id \
         WHERE b.version = $1 AND $3 = CASE WHEN b.capture_id = \
         (SELECT r.current_capture_id FROM results r WHERE r.job_id = $2 AND r.page_key = '/') THEN 1 ELSE 0 END",
    )
    .bind(version)
    .bind(job["jobId"].as_str().unwrap())
    .bind(i64::from(own))
    .fetch_one(&mut *app.service.app.db.read().await.unwrap())
    .await
    .unwrap()
}

fn of_group(job: &Value, action: &str, seen: &str) -> Value {
    json!({
        "jobId": job["jobId"], "action": action, "where": { "changeGroup": result(job, "/")["changeGroup"] },
        "seen": { "triageStatus": seen, "triagedBy": "admin" },
    })
}

on_both_databases! {
    async fn thousands_of_pages_are_approved_rejected_and_withdrawn_as_one_is(app: TestApp) {
        let job = changed_job(&app, COPIES).await;
        let pages = COPIES + 1;
        let begun = Instant::now();
        let all = json!({ "jobId": job["jobId"] });
        let answer = app.client.post("/approve", all.clone()).await.ok();
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        assert_eq!((&answer["approvedUrlsCount"], &answer["skippedUrlsCount"]), (&json!(pages), &json!(0)));
        assert_eq!(pointers(&app, 2, &job, true).await, pages);
        let approved = "SELECT COUNT(*) FROM results WHERE triage_status = 'approved' AND promoted_version = 2 AND triaged_by = 'admin' \
                        AND triaged_verdict = decision";
        assert_eq!(count(&app, approved).await, pages);
        assert_eq!(app.client.get(&format!("/job/{}", job["jobId"].as_str().unwrap())).await.ok()["status"], "APPROVED");
        let promoted = app.audited("baseline.promote").await;
        assert_eq!(i64::try_from(promoted.len()).unwrap(), pages);
        assert!(promoted.iter().all(|entry| entry["version"] == 2), "{:?}", promoted[0]);

        // The same again does nothing anew.
        assert_eq!(app.client.post("/approve", all).await.ok(), answer);
        assert_eq!(count(&app, "SELECT COUNT(*) FROM audit WHERE action = 'baseline.promote'").await, pages);

        // The former baselines come back, and stay when that is taken back in turn.
        app.client.post("/approve", of_group(&job, "reject", "approved")).await.ok();
        assert_eq!(pointers(&app, 3, &job, false).await, pages);
        assert_eq!(count(&app, "SELECT COUNT(*) FROM results WHERE triage_status = 'rejected' AND promoted_version = 3").await, pages);
        app.client.post("/approve", of_group(&job, "withdraw", "rejected")).await.ok();
        assert_eq!(pointers(&app, 3, &job, false).await, pages);
        let open = "SELECT COUNT(*) FROM results WHERE triage_status = 'pending' AND promoted_version IS NULL AND pinned_version = 3 \
                    AND triaged_verdict IS NULL";
        assert_eq!(count(&app, open).await, pages);
        app.stop().await;
    }

    async fn of_thousands_of_pages_none_is_approved_when_one_baseline_moved(app: TestApp) {
        let job = changed_job(&app, COPIES).await;
        let mut tx = app.service.app.db.begin().await.unwrap();
        for sql in [
            "UPDATE baselines SET version = 2, capture_id = (SELECT current_capture_id FROM results WHERE page_key = '/777') WHERE page_key = '/777'",
            "INSERT INTO baseline_history (project_id, page_key, variant_name, version, capture_id, action, actor, moved_at_ms) \
             SELECT project_id, page_key, variant_name, 2, capture_id, 'promote', 'ana', 1 FROM baselines WHERE page_key = '/777'",
        ] {
            sqlx::query(sql).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        let refusal = app.client.post("/approve", json!({ "jobId": job["jobId"] })).await;
        assert_eq!(refusal.body["conflictedUrls"], json!([format!("{ORIGIN}/777")]));
        let sentence = refusal.refused(409, "baseline_moved");
        assert!(sentence.contains("by ana"), "{sentence}");
        assert_eq!(pointers(&app, 1, &job, false).await, COPIES);
        assert_eq!(count(&app, "SELECT COUNT(*) FROM results WHERE triage_status <> 'pending'").await, 0);
        assert!(app.audited("triage.approve").await.is_empty());
        app.stop().await;
    }

    async fn a_job_of_thousands_of_pages_is_sent_while_it_is_read(app: TestApp) {
        let job = changed_job(&app, COPIES).await;
        let id = job["jobId"].as_str().unwrap();
        let small = app.client.init("small", ORIGIN).await;
        let read = async |path: String| {
            let answer = app.client.request(Method::GET, &path).bearer_auth(&app.client.key).send().await.unwrap();
            assert_eq!(answer.status().as_u16(), 200);
            assert_eq!(answer.headers()["content-type"], "application/json");
            (answer.content_length(), answer.json::<Value>().await.unwrap())
        };
        let numbered = (1..=COPIES).map(|number| json!(format!("{ORIGIN}/{number}")));
        let expected: Vec<Value> = std::iter::once(json!(format!("{ORIGIN}/"))).chain(numbered).collect();
        for (path, field) in [(format!("/job/{id}"), "results"), (format!("/job/{id}/summary"), "regressions")] {
            let (length, whole) = read(path).await;
            assert_eq!(length, None, "its length is not known before all of it was read");
            let pages: Vec<Value> = whole[field].as_array().unwrap().iter().map(|page| page["url"].clone()).collect();
            assert_eq!(pages, expected, "each once, and in the job's order");
            assert_eq!(whole[field][0]["changes"], job["results"][0]["changes"]);
            let total = if field == "results" { &whole["progress"]["total"] } else { &whole["regressionCount"] };
            assert_eq!(total, &json!(COPIES + 1));
        }
        let (length, whole) = read(format!("/job/{small}")).await;
        assert!(length.is_some(), "what is short goes out in one piece");
        assert_eq!((&whole["results"], &whole["progress"]["total"]), (&json!([]), &json!(0)));
        app.stop().await;
    }

    async fn what_no_page_of_thousands_shows_is_told_in_words(app: TestApp) {
        let job = changed_job(&app, COPIES).await;
        let mut tx = app.service.app.db.begin().await.unwrap();
        // The last page alone shows one of two expected changes.
        for (document, pages) in [
            (r#"{"unseen":["Prices rise","The banner goes"]}"#, "/%"),
            (r#"{"unseen":["The banner goes"]}"#, "/1200"),
        ] {
            sqlx::query("UPDATE results SET document = $1 WHERE job_id = $2 AND page_key LIKE $3")
                .bind(document)
                .bind(job["jobId"].as_str().unwrap())
                .bind(pages)
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        let (words, summary) = (app.client.words(&job).await, app.client.summary(&job).await);
        assert_eq!(words["intentAssessment"], summary["intentAssessment"]);
        assert_eq!(words["intentAssessment"]["summary"], "1201 of 1201 changed pages need a person's decision. Expected but not seen: “The banner goes”.");
        app.stop().await;
    }

    #[ignore = "a measurement, which prints its figures"]
    async fn ten_thousand_pages_measured(app: TestApp) {
        let job = changed_job(&app, 9_999).await;
        let call = async |body: Value| {
            let begun = Instant::now();
            app.client.post("/approve", body).await.ok();
            begun.elapsed()
        };
        let approved = call(json!({ "jobId": job["jobId"] })).await;
        let rejected = call(of_group(&job, "reject", "approved")).await;
        println!("10,000 pages: approved in {approved:?}, rejected in {rejected:?}");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_stops_waiting_for_a_decision_does_not_take_it_back() {
    let app = App::on_postgres().await;
    let job = changed_job(&app, 2).await;
    let id = job["jobId"].as_str().unwrap().to_owned();
    let mut held = app.service.app.db.begin().await.unwrap();
    pentimento::db::jobs::lock_job(&mut held, &id)
        .await
        .unwrap();
    // A client of its own, whose connection goes with it.
    let client = Client::new(app.client.base.clone(), app.client.key.clone());
    let body = json!({ "jobId": id });
    let call = tokio::spawn(async move { client.post("/approve", body).await });
    until_somebody_waits(&app).await;
    call.abort();
    assert!(call.await.is_err_and(|ended| ended.is_cancelled()));
    // While these are answered, the service hears that nobody waits any more.
    for _ in 0..20 {
        app.client.get("/healthz").await.ok();
    }
    held.commit().await.unwrap();
    let begun = Instant::now();
    while app.client.get(&format!("/job/{id}")).await.ok()["status"] != "APPROVED" {
        assert!(begun.elapsed() < PATIENCE, "it was taken back");
    }
    app.stop().await;
}
