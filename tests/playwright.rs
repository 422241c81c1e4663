//! A Playwright suite with an existing client for this interface, unmodified: baselines, a regression, approved.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

use crate::support::app::TestApp;
use crate::support::site::Site;

/// Longest run of the suite.
const SUITE_DEADLINE: Duration = Duration::from_mins(3);

/// Runs the suite in a process of its own; returns whether it was green, and what it printed.
async fn run_suite(app: &TestApp, site: &Site) -> (bool, String) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/playwright"));
    assert!(
        folder.join("node_modules/@playwright/test").is_dir(),
        "the suite's packages are missing; run scripts/setup test"
    );
    let configured = std::env::var_os("PENTIMENTO_BROWSER").map(std::path::PathBuf::from);
    let browser =
        pentimento::capture::find_program(configured.as_ref()).expect("a browser is installed");
    let output = TempDir::new().unwrap();
    let mut command = Command::new("npx");
    command
        .args(["--no-install", "playwright", "test"])
        .current_dir(folder)
        .env("SUITE_ORIGIN", &site.origin)
        .env("SUITE_BROWSER", browser)
        .env("SUITE_OUTPUT", output.path())
        .env("REGRESSIONBOT_API_URL", &app.client.base)
        .env("REGRESSIONBOT_API_KEY", &app.client.key)
        .env("REGRESSIONBOT_BRANCH", "feature/prices")
        .env("REGRESSIONBOT_RUN_CONTEXT", "The prices are raised")
        .env("FORCE_COLOR", "0")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    for inherited in [
        "REGRESSIONBOT_PROJECT",
        "REGRESSIONBOT_TEST_ORIGIN",
        "SKIP_DOM_UPLOAD",
    ] {
        command.env_remove(inherited);
    }
    let finished = tokio::time::timeout(SUITE_DEADLINE, command.output());
    let finished = finished.await.expect("the suite ends in time").unwrap();
    let printed = [finished.stdout, finished.stderr].concat();
    (
        finished.status.success(),
        String::from_utf8_lossy(&printed).into_owned(),
    )
}

/// The project's newest job.
async fn last_job(app: &TestApp) -> Value {
    let project = app.client.get("/project/playwright-suite").await.ok();
    let job_id = project["lastJobId"].as_str().unwrap();
    app.client.get(&format!("/job/{job_id}")).await.ok()
}

async fn makes_baselines_finds_a_regression_and_is_green_once_it_is_approved(app: TestApp) {
    let site = Site::start().await;
    let show = |clock: &str, price: &str| {
        site.page("/", "teal", &format!("<p id=clock>{clock}</p>"));
        site.page("/prices", "silver", &format!("<p>From {price} a month</p>"));
    };

    show("9:00", "19");
    let (green, printed) = run_suite(&app, &site).await;
    assert!(green && printed.contains("3 passed"), "{printed}");
    assert!(printed.contains("Regression Count: 0"), "{printed}");
    let first = last_job(&app).await;
    let pages = first["results"].as_array().unwrap();
    assert_eq!(pages.len(), 3);
    for page in pages {
        assert_eq!(
            (&page["status"], &page["isNewBaseline"]),
            (&json!("SUCCESS"), &json!(true)),
            "{page:#}"
        );
    }

    // The clock is masked, the price is not.
    show("9:07", "29");
    let (green, printed) = run_suite(&app, &site).await;
    assert!(!green && printed.contains("3 passed"), "{printed}");
    for said in [
        "Page Count:       3",
        "Regression Count: 2",
        "Regressions found",
        "/prices?plan=team [phone]",
        "/prices?plan=team [desktop]",
        "From 29 a month",
        "2 regressions detected",
    ] {
        assert!(printed.contains(said), "{said} is missing in\n{printed}");
    }
    let second = last_job(&app).await;
    let changed: Vec<&Value> = second["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|page| page["changed"] == true)
        .collect();
    assert_eq!(changed.len(), 2, "{second:#}");
    for page in changed {
        assert!(
            printed.contains(page["diffUrl"].as_str().unwrap().split('?').next().unwrap()),
            "{printed}"
        );
    }
    let approved = app
        .client
        .post("/approve", json!({ "jobId": second["jobId"] }))
        .await
        .ok();
    assert_eq!(approved["approvedUrlsCount"], 3);

    show("9:14", "29");
    let (green, printed) = run_suite(&app, &site).await;
    assert!(
        green && printed.contains("Regression Count: 0"),
        "{printed}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_client_works_with_uploads_through_the_service() {
    let app = TestApp::on_sqlite().await;
    makes_baselines_finds_a_regression_and_is_green_once_it_is_approved(app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_client_works_with_uploads_into_a_bucket() {
    let app = TestApp::on_s3_and_sqlite().await;
    makes_baselines_finds_a_regression_and_is_green_once_it_is_approved(app).await;
}
