//! The bar above the canvas: which page this is, how it is shown, how large.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::keys::Command;
use crate::list_filter::ListFilter;
use crate::review::arrange::Arrangement;
use crate::review::mode::Mode;
use crate::review::state::{Review, use_review};
use crate::review::steps;
use crate::review::view::Zoom;

/// The bar.
#[component]
pub(crate) fn ReviewToolbar() -> impl IntoView {
    let review = use_review();
    let label = move || {
        review
            .item
            .with(|item| item.as_ref().map(|item| item.label.clone()))
    };
    let variant = move || {
        review
            .item
            .with(|item| item.as_ref().map(|item| item.result.variant_name.clone()))
    };
    let can_align = Memo::new(move |_| review.arrangement() != Arrangement::InPlace);
    let job_href = move || review.job_address();
    view! {
        <div class="toolbar">
            <button
                type="button"
                class="button icon-only toolbar-queue"
                aria-label="Queue"
                aria-keyshortcuts="Q"
                aria-pressed=move || review.column.shows().to_string()
                title="Queue (Q)"
                data-testid="toggle-queue"
                on:click=move |_| steps::perform(review, Command::Queue)
            >
                <Icon glyph=Glyph::Queue />
            </button>
            <div class="toolbar-title">
                <a class="toolbar-job" href=job_href>"Job"</a>
                <h1 tabindex="-1" title=label node_ref=review.heading>{move || label().map(|label| format::short(&label))}</h1>
                <span class="toolbar-variant" title=variant>{variant}</span>
                {list_button(review)}
            </div>
            <div class="segmented" role="group" aria-label="View">
                {Mode::ALL.into_iter().enumerate().map(|(index, mode)| mode_button(review, index + 1, mode)).collect_view()}
            </div>
            <button
                type="button"
                class="button toolbar-mask"
                aria-pressed=move || (review.has_mask() && review.mask_shows()).to_string()
                disabled=move || !review.has_mask() || review.mask_switch().is_none()
                aria-keyshortcuts="D"
                title=move || if review.is_apart() { "Mask of the pixels that differ (D)" } else { "Mask of the changed pixels (D)" }
                data-testid="toggle-mask"
                on:click=move |_| steps::perform(review, Command::ToggleMask)
            >
                <Icon glyph=Glyph::Mask />
                <span class="wide-only">"Mask"</span>
            </button>
            {move || can_align.get().then(|| align_button(review))}
            <ZoomButtons review />
            <button
                type="button"
                class="button icon-only toolbar-details"
                aria-label="Details"
                aria-keyshortcuts="I"
                aria-pressed=move || review.details_show().to_string()
                title="Details (I)"
                data-testid="details"
                on:click=move |_| steps::perform(review, Command::Details)
            >
                <Icon glyph=Glyph::Info />
            </button>
            <button
                type="button"
                class="button icon-only toolbar-help"
                aria-label="Keys"
                aria-keyshortcuts="?"
                title="Keys (?)"
                data-testid="help"
                on:click=move |_| steps::perform(review, Command::Help)
            >
                <Icon glyph=Glyph::Keyboard />
            </button>
        </div>
    }
}

/// What the review goes through, where not all changed pages; it leads out of that list.
fn list_button(review: Review) -> impl IntoView {
    let narrowed = Memo::new(move |_| {
        let told = |filter: &ListFilter| filter.narrows().then(|| filter.told());
        review.filter.with(told)
    });
    move || {
        narrowed.get().map(|told| {
            let name = format!("Only pages of the list: {told}. Go through all changed pages");
            view! {
                <button
                    type="button"
                    class="button toolbar-list"
                    aria-label=name.clone()
                    title=name
                    data-testid="leave-list"
                    on:click=move |_| {
                        if let Some(id) = review.id.get_untracked() {
                            review.leave_list.run(id);
                        }
                    }
                >
                    <Icon glyph=Glyph::Search />
                    <span>{told}</span>
                    <Icon glyph=Glyph::Close />
                </button>
            }
        })
    }
}

/// Only for pages whose rows lie elsewhere than the baseline's.
fn align_button(review: Review) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button toolbar-align"
            aria-pressed=move || (review.arrangement() == Arrangement::Aligned).to_string()
            aria-label="Rows aligned"
            aria-keyshortcuts="S"
            title="Shifted rows aligned, or as they were captured (S)"
            data-testid="toggle-aligned"
            on:click=move |_| steps::perform(review, Command::ToggleAligned)
        >
            <Icon glyph=Glyph::Align />
            <span class="wide-only">"Aligned"</span>
        </button>
    }
}

fn mode_button(review: Review, number: usize, mode: Mode) -> impl IntoView {
    let (glyph, word) = match mode {
        Mode::SideBySide => (Glyph::SideBySide, "Side by side"),
        Mode::Swipe => (Glyph::Swipe, "Swipe"),
        Mode::Overlay => (Glyph::Overlay, "Overlay"),
        Mode::Blink => (Glyph::Blink, "Blink"),
        Mode::Difference => (Glyph::Difference, "Difference"),
    };
    view! {
        <button
            type="button"
            class="segment"
            aria-label=word
            aria-pressed=move || (review.has_both() && review.effective_mode() == mode).to_string()
            aria-keyshortcuts=number.to_string()
            title=format!("{word} ({number})")
            data-testid=format!("mode-{number}")
            disabled=move || !review.fits(mode)
            on:click=move |_| steps::perform(review, Command::Mode(mode))
        >
            <Icon glyph />
            <span class="wide-only">{word}</span>
        </button>
    }
}

#[component]
fn ZoomButtons(review: Review) -> impl IntoView {
    let percent = move || format!("{:.0} %", review.ratio() * 100.0);
    view! {
        <div class="segmented zoom" role="group" aria-label="Zoom">
            <button
                type="button"
                class="segment"
                aria-label="Zoom out"
                aria-keyshortcuts="-"
                title="Zoom out (−)"
                data-testid="zoom-out"
                on:click=move |_| steps::perform(review, Command::ZoomOut)
            >
                <Icon glyph=Glyph::Minus />
            </button>
            <button
                type="button"
                class="segment zoom-value"
                aria-label=move || {
                    let other = if review.zoom.get() == Zoom::Fit { "show at 100 %" } else { "fit the width" };
                    format!("{}: {other}", percent())
                }
                aria-keyshortcuts="Z"
                title="Fit the width, or 100 % (Z)"
                data-testid="zoom-fit"
                on:click=move |_| steps::perform(review, Command::ToggleZoom)
            >
                {percent}
            </button>
            <button
                type="button"
                class="segment"
                aria-label="Zoom in"
                aria-keyshortcuts="+"
                title="Zoom in (+)"
                data-testid="zoom-in"
                on:click=move |_| steps::perform(review, Command::ZoomIn)
            >
                <Icon glyph=Glyph::Plus />
            </button>
        </div>
    }
}
