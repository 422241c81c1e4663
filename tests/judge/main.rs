//! Captures every case of the mutation corpus with our own capture, compares its documents, and says how many of the
//! planted changes were found, and what was found beside them. `make judge` runs it.

mod score;

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
use pentimento::capture::{CaptureRequest, devices};
use pentimento::config::CaptureSettings;
use pentimento_document::{Document, DocumentDiff, compare};
use pentimento_judging::{Case, Half, cases};
use score::Score;
use tokio::net::TcpListener;

/// Time that one page may take.
const BUDGET: Duration = Duration::from_secs(60);

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
    let pool = BrowserPool::new(&settings.capture, profiles.path().to_owned());
    let compared = futures::stream::iter(0..cases.len())
        .map(|index| compare_case(&pool, &origin, index))
        .buffered(settings.capture.tabs());
    let mut score = Score::default();
    futures::pin_mut!(compared);
    let mut index = 0;
    while let Some(diff) = compared.next().await {
        let case = &cases[index];
        score.add(case, &diff.with_context(|| case.name.clone())?);
        index += 1;
    }
    pool.close().await;
    print!("{}", score.table());
    if settings.list {
        print!("{}", score.mistakes());
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

async fn compare_case(
    pool: &BrowserPool,
    origin: &str,
    index: usize,
) -> anyhow::Result<DocumentDiff> {
    let document = async |version: &str| -> anyhow::Result<Document> {
        let request = CaptureRequest {
            url: format!("{origin}/{index}/{version}").parse()?,
            device: devices::find("Desktop Chrome").context("a device that there always is")?,
            masks: Vec::new(),
            custom_css: None,
            budget: BUDGET,
        };
        Ok(Document::parse(&pool.capture(&request).await?.dom)?)
    };
    Ok(compare(
        &document("before").await?,
        &document("after").await?,
    ))
}
