//! Which change damage is put down to.

use pentimento_api::result::ChangeType;

use crate::context::up;
use crate::cropped::Cropped;
use crate::document::NONE;
use crate::draft::Drafts;
use crate::structure::Pairing;

/// What is known of who changed, brought or displaced each element.
pub(crate) struct Blame<'a> {
    pairing: &'a Pairing<'a>,
    drafts: &'a Drafts,
    /// For every node after: the insert that it came with.
    came: Vec<Option<usize>>,
}

impl<'a> Blame<'a> {
    pub(crate) fn new(pairing: &'a Pairing<'a>, drafts: &'a Drafts) -> Self {
        let after = pairing.after;
        let mut came = vec![None; after.nodes.len()];
        for (index, draft) in drafts.list.iter().enumerate() {
            if draft.kind == ChangeType::Insert {
                came[draft.after as usize] = Some(index);
            }
        }
        for at in 0..after.len() {
            let parent = after.node(at).parent;
            let is_new = pairing.matching.backward[at as usize] == NONE;
            if is_new && parent != NONE && came[at as usize].is_none() {
                came[at as usize] = came[parent as usize];
            }
        }
        Self {
            pairing,
            drafts,
            came,
        }
    }

    /// The change to blame for two texts that lie over each other.
    pub(crate) fn of_overlap(&self, pair: [u32; 2]) -> Option<usize> {
        let placed = pair.iter().find_map(|at| self.placed(*at));
        let found = placed
            .or_else(|| self.around(&pair))
            .or_else(|| self.inside(&pair))
            .or_else(|| self.pushing_apart(pair));
        found.map(|draft| self.root_cause(draft))
    }

    /// The change to blame for what sticks out of an element.
    pub(crate) fn of_spill(&self, at: u32, seen: &Cropped) -> Option<usize> {
        let brought = || {
            let mut inside = self.pairing.after.subtree(at);
            inside.find_map(|inner| self.came[inner as usize])
        };
        let found = (self.placed(at))
            .or_else(|| self.reaching_out(at, seen))
            .or_else(|| self.around(&[at]))
            .or_else(|| self.inside(&[at]))
            .or_else(brought);
        found.map(|draft| self.root_cause(draft))
    }

    /// The change to blame for what an element cuts off.
    pub(crate) fn of_cut(&self, by: u32) -> Option<usize> {
        let found = self.around(&[by]).or_else(|| self.inside(&[by]));
        found.map(|draft| self.root_cause(draft))
    }

    /// The change to blame for a text that does not fit its own box: its own; else, where that box is of another width, that of
    /// what stands beside it and takes its room; else what is nearest around it.
    pub(crate) fn of_cut_text(&self, at: u32) -> Option<usize> {
        let after = self.pairing.after;
        let known = |at: u32| self.drafts.own[at as usize].or(self.came[at as usize]);
        let rows = after.node(at).area;
        let takes_room = |other: u32| {
            let (_, rows_shared) = after.node(other).area.shared(rows);
            self.placed(other).filter(|_| rows_shared > 0)
        };
        let beside = |narrowed: u32| {
            let parent = Some(after.node(narrowed).parent).filter(|parent| *parent != NONE)?;
            after.subtree(parent).find_map(takes_room)
        };
        let narrowed = || up(after, at).take_while(|around| !self.is_as_wide(*around));
        let found = after.subtree(at).find_map(known);
        let found = found.or_else(|| narrowed().find_map(beside));
        let found = found.or_else(|| self.around(&[at]));
        found.map(|draft| self.root_cause(draft))
    }

    /// The change that placed an element: that can have moved or resized it, or that it came with. A colour does neither.
    fn placed(&self, at: u32) -> Option<usize> {
        use ChangeType::{Move, MoveWithEdit, StickyReposition};
        let places = |draft: &usize| {
            let kind = self.drafts.list[*draft].kind;
            self.drafts.moves_boxes[at as usize]
                || matches!(kind, Move | MoveWithEdit | StickyReposition)
        };
        let own = self.drafts.own[at as usize].filter(places);
        own.or(self.came[at as usize])
    }

    /// The change of one of these elements, else of what is nearest around them.
    fn around(&self, elements: &[u32]) -> Option<usize> {
        let known = |at: &u32| self.drafts.own[*at as usize].or(self.came[*at as usize]);
        let mut around = elements.to_vec();
        while !around.is_empty() {
            if let Some(draft) = around.iter().find_map(known) {
                return Some(draft);
            }
            around = around
                .into_iter()
                .map(|at| self.pairing.after.node(at).parent)
                .filter(|parent| *parent != NONE)
                .collect();
        }
        None
    }

    /// The first change of what lies in these elements.
    fn inside(&self, elements: &[u32]) -> Option<usize> {
        let mut inside = elements
            .iter()
            .flat_map(|at| self.pairing.after.subtree(*at));
        inside.find_map(|at| self.drafts.own[at as usize])
    }

    /// The insert that brought what reaches furthest out of an element to the right, or that pushed it there.
    fn reaching_out(&self, at: u32, seen: &Cropped) -> Option<usize> {
        let edge = |at: u32| {
            let area = seen.area(at);
            area.x + area.w
        };
        let inside = self.pairing.after.subtree(at).skip(1);
        let furthest = inside
            .filter(|inner| !seen.area(*inner).is_empty())
            .max_by_key(|inner| edge(*inner))
            .filter(|furthest| edge(*furthest) > edge(at))?;
        let is_pushed = self.drafts.own[furthest as usize].is_none()
            && self.shift(furthest).is_some_and(|(right, _)| right > 0);
        let pushing = || self.displacing(furthest).filter(|_| is_pushed);
        self.came[furthest as usize].or_else(pushing)
    }

    /// The insert that displaced one of a pair of elements and not the other by as much.
    fn pushing_apart(&self, pair: [u32; 2]) -> Option<usize> {
        let [one, other] = pair.map(|at| self.shift(at));
        if one == other {
            return None;
        }
        pair.into_iter().find_map(|at| self.displacing(at))
    }

    /// The insert that displaced an element.
    fn displacing(&self, at: u32) -> Option<usize> {
        let cause = self.drafts.displaced_by.get(at as usize).copied().flatten();
        cause.filter(|draft| self.drafts.list[*draft].kind == ChangeType::Insert)
    }

    /// How far an element went to the right and down.
    fn shift(&self, at: u32) -> Option<(i64, i64)> {
        let origin = self.pairing.matching.origin(at)?;
        let (was, is) = (
            self.pairing.before.node(origin).area,
            self.pairing.after.node(at).area,
        );
        Some((is.x - was.x, is.y - was.y))
    }

    /// Whether an element is as wide as it was.
    fn is_as_wide(&self, at: u32) -> bool {
        let width = |origin: u32| self.pairing.before.node(origin).area.w;
        let was = self.pairing.matching.origin(at).map(width);
        was == Some(self.pairing.after.node(at).area.w)
    }

    fn root_cause(&self, draft: usize) -> usize {
        self.drafts.list[draft].cause.unwrap_or(draft)
    }
}
