//! `GET /healthz`, `GET /readyz` and `GET /metrics`.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use pentimento_api::error::ErrorCode;
use pentimento_api::health::{ComparatorHealth, Health, Readiness};

use crate::app::App;

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "It is", body = Health)), security(()))]
pub(super) async fn healthz() -> Json<Health> {
    Json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Whether work can be taken, part by part.
#[utoipa::path(
    get, path = "/readyz", tag = "service", security(()),
    responses(
        (status = 200, description = "Every part is ready", body = Readiness),
        (status = 503, description = "A part is not ready; the body says which", body = Readiness),
    )
)]
pub(super) async fn readyz(State(app): State<App>) -> (StatusCode, Json<Readiness>) {
    // What is wrong is said in a word here; the log has the rest.
    let (database, storage, browser) =
        tokio::join!(app.db.probe(), app.storage.probe(), app.browsers.probe());
    let ready = database.is_ok() && storage.is_ok() && browser.is_ok();
    let told = |what: &str, error: &dyn std::fmt::Display| {
        tracing::warn!(%error, "{what} is not ready");
        format!("{what} is not ready; the service's log says why")
    };
    let report = app.comparator.report();
    let readiness = Readiness {
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
    };
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(readiness))
}

/// Counters for a monitoring system, in the text format of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", security(()),
    responses((status = 200, description = "The counters", content_type = "text/plain", body = String))
)]
pub(super) async fn metrics(State(app): State<App>) -> ([(HeaderName, &'static str); 1], String) {
    let text = app
        .metrics
        .render(app.comparator.report(), app.browsers.memory_bytes());
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
