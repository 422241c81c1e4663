//! One project: its configuration as it stands.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};
use pentimento_api::capture::CaptureProfile;
use pentimento_api::crawl::{JobStarted, PagePath, Scan};
use pentimento_api::project::{BaselinePolicy, Project, RunRequest, Schedule};
use pentimento_api::session::Scope;

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::notice::{Problem, Waiting};
use crate::components::time::Ago;
use crate::format;
use crate::shared::{Tone, use_shared};
use crate::task::spawn_scoped;

/// Entries of a list that are shown at once.
const SHOWN: usize = 20;

/// The page at `/app/projects/:name`.
#[component]
pub(crate) fn ProjectPage() -> impl IntoView {
    let shared = use_shared();
    let params = use_params_map();
    let name = Memo::new(move |_| params.read().get("name").unwrap_or_default());
    let (project, again) = read_project(name);
    Effect::new(move |_| browser::set_title(&name.get()));
    let starting = RwSignal::new(false);
    let may_run = Memo::new(move |_| {
        shared.may(Scope::Run) && project.with(|project| matches!(project, Some(Ok(_))))
    });
    let navigate = use_navigate();
    let start = Callback::new(move |()| {
        starting.set(true);
        let (navigate, name) = (navigate.clone(), name.get_untracked());
        spawn_local(async move {
            let path = format!("/project/{}/run", client::encoded(&name));
            let answer = client::post::<JobStarted>(&path, &RunRequest::default()).await;
            let is_left = starting.is_disposed();
            match answer {
                Ok(_) if is_left => {
                    shared.toast(Tone::Done, format!("“{name}” runs."), None);
                }
                Ok(job) => navigate(
                    &format!("/app/jobs/{}", job.job_id),
                    NavigateOptions::default(),
                ),
                Err(error) => {
                    shared.note_error(&error);
                    let text = if error.is_refusal() {
                        format!("“{name}” was not run. {error}")
                    } else {
                        format!("No answer came: “{name}” may run, or not; its jobs tell. {error}")
                    };
                    shared.toast(Tone::Failed, text, None);
                    if !is_left {
                        starting.set(false);
                    }
                }
            }
        });
    });
    let may_change = Memo::new(move |_| shared.may(Scope::Admin));
    let settings_href = move || format!("/app/projects/{}/settings", client::encoded(&name.get()));
    let jobs_href = move || format!("/app?project={}", client::encoded(&name.get()));
    view! {
        <div class="page">
            <nav class="crumbs" aria-label="Breadcrumb"><a href="/app/projects">"Projects"</a></nav>
            <div class="page-head">
                <h1>{name}</h1>
                <div class="page-actions">
                    <a class="button" href=jobs_href>"Its jobs"</a>
                    {move || may_change.get().then(|| view! {
                        <a class="button" href=settings_href data-testid="project-settings">"Settings"</a>
                    })}
                    {move || may_run.get().then(|| view! {
                        <button type="button" class="button button-primary" data-testid="run-project" disabled=starting
                            on:click=move |_| start.run(())>"Run now"</button>
                    })}
                </div>
            </div>
            {move || match project.get() {
                None => view! { <Waiting /> }.into_any(),
                Some(Err(error)) => {
                    view! { <Problem error retry=Callback::new(move |()| again.notify()) /> }.into_any()
                }
                Some(Ok(project)) => view! { <Configuration project /> }.into_any(),
            }}
        </div>
    }
}

/// What is known of a project once it is read, and what has it read again.
pub(super) fn read_project(
    name: Memo<String>,
) -> (RwSignal<Option<Result<Project, ClientError>>>, Trigger) {
    let shared = use_shared();
    let project = RwSignal::new(None);
    let again = Trigger::new();
    Effect::new(move |_| {
        again.track();
        let name = name.get();
        project.set(None);
        spawn_scoped(async move {
            let answer = client::get(&format!("/project/{}", client::encoded(&name))).await;
            answer
                .as_ref()
                .inspect_err(|error| shared.note_error(error))
                .ok();
            project.set(Some(answer));
        });
    });
    (project, again)
}

#[component]
fn Configuration(project: Project) -> impl IntoView {
    let listed = project.listed;
    let policy = match project.baseline_policy {
        BaselinePolicy::Approved => "A person approves captures; they become the baselines.",
        BaselinePolicy::Rolling => "Each run’s captures become the baselines of the next run.",
    };
    let hour = project
        .schedule_hour_utc
        .map(|hour| format!(" at {hour:02}:00 UTC"))
        .unwrap_or_default();
    let schedule = match project.schedule {
        None => "Only when it is started".to_owned(),
        Some(Schedule::Hourly) => "Every hour".to_owned(),
        Some(Schedule::Daily) => format!("Every day{hour}"),
        Some(Schedule::Weekly) => format!("Every week{hour}"),
    };
    let pages: Vec<String> = listed
        .paths
        .iter()
        .map(page_text)
        .chain(listed.scans.iter().map(scan_text))
        .collect();
    let last_run = listed.last_job_id.zip(listed.last_run_at);
    view! {
        <dl class="facts" data-testid="project">
            <Fact term="Tests" text=listed.test_origin />
            <Fact term="Compares with" text=listed.base_origin />
            <Fact term="Environment" text=project.environment />
            <Fact term="Reference environment" text=project.base_environment />
            <Fact term="Sitemap" text=listed.sitemap_url />
            <Facts term="Pages" items=pages />
            <Facts term="Devices" items=listed.devices />
            <Facts term="Masks" items=listed.masks />
            {listed.custom_css.map(|css| view! {
                <dt>"Custom CSS"</dt>
                <dd><pre class="command"><code>{css}</code></pre></dd>
            })}
            <Fact term="Before each picture" text=profile_text(&project.capture_profile) />
            <Fact term="Pages at once" text=Some(listed.concurrency.to_string()) />
            <Fact term="Baselines" text=Some(policy.to_owned()) />
            <Fact term="Baseline version" text=Some(listed.baseline_version) />
            {listed.baseline_invalidated_at.map(|time| view! {
                <dt>"Baselines invalidated"</dt>
                <dd><Ago time /></dd>
            })}
            <Fact term="Runs" text=Some(schedule) />
            <Fact term="Intent" text=project.intent />
            {last_run.map(|(job, time)| view! {
                <dt>"Last run"</dt>
                <dd><a href=format!("/app/jobs/{job}")><Ago time /></a></dd>
            })}
            <dt>"Created"</dt>
            <dd><Ago time=listed.created_at /></dd>
            <dt>"Changed"</dt>
            <dd><Ago time=listed.updated_at /></dd>
        </dl>
    }
}

/// How the capture profile differs from that of other projects; nothing when it does not.
fn profile_text(profile: &CaptureProfile) -> Option<String> {
    let steps = [
        (profile.lazy_content, "scrolling for lazy content"),
        (profile.network_quiet, "quiet network"),
        (profile.fonts, "fonts"),
        (profile.images, "images"),
        (profile.aria_busy, "busy elements"),
        (profile.dom_quiet, "quiet document"),
        (profile.animations, "ending animations"),
        (profile.video, "videos at their start"),
        (profile.caret, "hiding the text cursor"),
        (profile.scrollbars, "hiding scrollbars"),
        (profile.sticky_elements, "pinning fixed elements"),
        (profile.agreement, "agreement of two captures"),
    ];
    let off: Vec<&str> = (steps.into_iter())
        .filter_map(|(on, name)| (!on).then_some(name))
        .collect();
    let off = (!off.is_empty()).then(|| format!("Switched off: {}", off.join(", ")));
    let clock = (profile.clock.as_ref()).map(|clock| format!("It is always {clock}"));
    let random = (profile.seeded_random).then(|| "Random numbers are always the same".to_owned());
    let said: Vec<String> = off.into_iter().chain(clock).chain(random).collect();
    (!said.is_empty()).then(|| format!("{}.", said.join(". ")))
}

/// One fact; nothing when there is none.
#[component]
fn Fact(term: &'static str, text: Option<String>) -> impl IntoView {
    text.map(|text| view! { <dt>{term}</dt> <dd>{text}</dd> })
}

/// Several facts under one name; nothing when there is none. Those beyond the first few are behind a fold.
#[component]
fn Facts(term: &'static str, items: Vec<String>) -> impl IntoView {
    let mut first = items;
    let rest = first.split_off(first.len().min(SHOWN));
    let list = |items: Vec<String>| {
        let items = items.into_iter();
        view! { <ul class="plain-list">{items.map(|item| view! { <li><code>{item}</code></li> }).collect_view()}</ul> }
    };
    (!first.is_empty()).then(|| {
        let count = format::grouped(rest.len() as u64);
        let folded = (!rest.is_empty()).then(|| {
            view! { <details><summary>{format!("{count} more")}</summary> {list(rest)}</details> }
        });
        view! {
            <dt>{term}</dt>
            <dd>{list(first)} {folded}</dd>
        }
    })
}

fn page_text(page: &PagePath) -> String {
    if page.label.is_empty() {
        page.path.clone()
    } else {
        format!("{} ({})", page.path, page.label)
    }
}

fn scan_text(scan: &Scan) -> String {
    format!("{} from the sitemap", scan.pattern)
}
