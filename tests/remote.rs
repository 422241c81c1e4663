//! `pentimento run` and `pentimento upload`, as a pipeline calls them: against a real service, by its exit status.

use std::process::{Command, Output, Stdio};

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
        ],
    ]
    .concat();
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &expected).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("intentional: "), "{stdout}");

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
    ] {
        let (code, stdout, stderr) = told(&pentimento(&app, key, arguments).await);
        assert_eq!(code, Some(2), "{arguments:?}: {stdout}{stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        assert!(!stderr.contains(&app.client.key), "the key is a secret");
    }
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

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_screenshots_is_a_job() {
    let app = TestApp::on_sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, content: &[u8]| {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    let png = |shade: u8| {
        let mut png = std::io::Cursor::new(Vec::new());
        let picture = image::RgbImage::from_pixel(40, 30, image::Rgb([shade; 3]));
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        png.into_inner()
    };
    let dom = |text: &str| {
        format!(r#"{{"tagName":"body","rect":{{"x":0,"y":0,"w":40,"h":30}},"text":"{text}"}}"#)
    };
    write("index.png", &png(200));
    write("about/team@mobile.png", &png(200));
    write("about/team@mobile.json", dom("The team").as_bytes());
    let folder_name = folder.path().to_str().unwrap();
    let upload = ["upload", folder_name, "--project", "shots"];
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &upload).await);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("uploaded 2 of 2 pages"), "{stderr}");

    // Without a DOM tree pixels alone are compared; with one its changes are told.
    write("index.png", &png(90));
    write("about/team@mobile.json", dom("The crew").as_bytes());
    let elsewhere = [
        &upload[..],
        &["--test-origin", "http://preview.example:8080"],
    ]
    .concat();
    let (code, stdout, stderr) = told(&pentimento(&app, &app.client.key, &elsewhere).await);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(
        stdout.contains("“The team” now reads “The crew”"),
        "{stdout}"
    );
    let jobs = app.client.get("/jobs").await.ok();
    let id = jobs["jobs"][0]["jobId"]
        .as_str()
        .expect("the newest job first")
        .to_owned();
    let job = app.client.get(&format!("/job/{id}")).await.ok();
    let index = crate::support::client::result(&job, ":8080/");
    assert_eq!(
        index["domAssistSkipReason"],
        "Of the baseline: The client captured no DOM tree."
    );
    assert_eq!(
        (&index["changed"], &index["diffPercentage"]),
        (&true.into(), &100.0.into())
    );

    write("broken.png", b"GIF89a");
    let (code, _, stderr) = told(&pentimento(&app, &app.client.key, &upload).await);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("broken.png: it is no PNG file"), "{stderr}");
    app.stop().await;
}
