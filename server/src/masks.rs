//! Trying out a mask on what a job found, before it becomes one of the project's. Nothing is stored.
//!
//! A mask hides elements in both captures and keeps their place. So a page would be without a change when every changed pixel
//! lies in what the mask hides, on both sides, and when the documents have no change left once those elements say nothing.

mod look;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use pentimento_api::mask::{CaptureSide, MaskQuestion, MaskSuggestion, MaskTrial, TriedMask};
use pentimento_api::result::Box as PageBox;
use pentimento_api::review::Outcome;
use pentimento_compute::{Rect, Size, count_covered};
use pentimento_document::{Area, Document, Selector};

use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;
use crate::db::results::lists::ResultFilter;
use crate::error::{Error, Result};
use crate::jobs::checks::check_mask;
use crate::turn::{Turn, in_turn};
use look::{Documents, Look, look, pixels, read_documents};

/// Time for all of it.
const BUDGET: Duration = Duration::from_secs(5);

/// Changed results that are looked at.
const MAX_CHANGED: u64 = 500;

/// Those that are looked at beside each other.
const AT_ONCE: i64 = 4;

/// Places that are told.
const MAX_HIDDEN: usize = 1_000;

/// No capture is longer, in pixels.
const MAX_COORDINATE: i64 = 10_000_000;

/// Suggests selectors for a place, or tries out a selector on the changed results of the result's job.
///
/// # Errors
/// 400 when nothing or both are asked, when the selector is none or asks for more than documents tell, and when the result has
/// no documents.
pub(crate) async fn try_mask(
    app: &App,
    result: &ResultRow,
    question: MaskQuestion,
) -> Result<MaskTrial> {
    let begun = Instant::now();
    let asked = match (question.place, question.selector) {
        (Some(place), None) => Asked::Place(check_place(place)?, question.side.unwrap_or_default()),
        (None, Some(selector)) => Asked::Selector(parse(&selector)?, selector),
        _ => {
            return Err(Error::invalid(
                "Send either `box`, the place to be masked, or `selector`, the mask to be tried out.",
            ));
        }
    };
    let left = || BUDGET.saturating_sub(begun.elapsed());
    let turn = app.previews.clone().acquire_owned();
    let Ok(turn) = tokio::time::timeout(left(), turn).await else {
        return Err(Error::RateLimited {
            message: "Too many masks and previews are being tried out at once; ask again."
                .to_owned(),
            retry_after_seconds: BUDGET.as_secs(),
        });
    };
    let turn = Arc::new(turn.map_err(anyhow::Error::from)?);
    let documents = read_documents(app, result, &turn).await?.ok_or_else(|| {
        Error::invalid_state(
            "This result has no two documents in which elements could be found; its pictures alone are there.",
        )
    })?;
    let page = page_of(app, result).await?;
    let Begun { suggestions, tried } = begin(documents, asked, page, &turn).await?;
    let tried = match tried {
        None => None,
        Some(hiding) => {
            let tally = tally(app, &result.job_id, &hiding.parsed, begun, &turn).await?;
            Some(TriedMask {
                selector: hiding.selector,
                changed: tally.changed,
                matched: tally.matched,
                settled: tally.settled,
                complete: tally.complete,
                blind_percentage: hiding.share,
                hidden: hiding.places.into_iter().take(MAX_HIDDEN).collect(),
            })
        }
    };
    Ok(MaskTrial { suggestions, tried })
}

/// What is asked.
enum Asked {
    Place(PageBox, CaptureSide),
    Selector(Selector, String),
}

/// What the result itself tells: suggestions, and the selector to be tried out with what it hides.
struct Begun {
    suggestions: Vec<MaskSuggestion>,
    tried: Option<Hiding>,
}

/// What a selector hides of the result's current capture.
struct Hiding {
    parsed: Selector,
    selector: String,
    places: Vec<PageBox>,
    /// In percent of its pixels.
    share: f64,
}

fn check_place(place: PageBox) -> Result<PageBox> {
    let on_page = 0..=MAX_COORDINATE;
    let is_extent = 1..=MAX_COORDINATE;
    if [place.x, place.y]
        .iter()
        .all(|value| on_page.contains(value))
        && [place.w, place.h]
            .iter()
            .all(|value| is_extent.contains(value))
    {
        return Ok(place);
    }
    Err(Error::invalid(
        "`box` is a place of a capture: `x` and `y` are 0 or more, `w` and `h` 1 or more, in pixels.",
    ))
}

fn parse(selector: &str) -> Result<Selector> {
    check_mask("selector", selector)?;
    Selector::parse(selector).ok_or_else(|| {
        Error::invalid(
            "`selector` cannot be tried out: of elements, captures hold tag, id, classes and place among siblings alone. As a mask it works all the same.",
        )
    })
}

/// What could mask a place: first what hides something in the other capture, too, as a class that came with the change does
/// not.
fn suggest(document: &Document, other: &Document, place: PageBox) -> Vec<MaskSuggestion> {
    let mut suggested = document.suggest_masks(Area {
        x: place.x,
        y: place.y,
        w: place.w,
        h: place.h,
    });
    suggested.sort_by_key(|one| {
        let selector = Selector::parse(&one.selector);
        selector.is_none_or(|selector| other.places_of(&selector).is_empty())
    });
    (suggested.into_iter())
        .map(|one| MaskSuggestion {
            selector: one.selector,
            matches: one.matches as u64,
        })
        .collect()
}

/// How many changed results were looked at, and what came of it.
#[derive(Default)]
struct Tally {
    changed: u64,
    matched: u64,
    settled: u64,
    complete: bool,
}

/// Tries a mask out on the changed results of a job, some beside each other, until the time is over.
async fn tally(
    app: &App,
    job_id: &str,
    selector: &Selector,
    begun: Instant,
    turn: &Turn,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let left = || BUDGET.saturating_sub(begun.elapsed());
    let mut after = -1;
    while !left().is_zero() {
        let filter = ResultFilter {
            after,
            outcome: Outcome::Regression.as_str(),
            limit: AT_ONCE,
            ..ResultFilter::default()
        };
        let rows =
            db::results::lists::list_results(&mut *app.db.read().await?, job_id, &filter).await?;
        let Some(last) = rows.last() else {
            tally.complete = true;
            break;
        };
        if tally.changed >= MAX_CHANGED {
            break;
        }
        after = last.position;
        let looks = rows.iter().map(|row| look(app, row, selector, turn));
        for look in futures::future::join_all(looks).await {
            // What cannot be read stays changed, as far as anybody knows.
            let look = look.unwrap_or_else(|error| {
                tracing::warn!(
                    job = job_id,
                    error = format!("{error:#}"),
                    "a result cannot be looked at with a mask"
                );
                Look::default()
            });
            tally.changed += 1;
            tally.matched += u64::from(look.matched);
            tally.settled += u64::from(look.settled);
        }
    }
    Ok(tally)
}

/// Looks at the result itself.
async fn begin(
    documents: Documents,
    asked: Asked,
    page: PageBox,
    turn: &Turn,
) -> anyhow::Result<Begun> {
    in_turn(Some(turn.clone()), move || documents.begin(asked, page))
        .await
        .context("looking for elements")
}

impl Documents {
    fn begin(&self, asked: Asked, page: PageBox) -> Begun {
        let (suggestions, selector) = match asked {
            Asked::Selector(parsed, selector) => (Vec::new(), Some((parsed, selector))),
            Asked::Place(place, side) => {
                let (document, other) = match side {
                    CaptureSide::Baseline => (&self.baseline, &self.current),
                    CaptureSide::Current => (&self.current, &self.baseline),
                };
                let suggestions = suggest(document, other, place);
                let first = suggestions.first().map(|first| first.selector.clone());
                let parsed = first.and_then(|first| Some((Selector::parse(&first)?, first)));
                (suggestions, parsed)
            }
        };
        Begun {
            suggestions,
            tried: selector.map(|(parsed, selector)| {
                let places = hidden_of(&self.current, &parsed, page);
                Hiding {
                    share: percentage(&places, page),
                    parsed,
                    selector,
                    places,
                }
            }),
        }
    }
}

/// Width and height of the result's current capture, as a box.
async fn page_of(app: &App, result: &ResultRow) -> Result<PageBox> {
    let (w, h) = match &result.current_capture_id {
        None => (0, 0),
        Some(id) => {
            let capture = db::captures::get_capture(&mut *app.db.read().await?, id).await?;
            (capture.width, capture.height)
        }
    };
    Ok(PageBox { x: 0, y: 0, w, h })
}

/// What a mask hides of a page.
fn hidden_of(document: &Document, selector: &Selector, page: PageBox) -> Vec<PageBox> {
    let on_page = |place: Area| {
        let (x, y) = (place.x.max(0), place.y.max(0));
        let (w, h) = (
            (place.x + place.w).min(page.w) - x,
            (place.y + place.h).min(page.h) - y,
        );
        (w > 0 && h > 0).then_some(PageBox { x, y, w, h })
    };
    let places = document.places_of(selector).into_iter();
    places.filter_map(on_page).collect()
}

/// How much of a page some places are, in percent.
#[expect(
    clippy::cast_precision_loss,
    reason = "areas of pages are far below 2⁵³"
)]
fn percentage(places: &[PageBox], page: PageBox) -> f64 {
    let size = Size {
        width: pixels(page.w),
        height: pixels(page.h),
    };
    let places: Vec<Rect> = (places.iter())
        .map(|place| Rect {
            x: pixels(place.x),
            y: pixels(place.y),
            width: pixels(place.w),
            height: pixels(place.h),
        })
        .collect();
    let all = (page.w * page.h).max(1);
    100.0 * count_covered(size, &places) as f64 / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::tests::keeps_its_turn;

    #[test]
    fn looking_at_a_result_keeps_its_turn_when_nobody_waits_any_more() {
        let documents = Documents {
            baseline: Document::parse(br#"{"tagName":"body"}"#).unwrap(),
            current: Document::parse(br#"{"tagName":"body"}"#).unwrap(),
        };
        let asked = Asked::Selector(Selector::parse("p").unwrap(), "p".to_owned());
        let page = PageBox {
            x: 0,
            y: 0,
            w: 9,
            h: 9,
        };
        keeps_its_turn(|turn| async move { begin(documents, asked, page, &turn).await });
    }

    #[test]
    fn what_is_hidden_is_told_within_the_page() {
        let json = r#"{"tagName":"body","children":[
            {"tagName":"p","rect":{"x":-10,"y":90,"w":60,"h":40}}, {"tagName":"p","rect":{"x":0,"y":500,"w":60,"h":40}}]}"#;
        let document = Document::parse(json.as_bytes()).unwrap();
        let page = PageBox {
            x: 0,
            y: 0,
            w: 100,
            h: 100,
        };
        let hidden = hidden_of(&document, &Selector::parse("p").unwrap(), page);
        assert_eq!(
            hidden,
            [PageBox {
                x: 0,
                y: 90,
                w: 50,
                h: 10
            }]
        );
        assert!((percentage(&hidden, page) - 5.0).abs() < 1e-9);
    }
}
