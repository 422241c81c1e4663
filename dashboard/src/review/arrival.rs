//! What happens for those who do not see the screen when another page comes up: it is announced, and the focus stays
//! somewhere.

use leptos::prelude::*;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ReviewItem};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::format;
use crate::labels;
use crate::list_filter::ListFilter;
use crate::review::queue::triage_of;
use crate::review::state::Review;

/// Announces each page that comes up, and keeps the focus from being lost with what had it. To be called once, by the
/// review page.
pub(crate) fn follow(review: Review) {
    // Where a page stands is known once the queue is, and told once: later it may only have grown.
    let arrived = Memo::new(move |_| {
        let is_begun = if review.filter.with(ListFilter::narrows) {
            (review.listed).with(|list| list.iter().flatten().next().is_some())
        } else {
            !review.queue.with(Vec::is_empty)
        };
        let is_queue_there =
            (review.is_order_whole() || is_begun) && review.ranks.with(Option::is_some);
        let id = (review.item).with(|item| Some(item.as_ref()?.result.result_id));
        id.filter(|_| is_queue_there)
            .map(|id| (id, review.filter.get()))
    });
    Effect::new(move |_| {
        if arrived.with(Option::is_some) {
            review.announced.set(untrack(|| announcement(review)));
        }
    });
    Effect::new(move |_| {
        review.item.track();
        review.filter.track();
        for part in [
            review.note_open,
            review.asking.open,
            review.done_open,
            review.help_open,
            review.details_hidden,
            review.column.open,
            review.column.hidden,
        ] {
            part.track();
        }
        // When everybody has drawn what changed.
        request_animation_frame(move || keep_focus(review));
    });
}

fn announcement(review: Review) -> String {
    let is_whole = review.is_order_whole();
    let place = review.position();
    review.item.with(|item| {
        item.as_ref()
            .zip(place)
            .map_or_else(String::new, |(item, place)| sentence(item, place, is_whole))
    })
}

/// Such as “Page 38 of 412: /pricing on iPhone 13, 2 regions”.
fn sentence(item: &ReviewItem, (at, length): (usize, usize), is_whole: bool) -> String {
    let grouped = |number: usize| format::grouped(number as u64);
    let beyond = if is_whole { "" } else { "more than " };
    let found = match item.outcome {
        Outcome::Regression => format::counted(item.regions.len() as u64, "region"),
        other => labels::outcome(other).word.to_lowercase(),
    };
    let decided = match triage_of(item) {
        TriageStatus::Pending => "",
        TriageStatus::Approved => ", approved",
        TriageStatus::Rejected => ", rejected",
    };
    format!(
        "Page {} of {beyond}{}: {} on {}, {found}{decided}",
        grouped(at),
        grouped(length),
        format::short(&item.label),
        item.result.variant_name,
    )
}

/// Gives the page's heading the focus when what had it is gone. Keys do the same there as without any focus: it is no
/// control, and nothing that scrolls.
fn keep_focus(review: Review) {
    // The review page may be gone by now.
    let Some(heading) = review.heading.try_get_untracked().flatten() else {
        return;
    };
    let heading: HtmlElement = heading.unchecked_into();
    let document = document();
    let is_in_dialog = (document.query_selector("dialog[open]")).is_ok_and(|open| open.is_some());
    if !is_in_dialog
        && document
            .active_element()
            .is_none_or(|element| is_lost(&element))
    {
        // What cannot take the focus now is no worse than before.
        let _ = heading.focus();
    }
}

/// Whether the focus is nowhere, or on what is about to lose it.
fn is_lost(element: &web_sys::Element) -> bool {
    let is_hidden = element
        .dyn_ref::<HtmlElement>()
        .is_some_and(|element| element.offset_parent().is_none());
    element.matches("body, :disabled").unwrap_or(false) || is_hidden
}
