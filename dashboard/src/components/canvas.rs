//! The canvas: one pane or two, scrolled together, with the page at the chosen zoom.

use gloo_timers::future::TimeoutFuture;
use leptos::html;
use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::ResizeObserver;

use crate::components::icon::{Glyph, Icon};
use crate::components::sheet::{Face, Sheet};
use crate::review::arrange::{self, Arrangement};
use crate::review::state::{Lost, Mode, Review, use_review};
use crate::review::view::Window;
use crate::task::spawn_scoped;

/// Each picture stays this long: long enough to be seen, and well below three flashes a second (WCAG 2.3.1).
const BLINK_MS: u32 = 700;

type Pane = NodeRef<html::Div>;

/// Both panes; the left one is there side by side alone.
#[derive(Clone, Copy)]
struct Panes {
    left: Pane,
    main: Pane,
    leader: StoredValue<Leader>,
}

/// The pane that the reader scrolls; the other one follows it. Were each to follow the other, a late event of the one
/// would undo a jump of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leader {
    Left,
    Main,
}

/// The two captures in the chosen mode.
#[component]
pub(crate) fn Canvas() -> impl IntoView {
    let review = use_review();
    let left = Pane::new();
    let main = Pane::new();
    let leader = StoredValue::new(Leader::Main);
    let panes = Panes { left, main, leader };
    let mode = Memo::new(move |_| review.effective_mode());
    let is_blinking_baseline = blink(mode);

    watch_width(review, main);
    keep_centre_when_zooming(review, panes);
    keep_row_when_arranging(review, panes);
    begin_at_first_region(review, panes);
    follow_jumps(review, panes);
    follow_minimap(review, panes);
    begin_where_the_other_is(panes);

    let face = Signal::derive(move || match mode.get() {
        _ if review.peeking.get() && review.has_both() => Face::Baseline,
        Mode::Swipe => Face::Split,
        Mode::Blink if is_blinking_baseline.get() => Face::Baseline,
        Mode::Overlay if review.has_both() && review.mask_shows() => Face::Faded,
        Mode::SideBySide | Mode::Overlay | Mode::Blink => Face::Current,
    });
    let title = move || match face.get() {
        Face::Baseline => review.names().left.to_owned(),
        Face::Split => format!("{} | {}", review.names().left, review.names().right),
        Face::Current | Face::Faded if review.has_both() => review.names().right.to_owned(),
        Face::Current | Face::Faded => only_picture(review).to_owned(),
    };
    view! {
        <div class="canvas" data-mode=move || format!("{:?}", mode.get()) data-arrangement=move || review.arrangement().as_str()>
            {move || (mode.get() == Mode::SideBySide).then(|| view! {
                <section class="pane" aria-label=move || review.names().left>
                    <h2 class="pane-title">{move || review.names().left}</h2>
                    <div
                        class="pane-scroll"
                        tabindex="0"
                        node_ref=left
                        on:pointerenter=move |_| leader.set_value(Leader::Left)
                        on:pointerdown=move |_| leader.set_value(Leader::Left)
                        on:wheel=move |_| leader.set_value(Leader::Left)
                        on:focusin=move |_| leader.set_value(Leader::Left)
                        on:scroll=move |_| {
                            if leader.get_value() == Leader::Left {
                                sync(left, main);
                            }
                        }
                    >
                        <Sheet face=Signal::stored(Face::Baseline) />
                    </div>
                </section>
            })}
            <section class="pane" aria-label=move || review.names().right>
                <h2 class="pane-title">{title}</h2>
                <div
                    class="pane-scroll"
                    tabindex="0"
                    data-testid="canvas"
                    node_ref=main
                    on:pointerenter=move |_| leader.set_value(Leader::Main)
                    on:pointerdown=move |_| leader.set_value(Leader::Main)
                    on:wheel=move |_| leader.set_value(Leader::Main)
                    on:focusin=move |_| leader.set_value(Leader::Main)
                    on:scroll=move |_| {
                        if leader.get_value() == Leader::Main {
                            sync(main, left);
                        }
                        note_window(review, main);
                    }
                >
                    <Sheet face />
                </div>
            </section>
            {move || review.lost.get().map(|(id, what)| view! {
                <div class="picture-lost" role="alert" data-testid="lost">
                    <Icon glyph=Glyph::Alert />
                    <span>{match what {
                        Lost::Capture => "A picture could not be loaded; its link may have expired.",
                        Lost::Mask => "The mask could not be loaded, so no changed pixel is marked; its link may have expired.",
                    }}</span>
                    <button type="button" class="button" data-testid="load-again" on:click=move |_| {
                        review.lost.set(None);
                        review.items.update(|items| drop(items.remove(&id)));
                    }>"Load again"</button>
                </div>
            })}
        </div>
    }
}

fn only_picture(review: Review) -> &'static str {
    let has_current = review
        .shown
        .with(|item| item.as_ref().is_some_and(|item| item.current.is_some()));
    if has_current {
        "Current (there is no baseline yet)"
    } else {
        "Baseline"
    }
}

/// Whether blinking shows the baseline just now.
fn blink(mode: Memo<Mode>) -> RwSignal<bool> {
    let is_baseline = RwSignal::new(false);
    Effect::new(move |_| {
        is_baseline.set(false);
        if mode.get() != Mode::Blink {
            return;
        }
        spawn_scoped(async move {
            loop {
                TimeoutFuture::new(BLINK_MS).await;
                is_baseline.update(|is_baseline| *is_baseline = !*is_baseline);
            }
        });
    });
    is_baseline
}

/// Both panes have one position.
fn sync(from: Pane, to: Pane) {
    let (Some(from), Some(to)) = (from.get_untracked(), to.get_untracked()) else {
        return;
    };
    if from.scroll_top() != to.scroll_top() {
        to.set_scroll_top(from.scroll_top());
    }
    if from.scroll_left() != to.scroll_left() {
        to.set_scroll_left(from.scroll_left());
    }
}

fn note_window(review: Review, pane: Pane) {
    let Some(pane) = pane.get_untracked() else {
        return;
    };
    let height_px = f64::from(pane.scroll_height().max(1));
    let width_px = f64::from(pane.scroll_width().max(1));
    let window = Window {
        top: f64::from(pane.scroll_top()) / height_px,
        height: f64::from(pane.client_height()) / height_px,
        left: f64::from(pane.scroll_left()) / width_px,
        width: f64::from(pane.client_width()) / width_px,
    };
    if review.window.get_untracked() != window {
        review.window.set(window);
    }
}

fn watch_width(review: Review, pane: Pane) {
    Effect::new(move |_| {
        let Some(element) = pane.get() else { return };
        let measured = element.clone();
        let on_resize = Closure::<dyn FnMut(JsValue)>::new(move |_| {
            let width_px = f64::from(measured.client_width());
            if review
                .pane_width_px
                .try_get_untracked()
                .is_some_and(|before| (before - width_px).abs() >= 1.0)
            {
                review.pane_width_px.set(width_px);
            }
            if !review.window.is_disposed() {
                note_window(review, pane);
            }
        });
        let Ok(observer) =
            ResizeObserver::new(wasm_bindgen::JsCast::unchecked_ref(on_resize.as_ref()))
        else {
            return;
        };
        observer.observe(&element);
        // The sheet too: its height is the length of the minimap.
        if let Some(sheet) = element.first_element_child() {
            observer.observe(&sheet);
        }
        let watched = SendWrapper::new((observer, on_resize));
        on_cleanup(move || watched.0.disconnect());
    });
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
fn keep_centre_when_zooming(review: Review, panes: Panes) {
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
fn keep_row_when_arranging(review: Review, panes: Panes) {
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
fn begin_at_first_region(review: Review, panes: Panes) {
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
            let first = review
                .shown
                .try_get_untracked()
                .flatten()
                .and_then(|item| Some(arrange::place(item.regions.first()?, arrangement)));
            let fold_px = f64::from(element.client_height()) * 0.8;
            if first.is_some_and(|area| area.y as f64 * untrack(|| review.ratio()) > fold_px) {
                show_region(review, panes, 0);
            }
            note_window(review, panes.main);
        });
    });
}

fn follow_jumps(review: Review, panes: Panes) {
    Effect::new(move |_| {
        if let Some(jump) = review.jump.get() {
            show_region(review, panes, jump.region);
        }
    });
}

fn follow_minimap(review: Review, panes: Panes) {
    Effect::new(move |_| {
        if let Some(centre) = review.seek.get() {
            scroll_to(review, panes, centre);
        }
    });
}

/// The left pane is shown where the main one is.
fn begin_where_the_other_is(panes: Panes) {
    Effect::new(move |_| {
        if panes.left.get().is_some() {
            // The page has its size only once it is drawn.
            request_animation_frame(move || panes.follow_main());
        }
    });
}

impl Panes {
    /// What scrolls the main pane without the reader's hand takes the left one along, wherever the pointer rests.
    fn follow_main(self) {
        if self.leader.try_set_value(Leader::Main).is_none() {
            sync(self.main, self.left);
        }
    }
}

fn show_region(review: Review, panes: Panes, region: usize) {
    let (Some(item), Some(element)) = (review.shown.get_untracked(), panes.main.get_untracked())
    else {
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
