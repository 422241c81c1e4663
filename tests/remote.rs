//! `pentimento run`, as a pipeline calls it: against a real service, by its exit status.

mod upload;

use std::process::{Command, Output, Stdio};

use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

use crate::support::app::TestApp;
use crate::support::site::Site;

/// Runs the program with a key, beside the service that this process holds.
async fn pentimento(app: &TestApp, key: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command
        .args(arguments)
        .env("PENTIMENTO_URL", &app.client.base)
        .env("PENTIMENTO_API_KEY", key)
        .stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_learns_from_the_exit_status() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.page("/", "teal", "<p>From 19 a month</p>");
    site.page("/about", "teal", "");
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.xml");
    let wish = format!("junit={}", report.display());
    let run = [
        "run",
        "--project",
        "shop",
        "--test-origin",
        &site.origin,
        "--path",
        "/",
        "--path",
        "/about",
    ];
    let waiting = [&run[..], &["--wait", "--report", &wish]].concat();

    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &waiting).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(
        stdout.contains("/app/jobs/") && stderr.contains("compared 2 of 2 pages"),
        "{stdout}{stderr}"
    );
    assert!(
        std::fs::read_to_string(&report)
            .unwrap()
            .contains("failures=\"0\"")
    );

    site.page("/", "teal", "<p>From 29 a month</p>");
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &waiting).await);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(
        stdout.contains("From 29 a month") && stdout.contains("needs_review: "),
        "{stdout}"
    );
    assert!(
        std::fs::read_to_string(&report)
            .unwrap()
            .contains("failures=\"1\"")
    );

    // What was said to be expected is meant.
    let expected = [
        &waiting[..],
        &[
            "--change",
            "Raise the monthly price to 29",
            "--expect",
            "The paragraph reads 29 a month",
            "--scope",
            "p",
        ],
    ]
    .concat();
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &expected).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("intentional: "), "{stdout}");
    let address = stdout
        .lines()
        .find_map(|line| line.split_once("/app/jobs/"));
    let (_, job) = address.expect("the job's address is told");
    let summary = app.client.get(&format!("/job/{job}/summary")).await.ok();
    assert_eq!(summary["runContext"]["scope"], serde_json::json!(["p"]));

    // What is approved as it comes needs nobody.
    site.page("/", "teal", "<p>From 39 a month</p>");
    let approving = ["run", "--project", "shop", "--auto-approve", "--wait"];
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &approving).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("All changes are approved."), "{stdout}");

    // The project's saved configuration is enough.
    let saved = ["run", "--project", "shop"];
    let (code, stdout, _) = told(&pentimento(&app, &app.client.key, &saved).await);
    assert_eq!(
        (code, stdout.lines().count()),
        (Some(0), 1),
        "it is only started: {stdout}"
    );
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_run_is_told_from_what_needs_review() {
    let app = TestApp::on_sqlite().await;
    let key = app.client.key.clone();
    let origin = ["--test-origin", "http://127.0.0.1:9"];
    let run = [&["run", "--project", "shop", "--wait"], &origin[..]].concat();
    for (key, arguments, said) in [
        ("pnt_main_wrong", &run[..], "key"),
        (
            &key,
            &[
                "run",
                "--project",
                "no such name",
                "--test-origin",
                "http://127.0.0.1:9",
            ][..],
            "project",
        ),
        (&key, &["run", "--project", "unknown"][..], ""),
        (
            &key,
            &[&run[..], &["--service", "ftp://127.0.0.1"]].concat()[..],
            "http://",
        ),
        (
            &key,
            &[&run[..], &["--service", "http://127.0.0.1:9"]].concat()[..],
            "does not answer",
        ),
        (
            &key,
            &[&run[..], &["--report", "pdf=a.pdf"]].concat()[..],
            "junit, markdown, html",
        ),
        (
            &key,
            &[
                "run",
                "--project",
                "shop",
                "--test-origin",
                "http://127.0.0.1:9",
                "--report",
                "junit=a.xml",
            ][..],
            "--report needs --wait",
        ),
    ] {
        let (code, stdout, stderr) = told(&pentimento(&app, key, arguments).await);
        assert_eq!(code, Some(2), "{arguments:?}: {stdout}{stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        assert!(!stderr.contains(&app.client.key), "the key is a secret");
    }
    let list = app.client.get("/jobs").await.ok();
    assert!(list["jobs"].as_array().unwrap().is_empty(), "{list:#}");
    // A page in error is no failure of the run, and somebody must look at it.
    let site = Site::start().await;
    site.content("/", 500, "text/plain", b"no".to_vec());
    let arguments = [
        "run",
        "--project",
        "errors",
        "--test-origin",
        &site.origin,
        "--wait",
    ];
    let (code, stdout, stderr) = told(&pentimento(&app, &key, &arguments).await);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(
        stdout.contains("error: ") && stdout.contains("answered 500"),
        "{stdout}"
    );
    app.stop().await;
}

/// A line to the service on which the answer to the first POST is lost, after the service has acted on it. Returns its
/// address.
async fn lossy_line(service: std::net::SocketAddr) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut has_lost_one = false;
        while let Ok((mut client, _)) = listener.accept().await {
            let mut upstream = TcpStream::connect(service).await.unwrap();
            let mut begin = [0; 4];
            client.peek(&mut begin).await.unwrap();
            if begin.starts_with(b"POST") && !has_lost_one {
                has_lost_one = true;
                let (mut from_client, _) = client.split();
                let (mut from_service, mut to_service) = upstream.split();
                let mut answer = [0; 12];
                tokio::select! {
                    _ = tokio::io::copy(&mut from_client, &mut to_service) => panic!("the client hung up"),
                    read = from_service.read_exact(&mut answer) => { read.unwrap(); }
                }
                assert_eq!(
                    &answer, b"HTTP/1.1 200",
                    "the call was accepted, and nobody hears it"
                );
                continue;
            }
            tokio::spawn(async move {
                // A line that is cut at its end is no failure.
                let _ = tokio::io::copy_bidirectional(&mut client, &mut upstream).await;
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_whose_answer_is_lost_makes_no_second_job() {
    let app = TestApp::on_sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let picture = image::RgbImage::from_pixel(40, 30, image::Rgb([200; 3]));
    picture.save(folder.path().join("index.png")).unwrap();
    let run = [
        "run",
        "--project",
        "shop",
        "--test-origin",
        "http://127.0.0.1:9",
    ];
    let saved = ["run", "--project", "shop"];
    let upload = [
        "upload",
        folder.path().to_str().unwrap(),
        "--project",
        "shots",
    ];
    for (arguments, jobs) in [
        (&run[..], 1),
        (&saved[..], 2),
        (&upload[..], 3),
        (&run[..], 4),
    ] {
        let line = lossy_line(app.service.address).await;
        let arguments = [arguments, &["--service", &line]].concat();
        let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &arguments).await);
        assert_eq!(code, Some(0), "{arguments:?}: {stdout}{stderr}");
        let list = app.client.get("/jobs").await.ok();
        assert_eq!(
            list["jobs"].as_array().unwrap().len(),
            jobs,
            "{arguments:?}: {list:#}"
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_comes_back_when_it_is_told_to() {
    let app = TestApp::with(&["--rate-limit-per-minute", "60", "--rate-limit-burst", "1"]).await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    let run = [
        "run",
        "--project",
        "shop",
        "--test-origin",
        &site.origin,
        "--wait",
    ];
    let begun = std::time::Instant::now();
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &run).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    // At least a start, a look and the words, a second apart.
    assert!(begun.elapsed().as_secs() >= 2, "{:?}", begun.elapsed());
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_changed_pages_the_first_are_named_and_the_rest_is_counted() {
    let app = TestApp::on_sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let draw = |shade: u8| {
        for page in 0..23 {
            let picture = image::RgbImage::from_pixel(40, 30, image::Rgb([shade; 3]));
            let file = folder.path().join(format!("page-{page:02}.png"));
            picture.save(file).unwrap();
        }
    };
    let upload = [
        "upload",
        folder.path().to_str().unwrap(),
        "--project",
        "many",
    ];
    draw(200);
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &upload).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(!stdout.contains("/app/review/"), "{stdout}");
    draw(90);
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &upload).await);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert_eq!(stdout.matches("/app/review/").count(), 20, "{stdout}");
    assert!(stdout.ends_with("\n  and 3 more\n"), "{stdout}");
    let jobs = app.client.get("/jobs").await.ok();
    let summary = app.client.summary(&jobs["jobs"][0]).await;
    let said = |field: &serde_json::Value| stdout.contains(field.as_str().unwrap());
    assert!(said(&summary["runSummary"]), "{stdout}");
    assert!(said(&summary["intentAssessment"]["summary"]), "{stdout}");
    let pages = summary["regressions"].as_array().unwrap();
    for (page, line) in pages.iter().zip(stdout.lines().skip(3).take(20)) {
        let (url, id) = (&page["url"], &page["resultId"]);
        let decision = page["verdict"]["decision"].as_str().unwrap_or("changed");
        let expected = format!(
            "  {decision}: {} (desktop) {}/app/review/{}",
            url.as_str().unwrap(),
            app.client.base,
            id.as_str().unwrap()
        );
        assert_eq!(line, expected);
    }
    app.stop().await;
}
