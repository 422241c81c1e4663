//! What a request may hold, to the last entry and one beyond; what is ignored; and what must equal a stored configuration.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::Client;
use crate::support::process::ServiceProcess;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};
use crate::support::{on_both_databases, until};

const ORIGIN: &str = "http://shop.test";

/// Nothing listens there, so that a job that reads its sitemap there ends at once.
const NOBODY: &str = "http://127.0.0.1:9";

fn init(field: &str, value: Value) -> Value {
    let mut body = json!({ "project": "bounds", "testOrigin": ORIGIN });
    body[field] = value;
    body
}

fn numbered(count: usize, name: impl Fn(usize) -> Value) -> Value {
    (0..count).map(name).collect::<Vec<_>>().into()
}

on_both_databases! {
    async fn a_run_context_is_bounded_and_its_description_cut(app: TestApp) {
        let client = &app.client;
        let longest = "é".repeat(10_000);
        let full = json!({
            "changeDescription": longest, "gitCommitSha": longest, "gitCommitMessage": longest, "prTitle": longest,
            "prDescription": "é".repeat(2_001), "expectedChanges": vec!["x"; 100], "scope": vec!["x"; 100], "invented": 1,
        });
        let begun = client.post("/ci/job/init", init("runContext", full)).await.ok();
        let id = begun["jobId"].as_str().unwrap();
        client.upload(id, ORIGIN, picture([0; 3], 3), &tree("Welcome")).await;
        let job = client.finish(id).await;
        let kept = client.summary(&job).await["runContext"].clone();
        assert_eq!(kept["prDescription"], "é".repeat(2_000));
        assert_eq!(kept["changeDescription"], longest);
        assert_eq!(kept.get("invented"), None);
        for (field, value) in [
            ("changeDescription", json!("x".repeat(10_001))),
            ("gitCommitSha", json!("x".repeat(10_001))),
            ("gitCommitMessage", json!("x".repeat(10_001))),
            ("prTitle", json!("x".repeat(10_001))),
            ("expectedChanges", json!(vec!["x"; 101])),
            ("expectedChanges", json!(["x".repeat(10_001)])),
            ("scope", json!(vec!["x"; 101])),
            ("scope", json!("one")),
            ("prTitle", json!(["one"])),
        ] {
            let sentence = client.post("/ci/job/init", init("runContext", json!({ field: value }))).await.refused(400, "invalid_input");
            assert!(sentence.contains(&format!("`runContext.{field}")), "{sentence}");
        }
        app.stop().await;
    }

    async fn lists_texts_and_numbers_have_their_bounds(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "n".repeat(100), "testOrigin": ORIGIN })).await.ok();
        client.post("/projects", json!({ "name": "All.of_these-09", "testOrigin": ORIGIN })).await.ok();
        for name in ["", &"n".repeat(101), "ä", "a/b", "a b"] {
            let sentence = client.post("/projects", json!({ "name": name, "testOrigin": ORIGIN })).await.refused(400, "invalid_input");
            assert!(sentence.contains("`name`"), "{sentence}");
        }
        let path = format!("/project/{}", "n".repeat(100));
        let spelled = |count: usize| numbered(count, |number| json!(if number % 2 == 0 { "Mobile" } else { "mobile" }));
        let scans = |count: usize| numbered(count, |number| json!({ "pattern": format!("/{number}/**"), "options": null }));
        let globs = |count: usize| numbered(count, |number| json!(format!("/{number}*")));
        let leaving_out = |last: usize| numbered(3, |number| json!({ "pattern": "/**", "options": { "exclude": globs(if number < 2 { 999 } else { last }) } }));
        let masks = |count: usize| numbered(count, |number| json!(format!("#m{number}")));
        // The same time, written with 40 characters and with 41.
        let clock = |zone: &str| json!({ "clock": format!("2026-01-15T12:00:00.000000000+00:00[{zone}]") });
        for (field, most, beyond) in [
            ("devices", spelled(50), spelled(51)),
            ("masks", masks(200), masks(201)),
            ("scans", scans(200), scans(201)),
            ("scans", leaving_out(2), leaving_out(3)),
            ("customCss", json!("x".repeat(4096)), json!("x".repeat(4097))),
            ("concurrency", json!(20), json!(21)),
            ("concurrency", json!(1), json!(0)),
            ("concurrency", json!(4), json!(2.5)),
            ("aiPromptInstructions", json!("x".repeat(1_000)), json!("x".repeat(1_001))),
            ("captureProfile", clock("UTC"), clock("Zulu")),
            ("diffThreshold", json!(100), json!(100.1)),
            ("aiSummaryThreshold", json!(0), json!(-0.1)),
        ] {
            client.put(&path, json!({ field: most })).await.ok();
            let sentence = client.put(&path, json!({ field: beyond })).await.refused(400, "invalid_input");
            assert!(sentence.contains(&format!("`{field}")), "{sentence}");
        }
        let read = client.get(&path).await.ok();
        assert_eq!(read["devices"], json!(["Mobile"]), "a device named twice, in whatever case, is one");
        app.stop().await;
    }

    async fn what_is_looked_for_has_its_bounds(app: TestApp) {
        let client = &app.client;
        let key = |count: usize| json!({ "key": "x".repeat(count) });
        client.post("/session", key(1_000)).await.refused(401, "unauthorized");
        let sentence = client.post("/session", key(1_001)).await.refused(400, "invalid_input");
        assert!(sentence.contains("`key` has 1001 characters"), "{sentence}");
        // Blanks around a name count as they are sent.
        let named = |count: usize| json!({ "name": format!("  {}", "n".repeat(count)), "scopes": ["read"] });
        assert_eq!(client.post("/keys", named(98)).await.ok()["key"]["name"], "n".repeat(98));
        let sentence = client.post("/keys", named(99)).await.refused(400, "invalid_input");
        assert!(sentence.contains("`name`"), "{sentence}");

        let job = client.init("looked-for", ORIGIN).await;
        let entry = "01900000-0000-7000-8000-00000000abcd";
        client.get(&format!("/job/{job}/results?after=999999999&changeGroup={}", "x".repeat(200))).await.ok();
        client.get(&format!("/audit?before=-1.{entry}")).await.ok();
        for (path, field) in [
            (format!("/job/{job}/results?changeGroup={}", "x".repeat(201)), "changeGroup"),
            (format!("/job/{job}/results?after=1000000000"), "after"),
            (format!("/audit?before=1.{}", entry.to_uppercase()), "before"),
            (format!("/audit?before=1.{}", entry.replace('-', "")), "before"),
            (format!("/audit?before=%2B1.{entry}"), "before"),
        ] {
            let sentence = client.get(&path).await.refused(400, "invalid_input");
            assert!(sentence.contains(&format!("`{field}`")), "{path}: {sentence}");
        }
        app.stop().await;
    }

    async fn ten_thousand_captures_are_the_most_of_a_job(app: TestApp) {
        let client = &app.client;
        let paths = numbered(5_001, |number| json!({ "path": format!("/{number}") }));
        let body = json!({ "project": "large", "testOrigin": NOBODY, "paths": paths, "devices": ["mobile", "tablet"] });
        let sentence = client.post("/crawl", body).await.refused(400, "invalid_input");
        assert!(sentence.contains("`paths` and `devices` make 10002 captures; 10000 are the most"), "{sentence}");
        // The one page beside them counts as well, and nothing is saved of what is refused.
        let paths = numbered(5_000, |number| json!({ "path": format!("/{number}") }));
        let body = |page: &str| json!({ "project": "large", "testOrigin": NOBODY, "url": format!("{NOBODY}/{page}"), "paths": paths, "devices": ["mobile", "tablet"] });
        let sentence = client.post("/crawl", body("one-more")).await.refused(400, "invalid_input");
        assert!(sentence.contains("make 10002 captures"), "{sentence}");
        client.get("/project/large").await.refused(404, "project_not_found");
        // How many a sitemap has is known later.
        let site = Site::start().await;
        let pages: String = (0..5_001).map(|number| format!("<url><loc>{}/{number}</loc></url>", site.origin)).collect();
        site.content("/sitemap.xml", 200, "application/xml", format!("<urlset>{pages}</urlset>").into_bytes());
        let map = format!("{}/sitemap.xml", site.origin);
        let job = client.run(json!({ "project": "large", "testOrigin": site.origin, "sitemapUrl": map, "devices": ["mobile", "tablet"] })).await;
        assert_eq!(job["status"], "FAILED");
        assert!(job["error"].as_str().unwrap().contains("10002 captures; 10000 are the most"), "{}", job["error"]);

        let open = client.init("large", ORIGIN).await;
        let last = client.upload_url(&open, &format!("{ORIGIN}/first"), "v").await;
        last.ok();
        let mut tx = app.service.app.db.begin().await.unwrap();
        sqlx::query("UPDATE results SET position = 9998 WHERE job_id = $1").bind(&open).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        client.upload_url(&open, &format!("{ORIGIN}/last"), "v").await.ok();
        let sentence = client.upload_url(&open, &format!("{ORIGIN}/beyond"), "v").await.refused(400, "invalid_input");
        assert!(sentence.contains("10000"), "{sentence}");
        client.upload_url(&open, &format!("{ORIGIN}/last"), "v").await.ok();
        app.stop().await;
    }

    async fn unknown_fields_are_ignored_by_every_call(app: TestApp) {
        let client = &app.client;
        let extra = |mut body: Value| {
            body["invented"] = json!({ "deep": [1, null] });
            body
        };
        let page = json!({ "path": "/", "label": "", "invented": 1 });
        let scan = json!({ "pattern": "/**", "options": { "limit": 2, "invented": 1 }, "invented": 1 });
        client.post("/projects", extra(json!({ "name": "extra", "testOrigin": NOBODY }))).await.ok();
        client.put("/project/extra", extra(json!({ "paths": [page], "scans": [scan], "sitemapUrl": format!("{NOBODY}/map.xml") }))).await.ok();
        client.post("/project/extra/run", extra(json!({ "runContext": { "invented": 1 } }))).await.ok();
        client.post("/crawl", extra(json!({ "project": "extra" }))).await.ok();
        let begun = client.post("/ci/job/init", extra(json!({ "project": "extra", "testOrigin": ORIGIN }))).await.ok();
        let id = &begun["jobId"];
        client.post("/ci/job/upload-url", extra(json!({ "jobId": id, "url": ORIGIN, "variantName": "v" }))).await.ok();
        client.upload(id.as_str().unwrap(), ORIGIN, picture([0; 3], 3), &tree("Welcome")).await;
        client.post("/ci/job/finalize", extra(json!({ "jobId": id }))).await.ok();
        client.wait(id.as_str().unwrap()).await;
        client.post("/approve", extra(json!({ "jobId": id, "where": { "decision": ["bug"], "invented": 1 } }))).await.ok();
        client.post("/keys", extra(json!({ "name": "extra", "scopes": ["read"] }))).await.ok();
        app.stop().await;
    }

    async fn what_is_sent_to_a_saved_project_must_equal_what_is_stored(app: TestApp) {
        let client = &app.client;
        let map = format!("{NOBODY}/map.xml");
        let project = json!({
            "name": "locked", "testOrigin": NOBODY, "sitemapUrl": map, "paths": [{ "path": "/", "label": "Home" }, { "path": "/b", "label": "" }],
            "scans": [{ "pattern": "/docs/**", "options": { "limit": 3 } }, { "pattern": "/x", "options": null }], "devices": ["mobile", "iPhone 13"],
            "masks": [".ad", ".clock"], "customCss": "a{}", "concurrency": 3,
        });
        client.post("/projects", project).await.ok();
        let version = client.get("/project/locked").await.ok()["baselineVersion"].clone();
        for same in [
            json!({}),
            json!({ "testOrigin": "http://127.0.0.1:9/", "sitemapUrl": map, "customCss": "a{}" }),
            json!({ "paths": [{ "path": "/b", "label": "Other" }, { "path": "/" }], "devices": ["IPHONE 13", "Mobile"], "masks": [".clock", ".ad"] }),
            json!({ "scans": [{ "pattern": "/x", "options": { "limit": 9 } }, { "pattern": "/docs/**" }] }),
        ] {
            let mut crawl = same.clone();
            crawl["project"] = json!("locked");
            client.post("/crawl", crawl.clone()).await.ok();
            client.post("/project/locked/run", same).await.ok();
            crawl["concurrency"] = json!(9);
            client.post("/crawl", crawl).await.ok();
        }
        for (field, other, parts) in [
            ("testOrigin", json!("http://127.0.0.1:8"), ["http://127.0.0.1:8", "http://127.0.0.1:9"]),
            ("sitemapUrl", json!(format!("{map}?all")), ["map.xml?all", "map.xml`"]),
            ("customCss", json!("b{}"), ["b{}", "a{}"]),
            ("paths", json!([{ "path": "/" }]), ["\"/\"", "\"/b\""]),
            ("scans", json!([{ "pattern": "/docs/*" }]), ["\"/docs/*\"", "\"/docs/**\""]),
            ("devices", json!(["mobile"]), ["mobile", "iphone 13"]),
            ("devices", json!([]), ["desktop chrome", "iphone 13"]),
            ("masks", json!([".ad", ".clock", ".more"]), [".more", ".clock"]),
        ] {
            for path in ["/crawl", "/project/locked/run"] {
                let mut body = json!({ field: other });
                if path == "/crawl" {
                    body["project"] = json!("locked");
                }
                let sentence = client.post(path, body).await.refused(400, "config_mismatch");
                let named = format!("`{field}` was sent as");
                for part in [&*named, parts[0], parts[1], "PUT /project/locked"] {
                    assert!(sentence.contains(part), "{part}: {sentence}");
                }
            }
        }
        let sentence = client.post("/project/locked/run", json!({ "concurrency": 9 })).await.refused(400, "config_mismatch");
        assert!(sentence.contains("`concurrency` was sent as 9 and is stored as 3"), "{sentence}");
        // A run that compares two sites now takes any parameters, and leaves the project as it is.
        let live = json!({ "project": "locked", "testOrigin": NOBODY, "baseOrigin": NOBODY, "masks": [".other"], "sitemapUrl": format!("{NOBODY}/other.xml") });
        assert_eq!(client.run(live).await["comparisonMode"], "live");
        let stored = client.get("/project/locked").await.ok();
        assert_eq!((&stored["masks"], &stored["concurrency"], &stored["baselineVersion"]), (&json!([".ad", ".clock"]), &json!(3), &version));
        app.stop().await;
    }

    async fn a_project_comes_to_be_by_its_first_run_or_upload(app: TestApp) {
        let client = &app.client;
        let map = format!("{NOBODY}/map.xml");
        client.run(json!({ "project": "crawled", "testOrigin": NOBODY, "sitemapUrl": map, "masks": [".ad"], "devices": ["tablet"] })).await;
        let crawled = client.get("/project/crawled").await.ok();
        assert_eq!((&crawled["testOrigin"], &crawled["sitemapUrl"], &crawled["masks"], &crawled["devices"]), (&json!(NOBODY), &json!(map), &json!([".ad"]), &json!(["tablet"])));
        client.init("uploaded", ORIGIN).await;
        let uploaded = client.get("/project/uploaded").await.ok();
        assert_eq!((&uploaded["testOrigin"], &uploaded["devices"], &uploaded["concurrency"]), (&json!(ORIGIN), &json!(["Desktop Chrome"]), &json!(4)));
        // Neither a live run nor a refused call makes one.
        client.run(json!({ "project": "live", "testOrigin": NOBODY, "baseOrigin": NOBODY, "sitemapUrl": map })).await;
        client.post("/ci/job/init", json!({ "project": "refused", "testOrigin": "ftp://x" })).await.refused(400, "invalid_url");
        let names: Vec<Value> = client.get("/projects").await.ok().as_array().unwrap().iter().map(|project| project["name"].clone()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        app.stop().await;
    }

    async fn nothing_but_a_hash_of_a_key_is_stored(app: TestApp) {
        let made = app.client.post("/keys", json!({ "name": "ci", "scopes": ["read"] })).await.ok();
        let secret = made["secret"].as_str().unwrap();
        let random = secret.strip_prefix("pnt_main_").expect("pnt_<organization>_<random>");
        assert!(random.len() >= 24, "{secret}");
        let hashes: Vec<String> = sqlx::query_scalar("SELECT secret_hash FROM api_keys").fetch_all(&mut *app.service.app.db.read().await.unwrap()).await.unwrap();
        assert_eq!(hashes.len(), 2);
        assert!(hashes.iter().all(|hash| hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())), "{hashes:?}");
        assert_eq!(app.restarted(&[], pentimento::clock::Clock::System).await.service.first_key, None, "the first key is given once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_a_job_is_answered_at_once_however_slow_the_site() {
    let app = App::on_sqlite().await;
    let site = Site::start().await;
    site.hangs("/sitemap.xml");
    let begun = Instant::now();
    let request =
        json!({ "project": "slow", "testOrigin": site.origin, "scans": [{ "pattern": "/**" }] });
    let id = app.client.crawl(request).await;
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    let job = app.client.get(&format!("/job/{id}")).await.ok();
    assert_eq!(
        (&job["status"], &job["progress"]["percent"]),
        (&json!("INITIALIZING"), &json!("0.00"))
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_to_captures_end_and_reading_again_gives_fresh_ones() {
    let hands = crate::support::hands::Hands::at("2030-01-01T10:00:00Z");
    let app = App::with_clock(None, &["--link-ttl-seconds", "60"], hands.clock()).await;
    let client = &app.client;
    let id = client.init("links", ORIGIN).await;
    client
        .upload(
            &id,
            &format!("{ORIGIN}/"),
            picture([0, 0, 0], 3),
            &tree("Page"),
        )
        .await;
    let job = client.finish(&id).await;
    let statuses = async |job: &Value| {
        let page = &job["results"][0];
        let mut statuses = Vec::new();
        for link in ["currentUrl", "diffUrl"] {
            statuses.push(client.download(&page[link]).await.0.as_u16());
        }
        statuses
    };
    hands.put("2030-01-01T10:00:59Z");
    assert_eq!(statuses(&job).await, [200, 200]);
    hands.put("2030-01-01T10:01:31Z");
    assert_eq!(statuses(&job).await, [403, 403]);
    let fresh = client.get(&format!("/job/{id}")).await.ok();
    assert_eq!(statuses(&fresh).await, [200, 200]);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_on_loopback_says_that_it_captures_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let file = std::fs::File::create(&log).unwrap();
    let data = folder.path().join("data");
    let service = ServiceProcess::start_logging(&data, None, "info", file.into());
    until(|| {
        let text = std::fs::read_to_string(&log).unwrap();
        text.contains("listens on loopback alone, so sites on this machine may be captured")
    })
    .await;
    let client = Client::new(service.base.clone(), service.first_key.clone().unwrap());
    client
        .post(
            "/ci/job/init",
            json!({ "project": "own", "testOrigin": NOBODY }),
        )
        .await
        .ok();
    client
        .post("/crawl", json!({ "project": "own" }))
        .await
        .ok();
}
