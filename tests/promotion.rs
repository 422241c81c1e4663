//! Many clients decide on the same pages at once: one wins, the others hear so, and the history stays straight.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Client, result};
use crate::support::on_both_databases;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://localhost:3000";
const TEAL: [u8; 3] = [0, 128, 128];
const MAROON: [u8; 3] = [128, 0, 0];
const CLIENTS: u8 = 64;

/// A client with a connection of its own.
fn another(client: &Client) -> Client {
    Client::new(client.base.clone(), client.key.clone())
}

/// A job whose client captured these paths, all in one colour.
async fn run(client: &Client, project: &str, paths: &[&str], colour: [u8; 3]) -> Value {
    let id = client.init(project, ORIGIN).await;
    for path in paths {
        let url = format!("{ORIGIN}{path}");
        client
            .upload(&id, &url, picture(colour, 3), &tree("Welcome"))
            .await;
    }
    client.finish(&id).await
}

/// As many jobs at once as there are clients, each of which saw another colour.
async fn rivals(client: &Client, project: &str) -> Vec<Value> {
    let runs = (0..CLIENTS).map(|number| {
        let client = another(client);
        async move { run(&client, project, &["/"], [128, number, 0]).await }
    });
    futures::future::join_all(runs).await
}

/// Sends all decisions at once, each from a client of its own, and returns their statuses in that order.
async fn decide_at_once(client: &Client, what: &str, bodies: Vec<Value>) -> Vec<u16> {
    let calls = bodies.into_iter().map(|body| {
        let client = another(client);
        tokio::spawn(async move {
            let begun = Instant::now();
            let status = client.post("/approve", body).await.status.as_u16();
            (status, begun.elapsed())
        })
    });
    let calls: Vec<_> = calls.collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    let mut times: Vec<Duration> = answers.iter().map(|(_, took)| *took).collect();
    times.sort_unstable();
    println!(
        "{what}: {} calls at once, median {:?}, slowest {:?}",
        times.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    answers.into_iter().map(|(status, _)| status).collect()
}

fn one_page(job: &Value, path: &str, action: &str) -> Value {
    let page = result(job, path);
    json!({ "jobId": job["jobId"], "url": page["url"], "variantName": page["variantName"], "action": action })
}

/// A move of a page's pointer: version, action, job, capture.
type Moved = (i64, String, Option<String>, Option<String>);

/// The history of a page, which must be straight: versions without gaps, and the pointer where the last of them put it.
async fn history(app: &TestApp, path: &str) -> Vec<Moved> {
    let mut connection = app.service.app.db.read().await.unwrap();
    let history: Vec<Moved> = sqlx::query_as("SELECT version, action, job_id, capture_id FROM baseline_history WHERE page_key = $1 ORDER BY version")
        .bind(path)
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    let pointer: (i64, Option<String>) =
        sqlx::query_as("SELECT version, capture_id FROM baselines WHERE page_key = $1")
            .bind(path)
            .fetch_one(&mut *connection)
            .await
            .unwrap();
    let versions: Vec<i64> = history.iter().map(|moved| moved.0).collect();
    let straight = versions
        .iter()
        .zip(1..)
        .all(|(version, number)| *version == number);
    assert!(straight, "{versions:?}");
    let last = history.last().unwrap();
    assert_eq!(pointer, (last.0, last.3.clone()));
    history
}

/// How many entries of this kind the audit log has.
async fn audited(app: &TestApp, action: &str) -> usize {
    app.audited(action).await.len()
}

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}

on_both_databases! {
    async fn a_page_that_64_clients_approve_at_once_is_promoted_once(app: TestApp) {
        run(&app.client, "one", &["/"], TEAL).await;
        let job = run(&app.client, "one", &["/"], MAROON).await;
        let bodies = (0..CLIENTS).map(|_| one_page(&job, "/", "approve")).collect();
        let statuses = decide_at_once(&app.client, "one job", bodies).await;
        assert_eq!(count(&statuses, 200), 64, "{statuses:?}");
        let actions: Vec<String> = history(&app, "/").await.into_iter().map(|moved| moved.1).collect();
        assert_eq!(actions, ["new", "promote"]);
        assert_eq!((audited(&app, "baseline.promote").await, audited(&app, "triage.approve").await), (1, 64));
        assert_eq!(app.client.reread(&job).await["status"], "APPROVED");
        app.stop().await;
    }

    async fn of_64_jobs_that_saw_the_same_baseline_one_wins(app: TestApp) {
        run(&app.client, "many", &["/"], TEAL).await;
        let jobs = rivals(&app.client, "many").await;
        let bodies = jobs.iter().map(|job| one_page(job, "/", "approve")).collect();
        let statuses = decide_at_once(&app.client, "64 jobs", bodies).await;
        assert_eq!((count(&statuses, 200), count(&statuses, 409)), (1, 63), "{statuses:?}");
        let winner = &jobs[statuses.iter().position(|status| *status == 200).unwrap()];
        let moves = history(&app, "/").await;
        assert_eq!((moves.len(), moves[1].2.as_deref()), (2, winner["jobId"].as_str()));
        assert_eq!((audited(&app, "baseline.promote").await, audited(&app, "triage.approve").await), (1, 1), "a call that was refused left nothing");
        for job in &jobs {
            let expected = if job["jobId"] == winner["jobId"] { ("APPROVED", "approved") } else { ("COMPLETED", "pending") };
            let job = app.client.reread(job).await;
            assert_eq!((&job["status"], &result(&job, "/")["triageStatus"]), (&json!(expected.0), &json!(expected.1)));
        }
        let refused = app.client.post("/approve", one_page(jobs.iter().find(|job| job["jobId"] != winner["jobId"]).unwrap(), "/", "approve")).await;
        assert_eq!(refused.body["conflictedUrls"], json!([format!("{ORIGIN}/")]));
        refused.refused(409, "baseline_moved");
        app.stop().await;
    }

    async fn approving_and_rejecting_a_page_at_once_ends_as_its_history_says(app: TestApp) {
        run(&app.client, "mixed", &["/"], TEAL).await;
        let job = run(&app.client, "mixed", &["/"], MAROON).await;
        let action = |number: u8| if number.is_multiple_of(2) { "approve" } else { "reject" };
        let bodies = (0..CLIENTS).map(|number| one_page(&job, "/", action(number))).collect();
        let statuses = decide_at_once(&app.client, "approve and reject", bodies).await;
        assert_eq!(count(&statuses, 200), 64, "{statuses:?}");
        assert_eq!((audited(&app, "triage.approve").await, audited(&app, "triage.reject").await), (32, 32));
        let moves = history(&app, "/").await;
        let (old, new) = (moves[0].3.clone(), moves[1].3.clone());
        for (number, moved) in moves.iter().enumerate() {
            let expected = match number {
                0 => ("new", &old),
                odd if odd % 2 == 1 => ("promote", &new),
                _ => ("restore", &old),
            };
            assert_eq!((moved.1.as_str(), &moved.3), expected, "the pointer goes to and fro between the two captures");
        }
        assert_eq!(audited(&app, "baseline.promote").await + audited(&app, "baseline.restore").await, moves.len() - 1);
        let job = app.client.reread(&job).await;
        let expected = if moves.len().is_multiple_of(2) { ("approved", "APPROVED") } else { ("rejected", "COMPLETED") };
        assert_eq!((&result(&job, "/")["triageStatus"], &job["status"]), (&json!(expected.0), &json!(expected.1)));
        let is_new = result(&run(&app.client, "mixed", &["/"], MAROON).await, "/")["changed"] == false;
        assert_eq!(is_new, expected.0 == "approved", "the next run compares with what the history names last");
        app.stop().await;
    }

    async fn all_pages_of_a_call_are_promoted_or_none_whoever_comes_between(app: TestApp) {
        let paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
        for round in 0..4_u8 {
            let project = format!("round-{round}");
            let pages: Vec<String> = paths.iter().map(|path| format!("{path}{round}")).collect();
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            run(&app.client, &project, &pages, TEAL).await;
            let whole = run(&app.client, &project, &pages, MAROON).await;
            let single = run(&app.client, &project, &pages, [0, 0, 128]).await;
            let mut bodies: Vec<Value> = (0..8).map(|_| json!({ "jobId": whole["jobId"] })).collect();
            bodies.extend(pages.iter().map(|path| one_page(&single, path, "approve")));
            // Sometimes the single pages come first.
            if round % 2 == 1 {
                bodies.rotate_left(8);
            }
            let statuses = decide_at_once(&app.client, "all pages and one", bodies.clone()).await;
            let (mut by_whole, mut by_single) = (0, 0);
            for path in &pages {
                let moves = history(&app, path).await;
                assert_eq!(moves.len(), 2, "{path} was promoted once: {moves:?}");
                by_whole += usize::from(moves[1].2.as_deref() == whole["jobId"].as_str());
                by_single += usize::from(moves[1].2.as_deref() == single["jobId"].as_str());
            }
            let accepted = |job: &Value| bodies.iter().zip(&statuses).filter(|(body, status)| body["jobId"] == job["jobId"] && **status == 200).count();
            let expected = if accepted(&whole) > 0 { (8, 6, 0, 0) } else { (0, 0, 6, 6) };
            assert_eq!((accepted(&whole), by_whole, accepted(&single), by_single), expected, "round {round}: {statuses:?}");
        }
        let promoted = audited(&app, "baseline.promote").await;
        assert_eq!(promoted, 4 * 6);
        app.stop().await;
    }

    async fn what_was_promoted_is_restored_and_promoted_again_step_by_step(app: TestApp) {
        run(&app.client, "steps", &["/"], TEAL).await;
        let job = run(&app.client, "steps", &["/"], MAROON).await;
        for action in ["reject", "approve", "approve", "reject", "reject", "approve"] {
            app.client.post("/approve", one_page(&job, "/", action)).await.ok();
        }
        let moves = history(&app, "/").await;
        let actions: Vec<&str> = moves.iter().map(|moved| moved.1.as_str()).collect();
        assert_eq!(actions, ["new", "promote", "restore", "promote"], "what stands already moves nothing");
        assert_eq!((&moves[2].3, &moves[3].3), (&moves[0].3, &moves[1].3));
        assert_eq!((audited(&app, "triage.approve").await, audited(&app, "triage.reject").await), (3, 3));
        assert_eq!((audited(&app, "baseline.promote").await, audited(&app, "baseline.restore").await), (2, 1));

        // Once another job has moved the baseline on, neither taking back nor approving again is possible.
        let newer = run(&app.client, "steps", &["/"], [0, 0, 128]).await;
        app.client.post("/approve", one_page(&newer, "/", "approve")).await.ok();
        let why = app.client.post("/approve", one_page(&job, "/", "reject")).await.refused(409, "baseline_moved");
        assert!(why.contains("moved since this job ran, by admin, so nothing"), "{why}");
        assert_eq!(history(&app, "/").await.len(), 5);
        assert_eq!(result(&app.client.reread(&job).await, "/")["triageStatus"], "approved");
        app.stop().await;
    }
}
