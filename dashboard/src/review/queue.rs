//! The queue of a review: the changed pages of a job, in the job's order.

use std::collections::HashMap;
use std::sync::Arc;

use pentimento_api::events::ResultEvent;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::{PageResult, TriageStatus};
use pentimento_api::review::{Outcome, ResultItem, ResultList, ResultListQuery, ReviewItem};

use crate::client::{self, ClientError};
use crate::format;
use crate::list_filter::ListFilter;

/// Results read at once: the interface's largest page.
pub(crate) const BATCH: u32 = 500;

/// A page in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: ResultId,
    pub(crate) triage: TriageStatus,
    /// What the service calls the change that it shows.
    pub(crate) group: Option<String>,
    /// What is told of it in lists, once that was heard.
    pub(crate) page: Option<Arc<Page>>,
}

/// What is told of a page in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) label: String,
    pub(crate) path: String,
    pub(crate) variant: String,
    pub(crate) outcome: Outcome,
    /// How much of it changed.
    pub(crate) changed: Option<String>,
    pub(crate) thumbnail_url: Option<String>,
}

impl Page {
    fn of(label: &str, outcome: Outcome, result: &PageResult) -> Self {
        let percentage = result
            .diff_percentage
            .filter(|_| outcome == Outcome::Regression);
        Self {
            label: label.to_owned(),
            path: format::path_of(&result.url),
            variant: result.variant_name.clone(),
            outcome,
            changed: percentage.map(format::percent),
            thumbnail_url: None,
        }
    }
}

impl Entry {
    /// Whether somebody is to decide about it: only what changed is decided about.
    pub(crate) fn is_for_decision(&self) -> bool {
        self.page
            .as_ref()
            .is_none_or(|page| page.outcome == Outcome::Regression)
    }

    /// Whether all is known of it that lists tell, its picture too.
    pub(crate) fn is_told(&self) -> bool {
        (self.page.as_ref()).is_some_and(|page| page.thumbnail_url.is_some())
    }

    /// Whether nobody has decided yet.
    pub(crate) fn is_left(&self) -> bool {
        self.triage == TriageStatus::Pending && self.is_for_decision()
    }
}

impl From<&ResultItem> for Entry {
    fn from(item: &ResultItem) -> Self {
        Self {
            id: item.result.result_id,
            triage: item.result.triage_status.unwrap_or(TriageStatus::Pending),
            group: item.result.change_group.clone(),
            page: Some(Arc::new(Page {
                thumbnail_url: item.thumbnail_url.clone(),
                ..Page::of(&item.label, item.outcome, &item.result)
            })),
        }
    }
}

impl From<&ReviewItem> for Entry {
    fn from(item: &ReviewItem) -> Self {
        Self {
            id: item.result.result_id,
            triage: triage_of(item),
            group: item.result.change_group.clone(),
            page: Some(Arc::new(Page::of(&item.label, item.outcome, &item.result))),
        }
    }
}

impl From<ResultEvent> for Entry {
    /// A page that was found changed just now; its name for people is not told.
    fn from(told: ResultEvent) -> Self {
        let path = format::path_of(&told.url);
        Self {
            id: told.result_id,
            triage: TriageStatus::Pending,
            group: told.change_group,
            page: Some(Arc::new(Page {
                label: path.clone(),
                path,
                variant: told.variant_name,
                outcome: told.outcome,
                changed: None,
                thumbnail_url: None,
            })),
        }
    }
}

/// What was decided about a page.
pub(crate) fn triage_of(item: &ReviewItem) -> TriageStatus {
    item.result.triage_status.unwrap_or(TriageStatus::Pending)
}

/// Reads some of the job's listed pages, of changed ones where the list has others too; returns where to read on.
pub(crate) async fn read(
    job: JobId,
    filter: &ListFilter,
    after: Option<String>,
) -> Result<(Vec<Entry>, Option<String>), ClientError> {
    let query = ResultListQuery {
        limit: Some(BATCH),
        after,
        outcome: filter.outcome.or(Some(Outcome::Regression)),
        brief: Some(true),
        ..filter.query()
    };
    let list: ResultList =
        client::get(&client::with_query(&format!("/job/{job}/results"), &query)).await?;
    Ok((list.results.iter().map(Entry::from).collect(), list.next))
}

/// The pages of a list, with what the queue knows of them, which is kept up.
pub(crate) fn listed(queue: &[Entry], list: &[Entry]) -> Vec<Entry> {
    let known: HashMap<ResultId, &Entry> = queue.iter().map(|entry| (entry.id, entry)).collect();
    list.iter()
        .map(|entry| (*known.get(&entry.id).unwrap_or(&entry)).clone())
        .collect()
}

/// Some pages with the one that is looked at, which stands first when it is none of them.
pub(crate) fn with_current(queue: &[Entry], current: Option<Entry>) -> Vec<Entry> {
    let missing = current.filter(|current| queue.iter().all(|entry| entry.id != current.id));
    missing.into_iter().chain(queue.iter().cloned()).collect()
}

/// The undecided page that comes next after `from`, and from the beginning when none does.
pub(crate) fn next_pending(queue: &[Entry], from: ResultId) -> Option<ResultId> {
    let at = queue
        .iter()
        .position(|entry| entry.id == from)
        .map_or(0, |at| at + 1);
    let (before, after) = queue.split_at(at);
    after
        .iter()
        .chain(before)
        .find(|entry| entry.triage == TriageStatus::Pending && entry.id != from)
        .map(|entry| entry.id)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(number: u8) -> ResultId {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
            .parse()
            .unwrap()
    }

    fn entry(number: u8, triage: TriageStatus) -> Entry {
        Entry {
            id: id(number),
            triage,
            group: None,
            page: None,
        }
    }

    #[test]
    fn the_next_undecided_page_wraps_around() {
        use TriageStatus::{Approved, Pending};
        let queue: Vec<_> = [(1, Pending), (2, Approved), (3, Pending)]
            .into_iter()
            .map(|(number, triage)| entry(number, triage))
            .collect();
        assert_eq!(next_pending(&queue, id(1)), Some(id(3)));
        assert_eq!(next_pending(&queue, id(3)), Some(id(1)));
        assert_eq!(next_pending(&queue[..1], id(1)), None);
        assert_eq!(
            listed(&queue, &[entry(4, Pending), entry(2, Pending)]),
            [entry(4, Pending), entry(2, Approved)]
        );
        assert_eq!(with_current(&queue, Some(entry(9, Pending))).len(), 4);
        assert_eq!(with_current(&queue, Some(queue[0].clone())).len(), 3);
    }

    #[test]
    fn a_page_that_only_events_told_of_lacks_what_lists_tell() {
        let told = json!({
            "resultId": id(2), "url": "http://shop.test/two", "variantName": "mobile", "status": "SUCCESS",
            "outcome": "regression",
        });
        let told: ResultEvent = serde_json::from_value(told).unwrap();
        let mut page = Entry::from(told);
        assert!(!page.is_told() && !entry(1, TriageStatus::Pending).is_told());
        page.page = page.page.map(|page| {
            let thumbnail_url = Some("/blob/small".to_owned());
            Arc::new(Page {
                thumbnail_url,
                ..(*page).clone()
            })
        });
        assert!(page.is_told());
    }
}
