//! A change in two small pictures, before and after, for lists.

use leptos::prelude::*;
use pentimento_api::review::RegionCrops;

use crate::components::icon::{Glyph, Icon};

/// The region that changed most, as it was and as it is; where no pixels changed, the page.
///
/// The pictures say nothing that the words beside them do not say, so readers of the screen are spared them.
#[component]
pub(crate) fn ChangePictures(
    crops: Option<RegionCrops>,
    thumbnail_url: Option<String>,
) -> impl IntoView {
    let picture = |url: Option<String>, absent: &'static str| {
        let shown = match url {
            Some(url) => {
                view! { <img src=url alt="" loading="lazy" decoding="async" /> }.into_any()
            }
            None => view! { <span>{absent}</span> }.into_any(),
        };
        view! { <span class="change-picture">{shown}</span> }
    };
    match crops {
        Some(crops) => view! {
            <span class="change-pictures" aria-hidden="true" data-testid="change-pictures">
                {picture(crops.baseline_url, "new")}
                <Icon glyph=Glyph::ArrowRight />
                {picture(crops.current_url, "gone")}
            </span>
        }
        .into_any(),
        None => view! {
            <span class="change-pictures" aria-hidden="true">
                <span class="change-picture is-page">
                    {thumbnail_url.map(|url| view! { <img src=url alt="" loading="lazy" decoding="async" /> })}
                </span>
            </span>
        }
        .into_any(),
    }
}
