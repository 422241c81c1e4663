//! `GET /openapi.json`, made from the handlers, and `GET /docs`, which renders it without another host.

mod complete;

use std::sync::{Arc, LazyLock};

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use pentimento_api::audit::AuditFormat;
use pentimento_api::webhook_payload::{JobCompleted, JobTriaged, WebhookPayload, WebhookTest};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::{Modify, OpenApi};

use super::{
    ai_summary, approve, audit, blob, ci, crawl, crop, devices, events, groups, health, history,
    job, jobs, keys, mask, project, report, review, session, upload, webhook,
};
use crate::error::{Error, Result};
use crate::extract::PathPart;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pentimento",
        description = "Visual regression service: capture pages, compare them with their baselines, decide on changes. Every error answer has the body `{error, code}`, but for requests that are refused before they can be read: a malformed head (400), an address of more than 65,534 bytes (414), more than 100 headers or a head of more than 400 KiB (431) get a status without a body, and the connection is closed. Answers to calls with a key say in `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) how many more calls the key may make; one too many is a 429 `rate_limited` with `Retry-After`, on every address."
    ),
    paths(
        crawl::start_crawl,
        ci::init,
        ci::upload_url,
        ci::finalize,
        jobs::list_jobs,
        job::get_job,
        job::get_summary,
        job::get_words,
        report::get_report,
        events::follow_job,
        ai_summary::describe_job,
        jobs::get_overview,
        review::list_results,
        groups::list_groups,
        review::get_result,
        mask::try_mask,
        approve::approve,
        project::list_projects,
        project::get_project,
        project::create_project,
        project::update_project,
        project::run_project,
        project::discover_pages,
        history::get_history,
        devices::list_devices,
        webhook::list_webhooks,
        webhook::create_webhook,
        webhook::get_webhook,
        webhook::update_webhook,
        webhook::delete_webhook,
        webhook::rotate_secret,
        webhook::test_webhook,
        webhook::list_deliveries,
        webhook::redeliver,
        keys::list_keys,
        keys::create_key,
        keys::revoke_key,
        keys::rotate_key,
        audit::get_audit,
        session::sign_in,
        session::get_session,
        session::sign_out,
        blob::get_blob,
        blob::inspect,
        crop::get_crop,
        upload::put_upload,
        health::healthz,
        health::metrics,
        health::readyz,
    ),
    // What nothing else leads to: parameters name their types, and describe none.
    components(schemas(
        AuditFormat,
        WebhookPayload<JobCompleted>,
        WebhookPayload<JobTriaged>,
        WebhookPayload<WebhookTest>,
    )),
    tags(
        (name = "jobs", description = "Runs over the pages of a site"),
        (name = "ci", description = "Jobs whose pages the client captures"),
        (name = "review", description = "Results and decisions"),
        (name = "projects", description = "Saved configurations"),
        (name = "webhooks", description = "Telling other services of what happened"),
        (name = "keys", description = "The organization's API keys; all of it needs the scope `admin`"),
        (name = "audit", description = "Who did what, and when; it needs the scope `admin`"),
        (name = "session", description = "Signing in to the dashboard"),
        (name = "links", description = "Signed links; whoever has one needs no key"),
        (name = "service", description = "Health"),
    ),
    modifiers(&Keys)
)]
struct ApiDoc;

/// Both headers that carry a key.
struct Keys;

impl Modify for Keys {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An API key"))
            .build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        components.add_security_scheme(
            "x-api-key",
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("x-api-key"))),
        );
        let none: [&str; 0] = [];
        openapi.security = Some(vec![
            SecurityRequirement::new("bearer", none),
            SecurityRequirement::new("x-api-key", none),
        ]);
    }
}

static OPENAPI: LazyLock<String> = LazyLock::new(|| {
    let made = serde_json::to_value(ApiDoc::openapi()).expect("the description is plain data");
    format!("{:#}", complete::complete(made))
});

/// The description of the interface, as it is served.
pub fn openapi_json() -> &'static str {
    &OPENAPI
}

pub(super) async fn openapi() -> Response {
    (
        [(CONTENT_TYPE, HeaderValue::from_static("application/json"))],
        openapi_json(),
    )
        .into_response()
}

pub(super) async fn index() -> Response {
    const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pentimento: REST interface</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/swagger-initializer.js"></script>
</body>
</html>"#;
    with_policy(Html(PAGE).into_response())
}

pub(super) async fn file(PathPart(name): PathPart) -> Result<Response> {
    let config = Arc::new(utoipa_swagger_ui::Config::new(["/openapi.json"]));
    match utoipa_swagger_ui::serve(&name, config) {
        Ok(Some(file)) => {
            let media_type =
                HeaderValue::from_str(&file.content_type).map_err(anyhow::Error::from)?;
            let mut response = file.bytes.into_owned().into_response();
            response.headers_mut().insert(CONTENT_TYPE, media_type);
            Ok(with_policy(response))
        }
        Ok(None) => Err(Error::not_found(
            "No such file; GET /docs shows the interface.",
        )),
        Err(error) => Err(Error::Internal(anyhow::anyhow!("swagger-ui: {error}"))),
    }
}

fn with_policy(mut response: Response) -> Response {
    let policy = HeaderValue::from_static(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    );
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, policy);
    response
}
