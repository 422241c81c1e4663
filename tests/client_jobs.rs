//! Client-driven jobs: the client captures and uploads, the service compares.

mod bulk; // many pages from many clients at once
mod bytes; // what counts of what is uploaded: its pixels, and nothing that was refused
mod kept; // the longest addresses, and characters that a database does not keep

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pentimento::clock::Clock;
use pentimento::tasks::{sweep, uploads};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::postgres;
use crate::support::process::ServiceProcess;
use crate::support::uploads::{gzip, picture, tree};
use crate::support::{on_both_databases, on_every_storage, until};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];

on_every_storage! {
    async fn a_job_of_uploads_lives_like_any_other(app: TestApp) {
        let client = &app.client;
        let begun = client.post("/ci/job/init", json!({
            "project": "shop", "testOrigin": format!("{ORIGIN}/app/"), "branch": "feature/prices", "commit": "0badc0de", "devices": ["Desktop Chrome", "my own"],
            "runContext": { "gitCommitMessage": "Raise the price" }, "sdkVersion": "0.2.0",
        })).await.ok();
        let first = begun["jobId"].as_str().unwrap();
        assert_eq!(client.get("/project/shop").await.ok()["testOrigin"], ORIGIN);
        client.upload(first, &format!("{ORIGIN}/"), picture(TEAL, 3), &tree("Welcome")).await;
        client.upload(first, &format!("{ORIGIN}/prices?plan=team"), picture(TEAL, 5), &tree("From 19")).await;
        let open = client.get(&format!("/job/{first}")).await.ok();
        assert_eq!((&open["status"], &open["progress"]["total"]), (&json!("INITIALIZING"), &json!(2)));
        assert_eq!(result(&open, "/")["status"], "PENDING");
        client.get(&format!("/job/{first}/summary")).await.refused(400, "job_not_completed");

        let first = client.finish(first).await;
        assert_eq!((&first["status"], &first["summaryStatus"], &first["comparisonMode"]), (&json!("COMPLETED"), &json!("COMPLETE"), &json!("managed")));
        for page in first["results"].as_array().unwrap() {
            assert_eq!((&page["status"], &page["isNewBaseline"]), (&json!("SUCCESS"), &json!(true)), "{page:#}");
            let (status, media_type, png) = client.download(&page["currentUrl"]).await;
            assert_eq!((status.as_u16(), media_type.as_str(), image::load_from_memory(&png).unwrap().width()), (200, "image/png", 40));
        }
        assert_eq!(client.summary(&first).await["runContext"], json!({ "gitCommitMessage": "Raise the price" }));

        // A preview on another host and port has the same baselines.
        let preview = "https://preview-7.example.com:8443";
        let second = client.init("shop", preview).await;
        client.upload(&second, &format!("{preview}/"), picture(TEAL, 3), &tree("Welcome")).await;
        client.upload(&second, &format!("{preview}/prices?plan=team"), picture(TEAL, 9), &tree("From 29")).await;
        let second = client.finish(&second).await;
        assert_eq!(client.get("/project/shop").await.ok()["testOrigin"], ORIGIN);
        let same = result(&second, "/");
        assert_eq!((&same["changed"], &same["diffPercentage"]), (&json!(false), &json!(0.0)));
        let changed = result(&second, "?plan=team");
        assert_eq!(changed["changed"], true);
        assert_eq!(changed["changes"][0]["type"], "text-edit", "{changed:#}");
        let summary = client.summary(&second).await;
        assert_eq!((&summary["regressionCount"], &summary["matchCount"]), (&json!(1), &json!(1)));
        let (status, _, _) = client.download(&changed["diffUrl"]).await;
        assert_eq!(status.as_u16(), 200);

        let approved = client.decide(&second, changed, "approve").await.ok();
        assert_eq!(approved["triageStatus"], "approved");
        let third = client.init("shop", ORIGIN).await;
        client.upload(&third, &format!("{ORIGIN}/prices?plan=team"), picture(TEAL, 9), &tree("From 29")).await;
        let third = client.finish(&third).await;
        assert_eq!(result(&third, "?plan=team")["changed"], false);
        app.stop().await;
    }

    async fn every_page_ends_as_its_upload_deserves(app: TestApp) {
        let client = &app.client;
        let job = client.init("odd", ORIGIN).await;
        let page = |path: &str| format!("{ORIGIN}{path}");
        let whole = picture(TEAL, 3);
        client.upload(&job, &page("/good"), whole.clone(), &tree("Good")).await;
        // The last upload counts, also one by the former links.
        client.upload(&job, &page("/replaced"), b"no picture".to_vec(), &tree("Old")).await;
        client.upload(&job, &page("/replaced"), whole.clone(), &tree("New")).await;
        client.links(&job, &page("/never")).await;
        let only_dom = client.links(&job, &page("/only-dom")).await;
        client.put_file(&only_dom.dom, "application/json; charset=utf-8", tree("Tree").to_string().into_bytes()).await.ok();
        client.upload(&job, &page("/truncated"), whole[..whole.len() / 2].to_vec(), &tree("Half")).await;
        client.upload(&job, &page("/text"), b"<html>not a picture</html>".to_vec(), &tree("Text")).await;
        client.upload(&job, &page("/huge"), huge(), &tree("Huge")).await;
        let no_dom = client.links(&job, &page("/no-dom")).await;
        client.put_file(&no_dom.screenshot, "image/png", whole.clone()).await.ok();
        for (path, dom) in [
            ("/bomb", gzip(&vec![b' '; 20 << 20])),
            ("/damaged", gzip(tree("Damaged").to_string().as_bytes())[..40].to_vec()),
            ("/broken-dom", b"{\"tagName\":".to_vec()),
            ("/null-dom", gzip(b"null")),
            ("/deep", format!("{}{}", r#"{"tagName":"DIV","children":["#.repeat(600), "]}".repeat(600)).into_bytes()),
        ] {
            let links = client.links(&job, &page(path)).await;
            client.put_file(&links.screenshot, "image/png", whole.clone()).await.ok();
            client.put_file(&links.dom, "application/json", dom).await.ok();
        }
        let done = client.finish(&job).await;
        assert_eq!((&done["status"], &done["progress"]["percent"]), (&json!("COMPLETED"), &json!("100.00")));
        for path in ["/good", "/replaced", "/deep", "/bomb"] {
            assert_eq!(result(&done, path)["isNewBaseline"], true, "{path}: {:#}", result(&done, path));
        }
        for (path, said) in [
            ("/never", "The screenshot never arrived"),
            ("/only-dom", "The screenshot never arrived"),
            ("/truncated", "cut short"),
            ("/text", "not a PNG"),
            ("/huge", "at most 80,000,000 in all"),
            ("/no-dom", "The capture has no DOM tree"),
            ("/damaged", "damaged or cut short"),
            ("/broken-dom", "not valid JSON"),
            ("/null-dom", "malformed"),
        ] {
            let page = result(&done, path);
            let message = page["errorMessage"].as_str().unwrap_or_default();
            assert!(page["status"] == "ERROR" && message.contains(said), "{path}: {page:#}");
        }
        let summary = client.summary(&done).await;
        assert_eq!((&summary["newBaselineCount"], &summary["errorCount"], &summary["totalUrls"]), (&json!(4), &json!(9), &json!(13)));
        until(|| app.left_in_staging(&job).is_empty()).await;

        // A tree that is too deep to compare does not stop the pixels from being compared.
        let next = client.init("odd", ORIGIN).await;
        client.upload(&next, &page("/deep"), picture(TEAL, 30), &tree("Shallow")).await;
        let next = client.finish(&next).await;
        let deep = result(&next, "/deep");
        assert_eq!((&deep["status"], &deep["changed"]), (&json!("SUCCESS"), &json!(true)), "{deep:#}");
        assert!(deep["domAssistSkipReason"].as_str().unwrap().contains("deeper than 512"), "{deep:#}");
        app.stop().await;
    }

    async fn a_baseline_counts_as_it_stands_when_the_job_is_finalized(app: TestApp) {
        let client = &app.client;
        let page = format!("{ORIGIN}/");
        let run = async |colour: [u8; 3]| {
            let job = client.init("pinned", ORIGIN).await;
            client.upload(&job, &page, picture(colour, 1), &tree("Page")).await;
            job
        };
        let first = run(TEAL).await;
        client.finish(&first).await;
        // Uploaded before the other's approval, finalized after it: compared with what was approved.
        let (early, other) = (run([90, 0, 0]).await, run([0, 90, 0]).await);
        let other = client.finish(&other).await;
        client.post("/approve", json!({ "jobId": other["jobId"] })).await.ok();
        let early = client.finish(&early).await;
        assert_eq!(result(&early, "/")["baselineUrl"].as_str().unwrap().split('?').next(), result(&other, "/")["currentUrl"].as_str().unwrap().split('?').next());
        // A job that was finalized before the baseline moved is a conflict, and nothing is changed.
        let late = run([0, 0, 90]).await;
        let late = client.finish(&late).await;
        client.post("/approve", json!({ "jobId": early["jobId"] })).await.ok();
        client.post("/approve", json!({ "jobId": late["jobId"] })).await.refused(409, "baseline_moved");
        app.stop().await;
    }
}

on_both_databases! {
    async fn a_projects_threshold_holds_for_uploads_too(app: TestApp) {
        let client = &app.client;
        client.post("/projects", json!({ "name": "calm", "testOrigin": ORIGIN, "diffThreshold": 100 })).await.ok();
        let run = async |shade: [u8; 3], text: &str| {
            let begun = client.post("/ci/job/init", json!({ "project": "calm", "testOrigin": ORIGIN })).await.ok();
            let id = begun["jobId"].as_str().unwrap();
            client.upload(id, &format!("{ORIGIN}/"), picture(shade, 3), &tree(text)).await;
            result(&client.finish(id).await, "/")["changed"].clone()
        };
        assert_eq!(run(TEAL, "Welcome").await, false);
        assert_eq!(run([200, 0, 0], "Welcome").await, false, "pixels alone, within the threshold");
        assert_eq!(run(TEAL, "Goodbye").await, true, "the document changed");
        app.stop().await;
    }

    async fn what_cannot_be_is_refused(app: TestApp) {
        let client = &app.client;
        for (body, code, said) in [
            (json!({ "testOrigin": ORIGIN }), "invalid_input", "project"),
            (json!({ "project": "p" }), "invalid_input", "testOrigin"),
            (json!({ "project": "sp ace", "testOrigin": ORIGIN }), "invalid_input", "`project`"),
            (json!({ "project": "p", "testOrigin": "ftp://x" }), "invalid_url", "`testOrigin`"),
            (json!({ "project": "p", "testOrigin": ORIGIN, "commit": "c".repeat(65) }), "invalid_input", "`commit`"),
            (json!({ "project": "p", "testOrigin": ORIGIN, "branch": 7 }), "invalid_input", "`branch`"),
            (json!({ "project": "p", "testOrigin": ORIGIN, "branch": "b".repeat(1001) }), "invalid_input", "`branch`"),
        ] {
            let sentence = client.post("/ci/job/init", body).await.refused(400, code);
            assert!(sentence.contains(said), "{sentence}");
        }
        let job = client.init("strict", ORIGIN).await;
        assert!(client.finalize(&job).await.refused(400, "invalid_state").contains("no upload"));
        // A link is none yet.
        let asked = client.init("strict", ORIGIN).await;
        client.upload_url(&asked, ORIGIN, "v").await.ok();
        assert!(client.finalize(&asked).await.refused(400, "invalid_state").contains("no upload"));
        for (url, variant, code) in [("/relative", "v", "invalid_url"), ("file:///etc/passwd", "v", "invalid_url"), (ORIGIN, " ", "invalid_input"), (ORIGIN, "a\0b", "invalid_input")] {
            client.upload_url(&job, url, variant).await.refused(400, code);
        }
        client.upload_url(&job, ORIGIN, &"v".repeat(201)).await.refused(400, "invalid_input");
        client.upload_url(&job, &format!("{ORIGIN}/{}", "u".repeat(2048)), "v").await.refused(400, "invalid_input");
        let escaped = client.upload_url(&job, &format!("{ORIGIN}/{}", "あ".repeat(250)), "v").await.refused(400, "invalid_input");
        assert!(escaped.contains("2272 characters with everything escaped"), "{escaped}");
        client.upload_url(&job, ORIGIN, &"あ".repeat(200)).await.refused(400, "invalid_input");

        let page = format!("{ORIGIN}/page");
        let links = client.links(&job, &page).await;
        let again = client.upload_url(&job, &page, "Desktop Chrome").await.ok();
        assert!(links.screenshot.contains(again["currentKey"].as_str().unwrap()), "{again}");
        let twin = client.upload_url(&job, "http://127.0.0.1:9/page", "Desktop Chrome").await;
        assert!(twin.refused(400, "invalid_input").contains(&page));

        // Links are for PUT, for what they name, and for uploading alone.
        let path = links.screenshot.strip_prefix(&client.base).unwrap();
        for method in [Method::GET, Method::POST, Method::DELETE] {
            client.send(client.request(method, path)).await.refused(405, "method_not_allowed");
        }
        let tampered = links.screenshot.replace("sig=", "sig=A");
        let other_part = links.screenshot.replace(".png", ".json");
        let unsigned = links.screenshot.split("&sig=").next().unwrap().to_owned() + "&sig=";
        for link in [&tampered, &other_part, &unsigned] {
            client.put_file(link, "image/png", picture(TEAL, 1)).await.refused(403, "forbidden");
        }
        client.put_file(links.screenshot.split('?').next().unwrap(), "image/png", picture(TEAL, 1)).await.refused(400, "invalid_input");
        let fetching = app.service.app.links.sign(path.split('?').next().unwrap(), "", app.service.app.clock.now_ms());
        client.put_file(&format!("{}{fetching}", client.base), "image/png", picture(TEAL, 1)).await.refused(403, "forbidden");

        client.put_file(&links.screenshot, "text/html", picture(TEAL, 1)).await.refused(400, "invalid_input");
        client.put_file(&links.screenshot, "image/png", Vec::new()).await.refused(400, "invalid_input");
        let packed = client.put_request(&links.dom, "application/json").header("content-encoding", "br").body("x");
        client.send(packed).await.refused(400, "invalid_input");
        client.put_file(&links.dom, "application/json", vec![b' '; (16 << 20) + 1]).await.refused(413, "payload_too_large");
        client.put_file(&links.screenshot, "image/png", vec![0; (64 << 20) + 1]).await.refused(413, "payload_too_large");
        break_off(&app, &job, path).await;

        // Another organization, and keys that may not.
        let stranger = app.client_with("other", &["read", "run"]).await;
        stranger.upload_url(&job, &page, "v").await.refused(404, "job_not_found");
        stranger.finalize(&job).await.refused(404, "job_not_found");
        let reader = app.client_with("main", &["read", "review"]).await;
        reader.finalize(&job).await.refused(403, "forbidden");
        reader.upload_url(&job, &page, "v").await.refused(403, "forbidden");
        reader.post("/ci/job/init", json!({ "project": "p", "testOrigin": ORIGIN })).await.refused(403, "forbidden");
        client.send(client.request(Method::POST, "/ci/job/finalize").json(&json!({ "jobId": job }))).await.refused(401, "unauthorized");

        // Once it is finalized nothing more is taken.
        client.upload(&job, &page, picture(TEAL, 1), &tree("Page")).await;
        client.finish(&job).await;
        assert!(client.finalize(&job).await.refused(400, "invalid_state").contains("was finalized"));
        client.upload_url(&job, &page, "v").await.refused(400, "invalid_state");
        client.put_file(&links.screenshot, "image/png", vec![0; 8 << 20]).await.refused(400, "invalid_state");

        // A job that captures by itself takes no uploads.
        let crawled = client.crawl(json!({ "project": "crawled", "testOrigin": "http://127.0.0.1:9" })).await;
        client.upload_url(&crawled, &page, "v").await.refused(400, "invalid_state");
        client.finalize(&crawled).await.refused(400, "invalid_state");
        app.stop().await;
    }
}

/// A PNG whose header promises more pixels than are taken.
fn huge() -> Vec<u8> {
    let mut png = picture(TEAL, 1);
    png[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    png
}

/// Begins an upload, goes away in the middle of it, and waits until nothing is left of it.
async fn break_off(app: &TestApp, job_id: &str, path: &str) {
    let host = app.client.base.strip_prefix("http://").unwrap();
    let mut connection = tokio::net::TcpStream::connect(host).await.unwrap();
    let head = format!(
        "PUT {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: image/png\r\nContent-Length: 2000000\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(&vec![7; 600_000]).await.unwrap();
    until(|| !app.left_in_staging(job_id).is_empty()).await;
    drop(connection);
    until(|| app.left_in_staging(job_id).is_empty()).await;
}

async fn ends_when_it_is_never_finalized(database_url: Option<&str>) {
    let start = 1_800_000_000_000;
    let now = Arc::new(AtomicI64::new(start));
    let minutes = |minutes: i64| now.store(start + minutes * 60_000, Ordering::Relaxed);
    let app = TestApp::with_clock(
        database_url,
        &["--upload-deadline-minutes", "45"],
        Clock::Manual(now.clone()),
    )
    .await;
    let client = &app.client;
    let job = client.init("forgotten", ORIGIN).await;
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    client
        .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
        .await
        .ok();
    minutes(16);
    let late = client
        .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
        .await;
    assert!(late.refused(403, "forbidden").contains("expired"));
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    client
        .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
        .await
        .ok();

    minutes(44);
    sweep::tick(&app.service.app).await.unwrap();
    uploads::clear_staging(&app.service.app).await.unwrap();
    assert_eq!(
        client.get(&format!("/job/{job}")).await.ok()["status"],
        "INITIALIZING"
    );
    assert_eq!(app.left_in_staging(&job).len(), 1);

    minutes(46);
    sweep::tick(&app.service.app).await.unwrap();
    let failed = client.get(&format!("/job/{job}")).await.ok();
    assert_eq!(failed["status"], "FAILED");
    let error = failed["error"].as_str().unwrap();
    assert!(error.contains("never finalized"), "{error}");
    assert_eq!(result(&failed, "/")["status"], "ERROR");
    assert_eq!(failed["progress"]["percent"], "100.00");
    assert_eq!(client.summary(&failed).await["status"], "FAILED");
    client.finalize(&job).await.refused(400, "invalid_state");
    let links = client.upload_url(&job, ORIGIN, "v").await;
    assert!(links.refused(400, "invalid_state").contains("FAILED"));

    // What nobody needs any more goes with the next clean-up.
    let folder = app.staging_folder();
    let gone = folder.join("01900000-0000-7000-8000-000000000000");
    std::fs::create_dir_all(&gone).unwrap();
    std::fs::write(gone.join("left.part"), b"half").unwrap();
    uploads::clear_staging(&app.service.app).await.unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_never_finalized_is_closed_on_sqlite() {
    ends_when_it_is_never_finalized(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_never_finalized_is_closed_on_postgres() {
    ends_when_it_is_never_finalized(Some(&postgres::fresh_database().await)).await;
}

async fn survives_kill_nine(database_url: Option<&str>) {
    const PAGES: u32 = 40;
    let folder = tempfile::tempdir().unwrap();
    let mut service = ServiceProcess::start(folder.path(), database_url);
    let key = service.first_key.clone().unwrap();
    let client = Client::new(service.base.clone(), key.clone());
    let job = client.init("killed", ORIGIN).await;
    for page in 0..PAGES {
        let url = format!("{ORIGIN}/page-{page}");
        client
            .upload(&job, &url, picture(TEAL, page), &tree(&url))
            .await;
    }
    client.finalize(&job).await.ok();
    service.kill();

    let service = ServiceProcess::start(folder.path(), database_url);
    let client = Client::new(service.base.clone(), key);
    let done = client.wait(&job).await;
    assert_eq!(done["status"], "COMPLETED");
    let pages = done["results"].as_array().unwrap();
    let good = |page: &&Value| page["isNewBaseline"] == true && page["status"] == "SUCCESS";
    assert_eq!(
        pages.iter().filter(good).count(),
        PAGES as usize,
        "{done:#}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finalized_job_survives_kill_nine_on_sqlite() {
    survives_kill_nine(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finalized_job_survives_kill_nine_on_postgres() {
    survives_kill_nine(Some(&postgres::fresh_database().await)).await;
}
