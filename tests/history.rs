//! One page in one variant through its project's runs, and how its baseline moved.

use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";
const PAGE: &str = "/pricing?year=2026";

/// A run in which the page has this line, and another page never changes.
async fn run(client: &Client, project: &str, line: u32) -> Value {
    let id = client.init(project, ORIGIN).await;
    for (path, line) in [(PAGE, line), ("/other", 3)] {
        let shot = picture([0, 128, 128], line);
        client
            .upload(&id, &format!("{ORIGIN}{path}"), shot, &tree("Prices"))
            .await;
    }
    client.finish(&id).await
}

async fn read(client: &Client, project: &str, more: &str) -> Value {
    let variant = "variantName=Desktop%20Chrome";
    let page = "page=%2Fpricing%3Fyear%3D2026";
    client
        .get(&format!(
            "/project/{project}/history?{page}&{variant}{more}"
        ))
        .await
        .ok()
}

/// The jobs of the runs in an answer.
fn jobs(history: &Value) -> Vec<&Value> {
    let runs = history["runs"].as_array().unwrap();
    runs.iter().map(|run| &run["jobId"]).collect()
}

/// What moved the baseline in each run, the last move first.
fn actions<'h>(history: &'h Value) -> Vec<Vec<&'h str>> {
    let runs = history["runs"].as_array().unwrap();
    let of_run = |run: &'h Value| {
        let moves = run["moves"].as_array().unwrap();
        moves
            .iter()
            .map(|one| one["action"].as_str().unwrap())
            .collect()
    };
    runs.iter().map(of_run).collect()
}

on_both_databases! {
    async fn a_page_is_told_through_the_runs_of_its_project_with_what_moved_its_baseline(app: TestApp) {
        let client = &app.client;
        let ana = app.client_with("main", &["review"]).await;
        let first = run(client, "history", 5).await;
        let second = run(client, "history", 9).await;
        let third = run(client, "history", 9).await;
        ana.decide(&second, result(&second, PAGE), "approve").await.ok();
        let told = read(client, "history", "").await;
        assert_eq!(told["page"], PAGE);
        assert_eq!(jobs(&told), [&third["jobId"], &second["jobId"], &first["jobId"]], "newest first");
        assert_eq!(actions(&told), [vec![], vec!["promote"], vec!["new"]]);
        let runs = told["runs"].as_array().unwrap();
        let is_baseline: Vec<_> = runs.iter().map(|run| run["isBaseline"].as_bool().unwrap()).collect();
        assert_eq!(is_baseline, [false, true, false]);
        let promoted = &runs[1]["moves"][0];
        assert_eq!((&promoted["version"], &promoted["movedBy"]), (&json!(2), &json!("main review")));
        assert_eq!((&runs[1]["startedBy"], &runs[1]["comparisonMode"]), (&json!("admin"), &json!("managed")));
        let approved = &runs[1]["item"]["result"];
        assert_eq!((&approved["resultId"], &approved["triageStatus"]), (&result(&second, PAGE)["resultId"], &json!("approved")));
        assert!(approved.get("changes").is_none() && runs[1]["item"]["thumbnailUrl"].is_string(), "{approved:#}");
        let baseline = &told["baseline"];
        assert_eq!((&baseline["resultId"], &baseline["move"]), (&approved["resultId"], promoted));

        // A decision that is taken back is a move of its own, and the first capture is the baseline again.
        client.decide(&second, result(&second, PAGE), "withdraw").await.ok();
        let told = read(client, "history", "").await;
        assert_eq!(actions(&told), [vec![], vec!["restore", "promote"], vec!["new"]]);
        assert_eq!(told["baseline"]["resultId"], result(&first, PAGE)["resultId"]);
        assert_eq!((&told["baseline"]["move"]["action"], &told["baseline"]["move"]["movedBy"]), (&json!("restore"), &json!("admin")));
        assert_eq!((&told["runs"][2]["isBaseline"], &told["runs"][1]["moves"][0]["leavesNone"]), (&json!(true), &json!(false)));

        // A new page that is rejected after all leaves none behind.
        client.decide(&first, result(&first, "/other"), "reject").await.ok();
        let other = "/project/history/history?page=/other&variantName=Desktop%20Chrome";
        let told = client.get(other).await.ok();
        let last = &told["runs"][2]["moves"][0];
        assert_eq!((&told["baseline"], &last["action"], &last["leavesNone"]), (&Value::Null, &json!("restore"), &json!(true)));
        app.stop().await;
    }

    async fn a_page_is_found_by_its_path_however_that_is_written(app: TestApp) {
        let client = &app.client;
        let paths = ["//blog/post", "/login?next=%2Fhome", "/caf%c3%a9", "/50%25"];
        let id = client.init("paths", ORIGIN).await;
        for path in paths {
            client.upload(&id, &format!("{ORIGIN}{path}"), picture([0, 128, 128], 5), &tree("Prices")).await;
        }
        client.finish(&id).await;
        for path in paths {
            let sent = url::form_urlencoded::byte_serialize(path.as_bytes()).collect::<String>();
            let told = client.get(&format!("/project/paths/history?page={sent}&variantName=Desktop%20Chrome")).await.ok();
            assert_eq!((&told["page"], told["runs"].as_array().unwrap().len()), (&json!(path), 1));
        }
        app.stop().await;
    }

    async fn a_project_that_compares_live_says_so(app: TestApp) {
        let client = &app.client;
        run(client, "live", 5).await;
        let told = read(client, "live", "").await;
        assert_eq!((&told["comparisonMode"], told["baseline"].is_object()), (&json!("managed"), true));
        client.put("/project/live", json!({ "baseOrigin": "http://old.shop.test" })).await.ok();
        let told = read(client, "live", "").await;
        assert_eq!((&told["comparisonMode"], &told["baseline"]), (&json!("live"), &Value::Null));
        assert_eq!(told["runs"][0]["comparisonMode"], "managed");
        app.stop().await;
    }

    async fn a_history_is_read_in_pieces_and_by_the_address_of_the_page_too(app: TestApp) {
        let client = &app.client;
        let mut ran = Vec::new();
        for line in [5, 9, 5] {
            ran.push(run(client, "pieces", line).await["jobId"].clone());
        }
        // Another project has a page of the same name.
        run(client, "elsewhere", 5).await;
        let newest = read(client, "pieces", "&limit=2").await;
        assert_eq!(jobs(&newest), [&ran[2], &ran[1]]);
        let older = read(client, "pieces", &format!("&limit=2&before={}", newest["next"].as_str().unwrap())).await;
        assert_eq!((jobs(&older), &older["next"]), (vec![&ran[0]], &Value::Null));
        assert_eq!(older["baseline"], newest["baseline"]);
        let by_address = format!("/project/pieces/history?page={ORIGIN}:8080/other%23top&variantName=Desktop%20Chrome");
        let other = client.get(&by_address).await.ok();
        assert_eq!((&other["page"], jobs(&other).len()), (&json!("/other"), 3));
        app.stop().await;
    }

    async fn a_baseline_of_a_former_configuration_is_none(app: TestApp) {
        let client = &app.client;
        run(client, "former", 5).await;
        client.put("/project/former", json!({ "customCss": "p { color: red }" })).await.ok();
        let told = read(client, "former", "").await;
        assert_eq!((&told["baseline"], &told["runs"][0]["isBaseline"]), (&Value::Null, &json!(false)));
        let again = run(client, "former", 5).await;
        let told = read(client, "former", "").await;
        assert_eq!(told["baseline"]["resultId"], result(&again, PAGE)["resultId"]);
        assert_eq!(actions(&told), [vec!["new"], vec!["new"]]);
        app.stop().await;
    }

    async fn a_page_that_no_run_had_is_not_found(app: TestApp) {
        let client = &app.client;
        run(client, "missing", 5).await;
        let address = |query: &str| format!("/project/missing/history?{query}");
        let said = client.get(&address("page=/nowhere&variantName=Desktop%20Chrome")).await.refused(404, "not_found");
        assert!(said.contains("/nowhere") && said.contains("Desktop Chrome"), "{said}");
        client.get(&address("page=/other&variantName=mobile")).await.refused(404, "not_found");
        client.get("/project/nobody/history?page=/other&variantName=mobile").await.refused(404, "project_not_found");
        for (wrong, names) in [("page=&variantName=mobile", "`page`"), ("page=mailto:a@b.test&variantName=mobile", "`page`"), ("page=/other&variantName=mobile&limit=101", "`limit`"), ("page=/other&variantName=", "`variantName`"), ("page=pricing&variantName=mobile", "`page`"), ("page=/other", "variantName")] {
            let said = client.get(&address(wrong)).await.refused(400, "invalid_input");
            assert!(said.contains(names), "{wrong}: {said}");
        }
        let long = "a".repeat(24_577);
        for (query, name) in [(format!("page=/{long}&variantName=mobile"), "`page`"), (format!("page=/&variantName={}", &long[..201]), "`variantName`")] {
            let said = client.get(&address(&query)).await.refused(400, "invalid_input");
            assert!(said.contains(name) && said.len() < 200, "{said}");
        }
        let said = client.get(&address(&format!("page=/{}&variantName=mobile", &long[..9_000]))).await.refused(404, "not_found");
        assert!(said.len() < 300, "{said}");
        let stranger = app.client_with("strangers", &["read"]).await;
        stranger.get(&address("page=/other&variantName=Desktop%20Chrome")).await.refused(404, "project_not_found");
        app.stop().await;
    }
}
