//! A job in words: those of its summary, without the lists that stand beside them there.

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// Uploads pages as `(path, shade, text)` and one that never arrives, and returns the ended job.
async fn run(client: &Client, context: Value, pages: &[(&str, u8, &str)]) -> Value {
    let init = json!({ "project": "words", "testOrigin": ORIGIN, "runContext": context });
    let begun = client.post("/ci/job/init", init).await.ok();
    let id = begun["jobId"].as_str().unwrap();
    for (path, shade, text) in pages {
        let page = format!("{ORIGIN}{path}");
        let picture = picture([*shade, 0, 0], 3);
        client.upload(id, &page, picture, &tree(text)).await;
    }
    client.links(id, &format!("{ORIGIN}/never")).await;
    client.finish(id).await
}

on_both_databases! {
    async fn a_job_has_the_words_of_its_summary(app: TestApp) {
        let client = &app.client;
        let before = [("/price", 10, "19 € a month"), ("/about", 10, "About us"), ("/same", 10, "Same")];
        let first = run(client, json!({}), &before).await;
        let expected = ["The price changes from 19 € to 29 € a month", "A banner announces the summer sale"];
        let after = [("/price", 10, "29 € a month"), ("/about", 200, "About them"), ("/same", 10, "Same")];
        let second = run(client, json!({ "expectedChanges": expected }), &after).await;
        let nobody = "http://127.0.0.1:9";
        let failed = client.run(json!({ "project": "failed", "testOrigin": nobody, "sitemapUrl": format!("{nobody}/map.xml") })).await;
        for (job, said, assessed) in [
            (&first, "3 have their first baselines", "Nothing changed. 1 of 4 page variants could not be compared."),
            (&second, "1 matches its baseline", "Expected but not seen: “A banner announces the summer sale”."),
            (&failed, "The job failed.", "Nothing was compared."),
        ] {
            let (words, summary) = (client.words(job).await, client.summary(job).await);
            assert_eq!(words, json!({ "runSummary": summary["runSummary"], "intentAssessment": summary["intentAssessment"] }));
            let is_said = |field: &Value, text: &str| field.as_str().is_some_and(|whole| whole.contains(text));
            assert!(is_said(&words["runSummary"], said), "{words:#}");
            assert!(is_said(&words["intentAssessment"]["summary"], assessed), "{words:#}");
        }

        let words = client.words(&second).await;
        client.post("/approve", json!({ "jobId": second["jobId"] })).await.ok();
        assert_eq!(client.words(&second).await, words, "they say how the run ended, whatever was decided since");
        app.stop().await;
    }
}
