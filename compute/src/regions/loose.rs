//! Rows that came or went one or two at a time, all down a lane.
//!
//! Lines of text that are no whole number of pixels tall are drawn on whole ones: what was pushed down lies now a pixel nearer to
//! what is above it, now a pixel further. Any such row tells nothing by itself, and a hundred of them would hide what else
//! changed. So they are one region. Rows beside others that changed are left to what changed there.

use crate::comparison::{DeltaSums, LooseRows};
use crate::geometry::Rect;
use crate::mask::BitMask;
use crate::one_sided::Lone;
use crate::pair::{Pair, Side};

use super::cluster::Cluster;
use super::line;
use super::settle::MAX_REGIONS;

/// Places of a lane from which on they are gathered; see [`nudges`].
const MIN_PLACES: usize = 4;

/// Lanes whose rows are gathered at most.
const MAX_LANES: usize = MAX_REGIONS / 2;

/// Places that are looked at at most, of all lanes: thousands of lines of text are more than a page has.
const MAX_LOOKED_AT: usize = 8192;

/// Gathers such rows of each lane; the others are left as they are. `mask` has what changed.
pub(super) fn gathered(
    pair: &mut Pair<'_>,
    mask: &BitMask,
    lone: &[Lone],
) -> (Vec<Cluster>, Vec<Lone>) {
    let lane_of = |lone: &Lone| {
        let lanes = pair.layout.lanes.iter();
        lanes.take_while(|lane| lane.x <= lone.place.area.x).count()
    };
    let lanes: Vec<usize> = lone.iter().map(lane_of).collect();
    let (mut loose, mut others) = (Vec::new(), Vec::new());
    let (mut rest, mut looks_left) = (lone, MAX_LOOKED_AT);
    for of_lane in lanes.chunk_by(|one, other| one == other) {
        let (here, below) = rest.split_at(of_lane.len());
        rest = below;
        let short = here.iter().filter(|lone| is_short(lone)).count();
        if short < MIN_PLACES || short > looks_left || loose.len() == MAX_LANES {
            others.extend_from_slice(here);
            continue;
        }
        looks_left -= short;
        let (own, left): (Vec<Lone>, Vec<Lone>) =
            (here.iter()).partition(|lone| is_short(lone) && is_loose(pair, mask, lone));
        if own.len() - nudges(&own) < MIN_PLACES {
            others.extend_from_slice(here);
        } else {
            others.extend(left);
            loose.extend(cluster_of(&own));
        }
    }
    (loose, others)
}

/// Rows that may be loose; those that moved are told by themselves.
fn is_short(lone: &Lone) -> bool {
    lone.place.band_rows <= line::MAX_ROWS && lone.place.way.is_none()
}

/// How many blocks loose rows of a lane tell of that were nudged by two rows: these came above them and went below, or the other way
/// round. Rounding pushes nothing that far and back, so both places are one.
fn nudges(loose: &[Lone]) -> usize {
    let is_nudge = |[one, next]: [&Lone; 2]| {
        [one, next].map(|it| it.place.area.height) == [2, 2] && one.place.side != next.place.side
    };
    let (mut count, mut rest) = (0, loose);
    while let [one, next, ..] = rest {
        let is_one = is_nudge([one, next]);
        count += usize::from(is_one);
        rest = &rest[1 + usize::from(is_one)..];
    }
    count
}

/// Whether rows that one picture has alone lie between rows that are the same in both, and show nothing that these do not.
fn is_loose(pair: &mut Pair<'_>, mask: &BitMask, lone: &Lone) -> bool {
    let area = lone.place.area;
    let row = |y: u32| Rect {
        y,
        height: 1,
        ..area
    };
    let columns = area.x..area.right();
    // What is ignored is in no mask, but may be in one picture alone.
    let is_in_both = |y: u32| {
        y < pair.size.height
            && (pair.columns_shared_along(y, columns.clone())).any(|both| both == columns)
    };
    let is_same = |y: u32| is_in_both(y) && mask.count_in(row(y)) == 0;
    if !area.y.checked_sub(1).is_some_and(is_same) || !is_same(area.bottom()) {
        return false;
    }
    pair.make_room();
    let places = pair.layout.places_of(area);
    let own = line::own_rows(pair, lone.place.side, places);
    let columns = pair.counted_along(area.y, columns);
    own.is_some_and(|(raster, own)| line::repeats(raster, own.y..own.bottom(), &columns))
}

/// Loose rows of a lane, from the top down, as one.
fn cluster_of(loose: &[Lone]) -> Option<Cluster> {
    let areas = loose.iter().map(|lone| lone.place.area);
    let mut rows = LooseRows::default();
    let mut range = 0..=0_i64;
    for Lone { place, .. } in loose {
        let area = place.area;
        match place.side {
            Side::Baseline => rows.removed += area.height,
            Side::Current => rows.inserted += area.height,
        }
        rows.places.push(area.y..area.bottom());
        let pushed = i64::from(rows.inserted) - i64::from(rows.removed);
        range = pushed.min(*range.start())..=pushed.max(*range.end());
    }
    rows.is_rounding = range.end() - range.start() <= 1;
    let deltas = loose.iter().map(|lone| lone.deltas);
    Some(Cluster {
        area: areas.reduce(Rect::union)?,
        deltas: deltas.fold(DeltaSums::default(), DeltaSums::plus),
        lone: None,
        loose_rows: Some(rows),
        right: None,
    })
}
