//! What was read of pages and does not hold any more: that they are not done yet, and what was said of them before the job's end.

use std::collections::HashSet;

use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use pentimento_api::review::{Outcome, ReviewItem};

use crate::review::state::Review;

/// Lets go of what was read of these pages before they were done, and, when the job has ended, of what was read before that: a
/// language model is asked last. The page that is looked at stays; it is returned when it is to be read anew.
pub(super) fn forget(
    review: Review,
    done: &HashSet<ResultId>,
    has_ended: bool,
) -> Option<ResultId> {
    let current = review.id.get_untracked();
    let is_old = |id: &ResultId, item: &ReviewItem| {
        is_outdated(item.outcome, done.contains(id), has_ended)
            && !untrack(|| review.shared.decisions.is_under_way(*id))
    };
    let mut old: HashSet<ResultId> = review.items.with_untracked(|items| {
        let old = items.iter().filter(|(id, item)| is_old(id, item));
        old.map(|(id, _)| *id).collect()
    });
    let is_there = |id: &ResultId| review.items.with_untracked(|items| items.contains_key(id));
    let is_awaited = current.is_some_and(|id| !is_there(&id) && (has_ended || done.contains(&id)));
    let outdated = current.filter(|id| old.remove(id));
    if !old.is_empty() {
        review
            .items
            .update(|items| items.retain(|id, _| !old.contains(id)));
    }
    if is_awaited || has_ended {
        review.anew.notify();
    }
    outdated
}

/// Whether a page that was read with this outcome is another one by now.
fn is_outdated(outcome: Outcome, is_done: bool, has_ended: bool) -> bool {
    has_ended || is_done && outcome == Outcome::Pending
}

/// A page with what a fresh answer says of it. Its pictures, and where what changed lies in them, stay as they are once it is
/// done: links to the same ones may read otherwise.
pub(super) fn renewed(known: &ReviewItem, fresh: &ReviewItem) -> ReviewItem {
    if known.outcome == Outcome::Pending {
        return fresh.clone();
    }
    let mut item = known.clone();
    item.out_of_date = fresh.out_of_date;
    let (result, fresh) = (&mut item.result, &fresh.result);
    result.triage_status = fresh.triage_status;
    result.triaged_at.clone_from(&fresh.triaged_at);
    result.triaged_by.clone_from(&fresh.triaged_by);
    result.triaged_verdict = fresh.triaged_verdict;
    result.triage_note.clone_from(&fresh.triage_note);
    result.verdict.clone_from(&fresh.verdict);
    result.service_summary.clone_from(&fresh.service_summary);
    result
        .regressionbot_summary
        .clone_from(&fresh.regressionbot_summary);
    item
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_api::result::TriageStatus;

    fn item(outcome: &str, link: &str, said: &str, triage: &str) -> ReviewItem {
        serde_json::from_value(serde_json::json!({
            "jobId": "01900000-0000-7000-8000-000000000001", "comparisonMode": "managed", "label": "Home",
            "outcome": outcome, "current": { "url": link, "width": 8, "height": 8 }, "baseline": null, "maskUrl": null,
            "comparedWidth": 8, "comparedHeight": 8, "layout": null, "changedPixels": 1, "antiAliasedPixels": 0,
            "insertedPixels": 0, "removedPixels": 0, "unalignedPixels": null, "unalignedPercentage": null, "regions": [],
            "result": {
                "resultId": "01900000-0000-7000-8000-000000000000", "url": "http://a.example/", "variantName": "mobile",
                "status": "SUCCESS", "isNewBaseline": false, "changed": true, "verdict": null, "currentUrl": null,
                "baselineUrl": null, "diffUrl": null, "triageStatus": triage,
                "serviceSummary": [{ "label": "A", "text": said }],
            },
        }))
        .unwrap()
    }

    #[test]
    fn a_page_that_is_done_keeps_its_pictures_and_one_that_was_not_becomes_what_it_is() {
        let fresh = item("regression", "/blob/later", "The price rose.", "approved");
        let known = item("regression", "/blob/first", "Pixels changed.", "pending");
        let now = renewed(&known, &fresh);
        assert_eq!(now.current, known.current);
        assert_eq!(now.result, fresh.result);
        assert_eq!(now.result.triage_status, Some(TriageStatus::Approved));
        let known = item("pending", "/blob/none", "", "pending");
        assert_eq!(renewed(&known, &fresh), fresh);
    }

    #[test]
    fn what_was_read_too_early_is_what_was_not_done_and_at_the_end_everything() {
        use Outcome::{Pending, Regression};
        for (outcome, is_done, has_ended, is_old) in [
            (Pending, true, false, true),
            (Pending, false, false, false),
            (Regression, true, false, false),
            (Regression, true, true, true),
        ] {
            assert_eq!(
                is_outdated(outcome, is_done, has_ended),
                is_old,
                "{outcome:?}"
            );
        }
    }
}
