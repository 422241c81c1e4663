//! The list of jobs, kept up to date while it is looked at.

use futures::future::select;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::ids::JobId;
use pentimento_api::job::{JobList, JobListQuery, JobOverview, JobStatus};

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::job_row::JobRow;
use crate::components::load_more::LoadMore;
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::project_options::ProjectOptions;
use crate::components::result_filters::SearchField;
use crate::job_events::JobsEvents;
use crate::labels;
use crate::live::{live, with_newest};
use crate::shared::{Shared, use_shared};
use crate::task::spawn_scoped;
use crate::url_state::use_parameter;

/// Jobs read at once.
const BATCH: u32 = 50;
/// The interface's largest page.
const MAX_BATCH: u32 = 100;
/// Between two looks for new jobs; what happens to the newest that run is told by events.
const LOOK_MS: u32 = 10_000;

/// The page at `/app`.
#[component]
pub(crate) fn JobsPage() -> impl IntoView {
    let (project, set_project) = use_parameter("project");
    let (status, set_status) = use_parameter("status");
    let (text, set_text) = use_parameter("search");
    // What is pasted often has blanks around it.
    let needle = Memo::new(move |_| text.with(|text| text.trim().to_owned()));
    browser::set_title("Jobs");
    let path = move |limit: u32, before: Option<String>| {
        let query = JobListQuery {
            limit: Some(limit),
            before,
            project: Some(project.get()).filter(|name| !name.is_empty()),
            status: JobStatus::ALL
                .into_iter()
                .find(|one| one.as_str() == status.get()),
            search: Some(needle.get()).filter(|needle| !needle.is_empty()),
        };
        client::with_query("/jobs", &query)
    };
    let feed = Feed::new();
    feed.follow(path);
    feed.read_more(path);
    let Feed {
        jobs,
        next,
        error,
        again,
        more,
        ..
    } = feed;

    let is_filtered = move || {
        let filters = [project, status, needle];
        filters.into_iter().any(|filter| !filter.get().is_empty())
    };
    let ids = move || {
        jobs.with(|jobs| {
            jobs.iter()
                .flatten()
                .map(|job| job.job_id)
                .collect::<Vec<_>>()
        })
    };
    let state = Memo::new(move |_| jobs.with(|jobs| jobs.as_ref().map(Vec::is_empty)));
    view! {
        <div class="page">
            <div class="page-head">
                <h1>"Jobs"</h1>
                <Filters project status text set_project set_status set_text />
            </div>
            {move || error.get().map(|error| view! {
                <Problem error retry=Callback::new(move |()| again.notify()) />
            })}
            {move || match state.get() {
                None if error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(true) if is_filtered() => view! {
                    <Empty title="No job matches these filters">
                        <p>
                            <button type="button" class="button" on:click=move |_| {
                                set_project.run(String::new());
                                set_status.run(String::new());
                                set_text.run(String::new());
                            }>"Show all jobs"</button>
                        </p>
                    </Empty>
                }.into_any(),
                Some(true) => view! { <FirstSteps /> }.into_any(),
                Some(false) => view! {
                    <ul class="job-list">
                        <For each=ids key=|id| *id let:id>
                            <LiveRow jobs id />
                        </For>
                    </ul>
                    <LoadMore more=Signal::derive(move || next.with(Option::is_some)) press=move |()| more.notify() word="Load more" />
                }.into_any(),
            }}
        </div>
    }
}

/// The jobs as far as they were read. `again` starts over, `more` reads on.
#[derive(Clone, Copy)]
struct Feed {
    shared: Shared,
    jobs: RwSignal<Option<Vec<JobOverview>>>,
    next: RwSignal<Option<String>>,
    error: RwSignal<Option<ClientError>>,
    again: Trigger,
    more: Trigger,
}

impl Feed {
    fn new() -> Self {
        Self {
            shared: use_shared(),
            jobs: RwSignal::new(None),
            next: RwSignal::new(None),
            error: RwSignal::new(None),
            again: Trigger::new(),
            more: Trigger::new(),
        }
    }

    /// Reads the newest jobs, and reads them again and again; `path` names them, and changes with the filters.
    fn follow(self, path: impl Fn(u32, Option<String>) -> String + Copy + 'static) {
        Effect::new(move |_| {
            self.again.track();
            let first = path(BATCH, None);
            self.jobs.set(None);
            spawn_scoped(async move {
                let mut address = first;
                let mut events = JobsEvents::default();
                loop {
                    if !browser::is_hidden() || self.jobs.with_untracked(Option::is_none) {
                        match client::get::<JobList>(&address).await {
                            Ok(list) => self.merge(list),
                            Err(met) => self.note(met),
                        }
                    }
                    let shown = self.jobs.with_untracked(|jobs| {
                        let jobs = jobs.iter().flatten();
                        let live = jobs.clone().filter(|job| !job.status.is_final());
                        events.follow(live.map(|job| job.job_id));
                        jobs.count()
                    });
                    select(events.something_new(), TimeoutFuture::new(LOOK_MS)).await;
                    let limit = u32::try_from(shown).unwrap_or(MAX_BATCH);
                    address = untrack(|| path(limit.clamp(BATCH, MAX_BATCH), None));
                }
            });
        });
    }

    /// Reads older jobs when asked to.
    fn read_more(self, path: impl Fn(u32, Option<String>) -> String + Copy + 'static) {
        Effect::new(move |ran: Option<()>| {
            self.more.track();
            let (Some(()), Some(before)) = (ran, self.next.get_untracked()) else {
                return;
            };
            let address = move || untrack(|| path(BATCH, Some(before.clone())));
            spawn_scoped(async move {
                let asked = address();
                match client::get::<JobList>(&asked).await {
                    // The filter is another one by now.
                    Ok(_) if address() != asked => {}
                    Ok(list) => {
                        self.next.set(list.next);
                        self.jobs
                            .update(|jobs| jobs.get_or_insert_default().extend(list.jobs));
                    }
                    Err(met) => self.note(met),
                }
            });
        });
    }

    /// Puts a fresh first page of the list in front of the older jobs that were read after it.
    fn merge(self, list: JobList) {
        self.error.set(None);
        let had = self.jobs.with_untracked(Clone::clone).unwrap_or_default();
        let fresh = (list.jobs, list.next.is_none());
        let (jobs, has_older) = with_newest(had, fresh, |job| job.job_id);
        if !has_older {
            self.next.set(list.next);
        }
        self.jobs.set(Some(jobs));
    }

    fn note(self, met: ClientError) {
        self.shared.note_error(&met);
        self.error.set(Some(met));
    }
}

/// The row of one job.
#[component]
fn LiveRow(jobs: RwSignal<Option<Vec<JobOverview>>>, id: JobId) -> impl IntoView {
    let find =
        move || jobs.with(|jobs| jobs.iter().flatten().find(|job| job.job_id == id).cloned());
    live(find).map(|job| view! { <JobRow job /> })
}

#[component]
fn Filters(
    project: Memo<String>,
    status: Memo<String>,
    text: Memo<String>,
    set_project: Callback<String>,
    set_status: Callback<String>,
    set_text: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="filters job-filters">
            <label>
                <span class="filter-word">"Project"</span>
                <select class="field" data-testid="filter-project"
                    on:change=move |event| set_project.run(event_target_value(&event))>
                    <ProjectOptions all="All projects" chosen=project wanted=true />
                </select>
            </label>
            <label>
                <span class="filter-word">"Status"</span>
                <select class="field" data-testid="filter-status"
                    on:change=move |event| set_status.run(event_target_value(&event))>
                    <option value="" prop:selected=move || status.get().is_empty()>"Any status"</option>
                    {JobStatus::ALL.into_iter().map(|one| view! {
                        <option value=one.as_str() prop:selected=move || status.get() == one.as_str()>
                            {labels::job_status(one).word}
                        </option>
                    }).collect_view()}
                </select>
            </label>
            <SearchField text search=set_text name="Search jobs" placeholder="Branch, commit, project" />
        </div>
    }
}

/// What a service without jobs shows: the first job, ready to be copied.
#[component]
fn FirstSteps() -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    let command = format!(
        "curl {origin}/crawl \\\n  -H \"Authorization: Bearer $PENTIMENTO_KEY\" \\\n  -H \"Content-Type: application/json\" \\\n  \
         -d '{{\"project\": \"my-site\", \"testOrigin\": \"https://staging.example.com\", \"paths\": [{{\"path\": \"/\"}}]}}'"
    );
    view! {
        <Empty title="No job has run yet">
            <p>"Start the first one with your key. Its captures become the baselines that later jobs are compared with."</p>
            <pre class="command"><code>{command}</code></pre>
            <p>"It shows here by itself. All calls are described at "<a href="/docs" rel="external">"/docs"</a>"."</p>
        </Empty>
    }
}
