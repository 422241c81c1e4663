//! Sitemaps that are too large, too deep, too slow, or lead where nobody may go: each ends with a sentence.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{index, notes, pack, paths, preview, project, serve, sitemap};
use crate::support::app::TestApp as App;
use crate::support::site::Site;

fn everything() -> Value {
    json!({ "scans": [{ "pattern": "/**", "options": null }] })
}

async fn start() -> (App, Site) {
    let (app, site) = (App::on_sqlite().await, Site::start().await);
    project(&app, &site, everything()).await;
    (app, site)
}

#[tokio::test(flavor = "multi_thread")]
async fn cycles_end_and_indexes_are_read_five_levels_deep() {
    let (app, site) = start().await;
    for level in 0..8 {
        let next = format!("/level-{}.xml", level + 1);
        serve(
            &site,
            &format!("/level-{level}.xml"),
            index(&[&next, "/level-0.xml", "/sitemap.xml"]),
        );
    }
    serve(&site, "/sitemap.xml", index(&["/level-4.xml"]));
    serve(&site, "/level-8.xml", sitemap(&["/found"]));
    let told = preview(&app, json!({})).await;
    assert_eq!(paths(&told), ["/found"], "{told:#}");
    // From the other end of the chain, it is out of reach.
    serve(
        &site,
        "/sitemap.xml",
        index(&["/level-0.xml", "/pages.xml"]),
    );
    serve(&site, "/pages.xml", sitemap(&["/near"]));
    let told = preview(&app, json!({})).await;
    assert_eq!(paths(&told), ["/near"], "{told:#}");
    assert!(
        notes(&told).contains("more than 5 levels deep; 1 files below were not read"),
        "{told:#}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_leads_to_five_hundred_files_at_most() {
    let (app, site) = start().await;
    let names: Vec<String> = (0..505).map(|number| format!("/{number}.xml")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    serve(&site, "/sitemap.xml", index(&names));
    for (number, name) in names.iter().enumerate() {
        serve(&site, name, sitemap(&[&format!("/page-{number}")]));
    }
    let told = preview(&app, json!({})).await;
    assert_eq!(
        (&told["total"], &told["complete"]),
        (&json!(499), &json!(true))
    );
    assert_eq!(paths(&told)[498], "/page-498");
    assert!(
        notes(&told).contains("more than 500 files; the other 6 were not read"),
        "{}",
        notes(&told)
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_scans_over_many_pages_are_answered_within_what_clients_wait() {
    let (app, site) = start().await;
    let addresses: Vec<String> = (0..50_000)
        .map(|number| format!("/section-{}/page-{number}/of/the/handbook", number % 97))
        .collect();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    serve(&site, "/sitemap.xml", pack(&sitemap(&addresses)));
    let scans: Vec<Value> = (0..200)
        .map(|number| json!({ "pattern": format!("/**/*{number}*/**/h*k"), "options": { "exclude": [format!("/*{number}{number}*/**")] } }))
        .collect();
    let begun = Instant::now();
    let told = preview(&app, json!({ "scans": scans })).await;
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    // How far it comes in that time is the machine's matter; it never counts a page twice.
    assert!(told["total"].as_u64().unwrap() <= 50_000, "{told:#}");
    assert!(
        told["complete"] == true || notes(&told).contains("could not be matched in time"),
        "{}",
        notes(&told)
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_files_are_bounded_and_large_jobs_refused() {
    let (app, site) = start().await;
    let addresses: Vec<String> = (0..50_020).map(|number| format!("/{number}")).collect();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    serve(&site, "/sitemap.xml", pack(&sitemap(&addresses)));
    let told = preview(&app, json!({})).await;
    assert_eq!(
        (&told["total"], told["pages"].as_array().unwrap().len()),
        (&json!(50_000), 1_000)
    );
    assert!(
        notes(&told).contains("more than 50000 addresses; the other 20 were left out"),
        "{}",
        notes(&told)
    );
    assert_eq!(told["complete"], true);
    let problem = told["problem"].as_str().unwrap();
    assert!(
        problem.contains("50000 captures; 10000 are the most"),
        "{problem}"
    );
    let job = app.client.run_project("shop", json!({})).await;
    assert_eq!(
        (&job["status"], &job["error"]),
        (&json!("FAILED"), &json!(problem))
    );
    let limited = json!({ "scans": [{ "pattern": "/*", "options": { "limit": 5_000 } }], "devices": ["mobile", "tablet"] });
    let told = preview(&app, limited).await;
    assert_eq!(
        (&told["results"], told.get("problem")),
        (&json!(10_000), None)
    );

    for (file, expected) in [
        (
            pack(&vec![b' '; 51 * 1024 * 1024]),
            "larger than 50 MB unpacked",
        ),
        (vec![b' '; 51 * 1024 * 1024], "larger than 50 MB; split"),
        (pack(b"<urlset>")[..20].to_vec(), "is damaged"),
        (
            b"<!doctype html><title>Shop</title>".to_vec(),
            "is not a sitemap",
        ),
    ] {
        serve(&site, "/sitemap.xml", file);
        let told = preview(&app, json!({})).await;
        let problem = told["problem"].as_str().unwrap();
        assert!(
            problem.contains(expected) && problem.contains("/sitemap.xml"),
            "{problem}"
        );
        assert_eq!(told["complete"], false);
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_is_cut_before_its_caller_gives_up_and_tells_what_it_has() {
    let (app, site) = start().await;
    serve(&site, "/sitemap.xml", index(&["/quick.xml", "/never.xml"]));
    serve(&site, "/quick.xml", sitemap(&["/quick"]));
    site.hangs("/never.xml");
    let begun = Instant::now();
    let told = preview(&app, json!({ "paths": [{ "path": "/named" }] })).await;
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(paths(&told), ["/named", "/quick"]);
    assert_eq!(
        (&told["complete"], told.get("problem")),
        (&json!(false), None)
    );
    // Of its 8 s the last one is kept for matching the scans.
    assert!(notes(&told).contains("did not arrive within 7 s"), "{told}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_on_the_way_is_checked() {
    let (app, site) = start().await;
    serve(&site, "/real/sitemap.xml", sitemap(&["page"]));
    site.redirects("/sitemap.xml", "/hop");
    site.redirects("/hop", "/real/sitemap.xml");
    // Relative addresses start where the file really is.
    assert_eq!(paths(&preview(&app, json!({})).await), ["/real/page"]);

    site.redirects("/loop", "/loop");
    site.redirects("/private", "http://10.0.0.1/sitemap.xml");
    site.redirects("/file", "file:///etc/passwd");
    for (target, expected) in [
        ("/loop", "redirects more than 5 times"),
        ("/private", "which is private (10.0.0.0/8)"),
        ("/file", "must start with `http://`"),
    ] {
        site.redirects("/sitemap.xml", target);
        let told = preview(&app, json!({})).await;
        assert!(
            told["problem"].as_str().unwrap().contains(expected),
            "{told}"
        );
    }
    for (nested, expected) in [
        (
            "http://192.168.7.7/s.xml",
            "which is private (192.168.0.0/16)",
        ),
        ("file:///etc/passwd", "must start with `http://`"),
        ("http://ana:pw@127.0.0.1/", "must not hold a user name"),
        ("/gone.xml", "/gone.xml answered 404"),
    ] {
        serve(&site, "/sitemap.xml", index(&[nested]));
        let told = preview(&app, json!({})).await;
        assert!(
            told["problem"].as_str().unwrap().contains(expected),
            "{told}"
        );
    }
    let asked = site.asked();
    assert!(asked.iter().filter(|asked| asked.path == "/loop").count() <= 6);
    app.stop().await;
}
