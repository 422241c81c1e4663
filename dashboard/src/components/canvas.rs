//! The canvas: one pane or two, scrolled together, with the page at the chosen zoom.

mod position;

use gloo_timers::future::TimeoutFuture;
use leptos::html;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::ResizeObserver;

use crate::components::icon::{Glyph, Icon};
use crate::components::sheet::{Face, Sheet};
use crate::review::mode::Mode;
use crate::review::state::{Lost, Review, use_review};
use crate::review::view::Window;
use crate::task::spawn_scoped;
use position::{
    begin_at_first_region, begin_where_the_other_is, follow_jumps, follow_seeks,
    keep_centre_when_zooming, keep_row_when_arranging,
};

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
    follow_seeks(review, panes);
    begin_where_the_other_is(panes);

    let face = Signal::derive(move || match mode.get() {
        _ if review.peeking.get() && review.has_both() => Face::Baseline,
        Mode::Swipe => Face::Split,
        Mode::Blink if is_blinking_baseline.get() => Face::Baseline,
        Mode::Overlay if review.has_both() && review.mask_shows() => Face::Faded,
        Mode::Difference => Face::Washed,
        Mode::SideBySide | Mode::Overlay | Mode::Blink => Face::Current,
    });
    let title = move || match face.get() {
        Face::Baseline => review.names().left.to_owned(),
        Face::Split => format!("{} | {}", review.names().left, review.names().right),
        _ if review.has_both() => review.names().right.to_owned(),
        Face::Current | Face::Faded | Face::Washed => only_picture(review).to_owned(),
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
