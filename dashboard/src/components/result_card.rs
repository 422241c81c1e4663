//! One result in a job's grid.

use leptos::prelude::*;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultItem};

use crate::components::agreement::flakes;
use crate::components::badge::Badge;
use crate::components::icon::Icon;
use crate::format;
use crate::labels;
use crate::list_filter::ListFilter;
use crate::review::address;

/// A result as a thumbnail with its outcome; all of it leads to the review page, which goes through what is listed.
#[component]
pub(crate) fn ResultCard(item: ResultItem, filter: Memo<ListFilter>) -> impl IntoView {
    let outcome = labels::outcome(item.outcome);
    let result = item.result;
    let triage = result.triage_status.unwrap_or(TriageStatus::Pending);
    let flakes = flakes(&result);
    let note = result.agreement_note.clone();
    let unstable = (result.unstable == Some(true)).then(|| note.unwrap_or_default());
    let id = result.result_id;
    let href = move || filter.with(|filter| address::of(id, filter));
    let path = format::path_of(&result.url);
    let is_labelled = item.label != path;
    let picture = match (item.thumbnail_url, result.error_message) {
        (Some(url), _) => {
            view! { <img class="thumb" src=url alt="" loading="lazy" decoding="async" /> }
                .into_any()
        }
        (None, Some(message)) => view! { <span class="thumb-text">{message}</span> }.into_any(),
        (None, None) => {
            view! { <span class="thumb-text"><Icon glyph=outcome.glyph /></span> }.into_any()
        }
    };
    view! {
        <li
            class="result-card"
            data-testid="result-card"
            data-url=result.url.clone()
            data-variant=result.variant_name.clone()
            data-outcome=item.outcome.as_str()
            data-triage=triage.as_str()
        >
            <span class="thumb-box">{picture}</span>
            <a class="result-link" href=href title=item.label.clone()>
                {item.label.clone()}
            </a>
            {is_labelled.then(|| view! { <span class="result-path" title=path.clone()>{path.clone()}</span> })}
            <span class="result-variant" title=result.variant_name.clone()>{result.variant_name.clone()}</span>
            <span class="result-labels">
                <Badge label=outcome />
                {unstable.map(|note| view! { <span class="badge-place" title=note data-testid="unstable"><Badge label=labels::unstable() /></span> })}
                {(item.outcome == Outcome::Regression)
                    .then(|| result.diff_percentage.map(|diff| view! {
                        <span class="result-diff">{format::percent(diff)}</span>
                    }))}
                {(triage != TriageStatus::Pending).then(|| view! { <Badge label=labels::triage(triage) /> })}
            </span>
            {flakes.map(|flakes| view! { <span class="result-flakes">{flakes}</span> })}
        </li>
    }
}
