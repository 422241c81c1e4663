//! A service whose captures lie in a bucket: links that lead to it, and what is uploaded behind the service's back. What
//! holds for every storage is tested where it belongs.

mod slow; // a bucket that is slow
mod start; // as whom, and a bucket that cannot be used

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pentimento::clock::Clock;
use pentimento::tasks::{sweep, uploads};
use reqwest::Method;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::{result, tampered};
use crate::support::postgres;
use crate::support::site::Site;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];

/// Runs each test with a bucket and both databases.
macro_rules! in_a_bucket {
    ($(async fn $name:ident($app:ident: TestApp) $body:block)*) => {
        $(async fn $name($app: TestApp) $body)*

        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::TestApp::on_s3_and_sqlite().await).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::TestApp::on_s3_and_postgres().await).await;
            })*
        }
    };
}

in_a_bucket! {
    async fn links_to_captures_lead_to_the_bucket_and_the_dashboards_to_the_service(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        site.page("/", "teal", "");
        let request = json!({ "project": "links", "testOrigin": site.origin });
        client.run(request.clone()).await;
        site.page("/", "maroon", "");
        let job = client.run(request).await;
        let summary = client.summary(&job).await;
        let endpoint = &app.bucket.as_ref().unwrap().endpoint;
        let page = result(&job, "/");
        for (link, expected) in [("currentUrl", endpoint), ("baselineUrl", endpoint), ("diffUrl", &client.base)] {
            for link in [&page[link], &summary["regressions"][0][link]] {
                assert!(link.as_str().unwrap().starts_with(expected.as_str()), "{link}");
                let (status, media_type, png) = client.download(link).await;
                assert_eq!((status.as_u16(), media_type.as_str()), (200, "image/png"), "{link}");
                image::load_from_memory(&png).unwrap();
            }
        }
        let current = page["currentUrl"].as_str().unwrap();
        let response = client.request_to(Method::GET, current).send().await.unwrap();
        assert_eq!(response.headers()["cache-control"], "private,max-age=86400,immutable");
        // The link is for reading this one object.
        let other = current.replace("image%2Fpng", "text%2Fhtml");
        for (method, link) in [(Method::GET, &tampered(current)), (Method::GET, &other), (Method::PUT, &current.to_owned()), (Method::DELETE, &current.to_owned())] {
            let refused = client.send(client.request_to(method, link)).await;
            assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
        }
        let unsigned = current.split('?').next().unwrap();
        assert_eq!(client.send(client.request_to(Method::GET, unsigned)).await.status.as_u16(), 403);

        // A person who follows the inspect link gets the review page.
        let inspect = client.request_to(Method::GET, page["diffUrl"].as_str().unwrap()).header("accept", "text/html,*/*");
        let opened = inspect.send().await.unwrap();
        assert!(opened.headers()["content-type"].to_str().unwrap().starts_with("text/html"));

        let id = page["resultId"].as_str().unwrap();
        let item = client.get(&format!("/result/{id}")).await.ok();
        let listed = client.get(&format!("/job/{}/results", job["jobId"].as_str().unwrap())).await.ok();
        for link in [&item["current"]["url"], &item["baseline"]["url"], &item["maskUrl"], &listed["results"][0]["thumbnailUrl"]] {
            assert!(link.as_str().unwrap().starts_with(&client.base), "{link}");
            let (status, media_type, _) = client.download(link).await;
            assert_eq!((status.as_u16(), media_type.as_str()), (200, "image/png"), "{link}");
        }
        let report = client.get(&format!("/job/{}/report", job["jobId"].as_str().unwrap())).await.ok();
        assert_eq!(report.as_str().unwrap().matches("data:image/png").count(), 2);
        let ready = client.send(client.request(Method::GET, "/readyz")).await.ok();
        assert_eq!(ready["storage"], "ok");
        app.stop().await;
    }

    async fn an_upload_link_takes_one_file_and_no_other(app: TestApp) {
        let client = &app.client;
        let job = client.init("strict", ORIGIN).await;
        let links = client.links(&job, &format!("{ORIGIN}/page")).await;
        let endpoint = &app.bucket.as_ref().unwrap().endpoint;
        assert!(links.screenshot.starts_with(endpoint.as_str()) && links.dom.starts_with(endpoint.as_str()), "{}", links.screenshot);
        let elsewhere = links.screenshot.replace("/staging/", "/blobs/");
        for link in [&tampered(&links.screenshot), &links.screenshot.replace(".png", ".json"), &elsewhere] {
            assert_eq!(client.put_file(link, "image/png", picture(TEAL, 1)).await.status.as_u16(), 403, "{link}");
        }
        for method in [Method::GET, Method::DELETE] {
            assert_eq!(client.send(client.request_to(method, &links.screenshot)).await.status.as_u16(), 403);
        }
        // No header is prescribed.
        let bare = client.request_to(Method::PUT, &links.screenshot).body(picture(TEAL, 1));
        assert_eq!(client.send(bare).await.status.as_u16(), 200);
        let said = client.put_file(&links.dom, "application/json; charset=utf-8", tree("Page").to_string().into_bytes()).await;
        assert_eq!(said.status.as_u16(), 200);
        // The service itself takes no uploads.
        let key = links.screenshot.split("/staging/").nth(1).unwrap().split('?').next().unwrap();
        let ours = app.service.app.links.sign_upload(&format!("/upload/{key}"), app.service.app.clock.now_ms());
        client.put_file(&format!("{}{ours}", client.base), "image/png", picture(TEAL, 1)).await.refused(404, "not_found");
        let done = client.finish(&job).await;
        assert_eq!(result(&done, "/page")["isNewBaseline"], true, "{done:#}");
        app.stop().await;
    }

    async fn what_is_uploaded_too_large_or_too_late_is_never_compared(app: TestApp) {
        let client = &app.client;
        let page = |path: &str| format!("{ORIGIN}{path}");
        let job = client.init("late", ORIGIN).await;
        let late = client.links(&job, &page("/late")).await;
        client.upload(&job, &page("/late"), picture(TEAL, 1), &tree("In time")).await;
        let later = client.links(&job, &page("/later")).await;
        let large = client.links(&job, &page("/large")).await;
        client.put_file(&large.screenshot, "image/png", vec![0; (64 << 20) + 1]).await;
        client.put_file(&large.dom, "application/json", tree("Large").to_string().into_bytes()).await;
        let large = client.links(&job, &page("/large-tree")).await;
        client.put_file(&large.screenshot, "image/png", picture(TEAL, 1)).await;
        client.put_file(&large.dom, "application/json", vec![b' '; (16 << 20) + 1]).await;

        // Links that nobody can take back are used before the work on the finalized job comes to read.
        let held = app.bucket.as_ref().unwrap().hold_staging().await;
        client.finalize(&job).await.ok();
        assert_eq!(client.put_file(&late.screenshot, "image/png", larger()).await.status.as_u16(), 200);
        client.put_file(&later.screenshot, "image/png", picture(TEAL, 1)).await;
        client.put_file(&later.dom, "application/json", tree("Later").to_string().into_bytes()).await;
        drop(held);
        let done = client.wait(&job).await;
        for (path, said) in [
            ("/late", "uploaded again after the job was finalized"),
            ("/later", "The screenshot never arrived"),
            ("/large", "larger than the 64 MiB"),
            ("/large-tree", "larger than the 16 MiB"),
        ] {
            let page = result(&done, path);
            let message = page["errorMessage"].as_str().unwrap_or_default();
            assert!(page["status"] == "ERROR" && message.contains(said), "{path}: {page:#}");
        }
        client.finalize(&job).await.refused(400, "invalid_state");
        client.upload_url(&job, &page("/late"), "v").await.refused(400, "invalid_state");

        // What comes after its page was taken in lies there until the next clean-up; it may have come before that was read.
        client.put_file(&later.dom, "application/json", b"{}".to_vec()).await;
        assert!(!app.left_in_staging(&job).is_empty());
        uploads::clear_staging(&app.service.app).await.unwrap();
        assert!(app.left_in_staging(&job).is_empty());
        app.stop().await;
    }

    async fn revisions_of_many_uploads_are_noted_at_once(app: TestApp) {
        use pentimento::db::uploads::{UploadRevisions, find_revisions, set_revisions};
        let client = &app.client;
        let job = client.init("many", ORIGIN).await;
        let mut noted = Vec::new();
        for number in 0..1_001 {
            let answer = client.upload_url(&job, &format!("{ORIGIN}/{number}"), "v").await.ok();
            let id = answer["currentKey"].as_str().unwrap().split(['/', '.']).nth(1).unwrap().to_owned();
            let upload = UploadRevisions {
                screenshot: Some(format!("shot {number}")),
                dom: (number % 3 == 0).then(|| format!("tree {number}")),
            };
            noted.push((id, upload));
        }
        let mut tx = app.service.app.db.begin().await.unwrap();
        set_revisions(&mut tx, &job, &noted).await.unwrap();
        tx.commit().await.unwrap();
        let mut connection = app.service.app.db.read().await.unwrap();
        for (id, upload) in noted {
            assert_eq!(find_revisions(&mut connection, &id).await.unwrap(), [upload.screenshot, upload.dom]);
        }
        drop(connection);
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reviewer_sees_the_pictures_that_a_bucket_holds() {
    let app = TestApp::on_s3_and_sqlite().await;
    let client = &app.client;
    for colour in [[200, 0, 0], [0, 0, 200]] {
        let job = client.init("seen", ORIGIN).await;
        let page = format!("{ORIGIN}/");
        client
            .upload(&job, &page, picture(colour, 3), &tree("text"))
            .await;
        client.finish(&job).await;
    }
    let jobs = client.get("/jobs").await.ok();
    let job = jobs["jobs"][0]["jobId"].as_str().unwrap();
    let eyes = Eyes::open(1440, 900).await;
    let next = format!("next=/app/jobs/{job}#key={}", client.key);
    eyes.goto(&format!("{}/app/sign-in?{next}", client.base))
        .await;
    let shown = |within: &str, least: usize| {
        format!(
            "[...document.querySelectorAll('{within} img')].filter((image) => image.complete && image.naturalWidth > 0).length >= {least}"
        )
    };
    eyes.until(&shown("[data-testid=\"result-card\"]", 1)).await;
    eyes.click("start-review").await;
    eyes.until(&hook("review")).await;
    eyes.until(&shown("[data-testid=\"canvas\"]", 2)).await;
    eyes.close().await;
    app.stop().await;
}

/// Another picture than [`picture`], and another size of file.
fn larger() -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(400, 400, image::Rgb([9, 80, 120]));
    let mut file = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

/// Milliseconds since 1970 by the clock that the S3 server goes by.
fn now() -> i64 {
    Clock::System.now_ms()
}

#[tokio::test(flavor = "multi_thread")]
async fn links_end_when_they_are_said_to() {
    let clock = Arc::new(AtomicI64::new(now() - 16 * 60_000));
    let settings = ["--link-ttl-seconds", "60"];
    let app = TestApp::on_s3(None, &settings, Clock::Manual(clock.clone())).await;
    let client = &app.client;
    let upload = async |job: &str| {
        let links = client.links(job, &format!("{ORIGIN}/")).await;
        let shot = client
            .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
            .await;
        let dom = client
            .put_file(
                &links.dom,
                "application/json",
                tree("Page").to_string().into_bytes(),
            )
            .await;
        [shot, dom].map(|answer| answer.status.as_u16())
    };
    let job = client.init("short", ORIGIN).await;
    assert_eq!(upload(&job).await, [403, 403], "links from 16 minutes ago");
    clock.store(now() - 14 * 60_000, Ordering::Relaxed);
    assert_eq!(upload(&job).await, [200, 200], "links from 14 minutes ago");
    let done = client.finish(&job).await;
    let (status, ..) = client.download(&result(&done, "/")["currentUrl"]).await;
    assert_eq!(
        status.as_u16(),
        403,
        "a link for a minute, from 14 minutes ago"
    );
    clock.store(now(), Ordering::Relaxed);
    let fresh = client.get(&format!("/job/{job}")).await.ok();
    let (status, ..) = client.download(&result(&fresh, "/")["currentUrl"]).await;
    assert_eq!(status.as_u16(), 200);
    app.stop().await;
}

async fn ends_when_it_is_never_finalized(database_url: Option<&str>) {
    let start = now();
    let clock = Arc::new(AtomicI64::new(start));
    let settings = ["--upload-deadline-minutes", "45"];
    let app = TestApp::on_s3(database_url, &settings, Clock::Manual(clock.clone())).await;
    let client = &app.client;
    let job = client.init("forgotten", ORIGIN).await;
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    client
        .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
        .await
        .ok();

    clock.store(start + 44 * 60_000, Ordering::Relaxed);
    sweep::tick(&app.service.app).await.unwrap();
    uploads::clear_staging(&app.service.app).await.unwrap();
    assert_eq!(app.left_in_staging(&job).len(), 1);

    clock.store(start + 46 * 60_000, Ordering::Relaxed);
    sweep::tick(&app.service.app).await.unwrap();
    assert_eq!(
        client.get(&format!("/job/{job}")).await.ok()["status"],
        "FAILED"
    );
    assert!(app.left_in_staging(&job).is_empty());

    // The link cannot be taken back; what it brings goes with the next clean-up.
    client
        .put_file(&links.screenshot, "image/png", picture(TEAL, 1))
        .await
        .ok();
    assert_eq!(app.left_in_staging(&job).len(), 1);
    uploads::clear_staging(&app.service.app).await.unwrap();
    assert!(app.left_in_staging(&job).is_empty());
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_never_finalized_leaves_nothing_in_the_bucket_on_sqlite() {
    ends_when_it_is_never_finalized(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_never_finalized_leaves_nothing_in_the_bucket_on_postgres() {
    ends_when_it_is_never_finalized(Some(&postgres::fresh_database().await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_without_a_folder_in_common_share_a_bucket() {
    let [one, other] = TestApp::two_on_s3(&postgres::fresh_database().await).await;
    let clients = [&one.client, &other.client];
    let job = one.client.init("shared", ORIGIN).await;
    for (page, client) in (0..12).zip(clients.into_iter().cycle()) {
        client
            .upload(
                &job,
                &format!("{ORIGIN}/{page}"),
                picture(TEAL, page),
                &tree("Page"),
            )
            .await;
    }
    let done = other.client.finish(&job).await;
    for page in done["results"].as_array().unwrap() {
        assert_eq!(page["isNewBaseline"], true, "{page:#}");
        let seen = one
            .client
            .get(&format!("/result/{}", page["resultId"].as_str().unwrap()))
            .await
            .ok();
        for link in [&page["currentUrl"], &seen["current"]["url"]] {
            assert_eq!(one.client.download(link).await.0.as_u16(), 200, "{link}");
        }
    }
    other.stop().await;
    one.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_lead_to_the_address_that_clients_know() {
    let settings = [
        "--s3-public-endpoint",
        "https://pictures.example.com",
        "--public-url",
        "https://vr.example.com",
    ];
    let app = TestApp::on_s3(None, &settings, Clock::System).await;
    let client = &app.client;
    let job = client.init("public", ORIGIN).await;
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    let there = "https://pictures.example.com/captures/visual/main/staging/";
    assert!(links.screenshot.starts_with(there), "{}", links.screenshot);
    app.stop().await;
}
