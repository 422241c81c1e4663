//! Which change of the document a changed region of the picture shows.

use std::ops::Range;

use pentimento_compute::{Band, Comparison, Rect, Region, RegionKind};
use pentimento_document::{Area, DocumentDiff, Finding};

use super::pixels::NOISE_MAX_DELTA;
use super::rows::loose_in_lane;

/// Share of a region that an element must cover, or of an element that a region must cover, in percent.
const COVERS_PERCENT: i64 = 80;

/// How an element fits a region that it covers: better than in any other way.
const COVERS: u8 = 0;

/// Share of a region that a change must touch to explain it at all, in percent.
const TOUCHES_PERCENT: i64 = 30;

/// Share of a region that displaced elements must cover, in percent.
const DISPLACED_PERCENT: i64 = 50;

/// Rows of a region that rounding may make.
const ROUNDED_ROWS: u32 = 2;

/// Pixels by which an element may have moved further than the rows that show it: browsers round both.
const ROUNDED_PX: i64 = 1;

/// What stands behind a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explanation {
    /// The change with this number shows here.
    Change(usize),
    /// Something moved here because of the change with this number.
    Consequence(usize),
    /// No change of the document lies here: a canvas, a font, a web component.
    Nothing,
}

/// Explains a region: by the smallest changed element that covers it, else by the largest that lies in it, else by the
/// one that covers most of it.
pub(super) fn explain(region: &Region, document: &DocumentDiff) -> Explanation {
    if region.loose_rows.is_some() {
        return explain_loose_rows(region, document);
    }
    if let Some(index) = change_at(region, document) {
        return Explanation::Change(index);
    }
    if let Some(line) = &region.line {
        // What moves draws no line and takes none away. Its row is as wide as the page, and its element need not be.
        let of_line = change_at(&narrowed(region, line), document);
        return of_line.map_or(Explanation::Nothing, Explanation::Change);
    }
    let moved = |finding: &&Finding| match (region.kind, finding.shift) {
        (RegionKind::Shifted { x, y }, Some(shift)) => shift == (x.into(), y.into()),
        _ => false,
    };
    (document.findings.iter())
        .filter(|finding| finding.is_consequence())
        .find(|finding| {
            moved(finding)
                || is_rounded(region)
                || makes_room(region, finding)
                || is_displaced(region, finding)
        })
        .and_then(|finding| finding.cause)
        .map_or(Explanation::Nothing, Explanation::Consequence)
}

/// Explains rows that came or went one or two at a time, by the smallest changed element around all of them, else by what was
/// displaced: by parts of a pixel, which are rounded anew, or by a style that may space lines otherwise. Their box says little
/// else, as it reaches from the first to the last.
fn explain_loose_rows(region: &Region, document: &DocumentDiff) -> Explanation {
    let changes = (document.findings.iter().enumerate())
        .filter(|(_, finding)| !finding.is_consequence() && can_be_seen(finding))
        .filter(|(_, finding)| is_around(region, finding));
    let smallest = changes.min_by_key(|(index, finding)| (fit(region, finding), *index));
    if let Some((index, _)) = smallest {
        return Explanation::Change(index);
    }
    let is_rounding = region
        .loose_rows
        .as_ref()
        .is_some_and(|rows| rows.is_rounding);
    let may_space = |cause: &usize| document.findings[*cause].may_move_boxes();
    let cause = (document.findings.iter())
        .filter(|finding| finding.is_consequence())
        .filter_map(|finding| finding.cause)
        .find(|cause| is_rounding || may_space(cause));
    cause.map_or(Explanation::Nothing, Explanation::Consequence)
}

/// The change that fits a region best.
fn change_at(region: &Region, document: &DocumentDiff) -> Option<usize> {
    let changes = document.findings.iter().enumerate();
    let best = changes
        .filter(|(_, finding)| !finding.is_consequence() && can_be_seen(finding))
        .filter_map(|(index, finding)| Some((fit(region, finding)?, index)))
        .min();
    best.map(|(_, index)| index)
}

/// These columns of a region alone.
fn narrowed(region: &Region, columns: &Range<u32>) -> Region {
    let narrow = |area: Rect| Rect {
        x: columns.start,
        width: columns.end - columns.start,
        ..area
    };
    Region {
        baseline_area: region.baseline_area.map(narrow),
        current_area: region.current_area.map(narrow),
        ..region.clone()
    }
}

/// Whether a region is a row or two that came or went: what is displaced by parts of a pixel is rounded anew.
fn is_rounded(region: &Region) -> bool {
    drift(region).is_none()
        && matches!(region.kind, RegionKind::Added | RegionKind::Removed)
        && region.area.height <= ROUNDED_ROWS
}

/// By how much further down a region's rows lie in the current picture than those of the baseline that they were compared
/// with; nothing where they were compared with none, or by different amounts.
fn drift(region: &Region) -> Option<i64> {
    let (was, is) = (region.baseline_area?, region.current_area?);
    let same = (was.x, was.width, was.height) == (is.x, is.width, is.height);
    same.then(|| i64::from(is.y) - i64::from(was.y))
}

/// Whether a region is the rows that came or went as something was displaced by as many. A page that is shorter than its window
/// is filled up with bare rows, which come where it shrinks and go where it grows.
fn makes_room(region: &Region, finding: &Finding) -> bool {
    let (Some((_, down)), height) = (finding.shift, i64::from(region.area.height)) else {
        return false;
    };
    let fits = (down.abs() - height).abs() <= i64::from(ROUNDED_ROWS);
    let is_bare = region.max_delta <= f64::EPSILON;
    match region.kind {
        RegionKind::Added => (down > 0 || is_bare) && fits,
        RegionKind::Removed => (down < 0 || is_bare) && fits,
        _ => false,
    }
}

/// Whether most of a region lies where displaced elements were or are, and its pixels were not compared with those of the
/// same elements where these were before: what differs then is no matter of their place.
fn is_displaced(region: &Region, finding: &Finding) -> bool {
    let drift = drift(region).filter(|_| !is_placed_anew(region));
    let is_followed = |[was, is]: &[Area; 2]| {
        let same = (was.x, was.w, was.h) == (is.x, is.w, is.h);
        same && drift.is_some_and(|drift| (is.y - was.y - drift).abs() <= ROUNDED_PX)
    };
    let (followed, others): (Vec<_>, Vec<_>) = finding
        .displaced
        .iter()
        .partition(|places| is_followed(places));
    let covers = |places: &[&[Area; 2]]| {
        let covers = |area: Option<Rect>, which: usize| {
            area.is_some_and(|area| is_covered(area, places.iter().map(|place| place[which])))
        };
        covers(region.baseline_area, 0) || covers(region.current_area, 1)
    };
    if covers(&others) {
        return true;
    }
    let root = finding.area_before.zip(finding.area);
    let root_is_followed = root.is_some_and(|(was, is)| is_followed(&[was, is]));
    !root_is_followed && !covers(&followed) && fit(region, finding).is_some()
}

/// Whether a region shows no more than that something on it was placed anew, by other parts of a pixel or by a few pixels: the
/// same a little further, or a row or two that differ faintly.
fn is_placed_anew(region: &Region) -> bool {
    let is_line = region.area.height <= ROUNDED_ROWS && region.max_delta <= NOISE_MAX_DELTA;
    is_line || matches!(region.kind, RegionKind::Shifted { .. })
}

/// Whether elements cover most of an area.
fn is_covered(area: Rect, places: impl Iterator<Item = Area> + Clone) -> bool {
    let whole = i64::from(area.width) * i64::from(area.height);
    let is_most = |part: i64| part * 100 >= whole * DISPLACED_PERCENT;
    let sum: i64 = places.clone().map(|place| shared(area, place)).sum();
    // The ground of a card is displaced with what stands on it.
    let inside = places.filter(|place| shared(area, *place) == place.w * place.h);
    is_most(sum) || hull(inside).is_some_and(|hull| is_most(hull.w * hull.h))
}

/// The smallest area around all of these.
fn hull(areas: impl Iterator<Item = Area>) -> Option<Area> {
    areas.reduce(|one, other| {
        let (x, y) = (one.x.min(other.x), one.y.min(other.y));
        Area {
            x,
            y,
            w: (one.x + one.w).max(other.x + other.w) - x,
            h: (one.y + one.h).max(other.y + other.h) - y,
        }
    })
}

/// Whether pixels can show a change: where a link leads and what a picture is called otherwise cannot be seen.
fn can_be_seen(finding: &Finding) -> bool {
    !matches!(finding.attribute, Some("href" | "alt")) || !finding.style.is_empty()
}

/// Whether a change lies in a region, or a region in it.
pub(super) fn lies_in(region: &Region, finding: &Finding) -> bool {
    fit(region, finding).is_some()
}

/// Whether rows that came or went one or two at a time lie in a change's element and may come of it.
pub(super) fn has_loose_rows(pixels: &Comparison, finding: &Finding) -> bool {
    if !finding.may_move_boxes() {
        return false;
    }
    pixels.layout.lanes.iter().any(|lane| {
        let is_in = |band: &Band, y: Option<u32>, element: Option<Area>| {
            y.zip(element).is_some_and(|(y, element)| {
                let rows = Rect {
                    x: lane.x,
                    y,
                    width: lane.width,
                    height: band.rows,
                };
                shared(rows, element) > 0
            })
        };
        let loose = loose_in_lane(&pixels.regions, lane).and_then(|it| it.loose_rows.as_ref());
        let mut bands = (lane.bands.iter()).filter(|band| loose.is_some_and(|it| it.are_in(band)));
        bands.any(|band| {
            is_in(band, band.current_y, finding.area)
                || is_in(band, band.baseline_y, finding.area_before)
        })
    })
}

/// Whether most of a change's element lies in a region.
pub(super) fn lies_within(region: &Region, finding: &Finding) -> bool {
    let is_most = |region: Option<Rect>, element: Option<Area>| {
        region.zip(element).is_some_and(|(region, element)| {
            let whole = element.w * element.h;
            whole > 0 && shared(region, element) * 100 >= whole * COVERS_PERCENT
        })
    };
    is_most(region.current_area, finding.area) || is_most(region.baseline_area, finding.area_before)
}

/// Whether a changed element has all rows of a region in it, and covers most of it.
fn is_around(region: &Region, finding: &Finding) -> bool {
    let has = |region: Option<Rect>, element: Option<Area>| {
        region.zip(element).is_some_and(|(region, element)| {
            let rows = i64::from(region.y)..i64::from(region.bottom());
            let has_rows = element.y <= rows.start && rows.end <= element.y + element.h;
            let fit = fit_of(Some(region), Some(element));
            has_rows && fit.is_some_and(|(class, _)| class == COVERS)
        })
    };
    has(region.current_area, finding.area) || has(region.baseline_area, finding.area_before)
}

/// How well a change fits a region, lower is better; nothing when it does not lie there.
fn fit(region: &Region, finding: &Finding) -> Option<(u8, i64)> {
    let now = fit_of(region.current_area, finding.area);
    let then = fit_of(region.baseline_area, finding.area_before);
    now.into_iter().chain(then).min()
}

fn fit_of(region: Option<Rect>, element: Option<Area>) -> Option<(u8, i64)> {
    let (region, element) = (region?, element?);
    let shared = shared(region, element);
    let of_region = i64::from(region.width) * i64::from(region.height);
    let of_element = element.w * element.h;
    let share = |part: i64, whole: i64, percent: i64| part > 0 && part * 100 >= whole * percent;
    if share(shared, of_region, COVERS_PERCENT) {
        Some((COVERS, of_element))
    } else if share(shared, of_element, COVERS_PERCENT) {
        Some((1, -of_element))
    } else {
        share(shared, of_region, TOUCHES_PERCENT).then_some((2, -shared))
    }
}

/// Pixels that a region and an element share.
fn shared(region: Rect, element: Area) -> i64 {
    let along = |start: u32, length: u32, from: i64, extent: i64| {
        let end = (i64::from(start) + i64::from(length)).min(from + extent);
        (end - i64::from(start).max(from)).max(0)
    };
    along(region.x, region.width, element.x, element.w)
        * along(region.y, region.height, element.y, element.h)
}

#[cfg(test)]
mod tests;
