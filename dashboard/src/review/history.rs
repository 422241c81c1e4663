//! What became of the page in its project's last runs: read anew with each page, and when a decision on it has been made.

use leptos::prelude::*;
use pentimento_api::history::{HistoryQuery, PageHistory};
use pentimento_api::ids::ResultId;

use crate::client;
use crate::review::queue::triage_of;
use crate::review::state::Review;
use crate::task::spawn_scoped;

/// Reads the history of the page that is looked at.
pub(crate) fn follow(review: Review) {
    let wanted = Memo::new(move |_| {
        let id = review.id.get()?;
        let (project, triage) = review.item.with(|item| {
            let item = item.as_ref()?;
            Some((item.project.clone()?, triage_of(item)))
        })?;
        let is_on_its_way = review.shared.decisions.is_under_way(id);
        Some((id, project, triage, is_on_its_way))
    });
    Effect::new(move |_| {
        let Some((id, project, _, is_on_its_way)) = wanted.get() else {
            return;
        };
        // Once the decision is there, it is told what it did.
        if !is_on_its_way && let Some(path) = address(review, &project) {
            read(review, id, path);
        }
    });
}

fn address(review: Review, project: &str) -> Option<String> {
    let query = review.item.with_untracked(|item| {
        let result = &item.as_ref()?.result;
        Some(HistoryQuery {
            page: result.url.clone(),
            variant_name: result.variant_name.clone(),
            ..HistoryQuery::default()
        })
    })?;
    let path = format!("/project/{}/history", client::encoded(project));
    Some(client::with_query(&path, &query))
}

fn read(review: Review, id: ResultId, path: String) {
    spawn_scoped(async move {
        match client::get::<PageHistory>(&path).await {
            Ok(history) => review.history.set(Some((id, history))),
            // The review is the same without it, and better without one that is no longer true.
            Err(error) => {
                review.history.set(None);
                review.shared.note_error(&error);
            }
        }
    });
}
