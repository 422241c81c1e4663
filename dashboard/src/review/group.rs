//! Deciding at once on all pages that show the same change: who they are, the dialog that asks, the decision, and its undo.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::approve::{
    ApproveAnswer, ApproveFilter, ApproveRequest, SeenTriage, TriageAction,
};
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultItem, ResultList, ResultListQuery, ReviewItem};

use crate::client::{self, ClientError};
use crate::format;
use crate::review::decide::Decided;
use crate::review::follow;
use crate::review::queue::{self, BATCH, Entry};
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;
use crate::task::spawn_scoped;

/// A change, and the pages of the queue that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// What the service calls it: the results' `changeGroup`.
    pub(crate) label: String,
    /// Pages that nobody has decided about.
    pub(crate) open: usize,
    /// All of them.
    pub(crate) all: usize,
}

impl Group {
    /// The group of this name; nothing when fewer than two pages are in it.
    pub(crate) fn of(queue: &[Entry], label: &str) -> Option<Self> {
        let in_group = || members(queue, label);
        let is_open = |entry: &&Entry| entry.triage == TriageStatus::Pending;
        let group = Self {
            label: label.to_owned(),
            open: in_group().filter(is_open).count(),
            all: in_group().count(),
        };
        (group.all > 1).then_some(group)
    }
}

fn members<'q>(queue: &'q [Entry], label: &str) -> impl Iterator<Item = &'q Entry> {
    let is_member = move |entry: &&Entry| entry.group.as_deref() == Some(label);
    queue.iter().filter(is_member)
}

/// The dialog that asks about a group.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    pub(crate) open: RwSignal<bool>,
    /// Its undecided pages; nothing while they are being read.
    pub(crate) pages: RwSignal<Option<Result<Vec<ResultItem>, ClientError>>>,
    /// Those that are not decided with the others.
    pub(crate) left_out: RwSignal<HashSet<ResultId>>,
}

impl Asking {
    pub(crate) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            pages: RwSignal::new(None),
            left_out: RwSignal::new(HashSet::new()),
        }
    }

    /// Pages that would be decided.
    pub(crate) fn chosen(self) -> Vec<ResultId> {
        let ids = self.pages.with(|pages| {
            let pages = pages.iter().flatten().flatten();
            pages.map(|item| item.result.result_id).collect::<Vec<_>>()
        });
        (self.left_out).with(|left_out| {
            ids.into_iter()
                .filter(|id| !left_out.contains(id))
                .collect()
        })
    }
}

/// A decision on a group, for undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupDecision {
    job: JobId,
    mode: ComparisonMode,
    label: String,
    /// The page that was looked at.
    from: ResultId,
    /// What was undecided before, and is decided now.
    chosen: Vec<ResultId>,
    /// All others of the group.
    except: Vec<ResultId>,
    after: TriageStatus,
}

/// Opens the dialog on the undecided pages that show the same change as the one that is looked at.
pub(crate) fn ask(review: Review) {
    let asking = review.asking;
    let group = review.group.get_untracked();
    let (Some(group), Some(job)) = (
        group.filter(|group| group.open > 1),
        review.job.get_untracked(),
    ) else {
        return;
    };
    if !untrack(|| review.is_decidable()) {
        return;
    }
    asking.pages.set(None);
    asking.left_out.set(HashSet::new());
    asking.open.set(true);
    spawn_scoped(async move {
        let pages = read(job, &group.label).await;
        if let Err(error) = &pages {
            review.shared.note_error(error);
        }
        asking.pages.set(Some(pages));
    });
}

/// The undecided changed pages of a group.
async fn read(job: JobId, label: &str) -> Result<Vec<ResultItem>, ClientError> {
    let mut query = ResultListQuery {
        limit: Some(BATCH),
        outcome: Some(Outcome::Regression),
        triage: Some(TriageStatus::Pending),
        change_group: Some(label.to_owned()),
        brief: Some(true),
        ..ResultListQuery::default()
    };
    let mut pages = Vec::new();
    loop {
        let address = client::with_query(&format!("/job/{job}/results"), &query);
        let list: ResultList = client::get(&address).await?;
        pages.extend(list.results);
        if list.next.is_none() {
            return Ok(pages);
        }
        query.after = list.next;
    }
}

/// Decides on the pages that the dialog shows, without those that were left out, and goes on.
pub(crate) fn decide(review: Review, action: TriageAction, note: Option<String>) {
    let chosen = untrack(|| review.asking.chosen());
    let item = review.item.get_untracked();
    let (Some(item), false) = (item, chosen.is_empty()) else {
        return;
    };
    let Some(label) = item.result.change_group.clone() else {
        return;
    };
    review.asking.open.set(false);
    let is_chosen: HashSet<&ResultId> = chosen.iter().collect();
    let known: Vec<ResultId> = review.order.with_untracked(|order| {
        let others = members(order, &label).filter(|entry| !is_chosen.contains(&entry.id));
        others.map(|entry| entry.id).collect()
    });
    let left_out = review.asking.left_out.get_untracked();
    let except = left_out.into_iter().chain(known).collect::<HashSet<_>>();
    let decision = GroupDecision {
        job: item.job_id,
        mode: item.comparison_mode,
        label,
        from: item.result.result_id,
        after: action.leads_to(),
        except: except.into_iter().collect(),
        chosen,
    };
    show(review, &decision, decision.after, note.as_ref());
    review
        .decided
        .update(|decided| decided.push(Decided::Group(decision.clone())));
    send(review, decision, action, note);
    steps::advance(review);
}

/// Takes a decision on a group back: those of its pages that nobody else has decided since are undecided again.
pub(crate) fn undo(review: Review, decision: GroupDecision) {
    show(review, &decision, TriageStatus::Pending, None);
    review.go.run(decision.from);
    send(review, decision, TriageAction::Withdraw, None);
}

fn send(review: Review, decision: GroupDecision, action: TriageAction, note: Option<String>) {
    let shared = review.shared;
    let is_undo = action == TriageAction::Withdraw;
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
        note,
        seen: Some(if is_undo {
            SeenTriage {
                triage_status: decision.after,
                triaged_by: shared.own_name(),
            }
        } else {
            SeenTriage {
                triage_status: TriageStatus::Pending,
                triaged_by: None,
            }
        }),
    };
    shared
        .unsent
        .update(|unsent| unsent.extend(&decision.chosen));
    review.orders.with_value(|orders| {
        orders.add(async move {
            let answer = client::post::<ApproveAnswer>("/approve", &request).await;
            shared.note_sent(&decision.chosen);
            match answer {
                Ok(_) => shared.toast(Tone::Done, done_text(&decision, action), None),
                Err(error) => {
                    roll_back(review, &decision, action);
                    shared.note_error(&error);
                    let count = format::counted(decision.chosen.len() as u64, "page");
                    let href = format!("/app/review/{}", decision.from);
                    let text = format!("None of {count} with the same change was changed. {error}");
                    shared.toast(Tone::Failed, text, Some((href, "Show it")));
                }
            }
            // Others may have decided on some of them meanwhile, or the answer alone may have been lost.
            refresh(review, &decision).await;
        });
    });
}

/// Shows the pages as they were. The review page may be gone by now, and with it what would be rolled back.
fn roll_back(review: Review, decision: &GroupDecision, action: TriageAction) {
    if review.items.is_disposed() {
        return;
    }
    review.done_open.set(false);
    if action == TriageAction::Withdraw {
        show(review, decision, decision.after, None);
        let again = Decided::Group(decision.clone());
        return review.decided.update(|decided| decided.push(again));
    }
    show(review, decision, TriageStatus::Pending, None);
    review.decided.update(|decided| {
        let is_it = |one: &Decided| matches!(one, Decided::Group(group) if group == decision);
        if let Some(at) = decided.iter().rposition(is_it) {
            decided.remove(at);
        }
    });
}

/// Reads what has become of the group's pages. What cannot be read now is told by the job's events, or read when a page is
/// gone to.
async fn refresh(review: Review, decision: &GroupDecision) {
    let mut after = None;
    loop {
        let Ok((entries, next)) = queue::read(decision.job, Some(&decision.label), after).await
        else {
            return;
        };
        if review.items.is_disposed() {
            return;
        }
        follow::put(review, entries);
        if next.is_none() {
            break;
        }
        after = next;
    }
    follow::keep_current(review).await;
}

fn done_text(decision: &GroupDecision, action: TriageAction) -> String {
    let pages = format::counted(decision.chosen.len() as u64, "page");
    let has_baselines = decision.mode == ComparisonMode::Managed;
    let (said, baselines) = match (action, decision.after) {
        (TriageAction::Approve, _) => (
            format!("Approved {pages} with the same change."),
            "Their captures are the baselines now.",
        ),
        (TriageAction::Reject, _) => (
            format!("Rejected {pages} with the same change."),
            "Their baselines stay.",
        ),
        (TriageAction::Withdraw, TriageStatus::Approved) => (
            format!("Approval of {pages} undone: they are undecided again."),
            "Their former baselines are back.",
        ),
        (TriageAction::Withdraw, _) => (
            format!("Rejection of {pages} undone: they are undecided again."),
            "",
        ),
    };
    if has_baselines {
        format!("{said} {baselines}").trim_end().to_owned()
    } else {
        said
    }
}

/// Shows the pages of a decision as they will be when the service agrees.
fn show(review: Review, decision: &GroupDecision, triage: TriageStatus, note: Option<&String>) {
    let chosen: HashSet<ResultId> = decision.chosen.iter().copied().collect();
    let is_decided = triage != TriageStatus::Pending;
    let now: String = js_sys::Date::new_0().to_iso_string().into();
    let by = review.shared.own_name();
    review.items.update(|items| {
        for (_, item) in items.iter_mut().filter(|(id, _)| chosen.contains(id)) {
            let mut shown = ReviewItem::clone(item);
            shown.result.triage_status = Some(triage);
            shown.result.triaged_at = is_decided.then(|| now.clone());
            shown.result.triaged_by = by.clone().filter(|_| is_decided);
            shown.result.triage_note = note.cloned();
            *item = Arc::new(shown);
        }
    });
    review.queue.update(|queue| {
        let shown = queue.iter_mut().filter(|entry| chosen.contains(&entry.id));
        shown.for_each(|entry| entry.triage = triage);
    });
}
