//! Which pages a run of a project would capture, told without running it. Nothing is stored.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento_api::crawl::CrawlRequest;
use pentimento_api::discover::{DiscoverAnswer, DiscoverRequest, DiscoveredPage};

use crate::app::App;
use crate::auth::Caller;
use crate::db;
use crate::discover::{Discovery, Page, Problem, discover};
use crate::error::{Error, Result};
use crate::gate::of_job::Gates;
use crate::jobs::spec::{CaptureConfig, SentConfig};
use crate::jobs::start::{check_targets, saved_config};

/// Time for all of it: clients give up after 10 s.
const BUDGET: Duration = Duration::from_secs(8);

/// Pages that are listed; the others are counted.
const MAX_LISTED: usize = 1_000;

/// Finds the pages of a run as the run itself would, with what was sent in place of what is stored.
///
/// # Errors
/// 400 that names the field, 400 `invalid_url` for an address that may not be opened, 404 for an unknown project.
pub async fn preview(
    app: &App,
    caller: &Caller,
    name: &str,
    request: DiscoverRequest,
) -> Result<DiscoverAnswer> {
    let begun = Instant::now();
    let sent = SentConfig::parse(&CrawlRequest {
        sitemap_url: request.sitemap_url,
        paths: request.paths,
        scans: request.scans,
        devices: request.devices,
        ..CrawlRequest::default()
    })?;
    let project =
        db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, name)
            .await?
            .ok_or_else(|| Error::project_not_found(name))?;
    let config = tried_out(saved_config(&project)?, sent);
    check_targets(app, &config, "testOrigin").await?;
    let gates = Gates::of_project(app, &project, &config)?;
    let left = || BUDGET.saturating_sub(begun.elapsed());
    let turn = app.previews.clone().acquire_owned();
    let discovery = match tokio::time::timeout(left(), turn).await {
        Ok(turn) => {
            let turn = Arc::new(turn.map_err(anyhow::Error::from)?);
            discover(app, &config, &gates, left(), Some(turn.clone())).await
        }
        Err(_) => Discovery {
            problem: Some(Problem::Cut(
                "Too many previews are under way; ask again.".to_owned(),
            )),
            ..Discovery::default()
        },
    };
    Ok(told(discovery, config.devices))
}

fn tried_out(saved: CaptureConfig, sent: SentConfig) -> CaptureConfig {
    CaptureConfig {
        sitemap_url: sent.sitemap_url.or(saved.sitemap_url),
        paths: sent.paths.unwrap_or(saved.paths),
        scans: sent.scans.unwrap_or(saved.scans),
        devices: sent.devices.unwrap_or(saved.devices),
        ..saved
    }
}

fn told(discovery: Discovery, devices: Vec<String>) -> DiscoverAnswer {
    let total = discovery.pages.len();
    let mut notes = discovery.warnings;
    notes.extend(discovery.notes);
    let (complete, problem) = match discovery.problem {
        None => (true, None),
        Some(Problem::Size(sentence)) => (true, Some(sentence)),
        Some(Problem::Unread(sentence)) => (false, Some(sentence)),
        Some(Problem::Cut(sentence)) => {
            notes.push(sentence);
            (false, None)
        }
    };
    DiscoverAnswer {
        pages: (discovery.pages.into_iter().take(MAX_LISTED))
            .map(listed)
            .collect(),
        total: total as u64,
        results: (total * devices.len()) as u64,
        devices,
        complete,
        problem,
        notes,
    }
}

fn listed(page: Page) -> DiscoveredPage {
    DiscoveredPage {
        url: page.url,
        path: page.page_key,
        label: Some(page.label).filter(|label| !label.is_empty()),
        from: page.from,
        scan: page.scan,
    }
}
