//! The state of the review page, as signals that its components share.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use pentimento_api::history::PageHistory;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::JobStatus;
use pentimento_api::review::ReviewItem;

use crate::browser;
use crate::client::ClientError;
use crate::list_filter::ListFilter;
use crate::review::apart::{self, APART, COMPARED, Names};
use crate::review::arrange::{self, Arrangement};
use crate::review::column::Column;
use crate::review::group::{Asking, Group};
use crate::review::mode::Mode;
use crate::review::order::{self, Order, Ranks};
use crate::review::pictures::Pictures;
use crate::review::queue::{self, Entry};
use crate::review::view::{Window, Zoom};
use crate::shared::{Shared, use_shared};
use crate::url_state::with_parameters;

/// What a canvas may lack although the page has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The mask: a canvas that lacks it looks as if nothing had changed.
    Mask,
    /// A capture.
    Capture,
}

/// A wish to bring a region into view; each one is new, so that the same region can be wished for again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Jump {
    pub(crate) region: usize,
    pub(crate) count: u32,
}

/// The signals of the review page; copies name the same signals.
#[derive(Clone, Copy)]
pub(crate) struct Review {
    pub(crate) shared: Shared,
    /// The page that the address names.
    pub(crate) id: Memo<Option<ResultId>>,
    /// Pages that were read: the one that is looked at, those that may come next, and the last ones before.
    pub(crate) items: RwSignal<HashMap<ResultId, Arc<ReviewItem>>>,
    /// The page that is looked at, once it is there.
    pub(crate) item: Memo<Option<Arc<ReviewItem>>>,
    /// Which of its disagreements the canvas shows in place of baseline and current; the address says so.
    pub(crate) apart: Memo<Option<usize>>,
    pub(crate) show_apart: Callback<Option<usize>>,
    /// The page as the canvas shows it.
    pub(crate) shown: Memo<Option<Arc<ReviewItem>>>,
    pub(crate) error: RwSignal<Option<ClientError>>,
    /// What is being read may not hold any more: it is asked for once more.
    pub(crate) anew: Trigger,
    /// The job whose queue this is, and its changed pages as far as they were read.
    pub(crate) job: Memo<Option<JobId>>,
    pub(crate) queue: RwSignal<Vec<Entry>>,
    pub(crate) queue_is_whole: RwSignal<bool>,
    /// Where the job stands, once that was told.
    pub(crate) job_status: RwSignal<Option<JobStatus>>,
    /// Why the queue could not be read on; it is tried again.
    pub(crate) queue_error: RwSignal<Option<ClientError>>,
    /// Which pages the review goes through, where not all that changed; the address says so.
    pub(crate) filter: Memo<ListFilter>,
    /// Those pages as far as they were read, once any were.
    pub(crate) listed: RwSignal<Option<Vec<Entry>>>,
    pub(crate) list_is_whole: RwSignal<bool>,
    /// Why they could not be read on; it is tried again.
    pub(crate) list_error: RwSignal<Option<ClientError>>,
    /// Goes to a page, and through all changed ones from there.
    pub(crate) leave_list: Callback<ResultId>,
    /// A page that was decided before the queue had another undecided one: going on waits for it.
    pub(crate) advance_from: RwSignal<Option<ResultId>>,
    /// What it is sorted by; the address says so.
    pub(crate) sorting: Memo<Order>,
    pub(crate) sort: Callback<Order>,
    /// The places of the job's changes among each other, once they were read.
    pub(crate) ranks: RwSignal<Option<Ranks>>,
    /// The pages that the review goes through as they are sorted, with the current one among them.
    pub(crate) order: Memo<Vec<Entry>>,
    /// The change that the page shows, where other pages show it too.
    pub(crate) group: Memo<Option<Group>>,
    /// Whether to decide on all of them at once.
    pub(crate) asking: Asking,
    /// What became of a page in its project's last runs, once it was read.
    pub(crate) history: RwSignal<Option<(ResultId, PageHistory)>>,
    /// A page's address, in the order and the view of this one.
    pub(crate) address: Callback<ResultId, String>,
    pub(crate) go: Callback<ResultId>,
    /// Whether shifted pages are shown as they were captured; the address says so.
    pub(crate) raw: Memo<bool>,
    pub(crate) set_raw: Callback<bool>,

    pub(crate) mode: RwSignal<Mode>,
    pub(crate) zoom: RwSignal<Zoom>,
    pub(crate) pane_width_px: RwSignal<f64>,
    pub(crate) window: RwSignal<Window>,
    /// Where the minimap, or a key, asks the canvas to go, as a ratio of the page's height.
    pub(crate) seek: RwSignal<Option<f64>>,
    pub(crate) mask_in_overlay: RwSignal<bool>,
    pub(crate) mask_elsewhere: RwSignal<bool>,
    /// Over captures that do not agree.
    pub(crate) mask_of_captures: RwSignal<bool>,
    /// Space is held: the baseline shows.
    pub(crate) peeking: RwSignal<bool>,
    pub(crate) jump: RwSignal<Option<Jump>>,
    pub(crate) note_open: RwSignal<bool>,
    /// Notes that were begun, by the pages that they are for.
    pub(crate) note_drafts: StoredValue<HashMap<ResultId, String>>,
    /// The parts of the list of regions that are unfolded, by their names.
    pub(crate) open_folds: RwSignal<HashSet<&'static str>>,
    /// The regions' boxes are hidden.
    pub(crate) regions_hidden: RwSignal<bool>,
    pub(crate) help_open: RwSignal<bool>,
    pub(crate) done_open: RwSignal<bool>,
    /// On a phone, where they lie over the canvas.
    pub(crate) details_open: RwSignal<bool>,
    /// Elsewhere, where they stand beside the canvas.
    pub(crate) details_hidden: RwSignal<bool>,
    /// The queue beside the canvas.
    pub(crate) column: Column,
    /// The page's name above the canvas.
    pub(crate) heading: NodeRef<html::H1>,
    /// What is said to those who do not see which page came up.
    pub(crate) announced: RwSignal<String>,
    /// What of this page could not be loaded.
    pub(crate) lost: RwSignal<Option<(ResultId, Lost)>>,
    /// Which of its captures are there to be seen.
    pub(crate) pictures: Pictures,
}

impl Review {
    pub(crate) fn new(
        id: Memo<Option<ResultId>>,
        (address, go): (Callback<ResultId, String>, Callback<ResultId>),
        (filter, leave_list): (Memo<ListFilter>, Callback<ResultId>),
        (raw, set_raw): (Memo<bool>, Callback<bool>),
        (apart, show_apart): (Memo<Option<usize>>, Callback<Option<usize>>),
        (sorting, sort): (Memo<Order>, Callback<Order>),
    ) -> Self {
        let shared = use_shared();
        let items = RwSignal::new(HashMap::<ResultId, Arc<ReviewItem>>::new());
        let item = Memo::new(move |_| {
            id.get()
                .and_then(|id| items.with(|items| items.get(&id).cloned()))
        });
        let shown = Memo::new(move |_| {
            let item = item.get()?;
            let captures = apart.get().and_then(|index| apart::shown(&item, index));
            Some(captures.map_or(item, Arc::new))
        });
        let queue = RwSignal::new(Vec::<Entry>::new());
        let listed = RwSignal::new(None::<Vec<Entry>>);
        let ranks = RwSignal::new(None::<Ranks>);
        let sorted = sorted_pages(queue, (filter, listed), (sorting, ranks));
        let current = Memo::new(move |_| item.get().map(|item| Entry::from(&*item)));
        let order =
            Memo::new(move |_| sorted.with(|sorted| queue::with_current(sorted, current.get())));
        let group = Memo::new(move |_| {
            let label = item.with(|item| item.as_ref()?.result.change_group.clone())?;
            let queue = queue.with(|queue| queue::with_current(queue, current.get()));
            Group::of(&queue, &label)
        });
        Self {
            shared,
            id,
            items,
            item,
            apart,
            show_apart,
            shown,
            error: RwSignal::new(None),
            anew: Trigger::new(),
            // It keeps the job while the next page is being read: the queue is the same one.
            job: Memo::new(move |before: Option<&Option<JobId>>| {
                item.get()
                    .map(|item| item.job_id)
                    .or_else(|| before.copied().flatten())
            }),
            queue,
            queue_is_whole: RwSignal::new(false),
            job_status: RwSignal::new(None),
            queue_error: RwSignal::new(None),
            filter,
            listed,
            list_is_whole: RwSignal::new(false),
            list_error: RwSignal::new(None),
            leave_list,
            advance_from: RwSignal::new(None),
            sorting,
            sort,
            ranks,
            order,
            group,
            asking: Asking::new(),
            history: RwSignal::new(None),
            address,
            go,
            raw,
            set_raw,
            mode: RwSignal::new(if browser::is_narrow() {
                Mode::Swipe
            } else {
                Mode::SideBySide
            }),
            zoom: RwSignal::new(Zoom::Fit),
            pane_width_px: RwSignal::new(0.0),
            window: RwSignal::new(Window::default()),
            seek: RwSignal::new(None),
            mask_in_overlay: RwSignal::new(true),
            mask_elsewhere: RwSignal::new(false),
            mask_of_captures: RwSignal::new(true),
            peeking: RwSignal::new(false),
            jump: RwSignal::new(None),
            note_open: RwSignal::new(false),
            note_drafts: StoredValue::new(HashMap::new()),
            open_folds: RwSignal::new(HashSet::new()),
            regions_hidden: RwSignal::new(false),
            help_open: RwSignal::new(false),
            done_open: RwSignal::new(false),
            details_open: RwSignal::new(false),
            details_hidden: RwSignal::new(browser::is_tight()),
            column: Column::new(),
            heading: NodeRef::new(),
            announced: RwSignal::new(String::new()),
            lost: RwSignal::new(None),
            pictures: Pictures::new(),
        }
    }

    /// Screen pixels for a captured pixel.
    pub(crate) fn ratio(self) -> f64 {
        let (width_px, _) = self.ground();
        self.zoom.get().ratio(self.pane_width_px.get(), width_px)
    }

    /// How the rows of the page are shown.
    pub(crate) fn arrangement(self) -> Arrangement {
        let raw = self.raw.get();
        self.shown.with(|item| {
            item.as_ref()
                .map_or(Arrangement::InPlace, |item| Arrangement::of(item, raw))
        })
    }

    /// Width and height of the sheet that both captures lie on, in captured pixels.
    pub(crate) fn ground(self) -> (f64, f64) {
        let arrangement = self.arrangement();
        self.shown.with(|item| {
            item.as_ref()
                .map_or((0.0, 0.0), |item| arrange::ground(item, arrangement))
        })
    }

    /// Whether there is a baseline to compare with.
    pub(crate) fn has_both(self) -> bool {
        self.shown.with(|item| {
            item.as_ref()
                .is_some_and(|item| item.current.is_some() && item.baseline.is_some())
        })
    }

    /// Whether there are changed pixels to mark.
    pub(crate) fn has_mask(self) -> bool {
        self.shown
            .with(|item| item.as_ref().is_some_and(|item| item.mask_url.is_some()))
    }

    /// Whether the page can be shown in a mode.
    pub(crate) fn fits(self, mode: Mode) -> bool {
        mode.fits(self.has_both(), self.has_mask())
    }

    /// The mode in effect.
    pub(crate) fn effective_mode(self) -> Mode {
        self.mode.get().on(self.has_both(), self.has_mask())
    }

    /// Whether the canvas shows captures that do not agree.
    pub(crate) fn is_apart(self) -> bool {
        let count = self
            .item
            .with(|item| item.as_ref().map_or(0, |item| item.disagreements.len()));
        self.apart.get().is_some_and(|index| index < count)
    }

    /// What the two captures on the canvas are called.
    pub(crate) fn names(self) -> Names {
        if self.is_apart() { APART } else { COMPARED }
    }

    /// The switch of the mask, which each view has for itself; the difference is nothing without the mask, and has none.
    pub(crate) fn mask_switch(self) -> Option<RwSignal<bool>> {
        match self.effective_mode() {
            Mode::Difference => None,
            _ if self.is_apart() => Some(self.mask_of_captures),
            Mode::Overlay => Some(self.mask_in_overlay),
            Mode::SideBySide | Mode::Swipe | Mode::Blink => Some(self.mask_elsewhere),
        }
    }

    /// Whether the mask is drawn.
    pub(crate) fn mask_shows(self) -> bool {
        self.mask_switch().is_none_or(|switch| switch.get()) && !self.peeking.get()
    }

    /// Whether the job goes on, and may find more changed pages.
    pub(crate) fn is_running(self) -> bool {
        (self.job_status.get()).is_some_and(|status| !status.is_final())
    }

    /// Whether the details show.
    pub(crate) fn details_show(self) -> bool {
        if browser::is_narrow() {
            self.details_open.get()
        } else {
            !self.details_hidden.get()
        }
    }

    /// Takes note that something of the page that is looked at could not be loaded. Without a capture nobody misses its mask.
    pub(crate) fn note_lost(self, what: Lost) {
        let is_told = |(_, told): &(ResultId, Lost)| *told == Lost::Capture;
        if !(self.lost).with_untracked(|lost| lost.as_ref().is_some_and(is_told)) {
            self.lost
                .set(self.id.get_untracked().map(|page| (page, what)));
        }
    }

    /// The address of the job, and in it of the list that is gone through.
    pub(crate) fn job_address(self) -> Option<String> {
        let job = self.job.get()?;
        Some(
            self.filter
                .with(|filter| with_parameters(&format!("/app/jobs/{job}"), filter.words())),
        )
    }

    /// Whether all pages that the review goes through are known.
    pub(crate) fn is_order_whole(self) -> bool {
        if self.filter.with(ListFilter::narrows) {
            self.list_is_whole.get()
        } else {
            self.queue_is_whole.get()
        }
    }

    /// Position among the pages that the review goes through, counted from one, and their number.
    pub(crate) fn position(self) -> Option<(usize, usize)> {
        let id = self.id.get()?;
        if self.filter.with(ListFilter::narrows) && self.listed.with(Option::is_none) {
            return None;
        }
        self.order.with(|order| {
            let at = order.iter().position(|entry| entry.id == id)?;
            Some((at + 1, order.len()))
        })
    }
}

/// The pages of the queue, or those of the list that is gone through, as they are sorted.
fn sorted_pages(
    queue: RwSignal<Vec<Entry>>,
    (filter, listed): (Memo<ListFilter>, RwSignal<Option<Vec<Entry>>>),
    (sorting, ranks): (Memo<Order>, RwSignal<Option<Ranks>>),
) -> Memo<Vec<Entry>> {
    let chosen = Memo::new(move |_| {
        queue.with(|queue| {
            if filter.with(ListFilter::narrows) {
                listed.with(|list| queue::listed(queue, list.as_deref().unwrap_or(&[])))
            } else {
                queue.clone()
            }
        })
    });
    Memo::new(move |_| {
        let sorting = sorting.get();
        chosen.with(|chosen| {
            ranks.with(|ranks| match ranks {
                Some(ranks) => order::sorted(chosen, ranks, sorting),
                None => chosen.clone(),
            })
        })
    })
}

/// The state of the review page that this component is part of.
pub(crate) fn use_review() -> Review {
    expect_context::<Review>()
}
