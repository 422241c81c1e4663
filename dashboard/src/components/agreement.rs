//! How a page's captures agreed, in words, and the way to those that did not.

use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::agreement::{Disagreement, DisagreementSide};
use pentimento_api::result::PageResult;
use pentimento_api::review::ReviewItem;

use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::review::state::{Review, use_review};

/// The inspector's part on it; nothing where the captures agreed at once, now and before.
#[component]
pub(crate) fn Agreement(item: Arc<ReviewItem>) -> impl IntoView {
    let review = use_review();
    let note = item.result.agreement_note.clone();
    let flakes = flakes(&item.result);
    let has_several = item.disagreements.len() > 1;
    let views: Vec<_> = (item.disagreements.iter().enumerate())
        .map(|(index, apart)| captures(review, index, apart, has_several))
        .collect();
    (note.is_some() || flakes.is_some()).then(|| {
        view! {
            <section class="inspector-part" aria-label="Agreement" data-testid="agreement">
                <h3>"Agreement of captures"</h3>
                {note.map(|note| view! { <p>{note}</p> })}
                {views}
                {flakes.map(|flakes| view! { <p class="help" data-testid="flakes">{flakes}</p> })}
            </section>
        }
    })
}

/// `Flaky in 3 of its last 20 runs`; nothing where it never was, or nothing is known.
pub(crate) fn flakes(result: &PageResult) -> Option<String> {
    let flaky = result.flaky_runs.filter(|flaky| *flaky > 0)?;
    let known = result.known_runs?;
    Some(match known {
        1 => "Flaky in its only run so far".to_owned(),
        _ => format!("Flaky in {flaky} of its last {known} runs"),
    })
}

fn captures(
    review: Review,
    index: usize,
    apart: &Disagreement,
    has_several: bool,
) -> impl IntoView + use<> {
    let place = match apart.side {
        _ if !has_several => "",
        DisagreementSide::Current => " of the test origin",
        DisagreementSide::Baseline => " of the base origin",
    };
    let is_shown = move || review.apart.get() == Some(index);
    let differ = match (apart.changed_pixels, apart.documents_differ) {
        (0, _) => "The pixels of the two that differ least are the same, their documents are not."
            .to_owned(),
        (pixels, _) => format!(
            "The two that differ least do so in {}.",
            format::counted(pixels, "pixel")
        ),
    };
    view! {
        <p class="help">{differ}</p>
        <p>
            <button
                type="button"
                class="button"
                aria-pressed=move || is_shown().to_string()
                data-testid="show-captures"
                on:click=move |_| {
                    let next = (review.apart.get_untracked() != Some(index)).then_some(index);
                    review.show_apart.run(next);
                    review.details_open.set(false);
                }
            >
                <Icon glyph=Glyph::SideBySide />
                {move || if is_shown() {
                    "Back to baseline and current".to_owned()
                } else {
                    format!("Show the captures{place} that differ")
                }}
            </button>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(flaky: Option<u32>, known: Option<u32>) -> Option<String> {
        let mut result: PageResult = serde_json::from_value(serde_json::json!({
            "resultId": "01900000-0000-7000-8000-000000000000", "url": "http://a.example/", "variantName": "mobile",
            "status": "SUCCESS", "isNewBaseline": false, "changed": false, "verdict": null, "currentUrl": null,
            "baselineUrl": null, "diffUrl": null,
        }))
        .unwrap();
        (result.flaky_runs, result.known_runs) = (flaky, known);
        flakes(&result)
    }

    #[test]
    fn flakes_are_told_where_there_are_any() {
        assert_eq!(
            told(Some(3), Some(20)).as_deref(),
            Some("Flaky in 3 of its last 20 runs")
        );
        assert_eq!(
            told(Some(1), Some(1)).as_deref(),
            Some("Flaky in its only run so far")
        );
        assert_eq!(told(Some(0), Some(20)), None);
        assert_eq!(told(None, None), None);
    }
}
