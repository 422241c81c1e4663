//! What a capture does to a page: masks, custom CSS, devices, lazy images, tall pages.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::picture::picture;
use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn masked_elements_keep_their_place_and_never_change() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let body = |text: &str| {
        format!(
            "<p class=ad style='background:red;height:50px'>{text}</p><p data-vr-mask style='background:blue;height:50px'>{text}</p><p id=end>end</p>"
        )
    };
    site.page("/", "teal", &body("one"));
    let request = json!({ "project": "masks", "testOrigin": site.origin, "masks": [".ad"] });
    let first = app.client.run(request.clone()).await;
    let before = picture(&app, &first, "/").await;
    assert!(
        before
            .pixels()
            .all(|pixel| pixel.0 != [255, 0, 0] && pixel.0 != [0, 0, 255]),
        "masked colours must not show"
    );
    site.page("/", "teal", &body("two"));
    let second = app.client.run(request).await;
    assert_eq!(result(&second, "/")["diffPercentage"], 0.0);
    assert_eq!(
        picture(&app, &second, "/").await.dimensions(),
        before.dimensions()
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mask_that_is_no_selector_is_the_pages_error() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let job = app
        .client
        .run(json!({ "project": "bad-mask", "testOrigin": site.origin, "masks": ["p:nope"] }))
        .await;
    assert!(
        result(&job, "/")["errorMessage"]
            .as_str()
            .unwrap()
            .contains("`p:nope`"),
        "{job:#}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custom_css_applies() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let job = app.client.run(json!({ "project": "css", "testOrigin": site.origin, "customCss": ".block { background: rgb(1, 2, 3) !important }" })).await;
    assert_eq!(
        picture(&app, &job, "/").await.get_pixel(5, 200).0,
        [1, 2, 3]
    );
    // None may also be sent as an empty text, by the first run as by the next ones.
    for _ in 0..2 {
        let job = app
            .client
            .run(json!({ "project": "plain", "testOrigin": site.origin, "customCss": "" }))
            .await;
        assert_eq!(result(&job, "/")["status"], "SUCCESS");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_have_their_viewport_and_user_agent() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page(
        "/",
        "teal",
        "<meta name=viewport content='width=device-width'>",
    );
    let script = "<meta name=viewport content='width=device-width'><p id=ua></p><script>\
         const apple = navigator.userAgent.includes('iPhone') && 'ontouchstart' in window;\
         document.body.style.background = apple ? 'rgb(0,255,0)' : 'rgb(255,0,255)';</script>";
    site.page("/ua", "teal", script);
    let widths = [
        ("Desktop Chrome", 1280),
        ("iphone 13", 390),
        ("Pixel 7", 412),
        ("desktop", 1920),
        ("laptop", 1366),
        ("tablet", 768),
        ("mobile", 375),
    ];
    let devices: Vec<&str> = widths.iter().map(|(name, _)| *name).collect();
    let job = app.client.run(json!({ "project": "devices", "testOrigin": site.origin, "paths": [{ "path": "/" }, { "path": "/ua" }], "devices": devices })).await;
    for page in job["results"].as_array().unwrap() {
        let variant = page["variantName"].as_str().unwrap();
        let (_, width) = widths
            .iter()
            .find(|(name, _)| *name == variant)
            .expect("variants are named as they were sent");
        let (_, _, png) = app.client.download(&page["currentUrl"]).await;
        let shot = image::load_from_memory(&png).unwrap().to_rgb8();
        assert_eq!(shot.width(), *width, "{variant}");
        if page["url"].as_str().unwrap().ends_with("/ua") {
            let expected = if variant == "iphone 13" {
                [0, 255, 0]
            } else {
                [255, 0, 255]
            };
            assert_eq!(
                shot.get_pixel(3, shot.height() - 2).0,
                expected,
                "{variant}"
            );
        }
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tall_pages_come_whole_with_their_lazy_images() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><rect width='100' height='100' fill='rgb(10,200,30)'/></svg>";
    site.content("/dot.svg", 200, "image/svg+xml", svg.as_bytes().to_vec());
    let rows: String = (0..14).map(|number| format!("<div style='height:900px'>{number}</div><img loading=lazy src='/dot.svg?{number}' width=100 height=100 style='display:block'>")).collect();
    site.page("/", "teal", &rows);
    let job = app
        .client
        .run(json!({ "project": "tall", "testOrigin": site.origin }))
        .await;
    let shot = picture(&app, &job, "/").await;
    assert!(shot.height() > 14_000, "{}", shot.height());
    let images = shot
        .rows()
        .filter(|row| {
            row.clone()
                .nth(50)
                .is_some_and(|pixel| pixel.0 == [10, 200, 30])
        })
        .count();
    assert_eq!(
        images,
        14 * 100,
        "every lazy image is there, whole and once"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lazy_images_that_scripts_bring_later_are_there_too() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><rect width='100' height='100' fill='rgb(10,200,30)'/></svg>";
    site.content("/dot.svg", 200, "image/svg+xml", svg.as_bytes().to_vec());
    site.content("/data.json", 200, "application/json", b"[]".to_vec());
    let script = "<div id=list></div><script>addEventListener('load', () => setTimeout(() => fetch('/data.json').then(() => { \
        for (let number = 0; number < 14; number += 1) list.insertAdjacentHTML('beforeend', \
        `<div style='height:900px'></div><img loading=lazy src='/dot.svg?${number}' width=100 height=100 style='display:block'>`); }), 250));</script>";
    site.page("/", "teal", script);
    let job = app
        .client
        .run(json!({ "project": "late", "testOrigin": site.origin }))
        .await;
    let shot = picture(&app, &job, "/").await;
    let images = shot
        .rows()
        .filter(|row| {
            let mut row = row.clone();
            row.nth(50).is_some_and(|pixel| pixel.0 == [10, 200, 30])
        })
        .count();
    assert_eq!(images, 14 * 100);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_do_not_share_cookies_and_dialogs_do_not_stop_them() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page(
        "/sets",
        "teal",
        "<script>document.cookie = 'seen=1; path=/'; alert('stop'); confirm('stop?');</script>",
    );
    site.echoes_headers("/echo");
    let request = json!({ "project": "cookies", "testOrigin": site.origin, "paths": [{ "path": "/echo" }], "concurrency": 1 });
    app.client.run(request.clone()).await;
    let setter = json!({ "project": "setter", "testOrigin": site.origin, "paths": [{ "path": "/sets" }], "concurrency": 1 });
    assert_eq!(
        result(&app.client.run(setter).await, "/sets")["status"],
        "SUCCESS"
    );
    let again = app.client.run(request).await;
    assert_eq!(
        result(&again, "/echo")["diffPercentage"],
        0.0,
        "no cookie header appeared"
    );
    app.stop().await;
}
#[tokio::test(flavor = "multi_thread")]
async fn masks_hide_under_a_strict_content_policy_and_whatever_says_to_be_visible() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    // No style element that a script adds would count here.
    let body = "<meta http-equiv=Content-Security-Policy content=\"style-src 'unsafe-inline'\">\
         <div class=ad style='height:60px;background:red'><p style='visibility:visible;height:40px;background:blue'></p></div>";
    site.page("/", "teal", body);
    site.policed("/strict", "style-src 'self'", "<!doctype html><title>strict</title><p class=ad>19:04:55</p><link rel=stylesheet href=/s.css>");
    site.content(
        "/s.css",
        200,
        "text/css",
        b".ad{height:60px;background:red}".to_vec(),
    );
    let request = json!({
        "project": "policy", "testOrigin": site.origin, "masks": [".ad"],
        "paths": [{ "path": "/" }, { "path": "/strict" }],
    });
    let job = app.client.run(request).await;
    for path in ["/", "/strict"] {
        let shot = picture(&app, &job, path).await;
        assert!(
            shot.pixels()
                .all(|pixel| pixel.0 != [255, 0, 0] && pixel.0 != [0, 0, 255]),
            "{path}"
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_whose_controls_shadow_properties_are_captured() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let controls: String = [
        "children",
        "childNodes",
        "id",
        "tagName",
        "className",
        "href",
        "getAttribute",
    ]
    .map(|name| format!("<input name={name}>"))
    .concat();
    site.page("/", "teal", &format!("<form>{controls}</form>"));
    let job = app
        .client
        .run(json!({ "project": "forms", "testOrigin": site.origin }))
        .await;
    assert_eq!(result(&job, "/")["status"], "SUCCESS", "{job:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_capture_keeps_the_dom_tree_and_the_saved_page() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page(
        "/",
        "teal",
        "<p id=price class='big red'>19 a month</p><a href='/more?x=1'>More</a>",
    );
    let request = json!({ "project": "dom", "testOrigin": site.origin });
    let job = app.client.run(request.clone()).await;
    let state = &app.service.app;
    let mut connection = state.db.read().await.unwrap();
    let id = result(&job, "/")["resultId"].as_str().unwrap();
    let row = pentimento::db::results::get_result(&mut connection, id)
        .await
        .unwrap()
        .unwrap();
    let capture =
        pentimento::db::captures::get_capture(&mut connection, &row.current_capture_id.unwrap())
            .await
            .unwrap();
    drop(connection);
    let blob = async |key: Option<String>| {
        let key = key.expect("it was kept").parse().unwrap();
        state.storage.get(&key).await.unwrap()
    };
    let tree: Value = serde_json::from_slice(&blob(capture.dom_blob).await).unwrap();
    assert_eq!(
        (&tree["tagName"], &tree["head"]["title"]),
        (&json!("body"), &json!("/"))
    );
    let children = tree["children"].as_array().unwrap();
    let price = children.iter().find(|node| node["id"] == "price").unwrap();
    assert_eq!(
        (
            &price["tagName"],
            &price["className"],
            &price["text"],
            &price["rect"]["x"]
        ),
        (
            &json!("p"),
            &json!("big red"),
            &json!("19 a month"),
            &json!(0)
        )
    );
    assert!(
        price["rect"]["y"].as_i64().unwrap() > 300,
        "below the block: {price}"
    );
    assert_eq!(
        children.iter().find(|node| node["tagName"] == "a").unwrap()["href"],
        "/more?x=1"
    );
    let saved = String::from_utf8(blob(capture.page_blob.clone()).await).unwrap();
    assert!(saved.contains("multipart/related") && saved.contains("19 a month"));
    // A browser writes another one each time; of a page in which nothing changed the first is kept alone.
    let again = app.client.run(request).await;
    let mut connection = state.db.read().await.unwrap();
    let id = result(&again, "/")["resultId"].as_str().unwrap();
    let row = pentimento::db::results::get_result(&mut connection, id);
    let row = row.await.unwrap().unwrap();
    let id = row.current_capture_id.unwrap();
    let later = pentimento::db::captures::get_capture(&mut connection, &id);
    let later = later.await.unwrap();
    drop(connection);
    assert_ne!(later.id, capture.id);
    assert_eq!(later.page_blob, capture.page_blob);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_holds_too_much_is_captured_without_a_saved_page() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let long = "x".repeat(20_000_000);
    let attached = |mode: &str, content: &str| {
        format!(
            "<div id=host></div><script>host.attachShadow({{ mode: '{mode}' }}).innerHTML = `<p hidden>${{{content}}}</p>`</script>"
        )
    };
    let within = "<div><template shadowrootmode=closed><p hidden>";
    let pages = [
        ("/text", format!("<p hidden>{long}</p>")),
        ("/attribute", format!("<p hidden title={long}></p>")),
        ("/template", format!("<template><p>{long}</p></template>")),
        ("/shadow", attached("open", "'x'.repeat(20_000_000)")),
        // What no script sees counts as well, however it came about.
        ("/closed", attached("closed", "'x'.repeat(20_000_000)")),
        ("/many", attached("closed", "'<i></i>'.repeat(60_000)")),
        (
            "/declared",
            format!("{within}{within}{long}</p></template></div></p></template></div>"),
        ),
        // Less than that is no reason to go without.
        (
            "/less",
            format!(
                "<form hidden><input name=attributes><p>{}</p></form>",
                &long[..1_000_000]
            ),
        ),
        (
            "/closed-less",
            attached("closed", "'<i>1 &lt; 2</i>'.repeat(1_000)"),
        ),
    ];
    for (path, body) in &pages {
        site.page(path, "teal", body);
    }
    let named: Vec<Value> = (pages.iter())
        .map(|(path, _)| json!({ "path": path }))
        .collect();
    let request = json!({ "project": "much", "testOrigin": site.origin, "paths": named });
    let job = app.client.run(request).await;
    for (path, _) in &pages {
        let page = result(&job, path);
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
        let saved = app.saved_page(page).await;
        assert_eq!(saved.is_some(), path.ends_with("less"), "{path}");
    }
    app.stop().await;
}
