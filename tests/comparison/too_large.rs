//! Two pictures that are too large together to be compared: a person decides by looking at them.

use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::tree;

const ORIGIN: &str = "http://localhost:3000";

/// Together they have 100 million pixels.
const TALL: (u32, u32) = (100, 10_000);
const WIDE: (u32, u32) = (10_000, 100);

async fn run(client: &Client, (width, height): (u32, u32), text: &str) -> Value {
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb([0, 128, 128]));
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let job = client.init("large", ORIGIN).await;
    let url = format!("{ORIGIN}/");
    client
        .upload(&job, &url, png.into_inner(), &tree(text))
        .await;
    client.finish(&job).await
}

on_both_databases! {
    async fn a_page_that_is_too_large_beside_its_baseline_is_decided_by_looking_at_it(app: TestApp) {
        let client = &app.client;
        run(client, TALL, "Welcome").await;
        for (text, content) in [("Welcome", Value::Null), ("Farewell", json!(true))] {
            let job = run(client, WIDE, text).await;
            let page = result(&job, "/");
            assert_eq!(
                ["status", "changed", "contentChanged", "diffPercentage", "visualMatchScore", "errorMessage", "changeGroup"].map(|field| &page[field]),
                [&json!("SUCCESS"), &json!(true), &content, &Value::Null, &Value::Null, &Value::Null, &Value::Null],
                "{page:#}"
            );
            assert_eq!(page["verdict"]["decision"], "needs_review", "{page:#}");
            let told = page["serviceSummary"][0]["text"].as_str().unwrap();
            assert_eq!(
                told,
                "The page has another size: it was 100 × 10,000 px, and is 10,000 × 100 px now. The pictures were not compared: \
                 one over the other they have 100,000,000 pixels, 80,000,000 at most are compared. Look at both: approving makes \
                 this capture the baseline."
            );
            let tells_of_text = page["serviceSummary"].to_string().contains("Farewell");
            assert_eq!(tells_of_text, text == "Farewell", "{page:#}");
            let id = page["resultId"].as_str().unwrap();
            let item = client.get(&format!("/result/{id}")).await.ok();
            for (side, (width, height)) in [("baseline", TALL), ("current", WIDE)] {
                assert_eq!([&item[side]["width"], &item[side]["height"]], [&json!(width), &json!(height)]);
            }
            assert_eq!([&item["comparedWidth"], &item["comparedHeight"]], [&json!(10_000), &json!(10_000)]);
            // Whoever follows the link to the difference sees the page as it is now.
            let (_, _, png) = client.download(&page["diffUrl"]).await;
            assert_eq!(image::load_from_memory(&png).unwrap().width(), WIDE.0);
            let mask = json!({ "selector": "p" });
            let tried = client.post(&format!("/result/{id}/mask"), mask).await.ok()["tried"].clone();
            assert_eq!([&tried["changed"], &tried["settled"]], [&json!(1), &json!(0)], "{tried:#}");
            let report = client.get(&format!("/job/{}/report?format=markdown", job["jobId"].as_str().unwrap())).await.ok();
            assert!(!report.as_str().unwrap().contains(" % |"), "{report:#}");
            if text == "Farewell" {
                client.decide(&job, page, "approve").await.ok();
            } else {
                client.decide(&job, page, "reject").await.ok();
            }
        }
        let job = run(client, WIDE, "Farewell").await;
        let page = result(&job, "/");
        assert_eq!([&page["status"], &page["changed"]], [&json!("SUCCESS"), &json!(false)], "{page:#}");
        app.stop().await;
    }
}
