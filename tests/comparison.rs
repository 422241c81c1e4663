//! What is told of a change: where rows lie, what happened to regions, that smoothed edges are no silent match, and what
//! compared.

mod too_large; // pictures that are too large together

use pentimento::storage::BlobKey;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::on_both_databases;
use crate::support::site::Site;

/// All that the review page reads of a result.
async fn review_item(app: &TestApp, result: &Value) -> Value {
    let id = result["resultId"].as_str().unwrap();
    app.client.get(&format!("/result/{id}")).await.ok()
}

/// On a software adapter where there is no other; without any the service does not start.
#[tokio::test(flavor = "multi_thread")]
async fn a_graphics_adapter_that_was_asked_for_compares() {
    let app = TestApp::with(&["--compare-backend", "gpu"]).await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let request = json!({ "project": "adapter", "testOrigin": site.origin });
    app.client.run(request.clone()).await;
    site.page("/", "maroon", "");
    let job = app.client.run(request).await;
    let page = result(&job, "/");
    assert_eq!(
        (&page["changed"], &page["backend"]),
        (&json!(true), &json!("gpu"))
    );
    assert_eq!(review_item(&app, page).await["result"]["backend"], "gpu");

    let get = |path: &str| app.client.request(Method::GET, path);
    let ready = app.client.send(get("/readyz")).await.ok();
    let comparator = &ready["comparator"];
    assert_eq!(comparator["backend"], "gpu", "{ready}");
    let adapter = comparator["adapter"].as_str().expect("an adapter's name");
    let metrics = app.client.send(get("/metrics")).await;
    let text = metrics.body.as_str().unwrap();
    for line in [
        format!("pentimento_comparator_info{{backend=\"gpu\",adapter=\"{adapter}\"}} 1"),
        "pentimento_comparisons_total{backend=\"gpu\"} ".to_owned(),
    ] {
        assert!(text.contains(&line), "{line} is missing in\n{text}");
    }
    assert!(!text.contains("backend=\"cpu\""), "{text}");
    app.stop().await;
}

on_both_databases! {
    async fn a_change_in_place_has_nothing_to_align(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = json!({ "project": "in-place", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        site.page("/", "maroon", "");
        let job = app.client.run(request.clone()).await;
        let item = review_item(&app, result(&job, "/")).await;
        let height = &item["current"]["height"];
        let band = json!({ "y": 0, "rows": height, "baselineY": 0, "currentY": 0, "moved": null });
        assert_eq!(item["layout"], json!({ "lanes": [{ "x": 0, "width": item["comparedWidth"], "bands": [band] }] }));
        for field in ["antiAliasedPixels", "insertedPixels", "removedPixels"] {
            assert_eq!(item[field], 0, "{field}");
        }
        assert_eq!((&item["unalignedPixels"], &item["unalignedPercentage"]), (&Value::Null, &Value::Null));
        assert_eq!((&item["result"]["backend"], &result(&job, "/")["backend"]), (&json!("cpu"), &json!("cpu")));
        let region = &item["regions"][0];
        assert_eq!((&region["baselineBox"], &region["currentBox"]), (&region["box"], &region["box"]));
        assert_eq!(region["changedPixels"], item["changedPixels"]);
        let (mean, max) = (region["meanDelta"].as_f64().unwrap(), region["maxDelta"].as_f64().unwrap());
        assert!(0.0 < mean && mean <= max && max <= 1.0, "{region}");

        let same = app.client.run(request).await;
        let twice = review_item(&app, result(&same, "/")).await;
        assert_eq!(twice["layout"], item["layout"], "it is still compared with teal");
        app.stop().await;
    }

    async fn equal_files_have_a_layout_and_a_first_baseline_has_none(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = json!({ "project": "equal", "testOrigin": site.origin });
        let first = app.client.run(request.clone()).await;
        assert_eq!(review_item(&app, result(&first, "/")).await["layout"], Value::Null);
        assert_eq!(result(&first, "/")["backend"], Value::Null);
        let second = app.client.run(request).await;
        let item = review_item(&app, result(&second, "/")).await;
        assert_eq!(item["layout"]["lanes"][0]["bands"][0]["rows"], item["current"]["height"]);
        assert_eq!((&item["changedPixels"], &item["regions"]), (&json!(0), &json!([])));
        assert_eq!(result(&second, "/")["backend"], "hash", "no picture was decoded");
        app.stop().await;
    }

    async fn an_inserted_banner_is_one_change_and_not_a_page_that_changed(app: TestApp) {
        let site = Site::start().await;
        site.long_page("/", 0, "as before");
        let request = json!({ "project": "banner", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        site.long_page("/", 40, "as never before");
        let job = app.client.run(request).await;
        let page = result(&job, "/");
        assert_eq!(
            page["serviceSummary"][0]["text"],
            "Side part `aside`: height went from 0px to 40px; what follows, 30 elements, moved 40 px down because of it."
        );
        let told = page["serviceSummary"].as_array().unwrap();
        assert!(told.iter().all(|finding| !finding["text"].as_str().unwrap().contains("another size")), "{told:#?}");

        let item = review_item(&app, page).await;
        assert_eq!(json!([item["comparedWidth"], item["comparedHeight"]]), json!([1280, 1660]));
        assert_eq!(item["layout"]["lanes"][0]["bands"], json!([
            { "y": 0, "rows": 120, "baselineY": 0, "currentY": 0, "moved": null },
            { "y": 120, "rows": 40, "baselineY": null, "currentY": 120, "moved": null },
            { "y": 160, "rows": 1500, "baselineY": 120, "currentY": 160, "moved": null },
        ]));
        assert_eq!((&item["insertedPixels"], &item["removedPixels"]), (&json!(1280 * 40), &json!(0)));
        let (aligned, raw) = (page["diffPercentage"].as_f64().unwrap(), item["unalignedPercentage"].as_f64().unwrap());
        assert!(2.0 < aligned && aligned < 3.0 && aligned < raw, "{aligned} % aligned, {raw} % raw");
        let regions = item["regions"].as_array().unwrap();
        let edited = regions.last().unwrap();
        // The tenth paragraph: 40 px further down than in the baseline.
        assert_eq!(edited["baselineBox"]["y"].as_i64().unwrap() + 40, edited["currentBox"]["y"].as_i64().unwrap(), "{regions:#?}");

        // Many who ask at once for what nobody asked for before are told the same.
        let asked = (0..12).map(|_| app.client.download(&page["diffUrl"]));
        let told = futures::future::join_all(asked).await;
        for (status, _, png) in &told {
            assert_eq!(status.as_u16(), 200, "{}", String::from_utf8_lossy(png));
            assert!(*png == told[0].2);
        }
        // It is kept: what it was drawn with is needed no more.
        let (_, _, mask) = app.client.download(&item["maskUrl"]).await;
        std::fs::remove_file(app.blob_file(BlobKey::of(&mask).as_str())).unwrap();
        let (status, _, png) = app.client.download(&page["diffUrl"]).await;
        assert_eq!(status.as_u16(), 200, "{}", String::from_utf8_lossy(&png));
        assert!(png == told[0].2);
        app.stop().await;
    }

    async fn edges_that_are_smoothed_otherwise_are_noise_and_yet_a_change(app: TestApp) {
        let site = Site::start().await;
        let edge = |grey: &str| {
            let html = format!(
                "<!doctype html><html lang=en><title>edge</title><style>body{{margin:0;display:flex;height:720px}}</style>\
                 <div style='width:200px;background:black'></div><div style='width:1px;background:{grey}'></div></html>"
            );
            site.content("/", 200, "text/html", html.into_bytes());
        };
        edge("#808080");
        let request = json!({ "project": "edges", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        edge("#404040");
        let job = app.client.run(request).await;
        let page = result(&job, "/");
        assert_eq!((&page["changed"], &page["diffPercentage"], &page["verdict"]["decision"]), (&json!(true), &json!(0.0), &json!("noise")));
        assert_eq!(page["serviceSummary"][0]["text"], "720 pixels differ only in the smoothing of edges (anti-aliasing).");
        assert_eq!(review_item(&app, page).await["antiAliasedPixels"], 720);
        let summary = app.client.summary(&job).await;
        assert_eq!((&summary["regressionCount"], &summary["intentAssessment"]["noiseCount"]), (&json!(1), &json!(1)));
        assert_eq!(summary["intentAssessment"]["decision"], "pass");
        let body = json!({ "jobId": job["jobId"], "where": { "decision": ["noise"] } });
        assert_eq!(app.client.post("/approve", body).await.ok()["approvedUrlsCount"], 1);
        app.stop().await;
    }

    async fn a_tint_too_pale_for_the_threshold_is_told_by_its_colour(app: TestApp) {
        let site = Site::start().await;
        let card = |colour: &str| {
            let html = format!(
                "<!doctype html><html lang=en><title>card</title><div id=card style='width:400px;height:200px;background:{colour}'>Fleet</div></html>"
            );
            site.content("/", 200, "text/html", html.into_bytes());
        };
        card("white");
        let request = json!({ "project": "card", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        card("#ffe8cc");
        let job = app.client.run(request.clone()).await;
        let page = result(&job, "/");
        assert_eq!((&page["changed"], &page["diffPercentage"], &page["verdict"]["decision"]), (&json!(true), &json!(0.0), &json!("needs_review")));
        assert_eq!(page["serviceSummary"][0]["text"], "Block “Fleet”: background-color went from #ffffff to #ffe8cc.");
        // A step that nobody sees is none.
        card("#fffefe");
        let job = app.client.run(request).await;
        assert_eq!(result(&job, "/")["changed"], false);
        app.stop().await;
    }

    async fn captures_without_a_readable_stored_form_compare_the_same(app: TestApp) {
        let site = Site::start().await;
        site.long_page("/", 0, "as before");
        let request = json!({ "project": "forms", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        site.long_page("/", 40, "as never before");
        let stored_form = async || -> Option<String> {
            let mut db = app.service.app.db.read().await.unwrap();
            sqlx::query_scalar("SELECT c.strips_blob FROM baselines b JOIN captures c ON c.id = b.capture_id").fetch_one(&mut *db).await.unwrap()
        };
        let as_made = stored_form().await.unwrap();
        let storage = &app.service.app.storage;
        let mut of_another_version = storage.get(&as_made.parse().unwrap()).await.unwrap();
        let version = of_another_version.iter_mut().find(|byte| byte.is_ascii_digit()).unwrap();
        *version -= 1;
        assert!(!pentimento_compute::is_strips(&of_another_version).unwrap());
        let of_another_version = storage.put(&of_another_version).await.unwrap().to_string();
        // Its header and its table are sound; the hashes, which begin behind a header of 20 bytes, cannot be unpacked.
        let mut packed_wrongly = storage.get(&as_made.parse().unwrap()).await.unwrap();
        packed_wrongly[20] ^= 0xff;
        assert!(pentimento_compute::is_strips(&packed_wrongly).unwrap());
        let packed_wrongly = storage.put(&packed_wrongly).await.unwrap().to_string();
        let compared = async || {
            let job = app.client.run(request.clone()).await;
            let item = review_item(&app, result(&job, "/")).await;
            ["layout", "changedPixels", "antiAliasedPixels", "unalignedPixels", "regions"].map(|field| item[field].clone())
        };
        let mut items = Vec::new();
        // As it was made, as captures were stored before it was kept, as another version made it, as something else, and as what
        // looks like one until it is unpacked.
        let another_version = format!("UPDATE captures SET strips_blob = '{of_another_version}'");
        let packed_wrongly = format!("UPDATE captures SET strips_blob = '{packed_wrongly}'");
        for change in [
            "",
            "UPDATE captures SET strips_blob = NULL",
            another_version.as_str(),
            "UPDATE captures SET strips_blob = screenshot_blob",
            packed_wrongly.as_str(),
        ] {
            if !change.is_empty() {
                let mut tx = app.service.app.db.begin().await.unwrap();
                sqlx::query(AssertSqlSafe(change.to_owned())).execute(&mut *tx).await.unwrap();
                tx.commit().await.unwrap();
            }
            items.push(compared().await);
            assert_eq!(stored_form().await.as_ref(), Some(&as_made), "it was made again");
        }
        // Damaged where it lies, under its name and of its length.
        let file = app.blob_file(&as_made);
        let mut damaged = std::fs::read(&file).unwrap();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&file, damaged).unwrap();
        items.push(compared().await);
        storage.get(&as_made.parse().unwrap()).await.expect("it was written anew");
        assert!(items[0][1].as_u64().unwrap() > 1280 * 40);
        assert!(items.iter().all(|item| *item == items[0]), "{items:#?}");
        app.stop().await;
    }
}
