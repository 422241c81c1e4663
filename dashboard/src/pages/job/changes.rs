//! The changes of a job, each once with how many pages show it: what leads into its review by cause.

use leptos::prelude::*;
use pentimento_api::groups::{ChangeGroup, GroupList};
use pentimento_api::job::{JobOverview, TriageCounts};
use pentimento_api::result::TriageStatus;

use crate::browser;
use crate::client;
use crate::components::badge::Badge;
use crate::components::change_pictures::ChangePictures;
use crate::components::sentence::{Sentence, causes};
use crate::format;
use crate::labels;
use crate::shared::use_shared;
use crate::task::spawn_scoped;

/// Changes that are shown until the reader asks for more; the interface's most.
const FEW: u32 = 8;
const MOST: u32 = 100;

/// Sentences about one change; its review has them all.
const MAX_SENTENCES: usize = 2;

/// The list, read again when `heard` changes; nothing where fewer than two pages changed, which the pages themselves tell.
#[component]
pub(crate) fn Changes(job: Signal<JobOverview>, heard: RwSignal<u64>) -> impl IntoView {
    let shared = use_shared();
    let id = job.get_untracked().job_id;
    let list = RwSignal::new(None::<GroupList>);
    let all = RwSignal::new(false);
    let version = Memo::new(move |_| {
        let heard = heard.get();
        job.with(|job| {
            (
                job.status.is_final(),
                job.counts.regression,
                job.triage,
                heard,
            )
        })
    });
    Effect::new(move |_| {
        // While a job runs its changes come one by one, and nothing can be decided.
        let (is_final, changed, ..) = version.get();
        if !is_final || changed < 2 {
            return list.set(None);
        }
        let limit = if all.get() { MOST } else { FEW };
        let path = format!("/job/{id}/groups?limit={limit}");
        spawn_scoped(async move {
            match client::get::<GroupList>(&path).await {
                Ok(fresh) => list.set(Some(fresh)),
                // The pages below are the same without it.
                Err(error) => shared.note_error(&error),
            }
        });
    });
    let shown = move || {
        list.with(|list| {
            let groups = list.iter().flat_map(|list| &list.groups);
            groups.map(|group| row(group.clone())).collect_view()
        })
    };
    let known = Memo::new(move |_| {
        list.with(|list| {
            let list = list.as_ref().filter(|list| !list.groups.is_empty())?;
            Some((list.groups.len() as u64, list.total))
        })
    });
    move || {
        known.get().map(|(groups, total)| {
            let pages = move || format::counted(version.with(|(_, changed, ..)| *changed), "page");
            let more = || {
                let beyond = total.saturating_sub(groups);
                let text = format::grouped(beyond);
                match beyond {
                    0 => ().into_any(),
                    _ if groups >= MOST.into() => view! { <p class="help">{format!("{text} more are not listed.")}</p> }.into_any(),
                    // Pressed again, it asks again.
                    _ => {
                        let hand_on = browser::hand_focus_on();
                        let show_all = move |_| {
                            hand_on();
                            all.set(true);
                        };
                        view! {
                            <button type="button" class="button" data-testid="all-changes" on:click=show_all>
                                {format!("Show {text} more")}
                            </button>
                        }
                        .into_any()
                    }
                }
            };
            view! {
                <section class="job-changes" aria-labelledby="changes" data-testid="changes">
                    <h2 id="changes">
                        {format::counted(total, "change")}
                        <span class="help">" on "{pages}</span>
                    </h2>
                    <ul class="change-list">{shown}</ul>
                    {more()}
                </section>
            }
        })
    }
}

fn row(group: ChangeGroup) -> impl IntoView {
    let TriageCounts {
        pending,
        approved,
        rejected,
    } = group.triage;
    let pages = pending + approved + rejected;
    let result = group.example.result;
    let causes = causes(&result);
    let more = causes.len().saturating_sub(MAX_SENTENCES) as u64;
    let sentences: Vec<_> = (causes.into_iter().take(MAX_SENTENCES))
        .map(|text| view! { <span class="change-text"><Sentence text /></span> })
        .collect();
    let state = match (pending, approved, rejected) {
        (0, _, 0) => view! { <Badge label=labels::triage(TriageStatus::Approved) /> }.into_any(),
        (0, 0, _) => view! { <Badge label=labels::triage(TriageStatus::Rejected) /> }.into_any(),
        (0, _, _) => view! { <span class="help">{format!("{approved} approved, {rejected} rejected")}</span> }.into_any(),
        (open, 0, 0) if open == pages => ().into_any(),
        (open, _, _) => view! { <span class="help">{format!("{} undecided", format::grouped(open))}</span> }.into_any(),
    };
    // What was decided takes the place of what was to be decided.
    let verdict = result.verdict.as_ref().filter(|_| pending > 0);
    view! {
        <li class="change-row" data-testid="change" data-group=group.change_group>
            <ChangePictures crops=group.example.region_crops thumbnail_url=group.example.thumbnail_url />
            <a class="change-words" href=format!("/app/review/{}", result.result_id)>
                {sentences}
                {(more > 0).then(|| view! { <span class="help">{format!("and {}", format::counted(more, "other change"))}</span> })}
            </a>
            <span class="change-figures">
                <strong>{format::counted(pages, "page")}</strong>
                {state}
                {verdict.map(|verdict| view! { <Badge label=labels::decision(verdict.decision) /> })}
            </span>
        </li>
    }
}
