//! `GET /healthz`, `GET /readyz` and `GET /metrics`.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use pentimento_api::health::{Health, Readiness};

use crate::app::App;
use crate::error::Result;
use crate::readiness::readiness;

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
pub(super) async fn readyz(State(app): State<App>) -> Result<(StatusCode, Json<Readiness>)> {
    let readiness = readiness(&app).await?;
    let status = if readiness.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    Ok((status, Json(readiness)))
}

/// Counters for a monitoring system, in the text format of Prometheus.
///
/// As `/healthz` and `/readyz` it needs no key, and it names no page, project or organization.
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
