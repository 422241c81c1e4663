//! The note that goes with a rejection.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::review::decide;
use crate::review::queue::triage_of;
use crate::review::state::Review;

/// The interface's limit for a note, in characters.
pub(crate) const MAX_NOTE: u32 = 2000;

/// A note to go with a rejection; Enter sends, Escape gives up. What is typed stays with the page until it is sent.
///
/// What somebody else decides while it is open is said at once, and nothing is sent before that could be read.
#[component]
pub(super) fn NoteForm(review: Review) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    browser::focus_when_there(field);
    let id = review.id.get_untracked();
    let draft = id
        .and_then(|id| {
            review
                .note_drafts
                .with_value(|drafts| drafts.get(&id).cloned())
        })
        .unwrap_or_default();
    let standing = move || {
        review
            .item
            .with(|item| item.as_ref().map(|item| standing(item)))
    };
    let seen = StoredValue::new(untrack(standing));
    let warning = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        let stands = standing();
        let is_news = stands != seen.get_value();
        warning.set(stands.filter(|_| is_news).map(told));
    });
    let send = move || {
        let stands = untrack(standing);
        if stands != seen.get_value() {
            return seen.set_value(stands);
        }
        let note = field
            .get_untracked()
            .map(|field| field.value().trim().to_owned());
        if let Some(id) = id {
            review
                .note_drafts
                .update_value(|drafts| drop(drafts.remove(&id)));
        }
        decide::reject(review, note.filter(|note| !note.is_empty()));
    };
    let keep = move |event| {
        if let Some(id) = id {
            let typed = event_target_value(&event);
            review
                .note_drafts
                .update_value(|drafts| drop(drafts.insert(id, typed)));
        }
    };
    let give_up = move || review.note_open.set(false);
    view! {
        <form
            class="note-form"
            on:submit=move |event| {
                event.prevent_default();
                send();
            }
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    give_up();
                }
            }
        >
            <p class="note-warning" role="alert" data-testid="note-warning">{warning}</p>
            <label class="visually-hidden" for="note">"Why it is rejected"</label>
            <input
                id="note"
                class="field"
                type="text"
                maxlength=MAX_NOTE
                placeholder="Why? (optional, Enter sends)"
                autocomplete="off"
                data-testid="note"
                value=draft
                on:input=keep
                node_ref=field
            />
            <button type="button" class="button" on:click=move |_| give_up()>"Cancel"</button>
            <button type="submit" class="button button-reject" data-testid="reject-send">
                <Icon glyph=Glyph::Cross />
                "Reject"
            </button>
        </form>
    }
}

/// How a page is decided, and by whom.
fn standing(item: &ReviewItem) -> (TriageStatus, Option<String>) {
    (triage_of(item), item.result.triaged_by.clone())
}

/// What somebody else made of the page meanwhile.
fn told((triage, by): (TriageStatus, Option<String>)) -> String {
    let by = by.unwrap_or_else(|| "Somebody".to_owned());
    let what = match triage {
        TriageStatus::Approved => format!("{by} approved this page meanwhile."),
        TriageStatus::Rejected => format!("{by} rejected this page meanwhile."),
        TriageStatus::Pending => "The decision on this page was taken back meanwhile.".to_owned(),
    };
    format!("{what} To reject it all the same, send it once more after this.")
}
