//! `pentimento demo`: the main job, shown on a bundled site. It captures the site, switches it to its changed version,
//! captures it again, prints what was found, and goes on serving the dashboard.

mod report;
pub mod site;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Parser};
use indicatif::{ProgressBar, ProgressStyle};
use pentimento_api::crawl::{CrawlRequest, JobStarted, PagePath, RunContext};
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::JobId;
use pentimento_api::job::{Job, JobOverview, JobStatus};
use serde::de::DeserializeOwned;

use crate::clock::Clock;
use crate::config::Config;
use crate::serve::{Service, wait_for_signal};
use site::{DemoSite, PAGES};

/// Longest time that a run of the demo may take.
const RUN_DEADLINE: Duration = Duration::from_mins(5);

/// How often the progress bar moves.
const POLL_INTERVAL: Duration = Duration::from_millis(150);

/// Settings of `pentimento demo`.
#[derive(Debug, Clone, Args)]
pub struct DemoConfig {
    /// Where the dashboard listens; another free port is taken when this one is busy.
    #[arg(long, env = "PENTIMENTO_LISTEN", default_value = "127.0.0.1:7357")]
    pub listen: SocketAddr,

    /// Devices to capture, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = ["Desktop Chrome".to_owned(), "iPhone 13".to_owned()])]
    pub devices: Vec<String>,

    /// Path of the browser; without it the usual places are searched.
    #[arg(long, env = "PENTIMENTO_BROWSER")]
    pub browser: Option<PathBuf>,

    /// Do not tell the second run which changes are meant: then a person must decide on each.
    #[arg(long)]
    pub without_intent: bool,

    /// End after the summary instead of serving on.
    #[arg(long)]
    pub once: bool,
}

/// Runs the demo.
///
/// # Errors
/// The service does not start, or a run does not end.
pub async fn run(config: DemoConfig) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new()
        .prefix("pentimento-demo-")
        .tempdir()?;
    let site = DemoSite::start().await?;
    let service = Service::start(
        service_config(&config, folder.path(), &site).await?,
        Clock::System,
    )
    .await?;
    let shown = show(&config, &service, &site).await;
    if shown.is_ok() && !config.once {
        wait_for_signal().await;
        println!("\nStopping.");
    }
    service.stop().await;
    site.stop().await;
    shown
}

async fn show(config: &DemoConfig, service: &Service, site: &DemoSite) -> anyhow::Result<()> {
    let key = service
        .first_key
        .clone()
        .context("a new database gives its first key")?;
    let client = Client {
        base: format!("http://{}", service.address),
        key,
        http: service.app.http.clone(),
    };
    println!(
        "Demo site at {} · service at {}\n",
        site.origin(),
        client.base
    );
    let first = client
        .run_job("Baselines", &request(config, site, None))
        .await?;
    site.show_changed_version();
    let context = (!config.without_intent).then(what_is_meant);
    let second = client
        .run_job("Changed version", &request(config, site, context))
        .await?;
    let job: Job = client.get(&format!("/job/{second}")).await?;
    let summary = client.get(&format!("/job/{second}/summary")).await?;
    print!("{}", report::table(&job, &summary, &client.base));
    println!(
        "\nFirst run:  {}/app/jobs/{first}\nSecond run: {}/app/jobs/{second}",
        client.base, client.base
    );
    println!(
        "\nOpen the dashboard, signed in:\n\n    {}/app/sign-in?next=/app/jobs/{second}#key={}\n",
        client.base, client.key
    );
    if !config.once {
        println!("Serving until Ctrl-C.");
    }
    Ok(())
}

/// What the second run is told: two of the changes of the demo site are meant, the others are not mentioned.
pub fn what_is_meant() -> RunContext {
    RunContext {
        change_description: Some(
            "Rename the Studio plan to Studio Plus and raise its price to 29 €.".to_owned(),
        ),
        expected_changes: Some(
            [
                "The Studio plan's heading reads “Studio Plus”",
                "The price changes from 19 € to 29 €",
                "The section “Colour matching by post” is removed from the features page",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
        ..RunContext::default()
    }
}

fn request(config: &DemoConfig, site: &DemoSite, run_context: Option<RunContext>) -> CrawlRequest {
    CrawlRequest {
        project: Some("demo".to_owned()),
        test_origin: Some(site.origin()),
        paths: Some(
            PAGES
                .iter()
                .map(|(path, label)| PagePath {
                    path: (*path).to_owned(),
                    label: (*label).to_owned(),
                })
                .collect(),
        ),
        devices: Some(config.devices.clone()),
        run_context,
        ..CrawlRequest::default()
    }
}

/// The embedded defaults, in a folder of the demo's own.
async fn service_config(
    config: &DemoConfig,
    folder: &std::path::Path,
    site: &DemoSite,
) -> anyhow::Result<Config> {
    #[derive(Parser)]
    struct Defaults {
        #[command(flatten)]
        config: Config,
    }
    let defaults = Defaults::try_parse_from(["pentimento"])
        .context("the defaults of the settings")?
        .config;
    let free = tokio::net::TcpListener::bind(config.listen).await.is_ok();
    let listen = if free {
        config.listen
    } else {
        SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
    };
    if !free {
        println!("{} is in use; taking another port.", config.listen);
    }
    let mut config_of_service = Config { listen, ..defaults };
    folder.clone_into(&mut config_of_service.store.data_dir);
    config_of_service.store.database_url = None;
    config_of_service.s3.bucket = None;
    // Also when it listens for others: the demo captures its own site, and nothing else that is private.
    let own_site = site
        .origin()
        .trim_start_matches("http://")
        .parse()
        .map_err(anyhow::Error::msg)?;
    config_of_service.allow_targets.push(own_site);
    config_of_service
        .capture
        .browser
        .clone_from(&config.browser);
    Ok(config_of_service)
}

/// Calls the service as any client would.
struct Client {
    base: String,
    key: String,
    http: reqwest::Client,
}

impl Client {
    async fn run_job(&self, title: &str, request: &CrawlRequest) -> anyhow::Result<JobId> {
        let response = self
            .http
            .post(format!("{}/crawl", self.base))
            .bearer_auth(&self.key)
            .json(request)
            .send()
            .await?;
        let started: JobStarted = read(response).await?;
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
            "{prefix:16} {bar:32} {pos:>3}/{len} {elapsed:>4}  {msg}",
        )?);
        bar.set_prefix(title.to_owned());
        let job = tokio::time::timeout(RUN_DEADLINE, self.follow(started.job_id, &bar))
            .await
            .context("the run took too long")??;
        bar.finish_and_clear();
        println!(
            "{title:16} {} page variants in {:.1} s",
            job.progress.total, job.execution_time
        );
        if job.status == JobStatus::Failed {
            bail!("{}", job.error.unwrap_or_default());
        }
        Ok(started.job_id)
    }

    async fn follow(&self, job_id: JobId, bar: &ProgressBar) -> anyhow::Result<JobOverview> {
        loop {
            let job: JobOverview = self.get(&format!("/job/{job_id}/overview")).await?;
            bar.set_length(job.progress.total);
            bar.set_position(job.progress.completed);
            bar.set_message(job.status.as_str());
            if job.status.is_final() {
                return Ok(job);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        read(
            self.http
                .get(format!("{}{path}", self.base))
                .bearer_auth(&self.key)
                .send()
                .await?,
        )
        .await
    }
}

async fn read<T: DeserializeOwned>(response: reqwest::Response) -> anyhow::Result<T> {
    if response.status().is_success() {
        return Ok(response.json().await?);
    }
    let refused: ErrorBody = response.json().await?;
    bail!("{}", refused.error)
}
