//! A part of the queue: the pages that show one change, below what it is.

use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use pentimento_api::review::Outcome;

use super::list::{List, element_of};
use crate::components::badge::Badge;
use crate::components::sentence::Sentence;
use crate::format;
use crate::labels;
use crate::review::queue::Entry;
use crate::review::rows::Heading;
use crate::review::state::use_review;

/// The rows of a section that are near what is in view, and its heading above them.
#[component]
pub(super) fn Part(list: List, index: usize) -> impl IntoView {
    let told = Memo::new(move |_| {
        list.listing.with(|listing| {
            let section = listing.sections.get(index)?;
            Some((section.heading.clone()?, section.rows.len(), section.left))
        })
    });
    let rows = move || {
        let near = list.near.get();
        list.listing
            .with(|listing| listing.part(index, &near).to_vec())
    };
    let name = format!("queue-cause-{index}");
    let named_by = name.clone();
    let named_by = move || told.with(Option::is_some).then(|| named_by.clone());
    view! {
        <section class="queue-part">
            {move || told.get().map(|(heading, pages, left)| cause(name.clone(), heading, pages, left))}
            <ol role="list" aria-labelledby=named_by>
                <For
                    each=rows
                    key=face
                    children=move |entry: Entry| view! { <Row list entry /> }
                />
            </ol>
        </section>
    }
}

/// What a row is drawn anew for: all that it says of its page, but for what was decided, which it follows by itself.
fn face(entry: &Entry) -> (ResultId, Option<Face>) {
    let face = entry.page.as_ref().map(|page| Face {
        label: page.label.clone(),
        outcome: page.outcome,
        changed: page.changed.clone(),
        has_picture: page.thumbnail_url.is_some(),
    });
    (entry.id, face)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Face {
    label: String,
    outcome: Outcome,
    changed: Option<String>,
    has_picture: bool,
}

/// What changed on the pages of a section, how it is judged, and what is left of them.
fn cause(name: String, heading: Heading, pages: usize, left: usize) -> impl IntoView {
    let Heading {
        text,
        more,
        decision,
    } = heading;
    let title = text.clone();
    let others = (more > 0).then(|| {
        let others = format::counted(more as u64, "other change");
        view! { <span class="help">" and "{others}</span> }
    });
    let of = |count: usize| format::grouped(count as u64);
    let figures = format!("{} of {} left", of(left), of(pages));
    // What was decided takes the place of what was to be decided.
    let badge = decision.filter(|_| left > 0);
    view! {
        <div class="queue-cause" data-testid="queue-cause">
            <h3 id=name title=title><Sentence text />{others}</h3>
            <p class="queue-figures">
                <span>{figures}</span>
                {badge.map(|decision| view! { <Badge label=labels::decision(decision) /> })}
            </p>
        </div>
    }
}

/// A page: a link to its review, which says what was decided.
#[component]
fn Row(list: List, entry: Entry) -> impl IntoView {
    let review = use_review();
    let Entry {
        id, triage, page, ..
    } = entry;
    let standing = Memo::new(move |_| list.listing.with(|listing| listing.standing_of(id)));
    let triage = move || standing.get().map_or(triage, |standing| standing.triage);
    // Nobody decides about what did not change.
    let outcome = (page.as_ref()).map_or(Outcome::Regression, |page| page.outcome);
    let mark = Signal::derive(move || match outcome {
        Outcome::Regression => labels::triage(triage()),
        other => labels::outcome(other),
    });
    let place = move || standing.get().map(|standing| standing.place.to_string());
    let of = move || standing.get().map(|standing| standing.of.to_string());
    let is_current = move || review.id.get() == Some(id);
    let page = page.as_deref();
    let label = page.map_or_else(String::new, |page| page.label.clone());
    let variant = page.map_or_else(String::new, |page| page.variant.clone());
    let title = page.map(|page| format!("{} · {}", page.path, page.variant));
    let changed = page.and_then(|page| page.changed.clone());
    let picture = page
        .and_then(|page| page.thumbnail_url.clone())
        .map(|url| view! { <img src=url alt="" loading="lazy" decoding="async" /> });
    let choose = move |event: web_sys::MouseEvent| {
        // What is opened elsewhere leaves everything here as it is.
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            review.column.open.set(false);
        }
    };
    view! {
        <li class="queue-item" aria-posinset=place aria-setsize=of>
            <a
                id=element_of(id)
                class="queue-row"
                href=move || {
                    review.raw.track();
                    review.sorting.track();
                    review.filter.track();
                    review.address.run(id)
                }
                title=title
                tabindex=move || if list.stop.get() == Some(id) { "0" } else { "-1" }
                aria-current=move || is_current().then_some("page")
                data-testid="queue-row"
                data-triage=move || (outcome == Outcome::Regression).then(|| triage().as_str())
                on:focus=move |_| list.focused.set(Some(id))
                on:click=choose
            >
                <span class="queue-picture" aria-hidden="true">{picture}</span>
                <span class="queue-words">
                    <span class="queue-label">{label}</span>
                    <span class="queue-variant">{variant}</span>
                    <span class="queue-state">
                        <Badge label=mark />
                        {changed.map(|changed| view! { <span class="queue-changed">{changed}</span> })}
                    </span>
                </span>
            </a>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentimento_api::result::TriageStatus;

    use super::*;
    use crate::review::queue::Page;

    #[test]
    fn a_row_is_drawn_anew_for_what_it_says_of_its_page() {
        let page = Page {
            label: "/one".to_owned(),
            path: "/one".to_owned(),
            variant: "Desktop Chrome".to_owned(),
            outcome: Outcome::Pending,
            changed: None,
            thumbnail_url: None,
        };
        let entry = |triage, page: Option<Page>| Entry {
            id: "00000000-0000-0000-0000-000000000001".parse().unwrap(),
            triage,
            group: None,
            page: page.map(Arc::new),
        };
        let first = face(&entry(TriageStatus::Pending, Some(page.clone())));
        let decided = entry(TriageStatus::Approved, Some(page.clone()));
        assert_eq!(face(&decided), first);
        for other in [
            None,
            Some(Page {
                label: "Start".to_owned(),
                ..page.clone()
            }),
            Some(Page {
                outcome: Outcome::Regression,
                ..page.clone()
            }),
            Some(Page {
                changed: Some("2 %".to_owned()),
                ..page.clone()
            }),
            Some(Page {
                thumbnail_url: Some("/picture".to_owned()),
                ..page.clone()
            }),
        ] {
            let told = format!("{other:?}");
            assert_ne!(face(&entry(TriageStatus::Pending, other)), first, "{told}");
        }
    }
}
