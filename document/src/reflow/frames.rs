//! Which container each node is laid out in, and how its rectangle changed.

use crate::document::{Document, NONE};
use crate::finding::Area;
use crate::structure::Pairing;

use super::TOLERANCE_PX;

/// How a rectangle changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) dx: i64,
    pub(super) dy: i64,
    pub(super) dw: i64,
    pub(super) dh: i64,
}

impl Shift {
    pub(super) fn is_moved(self) -> bool {
        !near(self.dx, 0) || !near(self.dy, 0)
    }

    pub(super) fn is_resized(self) -> bool {
        !near(self.dw, 0) || !near(self.dh, 0)
    }

    pub(super) fn is_nothing(self) -> bool {
        !self.is_moved() && !self.is_resized()
    }
}

/// Whether two distances are the same but for rounding.
pub(super) fn near(one: i64, other: i64) -> bool {
    (one - other).abs() <= TOLERANCE_PX
}

/// The containers of all nodes. Only pairs that can be seen in both trees take part; what lies in
/// others is laid out in the nearest that does.
pub(super) struct Frames {
    /// By node after: the change of its rectangle, if it takes part.
    shifts: Vec<Option<Shift>>,
    /// By node after: its container, a node after, or [`NONE`].
    after: Vec<u32>,
    /// By node before: its container, a node after, or [`NONE`].
    before: Vec<u32>,
    /// By node after: whether it lays out things side by side.
    rows: Vec<bool>,
}

impl Frames {
    pub(super) fn new(pairing: &Pairing<'_>) -> Self {
        let mut shifts = vec![None; pairing.after.nodes.len()];
        let mut rows = vec![false; pairing.after.nodes.len()];
        for (before, after) in pairing.pairs() {
            let (was, is) = (
                pairing.before.node(before).area,
                pairing.after.node(after).area,
            );
            if was.is_empty() || is.is_empty() {
                continue;
            }
            shifts[after as usize] = Some(Shift {
                dx: is.x - was.x,
                dy: is.y - was.y,
                dw: is.w - was.w,
                dh: is.h - was.h,
            });
            rows[after as usize] =
                has_rows(pairing.after, after) || has_rows(pairing.before, before);
        }
        let after_holders = pairing.holder_after.iter().copied();
        let after = containers(after_holders, &shifts, |holder| holder);
        let before_holders = pairing.holder_before.iter().copied();
        let counterpart = |holder: u32| pairing.matching.forward[holder as usize];
        let before = containers(before_holders, &shifts, counterpart);
        Self {
            shifts,
            after,
            before,
            rows,
        }
    }

    /// Whether nothing moved or was resized.
    pub(super) fn is_still(&self) -> bool {
        self.shifts.iter().flatten().all(|shift| shift.is_nothing())
    }

    pub(super) fn shift(&self, after: u32) -> Option<Shift> {
        self.shifts.get(after as usize).copied().flatten()
    }

    pub(super) fn of_after(&self, after: u32) -> u32 {
        self.after[after as usize]
    }

    pub(super) fn of_before(&self, before: u32) -> u32 {
        self.before[before as usize]
    }

    pub(super) fn lays_out_rows(&self, after: u32) -> bool {
        self.rows.get(after as usize).copied().unwrap_or(false)
    }
}

fn containers(
    holders: impl Iterator<Item = u32>,
    shifts: &[Option<Shift>],
    counterpart: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let mut containers: Vec<u32> = Vec::new();
    for holder in holders {
        let container = match holder {
            NONE => NONE,
            holder if shifts[counterpart(holder) as usize].is_some() => counterpart(holder),
            holder => containers[holder as usize],
        };
        containers.push(container);
    }
    containers
}

/// Whether two children that follow each other stand side by side.
fn has_rows(tree: &Document, at: u32) -> bool {
    let mut previous: Option<Area> = None;
    let areas = tree.children(at).map(|child| tree.node(child).area);
    areas.filter(|area| !area.is_empty()).any(|area| {
        let last = previous.replace(area);
        last.is_some_and(|last| beside(last, area))
    })
}

fn beside(one: Area, other: Area) -> bool {
    let overlap = (one.y + one.h).min(other.y + other.h) - one.y.max(other.y);
    let apart =
        one.x + one.w <= other.x + TOLERANCE_PX || other.x + other.w <= one.x + TOLERANCE_PX;
    apart && 2 * overlap > one.h.min(other.h)
}
