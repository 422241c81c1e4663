//! Findings while they are being made: about nodes, not yet about selectors.

use std::cmp::Reverse;

use pentimento_api::result::ChangeType;

use crate::context;
use crate::document::{Document, NONE};
use crate::finding::{Area, Damage, DocumentDiff, Finding, Flaws};
use crate::lost::lost;
use crate::selector::Selectors;
use crate::structure::Pairing;
use crate::styles::Delta;

/// A finding about a node.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) kind: ChangeType,
    /// The node before, or [`NONE`].
    pub(crate) before: u32,
    /// The node after, or [`NONE`].
    pub(crate) after: u32,
    /// Where it stands in the tree after, or would stand.
    pub(crate) place: u32,
    pub(crate) was: Option<String>,
    pub(crate) is: Option<String>,
    pub(crate) style: Delta,
    pub(crate) attribute: Option<&'static str>,
    pub(crate) collapsed: u32,
    pub(crate) shift: Option<(i64, i64)>,
    /// Index of the draft that made it move.
    pub(crate) cause: Option<usize>,
    /// Where the innermost elements were and are that moved with it.
    pub(crate) displaced: Vec<[Area; 2]>,
    /// What is wrong in it.
    pub(crate) flaws: Flaws,
}

impl Draft {
    /// A finding about a pair.
    pub(crate) fn new(kind: ChangeType, before: u32, after: u32) -> Self {
        Self {
            kind,
            before,
            after,
            place: after,
            was: None,
            is: None,
            style: Delta::new(),
            attribute: None,
            collapsed: 0,
            shift: None,
            cause: None,
            displaced: Vec::new(),
            flaws: Flaws::default(),
        }
    }
}

/// Everything found about the body so far.
pub(crate) struct Drafts {
    pub(crate) list: Vec<Draft>,
    /// For every node after: the draft that says what was changed on it, or on the ancestor that it
    /// inherits the change from.
    pub(crate) own: Vec<Option<usize>>,
    /// For every node after: whether that change can move or resize something.
    pub(crate) moves_boxes: Vec<bool>,
    /// For every node after: the draft that displaced it; empty where nothing moved.
    pub(crate) displaced_by: Vec<Option<usize>>,
}

/// Puts all findings in order, the most significant first.
pub(crate) fn into_diff(
    pairing: &Pairing<'_>,
    drafts: Drafts,
    metadata: Vec<Finding>,
    mut damages: Vec<Damage>,
) -> DocumentDiff {
    let mut drafts = drafts.list;
    let area = |draft: &Draft| {
        draft_areas(pairing, draft)
            .into_iter()
            .flatten()
            .map(|area| area.w * area.h)
            .max()
    };
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by_cached_key(|at| {
        let draft = &drafts[*at];
        (rank(draft.kind), Reverse(area(draft)), draft.place, *at)
    });
    let ahead = order.partition_point(|at| rank(drafts[*at].kind) < rank(ChangeType::MetaEdit));
    let mut index = vec![0; drafts.len()];
    for (to, from) in order.iter().enumerate() {
        index[*from] = if to < ahead { to } else { to + metadata.len() };
    }
    for draft in &mut drafts {
        draft.cause = draft.cause.map(|cause| index[cause]);
    }
    for damage in &mut damages {
        damage.cause = damage.cause.map(|cause| index[cause]);
    }
    if drafts.is_empty() {
        return DocumentDiff {
            findings: metadata,
            damages,
        };
    }
    let selectors = [
        Selectors::new(pairing.before),
        Selectors::new(pairing.after),
    ];
    let mut findings: Vec<Finding> = order
        .into_iter()
        .map(|at| into_finding(pairing, &selectors, drafts[at].clone()))
        .collect();
    findings.splice(ahead..ahead, metadata);
    DocumentDiff { findings, damages }
}

fn draft_areas(pairing: &Pairing<'_>, draft: &Draft) -> [Option<Area>; 2] {
    let area = |tree: &Document, at: u32| (at != NONE).then(|| tree.node(at).area);
    [
        area(pairing.before, draft.before),
        area(pairing.after, draft.after),
    ]
}

fn into_finding(pairing: &Pairing<'_>, selectors: &[Selectors<'_>; 2], draft: Draft) -> Finding {
    let [area_before, area] = draft_areas(pairing, &draft);
    let lost = lost(pairing, &selectors[0], &draft);
    let (tree, selectors, at) = match draft.after {
        NONE => (pairing.before, &selectors[0], draft.before),
        after => (pairing.after, &selectors[1], after),
    };
    let recoloured = draft
        .style
        .keys()
        .any(|property| property.ends_with("color"));
    let fades = draft.style.contains_key("opacity");
    let contrast = |tree: &Document, at: u32| {
        ((recoloured || fades) && at != NONE)
            .then(|| context::contrast(tree, at))
            .flatten()
    };
    // Where it came from: what it passed is on that side.
    let passed = |(right, down): (i64, i64)| {
        let came_down = if down == 0 { right > 0 } else { down > 0 };
        context::beside(tree, at, came_down)
    };
    let changed_places = draft.after != NONE && pairing.moved[draft.after as usize];
    Finding {
        contains: context::contains(tree, at),
        beside: (draft.shift.filter(|_| changed_places)).and_then(passed),
        lineage: context::lineage(tree, at),
        text: context::text(tree, at),
        contrast: contrast(pairing.before, draft.before)
            .zip(contrast(pairing.after, draft.after))
            .map(|(before, after)| [before, after]),
        tint: (recoloured && draft.before != NONE && draft.after != NONE)
            .then(|| context::tint((pairing.before, draft.before), (pairing.after, draft.after)))
            .flatten(),
        kind: draft.kind,
        element: selectors.selector(at),
        tag: tree.str(tree.node(at).tag).to_owned(),
        before: draft.was,
        after: draft.is,
        style: draft.style,
        area,
        area_before,
        collapsed: draft.collapsed,
        cause: draft.cause,
        shift: draft.shift,
        attribute: draft.attribute,
        displaced: draft.displaced,
        lost,
        flaws: draft.flaws,
    }
}

/// What weighs more comes first; consequences come after everything that can cause them.
fn rank(kind: ChangeType) -> u8 {
    match kind {
        ChangeType::Delete => 0,
        ChangeType::Insert => 1,
        ChangeType::TextEdit => 2,
        ChangeType::ImageChange => 3,
        ChangeType::MoveWithEdit => 4,
        ChangeType::Move => 5,
        ChangeType::StyleOnly => 6,
        ChangeType::MetaEdit | ChangeType::MetaInsert | ChangeType::MetaDelete => 7,
        ChangeType::SchemaEdit | ChangeType::SchemaInsert | ChangeType::SchemaDelete => 8,
        ChangeType::StickyReposition => 9,
        ChangeType::ReflowDisplacement => 10,
    }
}
