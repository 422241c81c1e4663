//! Asking about all pages that show one change: opening the dialog, and reading which they are.

use std::collections::HashSet;
use std::sync::Arc;

use futures::channel::oneshot;
use leptos::prelude::*;
use pentimento_api::ids::JobId;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultList, ResultListQuery, ReviewItem};

use crate::client::{self, ClientError};
use crate::review::group::{Members, Moved};
use crate::review::queue::{BATCH, Entry};
use crate::review::state::Review;
use crate::task::spawn_scoped;

/// Opens the dialog on the undecided pages that show the same change as the one that is looked at.
pub(crate) fn ask(review: Review) {
    let has_several =
        (review.group).with_untracked(|group| group.as_ref().is_some_and(|group| group.open > 1));
    if has_several && untrack(|| review.is_decidable()) {
        ask_anew(review);
    }
}

/// Asks about the page that is looked at, or once more about the same one.
pub(crate) fn ask_anew(review: Review) {
    let asking = review.asking;
    let Some(item) = review.item.get_untracked() else {
        return;
    };
    asking.left_out.set(HashSet::new());
    asking.members.set(None);
    asking.question.update(|question| {
        let number = question.as_ref().map_or(0, |(number, _)| number + 1);
        *question = Some((number, item));
    });
    asking.open.set(true);
}

/// Reads the group of each question, once the decisions before it have arrived. To be called once, by the review page.
pub(crate) fn answer_questions(review: Review) {
    let asking = review.asking;
    Effect::new(move |before: Option<Option<JobId>>| {
        let job = review.job.get();
        if before.is_some_and(|before| before != job) {
            asking.moved.update(Moved::clear);
        }
        job
    });
    Effect::new(move |_| {
        let Some((_, item)) = asking.question.get() else {
            return;
        };
        let (arrived, decisions) = oneshot::channel();
        review.shared.orders.with_value(|orders| {
            orders.add(async move {
                // Nobody waits for it when another question has been asked since.
                let _ = arrived.send(());
            });
        });
        spawn_scoped(async move {
            let _ = decisions.await;
            let members = read(item).await;
            match &members {
                Ok(members) => asking.left_out.set(asking.hindered(members)),
                Err(error) => review.shared.note_error(error),
            }
            asking.members.set(Some(members));
        });
    });
}

async fn read(item: Arc<ReviewItem>) -> Result<Members, ClientError> {
    let label = item.result.change_group.clone().unwrap_or_default();
    let mut query = ResultListQuery {
        limit: Some(BATCH),
        outcome: Some(Outcome::Regression),
        change_group: Some(label.clone()),
        brief: Some(true),
        crops: Some(true),
        ..ResultListQuery::default()
    };
    let mut members = Members {
        label,
        open: Vec::new(),
        settled: Vec::new(),
        item,
    };
    loop {
        let path = format!("/job/{}/results", members.item.job_id);
        let list: ResultList = client::get(&client::with_query(&path, &query)).await?;
        for page in list.results {
            match Entry::from(&page).triage {
                TriageStatus::Pending => members.open.push(page),
                TriageStatus::Approved | TriageStatus::Rejected => {
                    members.settled.push(page.result.result_id);
                }
            }
        }
        if list.next.is_none() {
            return Ok(members);
        }
        query.after = list.next;
    }
}
