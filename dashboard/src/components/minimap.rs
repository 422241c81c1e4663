//! The minimap: the whole page in a narrow rail, with its changes, to see where one is and to go elsewhere.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::picture::Picture;
use web_sys::PointerEvent;

use crate::review::arrange::{self, Piece, Side};
use crate::review::quiet;
use crate::review::state::use_review;

/// The page is drawn up to this much too tall: places are easier to hit, and it is still the same page.
const MAX_STRETCH: f64 = 3.0;

/// The rail. The region list does the same for the keyboard and for screen readers, so that it is hidden from them.
#[component]
pub(crate) fn Minimap() -> impl IntoView {
    let review = use_review();
    let map = NodeRef::<html::Div>::new();
    let seek = move |event: &PointerEvent| {
        let Some(map) = map.get_untracked() else {
            return;
        };
        let area = map.get_bounding_client_rect();
        let at = (f64::from(event.client_y()) - area.top()) / area.height().max(1.0);
        review.seek.set(Some(at.clamp(0.0, 1.0)));
    };
    let ground = Memo::new(move |_| review.ground());
    let picture = Memo::new(move |_| {
        let arrangement = review.arrangement();
        review.shown.with(|item| {
            let item = item.as_ref()?;
            let side = if item.current.is_some() {
                Side::Current
            } else {
                Side::Baseline
            };
            let picture = arrange::picture(item, side)?.clone();
            Some((picture, arrange::picture_pieces(item, side, arrangement)))
        })
    });
    // A new picture is a new element, so that the page before never shows in its place.
    let pieces = move |shown: Picture| {
        move || {
            let (_, pieces) = picture
                .get()
                .filter(|(picture, _)| picture.url == shown.url)?;
            let (width, height) = ground.get();
            let pieces = pieces
                .into_iter()
                .map(|piece| thumbnail(&shown, piece, (width, height)));
            Some(pieces.collect_view())
        }
    };
    let pictures = move || picture.get().map(|(picture, _)| picture);
    let proportion = move || {
        let (width, height) = ground.get();
        format!("{width} / {}", height * MAX_STRETCH)
    };
    let ticks = move || {
        let item = review.shown.get()?;
        let arrangement = review.arrangement();
        let (_, height) = ground.get();
        let regions = item.regions.iter().enumerate().zip(quiet::receding(&item));
        let ticks = regions.map(|((index, region), recedes)| {
            let area = arrange::place(region, arrangement);
            let top = area.y as f64 * 100.0 / height.max(1.0);
            let extent = area.h as f64 * 100.0 / height.max(1.0);
            let is_loose = region.loose_rows.is_some();
            view! {
                <span
                    class="minimap-tick"
                    class:is-loose=is_loose
                    class:recedes=recedes
                    class:is-current=move || review.jump.get().is_some_and(|jump| jump.region == index)
                    style:top=format!("{top}%")
                    style:height=format!("{extent}%")
                ></span>
            }
        });
        Some(ticks.collect_view())
    };
    view! {
        <div class="minimap" aria-hidden="true" data-testid="minimap">
            <div
                class="minimap-map"
                class:hidden=move || picture.with(Option::is_none)
                node_ref=map
                style:aspect-ratio=proportion
                on:pointerdown=move |event| {
                    event.prevent_default();
                    if let Some(map) = map.get_untracked() {
                        // Without capture dragging works as long as the pointer stays on the rail.
                        let _ = map.set_pointer_capture(event.pointer_id());
                    }
                    seek(&event);
                }
                on:pointermove=move |event| {
                    if event.buttons() & 1 == 1 {
                        seek(&event);
                    }
                }
            >
                <For each=pictures key=|picture| picture.url.clone() children=pieces />
                {ticks}
                <span
                    class="minimap-window"
                    style:top=move || format!("{}%", review.window.get().top * 100.0)
                    style:height=move || format!("{}%", (review.window.get().height * 100.0).min(100.0))
                ></span>
            </div>
        </div>
    }
}

/// A piece of the picture, all measures in percent of the rail.
fn thumbnail(
    picture: &Picture,
    piece: Piece,
    (width, height): (f64, f64),
) -> impl IntoView + use<> {
    let share = |part: u32, whole: f64| format!("{}%", f64::from(part) * 100.0 / whole.max(1.0));
    let (columns, rows) = (f64::from(piece.width), f64::from(piece.rows));
    view! {
        <div
            class="piece"
            style:left=share(piece.to.0, width)
            style:top=share(piece.to.1, height)
            style:width=share(piece.width, width)
            style:height=share(piece.rows, height)
        >
            <img
                class="minimap-picture"
                src=picture.url.clone()
                alt=""
                draggable="false"
                style:left=format!("-{}", share(piece.from.0, columns))
                style:top=format!("-{}", share(piece.from.1, rows))
                style:width=share(picture.width, columns)
                style:height=share(picture.height, rows)
            />
        </div>
    }
}
