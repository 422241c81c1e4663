//! Approving, rejecting, and baselines that moved.

use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::result;
use crate::support::on_both_databases;
use crate::support::site::Site;

/// A project whose page changed from teal to maroon: the site, the request, and the job that saw it.
async fn changed_job(app: &App, project: &str) -> (Site, Value, Value) {
    let site = Site::start().await;
    site.page("/", "teal", "");
    site.page("/same", "teal", "");
    let request = json!({ "project": project, "testOrigin": site.origin, "paths": [{ "path": "/" }, { "path": "/same" }] });
    app.client.run(request.clone()).await;
    site.page("/", "maroon", "");
    let job = app.client.run(request.clone()).await;
    assert_eq!(result(&job, "/")["changed"], true);
    (site, request, job)
}

on_both_databases! {
    async fn rejecting_an_approved_page_restores_its_former_baseline(app: TestApp) {
        let (_site, request, job) = changed_job(&app, "undo").await;
        let page = result(&job, "/").clone();
        app.client.decide(&job, &page, "approve").await.ok();
        let body = json!({ "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "action": "reject", "note": "wrong red" });
        let answer = app.client.post("/approve", body).await.ok();
        assert_eq!((&answer["approvedUrlsCount"], &answer["triageStatus"]), (&json!(0), &json!("rejected")));
        let after = app.client.reread(&job).await;
        assert_eq!(after["status"], "COMPLETED");
        let rejected = result(&after, "/");
        assert_eq!((&rejected["triageStatus"], &rejected["triageNote"], &rejected["triagedBy"]), (&json!("rejected"), &json!("wrong red"), &json!("admin")));
        assert_eq!(rejected["triagedVerdict"], "needs_review");
        assert_eq!(result(&app.client.run(request.clone()).await, "/")["changed"], true, "the former baseline counts again");

        app.client.decide(&job, &page, "approve").await.ok();
        assert_eq!(result(&app.client.run(request).await, "/")["changed"], false, "a rejected page may be approved after all");
        app.stop().await;
    }

    async fn an_empty_note_takes_away_the_one_that_is_there(app: TestApp) {
        let (_site, _, job) = changed_job(&app, "noted").await;
        let page = result(&job, "/").clone();
        let reject = async |note: Value| {
            let body = json!({ "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "action": "reject", "note": note });
            app.client.post("/approve", body).await.ok();
            let rejected = result(&app.client.reread(&job).await, "/").clone();
            assert_eq!(rejected["triageStatus"], "rejected");
            rejected.get("triageNote").cloned()
        };
        assert_eq!(reject(json!(null)).await, None);
        assert_eq!(reject(json!("wrong red")).await, Some(json!("wrong red")));
        assert_eq!(reject(json!(null)).await, Some(json!("wrong red")), "the same again, with nothing to note");
        assert_eq!(reject(json!("")).await, None);
        app.stop().await;
    }

    async fn approving_twice_is_repeatable(app: TestApp) {
        let (_site, _, job) = changed_job(&app, "twice").await;
        let first = app.client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        let second = app.client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!(first, second);
        assert_eq!((&first["approvedUrlsCount"], &first["skippedUrlsCount"]), (&json!(2), &json!(0)));
        app.stop().await;
    }

    async fn a_baseline_that_moved_is_a_conflict_and_nothing_changes(app: TestApp) {
        let (site, request, older) = changed_job(&app, "moved").await;
        site.page("/", "navy", "");
        let newer = app.client.run(request.clone()).await;
        app.client.post("/approve", json!({ "jobId": newer["jobId"] })).await.ok();
        let refusal = app.client.post("/approve", json!({ "jobId": older["jobId"] })).await;
        assert_eq!(refusal.body["conflictedUrls"], json!([result(&older, "/")["url"]]));
        refusal.refused(409, "baseline_moved");
        app.client.post("/approve", json!({ "jobId": newer["jobId"] })).await.ok();
        let untouched = app.client.reread(&older).await;
        for path in ["/", "/same"] {
            assert_eq!(result(&untouched, path)["triageStatus"], "pending");
        }
        assert_eq!(result(&app.client.run(request).await, "/")["changed"], false, "navy is still the baseline");
        app.stop().await;
    }

    async fn a_baseline_that_moved_and_came_back_is_no_conflict(app: TestApp) {
        let (site, request, older) = changed_job(&app, "back").await;
        site.page("/", "navy", "");
        let newer = app.client.run(request.clone()).await;
        let of = |job: &Value| format!("/result/{}", result(job, "/")["resultId"].as_str().unwrap());
        let is_out_of_date = async |job: &Value| app.client.get(&of(job)).await.ok().get("outOfDate").cloned();
        assert_eq!(is_out_of_date(&older).await, None);
        app.client.decide(&newer, result(&newer, "/"), "approve").await.ok();
        assert_eq!((is_out_of_date(&older).await, is_out_of_date(&newer).await), (Some(json!(true)), None));
        app.client.decide(&older, result(&older, "/"), "approve").await.refused(409, "baseline_moved");
        app.client.decide(&newer, result(&newer, "/"), "reject").await.ok();
        assert_eq!((is_out_of_date(&older).await, is_out_of_date(&newer).await), (None, None));
        app.client.decide(&older, result(&older, "/"), "approve").await.ok();
        assert_eq!(is_out_of_date(&newer).await, Some(json!(true)));
        app.client.decide(&newer, result(&newer, "/"), "approve").await.refused(409, "baseline_moved");
        // The former baseline is the one that both were compared with, and a rejected page may be approved after all.
        app.client.decide(&older, result(&older, "/"), "reject").await.ok();
        app.client.decide(&newer, result(&newer, "/"), "approve").await.ok();
        assert_eq!(is_out_of_date(&older).await, Some(json!(true)));
        app.client.decide(&newer, result(&newer, "/"), "reject").await.ok();
        assert_eq!(is_out_of_date(&older).await, None);
        app.client.decide(&older, result(&older, "/"), "approve").await.ok();
        app.client.decide(&older, result(&older, "/"), "reject").await.ok();
        site.page("/", "teal", "");
        assert_eq!(result(&app.client.run(request).await, "/")["changed"], false);
        app.stop().await;
    }

    async fn a_page_without_a_change_hinders_no_others_and_is_a_conflict_by_itself(app: TestApp) {
        let (site, request, older) = changed_job(&app, "beside").await;
        site.page("/same", "navy", "");
        let newer = app.client.run(request.clone()).await;
        app.client.decide(&newer, result(&newer, "/same"), "approve").await.ok();
        let alone = app.client.decide(&older, result(&older, "/same"), "approve").await;
        assert_eq!(alone.body["conflictedUrls"], json!([result(&older, "/same")["url"]]));
        alone.refused(409, "baseline_moved");
        let all = app.client.post("/approve", json!({ "jobId": older["jobId"] })).await.ok();
        assert_eq!(all["approvedUrlsCount"], 2, "maroon is what a reviewer saw change");
        let next = app.client.run(request).await;
        for path in ["/", "/same"] {
            assert_eq!(result(&next, path)["changed"], false, "{path}: maroon and navy are the baselines");
        }
        app.stop().await;
    }

    async fn pages_are_approved_by_decision(app: TestApp) {
        let (_site, _, job) = changed_job(&app, "where").await;
        let by = |decisions: Value| json!({ "jobId": job["jobId"], "where": { "decision": decisions } });
        let none = app.client.post("/approve", by(json!(["intentional", "noise"]))).await.ok();
        assert_eq!((&none["approvedUrlsCount"], &none["skippedUrlsCount"], &none["triageStatus"]), (&json!(0), &json!(2), &json!("pending")));
        let one = app.client.post("/approve", by(json!(["needs_review"]))).await.ok();
        assert_eq!((&one["approvedUrlsCount"], &one["skippedUrlsCount"]), (&json!(1), &json!(1)));
        app.client.post("/approve", by(json!(["fine"]))).await.refused(400, "unknown_decision");
        let both = json!({ "jobId": job["jobId"], "where": { "decision": ["bug"] }, "url": "http://x/", "variantName": "y" });
        app.client.post("/approve", both).await.refused(400, "where_with_url");
        app.stop().await;
    }

    async fn rejecting_a_first_baseline_takes_it_away(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = json!({ "project": "first", "testOrigin": site.origin });
        let job = app.client.run(request.clone()).await;
        app.client.decide(&job, result(&job, "/"), "reject").await.ok();
        assert_eq!(app.client.reread(&job).await["status"], "COMPLETED", "a rejected page is not approved");
        let next = app.client.run(request).await;
        assert_eq!(result(&next, "/")["isNewBaseline"], true);
        app.stop().await;
    }

    async fn an_approval_from_many_sides_wins_once(app: TestApp) {
        let (_site, request, job) = changed_job(&app, "race").await;
        let rival = app.client.run(request).await;
        let approve = |job: &Value| {
            let (client, body) = (app.client.clone(), json!({ "jobId": job["jobId"] }));
            async move { client.post("/approve", body).await.status.as_u16() }
        };
        let calls = (0..8).flat_map(|_| [approve(&job), approve(&rival)]);
        let mut statuses = futures::future::join_all(calls).await;
        statuses.sort_unstable();
        statuses.dedup();
        assert_eq!(statuses, [200, 409], "one job wins and stays repeatable, the other conflicts");
        app.stop().await;
    }

    async fn one_jobs_decisions_come_one_after_the_other(app: TestApp) {
        let site = Site::start().await;
        let paths: Vec<Value> = (0..6).map(|number| json!({ "path": format!("/{number}") })).collect();
        for number in 0..6 {
            site.page(&format!("/{number}"), "teal", "");
        }
        let request = json!({ "project": "many", "testOrigin": site.origin, "paths": paths });
        app.client.run(request.clone()).await;
        for number in 0..6 {
            site.page(&format!("/{number}"), "maroon", "");
        }
        let job = app.client.run(request).await;
        let results = job["results"].as_array().unwrap();
        // Each page from its own client, each twice.
        let calls = results.iter().chain(results).map(|result| app.client.decide(&job, result, "approve"));
        for answer in futures::future::join_all(calls).await {
            assert_eq!(answer.ok()["approvedUrlsCount"], 1);
        }
        assert_eq!(app.client.reread(&job).await["status"], "APPROVED", "the last decision saw all the others");
        app.stop().await;
    }

    async fn a_page_in_error_is_skipped(app: TestApp) {
        let site = Site::start().await;
        let job = app.client.run(json!({ "project": "err", "testOrigin": site.origin })).await;
        let answer = app.client.decide(&job, result(&job, "/"), "approve").await.ok();
        assert_eq!((&answer["approvedUrlsCount"], &answer["skippedUrlsCount"], &answer["triageStatus"]), (&json!(0), &json!(1), &json!("pending")));
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_needs_a_finished_job_and_a_known_page() {
    let app = App::with(&["--page-budget-seconds", "3"]).await;
    let site = Site::start().await;
    site.hangs("/");
    let job_id = app
        .client
        .crawl(json!({ "project": "early", "testOrigin": site.origin }))
        .await;
    app.client
        .post("/approve", json!({ "jobId": job_id }))
        .await
        .refused(400, "invalid_state");
    let unknown = json!({ "jobId": "01900000-0000-7000-8000-000000000000" });
    app.client
        .post("/approve", unknown)
        .await
        .refused(404, "job_not_found");
    app.client
        .post("/approve", json!({ "jobId": "nonsense" }))
        .await
        .refused(404, "job_not_found");
    app.client
        .post("/approve", json!({ "jobId": 7 }))
        .await
        .refused(400, "invalid_input");
    app.client
        .post("/approve", json!({ "jobId": job_id, "action": "maybe" }))
        .await
        .refused(400, "invalid_input");
    app.client
        .post("/approve", json!({ "jobId": job_id, "action": "reject" }))
        .await
        .refused(400, "invalid_input");
    app.stop().await;
}
