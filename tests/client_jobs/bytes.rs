//! What counts of uploaded bytes: their pixels, whatever lies beside them, and nothing that was refused. And that they go.

use std::path::Path;
use std::time::Duration;

use pentimento::db::jobs::lock_job;
use pentimento::tasks::uploads::clear_staging;
use serde_json::json;

use super::{ORIGIN, TEAL};
use crate::support::app::TestApp as App;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::postgres::until_somebody_waits;
use crate::support::until;
use crate::support::uploads::{gzip, picture, tree};

/// The same picture in other bytes: with a text beside its pixels, as a tool writes that notes the time.
fn noted(picture: &[u8], text: &str) -> Vec<u8> {
    let (head, rest) = picture.split_at(33);
    let contents = format!("Comment\0{text}");
    let length = u32::try_from(contents.len()).unwrap().to_be_bytes();
    // Nobody looks at the checksum.
    [head, &length, b"tEXt", contents.as_bytes(), &[0; 4], rest].concat()
}

on_both_databases! {
    async fn a_page_that_looks_the_same_to_the_pixel_hinders_no_approval(app: TestApp) {
        let client = &app.client;
        let run = async |time: &str, colour: [u8; 3]| {
            let id = client.init("noted", ORIGIN).await;
            client.upload(&id, &format!("{ORIGIN}/same"), noted(&picture(TEAL, 3), time), &tree("Same")).await;
            client.upload(&id, &format!("{ORIGIN}/other"), picture(colour, 3), &tree("Other")).await;
            client.finish(&id).await
        };
        run("at one", TEAL).await;
        let (first, second) = (run("at two", [200, 0, 0]).await, run("at three", [0, 0, 200]).await);
        assert_eq!(result(&first, "/same")["changed"], false);
        client.post("/approve", json!({ "jobId": first["jobId"] })).await.ok();
        assert_eq!(app.audited("baseline.promote").await.len(), 1, "the same picture stays where it is");
        // So of the page that is the same nothing has moved, and only the other one is a conflict.
        let refused = client.post("/approve", json!({ "jobId": second["jobId"] })).await;
        assert_eq!(refused.body["conflictedUrls"], json!([format!("{ORIGIN}/other")]));
        app.stop().await;
    }

    async fn a_tree_that_unpacks_to_more_than_is_compared_leaves_the_pixels(app: TestApp) {
        let client = &app.client;
        let run = async |colour: [u8; 3], padding: usize| {
            let id = client.init("unpacked", ORIGIN).await;
            let links = client.links(&id, &format!("{ORIGIN}/")).await;
            client.put_file(&links.screenshot, "image/png", picture(colour, 3)).await.ok();
            let mut tree = tree("Welcome").to_string().into_bytes();
            tree.resize(padding, b' ');
            client.put_file(&links.dom, "application/json", gzip(&tree)).await.ok();
            result(&client.finish(&id).await, "/").clone()
        };
        let beyond = 17 << 20;
        let first = run(TEAL, beyond).await;
        assert_eq!((&first["status"], &first["isNewBaseline"]), (&json!("SUCCESS"), &json!(true)));
        // The same bytes again are no document that was found the same, and other ones none that changed.
        for (colour, padding, changed) in [(TEAL, beyond, false), (TEAL, beyond + 1, false), ([200, 0, 0], beyond + 2, true), (TEAL, 1 << 20, false)] {
            let page = run(colour, padding).await;
            assert_eq!((&page["status"], &page["changed"]), (&json!("SUCCESS"), &json!(changed)), "{page:#}");
            assert!(page["domAssistSkipReason"].as_str().unwrap().contains("larger than 16 MiB"), "{page:#}");
            assert_eq!((page.get("changes"), page.get("contentChanged")), (None, None));
        }
        app.stop().await;
    }

    async fn an_upload_that_is_refused_counts_for_nothing(app: TestApp) {
        let client = &app.client;
        let id = client.init("late", ORIGIN).await;
        let page = format!("{ORIGIN}/");
        let links = client.links(&id, &page).await;
        client.upload(&id, &page, picture(TEAL, 3), &tree("Page")).await;
        // Somebody finalizes while the second one arrives.
        let mut tx = app.service.app.db.begin().await.unwrap();
        let close = "UPDATE jobs SET status = 'PROCESSING' WHERE id = $1";
        sqlx::query(close).bind(&id).execute(&mut *tx).await.unwrap();
        let late = client.put_file(&links.screenshot, "image/png", picture([200, 0, 0], 3));
        let finalizing = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            tx.commit().await.unwrap();
        };
        let (late, ()) = tokio::join!(late, finalizing);
        late.refused(400, "invalid_state");
        let staged = std::fs::read_dir(app.service.app.config.store.data_dir.join("staging").join(&id)).unwrap();
        let screenshots: Vec<Vec<u8>> = staged.map(|file| std::fs::read(file.unwrap().path()).unwrap()).filter(|file| file.starts_with(b"\x89PNG")).collect();
        assert_eq!(screenshots, [picture(TEAL, 3)]);
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_has_arrived_is_placed_when_its_sender_hangs_up() {
    let app = App::on_postgres().await;
    let id = app.client.init("gone", ORIGIN).await;
    let links = app.client.links(&id, &format!("{ORIGIN}/")).await;
    let mut held = app.service.app.db.begin().await.unwrap();
    lock_job(&mut held, &id).await.unwrap();
    // A client of its own, whose connection goes with it.
    let client = Client::new(app.client.base.clone(), app.client.key.clone());
    let link = links.screenshot.clone();
    let upload = tokio::spawn(async move {
        let shot = picture(TEAL, 3);
        client.put_file(&link, "image/png", shot).await
    });
    until_somebody_waits(&app).await;
    upload.abort();
    assert!(upload.await.is_err_and(|ended| ended.is_cancelled()));
    // While these are answered, the service hears that nobody waits any more.
    for _ in 0..20 {
        app.client.get("/healthz").await.ok();
    }
    let placed = || {
        let names = app.left_in_staging(&id).into_iter();
        names
            .filter(|name| Path::new(name).extension() == Some("png".as_ref()))
            .count()
    };
    assert_eq!(placed(), 0, "its job's row is held");
    held.commit().await.unwrap();
    until(|| placed() == 1).await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_removed_keeps_no_other_leftovers() {
    let app = App::on_sqlite().await;
    let staging = app.service.app.config.store.data_dir.join("staging");
    // No job has these ids, and a file is no folder of one.
    let place =
        |number: usize| staging.join(format!("01900000-0000-7000-8000-0000000000{number:02}"));
    for number in 10..30 {
        if number % 2 == 0 {
            std::fs::write(place(number), b"in the way").unwrap();
        } else {
            std::fs::create_dir_all(place(number)).unwrap();
        }
    }
    assert!(clear_staging(&app.service.app).await.is_err());
    let left = (10..30).filter(|number| place(*number).exists());
    assert_eq!(
        left.collect::<Vec<_>>(),
        (10..30).step_by(2).collect::<Vec<_>>()
    );
    app.stop().await;
}
