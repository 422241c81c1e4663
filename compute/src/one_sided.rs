//! What only one picture has: inserted and removed rows, and columns beyond the narrower picture.

use rayon::prelude::*;

use crate::comparison::DeltaSums;
use crate::cpu::color_delta::count_in_place;
use crate::geometry::Rect;
use crate::mask::{BitMask, union_of};
use crate::metric::any_fixed_delta;
use crate::pair::{OneSided, Pair, Side, WHITE};
use crate::workers;

/// An area that only one picture has, and how far its pixels are from white. Nothing of what is left out lies at its edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lone {
    pub(crate) place: OneSided,
    pub(crate) deltas: DeltaSums,
}

/// Counts every such area; those that are ignored altogether are left out.
pub(crate) fn measure(pair: &mut Pair<'_>) -> Vec<Lone> {
    let counted = |place: OneSided| {
        let area = counted_part(pair, place.area)?;
        Some(OneSided { area, ..place })
    };
    let places = workers::map(pair.one_sided().into_par_iter(), counted);
    let places: Vec<OneSided> = places.into_iter().flatten().collect();
    let deltas = if pair.is_long() {
        places
            .iter()
            .map(|&place| sums_piecewise(pair, place))
            .collect()
    } else {
        workers::map(places.par_iter(), |place| sums(pair, *place, place.area))
    };
    let lone = places.into_iter().zip(deltas);
    lone.map(|(place, deltas)| Lone { place, deltas }).collect()
}

/// The smallest area that holds all of an area that is not left out.
fn counted_part(pair: &Pair<'_>, area: Rect) -> Option<Rect> {
    let leaves_out = |mask: &BitMask| mask.count_in(area) > 0;
    if !pair.ignored.as_ref().is_some_and(leaves_out) {
        return Some(area);
    }
    let rows = (area.y..area.bottom()).filter_map(|y| {
        let stretches = pair.counted_along(y, area.x..area.right());
        let (first, last) = (stretches.first()?, stretches.last()?);
        Some(Rect {
            x: first.start,
            y,
            width: last.end - first.start,
            height: 1,
        })
    });
    rows.reduce(Rect::union)
}

/// Pixels beyond the threshold, or that only one picture has, when nothing is aligned; anti-aliased
/// ones are counted too.
pub(crate) fn count_unaligned(pair: &mut Pair<'_>, ignore: &[Rect]) -> u64 {
    let (baseline, current) = (pair.baseline.size, pair.current.size);
    let page = baseline.union(current);
    let ignored = union_of(page, ignore.iter().copied());
    let shared = Rect {
        x: 0,
        y: 0,
        width: baseline.width.min(current.width),
        height: baseline.height.min(current.height),
    };
    let counted = |area: Rect| {
        let all = u64::from(area.width) * u64::from(area.height);
        all - ignored.as_ref().map_or(0, |mask| mask.count_in(area))
    };
    let of = |width: u32, height: u32| Rect {
        x: 0,
        y: 0,
        width,
        height,
    };
    // Each picture alone covers its own area; what both cover was counted twice.
    let lone = counted(of(baseline.width, baseline.height))
        + counted(of(current.width, current.height))
        - 2 * counted(shared);
    let changed = pair.piecewise(shared.height, pair.rows_at_once(), |pair, rows| {
        workers::map(rows.into_par_iter(), |y| {
            count_in_place(pair, y, ignored.as_ref().map(|mask| mask.row(y)))
        })
    });
    lone + changed.iter().sum::<u64>()
}

/// The same as [`sums`], of an area that may be all of a long page.
fn sums_piecewise(pair: &mut Pair<'_>, place: OneSided) -> DeltaSums {
    let area = place.area;
    let parts = pair.piecewise(area.height, pair.rows_at_once(), |pair, rows| {
        workers::map(rows.into_par_iter(), |row| {
            let line = Rect {
                y: area.y + row,
                height: 1,
                ..area
            };
            sums(pair, place, line)
        })
    });
    parts
        .into_iter()
        .fold(DeltaSums::default(), DeltaSums::plus)
}

/// How far the pixels of a part of such an area are from white.
fn sums(pair: &Pair<'_>, place: OneSided, area: Rect) -> DeltaSums {
    let mut sums = DeltaSums::default();
    for y in area.y..area.bottom() {
        for (lane, row) in pair.rows_of(place.side, y) {
            let Some(row) = row else { continue };
            for x in area.x.max(lane.start)..area.right().min(lane.end) {
                if pair.is_ignored(x, y) {
                    continue;
                }
                let pixel = row.pixel(x);
                let (baseline, current) = match place.side {
                    Side::Baseline => (pixel, WHITE),
                    Side::Current => (WHITE, pixel),
                };
                sums.add(any_fixed_delta(baseline, current, pair.index(x, y)));
            }
        }
    }
    sums
}
