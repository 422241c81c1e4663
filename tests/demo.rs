//! The bundled demo site comes out as `demo/README.md` says.

use pentimento::demo::site::{DemoSite, PAGES};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};

/// What the second run finds on each page.
const EXPECTED: [(&str, &str); 12] = [
    ("/", "match"),
    ("/pricing", "changed"),
    ("/contact", "changed"),
    ("/team", "changed"),
    ("/journal/long-read", "changed"),
    ("/gallery", "changed"),
    ("/features", "changed"),
    ("/status", "error"),
    ("/catalogue", "match"),
    ("/visit", "match"),
    ("/about", "match"),
    ("/faq", "match"),
];

/// What is said of each changed page, and what is decided where it was said what is meant.
const WORDS: [(&str, &str, &str); 6] = [
    ("/pricing", "Text “19 €” now reads “29 €”.", "intentional"),
    (
        "/contact",
        "Button “Send the message”: background-color went from #23408e to #a8324a",
        "needs_review",
    ),
    ("/team", "Section “Sunniva Dahl” moved", "needs_review"),
    (
        "/journal/long-read",
        "was added; what follows, 112 elements, moved 96 px down because of it.",
        "needs_review",
    ),
    (
        "/gallery",
        "Picture shows another file, `gallery-eclipse.svg` instead of `gallery-orchard-rows.svg`.",
        "needs_review",
    ),
    (
        "/features",
        "Section “Colour matching by post” was removed; what follows, 58 elements",
        "intentional",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_the_demo_has_its_outcome() {
    let app = TestApp::on_sqlite().await;
    let site = DemoSite::start().await.unwrap();
    let paths: Vec<_> = PAGES
        .iter()
        .map(|(path, label)| json!({ "path": path, "label": label }))
        .collect();
    let request = json!({ "project": "demo", "testOrigin": site.origin(), "paths": paths });
    let first = app.client.run(request.clone()).await;
    assert_eq!(
        app.client.summary(&first).await["newBaselineCount"],
        PAGES.len()
    );
    site.show_changed_version();
    let second = app.client.run(request.clone()).await;
    for (path, expected) in EXPECTED {
        let page = result(&second, path);
        let outcome = match (page["status"].as_str(), page["changed"].as_bool()) {
            (Some("ERROR"), _) => "error",
            (_, Some(true)) => "changed",
            _ => "match",
        };
        assert_eq!(outcome, expected, "{path}: {page:#}");
    }
    assert!(
        result(&second, "/status")["errorMessage"]
            .as_str()
            .unwrap()
            .contains("500")
    );

    // The same changes, told apart by what was meant.
    let mut told = request;
    told["runContext"] = json!(pentimento::demo::what_is_meant());
    let third = app.client.run(told).await;
    for (path, words, decision) in WORDS {
        let decisions = [&second, &third].map(|job| &result(job, path)["verdict"]["decision"]);
        assert_eq!(decisions, ["needs_review", decision], "{path}");
        for job in [&second, &third] {
            let page = result(job, path);
            let sentences = page["regressionbotSummary"].as_array().unwrap();
            let is_said = |sentence: &Value| sentence["text"].as_str().unwrap().contains(words);
            assert!(sentences.iter().any(is_said), "{path}: {sentences:#?}");
        }
    }
    site.stop().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_sites_sitemap_names_its_pages() {
    let site = DemoSite::start().await.unwrap();
    let client = Client::new(site.origin(), String::new());
    let sitemap = client.get("/sitemap.xml").await.ok();
    let sitemap = sitemap.as_str().expect("it is XML, not JSON");
    for (path, _) in PAGES {
        assert!(
            sitemap.contains(&format!("<loc>{}{path}</loc>", site.origin())),
            "{path}: {sitemap}"
        );
    }
    site.stop().await;
}
