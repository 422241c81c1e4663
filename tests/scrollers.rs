//! Pages that scroll in an element and not by themselves: captured to the end of what is in it.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::picture::picture;
use crate::support::site::Site;

const GREEN: [u8; 3] = [0, 128, 0];
const RED: [u8; 3] = [255, 0, 0];

/// Content of 3,000 px that ends in a sign of 100 px, which is red until it has been seen.
const CONTENT: &str = "<div style='height:2900px'></div><div id=sign style='height:100px;background:red'></div><script>\
     new IntersectionObserver((all) => { if (all[0].isIntersecting) sign.style.background = 'green'; }).observe(sign)</script>";

/// Of a page 1280 × 720, after its styles: what it has on its body, and how high its picture is to be.
const PAGES: [(&str, &str, &str, u32); 7] = [
    (
        "/body",
        "html, body { margin: 0; height: 100%; overflow: auto }",
        "{CONTENT}",
        3_000,
    ),
    (
        "/body-of-a-cut-page",
        "html { height: 100%; overflow: hidden } body { margin: 0; height: 100vh; overflow-y: scroll }",
        "{CONTENT}",
        3_000,
    ),
    (
        "/shell",
        "body { margin: 0 } #app { position: fixed; inset: 0; display: flex; flex-direction: column } header { height: 60px; flex: none }\
         main { flex: 1; min-height: 0; display: flex } nav { width: 200px; background: rgb(1,2,3) } article { flex: 1; overflow: auto }",
        "<div id=app><header></header><main><nav></nav><article>{CONTENT}</article></main></div>",
        3_060,
    ),
    (
        "/root",
        "html, body { margin: 0; height: 100%; overflow: hidden } #root { height: 100%; overflow: auto }",
        "<div id=root>{CONTENT}</div>",
        3_000,
    ),
    // Rendered by a script, some time after the document was there.
    (
        "/late",
        "html, body { margin: 0; height: 100% } #root { height: 100vh; overflow: auto }",
        "<div id=root></div><script>addEventListener('load', () => setTimeout(() => { root.innerHTML = '<div style=\"height:3000px;background:green\"></div>'; }, 200))</script>",
        3_000,
    ),
    // A page that scrolls by itself, and a box that takes most of its first screen.
    (
        "/normal",
        "body { margin: 0 } #box { height: 600px; overflow: auto }",
        "<div id=box><div style='height:5000px'></div></div>{CONTENT}",
        3_600,
    ),
    // A box on a page with nothing to scroll.
    (
        "/box",
        "body { margin: 0 } #box { height: 300px; width: 600px; overflow: auto }",
        "<div id=box><div style='height:5000px'></div></div><div style='height:100px;background:green'></div>",
        720,
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_scrolls_in_is_captured_to_its_end() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    for (path, styles, body, _) in PAGES {
        let body = body.replace("{CONTENT}", CONTENT);
        let page = format!(
            "<!doctype html><html lang=en><title>{path}</title><style>{styles}</style><body>{body}</body></html>"
        );
        site.content(path, 200, "text/html; charset=utf-8", page.into_bytes());
    }
    let paths = PAGES.map(|(path, ..)| json!({ "path": path }));
    let job = app
        .client
        .run(json!({ "project": "scrollers", "testOrigin": site.origin, "paths": paths }))
        .await;
    for (path, _, _, height) in PAGES {
        let shot = picture(&app, &job, path).await;
        assert_eq!((shot.width(), shot.height()), (1280, height), "{path}");
        let count = |colour: [u8; 3]| shot.pixels().filter(|pixel| pixel.0 == colour).count();
        assert_eq!(count(RED), 0, "{path}");
        assert!(count(GREEN) >= 100 * 1_080, "{path}: its end is missing");
    }
    // What is as high as the shell still is.
    let shell = picture(&app, &job, "/shell").await;
    assert_eq!(shot_column(&shell, 100, [1, 2, 3]), 3_000);
    app.stop().await;
}

/// Rows in which a column has this colour.
fn shot_column(shot: &image::RgbImage, x: u32, colour: [u8; 3]) -> usize {
    let rows = (0..shot.height()).filter(|y| shot.get_pixel(x, *y).0 == colour);
    rows.count()
}
