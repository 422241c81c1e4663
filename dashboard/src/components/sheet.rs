//! A page on the canvas: its captures on one ground, the mask and the regions over them.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::review::{Picture, Region};
use web_sys::PointerEvent;

use crate::review::state::{Review, use_review};
use crate::review::view;

/// One press of an arrow key moves the divider by this part of the width, in percent.
const DIVIDER_STEP: f64 = 2.0;
/// The height of a region's letter, as in `review.css`.
const LETTER_PX: f64 = 20.0;

/// Which capture a sheet shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Baseline,
    Current,
    /// The current capture, pale, so that the mask stands out.
    Faded,
    /// The baseline left of the divider, the current capture right of it.
    Split,
}

/// The page at the zoom in effect.
#[component]
pub(crate) fn Sheet(face: Signal<Face>) -> impl IntoView {
    let review = use_review();
    let node = NodeRef::<html::Div>::new();
    let split = RwSignal::new(50.0_f64);
    let ground = Memo::new(move |_| {
        review
            .item
            .with(|item| item.as_ref().map_or((0.0, 0.0), |item| view::ground(item)))
    });
    let px = move |pixels: f64| format!("{}px", (pixels * review.ratio()).round());
    let baseline = Memo::new(move |_| {
        review
            .item
            .with(|item| item.as_ref().and_then(|item| item.baseline.clone()))
    });
    let current = Memo::new(move |_| {
        review
            .item
            .with(|item| item.as_ref().and_then(|item| item.current.clone()))
    });
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
            <div class="layer" class:hidden=move || !shows_current() class:faded=move || face.get() == Face::Faded>
                <Capture picture=current name="Current capture" />
            </div>
            <div
                class="layer"
                class:hidden=move || !shows_baseline()
                style:clip-path=move || match face.get() {
                    Face::Split => format!("inset(0 {}% 0 0)", 100.0 - split.get()),
                    Face::Baseline | Face::Current | Face::Faded => "none".to_owned(),
                }
            >
                <Capture picture=baseline name="Baseline" />
            </div>
            <MaskLayer />
            <Regions />
            {move || (face.get() == Face::Split).then(|| view! { <Divider split sheet=node /> })}
        </div>
    }
}

/// One picture. A new picture is a new element, so that the page before never shows in its place.
#[component]
fn Capture(picture: Memo<Option<Picture>>, name: &'static str) -> impl IntoView {
    let review = use_review();
    move || {
        picture.get().map(|picture| {
            let (width, height) = (f64::from(picture.width), f64::from(picture.height));
            view! {
                <img
                    class="capture"
                    src=picture.url
                    alt=name
                    draggable="false"
                    decoding="async"
                    style:width=move || format!("{}px", (width * review.ratio()).round())
                    style:height=move || format!("{}px", (height * review.ratio()).round())
                    on:error=move |_| review.picture_lost.set(review.id.get_untracked())
                />
            }
        })
    }
}

/// The changed pixels in the reader's colour; the stripes tell them without any colour.
#[component]
fn MaskLayer() -> impl IntoView {
    let review = use_review();
    let look = review.shared.mask_look;
    let mask = Memo::new(move |_| {
        review.item.with(|item| {
            let item = item.as_ref()?;
            let url = item.mask_url.as_ref()?.replace('"', "%22");
            Some((
                format!("url(\"{url}\")"),
                f64::from(item.compared_width),
                f64::from(item.compared_height),
            ))
        })
    });
    move || {
        let (image, width, height) = mask.get().filter(|_| review.mask_shows())?;
        Some(view! {
            <div
                class="mask-layer"
                data-testid="mask-layer"
                style:width=move || format!("{}px", (width * review.ratio()).round())
                style:height=move || format!("{}px", (height * review.ratio()).round())
                style:mask-image=image
                style=("--mask-color", move || look.with(|look| look.color.clone()))
                style:opacity=move || look.with(|look| (f64::from(look.opacity_percent) / 100.0).to_string())
            ></div>
        })
    }
}

/// Outlines in screen space: as thin at 800 % as at 10 %.
#[component]
fn Regions() -> impl IntoView {
    let review = use_review();
    let regions = Memo::new(move |_| {
        review.item.with(|item| {
            item.as_ref()
                .map_or_else(Vec::new, |item| item.regions.clone())
        })
    });
    move || {
        let outlines = regions.get().into_iter().enumerate();
        outlines
            .map(|(index, region)| outline(review, index, region))
            .collect_view()
    }
}

fn outline(review: Review, index: usize, region: Region) -> impl IntoView {
    let px = move |pixels: i64| format!("{}px", (pixels as f64 * review.ratio()).round());
    let area = region.area;
    // The letter stands above the region, where it covers nothing of it, unless it would leave the page.
    let is_at_top = move || (area.y as f64) * review.ratio() < LETTER_PX;
    let jumps = move || {
        review
            .jump
            .get()
            .filter(|jump| jump.region == index)
            .map(|jump| jump.count)
    };
    view! {
        <div
            class="region"
            class:hidden=move || review.peeking.get()
            class:is-current=move || jumps().is_some()
            class:at-top=is_at_top
            class:pulse-odd=move || jumps().is_some_and(|count| count % 2 == 1)
            class:pulse-even=move || jumps().is_some_and(|count| count % 2 == 0)
            aria-hidden="true"
            style:left=move || px(area.x)
            style:top=move || px(area.y)
            style:width=move || px(area.w)
            style:height=move || px(area.h)
        >
            <span class="region-letter">{region.label}</span>
        </div>
    }
}

#[component]
fn Divider(split: RwSignal<f64>, sheet: NodeRef<html::Div>) -> impl IntoView {
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
            aria-label="Divider between baseline and current"
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
