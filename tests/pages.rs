//! Which pages a job captures: its URL, its paths and what its sitemap lists, and what it says when a scan matches none.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::site::Site;
use crate::support::uploads::{gzip, picture, tree};

fn urlset(paths: &[&str]) -> Vec<u8> {
    let entries: String = paths
        .iter()
        .map(|path| format!("<url><loc>https://www.example.com{path}</loc></url>"))
        .collect();
    format!("<urlset>{entries}</urlset>").into_bytes()
}

/// The paths of a job's results, in their order.
fn paths<'a>(job: &'a Value, site: &Site) -> Vec<&'a str> {
    let results = job["results"].as_array().unwrap();
    results
        .iter()
        .map(|result| {
            result["url"]
                .as_str()
                .unwrap()
                .strip_prefix(&site.origin)
                .expect("on the test origin")
        })
        .collect()
}

on_both_databases! {
    async fn pages_are_the_union_of_url_paths_and_sitemap_without_duplicates(app: TestApp) {
        let site = Site::start().await;
        let index = format!("<sitemapindex><sitemap><loc>{0}/one.xml.gz</loc></sitemap><sitemap><loc>{0}/two.xml</loc></sitemap></sitemapindex>", site.origin);
        site.content("/sitemap.xml", 200, "application/xml", index.into_bytes());
        site.content("/one.xml.gz", 200, "application/gzip", gzip(&urlset(&["/docs/a", "/docs/a/deep", "/blog/x"])));
        site.content("/two.xml", 200, "application/xml", urlset(&["/docs/b", "/docs/c", "/p"]));
        let run = async |body: Value| {
            let job = app.client.run(body).await;
            (paths(&job, &site).into_iter().map(str::to_owned).collect::<Vec<_>>(), job["error"].clone())
        };
        // Scans alone read the sitemap at its usual place.
        let union = json!({
            "project": "union", "url": format!("{}/p?q=1", site.origin), "paths": [{ "path": "/docs/b" }, { "path": "/p?q=1" }],
            "scans": [{ "pattern": "/docs/*", "options": { "limit": 2 } }, { "pattern": "/shop/**" }, { "pattern": "/docs/**", "options": { "exclude": ["/docs/c"] } }],
        });
        let (found, error) = run(union).await;
        assert_eq!(found, ["/p?q=1", "/docs/b", "/docs/a", "/docs/a/deep"]);
        assert!(error.as_str().unwrap().contains("`/shop/**` matches none"), "{error}");
        assert_eq!(app.client.get("/project/union").await.ok()["testOrigin"], site.origin, "the origin of the url");
        // A page named by `url` is that run's own: the project that comes to be saves the rest.
        let one = json!({ "project": "one", "url": format!("{}/p", site.origin) });
        assert_eq!(run(one.clone()).await.0, ["/p"]);
        assert_eq!(run(json!({ "project": "one", "url": format!("{}/docs/a", site.origin) })).await.0, ["/docs/a"]);
        assert_eq!(run(json!({ "project": "one" })).await.0, ["/"]);
        let saved = app.client.get("/project/one").await.ok();
        assert_eq!((&saved["testOrigin"], &saved["paths"]), (&json!(site.origin), &json!([])));
        let elsewhere = json!({ "project": "elsewhere", "testOrigin": site.origin, "url": "http://127.0.0.1:9/p" });
        let sentence = app.client.post("/crawl", elsewhere).await.refused(400, "invalid_input");
        assert!(sentence.contains("`url` lies on another origin"), "{sentence}");
        app.client.get("/project/elsewhere").await.refused(404, "project_not_found");
        // Without a scan, all of it.
        let (found, error) = run(json!({ "project": "all", "testOrigin": site.origin, "sitemapUrl": format!("{}/sitemap.xml", site.origin) })).await;
        assert_eq!((found.len(), error), (6, Value::Null), "{found:?}");
        // With nothing given, the start page, on the default device.
        let job = app.client.run(json!({ "project": "nothing", "testOrigin": site.origin })).await;
        assert_eq!((paths(&job, &site), &job["results"][0]["variantName"]), (vec!["/"], &json!("Desktop Chrome")));
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_shown_and_found_by_the_letters_of_its_address() {
    let app = TestApp::on_sqlite().await;
    let client = &app.client;
    let id = client.init("letters", "http://shop.test").await;
    for path in ["日本", "plain"] {
        let url = format!("http://shop.test/{path}");
        client
            .upload(&id, &url, picture([0; 3], 3), &tree("Text"))
            .await;
    }
    client.finish(&id).await;
    for needle in ["日本", "%E6%97%A5", "%e6%97%a5"] {
        let mut address = url::Url::parse(&format!("{}/job/{id}/results", client.base)).unwrap();
        address.query_pairs_mut().append_pair("q", needle);
        let path = format!("{}?{}", address.path(), address.query().unwrap());
        let found = client.get(&path).await.ok();
        assert_eq!(
            (&found["total"], &found["results"][0]["label"]),
            (&json!(1), &json!("/日本")),
            "{needle}"
        );
    }
    app.stop().await;
}

/// What is kept of the document of a job's only page.
async fn stored_tree(app: &TestApp, job: &Value) -> Vec<u8> {
    let state = &app.service.app;
    let blob: String = sqlx::query_scalar(
        "SELECT c.dom_blob FROM captures c JOIN results r ON r.current_capture_id = c.id WHERE r.id = $1",
    )
    .bind(job["results"][0]["resultId"].as_str().unwrap())
    .fetch_one(&mut *state.db.read().await.unwrap())
    .await
    .unwrap();
    state.storage.get(&blob.parse().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captured_tree_keeps_a_hundred_characters_of_direct_text() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", &format!("<p id=long>{}</p>", "ab ".repeat(60)));
    let job = app
        .client
        .run(json!({ "project": "texts", "testOrigin": site.origin }))
        .await;
    let tree: Value = serde_json::from_slice(&stored_tree(&app, &job).await).unwrap();
    let children = tree["children"].as_array().unwrap();
    let long = children.iter().find(|node| node["id"] == "long").unwrap();
    let text = long["text"].as_str().unwrap();
    assert!(
        text.starts_with("ab ab") && text.chars().count() == 100,
        "{text}"
    );
    assert!(
        ["x", "y", "w", "h"]
            .iter()
            .all(|side| long["rect"][side].is_i64()),
        "{long}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_captured_tree_is_as_long_as_a_page_likes() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let long = "x".repeat(10_000);
    let body = format!(
        "<link rel=alternate href='/{long}' hreflang={long}><p id={long} class={long}>{long}</p><a href='/{long}'></a>\
         <img alt={long} src='/{long}'><meta name={long} content={long}><x-{long}></x-{long}>"
    );
    site.page("/", "teal", &body);
    let job = app
        .client
        .run(json!({ "project": "long", "testOrigin": site.origin }))
        .await;
    let tree = stored_tree(&app, &job).await;
    assert!(tree.len() < 35_000, "{}", tree.len());
    let tree: Value = serde_json::from_slice(&tree).unwrap();
    let hreflang = tree["head"]["links"][0]["hreflang"].as_str().unwrap();
    assert_eq!(hreflang.len(), 2_048);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captured_tree_tells_what_its_texts_lie_on_and_what_is_switched_off() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let hero = "<style>#hero { position: relative } #hero::before { content: ''; position: absolute; inset: 0; background: black } \
         #list::before { content: '•'; display: block; width: 6px; height: 6px; background: red }</style>\
         <section id=hero>Sale</section><p id=list>Plain</p><p id=shadow style='text-shadow: 0 0 2px black'>Soft</p>\
         <button id=off disabled>Buy</button><button id=on>Buy</button><input id=slider type=range><input id=field>";
    site.page("/", "teal", hero);
    site.page(
        "/dark",
        "teal",
        "<style>html { background: rgb(17, 17, 17) }</style>",
    );
    site.page(
        "/scheme",
        "teal",
        "<style>html { color-scheme: dark }</style>",
    );
    for (path, canvas) in [
        ("/", "rgb(255, 255, 255)"),
        ("/dark", "rgb(17, 17, 17)"),
        ("/scheme", ""),
    ] {
        let paths = json!([{ "path": path }]);
        let project = format!("ground{}", path.len());
        let request = json!({ "project": project, "testOrigin": site.origin, "paths": paths });
        let job = app.client.run(request).await;
        let tree: Value = serde_json::from_slice(&stored_tree(&app, &job).await).unwrap();
        assert_eq!(tree["canvas"], canvas, "{path}");
        if path != "/" {
            continue;
        }
        let marked = |mark: &str| -> Vec<String> {
            let mut marked = Vec::new();
            let mut nodes = vec![&tree];
            while let Some(node) = nodes.pop() {
                nodes.extend(node["children"].as_array().into_iter().flatten());
                if node[mark] == true {
                    marked.push(node["id"].as_str().unwrap().to_owned());
                }
            }
            marked.sort();
            marked
        };
        assert_eq!(marked("veiled"), ["hero", "shadow"]);
        assert_eq!(marked("off"), ["off"]);
        assert_eq!(marked("untyped"), ["slider"]);
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captured_tree_tells_how_much_of_a_text_its_own_box_shows() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let body = "<style>p { width: 100px; font: 16px/20px monospace; white-space: nowrap; overflow: hidden }</style>\
         <p id=cut>A name that is far too long</p><p id=dotted style='text-overflow: ellipsis'>A name that is far too long</p>\
         <p id=clamped style='white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2'>\
         A name that is far too long for two lines of it</p>\
         <p id=whole>Short</p><p id=free style='overflow: visible'>A name that is far too long</p><p id=empty><b>Short</b></p>";
    site.page("/", "teal", body);
    let job = app
        .client
        .run(json!({ "project": "cut", "testOrigin": site.origin }))
        .await;
    let tree: Value = serde_json::from_slice(&stored_tree(&app, &job).await).unwrap();
    let children = tree["children"].as_array().unwrap();
    let shown = |id: &str| {
        let node = children.iter().find(|node| node["id"] == id).unwrap();
        node["shown"].as_i64()
    };
    for id in ["cut", "dotted", "clamped"] {
        let part = shown(id).unwrap();
        assert!((10..75).contains(&part), "{id}: {part}");
    }
    assert_eq!(shown("cut"), shown("dotted"));
    let shortens = |id: &str| {
        children
            .iter()
            .any(|node| node["id"] == id && node["shortens"] == true)
    };
    assert_eq!(
        ["cut", "dotted", "clamped", "whole"].map(shortens),
        [false, true, true, false]
    );
    assert_eq!(shown("whole"), Some(100));
    assert_eq!((shown("free"), shown("empty")), (None, None));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captured_tree_of_more_than_is_compared_is_not_kept_and_that_is_said() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let element = format!("<b class={}></b>", "x".repeat(1_000));
    let body = |text: &str| format!("<p>{text}</p><div hidden>{}</div>", element.repeat(12_000));
    site.page("/", "teal", &body("one"));
    let request = json!({ "project": "large-tree", "testOrigin": site.origin });
    let first = app.client.run(request.clone()).await;
    let tree = stored_tree(&app, &first).await;
    assert!(tree.len() < 1_000, "{}", tree.len());
    site.page("/", "teal", &body("two"));
    let second = app.client.run(request.clone()).await;
    let page = &second["results"][0];
    assert_eq!(page["changed"], true, "{page:#}");
    assert_eq!(
        page["domAssistSkipReason"],
        "Of the baseline: The DOM tree is larger than 16 MiB."
    );
    // Nor where nothing changed: what lies beyond the pixels was not compared.
    site.page("/", "teal", &body("one"));
    let third = app.client.run(request).await;
    let page = &third["results"][0];
    assert_eq!(page["changed"], false, "{page:#}");
    assert_eq!(
        page["domAssistSkipReason"],
        "Of the capture: The DOM tree is larger than 16 MiB."
    );
    app.stop().await;
}
