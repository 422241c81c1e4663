//! Very tall and very wide pages: whole, without a seam or a repeat, until they are cut and say so. Pages with large pictures:
//! whole, and saved where they are small enough.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::picture::picture;
use crate::support::site::Site;

/// Fixed elements.
const GREEN: [u8; 3] = [0, 128, 0];
/// Sticky elements.
const RED: [u8; 3] = [255, 0, 0];

/// The colour of a stripe: no neighbours have the same.
fn colour(number: u32) -> [u8; 3] {
    let step = u8::try_from(number % 200).unwrap();
    [step, 200 - step, 90]
}

/// So many stripes, each with this style.
fn stripes(count: u32, style: &str) -> String {
    let stripe = |number| {
        let [r, g, b] = colour(number);
        format!("<i style='display:block;{style};background:rgb({r},{g},{b})'></i>")
    };
    (0..count).map(stripe).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_beyond_the_texture_limit_come_whole() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let rows = stripes(40, "height:1000px");
    site.page("/", "teal", &rows);
    let job = app.client.run(json!({ "project": "texture", "testOrigin": site.origin, "devices": ["Desktop Chrome", "desktop"] })).await;
    for page in job["results"].as_array().unwrap() {
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
        let (_, _, png) = app.client.download(&page["currentUrl"]).await;
        let shot = image::load_from_memory(&png).unwrap().to_rgb8();
        let top = shot.height() - 40_000;
        for number in 0..40_u32 {
            let pixel = shot.get_pixel(700, top + number * 1000 + 500).0;
            assert_eq!(
                pixel,
                colour(number),
                "row {number} of {}",
                page["variantName"]
            );
        }
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fixed_and_sticky_elements_show_once_in_a_page_of_many_bands() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let rows = stripes(300, "height:100px");
    let body = format!(
        "<style>#fixed {{ position: fixed; top: 0; left: 0; width: 100%; height: 30px; background: green }}\
         #bottom {{ position: fixed; bottom: 0; left: 0; width: 100%; height: 20px; background: rgb(1,2,3) }}\
         #sticky {{ position: sticky; top: 30px; height: 40px; background: red }}</style>\
         <div id=fixed></div><div id=sticky></div>{rows}<div id=bottom></div>"
    );
    site.page("/", "teal", &body);
    let job = app
        .client
        .run(json!({ "project": "bands", "testOrigin": site.origin }))
        .await;
    let shot = picture(&app, &job, "/").await;
    assert!(shot.height() > 30_000);
    let rows = |colour: [u8; 3]| {
        (0..shot.height())
            .filter(|y| shot.get_pixel(600, *y).0 == colour)
            .count()
    };
    assert_eq!((rows(GREEN), rows(RED), rows([1, 2, 3])), (30, 40, 20));
    // No row is missing or shown twice, across every seam.
    let first = (0..shot.height())
        .find(|y| shot.get_pixel(600, *y).0 == colour(0))
        .unwrap();
    for y in first..shot.height() {
        let expected = colour((y - first) / 100);
        let pixel = shot.get_pixel(600, y).0;
        assert!(
            pixel == expected || pixel == [1, 2, 3],
            "row {y}: {pixel:?}, not {expected:?}"
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_sticky_elements_take_no_longer_than_a_few() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    // Those of the first screen that stick to its bottom would move, and stay.
    let rows =
        "<section><p class=head>Head</p><p>Row</p><p class=foot>Foot</p></section>".repeat(1_500);
    let body = format!(
        "<style>p {{ margin: 0; height: 20px }} .head {{ position: sticky; top: 0 }} .foot {{ position: sticky; bottom: 0 }}\
         .foot {{ background: red }}</style><div style='height:3000px'></div>{rows}"
    );
    site.page("/", "teal", &body);
    let job = app
        .client
        .run(json!({ "project": "sticky", "testOrigin": site.origin }))
        .await;
    let id = result(&job, "/")["resultId"].as_str().unwrap();
    let item = app.client.get(&format!("/result/{id}")).await.ok();
    let steps = item["current"]["report"]["steps"].as_array().unwrap();
    let step = (steps.iter())
        .find(|step| step["step"] == "stickyElements")
        .unwrap();
    assert_eq!(step["outcome"], "done", "{step:#}");
    assert!(step["tookMs"].as_u64().unwrap() < 3_000, "{step:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn very_wide_pages_come_whole_unless_they_hide_their_sides() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let columns = stripes(100, "float:left;width:200px;height:300px");
    let wide = format!("<div style='display:flow-root;width:20000px'>{columns}</div>");
    site.page("/wide", "teal", &wide);
    site.page(
        "/hidden",
        "teal",
        &format!("<style>body {{ overflow-x: hidden }}</style>{wide}"),
    );
    let job = app.client.run(json!({ "project": "wide", "testOrigin": site.origin, "paths": [{ "path": "/wide" }, { "path": "/hidden" }] })).await;
    let shot = picture(&app, &job, "/wide").await;
    assert_eq!(shot.width(), 20_000);
    for number in 0..100_u32 {
        for x in [number * 200, number * 200 + 199] {
            assert_eq!(shot.get_pixel(x, 500).0, colour(number), "column {x}");
        }
    }
    let shot = picture(&app, &job, "/hidden").await;
    assert_eq!(shot.width(), 1280);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_too_many_pixels_is_cut_and_says_so() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page(
        "/",
        "teal",
        "<div style='height:90000px;background:gold'></div>",
    );
    let job = app
        .client
        .run(json!({ "project": "huge", "testOrigin": site.origin }))
        .await;
    let shot = picture(&app, &job, "/").await;
    assert_eq!((shot.width(), shot.height()), (1280, 62_500));
    assert_eq!(shot.get_pixel(600, 62_499).0, [255, 215, 0]);
    assert_eq!(result(&job, "/")["truncated"], true);
    let id = result(&job, "/")["resultId"].as_str().unwrap();
    let item = app.client.get(&format!("/result/{id}")).await.ok();
    let report = &item["current"]["report"];
    assert_eq!(report["truncatedFrom"]["width"], 1280);
    assert!(report["truncatedFrom"]["height"].as_u64().unwrap() > 90_000);
    let again = app
        .client
        .run(json!({ "project": "huge", "testOrigin": site.origin }))
        .await;
    assert_eq!(
        result(&again, "/")["changed"],
        false,
        "what is cut is compared"
    );
    app.stop().await;
}

/// Pixels along a side of a picture of 11 MiB.
const SIDE: u32 = 2_000;

/// A grey picture that is not packed.
fn bitmap() -> Vec<u8> {
    let pixels = 3 * SIDE * SIDE;
    let mut file = b"BM".to_vec();
    let header = [54 + pixels, 0, 54, 40, SIDE, SIDE, 0x0018_0001];
    for field in header.into_iter().chain([0; 6]) {
        file.extend(field.to_le_bytes());
    }
    file.resize(usize::try_from(54 + pixels).unwrap(), 0x80);
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_pictures_are_too_large_is_captured_without_a_saved_page() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.content("/large.bmp", 200, "image/bmp", bitmap());
    let pictures = |count: u32| -> String {
        let one = |number| format!("<img src='/large.bmp?{number}' width=50 height=50>");
        (0..count).map(one).collect()
    };
    let other_site = site.origin.replace("127.0.0.1", "localhost");
    let script = "<p>Fetched.<script>for (let i = 0; i < 3; i += 1) fetch('/large.bmp?' + i).then((one) => one.blob())</script>";
    let pages = [
        ("/many", pictures(3), false),
        (
            "/frame",
            format!("<iframe src='{other_site}/inner'></iframe>"),
            false,
        ),
        ("/one", pictures(1), true),
        // What is in no saved page does not count.
        ("/script", script.to_owned(), true),
    ];
    for (path, body, _) in &pages {
        site.page(path, "teal", body);
    }
    site.page("/inner", "gold", &pictures(6));
    let paths: Vec<Value> = (pages.iter())
        .map(|(path, ..)| json!({ "path": path }))
        .collect();
    let project = json!({
        "name": "pictures", "testOrigin": site.origin, "paths": paths, "captureProfile": { "agreement": false },
    });
    app.client.post("/projects", project).await.ok();
    let job = app.client.run(json!({ "project": "pictures" })).await;
    let grey = picture(&app, &job, "/many").await;
    let grey = grey.pixels().filter(|pixel| pixel.0 == [0x80; 3]).count();
    assert!(grey >= 3 * 50 * 50, "{grey}");
    for (path, _, is_saved) in &pages {
        let page = result(&job, path);
        assert_eq!(page["status"], "SUCCESS", "{page:#}");
        let saved = app.saved_page(page).await;
        assert_eq!(saved.is_some(), *is_saved, "{path}");
    }
    app.stop().await;
}
