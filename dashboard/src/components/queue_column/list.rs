//! What the rows of the queue share: which there are, which of them are near what is in view, and how one comes there.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{Element, KeyboardEvent, ResizeObserver};

use crate::browser;
use crate::review::order::Order;
use crate::review::rows::{Listing, Spot, View};
use crate::review::state::Review;

/// The rows; copies name the same ones.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) listing: Memo<Listing>,
    /// Those that are on the screen, or about to be.
    pub(super) near: Memo<Range<usize>>,
    pub(super) scroller: NodeRef<html::Div>,
    /// The row that the Tab key comes to: thousands are no stops.
    pub(super) stop: Memo<Option<ResultId>>,
    /// The row that had the focus last.
    pub(super) focused: RwSignal<Option<ResultId>>,
    view: RwSignal<View>,
    /// Whether any of it is on the screen.
    is_seen: Memo<bool>,
}

impl List {
    /// The pages of a review.
    pub(super) fn new(review: Review) -> Self {
        let needle = review.column.needle;
        let listing = Memo::new(move |_| {
            let is_by_cause = review.sorting.get() == Order::Cause;
            review.order.with(|order| {
                review.ranks.with(|ranks| {
                    let causes = ranks.as_ref().filter(|_| is_by_cause);
                    needle.with(|needle| Listing::of(order, needle, causes))
                })
            })
        });
        let view = RwSignal::new(View::default());
        let is_seen = Memo::new(move |_| view.get().height > 0);
        // Nobody sorts rows that nobody sees.
        let near = Memo::new(move |_| match view.get() {
            view if view.height > 0 => listing.with(|listing| listing.near(view)),
            _ => 0..0,
        });
        let focused = RwSignal::new(None::<ResultId>);
        let stop = Memo::new(move |_| {
            let wanted = [focused.get(), review.id.get()];
            let near = near.get();
            listing.with(|listing| {
                let there = listing.rows.get(near)?;
                let is_there = |id: &ResultId| there.iter().any(|entry| entry.id == *id);
                let first = there.first().map(|entry| entry.id);
                wanted.into_iter().flatten().find(is_there).or(first)
            })
        });
        Self {
            listing,
            near,
            scroller: NodeRef::new(),
            stop,
            focused,
            view,
            is_seen,
        }
    }

    /// Asks something of the rows, where any are on the screen.
    pub(super) fn seen<T>(self, ask: impl FnOnce(&Listing) -> T) -> Option<T> {
        self.is_seen.get().then(|| self.listing.with(ask))
    }

    /// The first page.
    pub(super) fn first(self) -> Option<ResultId> {
        self.listing
            .with_untracked(|listing| Some(listing.rows.first()?.id))
    }

    /// Takes note of what is in view.
    pub(super) fn note_view(self) {
        // The column may be gone by now.
        let Some(element) = self.scroller.try_get_untracked().flatten() else {
            return;
        };
        let view = view_of(&element);
        if self.view.get_untracked() != view {
            self.view.set(view);
        }
    }

    /// Takes note of what is in view when there comes to be more or less of it.
    pub(super) fn watch_height(self) {
        Effect::new(move |_| {
            let Some(element) = self.scroller.get() else {
                return;
            };
            let on_resize = Closure::<dyn FnMut(JsValue)>::new(move |_| self.note_view());
            let Ok(observer) =
                ResizeObserver::new(wasm_bindgen::JsCast::unchecked_ref(on_resize.as_ref()))
            else {
                return;
            };
            observer.observe(&element);
            let watched = SendWrapper::new((observer, on_resize));
            on_cleanup(move || watched.0.disconnect());
        });
    }

    /// Brings the row of the page that is looked at into view when another one is, or when the row leaves the view by itself.
    pub(super) fn keep_in_view(self, review: Review) {
        let wanted = Memo::new(move |_| {
            let id = review.id.get()?;
            let order = review.sorting.get();
            self.seen(|listing| {
                let row = listing.place_of(id)?;
                let top = listing.top_of(row);
                Some(Spot { id, order, top })
            })
            .flatten()
        });
        Effect::new(move |before: Option<Option<Spot>>| {
            let spot = wanted.get();
            let shown = spot
                .filter(|spot| spot.is_to_be_shown(before.flatten(), self.view.get_untracked()));
            if let Some(Spot { id, .. }) = shown {
                // It can be scrolled to only once there is space for it.
                request_animation_frame(move || {
                    let place = |listing: &Listing| listing.place_of(id);
                    let row = self.listing.try_with_untracked(place).flatten();
                    if let Some(row) = row {
                        self.show(row);
                    }
                });
            }
            spot
        });
    }

    /// Moves the focus among the rows by key.
    pub(super) fn step(self, event: &KeyboardEvent) {
        let is_plain =
            !(event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key());
        let focused = self.focused.get_untracked().filter(|_| is_plain);
        let Some(focused) = focused else { return };
        let (from, count) = self
            .listing
            .with_untracked(|listing| (listing.place_of(focused), listing.rows.len()));
        let (Some(from), Some(last)) = (from, count.checked_sub(1)) else {
            return;
        };
        let to = match event.key().as_str() {
            "ArrowDown" => (from + 1).min(last),
            "ArrowUp" => from.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        let id = self
            .listing
            .with_untracked(|listing| Some(listing.rows.get(to)?.id));
        if let Some(id) = id {
            self.focus(id);
        }
    }

    /// Gives the focus to the row of a page.
    pub(super) fn focus(self, id: ResultId) {
        let place = |listing: &Listing| listing.place_of(id);
        if let Some(row) = self.listing.try_with_untracked(place).flatten() {
            self.show(row);
            // It may come to be there only now.
            request_animation_frame(move || browser::focus(&element_of(id)));
        }
    }

    /// Shows all rows again, and keeps the focus on the one that has it.
    pub(super) fn widen(self, needle: RwSignal<String>) {
        let focused = self.focused.get_untracked();
        needle.set(String::new());
        if let Some(focused) = focused {
            // Behind what brings the page in sight into view, which is asked for only now.
            request_animation_frame(move || request_animation_frame(move || self.focus(focused)));
        }
    }

    /// Scrolls as far as a row needs to be in view.
    fn show(self, row: usize) {
        let Some(element) = self.scroller.try_get_untracked().flatten() else {
            return;
        };
        let view = view_of(&element);
        let top = (self.listing).with_untracked(|listing| listing.scrolled_to(row, view));
        if let Some(top) = top {
            element.set_scroll_top(i32::try_from(top).unwrap_or(i32::MAX));
        }
        // The event comes a frame later.
        self.note_view();
    }
}

/// The id that the row of a page has on the screen.
pub(super) fn element_of(id: ResultId) -> String {
    format!("queue-{id}")
}

fn view_of(element: &Element) -> View {
    let px = |px: i32| usize::try_from(px).unwrap_or(0);
    View {
        top: px(element.scroll_top()),
        height: px(element.client_height()),
    }
}
