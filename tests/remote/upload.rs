//! `pentimento upload`: a folder of screenshots becomes a job.

use super::{pentimento, told};
use crate::support::app::TestApp;

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
