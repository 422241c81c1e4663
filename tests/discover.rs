//! Which pages a run has: sitemaps and indexes of all kinds, `robots.txt`, scans, and the preview that tells them.

mod broken_off; // large jobs, stored in several transactions
mod limits; // what is too large, too deep, too slow, or must not be opened
mod turns; // organizations take turns

use std::io::Write;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::on_both_databases;
use crate::support::site::Site;

/// A sitemap of these addresses.
fn sitemap(addresses: &[&str]) -> Vec<u8> {
    let entries: String = addresses
        .iter()
        .map(|address| format!("<url><loc>{address}</loc></url>"))
        .collect();
    format!("<?xml version='1.0' encoding='UTF-8'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>").into_bytes()
}

/// An index of these files.
fn index(addresses: &[&str]) -> Vec<u8> {
    let entries: String = addresses
        .iter()
        .map(|address| format!("<sitemap><loc>{address}</loc></sitemap>"))
        .collect();
    format!(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</sitemapindex>"
    )
    .into_bytes()
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn serve(site: &Site, path: &str, body: Vec<u8>) {
    site.content(path, 200, "application/xml", body);
}

/// A project on the site that reads its default sitemap, all of it.
async fn project(app: &App, site: &Site, settings: Value) {
    let mut body = json!({ "name": "shop", "testOrigin": site.origin });
    let fields = settings.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    app.client.post("/projects", body).await.ok();
}

async fn preview(app: &App, body: Value) -> Value {
    app.client.post("/project/shop/discover", body).await.ok()
}

fn paths(preview: &Value) -> Vec<&str> {
    let pages = preview["pages"].as_array().unwrap().iter();
    pages.map(|page| page["path"].as_str().unwrap()).collect()
}

fn notes(preview: &Value) -> String {
    let notes = preview["notes"].as_array().unwrap().iter();
    notes
        .map(|note| note.as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Everything a sitemap may be, at once.
fn serve_mixed_sitemap(site: &Site) {
    serve(
        site,
        "/sitemap.xml",
        index(&["/one.xml", "two.xml", "/deeper/index.xml", "/sitemap.xml"]),
    );
    // The first answers only after the second was asked for, so the second is there first.
    site.after(
        "/one.xml",
        "/two.xml",
        "application/xml",
        sitemap(&["/first", "https://www.example.com/second?a=1&amp;b=2"]),
    );
    // Packed, and nothing but its content says so.
    serve(
        site,
        "/two.xml",
        pack(&sitemap(&["/third", "/first#again"])),
    );
    serve(
        site,
        "/deeper/index.xml",
        index(&["three.xml", "/one.xml", "/deeper/index.xml"]),
    );
    let prefixed = "\u{feff}<sm:urlset xmlns:sm='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='i'>\
         <sm:url><sm:loc><![CDATA[fourth]]></sm:loc><image:image><image:loc>/picture.png</image:loc></image:image></sm:url></sm:urlset>";
    serve(site, "/deeper/three.xml", prefixed.as_bytes().to_vec());
}

const MIXED: [&str; 4] = ["/first", "/second?a=1&b=2", "/third", "/deeper/fourth"];

on_both_databases! {
    async fn a_preview_tells_what_a_run_then_captures(app: TestApp) {
        let site = Site::start().await;
        serve_mixed_sitemap(&site);
        for path in ["/home", "/first", "/second", "/third", "/deeper/fourth"] {
            site.page(path, "teal", "");
        }
        let scans = json!([{ "pattern": "/**", "options": null }]);
        project(&app, &site, json!({ "paths": [{ "path": "/home", "label": "Home" }], "scans": scans, "devices": ["mobile"] })).await;

        let told = preview(&app, json!({})).await;
        let expected: Vec<&str> = std::iter::once("/home").chain(MIXED).collect();
        assert_eq!(paths(&told), expected);
        assert_eq!(told["pages"][0], json!({ "url": format!("{}/home", site.origin), "path": "/home", "label": "Home", "from": "paths" }));
        assert_eq!(told["pages"][1], json!({ "url": format!("{}/first", site.origin), "path": "/first", "from": "sitemap", "scan": "/**" }));
        assert_eq!((&told["total"], &told["results"], &told["devices"]), (&json!(5), &json!(5), &json!(["mobile"])));
        assert_eq!((&told["complete"], told.get("problem")), (&json!(true), None));
        assert_eq!(app.client.get("/jobs").await.ok()["jobs"], json!([]), "nothing is run");

        let job = app.client.run_project("shop", json!({})).await;
        let captured: Vec<&Value> = job["results"].as_array().unwrap().iter().map(|result| &result["url"]).collect();
        let listed: Vec<&Value> = told["pages"].as_array().unwrap().iter().map(|page| &page["url"]).collect();
        assert_eq!(captured, listed);
        assert_eq!(job["error"], json!(null), "addresses of other origins are no error");
        app.stop().await;
    }

    async fn a_preview_tries_out_what_is_sent_and_stores_nothing(app: TestApp) {
        let site = Site::start().await;
        serve(&site, "/sitemap.xml", sitemap(&["/a", "/b/c"]));
        serve(&site, "/other.xml", sitemap(&["/d"]));
        project(&app, &site, json!({ "sitemapUrl": format!("{}/sitemap.xml", site.origin) })).await;
        let before = app.client.get("/project/shop").await.ok();
        let bare = app.client.request(Method::POST, "/project/shop/discover").bearer_auth(&app.client.key);
        assert_eq!(paths(&app.client.send(bare).await.ok()), ["/a", "/b/c"]);
        let tried = json!({
            "sitemapUrl": format!("{}/other.xml", site.origin), "paths": [{ "path": "/x" }], "devices": ["tablet", "iPhone 13", "TABLET"],
        });
        let told = preview(&app, tried).await;
        assert_eq!(paths(&told), ["/x", "/d"]);
        assert_eq!((&told["results"], &told["devices"]), (&json!(4), &json!(["tablet", "iPhone 13"])));
        assert_eq!(paths(&preview(&app, json!({ "scans": [{ "pattern": "/*", "options": null }] })).await), ["/a"]);
        assert_eq!(app.client.get("/project/shop").await.ok(), before);

        let refused = async |body: Value, code: &str| app.client.post("/project/shop/discover", body).await.refused(400, code);
        assert!(refused(json!({ "devices": ["iphone13"] }), "invalid_input").await.contains("`iPhone 13`"));
        assert!(refused(json!({ "sitemapUrl": "http://10.0.0.1/s.xml" }), "invalid_url").await.contains("`sitemapUrl`"));
        let reader = app.client_with("main", &["read", "review", "admin"]).await;
        reader.post("/project/shop/discover", json!({})).await.refused(403, "forbidden");
        let stranger = app.client_with("other", &["read", "run"]).await;
        stranger.post("/project/shop/discover", json!({})).await.refused(404, "project_not_found");
        app.stop().await;
    }

    async fn a_scan_without_a_match_is_said_by_preview_and_job(app: TestApp) {
        let site = Site::start().await;
        serve(&site, "/sitemap.xml", sitemap(&["/docs/a", "/docs/a?page=2", "/docs/b", "/docs/c/d", "/docs/a", "/blog"]));
        for path in ["/docs/a", "/docs/b", "/blog"] {
            site.page(path, "teal", "");
        }
        let scans = json!([
            { "pattern": "/shop/**", "options": null },
            { "pattern": "/docs/**", "options": { "limit": 3, "exclude": ["/docs/*/d"] } },
            { "pattern": "/*", "options": {} },
        ]);
        project(&app, &site, json!({ "scans": scans })).await;
        let told = preview(&app, json!({})).await;
        assert_eq!(paths(&told), ["/docs/a", "/docs/a?page=2", "/docs/b", "/blog"]);
        assert_eq!((&told["pages"][3]["scan"], &told["pages"][0]["scan"]), (&json!("/*"), &json!("/docs/**")));
        let sentence = "The scan `/shop/**` matches none of the sitemap's 5 pages.";
        assert_eq!(told["notes"], json!([sentence]));
        let job = app.client.run_project("shop", json!({})).await;
        assert_eq!((&job["status"], &job["error"]), (&json!("COMPLETED"), &json!(sentence)));
        app.stop().await;
    }

    async fn a_page_whose_address_cannot_be_kept_is_left_out_and_that_is_said(app: TestApp) {
        let site = Site::start().await;
        let long = format!("/{}", "あ".repeat(300));
        serve(&site, "/sitemap.xml", sitemap(&["/a", &long]));
        site.page("/a", "teal", "");
        project(&app, &site, json!({ "scans": [{ "pattern": "/**", "options": null }] })).await;
        let told = preview(&app, json!({})).await;
        assert_eq!(paths(&told), ["/a"]);
        let sentence = told["notes"][0].as_str().unwrap();
        assert!(sentence.starts_with("1 page has a path of more than 2048 characters and cannot be captured: `/%E3%81%82"), "{sentence}");
        let job = app.client.run_project("shop", json!({})).await;
        assert_eq!((&job["status"], &job["error"]), (&json!("COMPLETED"), &told["notes"][0]));
        let named = json!({ "testOrigin": site.origin, "paths": [{ "path": long }], "project": "named" });
        app.client.post("/crawl", named).await.refused(400, "invalid_input");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_other_origins_are_mapped_by_their_paths_and_counted() {
    let app = App::on_sqlite().await;
    let site = Site::start().await;
    let addresses = [
        "https://www.example.com/a",
        "https://www.example.com//b.test/c",
        "http://shop.test:8080/a",
        "/d",
        "mailto:ana@example.com",
        "",
    ];
    serve(&site, "/sitemap.xml", sitemap(&addresses));
    let scans = json!([{ "pattern": "/**", "options": null }]);
    project(&app, &site, json!({ "scans": scans })).await;
    let told = preview(&app, json!({})).await;
    assert_eq!(paths(&told), ["/a", "//b.test/c", "/d"]);
    assert_eq!(
        told["pages"][1]["url"],
        format!("{}//b.test/c", site.origin)
    );
    let notes = notes(&told);
    assert!(
        notes.contains(
            "3 of the sitemap's 4 addresses are on another origin, such as https://www.example.com;"
        ),
        "{notes}"
    );
    assert!(
        notes.contains("2 entries of the sitemap were left out"),
        "{notes}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn robots_txt_says_where_the_sitemap_is_when_the_default_one_is_missing() {
    let app = App::on_sqlite().await;
    let site = Site::start().await;
    let scans = json!([{ "pattern": "/**", "options": null }]);
    project(&app, &site, json!({ "scans": scans })).await;

    let none = preview(&app, json!({})).await;
    assert_eq!(
        (&none["complete"], &none["total"]),
        (&json!(false), &json!(0))
    );
    let problem = none["problem"].as_str().unwrap();
    assert!(
        problem.contains("/sitemap.xml") && problem.contains("/robots.txt names none"),
        "{problem}"
    );
    let job = app.client.run_project("shop", json!({})).await;
    assert_eq!(
        (&job["status"], &job["error"]),
        (&json!("FAILED"), &json!(problem))
    );

    let robots = format!(
        "User-agent: *\nDisallow:\nSITEMAP: {0}/maps/one.xml # first\nsitemap:/maps/two.xml.gz\n",
        site.origin
    );
    site.content("/robots.txt", 200, "text/plain", robots.into_bytes());
    serve(&site, "/maps/one.xml", sitemap(&["/a", "/b"]));
    serve(&site, "/maps/two.xml.gz", pack(&index(&["three.xml"])));
    serve(&site, "/maps/three.xml", sitemap(&["/c"]));
    for status in [404, 410] {
        site.content("/sitemap.xml", status, "text/html", b"no".to_vec());
        let told = preview(&app, json!({})).await;
        assert_eq!(paths(&told), ["/a", "/b", "/c"]);
        assert!(notes(&told).contains("/robots.txt names 2."), "{told}");
        assert_eq!(told.get("problem"), None);
    }
    // Only a missing one: what is broken is said, and what somebody named is what counts.
    site.content("/sitemap.xml", 503, "text/html", b"no".to_vec());
    let broken = preview(&app, json!({})).await;
    assert!(
        broken["problem"].as_str().unwrap().contains("answered 503"),
        "{broken}"
    );
    let named = json!({ "sitemapUrl": format!("{}/no.xml", site.origin) });
    let missing = preview(&app, named).await;
    assert!(
        missing["problem"]
            .as_str()
            .unwrap()
            .contains("/no.xml answered 404"),
        "{missing}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_passes_the_gate_of_its_own_origin_and_of_no_other() {
    let app = App::on_sqlite().await;
    let (site, other) = (Site::start().await, Site::start().await);
    let elsewhere = format!("{}/theirs.xml", other.origin);
    serve(&site, "/sitemap.xml", index(&["/ours.xml", &elsewhere]));
    serve(&site, "/ours.xml", sitemap(&["/a"]));
    serve(&other, "/theirs.xml", sitemap(&["/b"]));
    let settings = json!({
        "scans": [{ "pattern": "/**", "options": null }], "testAuth": { "headers": { "x-gate": "open" } },
    });
    project(&app, &site, settings).await;
    assert_eq!(paths(&preview(&app, json!({})).await), ["/a", "/b"]);
    let gates = |site: &Site| -> Vec<bool> {
        let asked = site.asked();
        asked
            .iter()
            .map(|asked| asked.headers.contains_key("x-gate"))
            .collect()
    };
    assert_eq!(
        (gates(&site), gates(&other)),
        (vec![true, true], vec![false])
    );
    app.stop().await;
}
