//! From clusters to regions: few enough to go through, and no two boxes over each other.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cluster::Cluster;
use crate::geometry::Rect;
use crate::tile::TILE;

/// Regions a person can still go through.
pub(super) const MAX_REGIONS: usize = 100;

/// Of as many regions as there may be, one in so many may be an area that one picture alone has and that others are kept out of.
const KEPT_SHARE: usize = 2;

/// Clusters of which each can be set against each: what is beyond is gathered by the part of the page that it lies in.
const MAX_APART: usize = 1500;

/// Brings clusters, those of `loose` rows with them, to at most [`MAX_REGIONS`] in reading order, of which only those of loose rows
/// may lie over others: as long as there are too many, the one of fewest changed pixels joins the nearest. So small ones find each other
/// before they reach a large one, and what they become stays where they are. Rows and columns that one picture alone has, the largest of
/// them, are no more told as such when they join others: they do so only when there are no others left.
pub(super) fn settle(clusters: &mut Vec<Cluster>, loose: Vec<Cluster>) {
    let most = MAX_REGIONS - loose.len();
    gather(clusters, most / KEPT_SHARE);
    let mut apart = Apart::default();
    for cluster in clusters.drain(..) {
        apart.push_grown(cluster);
    }
    if apart.joining.len() > most {
        apart.keep_lone(most / KEPT_SHARE);
    }
    while apart.joining.len() + apart.kept.len() > most {
        apart.join_smallest();
    }
    let Apart { joining, kept } = apart;
    clusters.extend(joining.into_iter().chain(kept).chain(loose));
    clusters.sort_by_key(|cluster| (cluster.area.y / TILE, cluster.area.x, cluster.area.y));
}

/// Clusters that do not overlap.
#[derive(Default)]
struct Apart {
    /// Those that join each other where there are too many.
    joining: Vec<Cluster>,
    /// Those that others do not join as long as these have each other.
    kept: Vec<Cluster>,
}

impl Apart {
    /// Adds a cluster, with all in it that its box, and what that grows to, lies over.
    fn push_grown(&mut self, mut cluster: Cluster) {
        let over =
            |apart: &[Cluster], area: Rect| apart.iter().position(|it| it.area.overlaps(area));
        loop {
            let area = cluster.area;
            let other = if let Some(at) = over(&self.joining, area) {
                self.joining.remove(at)
            } else if let Some(at) = over(&self.kept, area) {
                self.kept.remove(at)
            } else {
                break;
            };
            cluster.absorb(&other);
        }
        self.joining.push(cluster);
    }

    /// Keeps so many areas that one picture alone has out of others, the largest.
    fn keep_lone(&mut self, most: usize) {
        let (mut lone, others): (Vec<_>, Vec<_>) =
            (self.joining.drain(..)).partition(|cluster| cluster.lone.is_some());
        lone.sort_by_key(larger_first);
        let smaller = lone.split_off(most.min(lone.len()));
        self.kept = lone;
        self.joining = others;
        self.joining.extend(smaller);
    }

    fn join_smallest(&mut self) {
        if self.joining.is_empty() {
            self.joining.append(&mut self.kept);
        }
        let smallest = (0..self.joining.len()).min_by_key(|&at| self.joining[at].deltas.changed);
        let smallest = self.joining.remove(smallest.expect("there are too many"));
        // Whom it has none to join without what is kept, it never will: others only grow.
        let Some(nearest) = self.nearest(smallest.area) else {
            self.kept.push(smallest);
            return;
        };
        let mut joined = self.joining.remove(nearest);
        joined.absorb(&smallest);
        self.push_grown(joined);
    }

    /// The nearest of those that join, so that nothing that is kept lies in the box of both.
    fn nearest(&self, area: Rect) -> Option<usize> {
        let mut nearest = None;
        for (at, cluster) in self.joining.iter().enumerate() {
            let both = cluster.area.union(area);
            let key = (cluster.area.gap(area), both.size().pixels());
            let is_nearer = nearest.is_none_or(|(least, _)| key < least);
            if is_nearer && !self.kept.iter().any(|kept| kept.area.overlaps(both)) {
                nearest = Some((key, at));
            }
        }
        nearest.map(|(_, at)| at)
    }
}

/// Those with the most changed pixels first; in a stable sort, those that have as many stay in the order of the page.
fn larger_first(cluster: &Cluster) -> Reverse<u64> {
    Reverse(cluster.deltas.changed)
}

/// Makes one of all clusters whose middles lie in the same square of the page, except for the largest, and for the largest that one
/// picture alone has, as many as are kept; squares are as large as it takes.
fn gather(clusters: &mut Vec<Cluster>, kept: usize) {
    if clusters.len() <= MAX_APART {
        return;
    }
    clusters.sort_by_key(larger_first);
    let (mut small, mut left) = (Vec::new(), kept);
    for (rank, cluster) in std::mem::take(clusters).into_iter().enumerate() {
        let is_kept = cluster.lone.is_some() && left > 0;
        left -= usize::from(is_kept);
        if rank < MAX_REGIONS || is_kept {
            clusters.push(cluster);
        } else {
            small.push(cluster);
        }
    }
    // What lies above such an area and what lies below it have their own squares: no square lies over it.
    let lone = clusters.iter().filter(|cluster| cluster.lone.is_some());
    let mut lone: Vec<u32> = lone.map(|cluster| cluster.area.y).collect();
    lone.sort_unstable();
    let mut side = 4 * TILE;
    let squares = loop {
        let mut squares: BTreeMap<(usize, u32, u32), Cluster> = BTreeMap::new();
        for cluster in &small {
            let Rect {
                x,
                y,
                width,
                height,
            } = cluster.area;
            let (x, y) = (x + width / 2, y + height / 2);
            let above = lone.partition_point(|&top| top <= y);
            let square = (above, y / side, x / side);
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
