//! The REST interface of a service, as a client sees it.

use std::time::Duration;

use crate::retry_after::retry_after;
use anyhow::{Context, bail};
use pentimento_api::ci::{
    FinalizeRequest, InitAnswer, InitRequest, UploadUrlAnswer, UploadUrlRequest,
};
use pentimento_api::crawl::{CrawlRequest, JobStarted};
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::JobId;
use pentimento_api::job::JobOverview;
use pentimento_api::project::RunRequest;
use pentimento_api::review::ResultList;
use pentimento_api::summary::JobWords;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::Url;
use uuid::Uuid;

/// Between two looks at a job.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Longest wait for one answer, and for a report, which may hold pictures.
const ANSWER_DEADLINE: Duration = Duration::from_secs(15);
const REPORT_DEADLINE: Duration = Duration::from_mins(1);

/// Longest time that one upload may take.
const UPLOAD_DEADLINE: Duration = Duration::from_mins(2);

/// Times that a request is sent when no answer comes, and the pause before the next.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(2);

/// Shortest wait when the service asks for one.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// Longest time that one request waits because the service asks it to come back later.
const PATIENCE: Duration = Duration::from_mins(5);

/// Names a call that starts something: sent again, it starts nothing twice.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A service to speak with.
pub(super) struct Service {
    http: reqwest::Client,
    base: String,
    key: SecretString,
    /// Names what this invocation starts; a run of the program starts one job.
    invocation: Uuid,
}

impl Service {
    pub(super) fn new(url: &Url, key: &SecretString) -> anyhow::Result<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            bail!("the service's address `{url}` must start with http:// or https://");
        }
        // Another part of the process may have installed it before; either is the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("pentimento/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self {
            http,
            base: url.as_str().trim_end_matches('/').to_owned(),
            key: key.clone(),
            invocation: Uuid::now_v7(),
        })
    }

    /// An address of the service for people.
    pub(super) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Starts a job; gives its id.
    pub(super) async fn crawl(&self, request: &CrawlRequest) -> anyhow::Result<String> {
        let request = self.starting("/crawl").json(request);
        let started: JobStarted = self.ask(request).await?;
        Ok(started.job_id.to_string())
    }

    /// Starts a job by a project's saved configuration; gives its id.
    pub(super) async fn run_project(
        &self,
        project: &str,
        request: &RunRequest,
    ) -> anyhow::Result<String> {
        let mut url = Url::parse(&self.base)?;
        url.path_segments_mut()
            .map_err(|()| anyhow::anyhow!("the service's address cannot have paths"))?
            .pop_if_empty()
            .extend(["project", project, "run"]);
        let request = (self.http.post(url))
            .bearer_auth(self.key.expose_secret())
            .header(IDEMPOTENCY_KEY, self.invocation.to_string())
            .json(request);
        let started: JobStarted = self.ask(request).await?;
        Ok(started.job_id.to_string())
    }

    /// Starts a client-driven job.
    pub(super) async fn init(&self, request: &InitRequest) -> anyhow::Result<JobId> {
        let request = self.starting("/ci/job/init").json(request);
        let answer: InitAnswer = self.ask(request).await?;
        Ok(answer.job_id)
    }

    /// The links to upload one page to.
    pub(super) async fn upload_urls(
        &self,
        request: &UploadUrlRequest,
    ) -> anyhow::Result<UploadUrlAnswer> {
        let request = self
            .request(Method::POST, "/ci/job/upload-url")
            .json(request);
        self.ask(request).await
    }

    /// Says that all is uploaded.
    pub(super) async fn finalize(&self, job_id: JobId) -> anyhow::Result<()> {
        let request = self.starting("/ci/job/finalize");
        let request = request.json(&FinalizeRequest { job_id });
        let _: JobStarted = self.ask(request).await?;
        Ok(())
    }

    /// Uploads to a link, which needs no key; tries again when no answer comes.
    pub(super) async fn put(
        &self,
        link: &str,
        media_type: &str,
        content: Vec<u8>,
    ) -> anyhow::Result<()> {
        let request = self
            .http
            .put(link)
            .header(CONTENT_TYPE, media_type)
            .body(content);
        match send(request.timeout(UPLOAD_DEADLINE)).await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => bail!("{}", refusal(response).await),
            // The address of a link is a secret.
            Err(error) => Err(error.without_url()).context("the upload got no answer"),
        }
    }

    pub(super) async fn overview(&self, job: &str) -> anyhow::Result<JobOverview> {
        self.read(&format!("/job/{job}/overview")).await
    }

    pub(super) async fn words(&self, job: &str) -> anyhow::Result<JobWords> {
        self.read(&format!("/job/{job}/words")).await
    }

    /// One page of the list of a job's results; the query says which.
    pub(super) async fn results(&self, job: &str, query: &str) -> anyhow::Result<ResultList> {
        self.read(&format!("/job/{job}/results?{query}")).await
    }

    /// A report as its file's content.
    pub(super) async fn report(&self, job: &str, format: &str) -> anyhow::Result<Vec<u8>> {
        let request = self.request(Method::GET, &format!("/job/{job}/report?format={format}"));
        let response = (send(request.timeout(REPORT_DEADLINE)).await)
            .with_context(|| format!("{} does not answer", self.base))?;
        if !response.status().is_success() {
            bail!("no report: {}", refusal(response).await);
        }
        Ok(response.bytes().await?.to_vec())
    }

    async fn read<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.ask(self.request(Method::GET, path)).await
    }

    async fn ask<T: DeserializeOwned>(&self, request: RequestBuilder) -> anyhow::Result<T> {
        let sent = send(request.timeout(ANSWER_DEADLINE)).await;
        answer(sent.with_context(|| format!("{} does not answer", self.base))?).await
    }

    /// A request that starts something.
    fn starting(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
            .header(IDEMPOTENCY_KEY, self.invocation.to_string())
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        (self.http.request(method, self.page(path))).bearer_auth(self.key.expose_secret())
    }
}

/// Sends a request, and again when no answer comes: a service may be started anew while a job runs. When the service asks
/// to come back later, that is done, as long as it is soon enough. Every request of this client may come twice.
async fn send(request: RequestBuilder) -> reqwest::Result<Response> {
    let end = Instant::now() + PATIENCE;
    let mut tries = 1;
    loop {
        // Bodies are in memory, so there is always a copy.
        let Some(copy) = request.try_clone() else {
            return request.send().await;
        };
        let pause = match copy.send().await {
            Ok(response) if response.status() == StatusCode::TOO_MANY_REQUESTS => {
                let pause = retry_after(response.headers()).map(|asked| asked.max(SHORTEST_PAUSE));
                match pause {
                    Some(pause) if pause < end.saturating_duration_since(Instant::now()) => pause,
                    _ => return Ok(response),
                }
            }
            Ok(response) if !response.status().is_server_error() => return Ok(response),
            sent if tries == TRIES => return sent,
            _ => {
                tries += 1;
                PAUSE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

async fn answer<T: DeserializeOwned>(response: Response) -> anyhow::Result<T> {
    if !response.status().is_success() {
        bail!("{}", refusal(response).await);
    }
    (response.json().await)
        .context("the answer is none of this service's interface; is the address right?")
}

/// Why the service refused, in its own words.
async fn refusal(response: Response) -> String {
    let status = response.status();
    match response.json::<ErrorBody>().await {
        Ok(body) => body.error,
        Err(_) => format!("the service answered {status}"),
    }
}
