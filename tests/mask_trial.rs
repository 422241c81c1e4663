//! What a mask would leave of a job's changes, told before it is one, and whether that comes true.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Answer, Client, result};
use crate::support::site::Site;

const PATHS: [&str; 4] = ["/", "/one", "/two", "/three"];

/// A page with a clock, and a price of which there are two.
fn body(clock: &str, price: &str) -> String {
    format!(
        "<p id=clock style='width:200px'>{clock}</p><section><b class=price style='display:block'>{price}</b><i>and</i>\
         <b class=price style='display:block'>5 €</b></section>"
    )
}

async fn run(client: &Client, site: &Site) -> Value {
    let paths = PATHS.map(|path| json!({ "path": path, "label": path }));
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    client.run(request).await
}

async fn ask(client: &Client, result: &Value, question: Value) -> Answer {
    let id = result["resultId"].as_str().unwrap();
    client.post(&format!("/result/{id}/mask"), question).await
}

/// The clock differs on all pages but the first, and on one of them the price too.
async fn changed_job(client: &Client, site: &Site) -> Value {
    for path in PATHS {
        site.page(path, "teal", &body("12:00", "9 €"));
    }
    run(client, site).await;
    for path in &PATHS[1..] {
        site.page(path, "teal", &body("12:34", "9 €"));
    }
    site.page("/three", "teal", &body("12:34", "7 €"));
    run(client, site).await
}

fn figures(trial: &Value) -> [u64; 3] {
    ["changed", "matched", "settled"].map(|field| trial["tried"][field].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_mask_would_leave_is_what_it_leaves() {
    let app = TestApp::on_sqlite().await;
    let (client, site) = (&app.client, Site::start().await);
    let job = changed_job(client, &site).await;
    let one = result(&job, "/one");
    let read = client
        .get(&format!("/result/{}", one["resultId"].as_str().unwrap()))
        .await
        .ok();
    let place = &read["regions"][0]["currentBox"];
    let trial = ask(client, one, json!({ "box": place })).await.ok();
    assert_eq!(
        trial["suggestions"][0],
        json!({ "selector": "#clock", "matches": 1 }),
        "{trial:#}"
    );
    assert_eq!(trial["tried"]["selector"], "#clock");
    assert_eq!(figures(&trial), [3, 3, 2], "{trial:#}");
    assert_eq!(trial["tried"]["complete"], true);
    let hidden = &trial["tried"]["hidden"];
    assert_eq!(
        (hidden.as_array().unwrap().len(), &hidden[0]["w"]),
        (1, &json!(200))
    );
    let blind = trial["tried"]["blindPercentage"].as_f64().unwrap();
    assert!((0.1..2.0).contains(&blind), "{blind}");

    // A selector of one's own; what covers too little settles nothing.
    for (selector, expected) in [
        ("#clock, .price", [3, 3, 3]),
        ("section > b:nth-of-type(1)", [3, 3, 0]),
        (".elsewhere", [3, 0, 0]),
    ] {
        let trial = ask(client, one, json!({ "selector": selector })).await.ok();
        assert_eq!(figures(&trial), expected, "{selector}");
        assert_eq!(trial["suggestions"], json!([]));
    }

    // With the mask and new baselines, the clock may say what it wants.
    let masks = json!({ "masks": ["#clock"] });
    client.put("/project/shop", masks).await.ok();
    for path in PATHS {
        site.page(path, "teal", &body("12:00", "9 €"));
    }
    client.run_project("shop", json!({})).await;
    for path in &PATHS[1..] {
        site.page(path, "teal", &body("12:34", "9 €"));
    }
    site.page("/three", "teal", &body("12:34", "7 €"));
    let masked = client.run_project("shop", json!({})).await;
    let changed = PATHS.map(|path| result(&masked, path)["changed"] == true);
    assert_eq!(changed, [false, false, false, true]);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_is_looked_up_in_the_capture_that_has_it() {
    let app = TestApp::on_sqlite().await;
    let (client, site) = (&app.client, Site::start().await);
    site.page(
        "/",
        "teal",
        "<p id=gone>An old notice</p><p id=stays>Rest</p>",
    );
    let request = json!({ "project": "shop", "testOrigin": site.origin });
    client.run(request.clone()).await;
    site.page("/", "teal", "<p id=stays>Rest</p>");
    let job = client.run(request).await;
    let page = result(&job, "/");
    let place = json!({ "x": 0, "y": 400, "w": 50, "h": 10 });
    for (side, name) in [("baseline", "#gone"), ("current", "#stays")] {
        let question = json!({ "box": place, "side": side });
        let trial = ask(client, page, question).await.ok();
        assert_eq!(trial["tried"]["selector"], name, "{trial:#}");
        // The rows that are gone are gone with a mask, too.
        assert_eq!(figures(&trial)[2], 0);
    }
    // A class that came with the change hides nothing of what was there before.
    site.page("/", "teal", "<p class=old>Old</p>");
    let request = json!({ "project": "renamed", "testOrigin": site.origin });
    client.run(request.clone()).await;
    site.page("/", "teal", "<p class=new>New</p>");
    let job = client.run(request).await;
    let question = json!({ "box": place });
    let trial = ask(client, result(&job, "/"), question).await.ok();
    let names = trial["suggestions"].as_array().unwrap();
    let names: Vec<&Value> = names.iter().map(|one| &one["selector"]).collect();
    assert_eq!(names, ["p.new", ".new"], "{trial:#}");
    assert_eq!(figures(&trial), [1, 1, 0]);

    let nowhere = json!({ "x": 5, "y": 5, "w": 0, "h": 0 });
    let refusal = ask(client, page, json!({ "box": nowhere })).await;
    assert!(refusal.refused(400, "invalid_input").contains("`box`"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_tried_out_is_said() {
    let app = TestApp::on_sqlite().await;
    let (client, site) = (&app.client, Site::start().await);
    site.page("/", "teal", "");
    let first = client
        .run(json!({ "project": "shop", "testOrigin": site.origin }))
        .await;
    let page = result(&first, "/");
    let place = json!({ "x": 0, "y": 0, "w": 9, "h": 9 });
    for (question, said) in [
        (json!({}), "either `box`"),
        (json!({ "box": place, "selector": "p" }), "either `box`"),
        (json!({ "selector": "p:hover" }), "As a mask it works"),
        (json!({ "selector": "p {" }), "`selector`"),
        (json!({ "selector": "" }), "`selector`"),
        (
            json!({ "box": { "x": i64::MAX, "y": 0, "w": 9, "h": 9 } }),
            "`box`",
        ),
        (json!({ "box": place, "side": "left" }), "`side`"),
    ] {
        let refusal = ask(client, page, question.clone()).await;
        let refusal = refusal.refused(400, "invalid_input");
        assert!(refusal.contains(said), "{question}: {refusal}");
    }
    // A first capture has no baseline to be masked with it.
    let refusal = ask(client, page, json!({ "box": place })).await;
    assert!(refusal.refused(400, "invalid_state").contains("pictures"));
    let stranger = app.client_with("other", &["read"]).await;
    ask(&stranger, page, json!({ "box": place }))
        .await
        .refused(404, "not_found");
    app.stop().await;
}
