//! One page in one variant through its project's runs.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use pentimento_api::history::{BaselineAction, BaselineMove, HistoryQuery, PageHistory, PageRun};
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::job_row::change_of;
use crate::components::load_more::LoadMore;
use crate::components::notice::{Problem, Waiting};
use crate::components::run_history::BaselineSentence;
use crate::components::time::Ago;
use crate::format;
use crate::labels;
use crate::shared::{Shared, use_shared};
use crate::task::spawn_scoped;
use crate::url_state::use_parameter;

/// The page at `/app/projects/:name/history`.
#[component]
pub(crate) fn HistoryPage() -> impl IntoView {
    let params = use_params_map();
    let project = Memo::new(move |_| params.read().get("name").unwrap_or_default());
    let (page, _) = use_parameter("page");
    let (variant, _) = use_parameter("variant");
    let feed = Feed::new();
    let is_there = Memo::new(move |_| feed.history.with(Option::is_some));
    let path = move |before: Option<String>| {
        let query = HistoryQuery {
            page: page.get(),
            variant_name: variant.get(),
            limit: None,
            before,
        };
        let path = format!("/project/{}/history", client::encoded(&project.get()));
        client::with_query(&path, &query)
    };
    Effect::new(move |_| {
        feed.again.track();
        feed.history.set(None);
        feed.error.set(None);
        feed.wanted.set(None);
        feed.read(path(None));
    });
    Effect::new(move |_| {
        if let Some(before) = feed.wanted.get() {
            feed.read(untrack(|| path(Some(before))));
        }
    });
    let title = Memo::new(move |_| {
        // A run of one page alone does not know how the project calls it.
        let label = feed.history.with(|history| {
            let history = history.as_ref()?;
            let mut labels = history.runs.iter().map(|run| &run.item.label);
            labels.find(|label| **label != history.page).cloned()
        });
        label.unwrap_or_else(|| page.get())
    });
    Effect::new(move |_| browser::set_title(&format!("History of {}", title.get())));
    let project_href = move || format!("/app/projects/{}", client::encoded(&project.get()));
    view! {
        <div class="page">
            <nav class="crumbs" aria-label="Breadcrumb">
                <a href="/app/projects">"Projects"</a>
                <a href=project_href>{project}</a>
            </nav>
            <div class="page-head"><h1>{title}</h1></div>
            <p class="history-page"><code>{page}</code> <span class="help">{variant}</span></p>
            {move || feed.error.get().map(|error| {
                view! { <Problem error retry=Callback::new(move |()| feed.again.notify()) /> }
            })}
            {move || match is_there.get() {
                false if feed.error.with(Option::is_some) => ().into_any(),
                false => view! { <Waiting /> }.into_any(),
                true => view! { <Runs feed /> }.into_any(),
            }}
        </div>
    }
}

/// The history as far as it was read; `wanted` reads on from there.
#[derive(Clone, Copy)]
struct Feed {
    shared: Shared,
    history: RwSignal<Option<PageHistory>>,
    error: RwSignal<Option<ClientError>>,
    again: Trigger,
    wanted: RwSignal<Option<String>>,
}

impl Feed {
    fn new() -> Self {
        Self {
            shared: use_shared(),
            history: RwSignal::new(None),
            error: RwSignal::new(None),
            again: Trigger::new(),
            wanted: RwSignal::new(None),
        }
    }

    /// Reads the newest runs, or those that follow on what was read.
    fn read(self, path: String) {
        spawn_scoped(async move {
            match client::get::<PageHistory>(&path).await {
                Ok(read) => {
                    self.error.set(None);
                    self.history.update(|history| match history {
                        Some(history) => {
                            history.runs.extend(read.runs);
                            history.next = read.next;
                        }
                        None => *history = Some(read),
                    });
                }
                Err(error) => {
                    self.shared.note_error(&error);
                    self.error.set(Some(error));
                }
            }
        });
    }
}

#[component]
fn Runs(feed: Feed) -> impl IntoView {
    // What is read later are older runs of the same page.
    let history = feed.history.get_untracked();
    let picture = history
        .as_ref()
        .and_then(|history| history.baseline.as_ref())
        .map(|baseline| baseline.thumbnail_url.clone());
    let next = Memo::new(move |_| {
        let history = feed.history.get();
        history.and_then(|history| history.next)
    });
    let runs = move || {
        let runs = feed.history.get().map(|history| history.runs);
        runs.into_iter().flatten().map(row).collect_view()
    };
    view! {
        <section class="history-baseline" aria-label="Baseline">
            {picture.map(|url| view! { <span class="change-thumb"><img src=url alt="The baseline" /></span> })}
            {history.map(|history| view! { <BaselineSentence history /> })}
        </section>
        <ol class="change-list" data-testid="runs">{runs}</ol>
        <LoadMore
            more=Signal::derive(move || next.with(Option::is_some))
            press=move |()| feed.wanted.set(next.get_untracked())
            word="Show older runs"
        />
    }
}

fn row(run: PageRun) -> impl IntoView {
    let result = run.item.result;
    let outcome = run.item.outcome;
    let triage = result.triage_status.unwrap_or(TriageStatus::Pending);
    let by = result
        .triaged_by
        .filter(|_| triage != TriageStatus::Pending);
    let is_live = run.comparison_mode == ComparisonMode::Live;
    let note = result.triage_note.filter(|note| !note.is_empty());
    let diff = (result.diff_percentage).filter(|_| outcome == Outcome::Regression);
    let (text, commit) = (run.run_context.as_ref())
        .and_then(change_of)
        .unwrap_or_default();
    let text = if text.is_empty() {
        format!("Run by {}", run.started_by)
    } else {
        text
    };
    let moves: Vec<_> = run
        .moves
        .into_iter()
        .map(|moved| {
            let said = said(&moved);
            view! {
                <span class="history-move">
                    <Icon glyph=Glyph::Flag />
                    <span>{said}" " <span class="help"><Ago time=moved.moved_at /></span></span>
                </span>
            }
        })
        .collect();
    view! {
        <li class="change-row" data-testid="run" data-outcome=outcome.as_str() data-triage=triage.as_str()>
            <span class="change-thumb history-thumb">
                {run.item.thumbnail_url.map(|url| view! { <img src=url alt="" loading="lazy" decoding="async" /> })}
            </span>
            <span class="history-words">
                <span>
                    {commit.map(|commit| view! { <code>{commit}</code>" " })}
                    <a class="result-link" href=format!("/app/review/{}", result.result_id)>{text}</a>
                    " "<span class="help"><Ago time=run.created_at /></span>
                </span>
                <span class="result-labels">
                    <Badge label=labels::outcome(outcome) />
                    {diff.map(|diff| view! { <span class="result-diff">{format::percent(diff)}</span> })}
                    {(result.unstable == Some(true)).then(|| view! { <Badge label=labels::unstable() /> })}
                    {(triage != TriageStatus::Pending).then(|| view! { <Badge label=labels::triage(triage) /> })}
                    {by.map(|by| view! { <span class="help">"by " {by}</span> })}
                    {is_live.then(|| view! { <span class="help">"against another origin"</span> })}
                    {run.is_baseline.then(|| view! { <Badge label=labels::baseline() /> })}
                </span>
                {note.map(|note| view! { <q class="history-note">{note}</q> })}
                {result.error_message.map(|message| view! { <span class="help">{message}</span> })}
                {moves}
            </span>
        </li>
    }
}

/// What a move did, and who made it.
fn said(moved: &BaselineMove) -> String {
    let by = &moved.moved_by;
    match moved.action {
        BaselineAction::New => "Its capture became the baseline.".to_owned(),
        BaselineAction::Promote => {
            format!("Approved by {by}: its capture became the baseline.")
        }
        BaselineAction::Restore if moved.leaves_none => {
            format!("{by} decided otherwise: the page had no baseline any more.")
        }
        BaselineAction::Restore => {
            format!("{by} decided otherwise: the baseline was again what it had been before.")
        }
    }
}
