//! Addresses and texts at the edge of what both databases keep.

use serde_json::{Value, json};

use super::{ORIGIN, TEAL};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

on_both_databases! {
    async fn the_longest_address_and_any_text_are_kept(app: TestApp) {
        let client = &app.client;
        // Nothing in it repeats, so that no database makes it shorter.
        let mut state = 1_u32;
        let address = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[(state >> 26) as usize])
        });
        let address = format!("{ORIGIN}/{}", address.take(2048 - ORIGIN.len() - 1).collect::<String>());
        let variant: String = (0..100).filter_map(|at| char::from_u32(0x1_0000 + at * 97)).collect();
        let mut last = Value::Null;
        for text in ["Price", "Pri\0ce"] {
            let job = client.init("kept", ORIGIN).await;
            let links = client.upload_url(&job, &address, &variant).await.ok();
            client.put_file(links["uploadUrl"].as_str().unwrap(), "image/png", picture(TEAL, 3)).await.ok();
            client.put_file(links["domUploadUrl"].as_str().unwrap(), "application/json", tree(text).to_string().into_bytes()).await.ok();
            last = client.finish(&job).await;
            assert_eq!((&last["status"], &last["results"][0]["status"]), (&json!("COMPLETED"), &json!("SUCCESS")), "{last:#}");
        }
        let page = &last["results"][0];
        assert_eq!(page["changes"][0]["after"], "Pri\u{fffd}ce");
        let summary = client.summary(&last).await;
        assert_eq!(summary["regressionCount"], 1);
        client.decide(&last, page, "approve").await.ok();
        app.stop().await;
    }
}
