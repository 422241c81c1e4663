//! Starting on a bucket: as whom, and what is said when it cannot be used.

use pentimento::clock::Clock;
use pentimento::serve::Service;
use reqwest::Method;
use serde_json::Value;

use super::{ORIGIN, TEAL};
use crate::support::app::{TestApp, settings};
use crate::support::client::Client;
use crate::support::process::{ServiceProcess, fails_to_start};
use crate::support::s3::{ACCESS_KEY, S3Server, SECRET_KEY};
use crate::support::uploads::{picture, tree};

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_the_environment_do_and_are_never_logged() {
    let bucket = S3Server::start().await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let environment = [
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ];
    let start = || {
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&log)
            .unwrap();
        ServiceProcess::start_with(
            &folder.path().join("data"),
            None,
            &bucket.place(),
            &environment,
            "trace",
            file.into(),
        )
    };
    let mut service = start();
    let key = service.first_key.clone().unwrap();
    let client = Client::new(service.base.clone(), key.clone());
    let job = client.init("killed", ORIGIN).await;
    for page in 0..20 {
        client
            .upload(
                &job,
                &format!("{ORIGIN}/{page}"),
                picture(TEAL, page),
                &tree("Page"),
            )
            .await;
    }
    client.finalize(&job).await.ok();
    service.kill();
    let service = start();
    let client = Client::new(service.base.clone(), key);
    let done = client.wait(&job).await;
    for page in done["results"].as_array().unwrap() {
        assert_eq!(page["isNewBaseline"], true, "{page:#}");
        assert_eq!(client.download(&page["currentUrl"]).await.0.as_u16(), 200);
    }
    drop(service);
    let logged = std::fs::read_to_string(log).unwrap();
    assert!(logged.contains("ready to capture"), "{logged}");
    for secret in [SECRET_KEY, "X-Amz-Signature", "AWS4-HMAC-SHA256"] {
        assert!(!logged.contains(secret), "{secret} was logged");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_cannot_be_used_stops_the_start_with_a_sentence() {
    let bucket = S3Server::start().await;
    let refusal = async |change: &dyn Fn(&mut Vec<String>)| {
        let mut flags = bucket.settings();
        change(&mut flags);
        let folder = tempfile::tempdir().unwrap();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let started = Service::start(settings(&folder, None, &flags), Clock::System).await;
        format!("{:#}", started.err().expect("it does not start"))
    };
    let replaced = |from: &'static str, to: &'static str| {
        move |flags: &mut Vec<String>| {
            for flag in flags.iter_mut().filter(|flag| *flag == from) {
                to.clone_into(flag);
            }
        }
    };
    let no_bucket = refusal(&replaced("captures", "elsewhere")).await;
    assert!(
        no_bucket.contains("`elsewhere`") && no_bucket.contains("does not exist; create it"),
        "{no_bucket}"
    );
    let wrong_secret = refusal(&replaced(SECRET_KEY, "another secret altogether")).await;
    assert!(
        wrong_secret.contains("refuses the service (403 SignatureDoesNotMatch")
            && wrong_secret.contains("s3:PutObject"),
        "{wrong_secret}"
    );
    assert!(!wrong_secret.contains("another secret"), "{wrong_secret}");
    let nobody = refusal(&replaced(ACCESS_KEY, "AKNOBODY")).await;
    assert!(nobody.contains("refuses the service"), "{nobody}");
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let down = refusal(&|flags| {
        for flag in flags.iter_mut().filter(|flag| **flag == bucket.endpoint) {
            *flag = format!("http://{free}");
        }
    })
    .await;
    assert!(
        down.contains(&free.to_string())
            && down.contains("cannot be reached")
            && down.contains("--s3-endpoint"),
        "{down}"
    );

    let folder = tempfile::tempdir().unwrap();
    let hidden = [
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("HOME", "/nonexistent"),
    ];
    let said = fails_to_start(folder.path(), &bucket.place(), &hidden);
    assert!(
        said.contains("needs credentials") && said.contains("--s3-access-key-id"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn readyz_says_when_the_bucket_is_gone() {
    let app = TestApp::on_s3_and_sqlite().await;
    std::fs::remove_dir_all(app.bucket.as_ref().unwrap().folder()).unwrap();
    let answer = app
        .client
        .send(app.client.request(Method::GET, "/readyz"))
        .await;
    assert_eq!(answer.status.as_u16(), 503);
    let said = answer.body["storage"].as_str().unwrap();
    assert!(said.contains("storage is not ready"), "{said}");
    assert_eq!(answer.body["database"], Value::from("ok"));
    app.stop().await;
}
