//! What is told of a change by the documents: which element, what it said before, and what merely moved because of it.

use serde_json::{Value, json};

use crate::support::client::result;
use crate::support::on_both_databases;
use crate::support::site::Site;

fn kinds(result: &Value) -> Vec<&str> {
    let changes = result["changes"]
        .as_array()
        .expect("documents were compared");
    changes
        .iter()
        .map(|change| change["type"].as_str().unwrap())
        .collect()
}

fn sentences(result: &Value) -> String {
    let findings = result["serviceSummary"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| {
            format!(
                "{}|{}\n",
                finding["label"].as_str().unwrap(),
                finding["text"].as_str().unwrap()
            )
        })
        .collect()
}

on_both_databases! {
    async fn a_long_text_is_compared_beyond_what_every_tree_has_of_it(app: TestApp) {
        let site = Site::start().await;
        let begins = "Word after word this paragraph goes on. ".repeat(12);
        let paragraph = |ends: &str| format!("<p>{begins}{ends}</p>");
        site.page("/", "teal", &paragraph("From 19 a month"));
        let request = json!({ "project": "long", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        site.page("/", "teal", &paragraph("From 29 a month"));
        let job = app.client.run(request).await;
        let page = result(&job, "/");
        assert_eq!(kinds(page), ["text-edit"], "{page:#}");
        for (text, ends) in [("before", "From 19 a month"), ("after", "From 29 a month")] {
            assert!(page["changes"][0][text].as_str().unwrap().ends_with(ends), "{page:#}");
        }
        let said = sentences(page);
        assert!(said.contains("From 19 a month” now reads “…") && said.contains("From 29 a month”"), "{said}");
        app.stop().await;
    }

    async fn an_edited_text_is_quoted_and_leads_the_summary(app: TestApp) {
        let site = Site::start().await;
        for path in ["/one", "/two"] {
            site.page(path, "teal", "<p>From 19 a month</p>");
        }
        let request = json!({
            "project": "texts", "testOrigin": site.origin, "devices": ["Desktop Chrome", "mobile"],
            "paths": [{ "path": "/one", "label": "" }, { "path": "/two", "label": "" }],
        });
        app.client.run(request.clone()).await;
        for path in ["/one", "/two"] {
            site.page(path, "teal", "<p>From 29 a month</p>");
        }
        let job = app.client.run(request).await;
        let results = job["results"].as_array().unwrap();
        assert_eq!(results.len(), 4);
        for result in results {
            assert_eq!((&result["changed"], &result["contentChanged"]), (&json!(true), &json!(true)));
            assert_eq!(result["metadataChanged"], Value::Null);
            assert_eq!(result["domAssistSkipReason"], Value::Null);
            assert_eq!(kinds(result), ["text-edit"], "{result:#}");
            let change = &result["changes"][0];
            assert_eq!((&change["before"], &change["after"]), (&json!("From 19 a month"), &json!("From 29 a month")));
            assert_eq!(result["elementsChanged"], json!([change["element"]]));
            assert_eq!(result["changeGroup"], results[0]["changeGroup"], "one edit, one group");
            assert_eq!(sentences(result), "A|Paragraph “From 19 a month” now reads “From 29 a month”.\n");
            let reasoning = result["verdict"]["regions"]["A"]["reasoning"].as_str().unwrap();
            assert!(reasoning.contains("changed pixels"), "{reasoning}");
        }
        let summary = app.client.summary(&job).await;
        assert_eq!(
            summary["runSummary"],
            "Paragraph “From 19 a month” now reads “From 29 a month” (on 4 page variants). Of 4 page variants, 4 changed: review what changed."
        );
        app.stop().await;
    }

    async fn what_moves_no_pixel_is_a_change_all_the_same(app: TestApp) {
        let site = Site::start().await;
        let page = |title: &str, target: &str| {
            let html = format!(
                "<!doctype html><html lang=en><head><title>{title}</title></head><body><h1>Shop</h1><a href='{target}'>Prices</a></body></html>"
            );
            site.content("/", 200, "text/html; charset=utf-8", html.into_bytes());
        };
        page("Shop", "/plans");
        let request = json!({ "project": "unseen", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        page("The shop", "/prices");
        let job = app.client.run(request).await;
        let result = result(&job, "/");
        assert_eq!((&result["changed"], &result["diffPercentage"], &result["visualMatchScore"]), (&json!(true), &json!(0.0), &json!(100.0)));
        assert_eq!((&result["contentChanged"], &result["metadataChanged"]), (&json!(true), &json!(true)));
        let mut found = kinds(result);
        found.sort_unstable();
        assert_eq!(found, ["meta-edit", "text-edit"]);
        assert_eq!(result["verdict"]["decision"], "needs_review");
        let told = sentences(result);
        assert!(told.contains("|The page's title changed from “Shop” to “The shop”."), "{told}");
        assert!(told.contains("leads elsewhere from “/plans” to “/prices”."), "{told}");
        app.stop().await;
    }

    async fn a_banner_is_one_cause_with_one_consequence(app: TestApp) {
        let site = Site::start().await;
        site.long_page("/", 0, "as before");
        let request = json!({ "project": "banner", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        let html = "<!doctype html><html lang=en><title>/</title><style>body{margin:0;font:16px sans-serif}\
            header{height:120px;background:teal}aside{height:0;background:gold}#sale{height:90px;background:gold}\
            p{height:50px;margin:0}</style><header></header><div id=sale>Summer sale</div><aside></aside>";
        let paragraphs: String = (1..=30).map(|number| format!("<p>Paragraph {number}, as before</p>")).collect();
        site.content("/", 200, "text/html; charset=utf-8", format!("{html}{paragraphs}</html>").into_bytes());
        let job = app.client.run(request).await;
        let result = result(&job, "/");
        assert_eq!(kinds(result), ["insert", "reflow-displacement"], "{:#}", result["changes"]);
        let (cause, moved) = (&result["changes"][0], &result["changes"][1]);
        assert_eq!((&cause["element"], &cause["after"]), (&json!("#sale"), &json!("Summer sale")));
        assert_eq!(moved["causedBy"], 0);
        assert!(moved["collapsed"].as_u64().unwrap() >= 29, "{moved}");
        assert_eq!(result["elementsChanged"], json!(["#sale"]));
        let told = sentences(result);
        assert!(told.starts_with("A|Block “Summer sale” (") && told.contains("moved 90 px down because of it."), "{told}");
        app.stop().await;
    }

    async fn masked_elements_say_nothing(app: TestApp) {
        let site = Site::start().await;
        let page = |clock: &str| {
            let worn = clock.replace(':', "-");
            let body = format!(
                "<p class=clock title={worn}>{clock}</p><p data-vr-mask id=at-{worn} class=at-{worn} style='background-image:url(/{worn}.png)'>{clock}</p>"
            );
            site.page("/", "teal", &body);
        };
        page("12:00:01");
        let request = json!({ "project": "masked", "testOrigin": site.origin, "masks": [".clock"] });
        app.client.run(request.clone()).await;
        page("12:00:07");
        let job = app.client.run(request).await;
        let result = result(&job, "/");
        assert_eq!((&result["changed"], &result["changes"]), (&json!(false), &json!([])), "{result:#}");
        app.stop().await;
    }

    async fn a_photo_that_is_replaced_below_a_new_banner_does_not_follow_from_it(app: TestApp) {
        let site = Site::start().await;
        let page = |banner: &str, photo: &str| {
            let text: String = (1..=12).map(|number| format!("<p>Paragraph {number}, as before</p>")).collect();
            site.page("/", "teal", &format!("{banner}{text}<img src=/photo.svg width=300 height=200 alt='Our harbour'>{text}"));
            let drawn = format!("<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'><rect width='300' height='200' fill='navy'/>{photo}</svg>");
            site.content("/photo.svg", 200, "image/svg+xml", drawn.into_bytes());
        };
        page("", "<circle cx='90' cy='90' r='60' fill='gold'/>");
        let context = json!({ "expectedChanges": ["A banner announces the summer sale"] });
        let request = json!({ "project": "photo", "testOrigin": site.origin, "runContext": context });
        app.client.run(request.clone()).await;
        page("<div id=sale style='height:90px;background:gold'>Summer sale banner</div>", "<rect x='40' y='20' width='200' height='150' fill='crimson'/>");
        let job = app.client.run(request).await;
        let result = result(&job, "/");
        assert_eq!(kinds(result), ["insert", "reflow-displacement"], "{:#}", result["changes"]);
        assert_eq!(result["verdict"]["decision"], "needs_review", "{:#}", result["serviceSummary"]);
        let findings = result["serviceSummary"].as_array().unwrap();
        let photo = findings.iter().find(|finding| finding["text"].as_str().unwrap().contains("No change of the document explains it."));
        let photo = photo.unwrap_or_else(|| panic!("{findings:#?}"));
        assert_eq!(photo["verdict"]["decision"], "needs_review", "{photo:#}");
        let banner = findings.iter().find(|finding| finding["text"].as_str().unwrap().contains("was added")).unwrap();
        assert_eq!(banner["verdict"]["decision"], "intentional", "{banner:#}");
        app.stop().await;
    }

    async fn what_a_change_broke_is_a_bug_by_its_figures(app: TestApp) {
        let site = Site::start().await;
        let page = |path: &str, width: &str, lift: &str, script: &str| {
            let body = format!(
                "<div id=card style='width:400px'><p id=box style='width:{width}'>Everything about the boat</p></div>\
                 <h2>Opening hours</h2><p id=hours style='position:relative;{lift}'>From nine to five</p><script>{script}</script>"
            );
            site.page(path, "teal", &body);
        };
        for path in ["/wide", "/over", "/thrown", "/blank"] {
            page(path, "300px", "", "");
        }
        let paths = ["/wide", "/over", "/thrown", "/blank"].map(|path| json!({ "path": path, "label": "" }));
        let context = json!({ "changeDescription": "The footer's links are sorted by name" });
        let request = json!({ "project": "broken", "testOrigin": site.origin, "paths": paths, "runContext": context });
        app.client.run(request.clone()).await;
        page("/wide", "1700px", "", "");
        page("/over", "300px", "top:-60px", "");
        page("/thrown", "300px", "", "document.querySelector('h2').textContent = 'Loading'; prices.render()");
        site.content("/blank", 200, "text/html; charset=utf-8", b"<!doctype html><html lang=en><title>/blank</title><div id=root></div></html>".to_vec());
        let job = app.client.run(request).await;
        for (path, said) in [
            ("/wide", "now sticks out of it by"),
            ("/over", "“From nine to five” and “Opening hours” now lie over each other."),
            ("/thrown", "The page's scripts now throw an error: “ReferenceError: prices is not defined”."),
            ("/blank", "The page is blank"),
        ] {
            let result = result(&job, path);
            assert_eq!(result["verdict"]["decision"], "bug", "{path}: {:#}", result["verdict"]);
            let told = result["serviceSummary"].to_string();
            assert!(told.contains(said), "{path}: {told}");
        }
        app.stop().await;
    }
}
