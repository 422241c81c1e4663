//! How the pages of a job came out: a bar in proportion, and the counts in words.

use leptos::prelude::*;
use pentimento_api::job::OutcomeCounts;
use pentimento_api::review::Outcome;

use crate::components::icon::Icon;
use crate::labels;

/// The count of one outcome.
pub(crate) fn count_of(counts: OutcomeCounts, outcome: Outcome) -> u64 {
    match outcome {
        Outcome::Regression => counts.regression,
        Outcome::Match => counts.matching,
        Outcome::NewBaseline => counts.new_baseline,
        Outcome::Error => counts.error,
        Outcome::Pending => counts.pending,
    }
}

/// All pages of the job.
pub(crate) fn total_of(counts: OutcomeCounts) -> u64 {
    Outcome::ALL
        .into_iter()
        .map(|outcome| count_of(counts, outcome))
        .sum()
}

/// The bar and its legend; outcomes without pages are left out.
#[component]
pub(crate) fn OutcomeBar(#[prop(into)] counts: Signal<OutcomeCounts>) -> impl IntoView {
    let present = move || {
        Outcome::ALL
            .into_iter()
            .filter(move |outcome| count_of(counts.get(), *outcome) > 0)
    };
    let segments = move || {
        present()
            .map(|outcome| {
                let class = format!("outcome-segment {}", labels::outcome(outcome).class);
                view! { <span class=class style:flex-grow=count_of(counts.get(), outcome).to_string()></span> }
            })
            .collect_view()
    };
    let legend = move || {
        present()
            .map(|outcome| {
                let label = labels::outcome(outcome);
                view! {
                    <span class=format!("count {}", label.class)>
                        <Icon glyph=label.glyph />
                        {count_of(counts.get(), outcome)}
                        " "
                        <span class="count-word">{label.word.to_lowercase()}</span>
                    </span>
                }
            })
            .collect_view()
    };
    view! {
        <span class="outcomes">
            <span class="outcome-track" aria-hidden="true">{segments}</span>
            <span class="outcome-legend">{legend}</span>
        </span>
    }
}
