//! A container while it is swept: the offsets in it that are accounted for so far.

use super::frames::{Shift, near};

/// How far a displacement may differ from the height of what came or went, for the margins around it,
/// which collapse in ways that only the browser knows.
const MARGIN_PX: i64 = 64;
/// Offsets of a container that are remembered: its columns may have several.
const MAX_OFFSETS: usize = 32;

/// A container; offsets in it are relative to its own displacement.
pub(super) struct Container {
    pub(super) at: u32,
    pub(super) shift: Shift,
    /// What displaced it.
    pub(super) carried_by: Option<usize>,
    /// What was changed on it.
    pub(super) own: Option<usize>,
    /// Something in it that changed; the nearest above, or else the first.
    pub(super) event: Option<usize>,
    pub(super) rows: bool,
    pub(super) down: Offsets,
    pub(super) right: Offsets,
    pub(super) pending: Pending,
    /// What stayed in the flow, and was swept last.
    pub(super) above: Option<u32>,
}

impl Container {
    /// Whether an offset keeps something at the middle or the bottom of a container that grew.
    pub(super) fn aligns(&self, offset: i64) -> bool {
        let growth = self.shift.dh;
        !near(growth, 0) && (near(offset, growth) || near(2 * offset, growth))
    }

    /// Whether something absolute kept its place on the page, in its container, or at its bottom or
    /// right edge.
    pub(super) fn anchors(&self, shift: Shift) -> bool {
        let Shift { dx, dy, dw, dh } = self.shift;
        let among =
            |offsets: [i64; 3], offset| { offsets.iter() }.any(|known| near(*known, offset));
        among([0, dy, dy + dh], shift.dy) && among([0, dx, dx + dw], shift.dx)
    }
}

/// What an offset is accounted for by.
#[derive(Debug, Clone, Copy)]
pub(super) enum Account {
    /// It goes with its container, or no recorded change is behind it.
    Carried,
    /// A draft.
    By(usize),
}

impl Account {
    pub(super) fn cause(self) -> Option<usize> {
        match self {
            Self::Carried => None,
            Self::By(cause) => Some(cause),
        }
    }
}

impl From<Option<usize>> for Account {
    fn from(cause: Option<usize>) -> Self {
        cause.map_or(Self::Carried, Self::By)
    }
}

/// Offsets that are accounted for; the last is where the flow goes on.
pub(super) struct Offsets(Vec<(i64, Account)>);

impl Default for Offsets {
    fn default() -> Self {
        Self(vec![(0, Account::Carried)])
    }
}

impl Offsets {
    pub(super) fn known(&self, offset: i64) -> Option<Account> {
        let found = self.0.iter().rev().find(|(known, _)| near(*known, offset));
        found.map(|(_, account)| *account)
    }

    pub(super) fn flow(&self) -> i64 {
        self.0.last().map_or(0, |(offset, _)| *offset)
    }

    pub(super) fn remember(&mut self, offset: i64, account: Account) -> Account {
        if self.0.len() == MAX_OFFSETS {
            self.0.remove(0);
        }
        self.0.push((offset, account));
        account
    }
}

/// Changes since the last offset, whose effect shows on what follows.
#[derive(Default)]
pub(super) struct Pending {
    /// Height that came or went.
    structural: i64,
    /// Height that boxes grew by.
    grown: i64,
    slack: i64,
    /// Whether there was any since.
    pub(super) any: bool,
    wraps: bool,
    pub(super) cause: Option<usize>,
}

impl Pending {
    /// Something came or went.
    pub(super) fn add_change(&mut self, draft: usize, growth: i64, wraps: bool) {
        self.structural += growth;
        self.slack = MARGIN_PX;
        self.wraps |= wraps;
        self.any = true;
        self.cause = Some(draft);
    }

    /// Something grew.
    pub(super) fn add_growth(&mut self, cause: Option<usize>, growth: i64) {
        self.grown += growth;
        self.any = true;
        self.cause = cause;
    }

    /// A change of style may have changed margins.
    pub(super) fn add_margins(&mut self, draft: usize) {
        self.slack = MARGIN_PX;
        self.any = true;
        self.cause = Some(draft);
    }

    /// Whether what follows may be displaced by so much.
    pub(super) fn explains(&self, offset: i64) -> bool {
        let fits = |sum: i64, slack: i64| near(offset, sum) || (offset - sum).abs() <= slack;
        let sums = fits(self.structural + self.grown, self.slack)
            || fits(self.structural, self.slack)
            || fits(self.grown, self.slack);
        self.any && (sums || self.wraps)
    }
}
