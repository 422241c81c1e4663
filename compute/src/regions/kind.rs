//! What happened to a region, as far as its pixels tell.

use crate::comparison::{LooseRows, RegionKind};
use crate::geometry::Rect;
use crate::pair::{Both, OneSided, Pair, Side};
use crate::raster::row::alike;

use super::exchange::{FirstLook, are_exchanged};
use super::near::{Near, NearRow};
use super::shift::shift;

/// Levels of a channel by which neighbouring pixels of one ground differ at most: gradients are no steeper, and are dithered.
const GROUND_STEP: u8 = 3;

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

/// Rows that came or went one or two at a time.
pub(super) fn of_loose_rows(rows: &LooseRows) -> RegionKind {
    match rows {
        LooseRows { removed: 0, .. } => RegionKind::Added,
        LooseRows { inserted: 0, .. } => RegionKind::Removed,
        LooseRows { .. } => RegionKind::Edited,
    }
}

/// An area of the canvas in which pixels changed.
pub(super) fn of_changed(pair: &mut Pair<'_>, near: Near<'_>) -> RegionKind {
    let look = Look::at(pair, near);
    if look.pixels == 0 {
        return RegionKind::Edited;
    }
    match look.sides.map(|side| side.is_ground) {
        [true, true] => look.of_grounds(),
        [true, false] if look.ground_goes_on(0) => RegionKind::Added,
        [false, true] if look.ground_goes_on(1) => RegionKind::Removed,
        [false, false] => {
            // A rule that went on by its own height took the place of its ground, and its ground that of the rule.
            let way = shift(pair, near.area);
            if let Some((x, y)) = way.filter(|&way| !still_stands(pair, near, way)) {
                RegionKind::Shifted { x, y }
            } else if look.exchange.is_likely() && are_exchanged(pair, near) {
                RegionKind::Recoloured
            } else {
                RegionKind::Edited
            }
        }
        _ => RegionKind::Edited,
    }
}

/// Whether what a region shows, that way from its place in the baseline, is where it was: then the region took the look of a
/// neighbour, as a box does that is ticked below another one, and nothing moved.
fn still_stands(pair: &Pair<'_>, near: Near<'_>, (right, down): (i32, i32)) -> bool {
    let Some(from) = pair.layout.places_of(near.area).0 else {
        return false;
    };
    let source = (from.x.checked_add_signed(-right)).zip(from.y.checked_add_signed(-down));
    let Some((x, y)) = source else { return false };
    let source = Rect { x, y, ..from };
    if source.overlaps(from) || source.within(pair.baseline.size) != Some(source) {
        return false;
    }
    // Where several lanes show it, it may have gone in one of them.
    let [left, last] =
        [x, source.right() - 1].map(|column| pair.layout.canvas_rows(column, y..source.bottom()));
    let is_same = |canvas_y: &Option<u32>| {
        canvas_y.is_some_and(|y| {
            let row = Rect {
                y,
                height: 1,
                ..source
            };
            near.mask.count_in(row) == 0
        })
    };
    left == last && left.iter().all(is_same)
}

/// What is seen where a region changed.
struct Look {
    /// Pixels that were looked at.
    pixels: usize,
    /// Edges: neighbours of which one lies in the region's box and one right beside it.
    edges: u64,
    /// Those of them that show one ground in both pictures.
    edges_on_both: u64,
    /// The baseline and the current picture.
    sides: [Seen; 2],
    exchange: FirstLook,
}

/// What one picture shows there.
#[derive(Clone, Copy)]
struct Seen {
    /// Whether there is nothing but ground in the box: no neighbours differ by more than a gradient's do.
    is_ground: bool,
    /// Whether that is a single colour.
    is_flat: bool,
    /// Edges that show one ground.
    edges_on_ground: u64,
}

impl Look {
    /// Looks until pixels tell nothing more.
    fn at(pair: &mut Pair<'_>, near: Near<'_>) -> Self {
        let unseen = Seen {
            is_ground: true,
            is_flat: true,
            edges_on_ground: 0,
        };
        let mut look = Self {
            pixels: 0,
            edges: 0,
            edges_on_both: 0,
            sides: [unseen; 2],
            exchange: FirstLook::default(),
        };
        let columns = 1..=near.area.width as usize;
        let is_in_box = |at: usize, y: u32| near.is_in_box(y) && columns.contains(&at);
        let (mut above, mut row) = (NearRow::default(), NearRow::default());
        let (mut last, mut next_room) = (None, 0);
        for y in near.rows(pair) {
            pair.make_room_on_the_way(y, &mut next_room);
            std::mem::swap(&mut above, &mut row);
            near.read(pair, y, &mut row);
            if look.may_be_ground() {
                for (at, pixels) in row.neighbours() {
                    let in_box = [is_in_box(at, y), is_in_box(at + 1, y)];
                    look.compare(pixels, in_box, near.share());
                }
            }
            if let Some(last) = last.replace(y)
                && last + 1 == y
                && look.may_be_ground()
            {
                for (at, pixels) in above.neighbours_in(&row) {
                    look.compare(pixels, [is_in_box(at, last), is_in_box(at, y)], 1);
                }
            }
            if near.is_in_box(y) {
                for both in row.in_box() {
                    look.pixels += 1;
                    look.exchange.add(both);
                }
            }
            if !look.may_be_ground() && look.exchange.is_over() {
                break;
            }
        }
        look
    }

    fn may_be_ground(&self) -> bool {
        self.sides.iter().any(|side| side.is_ground)
    }

    /// Compares two neighbours, each of which lies in the box or right beside it, and which stand for so many.
    fn compare(&mut self, [one, other]: [Both; 2], in_box: [bool; 2], share: u64) {
        let colors = [(one.0, other.0), (one.1, other.1)];
        match in_box {
            [true, true] => {
                for (side, (one, other)) in self.sides.iter_mut().zip(colors) {
                    side.is_flat &= one == other;
                    side.is_ground &= are_ground(one, other);
                }
            }
            [false, false] => {}
            _ => {
                self.edges += share;
                let on_ground = colors.map(|(one, other)| are_ground(one, other));
                self.edges_on_both += share * u64::from(on_ground == [true; 2]);
                for (side, on_ground) in self.sides.iter_mut().zip(on_ground) {
                    side.edges_on_ground += share * u64::from(on_ground);
                }
            }
        }
    }

    /// Whether the ground in the box is that around it, along half of its edges at least.
    fn ground_goes_on(&self, side: usize) -> bool {
        self.sides[side].edges_on_ground * 2 >= self.edges
    }

    /// What became of one ground that another one took the place of.
    fn of_grounds(&self) -> RegionKind {
        // Where both go on are a thing's own outermost pixels, which may count as smoothing.
        let only = (self.sides).map(|side| side.edges_on_ground - self.edges_on_both);
        let mostly = only.map(|edges| edges > 0 && edges * 2 >= self.edges - self.edges_on_both);
        let fades = self.edges_on_both > 0 && self.edges_on_both * 2 >= self.edges;
        match (mostly, self.sides.map(|side| side.is_flat)) {
            ([true, false], _) => RegionKind::Added,
            ([false, true], _) => RegionKind::Removed,
            _ if only != [0; 2] => RegionKind::Edited,
            // A shadow is no steeper than a gradient.
            (_, [true, false]) if fades => RegionKind::Added,
            (_, [false, true]) if fades => RegionKind::Removed,
            _ => RegionKind::Recoloured,
        }
    }
}

/// Whether two neighbours may be of one ground.
pub(super) fn are_ground(one: [u8; 4], other: [u8; 4]) -> bool {
    // Most are the same.
    one == other || alike(one, other, GROUND_STEP)
}
