//! One capture of a sheet in its pieces, with what is drawn over it: gaps, mask, regions.

use leptos::prelude::*;
use pentimento_api::comparison::Region;
use pentimento_api::picture::Picture;
use pentimento_api::result::Box as PageBox;

use crate::review::arrange::{self, Arrangement, Gap, Piece, Side};
use crate::review::masking::use_masking;
use crate::review::quiet;
use crate::review::state::{Lost, Review, use_review};

/// The height of a region's letter, as in `review.css`, and on captures that are shown small, as in `canvas.css`.
const LETTER_PX: f64 = 20.0;
const SMALL_LETTER_PX: f64 = 14.0;
/// Screen pixels for a captured pixel below which letters are small: of full size they would hide lines of text.
const SMALL: f64 = 0.5;
/// The width of a character of a region's letter, at most, and of what is around them.
const CHARACTER_PX: f64 = 9.0;
const LETTER_PADDING_PX: f64 = 10.0;
/// A gap lower than this on the screen has no room for its caption, whose line is a little higher.
const CAPTION_PX: f64 = 12.0;

/// One capture with what is drawn over it.
#[component]
pub(super) fn Layer(side: Side) -> impl IntoView {
    view! {
        <Capture side />
        <Awaited side />
        <div class="marks">
            <Gaps side />
            <MaskLayer side />
            {(side == Side::Current).then(|| view! { <Masked /> })}
            <Regions side />
        </div>
    }
}

/// One picture in its pieces. A new picture is a new element: one that is given another address shows its former
/// picture until the new one is there, which would be the page before under this page's name.
#[component]
fn Capture(side: Side) -> impl IntoView {
    let review = use_review();
    let shown = Memo::new(move |_| {
        let arrangement = review.arrangement();
        review.shown.with(|item| {
            let item = item.as_ref()?;
            let picture = arrange::picture(item, side)?.clone();
            Some((picture, arrange::picture_pieces(item, side, arrangement)))
        })
    });
    let name = move || match side {
        Side::Baseline => review.names().left,
        Side::Current => review.names().right,
    };
    let draw = move |picture: Picture| {
        let (width, height) = (f64::from(picture.width), f64::from(picture.height));
        let url = picture.url.clone();
        let own_url = picture.url.clone();
        let is_there = move || review.pictures.is_there(&own_url);
        let pieces = move || {
            let (_, pieces) = shown.get().filter(|(shown, _)| shown.url == picture.url)?;
            let pieces = pieces.into_iter().map(|piece| {
                let frame = Frame { review, piece };
                let url = url.clone();
                view! {
                    <div
                        class="piece"
                        style:left=move || frame.left()
                        style:top=move || frame.top()
                        style:width=move || frame.width()
                        style:height=move || frame.height()
                    >
                        <img
                            class="capture"
                            src=url
                            alt=""
                            draggable="false"
                            decoding="async"
                            style:left=move || frame.source_left()
                            style:top=move || frame.source_top()
                            style:width=move || frame.scaled(width)
                            style:height=move || frame.scaled(height)
                            on:error=move |_| review.note_lost(Lost::Capture)
                        />
                    </div>
                }
            });
            Some(pieces.collect_view())
        };
        view! { <div role="img" class:is-there=is_there aria-label=name>{pieces}</div> }
    };
    let picture = move || shown.get().map(|(picture, _)| picture);
    view! { <For each=picture key=|picture| picture.url.clone() children=draw /> }
}

/// Stands in the place of a capture that takes longer to come.
#[component]
fn Awaited(side: Side) -> impl IntoView {
    let review = use_review();
    let is_late = Memo::new(move |_| review.is_picture_late(side));
    move || {
        is_late.get().then(|| {
            view! {
                <p class="picture-awaited" data-testid="picture-awaited"><span>"Loading the picture…"</span></p>
            }
        })
    }
}

/// A piece in screen pixels. Its edges are rounded, not its extent, so that neighbours leave no gap between them.
#[derive(Clone, Copy)]
struct Frame {
    review: Review,
    piece: Piece,
}

impl Frame {
    fn at(self, pixels: u32) -> f64 {
        (f64::from(pixels) * self.review.ratio()).round()
    }

    fn scaled(self, pixels: f64) -> String {
        format!("{}px", (pixels * self.review.ratio()).round())
    }

    fn left(self) -> String {
        format!("{}px", self.at(self.piece.to.0))
    }

    fn top(self) -> String {
        format!("{}px", self.at(self.piece.to.1))
    }

    fn width(self) -> String {
        let (left, width) = (self.piece.to.0, self.piece.width);
        format!("{}px", self.at(left + width) - self.at(left))
    }

    fn height(self) -> String {
        format!("{}px", self.height_px())
    }

    fn height_px(self) -> f64 {
        let (top, rows) = (self.piece.to.1, self.piece.rows);
        self.at(top + rows) - self.at(top)
    }

    /// First screen row of the source that shows nothing from above the piece, and how many show nothing from below it.
    fn rows_within(self) -> (f64, f64) {
        let edge = |rows: u32| f64::from(rows) * self.review.ratio();
        let top = edge(self.piece.from.1).ceil();
        let bottom = edge(self.piece.from.1 + self.piece.rows).floor();
        (top, (bottom - top).max(1.0).min(self.height_px()))
    }

    fn source_left(self) -> String {
        format!("{}px", -self.at(self.piece.from.0))
    }

    fn source_top(self) -> String {
        format!("{}px", -self.at(self.piece.from.1))
    }
}

/// Rows that this capture lacks, so that both stand beside each other row by row.
#[component]
fn Gaps(side: Side) -> impl IntoView {
    let review = use_review();
    let gaps = Memo::new(move |_| {
        let arrangement = review.arrangement();
        review.shown.with(|item| {
            item.as_ref()
                .map_or_else(Vec::new, |item| arrange::gaps(item, side, arrangement))
        })
    });
    let gap = move |Gap { piece, caption }: Gap| {
        let frame = Frame { review, piece };
        let title = caption.clone();
        view! {
            <div
                class="gap"
                class:gap-of-current=side == Side::Current
                aria-hidden="true"
                title=title
                data-testid="gap"
                style:left=move || frame.left()
                style:top=move || frame.top()
                style:width=move || frame.width()
                style:height=move || frame.height()
            >
                <span class="gap-caption" class:hidden=move || frame.height_px() < CAPTION_PX>{caption}</span>
            </div>
        }
    };
    move || gaps.get().into_iter().map(gap).collect_view()
}

/// The changed pixels in the reader's colour; the stripes tell them without any colour.
#[component]
fn MaskLayer(side: Side) -> impl IntoView {
    let review = use_review();
    let look = review.shared.mask_look;
    let mask = Memo::new(move |_| {
        let arrangement = review.arrangement();
        review.shown.with(|item| {
            let item = item.as_ref()?;
            let url = item.mask_url.clone()?;
            let size = (
                f64::from(item.compared_width),
                f64::from(item.compared_height),
            );
            let pieces = arrange::mask_pieces(item, side, arrangement);
            let is_cut = arrangement == Arrangement::Raw;
            Some((url, size, pieces, is_cut))
        })
    });
    move || {
        let (url, (width, height), pieces, is_cut) = mask.get().filter(|_| review.mask_shows())?;
        let image = format!("url(\"{}\")", url.replace('"', "%22"));
        let draw = move |piece| {
            let frame = Frame { review, piece };
            // The rows next to a cut belong elsewhere.
            let cut = move || is_cut.then(|| frame.rows_within());
            view! {
                <div
                    class="mask-layer"
                    data-testid="mask-layer"
                    style:left=move || frame.left()
                    style:top=move || frame.top()
                    style:width=move || frame.width()
                    style:height=move || format!("{}px", cut().map_or(frame.height_px(), |(_, rows)| rows))
                    style:mask-image=image.clone()
                    style:mask-size=move || format!("{} {}", frame.scaled(width), frame.scaled(height))
                    style:mask-position=move || {
                        let top = cut().map_or_else(|| frame.source_top(), |(top, _)| format!("-{top}px"));
                        format!("{} {top}", frame.source_left())
                    }
                    style=("--mask-color", move || look.with(|look| look.color.clone()))
                    style:opacity=move || look.with(|look| (f64::from(look.opacity_percent) / 100.0).to_string())
                ></div>
            }
        };
        // Styles do not tell when their picture fails; an element does, and the picture is loaded once for both.
        let probe = view! { <img class="hidden" src=url alt="" on:error=move |_| review.note_lost(Lost::Mask) /> };
        Some((probe, pieces.into_iter().map(draw).collect_view()))
    }
}

/// What the mask would hide that is being tried out.
#[component]
fn Masked() -> impl IntoView {
    let (review, masking) = (use_review(), use_masking());
    let places = Memo::new(move |_| {
        let arrangement = review.arrangement();
        let hidden = masking.hidden();
        review.shown.with(|item| {
            item.as_ref().map_or_else(Vec::new, |item| {
                let place = |place| arrange::current_box(item, place, arrangement);
                hidden.into_iter().map(place).collect()
            })
        })
    });
    let px = move |pixels: i64| format!("{}px", (pixels as f64 * review.ratio()).round());
    move || {
        let places = places.get().into_iter().map(|place| {
            view! {
                <div
                    class="masked-place"
                    data-testid="masked-place"
                    aria-hidden="true"
                    style:left=move || px(place.x)
                    style:top=move || px(place.y)
                    style:width=move || px(place.w)
                    style:height=move || px(place.h)
                ></div>
            }
        });
        places.collect_view()
    }
}

/// Outlines in screen space: as thin at 800 % as at 10 %.
#[component]
fn Regions(side: Side) -> impl IntoView {
    let review = use_review();
    let regions = Memo::new(move |_| {
        let arrangement = review.arrangement();
        let outlined = |(index, (region, recedes)): (usize, (&Region, bool))| {
            Some(Outlined {
                index,
                label: region.label.clone(),
                area: arrange::region_box(region, side, arrangement)?,
                is_loose: region.loose_rows.is_some(),
                recedes,
            })
        };
        review.shown.with(|item| -> Vec<Outlined> {
            let regions = item.iter().flat_map(|item| {
                let receding = quiet::receding(item);
                item.regions.iter().zip(receding).enumerate()
            });
            regions.filter_map(outlined).collect()
        })
    });
    move || {
        let outlines = regions.get().into_iter();
        outlines
            .map(|region| outline(review, region))
            .collect_view()
    }
}

/// Where a region's letter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Above,
    Left,
    Below,
    Inside,
}

/// A region as it is drawn.
#[derive(Debug, Clone, PartialEq)]
struct Outlined {
    index: usize,
    label: String,
    area: PageBox,
    /// Whether it gathers rows that lie apart.
    is_loose: bool,
    /// Whether it is less than others are.
    recedes: bool,
}

fn outline(review: Review, region: Outlined) -> impl IntoView {
    let Outlined {
        index,
        label,
        area,
        is_loose,
        recedes,
    } = region;
    let px = move |pixels: i64| format!("{}px", (pixels as f64 * review.ratio()).round());
    let letters = label.chars().count() as f64;
    let is_small = move || review.ratio() < SMALL;
    // The letter stands where it covers nothing of its region: above it, or beside or below it where it would leave the page.
    let place = Memo::new(move |_| {
        let (ratio, (_, height)) = (review.ratio(), review.ground());
        let letter_px = if is_small() {
            SMALL_LETTER_PX
        } else {
            LETTER_PX
        };
        if area.y as f64 * ratio >= letter_px {
            Place::Above
        } else if area.x as f64 * ratio >= letters * CHARACTER_PX + LETTER_PADDING_PX {
            Place::Left
        } else if (height - (area.y + area.h) as f64) * ratio >= letter_px {
            Place::Below
        } else {
            Place::Inside
        }
    });
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
            class:hidden=move || review.peeking.get() || review.regions_hidden.get()
            class:is-current=move || jumps().is_some()
            class:is-small=is_small
            class:is-loose=is_loose
            class:recedes=recedes
            class:letter-left=move || place.get() == Place::Left
            class:letter-below=move || place.get() == Place::Below
            class:letter-inside=move || place.get() == Place::Inside
            class:pulse-odd=move || jumps().is_some_and(|count| count % 2 == 1)
            class:pulse-even=move || jumps().is_some_and(|count| count % 2 == 0)
            aria-hidden="true"
            style:left=move || px(area.x)
            style:top=move || px(area.y)
            style:width=move || px(area.w)
            style:height=move || px(area.h)
        >
            <span class="region-letter">{label}</span>
        </div>
    }
}
