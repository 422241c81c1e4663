//! `pentimento upload`: a folder of screenshots as a client-driven job.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use futures::{StreamExt, TryStreamExt};
use pentimento_api::ci::{InitRequest, UploadUrlRequest};
use pentimento_api::ids::JobId;
use url::Url;

use super::pages::{self, Page};
use super::service::Service;
use super::{ContextArgs, EXIT_STATUS, FollowArgs, ServiceArgs, told};
use crate::progress::Progress;

/// Pages on their way at once.
const PARALLEL: usize = 8;

/// The DOM tree of a screenshot that has none: it says so, and pixels alone are compared.
const NO_DOM: &[u8] = br#"{"tagName":"body","absent":true}"#;

/// Settings of `pentimento upload`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub struct UploadArgs {
    /// A folder of PNG files: `about/team@mobile.png` is the page /about/team in the variant mobile, `index.png` the page of its
    /// folder. A DOM tree lies beside its screenshot as `.json` or `.json.gz`.
    folder: PathBuf,

    #[command(flatten)]
    service: ServiceArgs,

    /// The project; it comes to be with its first job.
    #[arg(long)]
    project: String,

    /// The origin that was captured; baselines are kept by path, so it may be another each time.
    #[arg(long, value_name = "URL", default_value = "http://localhost")]
    test_origin: Url,

    /// The variant of files that name none.
    #[arg(long, default_value = "desktop")]
    variant: String,

    /// The branch that is tested.
    #[arg(long)]
    branch: Option<String>,

    #[command(flatten)]
    context: ContextArgs,

    #[command(flatten)]
    follow: FollowArgs,
}

/// Runs `pentimento upload`: uploads, waits, and tells what came of it. What stops it is told on the standard error.
pub async fn upload(args: UploadArgs) -> ExitCode {
    told(async {
        let pages = pages::find(&args.folder, &args.test_origin, &args.variant)?;
        let service = Service::new(&args.service.url, &args.service.key)?;
        let job = service
            .init(&InitRequest {
                project: args.project.clone(),
                test_origin: args.test_origin.origin().ascii_serialization(),
                branch: args.branch.clone(),
                commit: args.context.commit.clone(),
                devices: None,
                run_context: args.context.as_sent(),
            })
            .await?;
        println!("{}", service.page(&format!("/app/jobs/{job}")));
        send(&service, job, &pages).await?;
        service.finalize(job).await?;
        args.follow.to_the_end(&service, &job.to_string()).await
    })
    .await
}

/// Uploads every page, some at once.
async fn send(service: &Service, job: JobId, pages: &[Page]) -> anyhow::Result<()> {
    let progress = Progress::new("uploaded");
    let total = pages.len() as u64;
    progress.show(0, total);
    let sent = futures::stream::iter(pages)
        .map(|page| async move {
            let sent = send_page(service, job, page).await;
            sent.with_context(|| format!("cannot upload {}", page.screenshot.display()))
        })
        .buffer_unordered(PARALLEL);
    futures::pin_mut!(sent);
    let mut done = 0;
    while sent.try_next().await?.is_some() {
        done += 1;
        progress.show(done, total);
    }
    progress.finish();
    Ok(())
}

async fn send_page(service: &Service, job: JobId, page: &Page) -> anyhow::Result<()> {
    let screenshot = tokio::fs::read(&page.screenshot).await?;
    if !screenshot.starts_with(b"\x89PNG") {
        bail!("it is no PNG file");
    }
    let dom = match &page.dom {
        Some(file) => tokio::fs::read(file).await?,
        None => NO_DOM.to_vec(),
    };
    let links = service
        .upload_urls(&UploadUrlRequest {
            job_id: job,
            url: page.url.to_string(),
            variant_name: page.variant.clone(),
        })
        .await?;
    service
        .put(&links.upload_url, "image/png", screenshot)
        .await?;
    service
        .put(&links.dom_upload_url, "application/json", dom)
        .await
}
