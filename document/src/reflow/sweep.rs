//! Goes through each container in document order and says which change displaced what is in it.

use pentimento_api::result::ChangeType;

use crate::document::NONE;
use crate::draft::{Draft, Drafts};
use crate::structure::Pairing;

use super::causes::{Causes, Edge};
use super::container::{Account, Container, Offsets, Pending};
use super::frames::{Frames, Shift, near};
use super::items::{Entry, Item, items};
use super::resized::scope;
use super::shown::Shown;

/// Displacements that are remembered, for what moved by the same.
const MAX_SEEN: usize = 32;

/// For every node after, the draft that displaced it. Adds drafts for what moved by itself.
pub(super) fn sweep(
    pairing: &Pairing<'_>,
    frames: &Frames,
    causes: &Causes,
    shown: &[Shown],
    drafts: &mut Drafts,
) -> Vec<Option<usize>> {
    let entries = items(pairing, frames, shown, drafts);
    let mut state = State {
        pairing,
        frames,
        causes,
        drafts,
        displaced_by: vec![None; pairing.after.nodes.len()],
        seen: Vec::new(),
    };
    let mut families = entries
        .chunk_by(|one, other| one.frame == other.frame)
        .peekable();
    let mut swept = vec![false; pairing.after.nodes.len()];
    // Containers come before what is in them, so what displaced a node's container is always known.
    for after in 0..pairing.after.len() {
        let frame = frames.of_after(after);
        let carried = frame != NONE && !swept[frame as usize] && !pairing.moved[after as usize];
        if carried && frames.shift(after).is_some() {
            state.displaced_by[after as usize] = state.displaced_by[frame as usize];
        }
        if let Some(family) = families.next_if(|family| family[0].frame == after) {
            swept[after as usize] = true;
            state.sweep_container(after, family);
        }
    }
    state.displaced_by
}

struct State<'a> {
    pairing: &'a Pairing<'a>,
    frames: &'a Frames,
    causes: &'a Causes,
    drafts: &'a mut Drafts,
    displaced_by: Vec<Option<usize>>,
    /// Displacements on the page that a change has caused so far.
    seen: Vec<(i64, i64, usize)>,
}

impl State<'_> {
    fn sweep_container(&mut self, at: u32, family: &[Entry]) {
        let moves = |node: u32| self.own_box_change(node);
        let mut container = Container {
            at,
            shift: self.frames.shift(at).unwrap_or_default(),
            carried_by: self.displaced_by[at as usize],
            own: moves(at),
            event: family.iter().find_map(|entry| self.event(entry.item)),
            rows: self.frames.lays_out_rows(at),
            down: Offsets::default(),
            right: Offsets::default(),
            pending: Pending::default(),
            above: None,
        };
        for entry in family {
            match entry.item {
                Item::Change {
                    draft,
                    growth,
                    wraps,
                } => {
                    container.event = Some(draft);
                    container.pending.add_change(draft, growth, wraps);
                }
                Item::Stay(node) => self.visit(&mut container, node),
            }
        }
    }

    /// The change on a node, if it can move or resize something.
    fn own_box_change(&self, node: u32) -> Option<usize> {
        self.drafts.own[node as usize].filter(|_| self.drafts.moves_boxes[node as usize])
    }

    /// The change that an item is, or has in it.
    fn event(&self, item: Item) -> Option<usize> {
        match item {
            Item::Change { draft, .. } => Some(draft),
            Item::Stay(node) => {
                let shift = self.frames.shift(node).filter(|shift| shift.is_resized())?;
                let within = || self.causes.within(self.pairing, node, shift.dh);
                self.own_box_change(node).or_else(within)
            }
        }
    }

    fn visit(&mut self, container: &mut Container, node: u32) {
        let Some(shift) = self.frames.shift(node) else {
            return;
        };
        let changed = self.drafts.own[node as usize];
        match self.position(node) {
            "fixed" => return self.reposition(container, node, shift),
            "sticky" => {
                self.reposition(container, node, shift);
                return self.note_growth(container, node, shift);
            }
            "absolute" if container.anchors(shift) => {
                let carried = !near(shift.dy, 0) || !near(shift.dx, 0);
                self.displaced_by[node as usize] = container.carried_by.filter(|_| carried);
                return;
            }
            _ => {}
        }
        let offset = (shift.dx - container.shift.dx, shift.dy - container.shift.dy);
        let down = self.explain_down(container, node, offset.1);
        let right = self.explain_right(container, node, offset.0);
        let cause = if let (Some(down), Some(right)) = (down, right) {
            down.cause().or(right.cause()).or(container.carried_by)
        } else {
            let known = changed
                .or_else(|| self.table_cause(container, node))
                .or_else(|| self.seen_before(shift));
            let cause = known.unwrap_or_else(|| self.add_move(node, shift));
            let account = Account::By(cause);
            if down.is_none() {
                container.down.remember(offset.1, account);
            }
            if right.is_none() {
                container.right.remember(offset.0, account);
            }
            Some(cause)
        };
        let moved_itself = changed.is_none() && self.drafts.own[node as usize].is_some();
        self.displaced_by[node as usize] = cause.filter(|_| !moved_itself);
        if let Some(cause) = cause.filter(|_| shift.is_moved()) {
            let seen = (shift.dx, shift.dy, cause);
            if self.seen.last() != Some(&seen) {
                self.seen.push(seen);
            }
        }
        self.note_growth(container, node, shift);
    }

    /// What follows may be displaced by what a node in the flow grew, or by the margins it changed.
    fn note_growth(&self, container: &mut Container, node: u32, shift: Shift) {
        let event = self.event(Item::Stay(node));
        let own = self.own_box_change(node);
        container.above = Some(node);
        if event.is_some() {
            container.event = event;
        }
        if !near(shift.dh, 0) {
            let cause = event.or(container.pending.cause).or(container.carried_by);
            container.pending.add_growth(cause, shift.dh);
        }
        if let Some(own) = own.filter(|own| !self.drafts.list[*own].style.is_empty()) {
            container.pending.add_margins(own);
        }
    }

    /// What accounts for a vertical offset, if anything does.
    fn explain_down(&self, container: &mut Container, node: u32, offset: i64) -> Option<Account> {
        if let Some(account) = container.down.known(offset) {
            return Some(account);
        }
        let flow = container.down.flow();
        let cause = if container.pending.explains(offset - flow) {
            std::mem::take(&mut container.pending).cause
        } else if let Some(own) = self.own_box_change(node).or(container.own) {
            Some(own)
        } else if container.aligns(offset) {
            let within = self
                .causes
                .within(self.pairing, container.at, container.shift.dh);
            within.or(container.carried_by)
        } else if container.rows && container.event.is_some() {
            container.event
        } else if container.pending.any {
            // By another amount than it is high, since margins collapse otherwise now or it is laid out
            // otherwise; but what follows a change at once, in its old order, did not move by itself.
            std::mem::take(&mut container.pending).cause
        } else {
            Some(self.margins(container, node)?)
        };
        Some(container.down.remember(offset, cause.into()))
    }

    /// The change whose margins reach a node through its own top, or through the bottom of what is above it.
    fn margins(&self, container: &Container, node: u32) -> Option<usize> {
        let at = |node: u32, edge: Edge| self.causes.at_edge(self.pairing, self.drafts, node, edge);
        let above = || at(container.above?, Edge::Bottom);
        at(node, Edge::Top).or_else(above)
    }

    /// What accounts for a horizontal offset. Lines and rows are broken and centred anew
    /// after any change in them.
    fn explain_right(&self, container: &mut Container, node: u32, offset: i64) -> Option<Account> {
        if let Some(account) = container.right.known(offset) {
            return Some(account);
        }
        let wider = !near(container.shift.dw, 0);
        let within = || {
            self.causes
                .within(self.pairing, container.at, container.shift.dh)
        };
        let cause = self
            .own_box_change(node)
            .or(container.own)
            .or(container.event)
            .or_else(|| container.carried_by.filter(|_| wider))
            .or_else(|| within().filter(|_| wider));
        if cause.is_none() && !wider {
            return None;
        }
        Some(container.right.remember(offset, cause.into()))
    }

    /// The change that laid out anew the table that a cell is part of.
    fn table_cause(&self, container: &Container, node: u32) -> Option<usize> {
        let table = scope(self.pairing.after, container.at, node);
        let is_cell = table != container.at;
        is_cell
            .then(|| self.causes.within(self.pairing, table, container.shift.dh))
            .flatten()
    }

    /// The latest change that displaced something by the same distance.
    fn seen_before(&self, shift: Shift) -> Option<usize> {
        let same = |(dx, dy, _): &&(i64, i64, usize)| near(*dx, shift.dx) && near(*dy, shift.dy);
        let latest = self.seen.iter().rev().take(MAX_SEEN).find(same);
        latest.map(|(.., cause)| *cause)
    }

    fn add_move(&mut self, node: u32, shift: Shift) -> usize {
        let before = self.pairing.matching.backward[node as usize];
        let mut draft = Draft::new(ChangeType::Move, before, node);
        draft.shift = Some((shift.dx, shift.dy));
        self.drafts.list.push(draft);
        let index = self.drafts.list.len() - 1;
        self.drafts.own[node as usize] = Some(index);
        index
    }

    /// Something fixed or sticky has its own place; if that changed, it is a finding.
    fn reposition(&mut self, container: &Container, node: u32, shift: Shift) {
        if !shift.is_moved() || self.drafts.own[node as usize].is_some() {
            return;
        }
        let before = self.pairing.matching.backward[node as usize];
        let mut draft = Draft::new(ChangeType::StickyReposition, before, node);
        draft.shift = Some((shift.dx, shift.dy));
        let offset = shift.dy - container.shift.dy;
        let pending = container.pending.explains(offset - container.down.flow());
        let known = container.down.known(offset).and_then(Account::cause);
        draft.cause = known
            .or(container.pending.cause.filter(|_| pending))
            .or(container.carried_by);
        draft.collapsed = self.pairing.after.node(node).size - 1;
        self.drafts.list.push(draft);
        self.drafts.own[node as usize] = Some(self.drafts.list.len() - 1);
    }

    fn position(&self, node: u32) -> &str {
        self.pairing.after.style(node, "position")
    }
}
