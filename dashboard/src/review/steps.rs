//! Moving about: to other pages of the queue, to regions, and what each command does.

use leptos::prelude::*;
use pentimento_api::result::TriageStatus;

use crate::browser;
use crate::keys::Command;
use crate::review::arrange::Arrangement;
use crate::review::ask;
use crate::review::decide;
use crate::review::mode::Mode;
use crate::review::order;
use crate::review::queue::Entry;
use crate::review::quiet;
use crate::review::state::{Jump, Review};
use crate::review::view::{self, Zoom};

/// Does what a key or a button asks for.
pub(crate) fn perform(review: Review, command: Command) {
    if matches!(command, Command::Reject | Command::Group | Command::Undo) {
        review.pictures.forget_approval();
    }
    match command {
        Command::Approve => decide::approve(review),
        Command::Reject => {
            if untrack(|| review.is_decidable()) {
                review.note_open.set(true);
            }
        }
        Command::Group => ask::ask(review),
        Command::Undo => decide::undo(review),
        Command::Next => step_page(review, 1),
        Command::Previous => step_page(review, -1),
        Command::ToggleOrder => review.sort.run(review.sorting.get_untracked().other()),
        Command::Queue => {
            // On a phone each of them covers the canvas.
            review.details_open.set(false);
            review.column.toggle();
        }
        Command::Find => {
            review.details_open.set(false);
            review.column.find();
        }
        Command::NextRegion => step_region(review, true),
        Command::PreviousRegion => step_region(review, false),
        Command::Mode(mode) => set_mode(review, mode),
        Command::ToggleMask => toggle_mask(review),
        Command::ToggleRegions => review.regions_hidden.update(|hidden| *hidden = !*hidden),
        Command::ToggleAligned => {
            if untrack(|| review.arrangement()) != Arrangement::InPlace {
                review.set_raw.run(!review.raw.get_untracked());
            }
        }
        Command::ToggleZoom => review.zoom.update(|zoom| {
            *zoom = if *zoom == Zoom::Fit {
                Zoom::Ratio(1.0)
            } else {
                Zoom::Fit
            };
        }),
        Command::ZoomIn => review
            .zoom
            .set(Zoom::Ratio(view::zoomed_in(untrack(|| review.ratio())))),
        Command::ZoomOut => review
            .zoom
            .set(Zoom::Ratio(view::zoomed_out(untrack(|| review.ratio())))),
        Command::Scroll(scroll) => {
            let window = review.window.get_untracked();
            review.seek.set(Some(window.scrolled(scroll)));
        }
        Command::Details => {
            review.column.open.set(false);
            toggle_details(review);
        }
        Command::Help => review.help_open.update(|open| *open = !*open),
    }
}

/// Brings a region into view and makes it pulse.
pub(crate) fn jump_to(review: Review, region: usize) {
    if review.apart.get_untracked().is_some() {
        review.show_apart.run(None);
    }
    let count = review.jump.get_untracked().map_or(0, |jump| jump.count) + 1;
    review.jump.set(Some(Jump { region, count }));
}

/// Goes to the next undecided page; where there is none, sums up. While the queue is being read it waits for one.
pub(crate) fn advance(review: Review) {
    let Some(id) = review.id.get_untracked() else {
        return;
    };
    match review
        .order
        .with_untracked(|order| super::queue::next_pending(order, id))
    {
        Some(next) => review.go.run(next),
        None if untrack(|| review.is_order_whole()) => review.done_open.set(true),
        None => review.advance_from.set(Some(id)),
    }
}

/// Makes up for an [`advance`] that waits for the queue, unless the reader has gone elsewhere since, or is at something that this
/// would close.
pub(crate) fn catch_up(review: Review) {
    let due = review.advance_from.get_untracked();
    if due.is_some() {
        review.advance_from.set(None);
        if due == review.id.get_untracked() && !untrack(|| review.is_occupied()) {
            advance(review);
        }
    }
}

/// Pages that the review goes through in a state of triage.
pub(crate) fn count(review: Review, triage: TriageStatus) -> usize {
    review.order.with(|order| {
        let so = order.iter().filter(|entry| entry.triage == triage);
        so.count()
    })
}

/// Undecided pages of the job, in the list or not.
pub(crate) fn count_undecided(review: Review) -> usize {
    let is_open = |entry: &&Entry| entry.triage == TriageStatus::Pending;
    review
        .queue
        .with(|queue| queue.iter().filter(is_open).count())
}

/// Goes on with what is undecided beyond the list.
pub(crate) fn leave_list(review: Review) {
    let Some(id) = review.id.get_untracked() else {
        return;
    };
    let next = review.queue.with_untracked(|queue| {
        let all = review.ranks.with_untracked(|ranks| match ranks {
            Some(ranks) => order::sorted(queue, ranks, review.sorting.get_untracked()),
            None => queue.clone(),
        });
        super::queue::next_pending(&all, id)
    });
    review.leave_list.run(next.unwrap_or(id));
}

fn step_page(review: Review, by: isize) {
    let Some((position, _)) = untrack(|| review.position()) else {
        return;
    };
    let target = review.order.with_untracked(|order| {
        (position - 1)
            .checked_add_signed(by)
            .and_then(|at| order.get(at))
            .map(|entry| entry.id)
    });
    if let Some(target) = target {
        review.go.run(target);
    }
}

fn step_region(review: Review, forward: bool) {
    let receding = review
        .item
        .with_untracked(|item| item.as_deref().map_or_else(Vec::new, quiet::receding));
    let from = review.jump.get_untracked().map(|jump| jump.region);
    if let Some(next) = quiet::step(&receding, from, forward) {
        jump_to(review, next);
    }
}

fn set_mode(review: Review, mode: Mode) {
    review.mode.set(mode);
    if mode == Mode::Overlay {
        review.mask_in_overlay.set(true);
    }
}

/// On a phone the details are laid over the canvas and away; elsewhere the canvas gets their place.
fn toggle_details(review: Review) {
    let switch = if browser::is_narrow() {
        review.details_open
    } else {
        review.details_hidden
    };
    switch.update(|is_on| *is_on = !*is_on);
}

fn toggle_mask(review: Review) {
    if let Some(switch) = untrack(|| review.mask_switch()) {
        switch.update(|shows| *shows = !*shows);
    }
}
