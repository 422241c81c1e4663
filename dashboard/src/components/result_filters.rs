//! The filters above a job's results; they only name the choice, the page keeps it in the address.

use gloo_timers::future::TimeoutFuture;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use pentimento_api::job::OutcomeCounts;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::components::outcome_bar::{count_of, total_of};
use crate::format;
use crate::keys;
use crate::labels;
use crate::task::spawn_scoped;

/// A pause in typing after which the search runs.
const TYPING_MS: u32 = 250;

/// Outcome tabs with counts.
#[component]
pub(crate) fn OutcomeTabs(
    #[prop(into)] counts: Signal<OutcomeCounts>,
    chosen: Memo<String>,
    choose: Callback<String>,
) -> impl IntoView {
    let tab = move |outcome: Option<Outcome>| {
        let value = outcome.map_or("", Outcome::as_str);
        let count = move || {
            outcome.map_or_else(
                || total_of(counts.get()),
                |outcome| count_of(counts.get(), outcome),
            )
        };
        let label = outcome.map(labels::outcome);
        let is_chosen = move || chosen.get() == value;
        // Pending pages are there only while the job runs.
        let is_hidden = move || outcome == Some(Outcome::Pending) && count() == 0 && !is_chosen();
        view! {
            <button
                type="button"
                class=format!("tab {}", label.map_or("", |label| label.class))
                class:hidden=is_hidden
                aria-pressed=move || is_chosen().to_string()
                data-testid=format!("tab-{}", if value.is_empty() { "all" } else { value })
                on:click=move |_| choose.run(value.to_owned())
            >
                {label.map(|label| view! { <Icon glyph=label.glyph /> })}
                {label.map_or("All", |label| label.word)}
                <span class="tab-count">{move || format::grouped(count())}</span>
            </button>
        }
    };
    view! {
        <div class="tabs" role="group" aria-label="Outcome">
            {tab(None)}
            {Outcome::ALL.into_iter().map(|outcome| tab(Some(outcome))).collect_view()}
        </div>
    }
}

/// The switch that leaves unstable pages alone.
#[component]
pub(crate) fn UnstableFilter(chosen: Memo<String>, choose: Callback<String>) -> impl IntoView {
    let is_chosen = move || chosen.get() == "true";
    let label = labels::unstable();
    view! {
        <button
            type="button"
            class="button"
            aria-pressed=move || is_chosen().to_string()
            title="Only pages whose captures in this run differ from each other"
            data-testid="filter-unstable"
            on:click=move |_| choose.run(if is_chosen() { "" } else { "true" }.to_owned())
        >
            <Icon glyph=label.glyph />
            {label.word}
        </button>
    }
}

/// The filter by change, which a page's review leads to; shown while it is on.
#[component]
pub(crate) fn GroupFilter(chosen: Memo<String>, choose: Callback<String>) -> impl IntoView {
    move || {
        (!chosen.with(String::is_empty)).then(|| {
            let hand_on = browser::hand_focus_on();
            view! {
                <button
                    type="button"
                    class="button"
                    aria-pressed="true"
                    title="Only pages that show the same change; press to show all"
                    data-testid="filter-group"
                    on:click=move |_| {
                        hand_on();
                        choose.run(String::new());
                    }
                >
                    <Icon glyph=Glyph::Overlay />
                    "The same change"
                    <Icon glyph=Glyph::Close />
                </button>
            }
        })
    }
}

/// The filter by decision.
#[component]
pub(crate) fn TriageFilter(chosen: Memo<String>, choose: Callback<String>) -> impl IntoView {
    view! {
        <label>
            <span class="filter-word">"Decision"</span>
            <select class="field" aria-label="Decision" data-testid="filter-triage" on:change=move |event| choose.run(event_target_value(&event))>
                <option value="" prop:selected=move || chosen.get().is_empty()>"Any decision"</option>
                {TriageStatus::ALL.into_iter().map(|status| view! {
                    <option value=status.as_str() prop:selected=move || chosen.get() == status.as_str()>
                        {labels::triage(status).word}
                    </option>
                }).collect_view()}
            </select>
        </label>
    }
}

/// A search that runs while one types; `/` leads to it.
#[component]
pub(crate) fn SearchField(
    text: Memo<String>,
    search: Callback<String>,
    /// What is searched, for those who do not see the field.
    name: &'static str,
    placeholder: &'static str,
    /// Most characters that are searched for.
    #[prop(default = 200)]
    most: u32,
) -> impl IntoView {
    let typed = RwSignal::new(text.get_untracked());
    let field = NodeRef::<html::Input>::new();
    // What is being typed is ahead of the address.
    Effect::new(move |_| {
        let text = text.get();
        if field.get().is_some_and(|field| !browser::has_focus(&field)) {
            typed.set(text);
        }
    });
    Effect::new(move |_| {
        let typed = typed.get();
        spawn_scoped(async move {
            TimeoutFuture::new(TYPING_MS).await;
            if typed != text.get_untracked() {
                search.run(typed);
            }
        });
    });
    let listener = window_event_listener(ev::keydown, move |event| {
        if event.key() == "/"
            && !keys::is_taken(&event)
            && let Some(field) = field.get_untracked()
        {
            event.prevent_default();
            // What cannot take the focus can still be clicked.
            let _ = field.focus();
            field.select();
        }
    });
    on_cleanup(move || listener.remove());
    view! {
        <label class="search">
            <Icon glyph=Glyph::Search />
            <span class="visually-hidden">{name}</span>
            <input
                class="field"
                type="search"
                placeholder=placeholder
                title=format!("{name} (/)")
                maxlength=most
                aria-keyshortcuts="/"
                data-testid="search"
                prop:value=typed
                node_ref=field
                on:input=move |event| typed.set(event_target_value(&event))
            />
        </label>
    }
}
