//! The queue beside the canvas: the pages that the review goes through, what was decided about each, and what is left. Where it
//! has no place there, it lies over the canvas when it is asked for.

mod list;
mod part;

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use web_sys::KeyboardEvent;

use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::keys;
use crate::review::column::{Column, FIELD};
use crate::review::progress;
use crate::review::state::{Review, use_review};
use list::List;
use part::Part;

/// The column.
#[component]
pub(crate) fn QueueColumn() -> impl IntoView {
    let review = use_review();
    let column = review.column;
    let list = List::new(review);
    list.watch_height();
    list.keep_in_view(review);
    close_by_escape(column);
    let left = Memo::new(move |_| review.left());
    let summary = move || {
        let length = review.order.with(Vec::len);
        progress::summary(length, review.is_order_whole(), left.get())
    };
    view! {
        <nav class="queue" aria-label="Queue" data-testid="queue">
            <div class="queue-head">
                <div class="queue-title">
                    <h2>"Queue"</h2>
                    <span class="queue-left" data-testid="queue-left">{summary}</span>
                    <button
                        type="button"
                        class="button icon-only queue-close"
                        aria-label="Hide the queue"
                        data-testid="queue-close"
                        on:click=move |_| column.open.set(false)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </div>
                <Search list />
            </div>
            <Rows list />
        </nav>
    }
}

/// The field that narrows the rows, and how many are found.
#[component]
fn Search(list: List) -> impl IntoView {
    let review = use_review();
    let needle = review.column.needle;
    let field = NodeRef::<html::Input>::new();
    let press = move |event: KeyboardEvent| {
        if event.is_composing() {
            return;
        }
        match event.key().as_str() {
            "Escape" => {
                event.prevent_default();
                needle.set(String::new());
                if let Some(field) = field.get_untracked() {
                    // What cannot lose the focus did not have it.
                    let _ = field.blur();
                }
            }
            "Enter" if !needle.with_untracked(String::is_empty) => {
                event.prevent_default();
                if let Some(first) = list.first() {
                    review.go.run(first);
                    review.column.open.set(false);
                    leave_field(review, list, first);
                }
            }
            _ => {}
        }
    };
    let found = move || {
        let is_narrowed = !needle.with(|needle| needle.trim().is_empty());
        is_narrowed.then(|| {
            let all = review.order.with(Vec::len) as u64;
            match list.listing.with(|listing| listing.rows.len()) as u64 {
                0 => "No page is called so.".to_owned(),
                found => format!(
                    "{} of {}",
                    format::grouped(found),
                    format::counted(all, "page")
                ),
            }
        })
    };
    view! {
        <label class="visually-hidden" for=FIELD>"Find in the queue"</label>
        <input
            id=FIELD
            class="field"
            type="search"
            placeholder="Find in this list"
            title="Narrows this list by name, path or variant; the review goes through all of its pages (/)"
            autocomplete="off"
            spellcheck="false"
            aria-keyshortcuts="/"
            data-testid="queue-search"
            prop:value=needle
            on:input=move |event| needle.set(event_target_value(&event))
            on:keydown=press
            node_ref=field
        />
        <p class="queue-found" role="status" data-testid="queue-found">{found}</p>
    }
}

/// Takes the focus from the field to the row of the page that it has led to, or to the page itself where the queue is laid away.
fn leave_field(review: Review, list: List, page: ResultId) {
    if untrack(|| review.column.shows()) {
        list.focus(page);
    } else if let Some(heading) = review.heading.get_untracked() {
        // What cannot take the focus can still be read.
        let _ = heading.focus();
    }
}

/// The rows near what is in view, between the space that all others take.
#[component]
fn Rows(list: List) -> impl IntoView {
    let needle = use_review().column.needle;
    let press = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !needle.with_untracked(String::is_empty) {
            event.prevent_default();
            list.widen(needle);
        } else {
            list.step(&event);
        }
    };
    let sections = Memo::new(move |_| {
        let near = list.near.get();
        list.seen(|listing| listing.sections_of(&near))
            .unwrap_or_default()
    });
    let spaces = Memo::new(move |_| {
        let near = list.near.get();
        list.seen(|listing| listing.spaces(&near))
            .unwrap_or_default()
    });
    view! {
        <div
            class="queue-list"
            data-testid="queue-list"
            node_ref=list.scroller
            on:scroll=move |_| list.note_view()
            on:keydown=press
        >
            <div style:height=move || format!("{}px", spaces.get().0)></div>
            <For each=move || sections.get() key=|index| *index children=move |index: usize| view! { <Part list index /> } />
            <div style:height=move || format!("{}px", spaces.get().1)></div>
        </div>
    }
}

/// Escape closes what lies over the canvas.
fn close_by_escape(column: Column) {
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" && column.open.get_untracked() && !keys::is_taken(&event) {
            event.prevent_default();
            column.open.set(false);
        }
    });
    on_cleanup(move || escape.remove());
}
