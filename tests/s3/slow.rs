//! A bucket that is slow: whoever waits for an answer hears that it takes too long.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::uploads::{picture, tree};

/// Longest wait that a call has for a bucket, and some more: a machine that tests may be slow itself.
const LONGEST: Duration = Duration::from_secs(50);

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_slow_bucket_for_long() {
    let app = TestApp::on_s3_and_sqlite().await;
    let client = &app.client;
    let page = "http://localhost:3000/";
    let mut done = json!(null);
    for (colour, text) in [([200, 0, 0], "before"), ([0, 0, 200], "after")] {
        let job = client.init("slow", "http://localhost:3000").await;
        let (picture, tree) = (picture(colour, 3), tree(text));
        client.upload(&job, page, picture, &tree).await;
        done = client.finish(&job).await;
    }
    let id = result(&done, "/")["resultId"].as_str().unwrap();
    let item = client.get(&format!("/result/{id}")).await.ok();
    let job = done["jobId"].as_str().unwrap();
    let blob = item["maskUrl"].as_str().unwrap();
    let (report, mask) = (format!("/job/{job}/report"), format!("/result/{id}/mask"));
    let ask = async |request: reqwest::RequestBuilder| {
        let request = request.bearer_auth(&client.key).timeout(LONGEST);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let ask_all = async || {
        let question = client.request(Method::POST, &mask);
        let question = question.json(&json!({ "selector": "h1" }));
        let (read, tried, (status, report)) = tokio::join!(
            async { ask(client.request_to(Method::GET, blob)).await.0 },
            async { ask(question).await.0 },
            ask(client.request(Method::GET, &report)),
        );
        let pictures = report.matches("data:image/png").count();
        ([read, tried, status], pictures)
    };
    assert_eq!(ask_all().await, ([200; 3], 2));
    let held = app.bucket.as_ref().unwrap().hold_blobs().await;
    // The report is there without its pictures.
    assert_eq!(ask_all().await, ([500, 500, 200], 0));
    drop(held);
    assert_eq!(ask_all().await, ([200; 3], 2));
    app.stop().await;
}
