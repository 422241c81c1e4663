//! A running `pentimento demo`, asked over its REST interface.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use super::process;

/// Longest time for the demo's two runs, and for one of ours.
const CAPTURE_DEADLINE: Duration = Duration::from_mins(10);
/// Longest time for a request, and for the demo to stop.
const SHORT_DEADLINE: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The demo's process; it stops with its value.
pub(super) struct Demo {
    child: Child,
    /// Where the site is.
    site: String,
    /// Where the service is.
    service: String,
    key: String,
    /// The run that captured the changed version.
    changed: String,
}

impl Demo {
    /// Starts it, and waits until both of its runs are over.
    pub(super) fn start(pentimento: &Path) -> Result<Self> {
        let mut child = Command::new(pentimento)
            .args([
                "demo",
                "--listen",
                "127.0.0.1:0",
                "--devices",
                "Desktop Chrome",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", pentimento.display()))?;
        let stdout = child.stdout.take().context("the pipe was asked for")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // Nobody listens once all is known.
                let _ = sender.send(line);
            }
        });
        let mut demo = Self {
            child,
            site: String::new(),
            service: String::new(),
            key: String::new(),
            changed: String::new(),
        };
        demo.read_addresses(&lines)?;
        Ok(demo)
    }

    fn read_addresses(&mut self, lines: &Receiver<String>) -> Result<()> {
        let begun = Instant::now();
        while self.key.is_empty() {
            let left = CAPTURE_DEADLINE.saturating_sub(begun.elapsed());
            let line = lines
                .recv_timeout(left)
                .context("the demo did not come to its end")?;
            if let Some((site, service)) = line
                .strip_prefix("Demo site at ")
                .and_then(|rest| rest.split_once(" · service at "))
            {
                (self.site, self.service) = (site.to_owned(), service.trim().to_owned());
            }
            if let Some((_, job)) = line
                .strip_prefix("Second run: ")
                .and_then(|address| address.rsplit_once('/'))
            {
                job.trim().clone_into(&mut self.changed);
            }
            if let Some((_, key)) = line.split_once("#key=") {
                key.trim().clone_into(&mut self.key);
            }
        }
        ensure!(
            !self.site.is_empty() && !self.changed.is_empty(),
            "the demo did not say where its runs are"
        );
        Ok(())
    }

    pub(super) fn site(&self) -> &str {
        &self.site
    }

    /// The run that captured the changed version.
    pub(super) fn changed_run(&self) -> &str {
        &self.changed
    }

    /// Starts a job with the body of `POST /crawl`, and waits for its end; returns its id.
    pub(super) fn run_job(&self, request: &Value) -> Result<String> {
        let started = self.post("/crawl", request)?;
        let job = started["jobId"]
            .as_str()
            .context("a started job has an id")?;
        let begun = Instant::now();
        while begun.elapsed() < CAPTURE_DEADLINE {
            let overview = self.get_json(&format!("/job/{job}/overview"))?;
            match overview["status"].as_str() {
                Some("COMPLETED" | "APPROVED") => return Ok(job.to_owned()),
                Some("FAILED") => bail!("the job failed: {}", overview["error"]),
                _ => std::thread::sleep(POLL_INTERVAL),
            }
        }
        bail!(
            "the job was not done within {} s",
            CAPTURE_DEADLINE.as_secs()
        )
    }

    /// The job's results with their pictures.
    pub(super) fn results(&self, job: &str) -> Result<Vec<Value>> {
        let list = self.get_json(&format!("/job/{job}/results?limit=100"))?;
        let items = list["results"]
            .as_array()
            .context("a job has a list of results")?;
        items
            .iter()
            .map(|item| {
                let id = item["result"]["resultId"]
                    .as_str()
                    .context("a result has an id")?;
                self.get_json(&format!("/result/{id}"))
            })
            .collect()
    }

    pub(super) fn picture(&self, about: &Value) -> Result<Vec<u8>> {
        self.get(about["url"].as_str().context("a page was not captured")?)
    }

    fn get_json(&self, path: &str) -> Result<Value> {
        serde_json::from_slice(&self.get(path)?)
            .with_context(|| format!("GET {path} answered no JSON"))
    }

    fn get(&self, path: &str) -> Result<Vec<u8>> {
        let mut response = ureq::get(self.address(path))
            .header("authorization", format!("Bearer {}", self.key))
            .config()
            .timeout_global(Some(SHORT_DEADLINE))
            .build()
            .call()
            .with_context(|| format!("GET {path} failed"))?;
        let body = response
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_vec();
        body.with_context(|| format!("GET {path} broke off"))
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let mut response = ureq::post(self.address(path))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .config()
            .timeout_global(Some(SHORT_DEADLINE))
            .build()
            .send(body.to_string())
            .with_context(|| format!("POST {path} failed"))?;
        let answer = response
            .body_mut()
            .read_to_string()
            .with_context(|| format!("POST {path} broke off"))?;
        serde_json::from_str(&answer).with_context(|| format!("POST {path} answered no JSON"))
    }

    /// Links in answers may be whole addresses already.
    fn address(&self, path: &str) -> String {
        if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.service)
        }
    }
}

impl Drop for Demo {
    /// Asks it to stop, so that it takes its browser and its folder along; ends it when it does not.
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            // It may have ended by itself.
            let _ = kill(Pid::from_raw(id), Signal::SIGINT);
        }
        let begun = Instant::now();
        while begun.elapsed() < SHORT_DEADLINE {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        process::end(&mut self.child);
    }
}
