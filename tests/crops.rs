//! Pictures of what changed: cut out of the captures, before and after, by signed links.

use std::time::Duration;

use pentimento_compute::{Size, read_size};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp;
use crate::support::client::{Client, result, tampered};
use crate::support::on_both_databases;
use crate::support::uploads::tree;

const ORIGIN: &str = "http://shop.test";
const WIDTH: u32 = 600;
const HEIGHT: u32 = 3000;

/// A tall page on which every row is its own, with a box of this colour far down, and so many rows that are new at its top.
fn page(colour: [u8; 3], new_rows: u32) -> Vec<u8> {
    let pixel = |x: u32, y: u32| {
        let Some(y) = y.checked_sub(new_rows) else {
            return image::Rgb([200, 120, 10]);
        };
        let in_box = (100..140).contains(&x) && (2500..2520).contains(&y);
        let [low, high, ..] = (y * 7919).to_le_bytes();
        match (in_box, x < 8) {
            (true, _) => image::Rgb(colour),
            (false, true) => image::Rgb([low, high, 90]),
            (false, false) => image::Rgb([255; 3]),
        }
    };
    encode(&image::RgbImage::from_fn(WIDTH, HEIGHT + new_rows, pixel))
}

/// Noise, whose files are too long to be read into memory at once, with a box of this colour.
fn noise(colour: [u8; 3]) -> Vec<u8> {
    let png = encode(&image::RgbImage::from_fn(WIDTH, 900, |x, y| {
        if (100..140).contains(&x) && (500..520).contains(&y) {
            return image::Rgb(colour);
        }
        let mix = (x ^ y.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
        let [r, g, b, _] = (mix ^ mix >> 15).wrapping_mul(0xc2b2_ae35).to_be_bytes();
        image::Rgb([r, g, b])
    }));
    assert!(png.len() > 1 << 20, "{} bytes", png.len());
    png
}

fn encode(picture: &image::RgbImage) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

async fn run(client: &Client, project: &str, screenshot: Vec<u8>) -> Value {
    let id = client.init(project, ORIGIN).await;
    client
        .upload(&id, &format!("{ORIGIN}/"), screenshot, &tree("Welcome"))
        .await;
    client.finish(&id).await
}

async fn review(client: &Client, job: &Value) -> Value {
    let id = result(job, "/")["resultId"].as_str().unwrap();
    client.get(&format!("/result/{id}")).await.ok()
}

async fn picture(client: &Client, link: &Value) -> (Size, image::RgbImage) {
    let (status, media_type, png) = client.download(link).await;
    assert_eq!(
        (status.as_u16(), media_type.as_str()),
        (200, "image/png"),
        "{link}"
    );
    (
        read_size(&png).unwrap(),
        image::load_from_memory(&png).unwrap().to_rgb8(),
    )
}

/// Draws what changed on a page without its captures' screenshots, and without their stored forms.
async fn drawn_of_either_form(app: &TestApp, job: &Value) {
    let client = &app.client;
    let crop = review(client, job).await["regionCrops"][0]["currentUrl"].clone();
    let links = [&result(job, "/")["diffUrl"], &crop];
    let draw = async || {
        // What was drawn is kept.
        let mut tx = app.service.app.db.begin().await.unwrap();
        sqlx::query("UPDATE results SET diff_blob = NULL")
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        [
            picture(client, links[0]).await,
            picture(client, links[1]).await,
        ]
    };
    let as_drawn = draw().await;
    assert!(as_drawn[0].0.width > 3 * WIDTH, "side by side");
    let files: Vec<(String, String)> =
        sqlx::query_as("SELECT screenshot_blob, strips_blob FROM captures")
            .fetch_all(&mut *app.service.app.db.read().await.unwrap())
            .await
            .unwrap();
    let (screenshots, stored): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let hidden = |blob: &String| app.blob_file(blob).with_extension("hidden");
    for form in [screenshots, stored] {
        for blob in &form {
            std::fs::rename(app.blob_file(blob), hidden(blob)).unwrap();
        }
        assert!(draw().await == as_drawn);
        for blob in &form {
            std::fs::rename(hidden(blob), app.blob_file(blob)).unwrap();
        }
    }
}

on_both_databases! {
    async fn a_change_far_down_a_page_is_shown_before_and_after(app: TestApp) {
        let client = &app.client;
        run(client, "crops", page([0, 0, 200], 0)).await;
        let job = run(client, "crops", page([200, 0, 0], 0)).await;
        let crops = review(client, &job).await["regionCrops"].clone();
        assert_eq!(crops.as_array().unwrap().len(), 1);
        assert_eq!(crops[0]["label"], "A");
        // 40 × 20 pixels changed; what is around them shows where that is.
        for (side, colour) in [("baselineUrl", [0, 0, 200]), ("currentUrl", [200, 0, 0])] {
            let (size, shown) = picture(client, &crops[0][side]).await;
            assert_eq!((size.width, size.height), (240, 160));
            assert_eq!(shown.get_pixel(120, 80).0, colour);
            assert_eq!(shown.get_pixel(10, 10).0, [255; 3]);
        }
        let job_id = job["jobId"].as_str().unwrap();
        let listed = client.get(&format!("/job/{job_id}/results?crops=true&brief=true")).await.ok();
        assert_eq!(listed["results"][0]["regionCrops"], crops[0]);
        let plain = client.get(&format!("/job/{job_id}/results")).await.ok();
        assert!(plain["results"][0]["regionCrops"].is_null());
        let groups = client.get(&format!("/job/{job_id}/groups")).await.ok();
        assert_eq!(groups["groups"][0]["example"]["regionCrops"], crops[0]);
        app.stop().await;
    }

    async fn what_one_capture_lacks_has_one_picture(app: TestApp) {
        let client = &app.client;
        run(client, "bands", page([0, 0, 200], 0)).await;
        let job = run(client, "bands", page([0, 0, 200], 400)).await;
        let crops = review(client, &job).await["regionCrops"].clone();
        assert!(crops[0]["baselineUrl"].is_null(), "{crops}");
        // 600 × 400 and 48 rows below, within 480 × 360.
        let (size, shown) = picture(client, &crops[0]["currentUrl"]).await;
        assert_eq!((size.width, size.height), (480, 358));
        assert_eq!(shown.get_pixel(200, 100).0, [200, 120, 10]);
        app.stop().await;
    }

    async fn pictures_are_drawn_of_either_form_of_the_captures(app: TestApp) {
        run(&app.client, "forms", page([0, 0, 200], 0)).await;
        let job = run(&app.client, "forms", page([200, 0, 0], 30)).await;
        drawn_of_either_form(&app, &job).await;
        app.stop().await;
    }

    async fn pictures_are_drawn_of_long_files(app: TestApp) {
        run(&app.client, "long", noise([0, 0, 200])).await;
        let job = run(&app.client, "long", noise([200, 0, 0])).await;
        let item = review(&app.client, &job).await;
        assert_eq!(item["changedPixels"], 800);
        let (_, shown) = picture(&app.client, &item["regionCrops"][0]["currentUrl"]).await;
        assert_eq!(shown.get_pixel(120, 80).0, [200, 0, 0]);
        drawn_of_either_form(&app, &job).await;
        app.stop().await;
    }

    async fn a_picture_of_a_page_that_is_still_worked_on_is_not_kept(app: TestApp) {
        let client = &app.client;
        run(client, "kept", page([0, 0, 200], 0)).await;
        let job = run(client, "kept", page([200, 0, 0], 0)).await;
        let link = result(&job, "/")["diffUrl"].as_str().unwrap();
        let kept = async || client.request_to(reqwest::Method::GET, link).send().await.unwrap().headers()["cache-control"].clone();
        assert_eq!(kept().await, "private, max-age=86400, immutable");
        let mut tx = app.service.app.db.begin().await.unwrap();
        let compares = sqlx::query("UPDATE results SET stage = 'compare', worker_id = $1").bind(&app.service.app.worker_id);
        compares.execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(kept().await, "no-store");
        app.stop().await;
    }

    async fn a_drawing_goes_on_when_its_caller_hangs_up(app: TestApp) {
        let client = &app.client;
        run(client, "gone", page([0, 0, 200], 0)).await;
        let job = run(client, "gone", page([200, 0, 0], 0)).await;
        let link = result(&job, "/")["diffUrl"].clone();
        let read = async |column: &str| -> Option<String> {
            let sql = format!("SELECT {column} FROM results WHERE mask_blob IS NOT NULL");
            let mut db = app.service.app.db.read().await.unwrap();
            sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *db).await.unwrap()
        };
        // A mask that comes no faster than it is written.
        let mask = app.blob_file(&read("mask_blob").await.unwrap());
        let content = std::fs::read(&mask).unwrap();
        std::fs::remove_file(&mask).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&mask).status().unwrap().success());
        // It can be opened when somebody reads.
        let opening = tokio::task::spawn_blocking({
            let mask = mask.clone();
            move || std::fs::File::create(mask).unwrap()
        });
        let mut writer = tokio::select! {
            writer = opening => writer.unwrap(),
            (status, ..) = client.download(&link) => panic!("{status} without a mask"),
        };
        // Time for the service to see that nobody waits any longer.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(read("diff_blob").await, None);
        std::io::Write::write_all(&mut writer, &content).unwrap();
        drop(writer);
        let kept = async {
            while read("diff_blob").await.is_none() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), kept).await.expect("it is kept");
        std::fs::remove_file(&mask).unwrap();
        std::fs::write(&mask, content).unwrap();
        let (_, drawn) = picture(client, &link).await;
        assert!(drawn.width() > 3 * WIDTH, "side by side");
        app.stop().await;
    }

    async fn a_link_shows_the_picture_it_was_made_for_and_no_other(app: TestApp) {
        let client = &app.client;
        run(client, "links", page([0, 0, 200], 0)).await;
        let job = run(client, "links", page([200, 0, 0], 0)).await;
        let link = review(client, &job).await["regionCrops"][0]["currentUrl"].clone();
        let link = link.as_str().unwrap();
        for (changed, status, code) in [
            (tampered(link), 403, "forbidden"),
            (link.replace("A-current", "A-baseline"), 403, "forbidden"),
            (link.split('?').next().unwrap().to_owned(), 400, "invalid_input"),
        ] {
            client.send(client.request_to(reqwest::Method::GET, &changed)).await.refused(status, code);
        }
        let signed = |path: &str| {
            let path = app.service.app.links.sign(path, "", app.service.app.clock.now_ms());
            client.request(reqwest::Method::GET, &path)
        };
        let id = result(&job, "/")["resultId"].as_str().unwrap();
        for region in ["B-current", "A-both", "A"] {
            client.send(signed(&format!("/crop/{id}/{region}"))).await.refused(404, "not_found");
        }
        app.stop().await;
    }
}
