//! Organizations take turns when many of their jobs wait to have their pages found.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;

use crate::support::on_both_databases;
use crate::support::site::Site;

const PATIENCE: Duration = Duration::from_secs(20);

/// More than are discovered at once.
const JOBS: usize = 12;

on_both_databases! {
    async fn many_jobs_of_one_organization_do_not_keep_another_one_waiting(app: TestApp) {
        let other = app.client_with("other", &["run", "read"]).await;
        let site = Site::start().await;
        let visit = async |path: &str| {
            let request = app.client.request_to(Method::GET, &format!("{}{path}", site.origin));
            app.client.send(request).await;
        };
        // The first sitemap comes when it is let go; all others as good as never.
        for number in 0..JOBS {
            let sitemap = format!("/{number}.xml");
            let gate = if number == 0 { "/go" } else { "/never" };
            let listed = format!("<urlset><url><loc>{}/</loc></url></urlset>", site.origin);
            site.after(&sitemap, gate, "application/xml", listed.into_bytes());
            let job = json!({ "project": format!("p{number}"), "testOrigin": site.origin, "sitemapUrl": format!("{}{sitemap}", site.origin) });
            app.client.crawl(job).await;
        }
        site.page("/", "teal", "");
        let id = other.crawl(json!({ "project": "only", "testOrigin": site.origin })).await;
        visit("/go").await;
        let begun = Instant::now();
        while other.get(&format!("/job/{id}")).await.ok()["status"] == "INITIALIZING" {
            assert!(begun.elapsed() < PATIENCE, "the other organization's job still waits");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        visit("/never").await;
        app.stop().await;
    }
}
