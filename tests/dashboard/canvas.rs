//! What the canvas of the review page shows, in Chromium: both pictures, the mask, rows aligned or as captured.

use serde_json::json;

use super::{changed_job, is_at, open_review, sign_in, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn the_canvas_shows_both_pictures_the_mask_and_keys_switch_its_modes() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    // The inspect link that answers carry opens the same page in a browser.
    eyes.goto(result(&job, "/one")["diffUrl"].as_str().unwrap())
        .await;
    eyes.until(&format!(
        "{}.dataset.resultId === '{}'",
        hook("review"),
        result(&job, "/one")["resultId"].as_str().unwrap()
    ))
    .await;
    let pictures = "[...document.querySelectorAll('[data-testid=\"canvas\"] img')].filter((img) => img.complete && img.naturalWidth === 1280).length";
    eyes.until(&format!("{pictures} >= 2")).await;
    for key in ["2", "3", "4", "5", "1"] {
        eyes.press(key).await;
        eyes.until(&format!("{0}.getAttribute('aria-pressed') === 'true' || {0}.getAttribute('aria-checked') === 'true'", hook(&format!("mode-{key}")))).await;
    }
    // Both panes show the same rows, also where the pointer rests on the left one and a key scrolls.
    let panes = "[...document.querySelectorAll('.pane-scroll')]";
    let leave = format!(
        "(() => {{ const [left] = {panes}; left.dispatchEvent(new PointerEvent('pointerenter')); }})()"
    );
    eyes.run(&leave).await;
    for key in ["+", "+", "+", "+", "+", "+", "+", "n"] {
        eyes.press(key).await;
    }
    eyes.until(&format!(
        "{panes}.length === 2 && {panes}[1].scrollTop > 0 && {panes}[0].scrollTop === {panes}[1].scrollTop"
    ))
    .await;
    eyes.press("2").await;
    eyes.until(&format!("{panes}.length === 1")).await;
    eyes.press("1").await;
    eyes.until(&format!(
        "{panes}.length === 2 && {panes}[0].scrollTop > 0 && {panes}[0].scrollTop === {panes}[1].scrollTop"
    ))
    .await;
    eyes.press("z").await;
    eyes.press("3").await;
    eyes.until(&format!("getComputedStyle({0}).maskImage.includes('/blob/') || getComputedStyle({0}).webkitMaskImage.includes('/blob/')", hook("mask-layer"))).await;
    eyes.press("?").await;
    assert!(
        eyes.text("key-list")
            .await
            .to_lowercase()
            .contains("approve")
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shifted_rows_are_shown_aligned_or_as_they_were_captured() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.long_page("/", 0, "as before");
    site.page("/same-rows", "teal", "");
    let paths = json!([{ "path": "/" }, { "path": "/same-rows" }]);
    let request = json!({ "project": "banner", "testOrigin": site.origin, "paths": paths });
    app.client.run(request.clone()).await;
    site.long_page("/", 40, "as never before");
    site.page("/same-rows", "maroon", "");
    let job = app.client.run(request).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let id = |path| result(&job, path)["resultId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/review/{}", app.client.base, id("/")))
        .await;
    let arranged =
        |word: &str| format!("document.querySelector('.canvas').dataset.arrangement === '{word}'");
    eyes.until(&arranged("aligned")).await;
    eyes.until(&format!(
        "{}.getAttribute('aria-pressed') === 'true'",
        hook("toggle-aligned")
    ))
    .await;
    // The baseline alone has the gap, and below it the same paragraph stands at the same height.
    let gaps = "[...document.querySelectorAll('[data-testid=\"gap\"]')].filter((gap) => gap.offsetHeight > 0).map((gap) => gap.innerText.trim())";
    eyes.until(&format!("{gaps}.length === 1")).await;
    assert_eq!(eyes.run(gaps).await, json!(["+40 px inserted"]));
    let panes =
        "[...document.querySelectorAll('.pane-scroll .sheet')].map((sheet) => sheet.offsetHeight)";
    let heights = eyes.run(panes).await;
    assert_eq!(heights[0], heights[1]);
    let told = eyes.text("alignment").await;
    assert!(
        told.contains("40 rows inserted") && told.contains("raw difference"),
        "{told}"
    );

    // The key shows the captures as they are, the address keeps it, and the next page has nothing to align.
    eyes.press("s").await;
    eyes.until(&arranged("raw")).await;
    eyes.until("location.search === '?view=raw'").await;
    eyes.until(&format!("{gaps}.length === 0")).await;
    eyes.goto(&format!(
        "{}/app/review/{}?view=raw",
        app.client.base,
        id("/")
    ))
    .await;
    eyes.until(&arranged("raw")).await;
    // Before the queue is there, there is no next page.
    eyes.until(&is_at("1 of 2")).await;
    eyes.press("j").await;
    eyes.until(&arranged("in-place")).await;
    eyes.until(&format!("!{}", hook("toggle-aligned"))).await;
    eyes.press("k").await;
    eyes.until(&arranged("raw")).await;
    eyes.click("toggle-aligned").await;
    eyes.until(&arranged("aligned")).await;
    eyes.until("location.search === ''").await;

    // On a phone one row has room for the views, and for what such a page has besides.
    eyes.resize(390, 844).await;
    let is_in_one_row = "(() => { \
         const boxes = ['mode-1', 'mode-5', 'toggle-mask', 'toggle-aligned', 'zoom-in', 'details'].map((name) => \
         document.querySelector(`[data-testid=\"${name}\"]`).getBoundingClientRect()); \
         return boxes.every((box) => box.width > 0 && box.right <= innerWidth && box.top < boxes[0].bottom); })()";
    eyes.until(&format!("innerWidth === 390 && {is_in_one_row}"))
        .await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_difference_alone_is_the_mask_over_a_capture_that_is_hardly_seen() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    until_triage(&eyes, "pending").await;
    let shows = |mode: &str, count: u32, opacity: &str| {
        format!(
            "document.querySelector('.canvas').dataset.mode === '{mode}' \
             && [...document.querySelectorAll('.mask-layer')].filter((mask) => mask.offsetHeight > 0).length === {count} \
             && getComputedStyle(document.querySelector('.layer:not(.hidden) .capture')).opacity === '{opacity}'"
        )
    };
    eyes.press("3").await;
    eyes.until(&shows("Overlay", 1, "1")).await;
    eyes.press("d").await;
    eyes.until(&shows("Overlay", 0, "1")).await;
    eyes.press("5").await;
    eyes.until(&shows("Difference", 1, "0.12")).await;
    let title = "document.querySelector('.pane-title').innerText";
    eyes.until(&format!(
        "document.querySelectorAll('.pane-scroll').length === 1 && {title} === 'Current'"
    ))
    .await;

    // While Space is held the baseline is seen as it is.
    let space = |kind: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('{kind}', {{ key: ' ', bubbles: true, cancelable: true }}))"
        )
    };
    eyes.run(&space("keydown")).await;
    eyes.until(&shows("Difference", 0, "1")).await;
    eyes.until(&format!("{title} === 'Baseline'")).await;
    eyes.run(&space("keyup")).await;
    eyes.until(&shows("Difference", 1, "0.12")).await;

    // The mask has no switch here, so that its key changes nothing, and nothing elsewhere.
    eyes.until(&format!(
        "{0}.disabled && {0}.getAttribute('aria-pressed') === 'true'",
        hook("toggle-mask")
    ))
    .await;
    eyes.press("d").await;
    eyes.until(&shows("Difference", 1, "0.12")).await;
    eyes.press("2").await;
    eyes.until(&shows("Swipe", 0, "1")).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mask_that_cannot_be_loaded_is_told_and_loaded_again() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let one = result(&job, "/one");
    let id = one["resultId"].as_str().unwrap();
    let mask: String = sqlx::query_scalar("SELECT mask_blob FROM results WHERE id = $1")
        .bind(id)
        .fetch_one(&mut *app.service.app.db.read().await.unwrap())
        .await
        .unwrap();
    let file = app.blob_file(&mask);
    let away = file.with_extension("away");
    std::fs::rename(&file, &away).unwrap();
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    // Side by side nothing is marked, and nothing is missed.
    eyes.until("document.querySelectorAll('img.capture').length === 4")
        .await;
    eyes.until(&format!("!{}", hook("lost"))).await;
    eyes.press("3").await;
    let told = eyes.text("lost").await;
    assert!(told.contains("no changed pixel is marked"), "{told}");
    std::fs::rename(&away, &file).unwrap();
    eyes.click("load-again").await;
    eyes.until(&hook("mask-layer")).await;
    eyes.until(&format!("!{}", hook("lost"))).await;
    let loaded = "[...document.querySelectorAll('.marks img')].every((img) => img.complete && img.naturalWidth > 0)";
    eyes.until(loaded).await;
    eyes.until(&format!("!{}", hook("lost"))).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_lays_the_details_away_and_brings_them_back_on_every_screen() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let inspector = "document.querySelector('.inspector').offsetWidth";
    let pressed = |is: bool| {
        format!(
            "{}.getAttribute('aria-pressed') === '{is}'",
            hook("details")
        )
    };
    for (width, shows_at_first) in [(1440, true), (390, false)] {
        let eyes = Eyes::open(width, 900).await;
        sign_in(&app, &eyes).await;
        open_review(&app, &eyes, result(&job, "/one")).await;
        until_triage(&eyes, "pending").await;
        let canvas = "document.querySelector('.canvas').offsetWidth";
        let before = eyes.run(canvas).await.as_u64().unwrap();
        for shows in [shows_at_first, !shows_at_first, shows_at_first] {
            eyes.until(&format!("({inspector} > 0) === {shows}")).await;
            eyes.until(&pressed(shows)).await;
            if width > 1000 && !shows {
                eyes.until(&format!("{canvas} > {before} + 200")).await;
            }
            eyes.press("i").await;
        }
        eyes.close().await;
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn zooming_keeps_the_region_that_is_looked_at() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let request = json!({ "project": "shop", "testOrigin": site.origin });
    let corner = |colour: &str| {
        format!(
            "<i style='position:absolute;left:1120px;top:60px;width:90px;height:40px;background:{colour}'></i>"
        )
    };
    site.page("/", "teal", &corner("gold"));
    app.client.run(request.clone()).await;
    site.page("/", "teal", &corner("crimson"));
    let job = app.client.run(request).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until(&format!(
        "{}.getAttribute('aria-pressed') === 'true'",
        hook("mode-1")
    ))
    .await;
    eyes.press("n").await;
    // How far the middle of the region is from that of its pane, across.
    let off = "(() => { const pane = [...document.querySelectorAll('.pane-scroll')].pop(); const middle = (element) => { \
         const box = element.getBoundingClientRect(); return box.left + box.width / 2; }; \
         return Math.abs(middle(pane.querySelector('.region')) - middle(pane)) / pane.clientWidth; })()";
    let width = "[...document.querySelectorAll('.pane-scroll')].pop().scrollWidth";
    eyes.until(&format!("{off} > 0.3")).await;
    let mut before = eyes.run(width).await.as_f64().unwrap();
    for _ in 0..4 {
        eyes.press("+").await;
        // Beyond the page's edge nothing is to be seen, so it comes no nearer than that.
        eyes.until(&format!("{width} > {before} && {off} < 0.45"))
            .await;
        before = eyes.run(width).await.as_f64().unwrap();
    }
    eyes.press("-").await;
    eyes.until(&format!("{width} < {before} && {off} < 0.45"))
        .await;
    eyes.close().await;
    app.stop().await;
}

/// The focus rests on the heading, which nothing scrolls around.
#[tokio::test(flavor = "multi_thread")]
async fn keys_scroll_the_captures_from_where_the_focus_rests() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.long_page("/", 0, "as before");
    let request = json!({ "project": "long", "testOrigin": site.origin });
    app.client.run(request.clone()).await;
    site.long_page("/", 0, "as never before");
    let job = app.client.run(request).await;
    let eyes = Eyes::open(1440, 500).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until("document.activeElement.matches('.toolbar h1')")
        .await;
    let panes = "[...document.querySelectorAll('.pane-scroll')]";
    let stand = |how: &str| format!("{panes}.length === 2 && {panes}.every((pane) => {how})");
    let stand_at = |place: &str| stand(&format!("Math.abs(pane.scrollTop - ({place})) <= 2"));
    eyes.until(&stand("pane.clientHeight > 100")).await;
    // At 100 %.
    eyes.press("z").await;
    eyes.until(&stand("pane.scrollHeight > 3 * pane.clientHeight"))
        .await;
    // What was in the middle comes back there with the next frame.
    eyes.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        .await;
    for (key, place) in [
        ("Home", "0"),
        ("PageDown", "0.9 * pane.clientHeight"),
        ("End", "pane.scrollHeight - pane.clientHeight"),
        ("PageUp", "pane.scrollHeight - 1.9 * pane.clientHeight"),
        ("Home", "0"),
    ] {
        eyes.press(key).await;
        eyes.until(&stand_at(place)).await;
    }
    // What scrolls by itself, and a field, keep the key.
    let is_left = |element: &str| {
        format!(
            "{element}.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'End', bubbles: true, cancelable: true }}))"
        )
    };
    for (element, left) in [
        ("document.querySelector('.toolbar h1')", false),
        ("document.querySelector('.pane-scroll')", true),
        ("document.querySelector('.inspector .button')", true),
        ("document.querySelector('.mask-controls input')", true),
        // A queue of one page shows it whole, unless it has no height to.
        ("document.querySelector('.queue-row')", false),
        (
            "(document.querySelector('.queue-list').style.maxHeight = '20px', document.querySelector('.queue-row'))",
            true,
        ),
    ] {
        assert_eq!(eyes.run(&is_left(element)).await, json!(left), "{element}");
    }
    eyes.close().await;
    app.stop().await;
}
