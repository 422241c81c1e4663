//! `pentimento run`: starts a job on a service somewhere else, as a pipeline does, and says by its exit status how it went.

mod progress;
mod service;

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use pentimento_api::crawl::{CrawlRequest, PagePath, RunContext};
use pentimento_api::job::JobStatus;
use pentimento_api::summary::{JobSummary, RunDecision};
use secrecy::SecretString;
use url::Url;

use progress::Progress;
use service::Service;

/// Exit status of a run that a person must look at, and of one that could not be done.
const NEEDS_REVIEW: u8 = 1;
const COULD_NOT_RUN: u8 = 2;

/// Changed pages that are named at the end.
const NAMED_PAGES: usize = 20;

/// Settings of `pentimento run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 when nothing needs a person, 1 when something does or is wrong, 2 when the job could not run.")]
pub struct RunArgs {
    #[command(flatten)]
    service: ServiceArgs,

    /// The project to run. With nothing else, its saved configuration is used.
    #[arg(long)]
    project: String,

    /// The origin to test, such as `https://staging.example.com`; the first run of a project needs one.
    #[arg(long, value_name = "URL")]
    test_origin: Option<Url>,

    /// A page to capture, by its path; may be repeated.
    #[arg(long = "path", value_name = "PATH", requires = "test_origin")]
    paths: Vec<String>,

    /// The sitemap to read pages from.
    #[arg(long, value_name = "URL", requires = "test_origin")]
    sitemap_url: Option<Url>,

    /// A device to be; may be repeated.
    #[arg(long = "device", value_name = "NAME", requires = "test_origin")]
    devices: Vec<String>,

    /// Make the captures the new baselines when the job completes.
    #[arg(long)]
    auto_approve: bool,

    /// What was changed, in words.
    #[arg(long, value_name = "TEXT")]
    change: Option<String>,

    /// A change that should be seen; may be repeated.
    #[arg(long = "expect", value_name = "TEXT")]
    expected: Vec<String>,

    /// The commit that is tested.
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,

    /// Wait for the job to end; without it, the run is only started.
    #[arg(long)]
    wait: bool,

    /// Longest wait, in minutes.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_440))]
    timeout_minutes: u32,

    /// Where to write a report when the job has ended: `junit=FILE`, `markdown=FILE` or `html=FILE`; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", requires = "wait")]
    reports: Vec<ReportWish>,
}

/// Which service, and as whom.
#[derive(Debug, Args)]
struct ServiceArgs {
    /// Address of the service.
    #[arg(
        long = "service",
        env = "PENTIMENTO_URL",
        default_value = "http://127.0.0.1:7357"
    )]
    url: Url,

    /// An API key with the scopes `read` and `run`.
    #[arg(long, env = "PENTIMENTO_API_KEY", hide_env_values = true)]
    key: SecretString,
}

/// A report in a format, into a file.
#[derive(Debug, Clone)]
struct ReportWish {
    format: &'static str,
    file: PathBuf,
}

impl FromStr for ReportWish {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = text
            .split_once('=')
            .ok_or("write FORMAT=FILE, such as junit=report.xml")?;
        let known = ["junit", "markdown", "html"];
        let format = known.into_iter().find(|known| *known == format);
        let format = format.ok_or_else(|| format!("the formats are {}", known.join(", ")))?;
        if file.is_empty() {
            return Err("name a file behind the `=`".to_owned());
        }
        Ok(Self {
            format,
            file: file.into(),
        })
    }
}

/// Runs the command. What stops it is told on the standard error.
pub async fn run(args: RunArgs) -> ExitCode {
    match start_and_follow(&args).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pentimento: {error:#}");
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

async fn start_and_follow(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let service = Service::new(&args.service.url, &args.service.key)?;
    let job = start(&service, args).await?;
    println!("{}", service.page(&format!("/app/jobs/{job}")));
    if !args.wait {
        return Ok(ExitCode::SUCCESS);
    }
    let deadline = Duration::from_secs(u64::from(args.timeout_minutes) * 60);
    let waited = tokio::time::timeout(deadline, follow(&service, &job)).await;
    let status = waited.with_context(|| {
        format!(
            "the job did not end within {} minutes; it goes on, and --timeout-minutes waits longer",
            args.timeout_minutes
        )
    })??;
    for wish in &args.reports {
        let report = service.report(&job, wish.format).await?;
        std::fs::write(&wish.file, report)
            .with_context(|| format!("cannot write {}", wish.file.display()))?;
    }
    let summary = service.summary(&job).await?;
    if status == JobStatus::Failed {
        bail!(
            "the job could not run: {}",
            summary.error.as_deref().unwrap_or("no cause was recorded")
        );
    }
    tell(&service, &summary);
    Ok(outcome(&summary))
}

/// Starts the job by the saved configuration, or by what was given.
async fn start(service: &Service, args: &RunArgs) -> anyhow::Result<String> {
    let list = |texts: &[String]| (!texts.is_empty()).then(|| texts.to_vec());
    let context = RunContext {
        change_description: args.change.clone(),
        expected_changes: list(&args.expected),
        git_commit_sha: args.commit.clone(),
        ..RunContext::default()
    };
    let mut request = CrawlRequest {
        auto_approve: args.auto_approve.then_some(true),
        run_context: (context != RunContext::default()).then_some(context),
        ..CrawlRequest::default()
    };
    let Some(origin) = &args.test_origin else {
        return service.run_project(&args.project, &request).await;
    };
    request.project = Some(args.project.clone());
    request.test_origin = Some(origin.origin().ascii_serialization());
    request.sitemap_url = args.sitemap_url.as_ref().map(Url::to_string);
    request.devices = list(&args.devices);
    let page = |path: &String| PagePath {
        path: path.clone(),
        ..PagePath::default()
    };
    request.paths = list(&args.paths).map(|paths| paths.iter().map(page).collect());
    service.crawl(&request).await
}

/// Waits until the job has ended, and shows how far it is.
async fn follow(service: &Service, job: &str) -> anyhow::Result<JobStatus> {
    let mut progress = Progress::new();
    let mut look = tokio::time::interval(service::LOOK_INTERVAL);
    loop {
        look.tick().await;
        let seen = service.overview(job).await?;
        progress.show(&seen.progress);
        if seen.status.is_final() {
            progress.finish();
            return Ok(seen.status);
        }
    }
}

/// What came of it, in words.
fn tell(service: &Service, summary: &JobSummary) {
    println!("{}", summary.run_summary);
    println!("{}", summary.intent_assessment.summary);
    for result in summary.regressions.iter().take(NAMED_PAGES) {
        let verdict = result
            .verdict
            .as_ref()
            .map_or("changed", |verdict| verdict.decision.as_str());
        println!(
            "  {verdict}: {} ({}) {}",
            result.url,
            result.variant_name,
            service.page(&format!("/app/review/{}", result.result_id))
        );
    }
    let more = summary.regressions.len().saturating_sub(NAMED_PAGES);
    if more > 0 {
        println!("  and {more} more");
    }
    for page in &summary.errors {
        println!(
            "  error: {} ({}): {}",
            page.url, page.variant_name, page.error_message
        );
    }
}

fn outcome(summary: &JobSummary) -> ExitCode {
    let is_clean =
        summary.intent_assessment.decision == RunDecision::Pass && summary.error_count == 0;
    // What was approved, by a person or automatically, needs nobody any more.
    if is_clean || (summary.status == JobStatus::Approved && summary.error_count == 0) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NEEDS_REVIEW)
    }
}
