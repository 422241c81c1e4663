//! Projects: listing, reading, making, changing and running them.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use pentimento_api::crawl::JobStarted;
use pentimento_api::discover::{DiscoverAnswer, DiscoverRequest};
use pentimento_api::error::ErrorBody;
use pentimento_api::project::{
    NewProject, Project, ProjectAnswer, ProjectListed, ProjectUpdate, RunRequest,
};
use serde::Deserialize;

use crate::app::App;
use crate::auth::{Admin, Allowed, Read, Run};
use crate::db;
use crate::error::{Error, Result};
use crate::extract::{Body, BodyInTwo, OptionalBody, PathPart};
use crate::idempotency::IdempotencyKey;
use crate::jobs::run;
use crate::precondition::{ETag, IfMatch};
use crate::projects::{preview, save, view};

/// List the organization's projects.
#[utoipa::path(
    get, path = "/projects", tag = "projects",
    responses(
        (status = 200, description = "The projects, by name", body = Vec<ProjectListed>),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
    )
)]
pub(super) async fn list_projects(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
) -> Result<Json<Vec<ProjectListed>>> {
    let rows =
        db::projects::list_projects(&mut *app.db.read().await?, &caller.organization_id).await?;
    Ok(Json(
        rows.iter()
            .map(view::listed)
            .collect::<anyhow::Result<_>>()?,
    ))
}

/// Read a project's configuration.
#[utoipa::path(
    get, path = "/project/{name}", tag = "projects", params(("name" = String, Path, description = "The project's name")),
    responses(
        (status = 200, description = "The project", body = Project, headers(("ETag" = String, description = "Names its state; send it as `If-Match` with a PUT"))),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`project_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_project(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    PathPart(name): PathPart,
) -> Result<impl IntoResponse> {
    let found =
        db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, &name)
            .await?;
    let row = found.ok_or_else(|| Error::project_not_found(&name))?;
    let project = view::project(&row)?;
    Ok((ETag::of(&project)?.header(), Json(project)))
}

/// Make a project.
///
/// A first run makes one too; this makes one before it runs.
#[utoipa::path(
    post, path = "/projects", tag = "projects", request_body = NewProject,
    responses(
        (status = 200, description = "The project was created", body = ProjectAnswer),
        (status = 400, description = "A field is wrong, or the name is taken: `invalid_input`, `invalid_url`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn create_project(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    BodyInTwo(named, update): BodyInTwo<Named, ProjectUpdate>,
) -> Result<Json<ProjectAnswer>> {
    save::create_project(&app, &caller, &named.name, &update)
        .await
        .map(Json)
}

/// The name in the body of `POST /projects`.
#[derive(Deserialize)]
pub(super) struct Named {
    name: String,
}

/// Change a project's configuration.
///
/// What is left out stays; `null` clears. A changed value of `testOrigin`, `baseOrigin`, `sitemapUrl`, `paths`, `scans`,
/// `devices`, `masks`, `customCss`, `testAuth` or `baseAuth` invalidates the baselines: the next run captures them anew.
/// Lists are compared without their order, and paths without labels.
#[utoipa::path(
    put, path = "/project/{name}", tag = "projects",
    params(
        ("name" = String, Path, description = "The project's name"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that a read gave: the project is changed only if nobody changed or ran it since, and else it is a 412"),
    ),
    request_body = ProjectUpdate,
    responses(
        (status = 200, description = "The project as it stands", body = ProjectAnswer),
        (status = 400, description = "A field is wrong: `invalid_input`, `invalid_url`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`project_not_found`", body = ErrorBody),
        (status = 412, description = "`precondition_failed`: it is no longer as `If-Match` names it, and nothing was changed", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn update_project(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(name): PathPart,
    if_match: IfMatch,
    Body(update): Body<ProjectUpdate>,
) -> Result<Json<ProjectAnswer>> {
    save::update_project(&app, &caller, &name, &if_match, &update)
        .await
        .map(Json)
}

/// Run a saved project.
///
/// A field that is sent must equal the stored one and is never applied; the body may be empty. With `url` the run
/// captures that page alone. A project with a `baseOrigin` runs `live`, any other `managed`.
#[utoipa::path(
    post, path = "/project/{name}/run", tag = "projects",
    params(
        ("name" = String, Path, description = "The project's name"),
        ("Idempotency-Key" = Option<String>, Header, description = "1–255 visible ASCII characters, such as a UUID. The same key, body and address within 24 hours give the first answer again and do nothing twice; with another body it is a 400. Only accepted calls are remembered"),
    ),
    request_body = RunRequest,
    responses(
        (status = 200, description = "The job was accepted", body = JobStarted),
        (status = 400, description = "A field is wrong or differs from the stored one: `invalid_input`, `invalid_url`, `config_mismatch`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`", body = ErrorBody),
        (status = 404, description = "`project_not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn run_project(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    PathPart(name): PathPart,
    key: IdempotencyKey,
    OptionalBody(request): OptionalBody<RunRequest>,
) -> Result<Json<JobStarted>> {
    let call = key.call(&caller, &request)?;
    run::start_run(&app, &caller, &call, &name, request)
        .await
        .map(Json)
}

/// Find out which pages a run would capture.
///
/// Nothing is captured or stored. The body may be empty; what it holds takes the place of the project's own, to try
/// it out. Reading the sitemap is cut after 8 s, and then `complete` is `false`.
#[utoipa::path(
    post, path = "/project/{name}/discover", tag = "projects", params(("name" = String, Path, description = "The project's name")),
    request_body = DiscoverRequest,
    responses(
        (status = 200, description = "The pages, in the order in which a run has them", body = DiscoverAnswer),
        (status = 400, description = "A field is wrong, or an address may not be opened: `invalid_input`, `invalid_url`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `run`, since the site is asked", body = ErrorBody),
        (status = 404, description = "`project_not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn discover_pages(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Run>,
    PathPart(name): PathPart,
    OptionalBody(request): OptionalBody<DiscoverRequest>,
) -> Result<Json<DiscoverAnswer>> {
    preview::preview(&app, &caller, &name, request)
        .await
        .map(Json)
}
