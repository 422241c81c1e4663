//! A client of the REST interface, as CI has one.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Longest wait for a job.
const JOB_DEADLINE: Duration = Duration::from_mins(2);

/// Time between two looks at a job.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);
/// 64 clients that have waited for long stay below the 200 calls a second that their key may make.
const SLOW_LOOK_INTERVAL: Duration = Duration::from_millis(400);

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) base: String,
    pub(crate) key: String,
    http: reqwest::Client,
}

/// An answer: its status and its JSON.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Answer {
    /// The body of a 200.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        self.body
    }

    /// Checks a refusal's status and code, and returns its sentence.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.body["code"], code, "{}", self.body);
        self.body["error"]
            .as_str()
            .expect("every refusal has a sentence")
            .to_owned()
    }
}

impl Client {
    pub(crate) fn new(base: String, key: String) -> Self {
        // The service in this process may have installed the same one before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        Self { base, key, http }
    }

    /// The same with another key, as an answer holds it.
    pub(crate) fn with_key(&self, secret: &Value) -> Self {
        let secret = secret.as_str().expect("a secret");
        Self::new(self.base.clone(), secret.to_owned())
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).bearer_auth(&self.key))
            .await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(
            self.request(Method::POST, path)
                .bearer_auth(&self.key)
                .json(&body),
        )
        .await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(
            self.request(Method::PUT, path)
                .bearer_auth(&self.key)
                .json(&body),
        )
        .await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        let request = self.request(Method::DELETE, path);
        self.send(request.bearer_auth(&self.key)).await
    }

    /// Sends a call that may be sent again.
    pub(crate) async fn post_once(&self, path: &str, name: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).bearer_auth(&self.key);
        let request = request.header("idempotency-key", name).json(body);
        self.send(request).await
    }

    /// Runs a saved project to its end.
    pub(crate) async fn run_project(&self, name: &str, body: Value) -> Value {
        let started = self.post(&format!("/project/{name}/run"), body).await.ok();
        self.wait(started["jobId"].as_str().unwrap()).await
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.request_to(method, &format!("{}{path}", self.base))
    }

    /// A request to a link, which may lead to another host.
    pub(crate) fn request_to(&self, method: Method, link: &str) -> reqwest::RequestBuilder {
        self.http.request(method, link)
    }

    pub(crate) async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request
            .timeout(Duration::from_secs(10))
            .send()
            .await
            .expect("the service answers");
        let status = response.status();
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Answer { status, body }
    }

    /// Downloads a link as a program does, without a key.
    pub(crate) async fn download(&self, link: &Value) -> (StatusCode, String, Vec<u8>) {
        let response = self
            .http
            .get(link.as_str().expect("a link"))
            .send()
            .await
            .unwrap();
        let media_type = response
            .headers()
            .get("content-type")
            .map(|value| value.to_str().unwrap().to_owned());
        (
            response.status(),
            media_type.unwrap_or_default(),
            response.bytes().await.unwrap().to_vec(),
        )
    }

    /// Reads a stream of events to its end: names and data.
    pub(crate) async fn events(&self, path: &str) -> Vec<(String, Value)> {
        let request = self.request(Method::GET, path).bearer_auth(&self.key);
        let response = request
            .timeout(JOB_DEADLINE)
            .send()
            .await
            .expect("the service answers");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let text = response.text().await.expect("the stream ends by itself");
        let field = |event: &str, name: &str| {
            let mut lines = event.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().map(|value| value.trim().to_owned())
        };
        text.split("\n\n")
            .filter_map(|event| {
                let data = serde_json::from_str(&field(event, "data:")?).expect("data is JSON");
                Some((field(event, "event:")?, data))
            })
            .collect()
    }

    /// Opens a stream of events and leaves it open.
    pub(crate) async fn stream(&self, path: &str) -> EventStream {
        let request = self.request(Method::GET, path).bearer_auth(&self.key);
        EventStream {
            response: request.send().await.expect("the service answers"),
            read: String::new(),
        }
    }

    /// Starts a job and returns its id.
    pub(crate) async fn crawl(&self, body: Value) -> String {
        self.post("/crawl", body).await.ok()["jobId"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Waits until the job has ended, and returns its status view.
    pub(crate) async fn wait(&self, job_id: &str) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.get(&format!("/job/{job_id}")).await.ok();
            if matches!(
                job["status"].as_str(),
                Some("COMPLETED" | "APPROVED" | "FAILED")
            ) {
                return job;
            }
            assert!(
                begun.elapsed() < JOB_DEADLINE,
                "the job did not end: {job:#}"
            );
            // Clients that wait side by side share a key and its limit of calls: who has waited long looks less often.
            tokio::time::sleep((begun.elapsed() / 16).clamp(LOOK_INTERVAL, SLOW_LOOK_INTERVAL))
                .await;
        }
    }

    /// Runs a job to its end.
    pub(crate) async fn run(&self, body: Value) -> Value {
        let job_id = self.crawl(body).await;
        self.wait(&job_id).await
    }

    /// The job as it stands now.
    pub(crate) async fn reread(&self, job: &Value) -> Value {
        let id = job["jobId"].as_str().unwrap();
        self.get(&format!("/job/{id}")).await.ok()
    }

    pub(crate) async fn summary(&self, job: &Value) -> Value {
        self.get(&format!("/job/{}/summary", job["jobId"].as_str().unwrap()))
            .await
            .ok()
    }

    /// What a job's summary says in words.
    pub(crate) async fn words(&self, job: &Value) -> Value {
        self.get(&format!("/job/{}/words", job["jobId"].as_str().unwrap()))
            .await
            .ok()
    }

    /// Decides on one result of a job.
    pub(crate) async fn decide(&self, job: &Value, result: &Value, action: &str) -> Answer {
        let body = json!({ "jobId": job["jobId"], "url": result["url"], "variantName": result["variantName"], "action": action });
        self.post("/approve", body).await
    }
}

/// An open stream of events.
pub(crate) struct EventStream {
    response: reqwest::Response,
    read: String,
}

impl EventStream {
    /// The data of the next event with this name; what comes before it is passed over.
    pub(crate) async fn until(&mut self, name: &str) -> Value {
        let reading = async {
            loop {
                while let Some((event, rest)) = self.read.split_once("\n\n") {
                    let field = |name: &str| {
                        let line = event.lines().find_map(|line| line.strip_prefix(name));
                        line.map(|value| value.trim().to_owned())
                    };
                    let found = (field("event:"), field("data:"));
                    let taken = self.read.len() - rest.len();
                    self.read.replace_range(..taken, "");
                    if let (Some(event), Some(data)) = found
                        && event == name
                    {
                        return serde_json::from_str(&data).expect("data is JSON");
                    }
                }
                let chunk = self.response.chunk().await.expect("the stream stays open");
                let chunk = chunk.expect("the stream goes on");
                self.read.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(20), reading)
            .await
            .unwrap_or_else(|_| panic!("no event `{name}` came"))
    }
}

/// The job's result for a path.
#[track_caller]
pub(crate) fn result<'a>(job: &'a Value, path: &str) -> &'a Value {
    let results = job["results"].as_array().expect("a job has results");
    let found = results.iter().find(|result| {
        result["url"]
            .as_str()
            .is_some_and(|url| url.ends_with(path))
    });
    found.unwrap_or_else(|| panic!("no result for {path}: {job:#}"))
}

/// A signed link, of the service or of a bucket, with another signature.
pub(crate) fn tampered(link: &str) -> String {
    let (before, signature) = ["sig=", "X-Amz-Signature="]
        .into_iter()
        .find_map(|name| {
            link.split_once(name)
                .map(|(before, rest)| (format!("{before}{name}"), rest))
        })
        .expect("a signed link");
    let other = if signature.starts_with('0') { '1' } else { '0' };
    format!("{before}{other}{}", &signature[1..])
}
