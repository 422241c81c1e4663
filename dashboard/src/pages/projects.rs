//! The list of projects.

use leptos::prelude::*;
use pentimento_api::project::ProjectListed;
use pentimento_api::session::Scope;

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::time::Ago;
use crate::format;
use crate::shared::use_shared;
use crate::task::spawn_scoped;

/// The page at `/app/projects`.
#[component]
pub(crate) fn ProjectsPage() -> impl IntoView {
    let shared = use_shared();
    let projects = RwSignal::new(None::<Result<Vec<ProjectListed>, ClientError>>);
    let again = Trigger::new();
    browser::set_title("Projects");
    Effect::new(move |_| {
        again.track();
        projects.set(None);
        spawn_scoped(async move {
            let answer = client::get("/projects").await;
            answer
                .as_ref()
                .inspect_err(|error| shared.note_error(error))
                .ok();
            projects.set(Some(answer));
        });
    });
    view! {
        <div class="page">
            <div class="page-head">
                <h1>"Projects"</h1>
                {move || shared.may(Scope::Admin).then(|| view! {
                    <div class="page-actions">
                        <a class="button button-primary" href="/app/new-project" data-testid="new-project">
                            <Icon glyph=Glyph::Plus />
                            "New project"
                        </a>
                    </div>
                })}
            </div>
            {move || match projects.get() {
                None => view! { <Waiting /> }.into_any(),
                Some(Err(error)) => {
                    view! { <Problem error retry=Callback::new(move |()| again.notify()) /> }.into_any()
                }
                Some(Ok(projects)) if projects.is_empty() => view! {
                    <Empty title="There is no project yet">
                        <p>"A project says what is captured, what counts as a change, and when it runs. Make one here, or by the first
                        job that names it: send "<code>"project"</code>" with "<code>"POST /crawl"</code>". "
                        <a href="/app">"The list of jobs"</a>" shows how."</p>
                    </Empty>
                }.into_any(),
                Some(Ok(projects)) => view! {
                    <ul class="project-list">
                        {projects.into_iter().map(|project| view! { <ProjectRow project /> }).collect_view()}
                    </ul>
                }.into_any(),
            }}
        </div>
    }
}

#[component]
fn ProjectRow(project: ProjectListed) -> impl IntoView {
    let href = format!("/app/projects/{}", client::encoded(&project.name));
    let last_run = match (project.last_job_id, project.last_run_at) {
        (Some(job), Some(time)) => view! {
            <a class="above" href=format!("/app/jobs/{job}")>"Last run " <Ago time /></a>
        }
        .into_any(),
        _ => view! { <span>"Never run"</span> }.into_any(),
    };
    view! {
        <li class="project-row" data-testid="project-row" data-project=project.name.clone()>
            <div class="job-what">
                <a class="job-link" href=href>{project.name.clone()}</a>
                <span class="job-origin">
                    {project.test_origin.as_deref().map_or_else(|| "any origin".to_owned(), format::host_of)}
                </span>
            </div>
            <ul class="chips" aria-label="Devices">
                {project.devices.into_iter().map(|device| view! { <li class="chip">{device}</li> }).collect_view()}
            </ul>
            <div>{last_run}</div>
            <div class="project-version" title="The version of its baselines">
                "Baselines " <code>{project.baseline_version}</code>
            </div>
        </li>
    }
}
