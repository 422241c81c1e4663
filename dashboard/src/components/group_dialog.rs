//! The dialog that decides at once on all pages with the same change: what the change is, which pages, and the decision.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::approve::TriageAction;
use pentimento_api::job::ComparisonMode;
use pentimento_api::review::{ResultItem, ReviewItem};

use crate::browser;
use crate::components::change_pictures::ChangePictures;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::load_more::LoadMore;
use crate::components::note_form::MAX_NOTE;
use crate::components::notice::{Problem, Waiting};
use crate::components::sentence::{Sentence, causes};
use crate::format;
use crate::review::ask;
use crate::review::decide_group;
use crate::review::group::Members;
use crate::review::state::{Review, use_review};

/// Sentences about the change that are shown; the page behind the dialog has them all.
const MAX_SENTENCES: usize = 3;

/// Pages that are listed until the reader asks for more, and then so many more: thousands at once would keep the dialog away.
const BATCH: usize = 200;

/// The dialog behind `G`.
#[component]
pub(crate) fn GroupDialog() -> impl IntoView {
    let review = use_review();
    let asking = review.asking;
    // What a closed dialog holds would only be in the way of whoever looks for a page's name.
    let content = move || {
        if !asking.open.get() {
            return ().into_any();
        }
        match asking.members.get() {
            None => view! { <Reading /> }.into_any(),
            Some(Err(error)) => {
                let retry = Callback::new(move |()| ask::ask_anew(review));
                view! { <Problem error retry /> }.into_any()
            }
            Some(Ok(members)) if members.open.is_empty() => {
                view! { <p>"Every page with this change is decided by now."</p> }.into_any()
            }
            Some(Ok(members)) => view! { <Ask review members /> }.into_any(),
        }
    };
    view! { <Dialog open=asking.open title="The same change on several pages">{content}</Dialog> }
}

/// Stands for the pages while they are read, and has the focus: Enter is for what comes.
#[component]
fn Reading() -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    browser::focus_when_there(node);
    view! { <div tabindex="-1" node_ref=node><Waiting /></div> }
}

#[component]
fn Ask(review: Review, members: Members) -> impl IntoView {
    let asking = review.asking;
    let chosen = Memo::new(move |_| asking.chosen().len());
    let Members { item, open, .. } = members;
    let count = format::counted(open.len() as u64, "undecided page");
    let has_baselines = item.comparison_mode == ComparisonMode::Managed;
    let are_left_out = asking
        .left_out
        .with_untracked(|left_out| !left_out.is_empty());
    let note = NodeRef::<html::Input>::new();
    let decide = move |action: TriageAction| {
        let field = note.get_untracked();
        let note = field.map(|field| field.value().trim().to_owned());
        decide_group::decide(review, action, note.filter(|note| !note.is_empty()));
    };
    // Enter does what the key that opened the dialog began.
    let approve = NodeRef::<html::Button>::new();
    browser::focus_when_there(approve);
    let total = open.len();
    let open = StoredValue::new(open);
    let shown = RwSignal::new(BATCH);
    let pages = move || {
        let shown = shown.get();
        open.with_value(|open| open.iter().take(shown).cloned().collect::<Vec<_>>())
    };
    let rest = move || total.saturating_sub(shown.get());
    view! {
        {sentences(&item)}
        <p>
            <strong>{count}</strong>" show this change and no other; where it lies and how large it is may differ. "
            {has_baselines.then_some("Approving makes their captures the baselines; rejecting leaves the baselines as they are.")}
        </p>
        {are_left_out.then(|| view! { <p class="help">"Pages whose baselines may have moved are left out: with one whose baseline has, none of them could be approved."</p> })}
        <ul class="group-pages" data-testid="group-pages" tabindex="0" aria-label="Pages">
            <For each=pages key=|page| page.result.result_id let:page>{row(review, page)}</For>
        </ul>
        <LoadMore
            more=Signal::derive(move || rest() > 0)
            press=move |()| shown.update(|shown| *shown += BATCH)
            word=Signal::derive(move || format!("Show {} more", format::grouped(rest().min(BATCH) as u64)))
            hook="more-group-pages"
        />
        <label class="visually-hidden" for="group-note">"Note"</label>
        <input
            id="group-note"
            class="field group-note"
            type="text"
            maxlength=MAX_NOTE
            placeholder="Why? (optional)"
            autocomplete="off"
            data-testid="group-note"
            node_ref=note
        />
        <div class="dialog-actions">
            <button type="button" class="button" on:click=move |_| asking.open.set(false)>"Cancel"</button>
            <button
                type="button"
                class="button button-reject"
                data-testid="group-reject"
                disabled=move || chosen.get() == 0
                on:click=move |_| decide(TriageAction::Reject)
            >
                <Icon glyph=Glyph::Cross />
                {move || format!("Reject {}", format::grouped(chosen.get() as u64))}
            </button>
            <button
                type="button"
                class="button button-approve"
                data-testid="group-approve"
                node_ref=approve
                disabled=move || chosen.get() == 0
                on:click=move |_| decide(TriageAction::Approve)
            >
                <Icon glyph=Glyph::Check />
                {move || format!("Approve {}", format::grouped(chosen.get() as u64))}
            </button>
        </div>
    }
}

/// What the change is, in the service's words.
fn sentences(item: &ReviewItem) -> impl IntoView + use<> {
    let causes = causes(&item.result);
    let more = causes.len().saturating_sub(MAX_SENTENCES) as u64;
    let shown: Vec<_> = (causes.into_iter().take(MAX_SENTENCES))
        .map(|text| view! { <li><Sentence text /></li> })
        .collect();
    view! {
        <ul class="group-change">
            {shown}
            {(more > 0).then(|| view! { <li class="help">{format!("and {}", format::counted(more, "other change"))}</li> })}
        </ul>
    }
}

/// One page, and whether it is decided with the others.
fn row(review: Review, page: ResultItem) -> impl IntoView {
    let left_out = review.asking.left_out;
    let result = page.result;
    let id = result.result_id;
    let href = format!("/app/review/{id}");
    let label = page.label;
    view! {
        <li class="group-page">
            <label>
                <input
                    type="checkbox"
                    data-testid="group-page"
                    prop:checked=move || left_out.with(|left_out| !left_out.contains(&id))
                    on:change=move |event| {
                        let is_in = event_target_checked(&event);
                        left_out.update(|left_out| {
                            if is_in {
                                left_out.remove(&id);
                            } else {
                                left_out.insert(id);
                            }
                        });
                    }
                />
                <ChangePictures crops=page.region_crops thumbnail_url=page.thumbnail_url />
                <span class="group-words">
                    <span class="group-label clamped" title=label.clone()>{label.clone()}</span>
                    <span class="help">{result.variant_name}</span>
                </span>
            </label>
            {result.diff_percentage.map(|diff| view! { <span class="help">{format::percent(diff)}</span> })}
            <a href=href target="_blank" rel="noreferrer">"Look"</a>
        </li>
    }
}
