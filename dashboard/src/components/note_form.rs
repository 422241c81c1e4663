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

/// A note to go with a rejection; Enter sends, Escape gives up. What is typed stays with the page until it is sent; the note of a
/// page that is rejected already is there to be changed.
///
/// What somebody else decides while it is open is said at once, and nothing is sent before that could be read.
#[component]
pub(super) fn NoteForm(review: Review) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    browser::focus_when_there(field);
    let id = review.id.get_untracked();
    let stored = move || {
        (review.item).with_untracked(|item| item.as_ref().and_then(|item| stored_note(item)))
    };
    let began = StoredValue::new(stored().unwrap_or_default());
    let draft = id
        .and_then(|id| {
            review
                .note_drafts
                .with_value(|drafts| drafts.get(&id).cloned())
        })
        .unwrap_or_else(|| began.get_value());
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
        let note = field.get_untracked().and_then(|field| {
            began.with_value(|began| to_send(field.value().trim(), began, stored().as_deref()))
        });
        if let Some(id) = id {
            review
                .note_drafts
                .update_value(|drafts| drop(drafts.remove(&id)));
        }
        decide::reject(review, note);
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
                    event.prevent_default();
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

/// The note of a page that is rejected, on the one line that the field has; nothing of a page that is not.
fn stored_note(item: &ReviewItem) -> Option<String> {
    let note = item.result.triage_note.as_deref().unwrap_or_default();
    (triage_of(item) == TriageStatus::Rejected).then(|| on_one_line(note))
}

fn on_one_line(note: &str) -> String {
    let lines = note.split(['\r', '\n']).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// What is sent of what was typed, where the field began with a note, and the page, if it is rejected, has one by now: nothing
/// where that stays, and an empty one to take it away.
fn to_send(typed: &str, began: &str, stored: Option<&str>) -> Option<String> {
    let stays = match stored {
        Some(stored) => typed == stored || typed == began,
        None => typed.is_empty(),
    };
    (!stays).then(|| typed.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_sent_where_it_changes_something() {
        for (typed, began, stored, sent) in [
            // Undecided, or approved.
            ("", "", None, None),
            ("wrong red", "", None, Some("wrong red")),
            // Rejected already.
            ("wrong red", "wrong red", Some("wrong red"), None),
            ("too dark", "wrong red", Some("wrong red"), Some("too dark")),
            ("", "wrong red", Some("wrong red"), Some("")),
            // A draft that says the same.
            ("wrong red", "", Some("wrong red"), None),
            // Rejected by somebody else meanwhile, or for another reason: what was not touched takes nothing away.
            ("", "", Some("wrong font"), None),
            ("wrong red", "wrong red", Some("wrong font"), None),
            // Taken back meanwhile.
            ("wrong red", "wrong red", None, Some("wrong red")),
        ] {
            assert_eq!(
                to_send(typed, began, stored).as_deref(),
                sent,
                "{typed} {stored:?}"
            );
        }
    }

    #[test]
    fn a_note_of_several_lines_fits_the_field() {
        assert_eq!(
            on_one_line(" wrong red\r\n\n too dark "),
            "wrong red too dark"
        );
        assert_eq!(on_one_line(""), "");
    }
}
