//! `make throughput`: a job of many pages through the real program, and what it costs.
//!
//! It starts the program and a site on loopback, runs a job whose pages are all new and one that is compared with them, and
//! prints for each, where the figures mean:
//!
//! - **places busy**: of the time of all capture places (the smaller of the job's concurrency and the tabs), from the job's
//!   acceptance to its end, the share in which a page was in the browser;
//! - **server's CPU**: processor time of the service's own process, as a share of that and all of its browsers' processes;
//! - **memory**: the most that the service was resident with, and the most that its browsers' processes held of their own.

mod cost;
mod site;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::{Value, json};

use cost::Cost;
use site::Weight;

/// Time between two looks at the job.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Longest time for one job.
const JOB_DEADLINE: Duration = Duration::from_hours(2);

#[derive(Parser)]
struct Options {
    /// The program to measure.
    #[arg(long)]
    program: PathBuf,

    /// Pages of the job.
    #[arg(long, default_value_t = 1_000)]
    pages: usize,

    /// Captures of the job at once.
    #[arg(long, default_value_t = 4)]
    concurrency: u32,

    /// Tabs of the service's one browser.
    #[arg(long, default_value_t = 4)]
    tabs: u32,

    /// Pages with 2,000 elements, 40 pictures and a script, in place of simple ones.
    #[arg(long)]
    heavy: bool,

    /// Further flags of `pentimento serve`, after `--`.
    #[arg(last = true)]
    serve: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let weight = if options.heavy {
        Weight::Heavy
    } else {
        Weight::Simple
    };
    let origin = site::start(weight).await?;
    let folder = tempfile::tempdir()?;
    let service = Service::start(&options, folder.path())?;
    let paths: Vec<Value> = (0..options.pages)
        .map(|number| json!({ "path": format!("/page-{number}") }))
        .collect();
    let job = json!({ "project": "throughput", "testOrigin": origin, "paths": paths, "concurrency": options.concurrency });
    for name in ["new baselines", "compared with them"] {
        measure(&service, name, &job, &options).await?;
    }
    Ok(())
}

async fn measure(
    service: &Service,
    name: &str,
    job: &Value,
    options: &Options,
) -> anyhow::Result<()> {
    let seconds_before = service.capture_seconds().await?;
    let mut cost = Cost::begin(service.id())?;
    let begun = Instant::now();
    let started = service.post("/crawl", job).await?;
    let job_id = started["jobId"].as_str().context("a job's id")?.to_owned();
    let counts = loop {
        tokio::time::sleep(LOOK_INTERVAL).await;
        cost.look()?;
        let view = service.get(&format!("/job/{job_id}/overview")).await?;
        if view["status"] == "COMPLETED" {
            break view["counts"].clone();
        }
        ensure!(view["status"] != "FAILED", "the job failed: {view}");
        ensure!(
            begun.elapsed() < JOB_DEADLINE,
            "the job does not end: {view}"
        );
    };
    let wall = begun.elapsed().as_secs_f64();
    let places = options.concurrency.min(options.tabs);
    let in_browser = service.capture_seconds().await? - seconds_before;
    let cost = cost.end()?;
    println!(
        "{name}: {} pages in {wall:.1} s ({:.2} pages/s); places busy {:.1} % ({:.2} s a page in {places} places); \
         processor time {:.0} s, of it the server's {:.1} %; memory: server {} MiB, browsers {} MiB; {counts}",
        options.pages,
        options.pages as f64 / wall,
        100.0 * in_browser / (wall * f64::from(places)),
        in_browser / options.pages as f64,
        cost.server_seconds + cost.browser_seconds,
        100.0 * cost.server_seconds / (cost.server_seconds + cost.browser_seconds),
        cost.server_peak_bytes >> 20,
        cost.browsers_peak_bytes >> 20,
    );
    Ok(())
}

/// The running program; ended when dropped.
struct Service {
    child: Child,
    base: String,
    key: String,
    http: reqwest::Client,
}

impl Service {
    fn start(options: &Options, folder: &std::path::Path) -> anyhow::Result<Self> {
        let child = Command::new(&options.program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(folder)
            .args(["--tabs-per-browser", &options.tabs.to_string()])
            .args(&options.serve)
            .env("PENTIMENTO_LOG", "warn")
            .env_remove("DATABASE_URL")
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", options.program.display()))?;
        let http = reqwest::Client::builder().no_proxy().build()?;
        let mut service = Self {
            child,
            base: String::new(),
            key: String::new(),
            http,
        };
        let output = service.child.stdout.take().context("its output")?;
        for line in BufReader::new(output).lines() {
            let line = line?;
            if line.trim().starts_with("pnt_") {
                line.trim().clone_into(&mut service.key);
            }
            if let Some(base) = line.strip_prefix("Listening on ") {
                base.trim().clone_into(&mut service.base);
                return Ok(service);
            }
        }
        anyhow::bail!("the program ended before it listened")
    }

    fn id(&self) -> i32 {
        self.child.id().cast_signed()
    }

    async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.http.post(format!("{}{path}", self.base)).json(body);
        let answer = request.bearer_auth(&self.key).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.http.get(format!("{}{path}", self.base));
        let answer = request.bearer_auth(&self.key).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// How long pages were in the browser so far, all together.
    async fn capture_seconds(&self) -> anyhow::Result<f64> {
        let metrics = self
            .http
            .get(format!("{}/metrics", self.base))
            .send()
            .await?;
        let text = metrics.error_for_status()?.text().await?;
        let sums = text
            .lines()
            .filter(|line| line.starts_with("pentimento_capture_seconds_sum"));
        sums.map(|line| {
            Ok(line
                .rsplit(' ')
                .next()
                .context("a figure")?
                .parse::<f64>()?)
        })
        .sum()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It ends its browsers when it is told to end; `kill` would leave them.
        if let Some(id) = rustix::process::Pid::from_raw(self.id()) {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
        let _ = self.child.wait();
    }
}
