//! The bundled demo site comes out as `demo/README.md` says.

use pentimento::demo::site::{DemoSite, PAGES};
use serde_json::json;

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
    let second = app.client.run(request).await;
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
