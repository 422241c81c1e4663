//! One of everything that an organization may have.

use serde_json::{Value, json};

use super::description::Operation;
use crate::support::client::Client;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// Everything that an organization may have, by the name of the parameter that names it.
pub(super) struct Belongings {
    pub(super) job: String,
    pub(super) result: String,
    pub(super) project: &'static str,
    /// A client-driven job that takes uploads.
    pub(super) open_job: String,
    pub(super) upload: String,
    pub(super) blob: String,
    pub(super) key: String,
    pub(super) webhook: String,
    pub(super) delivery: String,
}

impl Belongings {
    pub(super) async fn of(client: &Client) -> Self {
        let project = "belongings";
        for colour in [[200, 0, 0], [0, 0, 200]] {
            let job = client.init(project, ORIGIN).await;
            client
                .upload(
                    &job,
                    &format!("{ORIGIN}/"),
                    picture(colour, 3),
                    &tree("text"),
                )
                .await;
            client.finish(&job).await;
        }
        let jobs = client.get("/jobs").await.ok();
        let job = jobs["jobs"][0]["jobId"].as_str().unwrap().to_owned();
        let view = client.get(&format!("/job/{job}")).await.ok();
        let result = &view["results"][0];
        assert_eq!(result["changed"], true, "{view:#}");
        let blob = result["currentUrl"].as_str().unwrap();
        let blob = blob
            .split("/blob/")
            .nth(1)
            .unwrap()
            .split('?')
            .next()
            .unwrap();
        let open_job = client.init(project, ORIGIN).await;
        let key = json!({ "name": "spare", "scopes": ["read"] });
        let key = client.post("/keys", key).await.ok();
        let webhook = json!({ "url": "http://127.0.0.1:9/", "events": ["job.completed"] });
        let webhook = client.post("/webhooks", webhook).await.ok();
        let webhook = webhook["webhookId"].as_str().unwrap().to_owned();
        let test = format!("/webhook/{webhook}/test");
        let delivery = client.post(&test, json!({})).await.ok();
        let links = client.links(&open_job, &format!("{ORIGIN}/")).await;
        let upload = links.screenshot.split('/').next_back().unwrap();
        Self {
            job,
            result: result["resultId"].as_str().unwrap().to_owned(),
            project,
            open_job,
            upload: upload.split('?').next().unwrap().to_owned(),
            blob: blob.to_owned(),
            key: key["key"]["keyId"].as_str().unwrap().to_owned(),
            webhook,
            delivery: delivery["deliveryId"].as_str().unwrap().to_owned(),
        }
    }

    /// What a parameter of a path names. A new parameter must be given a meaning here.
    pub(super) fn named(&self, parameter: &str) -> String {
        match parameter {
            "jobId" => self.job.clone(),
            "resultId" => self.result.clone(),
            "region" => "A-current".to_owned(),
            "name" => self.project.to_owned(),
            "file" => self.upload.clone(),
            "key" => self.blob.clone(),
            "keyId" => self.key.clone(),
            "webhookId" => self.webhook.clone(),
            "deliveryId" => self.delivery.clone(),
            other => panic!("what does `{{{other}}}` name?"),
        }
    }

    /// The example of an operation's body, about what is here.
    pub(super) fn body(&self, operation: &Operation) -> Option<Value> {
        let mut body = operation.body.clone()?;
        let is_upload = operation.path.starts_with("/ci/job/");
        for (field, value) in [
            ("jobId", if is_upload { &self.open_job } else { &self.job }),
            ("testOrigin", &ORIGIN.to_owned()),
            ("url", &format!("{ORIGIN}/")),
        ] {
            if body.get(field).is_some() {
                body[field] = json!(value);
            }
        }
        Some(body)
    }

    /// Texts that no stranger may ever see.
    pub(super) fn secrets(&self) -> [&str; 8] {
        [
            &self.job,
            &self.result,
            self.project,
            &self.open_job,
            &self.blob,
            &self.key,
            &self.webhook,
            &self.delivery,
        ]
    }
}
