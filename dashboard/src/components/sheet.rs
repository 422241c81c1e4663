//! A page on the canvas: its two captures on one ground, one over the other, with a divider between them.

mod draw;
mod layer;

use leptos::html;
use leptos::prelude::*;
use web_sys::PointerEvent;

use crate::components::sheet::draw::DrawLayer;
use crate::components::sheet::layer::Layer;
use crate::review::arrange::Side;
use crate::review::state::use_review;

/// One press of an arrow key moves the divider by this part of the width, in percent.
const DIVIDER_STEP: f64 = 2.0;

/// Which capture a sheet shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Baseline,
    Current,
    /// The current capture, pale, so that the mask stands out.
    Faded,
    /// The current capture, hardly to be seen: the mask alone counts.
    Washed,
    /// The baseline left of the divider, the current capture right of it.
    Split,
}

/// The page at the zoom in effect.
#[component]
pub(crate) fn Sheet(face: Signal<Face>) -> impl IntoView {
    let review = use_review();
    let node = NodeRef::<html::Div>::new();
    let split = RwSignal::new(50.0_f64);
    let ground = Memo::new(move |_| review.ground());
    let px = move |pixels: f64| format!("{}px", (pixels * review.ratio()).round());
    // Enlarged pixels are shown as they are.
    let is_enlarged = move || review.ratio() >= 2.0;
    let shows_baseline = move || matches!(face.get(), Face::Baseline | Face::Split);
    let shows_current = move || !matches!(face.get(), Face::Baseline);
    view! {
        <div
            class="sheet"
            class:pixelated=is_enlarged
            node_ref=node
            style:width=move || px(ground.get().0)
            style:height=move || px(ground.get().1)
        >
            <div
                class="layer"
                class:hidden=move || !shows_current()
                class:faded=move || face.get() == Face::Faded
                class:washed=move || face.get() == Face::Washed
            >
                <Layer side=Side::Current />
            </div>
            <div
                class="layer"
                class:hidden=move || !shows_baseline()
                style:clip-path=move || match face.get() {
                    Face::Split => format!("inset(0 {}% 0 0)", 100.0 - split.get()),
                    Face::Baseline | Face::Current | Face::Faded | Face::Washed => "none".to_owned(),
                }
            >
                <Layer side=Side::Baseline />
            </div>
            {move || (face.get() == Face::Split).then(|| view! { <Divider split sheet=node /> })}
            <DrawLayer face split />
        </div>
    }
}

#[component]
fn Divider(split: RwSignal<f64>, sheet: NodeRef<html::Div>) -> impl IntoView {
    let review = use_review();
    let handle = NodeRef::<html::Div>::new();
    let follow = move |event: &PointerEvent| {
        let Some(sheet) = sheet.get_untracked() else {
            return;
        };
        let area = sheet.get_bounding_client_rect();
        let at = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0) * 100.0;
        split.set(at.clamp(0.0, 100.0));
    };
    view! {
        <div
            class="divider"
            node_ref=handle
            role="slider"
            tabindex="0"
            aria-label=move || format!("Divider between {} and {}", review.names().left, review.names().right)
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=move || format!("{:.0}", split.get())
            data-testid="divider"
            style:left=move || format!("{}%", split.get())
            on:pointerdown=move |event| {
                event.prevent_default();
                if let Some(handle) = handle.get_untracked() {
                    // Without capture the divider is still followed while the pointer is over it.
                    let _ = handle.set_pointer_capture(event.pointer_id());
                    let _ = handle.focus();
                }
                follow(&event);
            }
            on:pointermove=move |event| {
                if event.buttons() & 1 == 1 {
                    follow(&event);
                }
            }
            on:keydown=move |event| {
                let at = split.get_untracked();
                let to = match event.key().as_str() {
                    "ArrowLeft" => at - DIVIDER_STEP,
                    "ArrowRight" => at + DIVIDER_STEP,
                    "Home" => 0.0,
                    "End" => 100.0,
                    _ => return,
                };
                event.prevent_default();
                split.set(to.clamp(0.0, 100.0));
            }
        >
            <span class="divider-knob"></span>
        </div>
    }
}
