//! The bar below the canvas, which never scrolls away: where one is in the queue, and the decision.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::note_form::NoteForm;
use crate::format;
use crate::keys::{self, Command};
use crate::review::order::Order;
use crate::review::progress;
use crate::review::state::{Review, use_review};
use crate::review::steps;
use crate::task::spawn_scoped;

/// One decision on its way is told when it takes so long.
const SLOW_MS: u32 = 500;

/// The bar.
#[component]
pub(crate) fn VerdictBar() -> impl IntoView {
    let review = use_review();
    let has_regions = move || {
        review
            .item
            .with(|item| item.as_ref().is_some_and(|item| !item.regions.is_empty()))
    };
    // While the next page is on its way they stay as they are: a button that has the focus keeps it.
    let is_refused = Memo::new(move |_| {
        let is_there = review.item.with(Option::is_some);
        review.error.with(Option::is_some) || is_there && review.why_undecidable().is_some()
    });
    let is_unapprovable = Memo::new(move |_| is_refused.get() || review.is_out_of_date());
    let is_slow = sending_is_slow(review);
    let note = move || note_text(review, is_slow);
    view! {
        <div
            class="verdict-bar"
            class:note-open=move || review.note_open.get()
            role="toolbar"
            aria-label="Decision"
            on:keydown=keys::press_once
        >
            {move || review.note_open.get().then(|| view! { <NoteForm review /> })}
            <div class="verdict-row">
                <div class="verdict-steps">
                    {step(review, Command::Previous, "Previous page", "K", Glyph::ChevronUp, "previous", None)}
                    {step(review, Command::Next, "Next page", "J", Glyph::ChevronDown, "next", None)}
                    <span class="position" data-testid="position">{position(review)}</span>
                    {order_button(review)}
                    <span class="region-steps" class:hidden=move || !has_regions()>
                        {step(review, Command::PreviousRegion, "Previous region", "P", Glyph::ChevronUp, "previous-region", Some("Region"))}
                        {step(review, Command::NextRegion, "Next region", "N", Glyph::ChevronDown, "next-region", Some("Region"))}
                    </span>
                </div>
                <p class="verdict-why" role="status" data-testid="verdict-note">{note}</p>
                <div class="verdict-buttons">
                    {group_button(review)}
                    {undo_button(review)}
                    <button
                        type="button"
                        class="button button-reject"
                        aria-keyshortcuts="R"
                        title="Reject (R)"
                        data-testid="reject"
                        disabled=is_refused
                        on:click=move |_| steps::perform(review, Command::Reject)
                    >
                        <Icon glyph=Glyph::Cross />
                        "Reject"
                        <kbd>"R"</kbd>
                    </button>
                    <button
                        type="button"
                        class="button button-approve"
                        aria-keyshortcuts="A"
                        title="Approve (A)"
                        data-testid="approve"
                        disabled=is_unapprovable
                        on:click=move |_| steps::perform(review, Command::Approve)
                    >
                        <Icon glyph=Glyph::Check />
                        "Approve"
                        <kbd>"A"</kbd>
                    </button>
                </div>
            </div>
        </div>
    }
}

/// What is to be told beside the buttons: what is on its way, what failed, why they do nothing.
fn note_text(review: Review, is_slow: RwSignal<bool>) -> Option<String> {
    if review.was_approved_unseen() {
        return Some("The picture is not there yet.".to_owned());
    }
    let unsent = review.shared.decisions.count();
    if unsent > 1 || unsent == 1 && is_slow.get() {
        let unsent = format::counted(unsent as u64, "decision");
        return Some(format!("Sending {unsent}…"));
    }
    if let Some(error) = review.list_error.get().or(review.queue_error.get()) {
        let again = if error.is_final() {
            ""
        } else {
            "; trying again"
        };
        return Some(format!(
            "The list of pages could not be read{again}. {error}"
        ));
    }
    let is_there = review.item.with(Option::is_some);
    let why = is_there.then(|| review.why_undecidable()).flatten();
    let old = review.is_out_of_date().then_some(
        "Its baseline has moved since this run, so it cannot be approved now: run the job again.",
    );
    why.or(old).map(str::to_owned)
}

/// Whether decisions have been on their way for longer than one takes as a rule, which need not be told.
fn sending_is_slow(review: Review) -> RwSignal<bool> {
    let is_slow = RwSignal::new(false);
    let is_sending = Memo::new(move |_| review.shared.decisions.count() > 0);
    Effect::new(move |_| {
        is_slow.set(false);
        if is_sending.get() {
            spawn_scoped(async move {
                TimeoutFuture::new(SLOW_MS).await;
                is_slow.set(true);
            });
        }
    });
    is_slow
}

/// What undoes the last decision, or takes back the one in sight.
fn undo_button(review: Review) -> impl IntoView {
    let takes_back = Memo::new(move |_| review.can_take_back());
    let name = move || {
        if takes_back.get() {
            "Take back your decision on this page"
        } else {
            "Undo the last decision"
        }
    };
    view! {
        <button
            type="button"
            class="button verdict-undo"
            aria-label=name
            aria-keyshortcuts="U"
            title=move || format!("{} (U)", name())
            data-testid="undo"
            disabled=move || !review.can_undo() && !takes_back.get()
            on:click=move |_| steps::perform(review, Command::Undo)
        >
            <Icon glyph=Glyph::Undo />
            <span class="wide-only">"Undo"</span>
            <kbd>"U"</kbd>
        </button>
    }
}

/// What leads to deciding on all pages with the same change, where several wait for it.
fn group_button(review: Review) -> impl IntoView {
    let open = Memo::new(move |_| {
        let group = review.group.get().filter(|_| review.is_decidable());
        group.map_or(0, |group| group.open)
    });
    let has_several = Memo::new(move |_| open.get() > 1);
    let text = move || {
        let more = if review.queue_is_whole.get() { "" } else { "+" };
        format!("{}{more} alike", format::grouped(open.get() as u64))
    };
    move || {
        has_several.get().then(|| {
            view! {
                <button
                    type="button"
                    class="button verdict-group"
                    aria-keyshortcuts="G Shift+A"
                    title="Decide on all undecided pages with the same change at once (G, or Shift+A)"
                    data-testid="group"
                    on:click=move |_| steps::perform(review, Command::Group)
                >
                    <Icon glyph=Glyph::Overlay />
                    {text}
                    <kbd>"G"</kbd>
                </button>
            }
        })
    }
}

/// What the list is sorted by, where there is more than one page to sort.
fn order_button(review: Review) -> impl IntoView {
    let has_several = Memo::new(move |_| review.order.with(|order| order.len() > 1));
    let is_by_cause = move || review.sorting.get() == Order::Cause;
    move || {
        has_several.get().then(|| {
            view! {
                <button
                    type="button"
                    class="button verdict-order"
                    aria-label="By cause, the worst first"
                    aria-pressed=move || is_by_cause().to_string()
                    aria-keyshortcuts="O"
                    title="Pages by cause, the worst first, or in the job’s order (O)"
                    data-testid="order"
                    on:click=move |_| steps::perform(review, Command::ToggleOrder)
                >
                    <Icon glyph=Glyph::Order />
                    <span class="wide-only">"By cause"</span>
                    <kbd>"O"</kbd>
                </button>
            }
        })
    }
}

/// Where one is, and what is left: `138 of 412 · 95 left · 6 causes`.
fn position(review: Review) -> impl IntoView {
    let left = Memo::new(move |_| review.left());
    let told = Memo::new(move |_| {
        let place = review.position()?;
        Some(progress::told(place, review.is_order_whole(), left.get()))
    });
    move || {
        told.get().map(|told| {
            let causes = told.causes;
            let causes =
                causes.map(|text| view! { <span class="position-causes">" · " {text}</span> });
            let left = told.left.map(|text| {
                view! {
                    <span class="position-more">
                        <span class="position-dot">" · "</span>
                        <span data-testid="position-left">{text}</span>
                        {causes}
                    </span>
                }
            });
            (told.place, left)
        })
    }
}

fn step(
    review: Review,
    command: Command,
    name: &'static str,
    key: &'static str,
    glyph: Glyph,
    hook: &'static str,
    label: Option<&'static str>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            class:icon-only=label.is_none()
            aria-label=name
            aria-keyshortcuts=key
            title=format!("{name} ({key})")
            data-testid=hook
            on:click=move |_| steps::perform(review, command)
        >
            <Icon glyph />
            {label.map(|label| view! { <span class="step-word">{label}</span> <kbd>{key}</kbd> })}
        </button>
    }
}
