//! The main flow over HTTP: baselines, changes, summaries, links.

use serde_json::{Value, json};

use crate::support::client::{result, tampered};
use crate::support::site::Site;
use crate::support::{on_both_databases, on_every_storage};

on_every_storage! {
    async fn a_change_is_found_approved_and_then_matches(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        site.page("/prices", "silver", "<p>From 19 a month</p>");
        let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": [{ "path": "/", "label": "Home" }, { "path": "/prices", "label": "" }] });

        let first = app.client.run(request.clone()).await;
        assert_eq!(first["status"], "COMPLETED");
        assert_eq!(first["comparisonMode"], "managed");
        assert_eq!(first["progress"], json!({ "total": 2, "completed": 2, "percent": "100.00" }));
        for path in ["/", "/prices"] {
            let page = result(&first, path);
            assert_eq!((&page["status"], &page["isNewBaseline"], &page["changed"]), (&json!("SUCCESS"), &json!(true), &json!(false)));
            assert_eq!(page["baselineUrl"], json!(null));
        }

        let second = app.client.run(json!({ "project": "shop" })).await;
        for path in ["/", "/prices"] {
            let page = result(&second, path);
            assert_eq!((&page["changed"], &page["diffPercentage"], &page["visualMatchScore"]), (&json!(false), &json!(0.0), &json!(100.0)));
        }

        site.page("/prices", "silver", "<p>From 29 a month</p>");
        let third = app.client.run(json!({ "project": "shop" })).await;
        assert_eq!(result(&third, "/")["changed"], false);
        let changed = result(&third, "/prices");
        assert_eq!(changed["changed"], true);
        assert_eq!(changed["verdict"]["decision"], "needs_review");
        assert_eq!(changed["triageStatus"], "pending");
        assert!(changed["diffPercentage"].as_f64().unwrap() > 0.0 && changed["diffPercentage"].as_f64().unwrap() < 1.0);
        assert!(changed["visualMatchScore"].as_f64().unwrap() < 100.0);
        assert_eq!(changed["serviceSummary"], changed["regressionbotSummary"]);
        assert_eq!(changed["serviceSummary"][0]["label"], "A");

        let summary = app.client.summary(&third).await;
        assert_eq!((&summary["regressionCount"], &summary["matchCount"], &summary["totalUrls"]), (&json!(1), &json!(1), &json!(2)));
        assert_eq!(summary["intentAssessment"]["decision"], "review");
        assert_eq!(summary["intentAssessment"]["needsReviewCount"], 1);
        assert_eq!(summary["runSummary"], "Paragraph “From 19 a month” now reads “From 29 a month”. Of 2 page variants, 1 changed and 1 matches its baseline: review what changed.");

        let approved = app.client.decide(&third, changed, "approve").await.ok();
        assert_eq!((&approved["approvedUrlsCount"], &approved["triageStatus"]), (&json!(1), &json!("approved")));
        assert_eq!(app.client.get(&format!("/job/{}", third["jobId"].as_str().unwrap())).await.ok()["status"], "APPROVED");

        let fourth = app.client.run(json!({ "project": "shop" })).await;
        assert_eq!(result(&fourth, "/prices")["changed"], false);
        assert_eq!(result(&fourth, "/prices")["diffPercentage"], 0.0);
        app.stop().await;
    }

    async fn links_give_the_pictures_without_a_key(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = json!({ "project": "links", "testOrigin": site.origin });
        app.client.run(request.clone()).await;
        site.page("/", "maroon", "");
        let job = app.client.run(request).await;
        let page = result(&job, "/");
        let mut pictures = Vec::new();
        for link in ["currentUrl", "baselineUrl", "diffUrl"] {
            let (status, media_type, png) = app.client.download(&page[link]).await;
            assert_eq!((status.as_u16(), media_type.as_str()), (200, "image/png"), "{link}");
            pictures.push(image::load_from_memory(&png).unwrap().to_rgb8());
        }
        let [current, baseline, diff] = pictures.as_slice() else { unreachable!() };
        assert_eq!(current.dimensions(), baseline.dimensions());
        assert!(diff.width() > current.width(), "the diff shows both sides and the difference");
        assert_eq!(current.get_pixel(10, 200).0, [128, 0, 0]);
        assert_eq!(baseline.get_pixel(10, 200).0, [0, 128, 128]);

        let tampered = json!(tampered(page["currentUrl"].as_str().unwrap()));
        let (status, _, body) = app.client.download(&tampered).await;
        assert_eq!(status.as_u16(), 403, "{}", String::from_utf8_lossy(&body));
        app.stop().await;
    }
}

on_both_databases! {
    async fn pages_of_a_sitemap_are_mapped_onto_the_test_origin(app: TestApp) {
        let site = Site::start().await;
        for path in ["/", "/a", "/b"] {
            site.page(path, "tan", "");
        }
        let sitemap = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc>https://www.example.com/</loc></url><url><loc>https://www.example.com/a</loc></url>\
             <url><loc>https://www.example.com/b</loc></url><url><loc>https://www.example.com/a</loc></url></urlset>";
        site.content("/sitemap.xml", 200, "application/xml", sitemap.as_bytes().to_vec());
        let job = app
            .client
            .run(json!({ "project": "map", "testOrigin": site.origin, "sitemapUrl": format!("{}/sitemap.xml", site.origin), "devices": ["mobile"] }))
            .await;
        let urls: Vec<&str> = job["results"].as_array().unwrap().iter().map(|result| result["url"].as_str().unwrap()).collect();
        assert_eq!(urls, [format!("{}/", site.origin), format!("{}/a", site.origin), format!("{}/b", site.origin)]);
        assert_eq!(result(&job, "/a")["variantName"], "mobile");
        app.stop().await;
    }

    async fn a_live_job_compares_two_origins_and_stores_no_baseline(app: TestApp) {
        let (production, preview) = (Site::start().await, Site::start().await);
        for site in [&production, &preview] {
            site.page("/", "teal", "");
            site.page("/new", "teal", "");
        }
        preview.page("/new", "crimson", "");
        preview.page("/only-here", "teal", "");
        let request = json!({
            "testOrigin": preview.origin, "baseOrigin": production.origin,
            "paths": [{ "path": "/" }, { "path": "/new" }, { "path": "/only-here" }],
        });
        let job = app.client.run(request).await;
        assert_eq!(job["comparisonMode"], "live");
        assert_eq!(result(&job, "/")["changed"], false);
        assert_eq!(result(&job, "/new")["changed"], true);
        let sentence = result(&job, "/only-here")["errorMessage"].as_str().unwrap();
        assert!(sentence.starts_with("On the base origin: The page answered 404"), "{sentence}");
        let answer = app.client.post("/approve", json!({ "jobId": job["jobId"] })).await.ok();
        assert_eq!((&answer["approvedUrlsCount"], &answer["skippedUrlsCount"]), (&json!(0), &json!(3)));
        assert_eq!(app.client.get("/projects").await.ok(), json!([]));
        app.stop().await;
    }

    async fn a_project_keeps_its_first_configuration(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        site.page("/b", "teal", "");
        let request = json!({
            "project": "kept", "testOrigin": site.origin, "paths": [{ "path": "/b", "label": "B" }, { "path": "/" }],
            "devices": ["mobile", "tablet"], "masks": [".ad"], "concurrency": 2,
        });
        app.client.run(request.clone()).await;
        let project = app.client.get("/project/kept").await.ok();
        assert_eq!(project["devices"], json!(["mobile", "tablet"]));
        assert_eq!(project["baselinePolicy"], "approved");
        assert!(project["lastJobId"].is_string() && project["baselineVersion"].is_string());
        let listed = app.client.get("/projects").await.ok();
        assert_eq!(listed[0]["name"], "kept");
        assert!(listed[0].get("baselinePolicy").is_none(), "the list leaves settings out");

        let same_as_sets = json!({ "project": "kept", "devices": ["tablet", "mobile"], "paths": [{ "path": "/" }, { "path": "/b" }], "concurrency": 9 });
        app.client.run(same_as_sets).await;
        let other_case = app.client.run(json!({ "project": "kept", "devices": ["Mobile", "TABLET"] })).await;
        assert_eq!(result(&other_case, "/b")["variantName"], "mobile", "baselines are kept by the saved name");
        assert_eq!(result(&other_case, "/b")["isNewBaseline"], false);
        let refusal = app.client.post("/crawl", json!({ "project": "kept", "masks": [".banner"], "devices": ["laptop"] })).await;
        let sentence = refusal.refused(400, "config_mismatch");
        for part in ["masks", ".banner", ".ad", "devices", "laptop", "PUT /project/kept"] {
            assert!(sentence.contains(part), "{sentence}");
        }
        app.stop().await;
    }

    async fn automatic_approval_moves_the_baseline(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = json!({ "project": "auto", "testOrigin": site.origin, "autoApprove": true });
        app.client.run(request.clone()).await;
        site.page("/", "maroon", "");
        let changed = app.client.run(request.clone()).await;
        assert_eq!((&changed["status"], &result(&changed, "/")["triageStatus"]), (&json!("APPROVED"), &json!("approved")));
        let next = app.client.run(request).await;
        assert_eq!(result(&next, "/")["changed"], false);
        app.stop().await;
    }

    async fn lists_are_paged_and_filtered(app: TestApp) {
        let site = Site::start().await;
        let paths: Vec<_> = (0..5).map(|number| format!("/page-{number}")).collect();
        for path in &paths {
            site.page(path, "teal", "");
        }
        let request = json!({ "project": "list", "testOrigin": site.origin, "paths": paths.iter().map(|path| json!({ "path": path, "label": format!("Über {path}") })).collect::<Vec<_>>() });
        app.client.run(request.clone()).await;
        site.page("/page-3", "maroon", "");
        let job = app.client.run(request).await;
        let id = job["jobId"].as_str().unwrap();

        let first = app.client.get(&format!("/job/{id}/results?limit=2")).await.ok();
        assert_eq!((first["results"].as_array().unwrap().len(), &first["total"]), (2, &json!(5)));
        let next = first["next"].as_str().unwrap();
        let second = app.client.get(&format!("/job/{id}/results?limit=4&after={next}")).await.ok();
        assert_eq!((second["results"].as_array().unwrap().len(), second.get("next")), (3, None));
        let changed = app.client.get(&format!("/job/{id}/results?outcome=regression")).await.ok();
        assert_eq!(changed["total"], 1);
        assert_eq!(changed["counts"], json!({ "regression": 1, "match": 4, "newBaseline": 0, "error": 0, "pending": 0 }));
        assert!(changed["results"][0]["thumbnailUrl"].is_string());
        let found = app.client.get(&format!("/job/{id}/results?q=PAGE-4")).await.ok();
        assert_eq!(found["total"], 1);
        assert_eq!(app.client.get(&format!("/job/{id}/results?q=%25")).await.ok()["total"], 0, "a percent sign is no wildcard");
        let umlaut = app.client.get(&format!("/job/{id}/results?q=%C3%9Cber")).await.ok();
        assert_eq!(umlaut["total"], 5, "as it is written, whatever the letters");
        // What tells of changes at length is left out on request; which pages, and how they stand, is the same.
        let brief = app.client.get(&format!("/job/{id}/results?outcome=regression&brief=true")).await.ok();
        let (brief, whole) = (&brief["results"][0]["result"], &changed["results"][0]["result"]);
        assert_eq!((&brief["resultId"], &brief["triageStatus"]), (&whole["resultId"], &whole["triageStatus"]));
        for field in ["changes", "elementsChanged", "verdict"] {
            assert!(brief[field].is_null() && !whole[field].is_null(), "{field}: {brief}");
        }
        assert_eq!(brief["serviceSummary"], json!([]));
        assert!(whole["serviceSummary"][0].is_object());

        let jobs = app.client.get("/jobs?limit=1").await.ok();
        assert_eq!(jobs["jobs"][0]["jobId"], job["jobId"]);
        let older = app.client.get(&format!("/jobs?limit=1&before={}", jobs["next"].as_str().unwrap())).await.ok();
        assert_eq!(older["jobs"].as_array().unwrap().len(), 1);
        assert!(older.get("next").is_none());

        let item = app.client.get(&format!("/result/{}", changed["results"][0]["result"]["resultId"].as_str().unwrap())).await.ok();
        assert!(item["changedPixels"].as_u64().unwrap() > 300_000);
        assert_eq!(item["regions"][0]["label"], "A");
        let (_, _, mask) = app.client.download(&item["maskUrl"]).await;
        let mask = image::load_from_memory(&mask).unwrap().to_rgba8();
        assert_eq!(json!([mask.width(), mask.height()]), json!([item["comparedWidth"], item["comparedHeight"]]));
        let opaque = mask.pixels().filter(|pixel| pixel.0[3] == 255).count() as u64;
        assert_eq!(json!(opaque), item["changedPixels"]);
        app.stop().await;
    }

    async fn jobs_are_found_by_what_a_person_knows_of_them(app: TestApp) {
        let client = &app.client;
        let init = async |branch: &str, commit: &str| -> Value {
            let body = json!({ "project": "shop", "testOrigin": "http://localhost:3000", "branch": branch, "commit": commit });
            client.post("/ci/job/init", body).await.ok()["jobId"].clone()
        };
        let prices = init("feature/Prices_Ä", "0BADC0DE").await;
        let discount = init("feature/50%-off!", "5eed1234").await;
        let nowhere = "http://127.0.0.1:9";
        let context = json!({ "gitCommitSha": "c0ffee99", "prTitle": "Calmer Header", "prDescription": "Nobody sees this in the list." });
        let request = json!({ "project": "docs-site", "testOrigin": nowhere, "sitemapUrl": format!("{nowhere}/map.xml"), "runContext": context });
        let header = client.run(request).await["jobId"].clone();
        let found = async |query: &str| -> Vec<Value> {
            let list = client.get(&format!("/jobs?{query}")).await.ok();
            list["jobs"].as_array().unwrap().iter().map(|job| job["jobId"].clone()).collect()
        };
        let by_id = format!("search={}", header.as_str().unwrap().to_uppercase());
        for (query, expected) in [
            ("search=", vec![&header, &discount, &prices]),
            ("search=FEATURE%2Fprices", vec![&prices]),
            ("search=Prices_%C3%84", vec![&prices]),
            ("search=badc0de", vec![&prices]),
            ("search=C0FFEE", vec![&header]),
            ("search=calmer%20header", vec![&header]),
            ("search=127.0.0.1", vec![&header]),
            ("search=DOCS-", vec![&header]),
            (&*by_id, vec![&header]),
            // What the list does not show, and what it is stored with.
            ("search=nobody%20sees", vec![]),
            ("search=gitCommitSha", vec![]),
            // Nothing of it is a wildcard.
            ("search=%25", vec![&discount]),
            ("search=%25-off%21", vec![&discount]),
            ("search=s_", vec![&prices]),
            ("search=feature&status=INITIALIZING&project=shop", vec![&discount, &prices]),
            ("search=docs&status=INITIALIZING", vec![]),
            ("search=shop&project=docs-site", vec![]),
        ] {
            assert_eq!(found(query).await.iter().collect::<Vec<_>>(), expected, "{query}");
        }
        let first = client.get("/jobs?search=feature&limit=1").await.ok();
        assert_eq!(first["jobs"][0]["jobId"], discount);
        let second = client.get(&format!("/jobs?search=feature&limit=1&before={}", first["next"].as_str().unwrap())).await.ok();
        assert_eq!((&second["jobs"][0]["jobId"], second.get("next")), (&prices, None));
        let most = format!("search={}", "x".repeat(200));
        assert_eq!(found(&most).await, Vec::<Value>::new());
        let sentence = client.get(&format!("/jobs?{most}x")).await.refused(400, "invalid_input");
        assert!(sentence.contains("`search` has 201 characters"), "{sentence}");

        // Jobs from before there was anything to search by.
        let mut tx = app.service.app.db.begin().await.unwrap();
        sqlx::query("UPDATE jobs SET told = NULL").execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        for (query, expected) in [("search=c0ffee", &header), ("search=calmer", &header), ("search=5EED", &discount)] {
            assert_eq!(found(query).await, std::slice::from_ref(expected), "{query}");
        }
        app.stop().await;
    }

    async fn two_first_runs_at_once_make_one_project(app: TestApp) {
        let site = Site::start().await;
        site.page("/", "teal", "");
        let request = |device: &str| json!({ "project": "race", "testOrigin": site.origin, "devices": [device] });
        let answers = futures::future::join_all((0..6).map(|number| {
            let (client, body) = (app.client.clone(), request(if number % 2 == 0 { "mobile" } else { "tablet" }));
            async move { client.post("/crawl", body).await }
        }))
        .await;
        let saved = app.client.get("/project/race").await.ok()["devices"][0].clone();
        for (number, answer) in answers.into_iter().enumerate() {
            let sent = if number % 2 == 0 { "mobile" } else { "tablet" };
            assert_eq!(answer.status.is_success(), saved == sent, "{sent} against {saved}: {}", answer.body);
        }
        app.stop().await;
    }

    async fn a_run_is_told_as_a_report(app: TestApp) {
        let site = Site::start().await;
        for path in ["/one", "/two"] {
            site.page(path, "teal", "<p>From 19 a month</p>");
        }
        let paths = ["/one", "/two"].map(|path| json!({ "path": path, "label": "" }));
        let request = json!({ "project": "reports", "testOrigin": site.origin, "paths": paths });
        app.client.run(request.clone()).await;
        site.page("/two", "teal", "<p>From 29 a month</p>");
        let job = app.client.run(request).await;
        let address = format!("/job/{}/report", job["jobId"].as_str().unwrap());
        let read = async |format: &str| {
            let answer = app.client.get(&format!("{address}{format}")).await.ok();
            answer.as_str().expect("a text").to_owned()
        };
        let junit = read("?format=junit").await;
        assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
        assert!(junit.contains("From 29 a month") && junit.contains("/app/review/"), "{junit}");
        let markdown = read("?format=markdown").await;
        assert!(markdown.contains("| Desktop Chrome | needs review |"), "{markdown}");
        for format in ["", "?format=html"] {
            let html = read(format).await;
            assert!(html.starts_with("<!DOCTYPE html>") && html.matches("data:image/png").count() == 2, "{html}");
        }
        let sentence = app.client.get(&format!("{address}?format=pdf")).await.refused(400, "invalid_input");
        assert!(sentence.contains("pdf"), "{sentence}");
        app.client
            .get("/job/01900000-0000-7000-8000-000000000000/report")
            .await
            .refused(404, "job_not_found");
        app.stop().await;
    }

    async fn a_job_can_be_followed_as_it_runs(app: TestApp) {
        let site = Site::start().await;
        for path in ["/one", "/two"] {
            site.page(path, "teal", "");
        }
        site.content("/gone", 500, "text/plain", b"no".to_vec());
        let paths = ["/one", "/two", "/gone"].map(|path| json!({ "path": path, "label": "" }));
        let request = json!({ "project": "followed", "testOrigin": site.origin, "paths": paths });
        let id = app.client.crawl(request).await;
        let live = app.client.events(&format!("/job/{id}/events")).await;
        let named = |events: &[(String, Value)], name: &str| -> Vec<Value> {
            let of_name = events.iter().filter(|(event, _)| event == name);
            of_name.map(|(_, data)| data.clone()).collect()
        };
        let results = named(&live, "result");
        assert_eq!(results.len(), 3, "each is told once: {live:?}");
        let outcome = |path: &str| {
            let found = results.iter().find(|data| data["url"].as_str().unwrap().ends_with(path));
            found.unwrap()["outcome"].clone()
        };
        assert_eq!([outcome("/one"), outcome("/gone")], [json!("new_baseline"), json!("error")]);
        assert_eq!(named(&live, "progress").last().unwrap()["percent"], "100.00");
        assert_eq!(named(&live, "status").last().unwrap()["status"], "COMPLETED");
        assert_eq!(live.last().unwrap().0, "end");
        // Who comes late is told the same.
        let late = app.client.events(&format!("/job/{id}/events")).await;
        assert_eq!(named(&late, "result").len(), 3);
        assert_eq!(late.last().unwrap().0, "end");
        // Who has read the results can do without.
        let brief = app.client.events(&format!("/job/{id}/events?results=false")).await;
        assert_eq!(named(&brief, "result"), Vec::<Value>::new());
        assert_eq!(named(&brief, "progress").last().unwrap()["percent"], "100.00");
        assert_eq!(brief.last().unwrap().0, "end");
        app.client.get(&format!("/job/{id}/events?results=maybe")).await.refused(400, "invalid_input");
        // Decisions are told to who asks for them, as they are made; the stream goes on after the job's end.
        let mut stream = app.client.stream(&format!("/job/{id}/events?triage=true")).await;
        stream.until("status").await;
        app.client.post("/approve", json!({ "jobId": id })).await.ok();
        let decided = stream.until("triage").await;
        assert_eq!((&decided["triageStatus"], &decided["triagedBy"]), (&json!("approved"), &json!("admin")));
        let nobodys = "/job/01900000-0000-7000-8000-000000000000/events";
        app.client.get(nobodys).await.refused(404, "job_not_found");
        app.stop().await;
    }
}
