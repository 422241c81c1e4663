//! The minimap: the whole page in a narrow rail, with its changes, to see where one is and to go elsewhere.

use leptos::html;
use leptos::prelude::*;
use web_sys::PointerEvent;

use crate::review::state::use_review;
use crate::review::view;

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
    let picture = Memo::new(move |_| {
        review.item.with(|item| {
            let item = item.as_ref()?;
            item.current
                .as_ref()
                .or(item.baseline.as_ref())
                .map(|picture| {
                    let (_, height) = view::ground(item);
                    (
                        picture.url.clone(),
                        f64::from(picture.height) / height.max(1.0),
                    )
                })
        })
    });
    let proportion = move || {
        review.item.with(|item| {
            item.as_ref().map(|item| {
                let (width, height) = view::ground(item);
                format!("{width} / {}", height * MAX_STRETCH)
            })
        })
    };
    let ticks = move || {
        let item = review.item.get()?;
        let (_, height) = view::ground(&item);
        let ticks = item.regions.iter().enumerate().map(|(index, region)| {
            let top = region.area.y as f64 * 100.0 / height.max(1.0);
            let extent = region.area.h as f64 * 100.0 / height.max(1.0);
            view! {
                <span
                    class="minimap-tick"
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
                {move || picture.get().map(|(url, share)| view! {
                    <img class="minimap-picture" src=url alt="" draggable="false" style:height=format!("{}%", share * 100.0) />
                })}
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
