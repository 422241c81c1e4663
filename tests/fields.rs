//! Which fields each answer has, of which type, and which of them are left out or null: of pages that changed, match, are new
//! or in error, of managed and live jobs, and of projects.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];

/// What every result has, from its beginning on.
const RESULT: &str = "resultId url variantName status isNewBaseline changed serviceSummary regressionbotSummary verdict \
     currentUrl baselineUrl diffUrl";

/// What a compared result has besides.
const COMPARED: &str =
    "triageStatus diffPercentage visualMatchScore backend changes elementsChanged";

const JOB: &str = "jobId intentProvided comparisonMode status summaryStatus progress executionTime error results createdAt";

const SUMMARY: &str = "jobId status error totalUrls completedCount overallScore executionTime regressionCount matchCount \
     newBaselineCount errorCount runSummary intentAssessment regressions matches newBaselines errors";

const PROJECT_LISTED: &str =
    "name testOrigin paths scans devices masks concurrency createdAt updatedAt baselineVersion";

/// What the list leaves out.
const PROJECT_MORE: &str = "baselinePolicy aiSummaryThreshold diffThreshold captureProfile";

/// Checks that an object has these fields and no others.
#[track_caller]
fn has_exactly(value: &Value, fields: &[&str]) {
    let found: BTreeSet<&str> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let expected: BTreeSet<&str> = fields
        .iter()
        .flat_map(|fields| fields.split_whitespace())
        .collect();
    assert_eq!(found, expected, "{value:#}");
}

#[track_caller]
fn is_time(value: &Value) {
    let text = value.as_str().expect("a timestamp is a text");
    assert!(
        text.parse::<jiff::Timestamp>().is_ok() && text.ends_with('Z') && text.contains('T'),
        "{text}"
    );
}

#[track_caller]
fn is_id(value: &Value) {
    let id: uuid::Uuid = value
        .as_str()
        .expect("an id is a text")
        .parse()
        .expect("an id is a UUID");
    assert_eq!(id.get_version_num(), 7, "{id}");
}

/// Checks what holds of every result, whatever became of it.
#[track_caller]
fn is_result(value: &Value) {
    is_id(&value["resultId"]);
    for field in ["url", "variantName", "status"] {
        assert!(value[field].is_string(), "{field}: {value:#}");
    }
    for field in ["isNewBaseline", "changed"] {
        assert!(value[field].is_boolean(), "{field}: {value:#}");
    }
    assert!(value["serviceSummary"].is_array());
    assert_eq!(
        value["serviceSummary"], value["regressionbotSummary"],
        "the same list under both names"
    );
    for field in ["contentChanged", "metadataChanged"] {
        assert_ne!(
            value[field],
            json!(false),
            "it is there only when true: {value:#}"
        );
    }
}

/// Uploads pages as `(path, colour, tree)` and returns the ended job.
async fn run(client: &Client, init: Value, pages: &[(&str, [u8; 3], Value)]) -> Value {
    let begun = client.post("/ci/job/init", init).await.ok();
    has_exactly(&begun, &["jobId"]);
    let id = begun["jobId"].as_str().unwrap();
    for (path, colour, tree) in pages {
        client
            .upload(id, &format!("{ORIGIN}{path}"), picture(*colour, 3), tree)
            .await;
    }
    client.finish(id).await
}

fn titled(title: &str, robots: &str) -> Value {
    let mut tree = tree("Welcome");
    tree["head"] = json!({ "title": title, "meta": [{ "name": "robots", "content": robots }] });
    tree
}

fn init(project: &str) -> Value {
    json!({ "project": project, "testOrigin": ORIGIN })
}

on_both_databases! {
    async fn results_have_the_fields_of_what_became_of_them(app: TestApp) {
        let client = &app.client;
        let open = client.init("fields", ORIGIN).await;
        let links = client.links(&open, &format!("{ORIGIN}/")).await;
        let pending = client.get(&format!("/job/{open}")).await.ok();
        has_exactly(result(&pending, "/"), &[RESULT]);
        assert_eq!((&pending["summaryStatus"], &result(&pending, "/")["status"]), (&json!("PENDING"), &json!("PENDING")));

        client.put_file(&links.dom, "application/json", tree("Text").to_string().into_bytes()).await.ok();
        let missing = client.finish(&open).await;
        let error = result(&missing, "/");
        has_exactly(error, &[RESULT, "errorMessage triageStatus"]);
        assert_eq!((&error["status"], &error["triageStatus"]), (&json!("ERROR"), &json!("pending")));
        for field in ["verdict", "currentUrl", "baselineUrl", "diffUrl"] {
            assert_eq!(error[field], Value::Null, "{field}");
        }

        let first = run(client, init("fields"), &[("/same", TEAL, tree("Same")), ("/text", TEAL, tree("From 19")), ("/title", TEAL, titled("Shop", "all"))]).await;
        for path in ["/same", "/text", "/title"] {
            let new = result(&first, path);
            has_exactly(new, &[RESULT, "triageStatus"]);
            is_result(new);
            assert_eq!((&new["isNewBaseline"], &new["changed"], &new["baselineUrl"]), (&json!(true), &json!(false), &Value::Null));
            assert!(new["currentUrl"].is_string() && new["diffUrl"].is_string());
        }

        let second = run(client, init("fields"), &[("/same", TEAL, tree("Same")), ("/text", MAROON, tree("From 29")), ("/title", TEAL, titled("The shop", "all"))]).await;
        let same = result(&second, "/same");
        has_exactly(same, &[RESULT, COMPARED]);
        assert_eq!((&same["changes"], &same["elementsChanged"], &same["verdict"]), (&json!([]), &json!([]), &Value::Null));
        assert_eq!((&same["diffPercentage"], &same["visualMatchScore"]), (&json!(0.0), &json!(100.0)));

        let text = result(&second, "/text");
        has_exactly(text, &[RESULT, COMPARED, "contentChanged changeGroup"]);
        is_result(text);
        for (field, most) in [("diffPercentage", 100.0), ("visualMatchScore", 100.0)] {
            assert!((0.0..=most).contains(&text[field].as_f64().unwrap()), "{field}");
        }
        has_exactly(&text["verdict"], &["decision minConfidence avgConfidence regions basis"]);
        assert_eq!(text["verdict"]["basis"], "measured");
        for region in text["verdict"]["regions"].as_object().unwrap().values() {
            has_exactly(region, &["decision confidence reasoning"]);
        }
        for finding in text["serviceSummary"].as_array().unwrap() {
            has_exactly(finding, &["label text verdict"]);
            has_exactly(&finding["verdict"], &["decision confidence reasoning"]);
        }
        has_exactly(&text["changes"][0], &["type element before after box boxBefore"]);
        has_exactly(&text["changes"][0]["box"], &["x y w h"]);
        assert!(text["changeGroup"].is_string());

        let title = result(&second, "/title");
        has_exactly(title, &[RESULT, COMPARED, "metadataChanged changeGroup"]);
        assert_eq!((&title["changed"], &title["diffPercentage"]), (&json!(true), &json!(0.0)));

        let decide = json!({ "jobId": second["jobId"], "url": text["url"], "variantName": text["variantName"], "note": "seen" });
        let answer = client.post("/approve", decide).await.ok();
        has_exactly(&answer, &["message jobId approvedUrlsCount skippedUrlsCount conflictedUrls triageStatus"]);
        assert_eq!(answer["conflictedUrls"], json!([]));
        let triaged = client.get(&format!("/job/{}", second["jobId"].as_str().unwrap())).await.ok();
        let text = result(&triaged, "/text");
        has_exactly(text, &[RESULT, COMPARED, "contentChanged changeGroup triagedAt triagedBy triagedVerdict triageNote"]);
        is_time(&text["triagedAt"]);
        assert_eq!((&text["triagedBy"], &text["triagedVerdict"], &text["triageNote"]), (&json!("admin"), &json!("needs_review"), &json!("seen")));
        app.stop().await;
    }

    async fn a_page_whose_documents_cannot_be_compared_has_a_reason_and_no_changes(app: TestApp) {
        let client = &app.client;
        let deep = format!("{}{}", r#"{"tagName":"DIV","rect":{"x":0,"y":0,"w":9,"h":9},"children":["#.repeat(600), "]}".repeat(600));
        let job = client.init("deep", ORIGIN).await;
        let links = client.links(&job, &format!("{ORIGIN}/")).await;
        client.put_file(&links.screenshot, "image/png", picture(TEAL, 3)).await.ok();
        client.put_file(&links.dom, "application/json", deep.into_bytes()).await.ok();
        client.finish(&job).await;
        let job = run(client, init("deep"), &[("/", MAROON, tree("Shallow"))]).await;
        let page = result(&job, "/");
        has_exactly(page, &[RESULT, "triageStatus diffPercentage visualMatchScore backend domAssistSkipReason changeGroup"]);
        assert!(page["domAssistSkipReason"].is_string() && page["changed"] == true, "{page:#}");
        app.stop().await;
    }

    async fn a_job_and_its_summary_have_their_fields(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "named", "testOrigin": ORIGIN, "environment": "staging", "baseEnvironment": "production", "intent": "Prices rise." })).await.ok();
        let context = json!({ "gitCommitSha": "0badc0de", "prTitle": "Raise prices", "scope": ["main"] });
        let bare = run(client, init("bare"), &[("/", TEAL, tree("Hello"))]).await;
        has_exactly(&bare, &[JOB, "project"]);
        assert_eq!((&bare["intentProvided"], &bare["error"]), (&json!(false), &Value::Null));
        has_exactly(&client.summary(&bare).await, &[SUMMARY]);

        let pages = |colour: [u8; 3], text: &str| [("/a", colour, tree(text)), ("/b", TEAL, tree("B")), ("/c", TEAL, tree("C"))];
        run(client, init("named"), &pages(TEAL, "A")[..2]).await;
        let mut with_context = init("named");
        with_context["runContext"] = context.clone();
        let begun = client.post("/ci/job/init", with_context).await.ok();
        let id = begun["jobId"].as_str().unwrap();
        for (path, colour, tree) in pages(MAROON, "Z") {
            client.upload(id, &format!("{ORIGIN}{path}"), picture(colour, 3), &tree).await;
        }
        client.links(id, &format!("{ORIGIN}/never")).await;
        let job = client.finish(id).await;
        has_exactly(&job, &[JOB, "project environment baseEnvironment"]);
        is_id(&job["jobId"]);
        is_time(&job["createdAt"]);
        assert!(job["executionTime"].as_f64().is_some_and(|seconds| (0.0..120.0).contains(&seconds)), "in seconds: {}", job["executionTime"]);
        assert_eq!((&job["environment"], &job["baseEnvironment"], &job["intentProvided"]), (&json!("staging"), &json!("production"), &json!(true)));
        has_exactly(&job["progress"], &["total completed percent"]);
        assert_eq!(job["progress"], json!({ "total": 4, "completed": 4, "percent": "100.00" }));

        let summary = client.summary(&job).await;
        has_exactly(&summary, &[SUMMARY, "environment baseEnvironment runContext"]);
        assert_eq!(summary["runContext"], context, "echoed as it was sent");
        let counts = ["totalUrls", "completedCount", "regressionCount", "matchCount", "newBaselineCount", "errorCount"].map(|field| summary[field].as_u64().unwrap());
        assert_eq!(counts, [4, 4, 1, 1, 1, 1]);
        has_exactly(&summary["intentAssessment"], &["decision intentProvided bugCount intentionalCount noiseCount needsReviewCount allAccountedFor summary"]);
        assert_eq!(summary["regressions"], json!([result(&job, "/a")]), "results as the job shows them, with their links");
        assert_eq!(summary["matches"], json!([result(&job, "/b")]));
        assert_eq!(summary["newBaselines"], json!([{ "url": format!("{ORIGIN}/c"), "variantName": "Desktop Chrome" }]));
        let never = &summary["errors"][0];
        has_exactly(never, &["url variantName errorMessage"]);
        assert!(never["errorMessage"].as_str().unwrap().contains("never arrived"), "{never}");
        let score = result(&job, "/a")["visualMatchScore"].as_f64().unwrap();
        let mean = f64::midpoint(score, 100.0);
        let overall = summary["overallScore"].as_f64().unwrap();
        assert!((overall - mean).abs() <= 0.05 && format!("{overall:.1}").parse() == Ok(overall), "{overall} of {mean}, one decimal");
        assert!(score < 100.0, "{score}");
        app.stop().await;
    }

    async fn failed_and_live_jobs_have_their_fields(app: TestApp) {
        let client = &app.client;
        let nobody = "http://127.0.0.1:9";
        let failed = client.run(json!({ "project": "failed", "testOrigin": nobody, "sitemapUrl": format!("{nobody}/map.xml") })).await;
        has_exactly(&failed, &[JOB, "project"]);
        assert_eq!((&failed["status"], &failed["summaryStatus"], &failed["results"]), (&json!("FAILED"), &json!("COMPLETE"), &json!([])));
        assert!(failed["error"].as_str().unwrap().contains("map.xml"), "{failed:#}");
        assert_eq!(failed["progress"], json!({ "total": 0, "completed": 0, "percent": "0.00" }));
        let summary = client.summary(&failed).await;
        has_exactly(&summary, &[SUMMARY]);
        assert_eq!((&summary["overallScore"], &summary["intentAssessment"]["decision"]), (&json!(100.0), &json!("pass")), "none was compared");

        let live = client.run(json!({ "testOrigin": nobody, "baseOrigin": nobody })).await;
        has_exactly(&live, &[JOB]);
        assert_eq!((&live["comparisonMode"], &live["status"]), (&json!("live"), &json!("COMPLETED")));
        has_exactly(result(&live, "/"), &[RESULT, "errorMessage triageStatus"]);
        app.stop().await;
    }

    async fn projects_have_the_fields_of_the_list_and_of_one(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "bare", "testOrigin": ORIGIN })).await.ok();
        has_exactly(&client.get("/projects").await.ok()[0], &[PROJECT_LISTED]);
        has_exactly(&client.get("/project/bare").await.ok(), &[PROJECT_LISTED, PROJECT_MORE]);

        let full = json!({
            "sitemapUrl": "http://shop.test/map.xml", "customCss": "a{}", "paths": [{ "path": "/", "label": "Home" }],
            "scans": [{ "pattern": "/docs/**", "options": { "limit": 3, "exclude": ["/docs/old/**"] } }, { "pattern": "/b", "options": null }],
            "baselinePolicy": "rolling", "schedule": "weekly", "scheduleHourUtc": 5, "intent": "Prices rise.",
            "environment": "staging", "baseEnvironment": "production", "aiPromptInstructions": "Be brief.", "testAuth": { "headers": { "x-gate": "open" } },
        });
        let saved = client.put("/project/bare", full.clone()).await.ok();
        has_exactly(&saved, &["message project"]);
        run(client, init("bare"), &[("/", TEAL, tree("Hello"))]).await;
        let more = "sitemapUrl customCss lastRunAt lastJobId baselineInvalidatedAt";
        let listed = &client.get("/projects").await.ok()[0];
        has_exactly(listed, &[PROJECT_LISTED, more]);
        let one = client.get("/project/bare").await.ok();
        let settings = "schedule scheduleHourUtc scheduleKeyId nextScheduledRunAt intent environment baseEnvironment aiPromptInstructions testAuth";
        has_exactly(&one, &[PROJECT_LISTED, PROJECT_MORE, more, settings]);
        assert_eq!((&one["scans"], &one["paths"]), (&full["scans"], &full["paths"]));
        for field in ["createdAt", "updatedAt", "lastRunAt", "baselineInvalidatedAt", "nextScheduledRunAt"] {
            is_time(&one[field]);
        }
        is_id(&one["lastJobId"]);
        assert_eq!(one["scheduleKeyId"], app.key_id("admin").await, "the key that set the schedule");
        assert!(one["baselineVersion"].is_string() && one["concurrency"].is_u64());
        app.stop().await;
    }

    async fn the_inspect_link_is_a_picture_to_programs_and_a_page_to_browsers(app: TestApp) {
        let client = &app.client;
        run(client, init("inspect"), &[("/pixels", TEAL, tree("A")), ("/title", TEAL, titled("Shop", "all"))]).await;
        let job = run(client, init("inspect"), &[("/pixels", MAROON, tree("B")), ("/title", TEAL, titled("The shop", "all"))]).await;
        let (pixels, title) = (result(&job, "/pixels"), result(&job, "/title"));
        let (_, media_type, diff) = client.download(&pixels["diffUrl"]).await;
        let (_, _, current) = client.download(&pixels["currentUrl"]).await;
        let width = |png: &[u8]| image::load_from_memory(png).unwrap().width();
        assert!(media_type == "image/png" && width(&diff) > width(&current), "the annotated difference");
        let unchanged = client.download(&title["diffUrl"]).await;
        assert_eq!(unchanged, client.download(&title["currentUrl"]).await, "no changed pixel: the capture itself");
        let opened = client.request_to(Method::GET, pixels["diffUrl"].as_str().unwrap()).header("accept", "text/html,application/xhtml+xml");
        let opened = opened.send().await.unwrap();
        assert_eq!(opened.status().as_u16(), 200);
        assert!(opened.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        app.stop().await;
    }

    async fn a_run_is_assessed_by_what_its_pages_are_judged(app: TestApp) {
        let client = &app.client;
        let price = |text: &str| tree(text);
        let before = [("/price", TEAL, price("19 € a month")), ("/robots", TEAL, titled("Shop", "all"))];
        run(client, init("judged"), &before).await;
        let assess = async |pages: &[(&str, [u8; 3], Value)], context: Value| {
            let mut body = init("judged");
            body["runContext"] = context;
            let job = run(client, body, pages).await;
            client.summary(&job).await["intentAssessment"].clone()
        };
        let raised = [("/price", TEAL, price("29 € a month"))];
        let expected = json!({ "changeDescription": "Raise the price", "expectedChanges": ["The price changes from 19 € to 29 € a month"] });
        for (pages, context, decision, counts, settled) in [
            (&before[..1], json!({}), "pass", [0, 0, 0, 0], true),
            (&raised[..], json!({}), "review", [0, 0, 0, 1], false),
            (&raised[..], expected, "pass", [0, 1, 0, 0], true),
            (&[("/robots", TEAL, titled("Shop", "noindex"))][..], json!({ "changeDescription": "Sort the footer" }), "fail", [1, 0, 0, 0], false),
            // Without an intent, a person decides on that as well.
            (&[("/robots", TEAL, titled("Shop", "noindex"))][..], json!({}), "review", [0, 0, 0, 1], false),
        ] {
            let assessment = assess(pages, context.clone()).await;
            let found = ["bugCount", "intentionalCount", "noiseCount", "needsReviewCount"].map(|field| assessment[field].as_u64().unwrap());
            assert_eq!((&assessment["decision"], found, &assessment["allAccountedFor"]), (&json!(decision), counts, &json!(settled)), "{assessment:#}");
            assert_eq!(assessment["intentProvided"], json!(context != json!({})));
            assert!(!assessment["summary"].as_str().unwrap().is_empty());
        }
        app.stop().await;
    }
}

/// A log of every status that a job has had: polling might miss one.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_passes_through_its_states_in_order() {
    let app = App::on_sqlite().await;
    let state = &app.service.app;
    let mut tx = state.db.begin().await.unwrap();
    for statement in [
        "CREATE TABLE passed (number INTEGER PRIMARY KEY, status TEXT, summary_status TEXT)",
        "CREATE TRIGGER pass AFTER UPDATE OF status, summary_status ON jobs BEGIN \
         INSERT INTO passed (status, summary_status) VALUES (NEW.status, NEW.summary_status); END",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let job = run(
        &app.client,
        init("states"),
        &[("/", TEAL, tree("Page")), ("/b", TEAL, tree("Page"))],
    )
    .await;
    app.client
        .post("/approve", json!({ "jobId": job["jobId"] }))
        .await
        .ok();
    let mut passed: Vec<(String, String)> =
        sqlx::query_as("SELECT status, summary_status FROM passed ORDER BY number")
            .fetch_all(&mut *state.db.read().await.unwrap())
            .await
            .unwrap();
    passed.dedup();
    let passed: Vec<(&str, &str)> = passed
        .iter()
        .map(|(status, summary)| (status.as_str(), summary.as_str()))
        .collect();
    assert_eq!(
        passed,
        [
            ("PROCESSING", "PENDING"),
            ("FINISHING", "PENDING"),
            ("SUMMARIZING", "PROCESSING"),
            ("SUMMARIZING", "COMPLETE"),
            ("COMPLETED", "COMPLETE"),
            ("APPROVED", "COMPLETE"),
        ]
    );
    app.stop().await;
}
