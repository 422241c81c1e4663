//! What `/approve` does in each of its forms, and what it counts: pages by decision, pages in error, pages of live jobs, notes.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];

/// A page whose only change is what search engines are told.
fn robots(content: &str) -> Value {
    let mut tree = tree("Welcome");
    tree["head"] = json!({ "meta": [{ "name": "robots", "content": content }] });
    tree
}

/// Uploads keep the fragments of their addresses; what the service captures has none.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_may_be_named_as_it_was_sent() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let url = format!("{}/#top", site.origin);
    let request = json!({ "project": "named", "url": url });
    app.client.run(request.clone()).await;
    site.page("/", "maroon", "");
    let job = app.client.run(request).await;
    let wish = |url: &str| json!({ "jobId": job["jobId"], "url": url, "variantName": "Desktop Chrome", "action": "approve" });
    app.client.post("/approve", wish(&url)).await.ok();
    let other = format!("{}/other#top", site.origin);
    app.client
        .post("/approve", wish(&other))
        .await
        .refused(404, "not_found");
    app.stop().await;
}

async fn run(client: &Client, project: &str, pages: &[(&str, [u8; 3], Value)]) -> Value {
    let id = client.init(project, ORIGIN).await;
    for (path, colour, tree) in pages {
        client
            .upload(&id, &format!("{ORIGIN}{path}"), picture(*colour, 3), tree)
            .await;
    }
    client.finish(&id).await
}

/// A job with one page of each kind: a bug, one that needs a review, a match, and one in error.
async fn mixed(client: &Client, project: &str) -> Value {
    let pages = |robots_content: &str, colour: [u8; 3]| {
        [
            ("/bug", TEAL, robots(robots_content)),
            ("/review", colour, tree("Text")),
            ("/same", TEAL, tree("Same")),
        ]
    };
    run(client, project, &pages("all", TEAL)).await;
    let context = json!({ "changeDescription": "Sort the footer" });
    let begun = client
        .post(
            "/ci/job/init",
            json!({ "project": project, "testOrigin": ORIGIN, "runContext": context }),
        )
        .await
        .ok();
    let id = begun["jobId"].as_str().unwrap();
    for (path, colour, tree) in pages("noindex", MAROON) {
        client
            .upload(id, &format!("{ORIGIN}{path}"), picture(colour, 3), &tree)
            .await;
    }
    client.links(id, &format!("{ORIGIN}/error")).await;
    client.finish(id).await
}

/// Approved, skipped, and the triage of the whole answer.
#[track_caller]
fn told(answer: &Value) -> (u64, u64, &str) {
    (
        answer["approvedUrlsCount"].as_u64().unwrap(),
        answer["skippedUrlsCount"].as_u64().unwrap(),
        answer["triageStatus"].as_str().unwrap(),
    )
}

fn triage<'a>(job: &'a Value, path: &str) -> &'a str {
    result(job, path)["triageStatus"].as_str().unwrap()
}

on_both_databases! {
    async fn by_decision_the_others_stay_pending_and_a_repeated_call_counts_the_same(app: TestApp) {
        let client = &app.client;
        let job = mixed(client, "mixed").await;
        let by = |decisions: Value| json!({ "jobId": job["jobId"], "where": { "decision": decisions } });
        for _ in 0..2 {
            let answer = client.post("/approve", by(json!(["needs_review", "noise"]))).await.ok();
            assert_eq!(told(&answer), (1, 3, "partial"), "{answer}");
            let after = client.reread(&job).await;
            assert_eq!(["/bug", "/review", "/same", "/error"].map(|path| triage(&after, path)), ["pending", "approved", "pending", "pending"]);
            assert_eq!(after["status"], "COMPLETED", "a changed page is still open");
        }
        let answer = client.post("/approve", by(json!(["intentional"]))).await.ok();
        assert_eq!(told(&answer), (0, 4, "pending"));
        // What a person rejected is not approved by its decision.
        client.decide(&job, result(&job, "/bug"), "reject").await.ok();
        let answer = client.post("/approve", by(json!(["bug"]))).await.ok();
        assert_eq!(told(&answer), (0, 4, "pending"));
        assert_eq!(triage(&client.reread(&job).await, "/bug"), "rejected");
        client.decide(&job, result(&job, "/bug"), "approve").await.ok();
        assert_eq!(client.reread(&job).await["status"], "APPROVED", "every changed page is approved");
        app.stop().await;
    }

    async fn the_same_decision_again_leaves_who_made_it_first(app: TestApp) {
        let client = &app.client;
        let job = mixed(client, "first").await;
        let ana = app.client_with("main", &["review"]).await;
        let page = result(&job, "/review");
        let body = |note: Value| json!({ "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "note": note });
        ana.post("/approve", body(json!("as ordered"))).await.ok();
        for again in [json!({ "jobId": job["jobId"], "where": { "decision": ["needs_review"] } }), json!({ "jobId": job["jobId"] }), body(Value::Null)] {
            let answer = client.post("/approve", again).await.ok();
            assert!(told(&answer).0 > 0, "{answer}");
            let after = client.reread(&job).await;
            let review = result(&after, "/review");
            assert_eq!((&review["triagedBy"], &review["triageNote"]), (&json!("main review"), &json!("as ordered")));
        }
        client.post("/approve", body(json!("seen too"))).await.ok();
        let after = client.reread(&job).await;
        let review = result(&after, "/review");
        assert_eq!((&review["triagedBy"], &review["triageNote"]), (&json!("admin"), &json!("seen too")));
        app.stop().await;
    }

    async fn all_pages_are_those_that_succeeded(app: TestApp) {
        let client = &app.client;
        let job = mixed(client, "whole").await;
        let answer = client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!(told(&answer), (3, 1, "approved"));
        let after = client.reread(&job).await;
        assert_eq!(["/bug", "/review", "/same", "/error"].map(|path| triage(&after, path)), ["approved", "approved", "approved", "pending"]);
        assert_eq!(after["status"], "APPROVED");
        // Where the capture equals its baseline, the baseline stays where it is.
        let moves: Vec<(String,)> = sqlx::query_as("SELECT action FROM baseline_history WHERE page_key = '/same'").fetch_all(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
        assert_eq!(moves, [("new".to_owned(),)]);
        // A change of the document alone is a change: `/bug` looks as before.
        for page in ["/review", "/bug"] {
            let promoted: Vec<(String,)> = sqlx::query_as("SELECT action FROM baseline_history WHERE page_key = $1 ORDER BY version").bind(page).fetch_all(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
            assert_eq!(promoted, [("new".to_owned(),), ("promote".to_owned(),)], "{page}");
        }
        app.stop().await;
    }

    async fn a_document_that_is_approved_is_what_the_next_one_is_compared_with(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "rolling", "testOrigin": ORIGIN, "baselinePolicy": "rolling" })).await.ok();
        for project in ["approved", "rolling"] {
            run(client, project, &[("/", TEAL, tree("Welcome"))]).await;
            let changed = run(client, project, &[("/", TEAL, tree("Hello"))]).await;
            let page = result(&changed, "/");
            assert_eq!((&page["changed"], &page["diffPercentage"]), (&json!(true), &json!(0.0)));
            // Of two jobs that saw the same change one moves the baseline, and the other hears so.
            let rival = run(client, project, &[("/", TEAL, tree("Good day"))]).await;
            if project == "approved" {
                let answer = client.post("/approve", json!({ "jobId": changed["jobId"] })).await.ok();
                assert_eq!(told(&answer), (1, 0, "approved"));
                client.post("/approve", json!({ "jobId": rival["jobId"] })).await.refused(409, "baseline_moved");
            }
            let text = if project == "approved" { "Hello" } else { "Good day" };
            let next = run(client, project, &[("/", TEAL, tree(text))]).await;
            assert_eq!(result(&next, "/")["changed"], false, "{project}");
        }
        app.stop().await;
    }

    async fn a_document_that_was_missing_is_approved_with_its_page(app: TestApp) {
        let client = &app.client;
        let absent = json!({ "absent": true });
        run(client, "absent", &[("/", TEAL, absent)]).await;
        let first = run(client, "absent", &[("/", TEAL, tree("Welcome"))]).await;
        assert_eq!(result(&first, "/")["changed"], false, "there is no document to compare with");
        client.post("/approve", json!({ "jobId": first["jobId"] })).await.ok();
        // One that is missing takes no other's place.
        let without = run(client, "absent", &[("/", TEAL, json!({ "absent": true }))]).await;
        client.post("/approve", json!({ "jobId": without["jobId"] })).await.ok();
        let next = run(client, "absent", &[("/", TEAL, tree("Hello"))]).await;
        assert_eq!(result(&next, "/")["contentChanged"], true);
        app.stop().await;
    }

    async fn what_counts_for_no_change_moves_no_baseline(app: TestApp) {
        let client = &app.client;
        let named = |id: &str| {
            let mut tree = tree("Welcome");
            tree["children"][0]["id"] = json!(id);
            tree
        };
        run(client, "ids", &[("/", TEAL, named("r1"))]).await;
        let jobs = [run(client, "ids", &[("/", TEAL, named("r2"))]).await, run(client, "ids", &[("/", TEAL, named("r3"))]).await];
        for job in jobs {
            assert_eq!(result(&job, "/")["changed"], false);
            client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        }
        let moves: i64 = sqlx::query_scalar("SELECT count(*) FROM baseline_history").fetch_one(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
        assert_eq!(moves, 1);
        app.stop().await;
    }

    async fn a_job_of_errors_is_not_approved_by_a_call_that_touched_nothing(app: TestApp) {
        let client = &app.client;
        let id = client.init("errors", ORIGIN).await;
        let links = client.links(&id, ORIGIN).await;
        client.put_file(&links.screenshot, "image/png", b"no picture".to_vec()).await.ok();
        let job = client.finish(&id).await;
        let page = result(&job, "/");
        for body in [
            json!({ "jobId": id }),
            json!({ "jobId": id, "where": { "decision": ["bug"] } }),
            json!({ "jobId": id, "url": page["url"], "variantName": page["variantName"] }),
        ] {
            let answer = client.post("/approve", body).await.ok();
            assert_eq!(told(&answer), (0, 1, "pending"));
        }
        let after = client.reread(&job).await;
        assert_eq!((&after["status"], triage(&after, "/")), (&json!("COMPLETED"), "pending"));
        app.stop().await;
    }

    async fn a_job_is_approved_by_its_changed_pages_whatever_became_of_the_same(app: TestApp) {
        let client = &app.client;
        let pages = |colour: [u8; 3]| [("/changed", colour, tree("Text")), ("/same", TEAL, tree("Same"))];
        run(client, "same", &pages(TEAL)).await;
        let mut with_new = pages(MAROON).to_vec();
        with_new.push(("/new", TEAL, tree("New")));
        let job = run(client, "same", &with_new).await;
        assert_eq!(["/changed", "/same", "/new"].map(|path| result(&job, path)["changed"] == true), [true, false, false]);
        let status_after = async |path: &str, action: &str| {
            client.decide(&job, result(&job, path), action).await.ok();
            client.reread(&job).await["status"].clone()
        };
        assert_eq!(status_after("/same", "reject").await, "COMPLETED");
        assert_eq!(status_after("/changed", "approve").await, "APPROVED", "the page that did not change has no part in it");
        assert_eq!(status_after("/new", "reject").await, "COMPLETED", "a new page is no changed one, but what it brought is refused");
        assert_eq!(status_after("/new", "withdraw").await, "APPROVED");
        assert_eq!(status_after("/changed", "reject").await, "COMPLETED");
        app.stop().await;
    }

    async fn one_page_is_named_by_its_address_and_variant(app: TestApp) {
        let client = &app.client;
        run(client, "named", &[("/", TEAL, tree("Text"))]).await;
        let job = run(client, "named", &[("/", MAROON, tree("Text"))]).await;
        let body = |url: &str, more: Value| {
            let mut body = json!({ "jobId": job["jobId"], "url": url, "variantName": "Desktop Chrome" });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let page = format!("{ORIGIN}/");
        for (wrong, status, code) in [
            (body(&page, json!({ "action": "maybe" })), 400, "invalid_input"),
            (body(&page, json!({ "note": "x".repeat(2_001) })), 400, "invalid_input"),
            (body(&page, json!({ "note": 5 })), 400, "invalid_input"),
            (json!({ "jobId": job["jobId"], "url": page }), 400, "invalid_input"),
            (json!({ "jobId": job["jobId"], "variantName": "Desktop Chrome" }), 400, "invalid_input"),
            (json!({ "jobId": job["jobId"], "where": { "decision": [] } }), 400, "invalid_input"),
            (body(&page, json!({ "variantName": "mobile" })), 404, "not_found"),
            (body("http://shop.test/other", json!({})), 404, "not_found"),
        ] {
            client.post("/approve", wrong).await.refused(status, code);
        }
        assert_eq!(triage(&client.reread(&job).await, "/"), "pending");
        // As the client named it when it uploaded, without the slash; approving is what is done when nothing is said.
        let note = "é".repeat(2_000);
        let answer = client.post("/approve", body(ORIGIN, json!({ "note": note }))).await.ok();
        assert_eq!(told(&answer), (1, 0, "approved"));
        assert_eq!(result(&client.reread(&job).await, "/")["triageNote"], note);
        let answer = client.post("/approve", body(&page, json!({ "action": "reject" }))).await.ok();
        assert_eq!(told(&answer), (0, 0, "rejected"));
        assert_eq!(result(&client.reread(&job).await, "/").get("triageNote"), None, "a note is that of its decision");
        app.stop().await;
    }

    async fn null_is_no_wish_for_all_pages(app: TestApp) {
        let client = &app.client;
        run(client, "null", &[("/", TEAL, tree("Text"))]).await;
        let job = run(client, "null", &[("/", MAROON, tree("Text"))]).await;
        let (id, group) = (&job["jobId"], &result(&job, "/")["changeGroup"]);
        for (body, field) in [
            (json!({ "jobId": id, "where": null }), "`where`"),
            (json!({ "jobId": id, "url": null }), "`url`"),
            (json!({ "jobId": id, "url": null, "variantName": null }), "`url`"),
            (json!({ "jobId": id, "variantName": null }), "`variantName`"),
            (json!({ "jobId": id, "url": null, "variantName": "Desktop Chrome", "action": "reject" }), "`url`"),
            (json!({ "jobId": id, "where": { "decision": ["needs_review"], "changeGroup": null } }), "`where.changeGroup`"),
            (json!({ "jobId": id, "where": { "decision": null, "changeGroup": group } }), "`where.decision`"),
            (json!({ "jobId": id, "action": null }), "`action`"),
            (json!({ "jobId": id, "seen": null }), "`seen`"),
        ] {
            let said = client.post("/approve", body.clone()).await.refused(400, "invalid_input");
            assert!(said.contains(field), "{body}: {said}");
        }
        assert_eq!(triage(&client.reread(&job).await, "/"), "pending");
        let answer = client.post("/approve", json!({ "jobId": id, "note": null })).await.ok();
        assert_eq!(told(&answer), (1, 0, "approved"), "a note alone may be null");
        app.stop().await;
    }

    async fn a_variant_is_no_part_of_where(app: TestApp) {
        let client = &app.client;
        run(client, "variant", &[("/", TEAL, tree("Text"))]).await;
        let job = run(client, "variant", &[("/", MAROON, tree("Text"))]).await;
        for filter in [json!({ "decision": ["needs_review"] }), json!({ "changeGroup": result(&job, "/")["changeGroup"] })] {
            let body = json!({ "jobId": job["jobId"], "where": filter, "variantName": "Desktop Chrome" });
            let said = client.post("/approve", body).await.refused(400, "invalid_input");
            assert!(said.contains("`variantName`"), "{said}");
        }
        assert_eq!(triage(&client.reread(&job).await, "/"), "pending");
        app.stop().await;
    }

    async fn triage_of_a_live_job_is_recorded_and_moves_no_baseline(app: TestApp) {
        let (base, preview) = (Site::start().await, Site::start().await);
        for path in ["/", "/new"] {
            base.page(path, "teal", "");
            preview.page(path, "maroon", "");
        }
        let request = json!({ "testOrigin": preview.origin, "baseOrigin": base.origin, "paths": [{ "path": "/" }, { "path": "/new" }] });
        let job = app.client.run(request.clone()).await;
        let answer = app.client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!(told(&answer), (0, 2, "approved"));
        let after = app.client.reread(&job).await;
        assert_eq!((triage(&after, "/"), &after["status"]), ("approved", &json!("APPROVED")));
        app.client.decide(&job, result(&job, "/"), "reject").await.ok();
        assert_eq!(triage(&app.client.reread(&job).await, "/"), "rejected");
        let baselines: i64 = sqlx::query_scalar("SELECT count(*) FROM baselines").fetch_one(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
        assert_eq!(baselines, 0);
        assert_eq!(result(&app.client.run(request).await, "/")["changed"], true, "the base origin counts again");
        app.stop().await;
    }

    async fn a_rolling_project_promotes_uploads_too(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "rolls", "testOrigin": ORIGIN, "baselinePolicy": "rolling" })).await.ok();
        run(client, "rolls", &[("/", TEAL, tree("Text"))]).await;
        let changed = run(client, "rolls", &[("/", MAROON, tree("Text"))]).await;
        assert_eq!((&changed["status"], triage(&changed, "/")), (&json!("APPROVED"), "approved"));
        let next = run(client, "rolls", &[("/", MAROON, tree("Text"))]).await;
        assert_eq!(result(&next, "/")["changed"], false, "what was promoted is the baseline");
        assert_eq!(result(&changed, "/")["triageNote"], "approved automatically");
        app.stop().await;
    }
}
