//! How the pages of a job came out: a bar in proportion, and the counts in words.

use leptos::prelude::*;
use pentimento_api::job::{JobOverview, OutcomeCounts};
use pentimento_api::review::Outcome;

use crate::components::icon::Icon;
use crate::format;
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
                let count = count_of(counts.get(), outcome);
                let ending = if outcome == Outcome::Error && count != 1 {
                    "s"
                } else {
                    ""
                };
                view! {
                    <span class=format!("count {}", label.class)>
                        <Icon glyph=label.glyph />
                        {format::grouped(count)}
                        " "
                        <span class="count-word">{label.word.to_lowercase()}{ending}</span>
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

/// What people decided about a job's changed pages, in words; nothing where none changed.
pub(crate) fn triage_text(job: &JobOverview) -> Option<String> {
    let triage = job.triage;
    if job.counts.regression == 0 {
        return None;
    }
    let decided = [
        (triage.approved, "approved"),
        (triage.rejected, "rejected"),
        (triage.pending, "undecided"),
    ];
    let words: Vec<String> = decided
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", format::grouped(count)))
        .collect();
    Some(words.join(", "))
}
