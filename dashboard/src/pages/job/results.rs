//! The results of a job as thumbnails, filtered by the address.

use leptos::prelude::*;
use pentimento_api::job::JobOverview;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultItem, ResultList, ResultListQuery};

use crate::client::{self, ClientError};
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::result_card::ResultCard;
use crate::components::result_filters::{OutcomeTabs, SearchField, TriageFilter};
use crate::format;
use crate::shared::use_shared;
use crate::task::spawn_scoped;
use crate::url_state::use_parameter;

/// Results read at once.
const BATCH: usize = 100;
/// The interface's largest page.
const MAX_BATCH: usize = 500;

/// Filters and grid; it reads the results again whenever the job has moved on.
#[component]
pub(crate) fn Results(job: Signal<JobOverview>) -> impl IntoView {
    let shared = use_shared();
    let id = job.get_untracked().job_id;
    let (outcome, set_outcome) = use_parameter("outcome");
    let (triage, set_triage) = use_parameter("triage");
    let (text, set_text) = use_parameter("q");
    let items = RwSignal::new(None::<Vec<ResultItem>>);
    let total = RwSignal::new(0u64);
    let next = RwSignal::new(None::<String>);
    let error = RwSignal::new(None::<ClientError>);
    let again = Trigger::new();

    let filter = Memo::new(move |_| ResultListQuery {
        limit: None,
        after: None,
        outcome: Outcome::ALL
            .into_iter()
            .find(|one| one.as_str() == outcome.get()),
        triage: TriageStatus::ALL
            .into_iter()
            .find(|one| one.as_str() == triage.get()),
        q: Some(text.get()).filter(|text| !text.is_empty()),
    });
    let path = move |limit: usize, after: Option<String>| {
        let query = ResultListQuery {
            limit: u32::try_from(limit).ok(),
            after,
            ..filter.get_untracked()
        };
        client::with_query(&format!("/job/{id}/results"), &query)
    };
    // All that the list shows of a job's state: when it changes the list is read again.
    let version = Memo::new(move |_| job.with(|job| (job.counts, job.triage, job.status)));

    Effect::new(move |before: Option<ResultListQuery>| {
        again.track();
        version.track();
        let filter = filter.get();
        let shown = items.with_untracked(|items| items.as_ref().map_or(0, Vec::len));
        let is_same = before.as_ref() == Some(&filter);
        let path = path(
            if is_same {
                shown.clamp(BATCH, MAX_BATCH)
            } else {
                BATCH
            },
            None,
        );
        spawn_scoped(async move {
            match client::get::<ResultList>(&path).await {
                Ok(list) => {
                    error.set(None);
                    total.set(list.total);
                    next.set(list.next);
                    items.set(Some(list.results));
                }
                Err(met) => {
                    shared.note_error(&met);
                    error.set(Some(met));
                }
            }
        });
        filter
    });

    let more = Trigger::new();
    Effect::new(move |ran: Option<()>| {
        more.track();
        let (Some(()), Some(after)) = (ran, next.get_untracked()) else {
            return;
        };
        let path = path(BATCH, Some(after));
        spawn_scoped(async move {
            match client::get::<ResultList>(&path).await {
                Ok(list) => {
                    next.set(list.next);
                    items.update(|items| items.get_or_insert_default().extend(list.results));
                }
                Err(met) => {
                    shared.note_error(&met);
                    error.set(Some(met));
                }
            }
        });
    });

    let shown = Memo::new(move |_| items.with(|items| items.as_ref().map(Vec::len)));
    let clear = move |_| {
        set_outcome.run(String::new());
        set_triage.run(String::new());
        set_text.run(String::new());
    };
    view! {
        <div class="result-filters">
            <OutcomeTabs counts=Signal::derive(move || job.with(|job| job.counts)) chosen=outcome choose=set_outcome />
            <div class="filters">
                <TriageFilter chosen=triage choose=set_triage />
                <SearchField text search=set_text />
            </div>
        </div>
        {move || error.get().map(|error| view! {
            <Problem error retry=Callback::new(move |()| again.notify()) />
        })}
        {move || match shown.get() {
            None if error.with(Option::is_some) => ().into_any(),
            None => view! { <Waiting /> }.into_any(),
            Some(0) if filter.get() == ResultListQuery::default() => view! {
                <Empty title="No pages yet"><p>{nothing_text(&job.get())}</p></Empty>
            }.into_any(),
            Some(0) => view! {
                <Empty title="No page matches these filters">
                    <p><button type="button" class="button" on:click=clear>"Show all pages"</button></p>
                </Empty>
            }.into_any(),
            Some(_) => view! {
                <ul class="result-grid">
                    <For
                        each=move || items.get().unwrap_or_default()
                        key=|item| (
                            item.result.result_id,
                            item.outcome,
                            item.result.triage_status,
                            item.thumbnail_url.is_some(),
                        )
                        let:item
                    >
                        <ResultCard item />
                    </For>
                </ul>
                {move || next.with(Option::is_some).then(|| view! {
                    <button type="button" class="button load-more" data-testid="load-more" on:click=move |_| more.notify()>
                        {move || format!(
                            "Load more ({} of {} shown)",
                            shown.get().unwrap_or_default(),
                            format::grouped(total.get()),
                        )}
                    </button>
                })}
            }.into_any(),
        }}
    }
}

fn nothing_text(job: &JobOverview) -> &'static str {
    if job.status.is_final() {
        "The job ended without a page. Check the pages, or the sitemap, that it was started with."
    } else {
        "The job is finding its pages; they show here by themselves."
    }
}
