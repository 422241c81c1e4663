//! From tiles to lettered regions: changed pixels that lie close together belong to one region.

mod aside;
mod cluster;
mod exchange;
mod kind;
mod line;
mod loose;
mod near;
mod redrawn;
mod settle;
mod shift;

use std::collections::HashMap;

use crate::comparison::{DeltaSums, Region, RegionKind};
use crate::geometry::Rect;
use crate::mask::BitMask;
use crate::one_sided::Lone;
use crate::pair::Pair;
use crate::pool::Recycled;
use crate::tile::{TILE, Tile};

use cluster::Cluster;
use near::Near;
use redrawn::Changed;
use settle::settle;

/// Changed pixels of neighbouring tiles belong together when at most this many unchanged pixels lie
/// between their boxes: about one line of text, so that a changed paragraph is one region and two
/// cards side by side are two.
const MERGE_DISTANCE_PX: u32 = 24;

/// Largest distance, as a share of the largest possible, that an edge may make which is drawn at another part of a pixel: a
/// black one on white, by half a pixel, makes 0.23.
const REDRAWN_MAX_DELTA: f64 = 0.2;

/// How many columns or rows of tiles further on a tile may lie whose box is within the merge distance: as many whole tiles
/// as fit into that between them, and one more.
const REACH_TILES: u32 = MERGE_DISTANCE_PX / TILE + 1;

/// Clusters what changed on a canvas: the changed pixels of its tiles (row-major), and the areas that only one picture has.
pub(crate) fn find_regions(
    pair: &mut Pair<'_>,
    mask: &BitMask,
    tiles: &[Tile],
    lone: &[Lone],
) -> Vec<Region> {
    let (columns, _) = pair.tiles();
    let changed = Changed {
        mask,
        tiles,
        columns,
    };
    let boxes = boxes(tiles, columns);
    let clusters = joined(&boxes, tiles, columns);
    let mut clusters = aside::with_columns(pair, changed, &boxes, lone, clusters);
    let (loose, others) = loose::gathered(pair, mask, lone);
    clusters.extend(others.into_iter().map(|lone| Cluster {
        area: lone.place.area,
        deltas: lone.deltas,
        lone: Some(lone.place),
        loose_rows: None,
        right: None,
    }));
    settle(&mut clusters, loose);
    (0..)
        .zip(clusters)
        .map(|(index, cluster)| {
            pair.make_room();
            let places = pair.layout.places_of(cluster.area);
            let kind = if let Some(lone) = cluster.lone {
                kind::of_one_sided(lone)
            } else if let Some(rows) = &cluster.loose_rows {
                kind::of_loose_rows(rows)
            } else if let Some(x) = cluster.right {
                RegionKind::Shifted { x, y: 0 }
            } else {
                let near = Near {
                    mask,
                    area: cluster.area,
                    changed: cluster.deltas.changed,
                };
                kind::of_changed(pair, near)
            };
            let max_delta = cluster.deltas.largest();
            // Rows that one picture lacks are in no tile.
            let is_whole = || !(lone.iter()).any(|lone| lone.place.area.overlaps(cluster.area));
            Region {
                label: label(index),
                kind,
                redrawn: kind == RegionKind::Edited
                    && cluster.loose_rows.is_none()
                    && max_delta <= REDRAWN_MAX_DELTA
                    && is_whole()
                    && redrawn::is_redrawn(pair, cluster.area, changed),
                line: cluster
                    .lone
                    .and_then(|lone| line::longest(pair, lone, places)),
                loose_rows: cluster.loose_rows,
                area: cluster.area,
                baseline_area: places.0.and_then(|area| area.within(pair.baseline.size)),
                current_area: places.1.and_then(|area| area.within(pair.current.size)),
                changed_pixels: cluster.deltas.changed,
                mean_delta: cluster.deltas.mean(),
                max_delta,
            }
        })
        .collect()
}

/// The numbers of those tiles that have changes, and the boxes around these.
fn boxes(tiles: &[Tile], columns: u32) -> Vec<(u32, Rect)> {
    let numbered = (0..).zip(tiles);
    numbered
        .filter_map(|(at, tile)| Some((at, tile.area(at % columns, at / columns)?)))
        .collect()
}

/// Joins tiles whose boxes, which are these, are near each other; clusters come out in the order of their first tile.
fn joined(boxes: &[(u32, Rect)], tiles: &[Tile], columns: u32) -> Vec<Cluster> {
    let mut sets = DisjointSets::new(tiles.len());
    for &(at, area) in boxes {
        for earlier in earlier_neighbours(at, columns) {
            let other = tiles[earlier as usize].area(earlier % columns, earlier / columns);
            if other.is_some_and(|other| area.gap(other) <= MERGE_DISTANCE_PX) {
                sets.join(at, earlier);
            }
        }
    }
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for &(at, area) in boxes {
        let cluster = Cluster {
            area,
            deltas: DeltaSums::of(&tiles[at as usize]),
            lone: None,
            loose_rows: None,
            right: None,
        };
        match places.entry(sets.root(at)) {
            std::collections::hash_map::Entry::Occupied(place) => {
                clusters[*place.get()].absorb(&cluster);
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(clusters.len());
                clusters.push(cluster);
            }
        }
    }
    clusters
}

/// Tiles within reach that come before this one in row-major order; the later ones will look back
/// at it.
fn earlier_neighbours(at: u32, columns: u32) -> impl Iterator<Item = u32> {
    let (row, column) = (at / columns, at % columns);
    let near = column.saturating_sub(REACH_TILES)..(column + REACH_TILES + 1).min(columns);
    (row.saturating_sub(REACH_TILES)..=row)
        .flat_map(move |row| near.clone().map(move |column| row * columns + column))
        .filter(move |&other| other < at)
}

/// A, B, … Z, AA, AB, … for 0, 1, … 25, 26, 27, …
fn label(index: u32) -> String {
    let letter = char::from_u32(u32::from('A') + index % 26).expect("a letter from A to Z");
    match index / 26 {
        0 => letter.to_string(),
        more => label(more - 1) + &letter.to_string(),
    }
}

/// Union-find with path halving; the smallest member is the root, so the result does not hang on
/// the order of joins.
struct DisjointSets(Recycled<u32>);

impl DisjointSets {
    fn new(len: usize) -> Self {
        let mut parents = Recycled::filled(0, len);
        for (parent, at) in parents.iter_mut().zip(0..) {
            *parent = at;
        }
        Self(parents)
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::LooseRows;
    use crate::pair::{OneSided, Side};

    fn near_tiles(tiles: &[Tile], columns: u32) -> Vec<Cluster> {
        joined(&boxes(tiles, columns), tiles, columns)
    }

    #[test]
    fn labels_go_on_after_z() {
        let labels: Vec<String> = [0, 1, 25, 26, 27, 51, 52, 99].map(label).to_vec();
        assert_eq!(labels, ["A", "B", "Z", "AA", "AB", "AZ", "BA", "CV"]);
    }

    /// One changed pixel in the corner of each named tile of a page 40 tiles wide.
    fn regions_of(places: &[(u32, u32)]) -> Vec<Cluster> {
        let mut tiles = vec![Tile::EMPTY; 40 * 400];
        for (column, row) in places {
            tiles[(row * 40 + column) as usize].add_changed(0, 0, 1 << 16);
        }
        let mut clusters = near_tiles(&tiles, 40);
        settle(&mut clusters, Vec::new());
        clusters
    }

    #[test]
    fn near_pixels_join_and_far_ones_do_not() {
        assert_eq!(regions_of(&[(0, 0), (1, 0)]).len(), 1, "15 px apart");
        assert_eq!(regions_of(&[(0, 0), (2, 0)]).len(), 2, "31 px apart");
        assert_eq!(
            regions_of(&[(0, 0), (1, 1), (2, 2), (3, 3)]).len(),
            1,
            "a chain"
        );
    }

    #[test]
    fn letters_follow_the_reading_order() {
        let regions = regions_of(&[(30, 5), (3, 9), (4, 5), (20, 1)]);
        let corners: Vec<(u32, u32)> = regions
            .iter()
            .map(|region| (region.area.x / TILE, region.area.y / TILE))
            .collect();
        assert_eq!(corners, [(20, 1), (4, 5), (30, 5), (3, 9)]);
    }

    /// Dots here and there, so many in a row and so many rows, none near another.
    fn scattered(columns: u32, rows: u32) -> Vec<(u32, u32)> {
        let place = |at: u32| {
            let jitter = at.wrapping_mul(0x9e37_79b9) >> 16;
            (
                at % columns * 5 + jitter % 3,
                at / columns * 5 + jitter / 3 % 3,
            )
        };
        (0..columns * rows).map(place).collect()
    }

    #[test]
    fn at_most_100_that_stay_where_their_pixels_are() {
        // From fewer than that to more than can be set against each other.
        for (columns, rows) in [(1, 80), (8, 13), (8, 20), (8, 40), (8, 75), (40, 70)] {
            let places = scattered(columns, rows);
            let mut tiles = vec![Tile::EMPTY; 200 * 400];
            for (column, row) in &places {
                tiles[(row * 200 + column) as usize].add_changed(0, 0, 1 << 16);
            }
            let mut regions = near_tiles(&tiles, 200);
            let apart = regions.len();
            settle(&mut regions, Vec::new());
            assert!(regions.len() <= settle::MAX_REGIONS, "{}", regions.len());
            assert!(
                regions.len() >= apart.min(85),
                "{} of {apart}",
                regions.len()
            );
            let changed = regions.iter().map(|region| region.deltas.changed);
            assert_eq!(changed.sum::<u64>(), places.len() as u64);
            for (at, region) in regions.iter().enumerate() {
                let others = &regions[at + 1..];
                assert!(others.iter().all(|it| !it.area.overlaps(region.area)));
            }
            let covered: u64 = (regions.iter())
                .map(|region| region.area.size().pixels())
                .sum();
            let page = u64::from(columns * rows) * 25 * u64::from(TILE * TILE);
            assert!(covered < page, "{covered} of {page}");
        }
    }

    #[test]
    fn loose_rows_are_among_the_100_and_take_nothing_in() {
        let mut tiles = vec![Tile::EMPTY; 40 * 800];
        for row in 0..150 {
            tiles[row * 5 * 40].add_changed(0, 0, 1 << 16);
        }
        let mut regions = near_tiles(&tiles, 40);
        let loose = Cluster {
            area: Rect {
                x: 0,
                y: 100,
                width: 640,
                height: 9000,
            },
            loose_rows: Some(LooseRows::default()),
            deltas: DeltaSums::default(),
            lone: None,
            right: None,
        };
        settle(&mut regions, vec![loose]);
        assert_eq!(regions.len(), settle::MAX_REGIONS);
        let changed = regions.iter().map(|region| region.deltas.changed);
        assert_eq!(changed.sum::<u64>(), 150);
        let loose = regions
            .iter()
            .position(|region| region.loose_rows.is_some());
        assert!((1..10).contains(&loose.unwrap()), "in reading order");
    }

    #[test]
    fn a_large_region_takes_in_no_small_ones_that_have_each_other() {
        let mut places = scattered(7, 40);
        let small = places.len();
        places.extend((0..20).flat_map(|row| (38..40).map(move |column| (column, row))));
        let regions = regions_of(&places);
        let largest = (regions.iter()).max_by_key(|region| region.deltas.changed);
        assert_eq!(
            largest.unwrap().deltas.changed,
            (places.len() - small) as u64
        );
    }

    /// Rows that the current picture alone has, all across a page 40 tiles wide.
    fn rows_inserted(y: u32, height: u32) -> Cluster {
        let area = Rect {
            x: 0,
            y,
            width: 640,
            height,
        };
        let sums = Tile {
            changed: area.width * height,
            ..Tile::EMPTY
        };
        Cluster {
            area,
            deltas: DeltaSums::of(&sums),
            lone: Some(OneSided {
                area,
                side: Side::Current,
                band_rows: height,
                way: None,
            }),
            loose_rows: None,
            right: None,
        }
    }

    #[test]
    fn rows_that_came_take_in_none_beside_them_as_long_as_there_are_others() {
        // From more than 100 to more than can be set against each other, right above and below what came.
        for (rows, came) in [(15, 1), (50, 3), (250, 40)] {
            let tile_rows = rows * 4 + came * 8 + 8;
            let mut tiles = vec![Tile::EMPTY; 40 * tile_rows as usize];
            let tile_row = |row: u32| (row * came / rows + 1) * 8 + row * 4;
            for row in 0..rows {
                for column in 0..8 {
                    let at = tile_row(row) * 40 + column * 5;
                    tiles[at as usize].add_changed(0, 0, 1 << 16);
                }
            }
            let mut regions = near_tiles(&tiles, 40);
            let dots = regions.len();
            assert!(dots > settle::MAX_REGIONS);
            let firsts = (0..came).map(|band| (band * rows).div_ceil(came));
            let bands: Vec<Cluster> = firsts
                .map(|first| rows_inserted((tile_row(first) - 2) * TILE, TILE))
                .collect();
            regions.extend(bands);
            settle(&mut regions, Vec::new());
            assert!(regions.len() <= settle::MAX_REGIONS, "{}", regions.len());
            let lone = regions.iter().filter(|region| region.lone.is_some());
            assert_eq!(lone.count(), came as usize, "{rows} rows of dots");
        }
    }
}
