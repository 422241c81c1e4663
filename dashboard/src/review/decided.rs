//! The decisions that can be undone, as undo needs them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

use crate::client::ClientError;
use crate::shared::Reader;

/// Jobs whose decisions are kept: those that were decided about last.
const KEPT_JOBS: usize = 3;

/// A decision that was made since the app was opened, for undo.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decided {
    /// On one page.
    Page(PageDecision),
    /// On the pages that show the same change.
    Group(GroupDecision),
}

/// A decision on one page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageDecision {
    /// The page as it was before, without what is shown of it alone.
    pub(super) before: Arc<ReviewItem>,
    /// What it was decided to be.
    pub(super) after: TriageStatus,
}

/// A decision on a group, for undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupDecision {
    /// Who made it.
    pub(super) by: Option<Reader>,
    pub(super) job: JobId,
    pub(super) mode: ComparisonMode,
    pub(super) label: String,
    /// The page that was looked at.
    pub(super) from: ResultId,
    /// What was undecided before, and is decided now.
    pub(super) chosen: Vec<ResultId>,
    /// Addresses of pages, of those at least.
    pub(super) urls: HashMap<ResultId, String>,
    /// All others of the group.
    pub(super) except: Vec<ResultId>,
    pub(super) after: TriageStatus,
    pub(super) note: Option<String>,
}

/// The decisions that can be undone, job by job, the last ones last; copies name the same ones. `App` owns them: whoever
/// comes back to a review finds them.
#[derive(Clone, Copy)]
pub(crate) struct Undoable(RwSignal<Vec<(JobId, Vec<Decided>)>>);

impl Decided {
    fn job(&self) -> JobId {
        match self {
            Self::Page(one) => one.before.job_id,
            Self::Group(one) => one.job,
        }
    }
}

impl PageDecision {
    /// The decision on a page as it was before. Its pictures, regions and findings would take a lot of memory for each decision.
    pub(super) fn on(before: &ReviewItem, after: TriageStatus) -> Self {
        let mut slim = before.clone();
        (slim.current, slim.baseline, slim.mask_url, slim.layout) = (None, None, None, None);
        slim.region_crops = Vec::new();
        slim.regions = Vec::new();
        slim.disagreements = Vec::new();
        let result = &mut slim.result;
        (result.changes, result.elements_changed, result.verdict) = (None, None, None);
        result.service_summary = Vec::new();
        result.regressionbot_summary = Vec::new();
        Self {
            before: Arc::new(slim),
            after,
        }
    }
}

impl GroupDecision {
    /// What is left of it to be undone after that did not come about. What can never be undone does not stand in the way of the
    /// decisions before it.
    pub(super) fn left_to_undo(&self, error: &ClientError) -> Option<Self> {
        match error.moved() {
            [] => (!error.is_for_good()).then(|| self.clone()),
            moved => self.without(moved),
        }
    }

    /// The same without the pages at these addresses; nothing where it has none of them, or no others.
    pub(super) fn without(&self, urls: &[String]) -> Option<Self> {
        let urls: HashSet<&String> = urls.iter().collect();
        let is_out = |id: &ResultId| self.urls.get(id).is_some_and(|url| urls.contains(url));
        let (out, chosen): (Vec<ResultId>, Vec<ResultId>) =
            self.chosen.iter().copied().partition(is_out);
        let first = *chosen.first()?;
        if out.is_empty() {
            return None;
        }
        Some(Self {
            from: if out.contains(&self.from) {
                first
            } else {
                self.from
            },
            except: self.except.iter().copied().chain(out).collect(),
            chosen,
            ..self.clone()
        })
    }
}

impl Undoable {
    pub(crate) fn new() -> Self {
        Self(RwSignal::new(Vec::new()))
    }

    /// Whether there is one about this job.
    pub(crate) fn has(self, job: JobId) -> bool {
        self.0.with(|jobs| jobs.iter().any(|(one, _)| *one == job))
    }

    /// Adds the one that was made last.
    pub(super) fn push(self, decided: Decided) {
        let job = decided.job();
        self.0.update(|jobs| {
            let at = jobs.iter().position(|(one, _)| *one == job);
            let mut last = at.map_or_else(|| (job, Vec::new()), |at| jobs.remove(at));
            last.1.push(decided);
            jobs.push(last);
            let surplus = jobs.len().saturating_sub(KEPT_JOBS);
            jobs.drain(..surplus);
        });
    }

    /// Takes the last one about a job off, if there is any.
    pub(super) fn pop(self, job: JobId) -> Option<Decided> {
        self.take(job, |_| true)
    }

    /// Takes off the last one about a job of which this is true.
    pub(super) fn take(self, job: JobId, is_it: impl Fn(&Decided) -> bool) -> Option<Decided> {
        let take = |jobs: &mut Vec<(JobId, Vec<Decided>)>| {
            let place = jobs.iter().position(|(one, _)| *one == job)?;
            let decided = &mut jobs[place].1;
            let at = decided.iter().rposition(is_it)?;
            let taken = decided.remove(at);
            if decided.is_empty() {
                jobs.remove(place);
            }
            Some(taken)
        };
        self.0.try_update(take).flatten()
    }

    /// Forgets all of them.
    pub(crate) fn clear(self) {
        self.0.set(Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use pentimento_api::error::{ErrorBody, ErrorCode};
    use serde_json::json;

    use super::*;

    fn id(number: u8) -> ResultId {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
            .parse()
            .unwrap()
    }

    fn job(number: u8) -> JobId {
        format!("00000000-0000-0000-0001-0000000000{number:02}")
            .parse()
            .unwrap()
    }

    fn decision(of: u8, pages: &[u8]) -> GroupDecision {
        let chosen: Vec<ResultId> = pages.iter().map(|page| id(*page)).collect();
        GroupDecision {
            by: None,
            job: job(of),
            mode: ComparisonMode::Managed,
            label: "text-edit".to_owned(),
            from: chosen[0],
            urls: (pages.iter())
                .map(|page| (id(*page), format!("http://shop.test/{page}")))
                .collect(),
            chosen,
            except: vec![id(99)],
            after: TriageStatus::Approved,
            note: None,
        }
    }

    fn pages_of(decided: Option<Decided>) -> Vec<ResultId> {
        match decided {
            Some(Decided::Group(group)) => group.chosen,
            Some(Decided::Page(_)) | None => Vec::new(),
        }
    }

    #[test]
    fn a_page_is_kept_as_it_was_decided_without_what_is_shown_of_it() {
        let picture = json!({ "url": "/blob/one", "width": 8, "height": 8 });
        let page: ReviewItem = serde_json::from_value(json!({
            "jobId": job(1), "comparisonMode": "managed", "label": "Home", "outcome": "regression", "current": picture,
            "baseline": picture, "maskUrl": "/blob/mask", "regionCrops": [{ "label": "A" }], "comparedWidth": 8,
            "comparedHeight": 8, "layout": null, "changedPixels": 1, "antiAliasedPixels": 0, "insertedPixels": 0,
            "removedPixels": 0, "unalignedPixels": null, "unalignedPercentage": null, "regions": [],
            "result": {
                "resultId": id(1), "url": "http://shop.test/", "variantName": "mobile", "status": "SUCCESS",
                "isNewBaseline": false, "changed": true, "verdict": null, "currentUrl": null, "baselineUrl": null,
                "diffUrl": null, "elementsChanged": ["h1"], "serviceSummary": [{ "label": "A", "text": "The price rose." }],
                "triageStatus": "rejected", "triagedBy": "ana", "triageNote": "wrong red",
            },
        }))
        .unwrap();
        let kept = PageDecision::on(&page, TriageStatus::Approved);
        let mut expected = page.clone();
        (expected.current, expected.baseline, expected.mask_url) = (None, None, None);
        expected.region_crops.clear();
        expected.result.elements_changed = None;
        expected.result.service_summary.clear();
        assert_eq!(*kept.before, expected);
        assert_eq!(kept.before.result.triage_note.as_deref(), Some("wrong red"));
    }

    #[test]
    fn a_job_has_its_own_decisions_and_those_of_the_last_jobs_are_kept() {
        let owner = Owner::new();
        owner.set();
        let undoable = Undoable::new();
        for (of, page) in [(1, 11), (2, 21), (1, 12), (3, 31), (4, 41)] {
            undoable.push(Decided::Group(decision(of, &[page])));
        }
        let has = |of| untrack(|| undoable.has(job(of)));
        assert!(has(1) && !has(2) && has(3) && has(4));
        assert_eq!(pages_of(undoable.pop(job(1))), [id(12)]);
        assert_eq!(pages_of(undoable.pop(job(1))), [id(11)]);
        assert_eq!(undoable.pop(job(1)), None);
        assert!(!has(1) && has(3));
        let is_it = |one: &Decided| pages_of(Some(one.clone())) == [id(41)];
        assert_eq!(undoable.take(job(3), is_it), None);
        assert_eq!(pages_of(undoable.take(job(4), is_it)), [id(41)]);
        undoable.clear();
        assert!(!has(3));
    }

    #[test]
    fn an_undo_is_tried_again_where_that_may_help() {
        let decision = decision(1, &[1, 2]);
        let refused = |status, conflicted: Option<&str>| ClientError::Refused {
            status,
            body: ErrorBody {
                error: String::new(),
                code: ErrorCode::InvalidState,
                conflicted_urls: conflicted.map(|url| vec![url.to_owned()]),
            },
            retry_after_s: None,
        };
        let left = |error: ClientError| decision.left_to_undo(&error).map(|left| left.chosen);
        for passing in [
            ClientError::Network,
            refused(503, None),
            refused(429, None),
            // Whoever signs in again may undo it then.
            refused(401, None),
        ] {
            assert_eq!(left(passing), Some(vec![id(1), id(2)]));
        }
        assert_eq!(left(refused(400, None)), None);
        let moved = refused(409, Some("http://shop.test/2"));
        assert_eq!(left(moved), Some(vec![id(1)]));
        assert_eq!(left(refused(409, Some("http://shop.test/8"))), None);
    }

    #[test]
    fn what_hinders_an_undo_is_left_out_of_it() {
        let all = decision(1, &[1, 2, 3]);
        let urls = |pages: &[u8]| -> Vec<String> {
            (pages.iter())
                .map(|page| format!("http://shop.test/{page}"))
                .collect()
        };
        let rest = all.without(&urls(&[1, 8])).unwrap();
        assert_eq!(rest.chosen, [id(2), id(3)]);
        assert_eq!(rest.except, [id(99), id(1)]);
        assert_eq!(rest.from, id(2));
        assert_eq!(all.without(&urls(&[3])).unwrap().from, id(1));
        assert_eq!(all.without(&urls(&[8])), None);
        assert_eq!(all.without(&urls(&[1, 2, 3])), None);
    }
}
