//! What happened to a region, as far as its pixels tell.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::comparison::RegionKind;
use crate::geometry::Rect;
use crate::pair::{OneSided, Pair, Side};

/// Pixels of a region that are looked at; of larger ones every second row, every third, and so on.
const MAX_PIXELS: u64 = 1 << 20;

/// Colours of a region that may have been exchanged for others; photographs have more.
const MAX_COLORS: usize = 4096;

/// How far content is looked for along one axis, in pixels: beyond this a person would not say that
/// it shifted.
const MAX_SHIFT_PX: i32 = 64;

/// How far it is looked for along both axes at once.
const MAX_DIAGONAL_PX: i32 = 8;

/// The ways that content may have gone (right, down), the shortest first; of equals the one to the
/// right and down.
static WAYS: LazyLock<Vec<(i32, i32)>> = LazyLock::new(|| {
    let straight = (-MAX_SHIFT_PX..=MAX_SHIFT_PX).flat_map(|step| [(step, 0), (0, step)]);
    let near = -MAX_DIAGONAL_PX..=MAX_DIAGONAL_PX;
    let diagonal = near.clone().flat_map(|x| near.clone().map(move |y| (x, y)));
    let mut ways: Vec<(i32, i32)> = straight
        .chain(diagonal)
        .filter(|&way| way != (0, 0))
        .collect();
    ways.sort_by_key(|&(x, y)| (x.abs() + y.abs(), -x, -y));
    ways.dedup();
    ways
});

/// Pixels at the same place of both pictures, row by row.
type Rows = Vec<Vec<Both>>;

/// The baseline's and the current picture's pixel at one place.
type Both = ([u8; 4], [u8; 4]);

/// An area that only one picture has.
pub(super) fn of_one_sided(lone: OneSided) -> RegionKind {
    if let Some(y) = lone.way {
        return RegionKind::Shifted { x: 0, y };
    }
    match lone.side {
        Side::Baseline => RegionKind::Removed,
        Side::Current => RegionKind::Added,
    }
}

/// An area of the canvas in which pixels changed.
pub(super) fn of_changed(pair: &Pair<'_>, area: Rect) -> RegionKind {
    let rows = pixels(pair, area);
    match (
        flat_color(&rows, |both| both.0),
        flat_color(&rows, |both| both.1),
    ) {
        (Some(_), None) => return RegionKind::Added,
        (None, Some(_)) => return RegionKind::Removed,
        (Some(before), Some(after)) => return of_flat(pair, area, before, after),
        (None, None) => {}
    }
    if is_recoloured(&rows) {
        return RegionKind::Recoloured;
    }
    shift(pair, area).unwrap_or(RegionKind::Edited)
}

fn pixels(pair: &Pair<'_>, area: Rect) -> Rows {
    let all = u64::from(area.width) * u64::from(area.height);
    let step = usize::try_from(all.div_ceil(MAX_PIXELS)).expect("a step is small");
    (area.y..area.bottom())
        .step_by(step)
        .map(|y| pair.both_along(y, area.x..area.right()))
        .collect()
}

/// An area of one colour before and another one after: what goes on around it, unchanged, was or is
/// ground.
fn of_flat(pair: &Pair<'_>, area: Rect, before: [u8; 4], after: [u8; 4]) -> RegionKind {
    let around = pair.rim(area);
    let goes_on =
        |color: [u8; 4]| !around.is_empty() && around.iter().all(|&both| both == (color, color));
    if goes_on(before) {
        RegionKind::Added
    } else if goes_on(after) {
        RegionKind::Removed
    } else {
        RegionKind::Recoloured
    }
}

/// The colour of one picture, when it shows a single one.
fn flat_color(rows: &Rows, side: fn(&Both) -> [u8; 4]) -> Option<[u8; 4]> {
    let mut colors = rows.iter().flatten().map(side);
    let first = colors.next()?;
    colors.all(|color| color == first).then_some(first)
}

/// Whether each colour was exchanged for another one, the same everywhere, and one for another than
/// itself: joined insertions hold rows that are the same in both pictures, or none of both.
fn is_recoloured(rows: &Rows) -> bool {
    let (mut there, mut back) = (FxHashMap::default(), FxHashMap::default());
    let exchanged = rows.iter().flatten().all(|&(baseline, current)| {
        (there.len() < MAX_COLORS || there.contains_key(&baseline))
            && *there.entry(baseline).or_insert(current) == current
            && *back.entry(current).or_insert(baseline) == baseline
    });
    exchanged && there.iter().any(|(baseline, current)| baseline != current)
}

/// Whether the current picture shows what the baseline shows a few pixels away.
fn shift(pair: &Pair<'_>, area: Rect) -> Option<RegionKind> {
    let places = super::places_of(&pair.layout, area);
    let (from, to) = (places.0?, places.1?);
    if (from.width, from.height) != (to.width, to.height) {
        return None;
    }
    // Rows that differ first, since most of the others are ground, which looks the same however far it
    // is shifted; then from the middle outwards.
    let mut rows: Vec<u32> = (0..to.height).collect();
    rows.sort_by_cached_key(|&row| {
        let same_in_place = pair.shows_shifted(from, to, row, (0, 0));
        (same_in_place, row.abs_diff(to.height / 2))
    });
    let goes = |&&way: &&(i32, i32)| {
        rows.iter()
            .all(|&row| pair.shows_shifted(from, to, row, way))
    };
    let &(x, y) = WAYS.iter().find(goes)?;
    Some(RegionKind::Shifted { x, y })
}
