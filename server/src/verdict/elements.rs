//! Which change of the document a changed region of the picture shows.

use pentimento_compute::{Rect, Region, RegionKind};
use pentimento_document::{Area, DocumentDiff, Finding};

use super::pixels::NOISE_MAX_DELTA;

/// Share of a region that an element must cover, or of an element that a region must cover, in percent.
const COVERS_PERCENT: i64 = 80;

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
    let changes = document.findings.iter().enumerate();
    let best = changes
        .filter(|(_, finding)| !finding.is_consequence() && can_be_seen(finding))
        .filter_map(|(index, finding)| Some((fit(region, finding)?, index)))
        .min();
    if let Some((_, index)) = best {
        return Explanation::Change(index);
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
        Some((0, of_element))
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
mod tests {
    use pentimento_api::result::ChangeType;

    use super::*;

    fn region(area: Rect, kind: RegionKind) -> Region {
        Region {
            label: "A".to_owned(),
            kind,
            redrawn: false,
            area,
            baseline_area: Some(area),
            current_area: Some(area),
            changed_pixels: 100,
            mean_delta: 0.5,
            max_delta: 1.0,
        }
    }

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    fn finding(kind: ChangeType, [x, y, w, h]: [i64; 4]) -> Finding {
        Finding {
            kind,
            area: Some(Area { x, y, w, h }),
            ..Finding::new(kind, "p".to_owned())
        }
    }

    fn document(findings: Vec<Finding>) -> DocumentDiff {
        DocumentDiff {
            findings,
            ..DocumentDiff::default()
        }
    }

    #[test]
    fn the_smallest_element_that_covers_a_region_explains_it() {
        let document = document(vec![
            finding(ChangeType::StyleOnly, [0, 0, 1000, 1000]),
            finding(ChangeType::TextEdit, [90, 90, 200, 40]),
            finding(ChangeType::TextEdit, [600, 90, 20, 20]),
        ]);
        let at = |area| explain(&region(area, RegionKind::Edited), &document);
        assert_eq!(at(rect(100, 100, 50, 20)), Explanation::Change(1));
        assert_eq!(at(rect(100, 600, 50, 20)), Explanation::Change(0));
        assert_eq!(at(rect(2000, 600, 50, 20)), Explanation::Nothing);
    }

    #[test]
    fn a_region_around_several_elements_goes_to_the_largest() {
        let document = document(vec![
            finding(ChangeType::TextEdit, [10, 10, 20, 20]),
            finding(ChangeType::TextEdit, [40, 10, 50, 30]),
        ]);
        let around = region(rect(0, 0, 100, 60), RegionKind::Edited);
        assert_eq!(explain(&around, &document), Explanation::Change(1));
    }

    #[test]
    fn what_moved_is_a_consequence() {
        let mut moved = finding(ChangeType::ReflowDisplacement, [0, 400, 300, 40]);
        (moved.shift, moved.cause) = (Some((0, 24)), Some(0));
        let document = document(vec![finding(ChangeType::Insert, [0, 0, 300, 24]), moved]);
        let at = |area, kind| explain(&region(area, kind), &document);
        let shifted = RegionKind::Shifted { x: 0, y: 24 };
        assert_eq!(
            at(rect(50, 900, 40, 10), shifted),
            Explanation::Consequence(0)
        );
        assert_eq!(
            at(rect(50, 405, 40, 10), RegionKind::Edited),
            Explanation::Consequence(0)
        );
        assert_eq!(
            at(rect(50, 900, 40, 10), RegionKind::Edited),
            Explanation::Nothing
        );
    }

    /// A page on which a banner of 96 px pushed a card down, with a heading and a photo in it.
    fn pushed(grown: i64) -> DocumentDiff {
        let area = |y, h| Area { x: 0, y, w: 600, h };
        let mut moved = finding(ChangeType::ReflowDisplacement, [0, 196, 600, 500 + grown]);
        moved.area_before = Some(area(100, 500));
        (moved.shift, moved.cause) = (Some((0, 96)), Some(0));
        moved.displaced = [(100, 40), (160, 300)]
            .map(|(y, h)| [area(y, h), area(y + 96, h)])
            .to_vec();
        document(vec![finding(ChangeType::Insert, [0, 0, 600, 96]), moved])
    }

    #[test]
    fn rows_that_fill_a_short_page_up_follow_from_what_made_it_shorter() {
        let mut shrunk = finding(ChangeType::ReflowDisplacement, [0, 100, 600, 40]);
        (shrunk.shift, shrunk.cause) = (Some((0, -76)), Some(0));
        let document = document(vec![
            finding(ChangeType::StyleOnly, [0, 40, 600, 20]),
            shrunk,
        ]);
        let end = |max_delta| Region {
            max_delta,
            baseline_area: None,
            ..region(rect(0, 644, 600, 76), RegionKind::Added)
        };
        assert_eq!(explain(&end(0.0), &document), Explanation::Consequence(0));
        assert_eq!(
            explain(&end(0.4), &document),
            Explanation::Nothing,
            "something stands there"
        );
    }

    /// A region in rows of the current picture that were compared with those so much further up in the baseline.
    fn aligned(area: Rect, drift: u32) -> Region {
        Region {
            baseline_area: Some(Rect {
                y: area.y - drift,
                ..area
            }),
            ..region(area, RegionKind::Edited)
        }
    }

    #[test]
    fn what_differs_on_an_element_after_its_move_was_taken_out_is_not_explained_by_the_move() {
        let photo = rect(0, 256, 600, 300);
        let ground = rect(0, 600, 600, 60);
        for (document, of_ground) in [
            (pushed(0), Explanation::Nothing),
            // A card that grew besides may look different where it did.
            (pushed(40), Explanation::Consequence(0)),
        ] {
            for drift in [95, 96, 97] {
                assert_eq!(
                    explain(&aligned(photo, drift), &document),
                    Explanation::Nothing,
                    "{drift}"
                );
                assert_eq!(explain(&aligned(ground, drift), &document), of_ground);
            }
            // Compared with other rows, it is seen where it was not.
            for drift in [0, 40, 192] {
                assert_eq!(
                    explain(&aligned(photo, drift), &document),
                    Explanation::Consequence(0),
                    "{drift}"
                );
            }
            let removed = Region {
                current_area: None,
                ..region(rect(0, 160, 600, 300), RegionKind::Removed)
            };
            assert_eq!(explain(&removed, &document), Explanation::Consequence(0));
        }
    }

    #[test]
    fn a_line_that_is_drawn_on_both_pictures_rows_is_no_rounding() {
        let document = pushed(0);
        let line = |area| Region {
            kind: RegionKind::Added,
            ..aligned(area, 96)
        };
        let underline = line(rect(0, 220, 300, 2));
        assert_eq!(explain(&underline, &document), Explanation::Nothing);
        // One that is hardly seen, and content that went a little further, come of placing what moved.
        let faint = Region {
            max_delta: 0.02,
            ..underline.clone()
        };
        let further = Region {
            kind: RegionKind::Shifted { x: 0, y: 2 },
            ..aligned(rect(0, 256, 600, 300), 96)
        };
        for placed in [faint, further] {
            assert_eq!(explain(&placed, &document), Explanation::Consequence(0));
        }
        let come = Region {
            baseline_area: None,
            ..underline
        };
        assert_eq!(explain(&come, &document), Explanation::Consequence(0));
    }
}
