//! An admin masks what changes by itself, from where it is seen: what that would leave is told before.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

use super::{open_as, open_review, sign_in, until_toast};

const PATHS: [&str; 3] = ["/", "/one", "/two"];

async fn run(app: &TestApp, site: &Site, clock: &str, price: &str) -> Value {
    for path in PATHS {
        let price = if path == "/two" { price } else { "9 €" };
        let body = format!(
            "<p id=clock style='width:200px'>{clock}</p><div style='height:200px'></div><p class=price>{price}</p>"
        );
        site.page(path, "teal", &body);
    }
    let paths = PATHS.map(|path| json!({ "path": path, "label": path }));
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    app.client.run(request).await
}

async fn until_said(eyes: &Eyes, words: &str) {
    eyes.until(&format!(
        "{}?.innerText.includes('{words}')",
        hook("mask-tried")
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_becomes_a_mask_and_what_that_leaves_is_told_before() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    run(&app, &site, "12:00", "9 €").await;
    let job = run(&app, &site, "12:34", "7 €").await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    // The canvas has the queue's place: a box is drawn on it below, large enough to be no click.
    eyes.press("q").await;
    eyes.click("mask-A").await;
    until_said(
        &eyes,
        "2 of the 3 changed pages of this job would have no change left",
    )
    .await;
    assert_eq!(
        eyes.run(&format!("{}.value", hook("mask-selector"))).await,
        json!("#clock")
    );
    // The canvas shows what would be hidden.
    let shown = "[...document.querySelectorAll('[data-testid=\"masked-place\"]')].find((place) => place.offsetWidth > 0)";
    let page = format!("{shown}.closest('.layer').querySelector('.piece')");
    eyes.until(&format!(
        "Math.abs({shown}.offsetWidth / {page}.offsetWidth - 200 / 1280) < 0.01"
    ))
    .await;

    // Another selector is tried out when it is entered.
    let change = |text: &str| {
        let field = hook("mask-selector");
        format!("{field}.value = '{text}', {field}.dispatchEvent(new Event('change'))")
    };
    eyes.run(&change("p")).await;
    until_said(
        &eyes,
        "None of the 3 changed pages of this job would have a change left",
    )
    .await;
    eyes.run(&change("p:hover")).await;
    until_said(&eyes, "cannot be tried out").await;
    eyes.click("mask-cancel").await;
    eyes.until(&format!(
        "!{} && !{}",
        hook("mask-panel"),
        hook("masked-place")
    ))
    .await;
    let masks = async || app.client.get("/project/shop").await.ok()["masks"].clone();
    assert_eq!(masks().await, json!([]));

    eyes.click("mask-A").await;
    until_said(&eyes, "2 of the 3").await;
    eyes.click("mask-save").await;
    until_toast(&eyes, "Its baselines are invalid, because of masks").await;
    eyes.until(&format!("!{}", hook("mask-panel"))).await;
    assert_eq!(masks().await, json!(["#clock"]));

    // Any place can be drawn, on either capture.
    eyes.click("draw-mask").await;
    let layer = "[...document.querySelectorAll('[data-testid=\"draw-layer\"]')].at(-1)";
    eyes.until(&format!("{layer}?.offsetWidth > 0")).await;
    // Heading, block, clock and empty space end 646 pixels down the page; the price follows.
    eyes.run(&format!(
        "(() => {{ const area = {layer}.getBoundingClientRect(); const ratio = area.width / 1280; \
         const at = (type, x, y) => {layer}.dispatchEvent(new PointerEvent(type, {{ bubbles: true, button: 0, clientX: area.left + x * ratio, clientY: area.top + y * ratio }})); \
         at('pointerdown', 4, 662); at('pointermove', 30, 650); at('pointerup', 30, 650); }})()"
    ))
    .await;
    until_said(
        &eyes,
        "All 3 changed pages of this job would still have a change",
    )
    .await;
    assert_eq!(
        eyes.run(&format!("{}.value", hook("mask-selector"))).await,
        json!("p.price")
    );
    eyes.until(&format!("!{}", hook("draw-layer"))).await;
    eyes.run(&change("")).await;
    until_said(&eyes, "Choose a selector").await;
    eyes.click("draw-mask").await;
    // Escape in a field is the field's alone.
    eyes.press("q").await;
    eyes.type_into("queue-search", "one").await;
    eyes.press("Escape").await;
    eyes.until(&format!("{}.value === ''", hook("queue-search")))
        .await;
    assert_eq!(
        eyes.run(&format!("!!{}", hook("draw-layer"))).await,
        json!(true)
    );
    eyes.press("Escape").await;
    eyes.until(&format!(
        "!{} && !{}",
        hook("mask-panel"),
        hook("draw-layer")
    ))
    .await;

    // What a key may not do is not offered to it.
    let reviewer = app.client_with("main", &["read", "review"]).await;
    let page = result(&job, "/one")["resultId"].as_str().unwrap();
    let path = format!("/app/review/{page}");
    open_as(&app, &eyes, &reviewer.key, &path).await;
    eyes.until(&hook("region-A")).await;
    assert_eq!(
        eyes.run(&format!("!!{}", hook("mask-A"))).await,
        json!(false)
    );
    eyes.close().await;
    app.stop().await;
}
