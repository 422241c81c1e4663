//! Where the canvas looks: what stays in view, and what comes into it.

use leptos::prelude::*;
use pentimento_api::ids::ResultId;

use super::{Leader, Panes, note_window, sync};
use crate::review::arrange::{self, Arrangement};
use crate::review::quiet;
use crate::review::state::{Jump, Review};

impl Panes {
    /// What scrolls the main pane without the reader's hand takes the left one along, wherever the pointer rests.
    fn follow_main(self) {
        if self.leader.try_set_value(Leader::Main).is_none() {
            sync(self.main, self.left);
        }
    }
}

/// The page that is shown, once there is a pane to show it in.
fn shown_page(review: Review) -> Memo<Option<ResultId>> {
    let is_measured = Memo::new(move |_| review.pane_width_px.get() > 0.0);
    Memo::new(move |_| {
        let id = review
            .shown
            .with(|item| item.as_ref().map(|item| item.result.result_id));
        id.filter(|_| is_measured.get())
    })
}

/// What was in the middle stays in the middle, or comes there: the region that was gone to, as long as it is in view. Whoever
/// looks at the top of the page goes on looking at it.
pub(super) fn keep_centre_when_zooming(review: Review, panes: Panes) {
    let shown = shown_page(review);
    Effect::new(move |before: Option<(Option<ResultId>, f64)>| {
        let now = (shown.get(), review.ratio());
        let window = review.window.get_untracked();
        let jump = review.jump.get_untracked();
        let region = jump
            .and_then(|jump| untrack(|| region_centre(review, jump.region)))
            .filter(|&(across, down)| window.holds(across, down));
        let (across, down) = region.unwrap_or_else(|| {
            let (across, middle) = window.centre();
            (across, if window.top > 0.0 { middle } else { 0.0 })
        });
        if before.is_some_and(|(page, ratio)| page == now.0 && (ratio - now.1).abs() > f64::EPSILON)
        {
            request_animation_frame(move || {
                // Whoever went to a region meanwhile is there.
                if review.jump.try_get_untracked() == Some(jump) {
                    scroll_across(panes, across);
                    scroll_to(review, panes, down);
                }
            });
        }
        now
    });
}

/// The row in the middle stays in the middle when rows are aligned, or no longer are.
pub(super) fn keep_row_when_arranging(review: Review, panes: Panes) {
    let shown = shown_page(review);
    Effect::new(move |before: Option<(Option<ResultId>, Arrangement)>| {
        let now = (shown.get(), review.arrangement());
        let turned = before.filter(|before| before.0 == now.0 && before.1 != now.1);
        if let (Some((_, from)), Some(item)) = (turned, review.shown.get_untracked()) {
            let window = review.window.get_untracked();
            let centre = window.top + window.height / 2.0;
            let row = centre * arrange::ground(&item, from).1;
            let row = arrange::same_row(&item, from, now.1, row);
            let centre = row / arrange::ground(&item, now.1).1.max(1.0);
            request_animation_frame(move || scroll_to(review, panes, centre));
        }
        now
    });
}

/// A new page is shown from its top, or from its first region when that lies further down.
pub(super) fn begin_at_first_region(review: Review, panes: Panes) {
    let shown = shown_page(review);
    Effect::new(move |_| {
        if shown.get().is_none() {
            return;
        }
        // The page has its size only once it is drawn.
        request_animation_frame(move || {
            let Some(element) = panes.main.try_get_untracked().flatten() else {
                return;
            };
            element.set_scroll_top(0);
            element.set_scroll_left(0);
            panes.follow_main();
            let arrangement = untrack(|| review.arrangement());
            let first = (review.shown.try_get_untracked().flatten()).and_then(|item| {
                let first = quiet::first(&item)?;
                Some((first, arrange::place(&item.regions[first], arrangement)))
            });
            let fold_px = f64::from(element.client_height()) * 0.8;
            let is_below = |y: i64| y as f64 * untrack(|| review.ratio()) > fold_px;
            if let Some((first, _)) = first.filter(|(_, area)| is_below(area.y)) {
                show_region(review, panes, first);
            }
            note_window(review, panes.main);
        });
    });
}

pub(super) fn follow_jumps(review: Review, panes: Panes) {
    // The last jump, and whether it was made.
    Effect::new(move |before: Option<(Option<Jump>, bool)>| {
        let (last, is_made) = before.unwrap_or_default();
        let jump = review.jump.get();
        // The captures that differ have no regions: a jump waits until they have left the canvas.
        let is_there = review.shown.with(|item| {
            let regions = item.as_ref().map_or(0, |item| item.regions.len());
            jump.is_some_and(|jump| jump.region < regions)
        });
        let is_new = jump != last;
        let Some(wanted) = jump.filter(|_| is_new || !is_made) else {
            return (jump, true);
        };
        if is_there && is_new {
            show_region(review, panes, wanted.region);
        } else if is_there {
            // The page has its size only once it is drawn.
            request_animation_frame(move || {
                if review.jump.try_get_untracked() == Some(jump) {
                    show_region(review, panes, wanted.region);
                }
            });
        }
        (jump, is_there)
    });
}

pub(super) fn follow_seeks(review: Review, panes: Panes) {
    Effect::new(move |_| {
        if let Some(centre) = review.seek.get() {
            scroll_to(review, panes, centre);
        }
    });
}

/// The left pane is shown where the main one is.
pub(super) fn begin_where_the_other_is(panes: Panes) {
    Effect::new(move |_| {
        if panes.left.get().is_some() {
            // The page has its size only once it is drawn.
            request_animation_frame(move || panes.follow_main());
        }
    });
}

fn show_region(review: Review, panes: Panes, region: usize) {
    let item = review.shown.try_get_untracked().flatten();
    let element = panes.main.try_get_untracked().flatten();
    let (Some(item), Some(element)) = (item, element) else {
        return;
    };
    let Some(area) = (item.regions.get(region))
        .map(|region| arrange::place(region, untrack(|| review.arrangement())))
    else {
        return;
    };
    let (_, height_px) = untrack(|| review.ground());
    // A region taller than the pane is shown from its top.
    let pane_px = f64::from(element.client_height()) / untrack(|| review.ratio());
    let middle = area.y as f64 + (area.h as f64).min(pane_px * 0.9) / 2.0;
    if let Some((across, _)) = untrack(|| region_centre(review, region)) {
        scroll_across(panes, across);
    }
    scroll_to(review, panes, middle / height_px.max(1.0));
}

/// Where the middle of a region is, across and down, as ratios of the page's size.
fn region_centre(review: Review, region: usize) -> Option<(f64, f64)> {
    let item = review.shown.get()?;
    let area = arrange::place(item.regions.get(region)?, review.arrangement());
    let (width_px, height_px) = review.ground();
    Some((
        (area.x as f64 + area.w as f64 / 2.0) / width_px.max(1.0),
        (area.y as f64 + area.h as f64 / 2.0) / height_px.max(1.0),
    ))
}

/// Scrolls so that the point at `centre`, a ratio of the page's width, is in the middle.
fn scroll_across(panes: Panes, centre: f64) {
    let Some(element) = panes.main.try_get_untracked().flatten() else {
        return;
    };
    let left_px =
        centre * f64::from(element.scroll_width()) - f64::from(element.client_width()) / 2.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a scroll position is far below 2^31"
    )]
    element.set_scroll_left(left_px as i32);
}

/// Scrolls so that the point at `centre`, a ratio of the page's height, is in the middle.
fn scroll_to(review: Review, panes: Panes, centre: f64) {
    let Some(element) = panes.main.try_get_untracked().flatten() else {
        return;
    };
    let top_px =
        centre * f64::from(element.scroll_height()) - f64::from(element.client_height()) / 2.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a scroll position is far below 2^31"
    )]
    element.set_scroll_top(top_px as i32);
    panes.follow_main();
    // The event comes a frame later; whoever asks before then should hear where the page is.
    note_window(review, panes.main);
}
