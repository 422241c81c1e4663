//! The router: every address of the service in one flat table.

mod ai_summary;
mod approve;
mod audit;
mod blob;
mod ci;
mod crawl;
mod crop;
mod dashboard;
mod devices;
mod docs;
mod events;
mod groups;
mod health;
mod history;
mod job;
mod jobs;
mod keys;
mod mask;
mod project;
mod report;
mod review;
mod session;
mod upload;
mod webhook;

pub use docs::openapi_json;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware;
use axum::routing::{delete, get, post, put};
use pentimento_api::error::ErrorCode;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

use crate::app::App;
use crate::error::Error;
use crate::rate_limit;

/// Every address.
fn table() -> Router<App> {
    Router::new()
        // jobs
        .route("/crawl", post(crawl::start_crawl))
        .route("/jobs", get(jobs::list_jobs))
        .route("/job/{job_id}", get(job::get_job))
        .route("/job/{job_id}/summary", get(job::get_summary))
        .route("/job/{job_id}/words", get(job::get_words))
        .route("/job/{job_id}/ai-summary", post(ai_summary::describe_job))
        .route("/job/{job_id}/events", get(events::follow_job))
        .route("/job/{job_id}/report", get(report::get_report))
        .route("/job/{job_id}/overview", get(jobs::get_overview))
        .route("/job/{job_id}/results", get(review::list_results))
        .route("/job/{job_id}/groups", get(groups::list_groups))
        .route("/result/{result_id}", get(review::get_result))
        .route("/result/{result_id}/mask", post(mask::try_mask))
        .route("/approve", post(approve::approve))
        // jobs whose pages the client captures
        .route("/ci/job/init", post(ci::init))
        .route("/ci/job/upload-url", post(ci::upload_url))
        .route("/ci/job/finalize", post(ci::finalize))
        // projects
        .route(
            "/projects",
            get(project::list_projects).post(project::create_project),
        )
        .route(
            "/project/{name}",
            get(project::get_project).put(project::update_project),
        )
        .route("/project/{name}/history", get(history::get_history))
        .route("/project/{name}/run", post(project::run_project))
        .route("/project/{name}/discover", post(project::discover_pages))
        .route("/devices", get(devices::list_devices))
        // webhooks
        .route(
            "/webhooks",
            get(webhook::list_webhooks).post(webhook::create_webhook),
        )
        .route(
            "/webhook/{webhook_id}",
            get(webhook::get_webhook)
                .put(webhook::update_webhook)
                .delete(webhook::delete_webhook),
        )
        .route(
            "/webhook/{webhook_id}/rotate-secret",
            post(webhook::rotate_secret),
        )
        .route("/webhook/{webhook_id}/test", post(webhook::test_webhook))
        .route(
            "/webhook/{webhook_id}/deliveries",
            get(webhook::list_deliveries),
        )
        .route(
            "/webhook/{webhook_id}/deliveries/{delivery_id}/redeliver",
            post(webhook::redeliver),
        )
        // keys
        .route("/keys", get(keys::list_keys).post(keys::create_key))
        .route("/key/{key_id}", delete(keys::revoke_key))
        .route("/key/{key_id}/rotate", post(keys::rotate_key))
        // what was done
        .route("/audit", get(audit::get_audit))
        // people
        .route("/session", post(session::sign_in).get(session::get_session))
        .route("/session", delete(session::sign_out))
        // signed links
        .route("/blob/{key}", get(blob::get_blob))
        .route("/inspect/{result_id}", get(blob::inspect))
        .route("/crop/{result_id}/{region}", get(crop::get_crop))
        .route("/upload/{job_id}/{file}", put(upload::put_upload))
        // the service itself
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .route("/openapi.json", get(docs::openapi))
        .route("/docs", get(docs::index))
        .route("/docs/{file}", get(docs::file))
        // the dashboard
        .route("/", get(dashboard::index))
        .route("/app", get(dashboard::index))
        .route("/app/{*path}", get(dashboard::page_or_asset))
}

/// The whole HTTP side of the service.
pub fn router(app: App) -> Router {
    table()
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method)
        // The extractors of `extract` have the limits.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn(rate_limit::tell))
        .layer(CompressionLayer::new())
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            header::X_FRAME_OPTIONS,
            HeaderValue::from_static("DENY"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            HeaderName::from_static("content-security-policy"),
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        ))
        .layer(CatchPanicLayer::custom(|_| {
            use axum::response::IntoResponse;
            Error::Internal(anyhow::anyhow!("a handler panicked")).into_response()
        }))
        // The path alone is logged: queries of signed links are secrets.
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(|request: &Request| {
                    let route = request
                        .extensions()
                        .get::<MatchedPath>()
                        .map_or("unknown", MatchedPath::as_str);
                    tracing::info_span!("request", method = %request.method(), route)
                })
                .on_response(
                    |response: &axum::response::Response, took: Duration, _: &tracing::Span| {
                        tracing::debug!(
                            status = response.status().as_u16(),
                            took_ms = took.as_millis(),
                            "answered"
                        );
                    },
                ),
        )
        .with_state(app)
}

async fn unknown_route(method: Method, uri: Uri) -> Error {
    Error::not_found(format!(
        "Nothing answers {method} {}; GET /openapi.json describes every address.",
        uri.path()
    ))
}

async fn wrong_method(method: Method, uri: Uri) -> Error {
    Error::refused(
        ErrorCode::MethodNotAllowed,
        format!(
            "{} does not take {method}; GET /openapi.json describes every address.",
            uri.path()
        ),
    )
}
