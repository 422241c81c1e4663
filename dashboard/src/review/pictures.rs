//! Whether the captures that the canvas shows are there to be seen. Without its picture a page looks like an empty one, and nobody
//! is to approve what they have not seen.

use std::collections::HashMap;

use futures::future::{join_all, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::review::ReviewItem;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlImageElement;

use crate::review::arrange::{self, Side};
use crate::review::decide;
use crate::review::mode::Mode;
use crate::review::state::Review;
use crate::task::spawn_scoped;

/// Captures that were read ahead come up sooner. An approval waits so long for its page's, and then the canvas says that they are
/// on their way.
const MOMENT_MS: u32 = 150;
/// A capture that has loaded is not waited for longer than this: it is painted as soon as the browser has decoded it.
const DECODING_MS: u32 = 1_000;

/// What has become of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    There,
    /// It cannot be loaded, which the canvas says.
    Lost,
}

/// The captures that the canvas shows; copies name the same ones.
#[derive(Clone, Copy)]
pub(crate) struct Pictures {
    /// What has become of them, by their addresses; those that are on their way are missing.
    fates: RwSignal<HashMap<String, Fate>>,
    /// A moment has passed since they were asked for.
    is_late: RwSignal<bool>,
    /// Their page was approved before they were there.
    is_approved: RwSignal<bool>,
}

impl Pictures {
    pub(crate) fn new() -> Self {
        Self {
            fates: RwSignal::new(HashMap::new()),
            is_late: RwSignal::new(false),
            is_approved: RwSignal::new(false),
        }
    }

    /// Whether a capture is there to be seen.
    pub(crate) fn is_there(self, url: &str) -> bool {
        (self.fates).with(|fates| fates.get(url) == Some(&Fate::There))
    }

    /// Whether it may still come.
    fn is_awaited(self, url: &str) -> bool {
        self.fates.with(|fates| !fates.contains_key(url))
    }

    /// Takes note that their page is to be approved, which waits for them a moment.
    pub(crate) fn approve_when_there(self) {
        self.is_approved.set(true);
    }

    /// Lets go of such an approval: something else was asked for since.
    pub(crate) fn forget_approval(self) {
        self.is_approved.set(false);
    }
}

impl Review {
    /// Whether a capture that the canvas shows may still come.
    pub(crate) fn awaits_pictures(self) -> bool {
        let with_mask = self.is_nothing_without_mask();
        self.shown.with(|item| {
            let mut urls = item.iter().flat_map(|item| addresses(item, with_mask));
            urls.any(|url| self.pictures.is_awaited(url))
        })
    }

    /// Whether a page without its mask looks as if nothing had changed.
    fn is_nothing_without_mask(self) -> bool {
        self.effective_mode() == Mode::Difference
    }

    /// Whether the capture of a side takes so long that it is told.
    pub(crate) fn is_picture_late(self, side: Side) -> bool {
        let is_awaited = self.shown.with(|item| {
            let picture = item.as_ref().and_then(|item| arrange::picture(item, side));
            picture.is_some_and(|picture| self.pictures.is_awaited(&picture.url))
        });
        is_awaited && self.pictures.is_late.get()
    }

    /// Whether somebody approved the page and nothing came of it, since its captures are not there.
    pub(crate) fn was_approved_unseen(self) -> bool {
        self.pictures.is_approved.get() && self.pictures.is_late.get() && self.awaits_pictures()
    }
}

/// Follows the captures of each page that comes up. To be called once, by the review page.
pub(crate) fn follow(review: Review) {
    let pictures = review.pictures;
    let wanted = Memo::new(move |_| {
        let with_mask = review.is_nothing_without_mask();
        review.shown.with(|item| {
            let item = item.as_ref()?;
            let urls: Vec<String> = addresses(item, with_mask).map(str::to_owned).collect();
            Some((item.result.result_id, urls))
        })
    });
    Effect::new(move |_| {
        let urls = wanted.get().map_or_else(Vec::new, |(_, urls)| urls);
        pictures.is_late.set(false);
        pictures.is_approved.set(false);
        pictures
            .fates
            .update(|fates| fates.retain(|url, _| urls.contains(url)));
        if urls.is_empty() {
            return;
        }
        spawn_scoped(async move {
            TimeoutFuture::new(MOMENT_MS).await;
            pictures.is_late.set(true);
        });
        spawn_scoped(async move {
            let looks = urls.into_iter().map(|url| async move {
                let fate = fate(&url).await;
                pictures.fates.update(|fates| {
                    fates.insert(url, fate);
                });
            });
            join_all(looks).await;
            let is_due = pictures.is_approved.get_untracked() && !pictures.is_late.get_untracked();
            pictures.is_approved.set(false);
            if is_due {
                decide::approve(review);
            }
        });
    });
}

/// Where the captures of a page are to be loaded, and its mask when that is looked at alone.
fn addresses(item: &ReviewItem, with_mask: bool) -> impl Iterator<Item = &str> {
    let sides = [Side::Baseline, Side::Current].into_iter();
    let captures = sides.filter_map(move |side| arrange::picture(item, side));
    let mask = item.mask_url.as_deref().filter(move |_| with_mask);
    captures.map(|picture| picture.url.as_str()).chain(mask)
}

/// Waits until a picture can be painted, or is lost. Elements on the screen come and go with the arrangement of the page; this
/// one is loaded with them, once.
async fn fate(url: &str) -> Fate {
    let Ok(image) = HtmlImageElement::new() else {
        return Fate::There;
    };
    image.set_src(url);
    // It may be refused for other reasons than that it is lost, such as its size.
    let decoded = JsFuture::from(image.decode());
    let loaded = std::pin::pin!(async {
        loop {
            TimeoutFuture::new(DECODING_MS).await;
            if image.complete() {
                return;
            }
        }
    });
    select(decoded, loaded).await;
    if image.natural_width() > 0 {
        Fate::There
    } else {
        Fate::Lost
    }
}
