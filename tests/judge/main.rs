//! Captures every case of the mutation corpus with our own capture, compares documents and pictures, and says how many of
//! the planted changes were found, what was found beside them, and how often the verdict is right under three intents.
//! `make judge` runs it.

mod score;
mod verdicts;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use clap::{Parser, ValueEnum};
use futures::StreamExt;
use pentimento::capture::pool::BrowserPool;
use pentimento::capture::{Capture, CaptureRequest, devices};
use pentimento::config::CaptureSettings;
use pentimento::proxy::Proxy;
use pentimento::target::TargetPolicy;
use pentimento_compute::{BackendChoice, Comparator, CompareOptions, Comparison};
use pentimento_document::{Document, DocumentDiff, compare};
use pentimento_judging::{Case, Half, cases};
use score::Score;
use tokio::net::TcpListener;
use verdicts::Verdicts;

/// Time that one page may take.
const BUDGET: Duration = Duration::from_mins(1);

#[derive(Parser)]
struct Settings {
    /// Which half of the corpus: the one that rules are tuned on, or the one that is only for the report.
    #[arg(long, value_enum, default_value_t = Which::HeldOut)]
    half: Which,

    /// Only cases whose name has this in it.
    #[arg(long, default_value = "")]
    only: String,

    /// List what was missed and what was found beside it.
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    capture: CaptureSettings,
}

#[derive(Clone, Copy, ValueEnum)]
enum Which {
    Development,
    HeldOut,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let half = match settings.half {
        Which::Development => Half::Development,
        Which::HeldOut => Half::HeldOut,
    };
    let mut cases = cases(half);
    cases.retain(|case| case.name.contains(&settings.only));
    let cases = Arc::new(cases);
    let origin = serve(Arc::clone(&cases)).await?;
    let profiles = tempfile::tempdir()?;
    let comparator = Comparator::new(BackendChoice::Cpu)?;
    let pool = BrowserPool::new(&settings.capture, profiles.path().to_owned());
    let compared = futures::stream::iter(0..cases.len())
        .map(|index| compare_case(&pool, &comparator, &origin, index))
        .buffered(settings.capture.tabs());
    let mut score = Score::default();
    let mut verdicts = Verdicts::default();
    futures::pin_mut!(compared);
    let mut index = 0;
    while let Some(compared) = compared.next().await {
        let case = &cases[index];
        let compared = compared.with_context(|| case.name.clone())?;
        score.add(case, &compared.document);
        verdicts.add(case, &compared);
        index += 1;
    }
    pool.close().await;
    println!("{}\n{}{}", score.table(), verdicts.table(), verdicts.pace());
    if settings.list {
        print!("{}{}", score.mistakes(), verdicts.mistakes());
    }
    Ok(())
}

/// Serves both versions of every case at `/<index>/before` and `/<index>/after`.
async fn serve(cases: Arc<Vec<Case>>) -> anyhow::Result<String> {
    async fn page(
        State(cases): State<Arc<Vec<Case>>>,
        UrlPath((index, version)): UrlPath<(usize, String)>,
    ) -> Response {
        let page = cases.get(index).and_then(|case| match version.as_str() {
            "before" => Some(case.before.clone()),
            "after" => Some(case.after.clone()),
            _ => None,
        });
        match page {
            Some(page) => Html(page).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        }
    }
    let router = Router::new()
        .route("/{index}/{version}", axum::routing::get(page))
        .with_state(cases);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let origin = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(origin)
}

/// What both comparisons found.
struct Compared {
    document: DocumentDiff,
    /// None when the pictures are equal to the byte.
    pixels: Option<Comparison>,
}

async fn compare_case(
    pool: &BrowserPool,
    comparator: &Comparator,
    origin: &str,
    index: usize,
) -> anyhow::Result<Compared> {
    let capture = async |version: &str| -> anyhow::Result<Capture> {
        let url = format!("{origin}/{index}/{version}").parse()?;
        let device = devices::find(devices::DEFAULT).context("a device that there always is")?;
        let request = CaptureRequest::plain(url, device, BUDGET);
        // The cases are served on loopback.
        let proxy = Proxy::start(TargetPolicy::new(Vec::new(), true)).await?;
        Ok(pool.capture(&request, &proxy).await?)
    };
    let (before, after) = (capture("before").await?, capture("after").await?);
    let pixels = (before.screenshot != after.screenshot)
        .then(|| {
            comparator.compare(
                &before.screenshot,
                &after.screenshot,
                &CompareOptions::default(),
            )
        })
        .transpose()?;
    Ok(Compared {
        document: compare(
            &Document::parse(&before.dom)?,
            &Document::parse(&after.dom)?,
        ),
        pixels,
    })
}
