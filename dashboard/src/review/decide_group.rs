//! Deciding at once on the pages that show the same change, and taking that back: one request, shown before it is sent.

use std::collections::HashSet;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::{ApproveFilter, ApproveRequest, SeenTriage, TriageAction};
use pentimento_api::ids::ResultId;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;

use crate::client::ClientError;
use crate::decisions::Moment;
use crate::format;
use crate::list_filter::ListFilter;
use crate::review::decide::decided_item;
use crate::review::decided::{Decided, GroupDecision};
use crate::review::follow;
use crate::review::group::Moved;
use crate::review::queue;
use crate::review::resend;
use crate::review::send;
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// Decides on the pages that the dialog shows, without those that were left out, and goes on.
pub(crate) fn decide(review: Review, action: TriageAction, note: Option<String>) {
    let asking = review.asking;
    let chosen = untrack(|| asking.chosen());
    let Some(Ok(members)) = asking.members.get_untracked() else {
        return;
    };
    if chosen.is_empty() {
        return;
    }
    asking.open.set(false);
    let left_out = asking.left_out.get_untracked();
    // Who leaves out the page that is looked at means to decide on it by itself.
    let goes_on = review
        .id
        .get_untracked()
        .is_some_and(|id| chosen.contains(&id));
    let decision = GroupDecision {
        by: untrack(|| review.shared.reader()),
        job: members.item.job_id,
        mode: members.item.comparison_mode,
        label: members.label,
        from: members.item.result.result_id,
        after: action.leads_to(),
        note,
        except: members.settled.into_iter().chain(left_out).collect(),
        urls: (members.open.into_iter())
            .map(|page| (page.result.result_id, page.result.url))
            .collect(),
        chosen,
    };
    show(review, &decision, decision.after);
    (review.shared.undoable).push(Decided::Group(decision.clone()));
    send(review, decision, action);
    if goes_on {
        steps::advance(review);
    }
}

/// Takes a decision on a group back: those of its pages that nobody else has decided since are undecided again.
pub(crate) fn undo(review: Review, decision: GroupDecision) {
    show(review, &decision, TriageStatus::Pending);
    review.go.run(decision.from);
    send(review, decision, TriageAction::Withdraw);
}

fn send(review: Review, decision: GroupDecision, action: TriageAction) {
    let shared = review.shared;
    // What somebody else decided since is left alone.
    let seen = match action {
        TriageAction::Approve | TriageAction::Reject => SeenTriage {
            triage_status: TriageStatus::Pending,
            triaged_by: None,
        },
        TriageAction::Withdraw => SeenTriage {
            triage_status: decision.after,
            triaged_by: shared.own_name(),
        },
    };
    let request = ApproveRequest {
        job_id: decision.job,
        filter: Some(ApproveFilter {
            decision: None,
            change_group: Some(decision.label.clone()),
            except: decision.except.clone(),
        }),
        url: None,
        variant_name: None,
        action: Some(action),
        note: (decision.note.clone()).filter(|_| action != TriageAction::Withdraw),
        seen: Some(seen),
    };
    // The review may be left before the answer is there.
    let address = review.address.run(decision.from);
    shared.decisions.note_begun(&decision.chosen);
    shared.orders.with_value(|orders| {
        orders.add(async move {
            let is_anothers = || shared.is_taken_from(decision.by.as_ref());
            if is_anothers() {
                shared.decisions.note_arrived(&decision.chosen);
                show_before(review, &decision, action);
                let text = unsent(&decision, request.note.as_deref());
                return shared.toast(Tone::Failed, text, Some((address, "Show it")));
            }
            let answer = resend::post(&request, is_anothers).await;
            shared.decisions.note_arrived(&decision.chosen);
            let answered = shared.decisions.now();
            let mut unknown_since = None;
            if let Err(error) = &answer
                && error.is_refusal()
            {
                roll_back(review, &decision, action, error);
            }
            // Others may have decided on some of them meanwhile, or the answer alone may have been lost.
            let is_fresh = refresh(review, &decision).await.is_ok();
            let stand = standing(review, &decision, action).filter(|_| is_fresh);
            match answer {
                Ok(_) => {
                    // The review may be gone by now.
                    review.asking.moved.try_update(Moved::clear);
                    // Sent once more, the service counts only what was left; the screen counts all.
                    shared.toast(Tone::Done, done_text(&decision, action, stand), None);
                }
                Err(error) => {
                    shared.note_error(&error);
                    let is_refused = error.is_refusal();
                    // What is being decided anew shows what comes next, and the others are told of when that has arrived.
                    let seems_undone = seems_undone(action, is_fresh, stand);
                    if !is_refused && seems_undone && !is_decided_anew(review, &decision) {
                        roll_back(review, &decision, action, &error);
                        unknown_since = Some(answered);
                    }
                    let all = format::counted(decision.chosen.len() as u64, "page");
                    let text = match stand {
                        _ if is_refused => format!("None of {all} with the same change was changed."),
                        Some(stand) => format!(
                            "No answer came. Of {all} with the same change {} stand as you wished.",
                            format::grouped(stand as u64)
                        ),
                        None => format!("No answer came: {all} with the same change may have been changed, or not."),
                    };
                    let link = Some((address, "Show it"));
                    let note = match stand {
                        Some(stand) if stand > 0 && !is_refused => String::new(),
                        _ => send::unsent_note(request.note.as_deref()),
                    };
                    let moved = match action {
                        TriageAction::Withdraw => moved_text(&decision, &error),
                        TriageAction::Approve | TriageAction::Reject => {
                            note_moved(review, &decision, &error)
                        },
                    };
                    shared.toast(Tone::Failed, format!("{text} {error}{moved}{note}"), link);
                }
            }
            if !is_fresh {
                spawn_local(refresh_late(review, decision, action, unknown_since));
            }
        });
    });
}

/// Tells which pages stand in the way since their baselines have moved, and leaves them out of the next question.
fn note_moved(review: Review, decision: &GroupDecision, error: &ClientError) -> String {
    if error.moved().is_empty() {
        return String::new();
    }
    let note = |moved: &mut Moved| moved.note(decision.job, error.moved());
    review.asking.moved.try_update(note);
    format!(
        "{} Ask again (G): pages that may have moved are left out.",
        error.moved_text()
    )
}

/// Tells which pages stand in the way of an undo since their baselines have moved.
fn moved_text(decision: &GroupDecision, error: &ClientError) -> String {
    let others = match decision.without(error.moved()) {
        Some(_) => " Undo again (U): they are left out.",
        None => "",
    };
    format!("{}{others}", error.moved_text())
}

/// What is said of a decision that was not sent since it would have been somebody else's.
fn unsent(decision: &GroupDecision, note: Option<&str>) -> String {
    let all = format::counted(decision.chosen.len() as u64, "page");
    let note = send::unsent_note(note);
    format!(
        "The decision on {all} with the same change was not sent: another key has signed in.{note}"
    )
}

/// Has undo know that a decision did not come about, and shows the pages as they were.
fn roll_back(review: Review, decision: &GroupDecision, action: TriageAction, error: &ClientError) {
    if action != TriageAction::Withdraw {
        forget(review, decision);
    } else if !review.shared.is_taken_from(decision.by.as_ref())
        && let Some(rest) = decision.left_to_undo(error)
    {
        review.shared.undoable.push(Decided::Group(rest));
    }
    show_before(review, decision, action);
}

/// Shows the pages as they were before a decision that did not come about.
fn show_before(review: Review, decision: &GroupDecision, action: TriageAction) {
    let before = match action {
        TriageAction::Withdraw => decision.after,
        TriageAction::Approve | TriageAction::Reject => TriageStatus::Pending,
    };
    // The review page may be gone by now, and with it what would be shown.
    if !review.items.is_disposed() {
        review.done_open.set(false);
        show(review, decision, before);
    }
}

/// Whether a decision whose answer was lost passes for one that did not come about: none of its pages stand as it wants them, or
/// that could not be read. Where the review was left nobody sees how they stand, and whatever may have come about can be undone.
fn seems_undone(action: TriageAction, is_fresh: bool, stand: Option<usize>) -> bool {
    let is_gone = is_fresh && stand.is_none();
    if is_gone {
        action == TriageAction::Withdraw
    } else {
        stand.unwrap_or(0) == 0
    }
}

/// Reads again and again what has become of the group's pages, until it is told. A decision that was rolled back because nobody
/// knew of it, and that stands after all, or may stand, can be undone again, unless its pages were decided anew since.
async fn refresh_late(
    review: Review,
    decision: GroupDecision,
    action: TriageAction,
    unknown_since: Option<Moment>,
) {
    let is_told = follow::read_until_told(review, async || refresh(review, &decision).await).await;
    let is_overtaken = |since: Moment| {
        let decisions = review.shared.decisions;
        (decision.chosen.iter()).any(|id| decisions.outdate(since, *id))
    };
    // What was rolled back says nothing where nobody told how it stands.
    let stand = (is_told.then(|| standing(review, &decision, action))).flatten();
    let is_anothers = review.shared.is_taken_from(decision.by.as_ref());
    if stand == Some(0) || is_anothers || unknown_since.is_none_or(is_overtaken) {
        return;
    }
    if action != TriageAction::Withdraw {
        review.shared.undoable.push(Decided::Group(decision));
    } else if stand.is_some() {
        forget(review, &decision);
    }
}

/// Takes a decision off those that can be undone.
fn forget(review: Review, decision: &GroupDecision) {
    let is_it = |one: &Decided| matches!(one, Decided::Group(group) if group == decision);
    review.shared.undoable.take(decision.job, is_it);
}

/// Reads what has become of the group's pages, unless the screen shows another job's pages by now, or none.
async fn refresh(review: Review, decision: &GroupDecision) -> Result<(), ClientError> {
    let group = ListFilter {
        group: decision.label.clone(),
        ..ListFilter::default()
    };
    let mut after = None;
    loop {
        let asked = review.shared.decisions.now();
        let read = queue::read(decision.job, &group, after).await;
        if review.items.is_disposed() || review.job.get_untracked() != Some(decision.job) {
            return Ok(());
        }
        let (entries, next) = read?;
        follow::put(review, entries, asked);
        after = next;
        if after.is_none() {
            follow::keep_current(review).await;
            return Ok(());
        }
    }
}

/// How many pages of a decision are as it wants them; nothing where the screen does not tell.
fn standing(review: Review, decision: &GroupDecision, action: TriageAction) -> Option<usize> {
    if review.items.is_disposed() || review.job.get_untracked() != Some(decision.job) {
        return None;
    }
    // Of pages that are being decided anew the screen shows what comes next.
    if is_decided_anew(review, decision) {
        return None;
    }
    let chosen: HashSet<&ResultId> = decision.chosen.iter().collect();
    Some(review.queue.with_untracked(|queue| {
        let wanted = queue
            .iter()
            .filter(|entry| entry.triage == action.leads_to() && chosen.contains(&entry.id));
        wanted.count()
    }))
}

/// Whether another decision on one of a decision's pages is on its way.
fn is_decided_anew(review: Review, decision: &GroupDecision) -> bool {
    let decisions = review.shared.decisions;
    let is_under_way = |id: &ResultId| untrack(|| decisions.is_under_way(*id));
    decision.chosen.iter().any(is_under_way)
}

/// What was done, of which so many pages stand as the decision wants them, where that is known.
fn done_text(decision: &GroupDecision, action: TriageAction, stand: Option<usize>) -> String {
    let all = decision.chosen.len();
    let count = stand.unwrap_or(all);
    let pages = format::counted(count as u64, "page");
    let (they_are, moved, stay, back) = match count {
        1 => (
            "it is",
            "Its capture is the baseline now.",
            "Its baseline stays.",
            "Its former baseline is back.",
        ),
        _ => (
            "they are",
            "Their captures are the baselines now.",
            "Their baselines stay.",
            "Their former baselines are back.",
        ),
    };
    let (said, baselines) = match (action, decision.after) {
        (TriageAction::Approve, _) => (format!("Approved {pages} with the same change."), moved),
        (TriageAction::Reject, _) => (format!("Rejected {pages} with the same change."), stay),
        (TriageAction::Withdraw, TriageStatus::Approved) => (
            format!("Approval of {pages} undone: {they_are} undecided again."),
            back,
        ),
        (TriageAction::Withdraw, _) => (
            format!("Rejection of {pages} undone: {they_are} undecided again."),
            "",
        ),
    };
    let mut sentences = vec![said];
    if decision.mode == ComparisonMode::Managed && count > 0 && !baselines.is_empty() {
        sentences.push(baselines.to_owned());
    }
    if stand.is_none() {
        sentences.push("What somebody else decided meanwhile stays.".to_owned());
    } else if count < all {
        let others = format::counted((all - count) as u64, "other");
        sentences.push(format!("Somebody else decided on {others} meanwhile."));
    }
    sentences.join(" ")
}

/// Shows the pages of a decision as they will be when the service agrees that they are `triage`.
fn show(review: Review, decision: &GroupDecision, triage: TriageStatus) {
    let chosen: HashSet<ResultId> = decision.chosen.iter().copied().collect();
    let note = decision.note.as_ref();
    review.items.update(|items| {
        for (_, item) in items.iter_mut().filter(|(id, _)| chosen.contains(id)) {
            *item = decided_item(review, item, triage, note);
        }
    });
    review.note_triage(|id| chosen.contains(&id).then_some(triage));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_come_about_can_be_undone_when_its_review_was_left() {
        use TriageAction::{Approve, Reject, Withdraw};
        for (action, is_fresh, stand, expected) in [
            (Approve, true, Some(0), true),
            (Approve, true, Some(3), false),
            (Reject, true, None, false),
            (Withdraw, true, None, true),
            (Withdraw, true, Some(2), false),
            // It is read again and again then, and put right.
            (Approve, false, None, true),
        ] {
            assert_eq!(
                seems_undone(action, is_fresh, stand),
                expected,
                "{action:?} {is_fresh} {stand:?}"
            );
        }
    }
}
