//! A box that is drawn over a capture, around what is to be masked.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::result::Box as PageBox;
use web_sys::PointerEvent;

use crate::browser;
use crate::components::sheet::Face;
use crate::review::arrange::{self, Side};
use crate::review::masking::use_masking;
use crate::review::state::use_review;

/// A box that is smaller on the screen was no box but a click, in pixels.
const LEAST_PX: f64 = 4.0;

/// Lies over the page while a box can be drawn.
#[component]
pub(super) fn DrawLayer(face: Signal<Face>, split: RwSignal<f64>) -> impl IntoView {
    let (review, masking) = (use_review(), use_masking());
    let node = NodeRef::<html::Div>::new();
    // Where the pointer went down and where it is, in screen pixels from the page's corner.
    let corners = RwSignal::new(None::<[(f64, f64); 2]>);
    // What was shown then: blinking shows the other capture by now.
    let begun_on = StoredValue::new(Face::Current);
    let point = move |event: &PointerEvent| {
        let area = node.get_untracked()?.get_bounding_client_rect();
        let across = f64::from(event.client_x()) - area.left();
        let down = f64::from(event.client_y()) - area.top();
        Some((
            across.clamp(0.0, area.width()),
            down.clamp(0.0, area.height()),
        ))
    };
    let begin = move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        event.prevent_default();
        begun_on.set_value(face.get_untracked());
        if let Some(node) = node.get_untracked() {
            // Without capture the box is still followed while the pointer is over the page.
            let _ = node.set_pointer_capture(event.pointer_id());
        }
        corners.set(point(&event).map(|at| [at, at]));
    };
    let follow = move |event: PointerEvent| {
        if let Some(at) = point(&event) {
            corners.update(|corners| {
                if let Some([_, end]) = corners {
                    *end = at;
                }
            });
        }
    };
    let finish = move |_: PointerEvent| {
        let Some(corners) = corners.try_update(Option::take).flatten() else {
            return;
        };
        let (left, top, width, height) = edges(corners);
        let item = review.shown.get_untracked();
        let Some(item) = item.filter(|_| width >= LEAST_PX && height >= LEAST_PX) else {
            return;
        };
        let (ratio, arrangement) = untrack(|| (review.ratio(), review.arrangement()));
        let is_left_of_divider = || {
            let page = node
                .get_untracked()
                .map(|node| node.get_bounding_client_rect());
            let centre = left + width / 2.0;
            page.is_some_and(|page| centre < page.width() * split.get_untracked() / 100.0)
        };
        let side = match begun_on.get_value() {
            Face::Baseline => Side::Baseline,
            Face::Split if is_left_of_divider() => Side::Baseline,
            Face::Current | Face::Faded | Face::Washed | Face::Split => Side::Current,
        };
        let shown = captured([left, top, width, height].map(|value| value / ratio));
        let own = arrange::own_box(&item, side, shown, arrangement);
        masking.draw(
            PageBox {
                h: own.h.max(1),
                ..own
            },
            side,
        );
        if browser::is_narrow() {
            review.details_open.set(true);
        }
    };
    let drawn = move || {
        corners.get().map(|corners| {
            let (left, top, width, height) = edges(corners);
            let px = |value: f64| format!("{value}px");
            view! {
                <div class="masked-place" style:left=px(left) style:top=px(top) style:width=px(width) style:height=px(height)></div>
            }
        })
    };
    move || {
        masking.is_drawing().then(|| {
            view! {
                <div
                    class="draw-layer"
                    data-testid="draw-layer"
                    node_ref=node
                    on:pointerdown=begin
                    on:pointermove=follow
                    on:pointerup=finish
                    on:pointercancel=move |_| corners.set(None)
                >
                    {drawn}
                </div>
            }
        })
    }
}

/// Left, top, width and height of what lies between two corners.
fn edges([one, other]: [(f64, f64); 2]) -> (f64, f64, f64, f64) {
    let (left, top) = (one.0.min(other.0), one.1.min(other.1));
    (left, top, (one.0 - other.0).abs(), (one.1 - other.1).abs())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "pixels of a page are far below 2⁵³"
)]
fn captured([x, y, w, h]: [f64; 4]) -> PageBox {
    PageBox {
        x: x.floor() as i64,
        y: y.floor() as i64,
        w: w.ceil().max(1.0) as i64,
        h: h.ceil().max(1.0) as i64,
    }
}
