//! From clusters to regions: few enough to go through, and no two boxes over each other.

use std::collections::BTreeMap;

use super::cluster::Cluster;
use crate::geometry::Rect;
use crate::tile::TILE;

/// Regions a person can still go through.
pub(super) const MAX_REGIONS: usize = 100;

/// Clusters of which each can be set against each: what is beyond is gathered by the part of the page that it lies in.
const MAX_APART: usize = 1500;

/// Brings clusters, those of `loose` rows with them, to at most [`MAX_REGIONS`] in reading order, of which only those of loose rows
/// may lie over others: as long as there are too many, the one of fewest changed pixels joins the nearest. So small ones find each other
/// before they reach a large one, and what they become stays where they are.
pub(super) fn settle(clusters: &mut Vec<Cluster>, loose: Vec<Cluster>) {
    gather(clusters);
    let mut apart = Vec::new();
    for cluster in clusters.drain(..) {
        push_grown(&mut apart, cluster);
    }
    while apart.len() > MAX_REGIONS - loose.len() {
        join_smallest(&mut apart);
    }
    apart.extend(loose);
    apart.sort_by_key(|cluster| (cluster.area.y / TILE, cluster.area.x, cluster.area.y));
    *clusters = apart;
}

/// Puts a cluster beside others that do not overlap, with all in it that its box, and what that grows to, lies over.
fn push_grown(apart: &mut Vec<Cluster>, mut cluster: Cluster) {
    let over = |apart: &[Cluster], area: Rect| apart.iter().position(|it| it.area.overlaps(area));
    while let Some(at) = over(apart, cluster.area) {
        cluster.absorb(&apart.remove(at));
    }
    apart.push(cluster);
}

fn join_smallest(apart: &mut Vec<Cluster>) {
    let smallest = (0..apart.len()).min_by_key(|&at| apart[at].deltas.changed);
    let smallest = apart.remove(smallest.expect("there are too many"));
    let nearest = (0..apart.len()).min_by_key(|&at| {
        let area = apart[at].area;
        (
            area.gap(smallest.area),
            area.union(smallest.area).size().pixels(),
        )
    });
    let mut joined = apart.remove(nearest.expect("there are too many"));
    joined.absorb(&smallest);
    push_grown(apart, joined);
}

/// Makes one of all clusters whose middles lie in the same square of the page, except for the largest; squares are as large as
/// it takes.
fn gather(clusters: &mut Vec<Cluster>) {
    if clusters.len() <= MAX_APART {
        return;
    }
    // A stable sort: clusters of one size stay in the order of the page.
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.deltas.changed));
    let small = clusters.split_off(MAX_REGIONS);
    let mut side = 4 * TILE;
    let squares = loop {
        let mut squares: BTreeMap<(u32, u32), Cluster> = BTreeMap::new();
        for cluster in &small {
            let Rect {
                x,
                y,
                width,
                height,
            } = cluster.area;
            let square = ((y + height / 2) / side, (x + width / 2) / side);
            (squares.entry(square))
                .and_modify(|gathered| gathered.absorb(cluster))
                .or_insert_with(|| cluster.clone());
        }
        if clusters.len() + squares.len() <= MAX_APART {
            break squares;
        }
        side *= 2;
    };
    clusters.extend(squares.into_values());
}
