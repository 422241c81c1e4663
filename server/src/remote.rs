//! `pentimento run` and `pentimento upload`: a job on a service somewhere else, as a pipeline starts it, and an exit status that
//! says how it went.

mod pages;
mod run;
mod service;
mod upload;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use pentimento_api::crawl::RunContext;
use pentimento_api::job::{JobOverview, JobStatus};
use pentimento_api::result::PageResult;
use pentimento_api::review::ResultItem;
use pentimento_api::summary::{JobWords, RunDecision};
use secrecy::SecretString;
use url::Url;

use crate::progress::Progress;

use service::Service;

pub use run::{RunArgs, run};
pub use upload::{UploadArgs, upload};

/// Exit status of a run that a person must look at, and of one that could not be done.
const NEEDS_REVIEW: u8 = 1;
const COULD_NOT_RUN: u8 = 2;

/// What every command's help ends with.
const EXIT_STATUS: &str = "Exit status: 0 when nothing needs a person, 1 when something does or is wrong, 2 when the job could not run.";

/// Changed pages that are named at the end, and unstable ones.
const NAMED_PAGES: u64 = 20;

/// Pages in error that are read at once: all of them are named.
const ERRORS_AT_ONCE: u64 = 500;

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

/// What the run is about, so that what was meant needs nobody.
#[derive(Debug, Args)]
struct ContextArgs {
    /// What was changed, in words.
    #[arg(long, value_name = "TEXT")]
    change: Option<String>,

    /// A change that should be seen; may be repeated.
    #[arg(long = "expect", value_name = "TEXT")]
    expected: Vec<String>,

    /// What the change is limited to: a selector or a component's name; may be repeated.
    #[arg(long, value_name = "SELECTOR")]
    scope: Vec<String>,

    /// The commit that is tested.
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,
}

impl ContextArgs {
    /// As requests have it; nothing when nothing was said.
    fn as_sent(&self) -> Option<RunContext> {
        let context = RunContext {
            change_description: self.change.clone(),
            expected_changes: (!self.expected.is_empty()).then(|| self.expected.clone()),
            scope: (!self.scope.is_empty()).then(|| self.scope.clone()),
            git_commit_sha: self.commit.clone(),
            ..RunContext::default()
        };
        (context != RunContext::default()).then_some(context)
    }
}

/// How long to wait, and what to write then.
#[derive(Debug, Args)]
struct FollowArgs {
    /// Longest wait, in minutes.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_440))]
    timeout_minutes: u32,

    /// Where to write a report when the job has ended: `junit=FILE`, `markdown=FILE` or `html=FILE`; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    reports: Vec<ReportWish>,
}

impl FollowArgs {
    /// Waits for the job, writes the reports, tells what came of it.
    async fn to_the_end(&self, service: &Service, job: &str) -> anyhow::Result<ExitCode> {
        let deadline = Duration::from_secs(u64::from(self.timeout_minutes) * 60);
        let waited = tokio::time::timeout(deadline, follow(service, job)).await;
        let ended = waited.with_context(|| {
            format!(
                "the job did not end within {} minutes; it goes on, and --timeout-minutes waits longer",
                self.timeout_minutes
            )
        })??;
        for wish in &self.reports {
            let report = service.report(job, wish.format).await?;
            std::fs::write(&wish.file, report)
                .with_context(|| format!("cannot write {}", wish.file.display()))?;
        }
        if ended.status == JobStatus::Failed {
            let cause = ended.error.as_deref();
            bail!(
                "the job failed: {}",
                cause.unwrap_or("no cause was recorded")
            );
        }
        let words = service.words(job).await?;
        print!("{}", describe(service, &ended, &words).await?);
        Ok(outcome(&ended, &words))
    }
}

/// The exit status of a command; what stopped it is told on the standard error.
async fn told(command: impl Future<Output = anyhow::Result<ExitCode>>) -> ExitCode {
    command.await.unwrap_or_else(|error| {
        eprintln!("pentimento: {error:#}");
        ExitCode::from(COULD_NOT_RUN)
    })
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

/// Waits until the job has ended, and shows how far it is.
async fn follow(service: &Service, job: &str) -> anyhow::Result<JobOverview> {
    let progress = Progress::new("compared");
    let mut look = tokio::time::interval(service::LOOK_INTERVAL);
    loop {
        look.tick().await;
        let seen = service.overview(job).await?;
        progress.show(seen.progress.completed, seen.progress.total);
        if seen.status.is_final() {
            progress.finish();
            return Ok(seen);
        }
    }
}

/// What came of it: in words, then page by page. Of a job's results no more is read than is named.
async fn describe(
    service: &Service,
    job: &JobOverview,
    words: &JobWords,
) -> anyhow::Result<String> {
    let id = job.job_id.to_string();
    let assessment = match job.status {
        JobStatus::Approved if job.counts.regression > 0 => "All changes are approved.",
        _ => &words.intent_assessment.summary,
    };
    let mut text = format!("{}\n{assessment}\n", words.run_summary);
    let named = |word: &str, page: &PageResult| {
        format!(
            "  {word}: {} ({}) {}\n",
            page.url,
            page.variant_name,
            service.page(&format!("/app/review/{}", page.result_id))
        )
    };
    if job.counts.regression > 0 {
        let query = format!("outcome=regression&limit={NAMED_PAGES}");
        let changed = service.results(&id, &query).await?;
        for ResultItem { result, .. } in &changed.results {
            let verdict = result.verdict.as_ref();
            let verdict = verdict.map_or("changed", |verdict| verdict.decision.as_str());
            text.push_str(&named(verdict, result));
        }
        let more = changed.total.saturating_sub(NAMED_PAGES);
        if more > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
    }
    if job.counts.matching > 0 {
        let query = format!("outcome=match&unstable=true&brief=true&limit={NAMED_PAGES}");
        let unstable = service.results(&id, &query).await?;
        for ResultItem { result, .. } in &unstable.results {
            text.push_str(&named("unstable", result));
        }
    }
    text.push_str(&errors(service, &id, job.counts.error).await?);
    Ok(text)
}

/// All pages in error, of which there are so many.
async fn errors(service: &Service, job: &str, count: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    let first = format!("outcome=error&brief=true&limit={ERRORS_AT_ONCE}");
    let mut query = first.clone();
    for _ in 0..count.div_ceil(ERRORS_AT_ONCE) {
        let list = service.results(job, &query).await?;
        for ResultItem { result, .. } in &list.results {
            let why = result.error_message.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "  error: {} ({}): {why}",
                result.url, result.variant_name
            );
        }
        let Some(next) = list.next else {
            break;
        };
        query = format!("{first}&after={next}");
    }
    Ok(text)
}

fn outcome(job: &JobOverview, words: &JobWords) -> ExitCode {
    let no_errors = job.counts.error == 0;
    let passes = words.intent_assessment.decision == RunDecision::Pass;
    // What was approved, by a person or automatically, needs nobody any more.
    if no_errors && (passes || job.status == JobStatus::Approved) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NEEDS_REVIEW)
    }
}
