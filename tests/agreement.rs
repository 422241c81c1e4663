//! Agreement before alarm: a page that would be called changed is captured again, and only what two captures agree on is a
//! change.

use serde_json::{Value, json};

use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::postgres;
use crate::support::process::ServiceProcess;
use crate::support::site::Site;

/// The place of the banner and of the block below it.
const BLOCK_TOP: i64 = 600;

/// A page with a banner at its top, text, and a block far below it; an answer in turn.
fn page(banner: &str, block: &str) -> (u16, String) {
    said(banner, "All is as it was", block)
}

fn said(banner: &str, text: &str, block: &str) -> (u16, String) {
    let html = format!(
        "<!doctype html><html lang=en><title>Turns</title><style>body{{margin:0;font:16px sans-serif}}\
         div{{height:200px;width:800px}}p{{height:400px;margin:0;width:600px}}</style>\
         <div style='background:{banner}'></div><p>{text}</p><div style='background:{block}'></div></html>"
    );
    (200, html)
}

fn request(site: &Site) -> Value {
    json!({ "project": "turns", "testOrigin": site.origin })
}

/// Runs the project once while the page answers as it does in turn: its result, and how often it was captured.
async fn run(
    client: &Client,
    site: &Site,
    answers: impl IntoIterator<Item = (u16, String)>,
) -> (Value, usize) {
    site.in_turn("/", answers);
    let before = site.count("/");
    let job = client.run(request(site)).await;
    (result(&job, "/").clone(), site.count("/") - before)
}

async fn review_item(client: &Client, result: &Value) -> Value {
    let id = result["resultId"].as_str().unwrap();
    client.get(&format!("/result/{id}")).await.ok()
}

/// Whether it changed and is unstable, and its flaky and known runs.
fn facts(result: &Value) -> (bool, bool, u64, u64) {
    let known = result["knownRuns"].as_u64().unwrap();
    let flaky = result["flakyRuns"].as_u64().unwrap();
    assert_eq!(result["flakeScore"], flaky as f64 / known as f64);
    assert!(result.get("unstable").is_none_or(|it| it == true));
    let is_unstable = result["unstable"] == true;
    (result["changed"] == true, is_unstable, flaky, known)
}

fn note(result: &Value) -> &str {
    result["agreementNote"].as_str().unwrap_or_default()
}

on_both_databases! {
    async fn a_page_is_captured_as_often_as_its_agreement_needs(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        // A first baseline is confirmed: a false one would cost false alarms for ever.
        let (first, captured) = run(client, &site, [page("teal", "navy")]).await;
        assert_eq!((captured, facts(&first), note(&first)), (2, (false, false, 0, 1), ""));
        assert_eq!(first["isNewBaseline"], true);
        // What looks as its baseline needs no second look.
        let (same, captured) = run(client, &site, [page("teal", "navy")]).await;
        assert_eq!((captured, facts(&same), note(&same)), (1, (false, false, 0, 2), ""));
        // What changed is captured once more.
        let (changed, captured) = run(client, &site, [page("teal", "maroon")]).await;
        assert_eq!((captured, facts(&changed), note(&changed)), (2, (true, false, 0, 3), ""));
        // It looked otherwise once, and then as its baseline.
        let (match_after_all, captured) = run(client, &site, [page("gold", "navy"), page("teal", "navy")]).await;
        assert_eq!((captured, facts(&match_after_all)), (2, (false, false, 1, 4)));
        assert!(note(&match_after_all).starts_with("Capture 2 of this run looks as the baseline"), "{match_after_all}");
        assert_eq!((&match_after_all["diffPercentage"], &match_after_all["verdict"]), (&json!(0.0), &Value::Null));
        let (third, captured) = run(client, &site, [page("gold", "navy"), page("pink", "navy"), page("teal", "navy")]).await;
        assert_eq!((captured, facts(&third)), (3, (false, false, 2, 5)));
        // Two of three are the same, and they count.
        let (outvoted, captured) = run(client, &site, [page("gold", "navy"), page("teal", "olive"), page("teal", "olive")]).await;
        assert_eq!((captured, facts(&outvoted)), (3, (true, false, 3, 6)));
        assert!(note(&outvoted).starts_with("Two of three captures"), "{outvoted}");
        let item = review_item(client, &outvoted).await;
        let regions = item["regions"].as_array().unwrap();
        assert_eq!((regions.len(), &regions[0]["box"]["y"]), (1, &json!(BLOCK_TOP)), "the gold banner was seen once");
        assert_eq!(item.get("disagreements"), None);
        let body = json!({ "jobId": item["jobId"] });
        client.post("/approve", body).await.ok();
        let (approved, captured) = run(client, &site, [page("teal", "olive")]).await;
        assert_eq!((captured, approved["changed"].clone()), (1, json!(false)), "the capture that counts became the baseline");
        app.stop().await;
    }

    async fn what_no_two_captures_agree_on_is_unstable_and_no_change(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        run(client, &site, [page("teal", "navy")]).await;
        let banners = ["gold", "pink", "lime"];
        let (unstable, captured) = run(client, &site, banners.map(|banner| page(banner, "navy"))).await;
        assert_eq!((captured, facts(&unstable)), (3, (false, true, 1, 2)));
        assert_eq!(
            note(&unstable),
            "Three captures in this run all differ from each other, so only what two of them agree on counts as a change."
        );
        assert_eq!((&unstable["verdict"], &unstable["diffPercentage"], &unstable["visualMatchScore"]), (&Value::Null, &json!(0.0), &json!(100.0)));
        let item = review_item(client, &unstable).await;
        assert_eq!((&item["outcome"], &item["regions"], &item["maskUrl"]), (&json!("match"), &json!([]), &Value::Null));
        let [apart] = &item["disagreements"].as_array().unwrap()[..] else { panic!("{item:#}") };
        assert_eq!((&apart["side"], &apart["changedPixels"]), (&json!("current"), &json!(800 * 200)));
        assert_eq!(apart["kept"], item["current"]);
        let [kept, other] = [&apart["kept"]["url"], &apart["other"]["url"]];
        assert_ne!(kept, other);
        for picture in [kept, other, &apart["maskUrl"]] {
            let (status, media_type, _) = client.download(picture).await;
            assert_eq!((status.as_u16(), media_type.as_str()), (200, "image/png"));
        }

        // It is told of, and nowhere as a regression.
        let job = json!({ "jobId": item["jobId"] });
        let summary = client.summary(&job).await;
        assert_eq!((&summary["regressionCount"], &summary["matchCount"]), (&json!(0), &json!(1)));
        assert_eq!(summary["intentAssessment"]["decision"], "pass");
        let words = summary["runSummary"].as_str().unwrap();
        assert!(words.ends_with("1 is unstable: its captures in this run differ from each other."), "{words}");
        let path = format!("/job/{}", item["jobId"].as_str().unwrap());
        for (format, said) in [("junit", "unstable: Three captures"), ("markdown", "Unstable, and unchanged"), ("html", "Unstable, and unchanged")] {
            let report = client.get(&format!("{path}/report?format={format}")).await.ok();
            let report = report.as_str().unwrap();
            assert!(report.contains(said) && !report.contains("<failure"), "{report}");
        }
        for (unstable, found) in [("true", 1), ("false", 0)] {
            let list = client.get(&format!("{path}/results?unstable={unstable}")).await.ok();
            assert_eq!((&list["total"], list["results"].as_array().unwrap().len()), (&json!(found), found));
        }

        // Approving all of it leaves the baseline alone: the capture is no better than what is there.
        client.post("/approve", job).await.ok();
        let (same, captured) = run(client, &site, [page("teal", "navy")]).await;
        assert_eq!((captured, &same["changed"]), (1, &json!(false)));
        app.stop().await;
    }

    async fn a_change_beside_what_is_unstable_is_still_a_change(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        run(client, &site, [page("teal", "navy")]).await;
        let banners = ["gold", "pink", "lime"];
        let answers = banners.map(|banner| said(banner, "Nothing is as it was", "maroon"));
        let (changed, captured) = run(client, &site, answers).await;
        assert_eq!((captured, facts(&changed)), (3, (true, true, 1, 2)));
        let item = review_item(client, &changed).await;
        let regions = item["regions"].as_array().unwrap();
        assert!(regions.iter().all(|region| region["box"]["y"].as_i64().unwrap() >= 200), "{regions:#?}");
        assert_eq!(regions.last().unwrap()["box"], json!({ "x": 0, "y": BLOCK_TOP, "w": 800, "h": 200 }));
        let share = changed["diffPercentage"].as_f64().unwrap();
        assert!((15.0..20.0).contains(&share), "{share} % of the whole page, without its banner");
        let edits: Vec<&Value> = changed["changes"].as_array().unwrap().iter().filter(|change| change["type"] == "text-edit").collect();
        assert_eq!(edits.len(), 1, "{changed:#}");
        assert_eq!(client.summary(&json!({ "jobId": item["jobId"] })).await["regressionCount"], 1);
        app.stop().await;
    }

    async fn texts_and_metadata_that_are_others_each_time_raise_no_alarm(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        let clock = |time: &str| said("teal", &format!("It is {time}"), "navy");
        run(client, &site, [clock("11:58")]).await;
        // Two of these share most of their digits, and the baseline shares them with neither.
        let (unstable, captured) = run(client, &site, ["12:01", "12:02", "12:03"].map(clock)).await;
        assert_eq!((captured, facts(&unstable)), (3, (false, true, 1, 2)), "{unstable:#}");
        assert_eq!(unstable.get("contentChanged"), None);
        // Equal pixels, another head.
        let token = |token: &str| {
            let (status, html) = clock("11:58");
            (status, html.replace("<style>", &format!("<meta name=description content='{token}'><style>")))
        };
        let (unstable, captured) = run(client, &site, ["a1", "b2", "c3"].map(token)).await;
        assert_eq!((captured, facts(&unstable)), (3, (false, true, 2, 3)), "{unstable:#}");
        let item = review_item(client, &unstable).await;
        let apart = &item["disagreements"][0];
        assert_eq!((&apart["documentsDiffer"], &apart["changedPixels"], &apart["maskUrl"]), (&json!(true), &json!(0), &Value::Null));
        // The same head three times is a change like any other.
        let (changed, captured) = run(client, &site, [token("a1")]).await;
        assert_eq!((captured, facts(&changed)), (2, (true, false, 2, 4)));
        app.stop().await;
    }

    async fn a_first_baseline_is_what_two_captures_agree_on(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        let (first, captured) = run(client, &site, [page("gold", "navy"), page("teal", "navy"), page("teal", "navy")]).await;
        assert_eq!((captured, facts(&first), &first["isNewBaseline"]), (3, (false, false, 1, 1), &json!(true)));
        let (same, captured) = run(client, &site, [page("teal", "navy")]).await;
        assert_eq!((captured, facts(&same)), (1, (false, false, 1, 2)));

        site.in_turn("/other", ["gold", "pink", "lime"].map(|banner| page(banner, "navy")));
        let other = json!({ "project": "other", "testOrigin": site.origin, "paths": [{ "path": "/other" }] });
        let job = client.run(other).await;
        let torn = result(&job, "/other");
        assert_eq!((site.count("/other"), facts(torn), &torn["isNewBaseline"]), (3, (false, true, 1, 1), &json!(true)));
        assert!(note(torn).ends_with("the baseline that one of them became may raise false alarms."), "{torn:#}");
        assert_eq!(review_item(client, torn).await["disagreements"].as_array().unwrap().len(), 1);
        app.stop().await;
    }

    async fn each_side_of_a_live_job_agrees_with_itself(app: TestApp) {
        let client = &app.client;
        let (site, base) = (Site::start().await, Site::start().await);
        let run = async |test: &[&(u16, String)], reference: &[&(u16, String)]| {
            site.in_turn("/", test.iter().map(|answer| (*answer).clone()));
            base.in_turn("/", reference.iter().map(|answer| (*answer).clone()));
            let before = (site.count("/"), base.count("/"));
            let job = client.run(json!({ "testOrigin": site.origin, "baseOrigin": base.origin })).await;
            let counts = (site.count("/") - before.0, base.count("/") - before.1);
            (result(&job, "/").clone(), counts)
        };
        let (teal, gold, pink, lime) = (page("teal", "navy"), page("gold", "navy"), page("pink", "navy"), page("lime", "navy"));
        let (same, counts) = run(&[&teal], &[&teal]).await;
        assert_eq!((counts, &same["changed"], same.get("flakeScore")), ((1, 1), &json!(false), None));
        let (changed, counts) = run(&[&gold], &[&teal]).await;
        assert_eq!((counts, &changed["changed"], note(&changed)), ((2, 2), &json!(true), ""));
        // Only the side that does not agree is captured a third time.
        let (changed, counts) = run(&[&gold], &[&lime, &teal, &teal]).await;
        assert_eq!((counts, &changed["changed"], changed.get("unstable")), ((2, 3), &json!(true), None));
        assert!(note(&changed).starts_with("Two of three"), "{changed:#}");
        let (same, counts) = run(&[&gold], &[&teal, &gold]).await;
        assert_eq!((counts, &same["changed"]), ((2, 2), &json!(false)));
        let (unstable, counts) = run(&[&gold], &[&teal, &pink, &lime]).await;
        assert_eq!((counts, &unstable["changed"], &unstable["unstable"]), ((2, 3), &json!(false), &json!(true)));
        assert!(note(&unstable).starts_with("Three captures of the base origin"), "{unstable:#}");
        let item = review_item(client, &unstable).await;
        assert_eq!((&item["disagreements"][0]["side"], &item["disagreements"][0]["kept"]), (&json!("baseline"), &item["baseline"]));
        app.stop().await;
    }

    async fn a_page_whose_capturing_again_fails_is_judged_by_what_is_there(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        let broken = || (503, "not now".to_owned());
        run(client, &site, [page("teal", "navy")]).await;
        let (changed, captured) = run(client, &site, [page("teal", "maroon"), broken()]).await;
        // Nothing is known of its agreement: it counts for nothing.
        assert_eq!((captured, facts(&changed)), (2, (true, false, 0, 1)));
        assert_eq!((&changed["status"], changed.get("errorMessage")), (&json!("SUCCESS"), None));
        assert!(note(&changed).starts_with("The page could not be captured again to confirm what is seen here: The page answered 503"), "{changed:#}");
        let (unstable, captured) = run(client, &site, [page("gold", "maroon"), page("pink", "maroon"), broken()]).await;
        assert_eq!((captured, facts(&unstable)), (3, (true, true, 1, 2)));
        assert!(note(&unstable).starts_with("Two captures in this run") && note(&unstable).contains("Another capture failed: The page answered 503"), "{unstable:#}");
        let regions = review_item(client, &unstable).await["regions"].clone();
        assert_eq!((regions.as_array().unwrap().len(), &regions[0]["box"]["y"]), (1, &json!(BLOCK_TOP)));
        app.stop().await;
    }

    async fn the_flake_score_is_of_the_last_twenty_runs(app: TestApp) {
        let (client, site) = (&app.client, Site::start().await);
        let (first, _) = run(client, &site, [page("teal", "navy")]).await;
        // Thirty runs before it: of the eleven latest every one was flaky, of those before the first five, and of two of these nothing is known.
        let earlier = |number: i64| match number {
            0..5 => "unstable",
            5..17 => "steady",
            17..19 => "unconfirmed",
            _ => "flaky",
        };
        let mut tx = app.service.app.db.begin().await.unwrap();
        for number in 0..30 {
            sqlx::query(
                "INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, \
                 status, triage_status, project_id, agreement) SELECT $1, job_id, organization_id, position, $2, page_key, label, \
                 variant_name, stage, outcome, status, triage_status, project_id, $3 FROM results WHERE id = $4",
            )
            .bind(format!("00000000-0000-7000-8000-{number:012}"))
            .bind(format!("{}/run-{number}", site.origin))
            .bind(earlier(number))
            .bind(first["resultId"].as_str().unwrap())
            .execute(&mut *tx)
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
        // This one, the first one, eleven flaky ones, and seven steady ones.
        let (same, _) = run(client, &site, [page("teal", "navy")]).await;
        assert_eq!(facts(&same), (false, false, 11, 20));
        // One more pushes a steady one out.
        let (flaky, _) = run(client, &site, [page("gold", "navy"), page("teal", "navy")]).await;
        assert_eq!(facts(&flaky), (false, false, 12, 20));
        let item = review_item(client, &flaky).await;
        assert_eq!(item["result"]["flakeScore"], 0.6);
        // Another page and another project have runs of their own.
        let job = client.run(json!({ "project": "own", "testOrigin": site.origin })).await;
        assert_eq!(facts(result(&job, "/")), (false, false, 0, 1));
        app.stop().await;
    }
}

async fn survives_kill_nine_between_captures(database_url: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start().await;
    let mut service = ServiceProcess::start(folder.path(), database_url);
    let key = service.first_key.clone().expect("a first key");
    let client = Client::new(service.base.clone(), key.clone());
    let (first, _) = run(&client, &site, [page("teal", "navy")]).await;
    assert_eq!(first["isNewBaseline"], true);
    // The second capture waits for a stylesheet that comes only when something else is asked for: there it is killed.
    let (_, plain) = page("teal", "maroon");
    let held = plain.replace("<style>", "<link rel=stylesheet href=/held.css><style>");
    site.after("/held.css", "/go-on", "text/css", Vec::new());
    site.in_turn("/", [(200, plain.clone()), (200, held), (200, plain)]);
    let before = site.count("/");
    let job_id = client.crawl(request(&site)).await;
    crate::support::until(|| site.count("/held.css") > 0).await;
    service.kill();
    let service = ServiceProcess::start(folder.path(), database_url);
    let client = Client::new(service.base.clone(), key);
    let job = client.wait(&job_id).await;
    let changed = result(&job, "/");
    assert_eq!(facts(changed), (true, false, 0, 2), "{changed:#}");
    assert_eq!(
        site.count("/") - before,
        3,
        "the first capture is kept, the one that was interrupted is taken again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn capturing_again_survives_kill_nine_on_sqlite() {
    survives_kill_nine_between_captures(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn capturing_again_survives_kill_nine_on_postgres() {
    survives_kill_nine_between_captures(Some(&postgres::fresh_database().await)).await;
}
