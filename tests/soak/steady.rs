//! The same site captured by the service, as a project with its masks.

use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use pentimento::clock::Clock;
use pentimento::config::{CaptureSettings, Config};
use pentimento::serve::Service;
use serde_json::{Value, json};

use crate::site::{BANNER, PAGES, Site};

/// Longest time that one run may take.
const RUN_DEADLINE: Duration = Duration::from_mins(5);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What became of the captures of one page after its first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) changed: usize,
    pub(crate) unstable: usize,
    pub(crate) errors: usize,
}

#[derive(Parser)]
struct Defaults {
    #[command(flatten)]
    config: Config,
}

/// Captures every page once as its baseline and then `runs` times, and counts what was told of them.
pub(crate) async fn count_changes(
    settings: &CaptureSettings,
    site: &Site,
    runs: usize,
) -> anyhow::Result<Vec<Counts>> {
    let folder = tempfile::tempdir()?;
    let mut config = Defaults::try_parse_from(["soak", "--listen", "127.0.0.1:0"])?.config;
    folder.path().clone_into(&mut config.store.data_dir);
    config.store.database_url = None;
    config.s3.bucket = None;
    config.capture = settings.clone();
    config.allow_targets = vec![site.host().parse().map_err(anyhow::Error::msg)?];
    let service = Service::start(config, Clock::System).await?;
    let client = Client {
        base: format!("http://{}", service.address),
        key: service
            .first_key
            .clone()
            .context("a new database gives its first key")?,
        http: service.app.http.clone(),
    };
    let counted = client.count(site, runs).await;
    service.stop().await;
    counted
}

struct Client {
    base: String,
    key: String,
    http: reqwest::Client,
}

impl Client {
    async fn count(&self, site: &Site, runs: usize) -> anyhow::Result<Vec<Counts>> {
        let paths: Vec<Value> = PAGES
            .iter()
            .map(|page| json!({ "path": page.path }))
            .collect();
        let project = json!({
            "project": "soak", "testOrigin": site.origin(), "paths": paths, "masks": [BANNER],
        });
        let mut counts = vec![Counts::default(); PAGES.len()];
        for run in 0..=runs {
            let job = tokio::time::timeout(RUN_DEADLINE, self.run(&project))
                .await
                .context("a run takes too long")??;
            let results = job["results"].as_array().context("a job has results")?;
            anyhow::ensure!(results.len() == PAGES.len(), "{job:#}");
            for (page, result) in counts.iter_mut().zip(results) {
                page.errors += usize::from(result["status"] == "ERROR");
                if run > 0 {
                    page.changed += usize::from(result["changed"] == true);
                    page.unstable += usize::from(result["unstable"] == true);
                }
                if result["changed"] == true || result["status"] == "ERROR" {
                    println!(
                        "run {run}: {} {} {}",
                        result["url"], result["serviceSummary"], result["errorMessage"]
                    );
                }
            }
        }
        Ok(counts)
    }

    async fn run(&self, project: &Value) -> anyhow::Result<Value> {
        let post = self.http.post(format!("{}/crawl", self.base));
        let started: Value = post
            .bearer_auth(&self.key)
            .json(project)
            .send()
            .await?
            .error_for_status()?
            .json()
            .await?;
        let address = format!(
            "{}/job/{}",
            self.base,
            started["jobId"].as_str().context("a job's id")?
        );
        loop {
            let get = self.http.get(&address).bearer_auth(&self.key);
            let job: Value = get.send().await?.error_for_status()?.json().await?;
            if job["status"] == "COMPLETED" {
                return Ok(job);
            }
            anyhow::ensure!(job["status"] != "FAILED", "{job:#}");
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}
