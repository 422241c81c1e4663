//! The REST interface of a service, as a client sees it.

use std::time::Duration;

use anyhow::{Context, bail};
use pentimento_api::ci::{
    FinalizeRequest, InitAnswer, InitRequest, UploadUrlAnswer, UploadUrlRequest,
};
use pentimento_api::crawl::{CrawlRequest, JobStarted};
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::JobId;
use pentimento_api::job::JobOverview;
use pentimento_api::project::RunRequest;
use pentimento_api::summary::JobSummary;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use url::Url;

/// Between two looks at a job.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Longest wait for one answer, and for a report, which may hold pictures.
const ANSWER_DEADLINE: Duration = Duration::from_secs(15);
const REPORT_DEADLINE: Duration = Duration::from_mins(1);

/// Longest time that one upload may take.
const UPLOAD_DEADLINE: Duration = Duration::from_mins(2);

/// Times that reading is tried when no answer comes, and the pause before the next.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(2);

/// A service to speak with.
pub(super) struct Service {
    http: reqwest::Client,
    base: String,
    key: SecretString,
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
        })
    }

    /// An address of the service for people.
    pub(super) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Starts a job; gives its id.
    pub(super) async fn crawl(&self, request: &CrawlRequest) -> anyhow::Result<String> {
        let started: JobStarted = self
            .ask(self.request(Method::POST, "/crawl").json(request))
            .await?;
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
            .json(request);
        let started: JobStarted = self.ask(request).await?;
        Ok(started.job_id.to_string())
    }

    /// Starts a client-driven job.
    pub(super) async fn init(&self, request: &InitRequest) -> anyhow::Result<JobId> {
        let answer: InitAnswer = self
            .ask(self.request(Method::POST, "/ci/job/init").json(request))
            .await?;
        Ok(answer.job_id)
    }

    /// The links to upload one page to.
    pub(super) async fn upload_urls(
        &self,
        request: &UploadUrlRequest,
    ) -> anyhow::Result<UploadUrlAnswer> {
        self.ask(
            self.request(Method::POST, "/ci/job/upload-url")
                .json(request),
        )
        .await
    }

    /// Says that all is uploaded.
    pub(super) async fn finalize(&self, job_id: JobId) -> anyhow::Result<()> {
        let request = self.request(Method::POST, "/ci/job/finalize");
        let _: JobStarted = self.ask(request.json(&FinalizeRequest { job_id })).await?;
        Ok(())
    }

    /// Uploads to a link, which needs no key; tries again when no answer comes.
    pub(super) async fn put(
        &self,
        link: &str,
        media_type: &str,
        content: Vec<u8>,
    ) -> anyhow::Result<()> {
        let content = axum::body::Bytes::from(content);
        let mut tries = 1;
        loop {
            let request = self
                .http
                .put(link)
                .header(CONTENT_TYPE, media_type)
                .body(content.clone());
            match request.timeout(UPLOAD_DEADLINE).send().await {
                Ok(response) if response.status().is_success() => return Ok(()),
                Ok(response) if response.status().is_server_error() && tries < TRIES => {}
                Err(_) if tries < TRIES => {}
                Ok(response) => bail!("{}", refusal(response).await),
                // The address of a link is a secret.
                Err(error) => return Err(error.without_url()).context("the upload got no answer"),
            }
            tries += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub(super) async fn overview(&self, job: &str) -> anyhow::Result<JobOverview> {
        self.read(&format!("/job/{job}/overview")).await
    }

    pub(super) async fn summary(&self, job: &str) -> anyhow::Result<JobSummary> {
        self.read(&format!("/job/{job}/summary")).await
    }

    /// A report as its file's content.
    pub(super) async fn report(&self, job: &str, format: &str) -> anyhow::Result<Vec<u8>> {
        let request = self.request(Method::GET, &format!("/job/{job}/report?format={format}"));
        let response = (request.timeout(REPORT_DEADLINE).send().await)
            .with_context(|| format!("{} does not answer", self.base))?;
        if !response.status().is_success() {
            bail!("no report: {}", refusal(response).await);
        }
        Ok(response.bytes().await?.to_vec())
    }

    /// Reads, and tries again when no answer comes: a service may be started anew while a job runs.
    async fn read<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        let mut tries = 1;
        loop {
            let sent = self
                .request(Method::GET, path)
                .timeout(ANSWER_DEADLINE)
                .send()
                .await;
            match sent {
                Ok(response) if response.status().is_server_error() && tries < TRIES => {}
                Err(_) if tries < TRIES => {}
                Ok(response) => return answer(response).await,
                Err(error) => {
                    return Err(error).with_context(|| format!("{} does not answer", self.base));
                }
            }
            tries += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn ask<T: DeserializeOwned>(&self, request: RequestBuilder) -> anyhow::Result<T> {
        let sent = request.timeout(ANSWER_DEADLINE).send().await;
        answer(sent.with_context(|| format!("{} does not answer", self.base))?).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        (self.http.request(method, self.page(path))).bearer_auth(self.key.expose_secret())
    }
}

async fn answer<T: DeserializeOwned>(response: reqwest::Response) -> anyhow::Result<T> {
    if !response.status().is_success() {
        bail!("{}", refusal(response).await);
    }
    (response.json().await)
        .context("the answer is none of this service's interface; is the address right?")
}

/// Why the service refused, in its own words.
async fn refusal(response: reqwest::Response) -> String {
    let status = response.status();
    match response.json::<ErrorBody>().await {
        Ok(body) => body.error,
        Err(_) => format!("the service answered {status}"),
    }
}
