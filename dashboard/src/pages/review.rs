//! The review page: one result, its two captures, and what is decided about it.

use std::collections::HashSet;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_params_map};
use pentimento_api::ids::ResultId;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;

use crate::browser;
use crate::client::ClientError;
use crate::components::canvas::Canvas;
use crate::components::dialog::Dialog;
use crate::components::group_dialog::GroupDialog;
use crate::components::inspector::Inspector;
use crate::components::key_list::KeyList;
use crate::components::minimap::Minimap;
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::queue_column::QueueColumn;
use crate::components::review_toolbar::ReviewToolbar;
use crate::components::verdict_bar::VerdictBar;
use crate::format;
use crate::keys;
use crate::list_filter::ListFilter;
use crate::review::address::{self, RAW};
use crate::review::arrival;
use crate::review::ask;
use crate::review::history;
use crate::review::load;
use crate::review::masking::Masking;
use crate::review::order::Order;
use crate::review::pictures;
use crate::review::queue;
use crate::review::state::Review;
use crate::review::steps;
use crate::url_state::use_parameter;

/// The page at `/app/review/:id`. It stays in place while one goes from page to page of the queue.
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let params = use_params_map();
    let navigate = use_navigate();
    let id = Memo::new(move |_| {
        params
            .read()
            .get("id")
            .and_then(|text| text.parse::<ResultId>().ok())
    });
    let (shown, show) = use_parameter("view");
    let raw = Memo::new(move |_| shown.get() == RAW);
    let set_raw = Callback::new(move |is_raw: bool| {
        show.run(if is_raw { RAW } else { "" }.to_owned());
    });
    let (order, set_order) = use_parameter("order");
    let sorting = Memo::new(move |_| Order::of(&order.get()));
    let sort = Callback::new(move |order: Order| set_order.run(order.as_str().to_owned()));
    let search = use_location().search;
    let filter = Memo::new(move |_| search.with(|search| ListFilter::of(search)));
    let address_in = move |id: ResultId, filter: &ListFilter| {
        let is_raw = raw.try_get_untracked().unwrap_or_default();
        let order = sorting.try_get_untracked().unwrap_or_default();
        address::in_view(id, filter, is_raw, order)
    };
    let address = Callback::new(move |id: ResultId| {
        address_in(id, &filter.try_get_untracked().unwrap_or_default())
    });
    let leave = navigate.clone();
    let leave_list = Callback::new(move |id: ResultId| {
        leave(
            &address_in(id, &ListFilter::default()),
            NavigateOptions::default(),
        );
    });
    let go = Callback::new(move |id: ResultId| {
        navigate(&address.run(id), NavigateOptions::default());
    });
    let (captures, show_captures) = use_parameter("captures");
    let apart = Memo::new(move |_| captures.get().parse::<usize>().ok()?.checked_sub(1));
    let show_apart = Callback::new(move |index: Option<usize>| {
        show_captures.run(index.map_or_else(String::new, |index| (index + 1).to_string()));
    });
    let review = Review::new(
        id,
        (address, go),
        (filter, leave_list),
        (raw, set_raw),
        (apart, show_apart),
        (sorting, sort),
    );
    provide_context(review);
    provide_context(Masking::new(review));

    load::all(review);
    ask::answer_questions(review);
    history::follow(review);
    arrival::follow(review);
    pictures::follow(review);
    listen_to_keys(review);
    reset_between_pages(review);

    view! {
        <div
            class="review"
            class:details-open=move || review.details_open.get()
            class:details-hidden=move || review.details_hidden.get()
            class:queue-open=move || review.column.open.get()
            class:queue-hidden=move || review.column.hidden.get()
            data-testid="review"
            data-result-id=move || id.get().map(|id| id.to_string())
            data-triage=move || review.item.get().map(|item| queue::triage_of(&item).as_str())
            data-pictures=move || if review.awaits_pictures() { "awaited" } else { "settled" }
        >
            <ReviewToolbar />
            <div class="review-body">
                <QueueColumn />
                <Stage review />
                <Minimap />
                <Inspector />
            </div>
            <VerdictBar />
            <p class="visually-hidden" role="status" aria-live="polite" data-testid="announcement">{review.announced}</p>
            <KeyList open=review.help_open />
            <GroupDialog />
            <DoneDialog review />
        </div>
    }
}

/// The canvas, or what stands in its place.
#[component]
fn Stage(review: Review) -> impl IntoView {
    #[derive(Clone, PartialEq)]
    enum Shown {
        BadAddress,
        Waiting,
        Failed(ClientError),
        NoPicture(Outcome, Option<String>),
        Canvas,
    }
    // The canvas is kept from page to page, so it must not be built anew when only its page changes.
    let shown = Memo::new(move |before: Option<&Shown>| {
        if review.id.get().is_none() {
            return Shown::BadAddress;
        }
        let Some(item) = review.item.get() else {
            return match (review.error.get(), before) {
                (Some(error), _) => Shown::Failed(error),
                (None, Some(Shown::Canvas)) => Shown::Canvas,
                _ => Shown::Waiting,
            };
        };
        let has_picture = item.current.is_some() || item.baseline.is_some();
        if item.outcome == Outcome::Error || !has_picture {
            return Shown::NoPicture(item.outcome, item.result.error_message.clone());
        }
        Shown::Canvas
    });
    move || match shown.get() {
        Shown::BadAddress => view! {
            <div class="stage-notice"><Empty title="This address names no result">
                <p>"It may have been cut off. "<a href="/app">"Go to the jobs"</a></p>
            </Empty></div>
        }
        .into_any(),
        Shown::Waiting => view! { <div class="stage-notice"><Waiting /></div> }.into_any(),
        Shown::Failed(error) => {
            let retry = Callback::new(move |()| review.error.set(None));
            view! { <div class="stage-notice"><Problem error retry /></div> }.into_any()
        }
        Shown::NoPicture(outcome, message) => {
            let text =
                message.unwrap_or_else(|| "There is no picture of this page yet.".to_owned());
            let title = if outcome == Outcome::Error {
                "This page could not be checked"
            } else {
                "Not done yet"
            };
            let again = move |_| review.id.with_untracked(|id| forget(review, *id));
            view! {
                <div class="stage-notice" data-testid="no-picture"><Empty title>
                    <p>{text}</p>
                    <p><button type="button" class="button" on:click=again>"Look again"</button></p>
                </Empty></div>
            }
            .into_any()
        }
        Shown::Canvas => view! { <Canvas /> }.into_any(),
    }
}

#[component]
fn DoneDialog(review: Review) -> impl IntoView {
    let figures = move || {
        let count = |status| format::grouped(steps::count(review, status) as u64);
        format!(
            "{} approved, {} rejected.",
            count(TriageStatus::Approved),
            count(TriageStatus::Rejected)
        )
    };
    let is_narrowed = Memo::new(move |_| review.filter.with(ListFilter::narrows));
    let title = Signal::derive(move || {
        if is_narrowed.get() {
            "Every change in the list is decided"
        } else {
            "Every change is decided"
        }
    });
    let beyond = Memo::new(move |_| {
        if is_narrowed.get() {
            steps::count_undecided(review)
        } else {
            0
        }
    });
    let more = move || {
        let undecided = beyond.get();
        let is_running = review.is_running();
        match undecided {
            0 => is_running.then(|| {
                "The job is still running; pages that it finds changed join the list.".to_owned()
            }),
            1 => Some("One changed page that is not in the list is undecided.".to_owned()),
            _ => Some(format!(
                "{} changed pages that are not in the list are undecided.",
                format::grouped(undecided as u64)
            )),
        }
    };
    let leave = move || {
        (beyond.get() > 0).then(|| {
            view! {
                <button type="button" class="button" data-testid="done-leave-list" on:click=move |_| steps::leave_list(review)>
                    "Go on with them"
                </button>
            }
        })
    };
    let job_href = move || review.job_address();
    view! {
        <Dialog open=review.done_open title>
            <p>{figures}</p>
            <p>{more}</p>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| review.done_open.set(false)>"Stay here"</button>
                {leave}
                <a class="button button-primary" href=job_href data-testid="done-job">"Back to the job"</a>
            </div>
        </Dialog>
    }
}

fn listen_to_keys(review: Review) {
    let down = window_event_listener(ev::keydown, move |event| {
        if keys::is_taken(&event) {
            return;
        }
        if event.key() == " " {
            if !keys::is_for_focused_control(&event) {
                event.prevent_default();
                review.peeking.set(true);
            }
            return;
        }
        let is_single = event.key().chars().count() == 1;
        if keys::is_arrow_of_focused(&event)
            || keys::is_scroll_of_focused(&event)
            || is_single && !review.shared.letter_keys.get_untracked()
        {
            return;
        }
        if let Some(command) = keys::command_of(&event.key(), &event.code(), event.shift_key()) {
            event.prevent_default();
            if !event.repeat() || keys::repeats(command) {
                steps::perform(review, command);
            }
        }
    });
    let up = window_event_listener(ev::keyup, move |event| {
        if event.key() == " " && review.peeking.get_untracked() {
            event.prevent_default();
            review.peeking.set(false);
        }
    });
    // A key that is let go while another window has the focus is never heard of.
    let left = window_event_listener(ev::blur, move |_| review.peeking.set(false));
    let clicked = window_event_listener(ev::click, move |event| keys::let_go_of_control(&event));
    on_cleanup(move || {
        down.remove();
        up.remove();
        left.remove();
        clicked.remove();
    });
}

/// What belongs to one page does not stay for the next.
fn reset_between_pages(review: Review) {
    Effect::new(move |_| {
        review.id.track();
        review.error.set(None);
        review.jump.set(None);
        review.open_folds.update(HashSet::clear);
        review.note_open.set(false);
        review.done_open.set(false);
        review.asking.open.set(false);
        // On a phone they would hide the page that was gone to.
        review.details_open.set(false);
        review.column.open.set(false);
        review.lost.set(None);
    });
    Effect::new(move |_| {
        if let Some(item) = review.item.get() {
            let label = format::short(&item.label);
            browser::set_title(&format!("{label} · {}", item.result.variant_name));
        }
    });
}

/// Has the page read again.
fn forget(review: Review, id: Option<ResultId>) {
    if let Some(id) = id {
        review.items.update(|items| drop(items.remove(&id)));
    }
}
