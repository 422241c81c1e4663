//! Rows that came or went one or two at a time, all down a lane.
//!
//! Lines of text that are no whole number of pixels tall are drawn on whole ones: what was pushed down lies now a pixel nearer to
//! what is above it, now a pixel further. Any such row repeats what is around it and tells nothing by itself, and a hundred of
//! them would hide what else changed. So they are one region.

use crate::comparison::{DeltaSums, LooseRows};
use crate::geometry::Rect;
use crate::one_sided::Lone;
use crate::pair::{Pair, Side};

use super::cluster::Cluster;
use super::line;
use super::settle::MAX_REGIONS;

/// Places of a lane from which on they are gathered.
const MIN_PLACES: usize = 4;

/// Rows of a place at most.
const MAX_ROWS: u32 = 2;

/// Lanes whose rows are gathered at most.
const MAX_LANES: usize = MAX_REGIONS / 2;

/// Gathers such rows of each lane; the others are left as they are.
pub(super) fn gathered(pair: &mut Pair<'_>, lone: &[Lone]) -> (Vec<Cluster>, Vec<Lone>) {
    let lane_of = |lone: &Lone| {
        let lanes = pair.layout.lanes.iter();
        lanes.take_while(|lane| lane.x <= lone.place.area.x).count()
    };
    let lanes: Vec<usize> = lone.iter().map(lane_of).collect();
    let (mut loose, mut others) = (Vec::new(), Vec::new());
    let mut rest = lone;
    for of_lane in lanes.chunk_by(|one, other| one == other) {
        let (here, below) = rest.split_at(of_lane.len());
        rest = below;
        match gathered_in_lane(pair, here).filter(|_| loose.len() < MAX_LANES) {
            Some((cluster, left)) => {
                loose.push(cluster);
                others.extend(left);
            }
            None => others.extend_from_slice(here),
        }
    }
    (loose, others)
}

/// The loose rows of a lane, and what else only one picture has of it; nothing where too few rows are loose.
fn gathered_in_lane(pair: &mut Pair<'_>, lone: &[Lone]) -> Option<(Cluster, Vec<Lone>)> {
    let is_short = |lone: &&Lone| lone.place.area.height <= MAX_ROWS && lone.place.way.is_none();
    if lone.iter().filter(is_short).count() < MIN_PLACES {
        return None;
    }
    let (loose, others): (Vec<Lone>, Vec<Lone>) =
        (lone.iter()).partition(|lone| is_short(lone) && repeats_what_is_around(pair, lone));
    let areas = loose.iter().map(|lone| lone.place.area);
    let area = areas.reduce(Rect::union)?;
    let mut rows = LooseRows::default();
    for Lone { place, .. } in &loose {
        match place.side {
            Side::Baseline => rows.removed += place.area.height,
            Side::Current => rows.inserted += place.area.height,
        }
    }
    let deltas = loose.iter().map(|lone| lone.deltas);
    let cluster = Cluster {
        area,
        deltas: deltas.fold(DeltaSums::default(), DeltaSums::plus),
        lone: None,
        loose_rows: Some(rows),
    };
    (loose.len() >= MIN_PLACES).then_some((cluster, others))
}

/// Whether rows that one picture has alone show no line.
fn repeats_what_is_around(pair: &mut Pair<'_>, lone: &Lone) -> bool {
    pair.make_room();
    let places = pair.layout.places_of(lone.place.area);
    let is_of_rows = places.0.is_none() || places.1.is_none();
    is_of_rows && line::longest(pair, lone.place, places).is_none()
}
