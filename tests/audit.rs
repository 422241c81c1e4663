//! Reading the audit log.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// A run of one page that shows this colour.
async fn run(client: &Client, red: u8) -> Value {
    let id = client.init("shop", ORIGIN).await;
    let shot = picture([red, 128, 128], 5);
    client
        .upload(&id, &format!("{ORIGIN}/pricing"), shot, &tree("Prices"))
        .await;
    client.finish(&id).await
}

/// A changed page that Ana approved, with a key that was made for her.
async fn approved(app: &TestApp) -> (Value, Value) {
    run(&app.client, 0).await;
    let job = run(&app.client, 90).await;
    let made = json!({ "name": "Ana Özlem", "scopes": ["review", "read"] });
    let made = app.client.post("/keys", made).await.ok();
    let ana = app.client.with_key(&made["secret"]);
    let decision = json!({ "jobId": job["jobId"], "action": "approve", "note": "as wished" });
    ana.post("/approve", decision).await.ok();
    (job, made["key"].clone())
}

async fn read(client: &Client, query: &str) -> Vec<Value> {
    let list = client.get(&format!("/audit{query}")).await.ok();
    assert!(list.get("next").is_none(), "{list:#}");
    list["entries"].as_array().unwrap().clone()
}

/// The log as a file: its type, its name, and its lines.
async fn file(client: &Client, query: &str) -> (String, String, Vec<String>) {
    let request = client.request(Method::GET, &format!("/audit?format=csv{query}"));
    let answer = request.bearer_auth(&client.key).send().await.unwrap();
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    let (kind, name) = (header("content-type"), header("content-disposition"));
    let text = answer.text().await.unwrap();
    let lines = text.split_terminator("\r\n").map(str::to_owned);
    (kind, name, lines.collect())
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect()
}

on_both_databases! {
    async fn what_was_done_is_told_newest_first_and_as_narrow_as_asked(app: TestApp) {
        let client = &app.client;
        let (job, key) = approved(&app).await;
        let all = read(client, "").await;
        let told = actions(&all);
        assert_eq!(told[..3], ["triage.approve", "baseline.promote", "key.create"], "{all:#?}");
        assert_eq!(told.iter().filter(|action| **action == "job.finalize").count(), 2);
        assert_eq!(told.last(), Some(&"key.create"), "the first admin's");
        let times: Vec<_> = all.iter().map(|entry| entry["at"].as_str().unwrap()).collect();
        assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");

        let promoted = &all[1];
        let page = result(&job, "/pricing");
        assert_eq!(promoted["subject"], page["resultId"]);
        assert_eq!(promoted["actor"], "Ana Özlem");
        let figures = json!({ "project": "shop", "job": job["jobId"], "page": "/pricing", "variant": "Desktop Chrome", "version": 2 });
        assert_eq!(promoted["detail"], figures);
        assert_eq!((&all[0]["detail"]["note"], &all[0]["detail"]["pages"]), (&json!("as wished"), &json!(1)));
        let of_shop = |entry: &&Value| entry["project"] == "shop";
        let about_shop = actions(&all.iter().filter(of_shop).cloned().collect::<Vec<_>>()).len();
        assert_eq!(about_shop, all.len() - 2, "all but the keys: {all:#?}");

        // By action, and by what actions are about; not by a part of a word.
        assert_eq!(actions(&read(client, "?action=key.create").await), ["key.create"; 2]);
        assert_eq!(read(client, "?action=key").await.len(), 2);
        assert_eq!(read(client, "?action=ke").await, [json!(null); 0]);
        assert_eq!(read(client, "?action=triage").await, all[..1]);
        // By who did it and to what.
        assert_eq!(read(client, "?actor=ANA").await, all[..2]);
        assert_eq!(read(client, "?actor=a%25a").await, [json!(null); 0], "no pattern");
        assert_eq!(read(client, "?actor=%C3%96zlem").await, all[..2], "as it is written, whatever the letters");
        let id = key["keyId"].as_str().unwrap();
        assert_eq!(read(client, &format!("?subject={id}")).await, all[2..3]);
        // By time: from then on, and before then.
        let at = times[2];
        let since = read(client, &format!("?from={at}")).await;
        let before = read(client, &format!("?until={at}")).await;
        assert_eq!([since, before].concat(), all);
    }

    async fn a_project_that_comes_with_its_first_run_is_told_once(app: TestApp) {
        let client = &app.client;
        for red in [0, 90] {
            run(client, red).await;
        }
        // Nothing listens there, so that a job that reads its sitemap there ends at once.
        let mut crawl = json!({ "project": "crawled", "testOrigin": "http://127.0.0.1:9", "sitemapUrl": "http://127.0.0.1:9/sitemap.xml" });
        for _ in 0..2 {
            client.run(crawl.clone()).await;
        }
        crawl["project"] = json!("live");
        crawl["baseOrigin"] = json!("http://127.0.0.1:9");
        client.run(crawl).await;
        let made = read(client, "?action=project.create").await;
        let names: Vec<_> = made.iter().map(|entry| &entry["detail"]["name"]).collect();
        assert_eq!(names, ["crawled", "shop"], "a live run makes none: {made:#?}");
        for entry in &made {
            assert_eq!((&entry["actor"], &entry["project"]), (&json!("admin"), &entry["detail"]["name"]));
        }
        app.stop().await;
    }

    async fn it_is_read_page_by_page_and_as_a_file(app: TestApp) {
        let client = &app.client;
        approved(&app).await;
        let project = json!({ "comparisonMode": "live", "baseOrigin": "https://example.com" });
        client.put("/project/shop", project).await.ok();
        let all = read(client, "").await;
        assert_eq!((&all[0]["action"], &all[0]["project"]), (&json!("project.update"), &json!("shop")));
        let mut pages = Vec::new();
        let mut after = String::new();
        loop {
            let list = client.get(&format!("/audit?limit=2{after}")).await.ok();
            let entries = list["entries"].as_array().unwrap();
            assert!((1..=2).contains(&entries.len()), "{list}");
            pages.extend(entries.clone());
            let Some(next) = list["next"].as_str() else { break };
            after = format!("&before={next}");
        }
        assert_eq!(pages, all);

        let (kind, name, lines) = file(client, "&limit=1").await;
        assert_eq!(kind, "text/csv; charset=utf-8");
        assert!(name.starts_with("attachment; filename=\"pentimento-audit-20"), "{name}");
        assert_eq!(lines[0], "entryId,at,actor,action,subject,project,detail");
        assert_eq!(lines.len(), 1 + all.len(), "a file has all of them");
        for (line, entry) in lines[1..].iter().zip(&all) {
            let start = ["entryId", "at", "actor", "action", "subject"].map(|field| entry[field].as_str().unwrap());
            assert!(line.starts_with(&start.join(",")), "{line} of {entry}");
        }
        assert!(lines[1].contains(",shop,"), "{}", lines[1]);
        assert_eq!(file(client, "&action=key").await.2.len(), 1 + 2);
    }

    async fn only_admins_read_it_and_only_their_own(app: TestApp) {
        approved(&app).await;
        let reader = app.client_with("main", &["read", "run", "review"]).await;
        for query in ["", "?format=csv"] {
            reader.get(&format!("/audit{query}")).await.refused(403, "forbidden");
        }
        let other = app.client_with("other", &["admin"]).await;
        let own = read(&other, "").await;
        assert_eq!(actions(&own), ["key.create"], "{own:#?}");
        assert_eq!(file(&other, "").await.2.len(), 1 + 1);
        for query in [
            "limit=0", "limit=501", "before=now", "before=1.2", "from=yesterday", "until=2026-11-27", "format=xml",
            &format!("action={}", "a".repeat(101)),
        ] {
            app.client.get(&format!("/audit?{query}")).await.refused(400, "invalid_input");
        }
    }
}
