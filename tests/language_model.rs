//! The language model: what it may say, and that nothing it does keeps a job from its measured result.

mod hostile;

use std::time::{Duration, Instant};

use pentimento::clock::Clock;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::model::{Asked, Behaviour, Model};
use crate::support::site::Site;

/// An intent that fits a heading's edit by one word of three: too little for the rules.
const INTENT: &str = "New wording for tiers, schools";

/// A service with a model that behaves so, and more flags.
async fn with_model(behaviour: Behaviour, extra: &[&str]) -> (Model, TestApp) {
    let model = Model::start(behaviour).await;
    let app = TestApp::with(&[&flags(&model)[..], extra].concat()).await;
    (model, app)
}

fn flags(model: &Model) -> Vec<&str> {
    let mut flags = vec!["--language-model-url", &model.base];
    flags.extend([
        "--language-model",
        "small",
        "--language-model-key",
        "sk-test",
    ]);
    flags
}

fn request(site: &Site, project: &str, paths: &[&str], intent: &str) -> Value {
    let paths: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
    json!({ "project": project, "testOrigin": site.origin, "paths": paths, "runContext": { "changeDescription": intent } })
}

/// Runs a project twice: on the pages as they are, and after `change`.
async fn run_twice(client: &Client, request: &Value, change: impl FnOnce()) -> Value {
    client.run(request.clone()).await;
    change();
    client.run(request.clone()).await
}

/// A job that saw a heading reworded.
async fn reworded(client: &Client, project: &str) -> Value {
    let site = Site::start().await;
    site.page("/", "teal", "<h2>Small plan</h2>");
    let request = request(&site, project, &["/"], INTENT);
    run_twice(client, &request, || {
        site.page("/", "teal", "<h2>Starter plan</h2>");
    })
    .await
}

async fn ai_summary(client: &Client, job: &Value) -> Value {
    let path = format!("/job/{}/ai-summary", job["jobId"].as_str().unwrap());
    client.post(&path, json!({})).await.ok()
}

fn is_measured(result: &Value) -> bool {
    let verdict = &result["verdict"];
    verdict["basis"] == "measured"
        && verdict.get("model").is_none()
        && verdict.get("promptHash").is_none()
}

/// One question as the protocol wants it.
fn check_question(asked: &[Asked]) {
    assert_eq!(asked.len(), 1);
    let (body, key) = (&asked[0].body, asked[0].authorization.as_deref());
    assert_eq!(
        (&body["model"], &body["temperature"], &body["seed"]),
        (&json!("small"), &json!(0), &json!(0))
    );
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(body["response_format"]["json_schema"]["strict"], true);
    assert!(body["max_tokens"].as_u64().unwrap() < 1000);
    assert_eq!(key, Some("Bearer sk-test"));
    assert_eq!(
        asked[0].findings()[0]["sentence"],
        "Heading “⟦1⟧” now reads “⟦2⟧”."
    );
}

async fn an_honest_model_words_and_ranks(model: Model, app: TestApp) {
    let job = reworded(&app.client, "honest").await;
    assert_eq!(
        (&job["status"], &job["summaryStatus"]),
        (&json!("COMPLETED"), &json!("COMPLETE"))
    );
    let page = result(&job, "/");
    let verdict = &page["verdict"];
    assert_eq!(
        (
            &verdict["decision"],
            &verdict["basis"],
            &verdict["model"],
            &verdict["minConfidence"]
        ),
        (
            &json!("intentional"),
            &json!("described"),
            &json!("small"),
            &json!(0.75)
        ),
        "{page:#}"
    );
    assert_eq!(verdict["promptHash"].as_str().unwrap().len(), 64);
    let finding = &page["serviceSummary"][0];
    assert_eq!(
        finding["text"],
        "On the page: Heading “Small plan” now reads “Starter plan”."
    );
    assert_eq!(page["regressionbotSummary"], page["serviceSummary"]);
    let reasoning = finding["verdict"]["reasoning"].as_str().unwrap();
    let because = format!("A language model finds it meant by “{INTENT}” of the intent. Nothing");
    assert!(reasoning.starts_with(&because), "{reasoning}");
    assert!(reasoning.contains("changed pixels"), "{reasoning}");

    check_question(&model.asked());

    // What was measured is kept beside it.
    let mut connection = app.service.app.db.read().await.unwrap();
    let (measured, decision): (String, String) =
        sqlx::query_as("SELECT verdict, decision FROM results WHERE id = $1")
            .bind(page["resultId"].as_str().unwrap())
            .fetch_one(&mut *connection)
            .await
            .unwrap();
    drop(connection);
    assert!(
        measured.contains("needs_review") && measured.contains("\"measured\""),
        "{measured}"
    );
    assert_eq!(decision, "intentional");

    // What is served is also what is counted and decided by.
    let summary = app.client.summary(&job).await;
    let assessment = &summary["intentAssessment"];
    assert_eq!(
        (&assessment["intentionalCount"], &assessment["decision"]),
        (&json!(1), &json!("pass")),
        "{assessment}"
    );
    let approve = json!({ "jobId": job["jobId"], "where": { "decision": ["intentional"] } });
    let approved = app.client.post("/approve", approve).await.ok();
    assert_eq!(approved["approvedUrlsCount"], 1);

    // Described again when it is approved, the decision stays.
    let again = ai_summary(&app.client, &job).await;
    assert_eq!(
        again["message"],
        "The language model small described 1 of 1 regression."
    );
    assert_eq!(again["jobId"], job["jobId"]);
    let described = &again["summaries"][0];
    assert_eq!(
        (&described["url"], &described["variantName"]),
        (&page["url"], &page["variantName"])
    );
    assert_eq!(described["serviceSummary"], page["serviceSummary"]);
    assert_eq!(described["regressionbotSummary"], page["serviceSummary"]);
    let job = app.client.wait(job["jobId"].as_str().unwrap()).await;
    let page = result(&job, "/");
    assert_eq!(
        (
            &job["status"],
            &page["triageStatus"],
            &page["triagedVerdict"]
        ),
        (
            &json!("APPROVED"),
            &json!("approved"),
            &json!("intentional")
        )
    );
    let metrics = app.client.get("/metrics").await.ok();
    let counted = "pentimento_language_model_questions_total{outcome=\"answered\"} 2";
    assert!(metrics.as_str().unwrap().contains(counted), "{metrics}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_honest_model_words_and_ranks_on_sqlite() {
    let (model, app) = with_model(Behaviour::Honest, &[]).await;
    an_honest_model_words_and_ranks(model, app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_honest_model_words_and_ranks_on_postgres() {
    let model = Model::start(Behaviour::Honest).await;
    let app = TestApp::on_postgres_with(&flags(&model)).await;
    an_honest_model_words_and_ranks(model, app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_edit_on_several_pages_is_one_question() {
    let (model, app) = with_model(Behaviour::Honest, &[]).await;
    let site = Site::start().await;
    let paths = ["/one", "/two", "/three"];
    let put = |name: &str| {
        for path in paths {
            site.page(path, "teal", &format!("<h2>{name} {path}</h2>"));
        }
    };
    put("Small plan");
    let request = request(&site, "shared", &paths, INTENT);
    let job = run_twice(&app.client, &request, || put("Starter plan")).await;
    assert_eq!(model.asked().len(), 1);
    for path in paths {
        let page = result(&job, path);
        assert_eq!(page["verdict"]["decision"], "intentional");
        let text = page["serviceSummary"][0]["text"].as_str().unwrap();
        assert!(text.contains(path), "each has its own texts: {text}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_the_measured_sentences_are_told() {
    let app = TestApp::on_sqlite().await;
    let job = reworded(&app.client, "none").await;
    let told = ai_summary(&app.client, &job).await;
    let message = told["message"].as_str().unwrap();
    assert!(
        message.starts_with("No language model is configured"),
        "{message}"
    );
    let page = result(&job, "/");
    assert!(is_measured(page));
    assert_eq!(
        told["summaries"][0]["serviceSummary"],
        page["serviceSummary"]
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn describing_wants_an_ended_job_of_ones_own_and_the_right_to_review() {
    let app = TestApp::with(&["--page-budget-seconds", "3"]).await;
    let site = Site::start().await;
    site.hangs("/");
    let id = app
        .client
        .crawl(request(&site, "running", &["/"], INTENT))
        .await;
    let path = format!("/job/{id}/ai-summary");
    let describe =
        |client: Client, path: String| async move { client.post(&path, json!({})).await };
    let sentence = describe(app.client.clone(), path.clone())
        .await
        .refused(400, "job_not_completed");
    assert!(sentence.contains("COMPLETED"), "{sentence}");
    for unknown in ["01900000-0000-7000-8000-000000000000", "no-id"] {
        describe(app.client.clone(), format!("/job/{unknown}/ai-summary"))
            .await
            .refused(404, "job_not_found");
    }
    let stranger = app.client_with("other", &["read", "review"]).await;
    describe(stranger, path.clone())
        .await
        .refused(404, "job_not_found");
    let runner = app.client_with("main", &["read", "run"]).await;
    let sentence = describe(runner, path).await.refused(403, "forbidden");
    assert!(sentence.contains("`review`"), "{sentence}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn describing_answers_within_what_clients_wait_and_goes_on_by_itself() {
    let app = TestApp::on_sqlite().await;
    let job = reworded(&app.client, "slow").await;
    assert!(is_measured(result(&job, "/")), "{job:#}");
    let model = Model::start(Behaviour::Waits).await;
    let app = app.restarted(&flags(&model), Clock::System).await;
    let begun = Instant::now();
    let told = ai_summary(&app.client, &job).await;
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    let is_still_at_work = |told: &Value| {
        let message = told["message"].as_str().unwrap();
        assert!(message.contains("still at work"), "{message}");
        let text = &told["summaries"][0]["serviceSummary"][0]["text"];
        assert_eq!(text, "Heading “Small plan” now reads “Starter plan”.");
    };
    is_still_at_work(&told);
    // Asked again it asks the model nothing anew.
    is_still_at_work(&ai_summary(&app.client, &job).await);
    assert_eq!(model.asked().len(), 1);

    model.let_go();
    let begun = Instant::now();
    let id = job["jobId"].as_str().unwrap();
    while is_measured(result(&app.client.wait(id).await, "/")) {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it did not go on"
        );
    }
    // The round is over a moment after it is kept.
    let is_over = async || {
        let told = ai_summary(&app.client, &job).await;
        told["message"]
            .as_str()
            .unwrap()
            .contains("described 1 of 1")
    };
    while !is_over().await {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
    }
    app.stop().await;
}
