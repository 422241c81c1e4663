//! Regions that say little do not stand before those that matter: noise recedes, and rows all down a page are one.

use serde_json::json;

use super::{open_review, sign_in};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

/// How many regions the right one of both captures shows that are like this.
fn shown(like: &str) -> String {
    format!(
        "[...document.querySelectorAll('.pane-scroll')].pop().querySelectorAll('.layer:not(.hidden) .region{like}').length"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn noise_recedes_behind_what_is_none() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let request = json!({ "project": "shop", "testOrigin": site.origin });
    // What a script draws is in no document: three faint dots, and two things that cannot be overlooked.
    let drawn = |grey: u32, colour: &str| {
        format!(
            "<canvas id=c width=600 height=400></canvas><script>const c = document.getElementById('c').getContext('2d'); \
             const dot = (x, y, w, colour) => {{ c.fillStyle = colour; c.fillRect(x, y, w, w); }}; \
             dot(20, 20, 3, 'rgb({grey},{grey},{grey})'); dot(500, 60, 3, 'rgb({grey},{grey},{grey})'); \
             dot(200, 140, 90, '{colour}'); dot(420, 240, 3, 'rgb({grey},{grey},{grey})'); dot(200, 300, 90, '{colour}')</script>"
        )
    };
    site.page("/", "teal", &drawn(128, "gold"));
    app.client.run(request.clone()).await;
    site.page("/", "teal", &drawn(168, "crimson"));
    let job = app.client.run(request.clone()).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until(&format!("{} === 5", shown(""))).await;
    assert_eq!(eyes.run(&shown(".recedes")).await, json!(3));
    let letters = "[...[...document.querySelectorAll('.pane-scroll')].pop().querySelectorAll('.layer:not(.hidden) .region-letter')]\
         .filter((letter) => letter.offsetHeight > 0).map((letter) => letter.innerText).join()";
    assert_eq!(eyes.run(letters).await, json!("C,E"));
    // The list names it first, and the others when asked.
    let folded = hook("regions-noise");
    assert_eq!(
        eyes.run(&format!("{folded}.innerText.trim()")).await,
        json!("3 regions are noise")
    );
    let is_current = |letter: &str| {
        let row = hook(&format!("region-{letter}"));
        format!("{row}.classList.contains('is-current')")
    };
    for (key, letter) in [("n", "C"), ("n", "E"), ("n", "C"), ("p", "E"), ("p", "C")] {
        eyes.press(key).await;
        eyes.until(&is_current(letter)).await;
    }
    eyes.run(&format!("{folded}.querySelector('summary').click()"))
        .await;
    eyes.run(&format!("{}.click()", hook("region-B"))).await;
    eyes.until(&format!("{} && {letters} === 'B,C,E'", is_current("B")))
        .await;
    // What was opened stays open when one goes on.
    eyes.press("n").await;
    eyes.until(&format!("{} && {folded}.open", is_current("C")))
        .await;
    // Where there is nothing else, noise is what there is to see.
    site.page("/", "teal", &drawn(168, "gold"));
    let job = app.client.run(request).await;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until(&format!("{letters} === 'A,B,C'")).await;
    assert_eq!(eyes.run(&shown(".recedes")).await, json!(0));
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_came_and_went_all_down_a_page_are_one_quiet_region() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let request = json!({ "project": "news", "testOrigin": site.origin });
    // Lines of 20.4 px, pushed down by a banner of 30.3 px.
    let page = |banner: &str| {
        let lines: String = (1..=40)
            .map(|number| {
                format!(
                    "<div>Line number {number} of a text, {}</div>",
                    number * 7919
                )
            })
            .collect();
        format!("{banner}<div style='line-height:20.4px'>{lines}</div>")
    };
    site.page("/", "teal", &page(""));
    app.client.run(request.clone()).await;
    let banner = "<div style='height:30.3px;background:gold'></div>";
    site.page("/", "teal", &page(banner));
    let job = app.client.run(request).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/")).await;
    eyes.until(&format!("{} === 1", shown(".is-loose"))).await;
    let label = "document.querySelector('.region.is-loose .region-letter').innerText";
    let label = eyes.run(label).await.as_str().unwrap().to_owned();
    // It follows from the banner, and there is no place to mask.
    let told = &format!(
        "[{}.closest('[data-testid=\"regions-following\"]') !== null, document.querySelector('[data-testid=\"mask-{label}\"]') === null, \
         document.querySelectorAll('.region-mask').length > 0]",
        hook(&format!("region-{label}"))
    );
    assert_eq!(eyes.run(told).await, json!([true, true, true]));
    let words = format!("{}.textContent", hook(&format!("region-{label}")));
    let words = eyes.run(&words).await;
    assert!(
        words.as_str().unwrap().contains("one or two at a time"),
        "{words}"
    );
    eyes.close().await;
    app.stop().await;
}
