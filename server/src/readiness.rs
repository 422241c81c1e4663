//! What `GET /readyz` tells: one look at all parts at a time, whose answer is kept for a moment. Anybody may ask, and a look
//! costs calls of the database, of the storage and of a browser.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use pentimento_api::error::ErrorCode;
use pentimento_api::health::{ComparatorHealth, Readiness};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::app::App;
use crate::tasks::heartbeat;

/// How long an answer is told again.
const KEPT: Duration = Duration::from_secs(2);

/// Longest wait for one part; a browser may have to be started for it.
const LONGEST: Duration = Duration::from_secs(20);

/// What the last look found, and when.
#[derive(Debug, Clone, Default)]
pub struct LastLook(Arc<Mutex<Option<(Instant, Readiness)>>>);

/// Whether work can be taken, as it was a moment ago or is now. Those who ask during a look wait for its answer.
///
/// # Errors
/// A look was not finished.
pub(crate) async fn readiness(app: &App) -> anyhow::Result<Readiness> {
    let mut last = app.last_look.0.clone().lock_owned().await;
    if let Some((at, found)) = last.as_ref()
        && at.elapsed() < KEPT
    {
        return Ok(found.clone());
    }
    let app = app.clone();
    // A task of its own: whoever goes away meanwhile ends no look that others wait for.
    let looking = tokio::spawn(async move {
        let found = Box::pin(look(&app)).await;
        *last = Some((Instant::now(), found.clone()));
        found
    });
    looking.await.context("looking whether all parts are ready")
}

/// Tries every part.
async fn look(app: &App) -> Readiness {
    // What is wrong is said in a word here; the log has the rest.
    let (database, storage, browser) = tokio::join!(
        in_time(try_database(app)),
        in_time(app.storage.probe()),
        in_time(app.browsers.probe())
    );
    let ready = database.is_ok() && storage.is_ok() && browser.is_ok();
    let told = |what: &str, error: &dyn Display| {
        tracing::warn!(%error, "{what} is not ready");
        format!("{what} is not ready; the service's log says why")
    };
    let report = app.comparator.report();
    Readiness {
        ready,
        database: database.map_or_else(|error| told("the database", &error), |()| "ok".to_owned()),
        storage: storage.map_or_else(|error| told("the storage", &error), |()| "ok".to_owned()),
        browser: browser.unwrap_or_else(|error| told("the browser", &error)),
        comparator: ComparatorHealth {
            backend: report.backend.as_str().to_owned(),
            adapter: report.adapter,
            reason: report.reason,
        },
        error: (!ready).then(|| {
            "The service cannot take work now; this answer names the part that is not ready. Try again in a minute."
                .to_owned()
        }),
        code: (!ready).then_some(ErrorCode::Internal),
    }
}

/// Reads, and writes what this process writes every few seconds: a full disk or a standby takes no writes, and so no work.
async fn try_database(app: &App) -> anyhow::Result<()> {
    app.db.probe().await?;
    heartbeat::beat(app).await
}

/// A part that does not answer is not ready, and must not keep others from asking again.
async fn in_time<T, E: Display>(probe: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    match tokio::time::timeout(LONGEST, probe).await {
        Ok(found) => found.map_err(|error| format!("{error:#}")),
        Err(_) => Err(format!("no answer within {} s", LONGEST.as_secs())),
    }
}
