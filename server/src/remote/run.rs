//! `pentimento run`: a job that the service captures itself.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use pentimento_api::crawl::{CrawlRequest, PagePath};
use pentimento_api::project::RunRequest;
use url::Url;

use super::service::Service;
use super::{ContextArgs, EXIT_STATUS, FollowArgs, ServiceArgs, told};

/// Settings of `pentimento run`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
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

    #[command(flatten)]
    context: ContextArgs,

    /// Wait for the job to end; without it, the run is only started, and no report can be written.
    #[arg(long)]
    wait: bool,

    #[command(flatten)]
    follow: FollowArgs,
}

/// Runs `pentimento run`. What stops it is told on the standard error.
pub async fn run(args: RunArgs) -> ExitCode {
    told(async {
        // Whoever asks for a report would look for a file that nobody writes.
        if !args.wait && !args.follow.reports.is_empty() {
            bail!("--report needs --wait: there is no report before the job has ended");
        }
        let service = Service::new(&args.service.url, &args.service.key)?;
        let job = start(&service, &args).await?;
        println!("{}", service.page(&format!("/app/jobs/{job}")));
        if args.wait {
            args.follow.to_the_end(&service, &job).await
        } else {
            Ok(ExitCode::SUCCESS)
        }
    })
    .await
}

/// Starts the job by the saved configuration, or by what was given.
async fn start(service: &Service, args: &RunArgs) -> anyhow::Result<String> {
    let auto_approve = args.auto_approve.then_some(true);
    let run_context = args.context.as_sent();
    let Some(origin) = &args.test_origin else {
        let request = RunRequest {
            auto_approve,
            run_context,
            ..RunRequest::default()
        };
        return service.run_project(&args.project, &request).await;
    };
    let list = |texts: &[String]| (!texts.is_empty()).then(|| texts.to_vec());
    let page = |path: &String| PagePath {
        path: path.clone(),
        ..PagePath::default()
    };
    let request = CrawlRequest {
        project: Some(args.project.clone()),
        test_origin: Some(origin.origin().ascii_serialization()),
        sitemap_url: args.sitemap_url.as_ref().map(Url::to_string),
        devices: list(&args.devices),
        paths: list(&args.paths).map(|paths| paths.iter().map(page).collect()),
        auto_approve,
        run_context,
        ..CrawlRequest::default()
    };
    service.crawl(&request).await
}
