//! Scripts replayed, set beside the findings, and turned round.

use std::collections::{BTreeMap, HashMap};

use pentimento_api::result::ChangeType::{Delete, Insert, Move, MoveWithEdit, TextEdit};
use proptest::prelude::*;

use crate::document::{Document, NONE};
use crate::finding::{DocumentDiff, Finding};
use crate::random::{any_pair, document};

use super::{Element, Fields, Place, Step, edit_script, fields};

/// A tree under edit. The root's parent is nothing.
#[derive(Default)]
struct Edited {
    children: HashMap<Option<Element>, Vec<Element>>,
    parents: HashMap<Element, Option<Element>>,
    says: HashMap<Element, (String, Fields)>,
}

impl Edited {
    fn new(tree: &Document) -> Self {
        let mut edited = Self::default();
        for at in 0..tree.len() {
            let parent = tree.node(at).parent;
            let parent = (parent != NONE).then_some(Element::Old(parent));
            edited
                .children
                .entry(parent)
                .or_default()
                .push(Element::Old(at));
            edited.parents.insert(Element::Old(at), parent);
            let tag = tree.str(tree.node(at).tag).to_owned();
            edited
                .says
                .insert(Element::Old(at), (tag, fields(tree, at)));
        }
        edited
    }

    fn siblings(&mut self, parent: Option<Element>) -> &mut Vec<Element> {
        self.children.entry(parent).or_default()
    }

    /// Takes an element out with all that it holds; returns where it was.
    fn detach(&mut self, element: Element) -> (Option<Element>, usize) {
        let parent = self.parents.remove(&element).unwrap();
        let siblings = self.siblings(parent);
        let place = siblings.iter().position(|other| *other == element).unwrap();
        siblings.remove(place);
        (parent, place)
    }

    fn attach(&mut self, element: Element, to: Place) {
        let siblings = self.siblings(to.parent);
        let behind = |sibling| siblings.iter().position(|other| *other == sibling).unwrap() + 1;
        let place = to.behind.map_or(0, behind);
        siblings.insert(place, element);
        self.parents.insert(element, to.parent);
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Delete { element } => {
                let (parent, place) = self.detach(Element::Old(element));
                let inside = self.children.remove(&Some(Element::Old(element)));
                let inside = inside.unwrap_or_default();
                for child in &inside {
                    self.parents.insert(*child, parent);
                }
                self.siblings(parent).splice(place..place, inside);
            }
            Step::Insert {
                element,
                tag,
                fields,
                to,
                around,
            } => {
                let element = Element::New(element);
                for child in &around {
                    assert_eq!(self.detach(*child).0, to.parent);
                    self.parents.insert(*child, Some(element));
                }
                self.children.insert(Some(element), around);
                self.says.insert(element, (tag, fields));
                self.attach(element, to);
            }
            Step::Move { element, to } => {
                self.detach(Element::Old(element));
                self.attach(Element::Old(element), to);
            }
            Step::Update { element, fields } => {
                let (_, says) = self.says.get_mut(&Element::Old(element)).unwrap();
                for (name, value) in fields {
                    match value {
                        Some(value) => says.insert(name, value),
                        None => says.remove(&name),
                    };
                }
            }
        }
    }

    /// Depths, tags and fields in document order.
    fn listed(&self) -> Vec<(usize, String, Fields)> {
        let inside = |of| self.children.get(&of).into_iter().flatten().rev();
        let mut open: Vec<(usize, Element)> = inside(None).map(|root| (0, *root)).collect();
        let mut listed = Vec::new();
        while let Some((depth, element)) = open.pop() {
            let (tag, fields) = self.says[&element].clone();
            listed.push((depth, tag, fields));
            open.extend(inside(Some(element)).map(|child| (depth + 1, *child)));
        }
        listed
    }
}

/// How many of each kind of step there are: deletions, insertions, moves, updates.
fn counts(script: &[Step]) -> [usize; 4] {
    let mut counts = [0; 4];
    for step in script {
        counts[match step {
            Step::Delete { .. } => 0,
            Step::Insert { .. } => 1,
            Step::Move { .. } => 2,
            Step::Update { .. } => 3,
        }] += 1;
    }
    counts
}

/// What the findings say that no choice between equals decides, sorted: what came, what went, and what was edited, each
/// from its one state to its other.
fn said(diff: &DocumentDiff, turned: bool) -> Vec<String> {
    let pair = |was: &Option<String>, is: &Option<String>| {
        if turned {
            format!("{is:?} {was:?}")
        } else {
            format!("{was:?} {is:?}")
        }
    };
    let said = diff.findings.iter().flat_map(|finding: &Finding| {
        let texts = pair(&finding.before, &finding.after);
        let areas = if turned {
            format!("{:?} {:?}", finding.area, finding.area_before)
        } else {
            format!("{:?} {:?}", finding.area_before, finding.area)
        };
        let came = (finding.kind == Insert) != turned;
        let edit = match finding.kind {
            Insert | Delete => Some(format!("came {came} {texts} {areas} {}", finding.collapsed)),
            Move if finding.before.is_none() => None,
            TextEdit | Move | MoveWithEdit => {
                Some(format!("{:?} {texts} {areas}", finding.attribute))
            }
            _ => None,
        };
        let styles = finding.style.iter().map(move |(name, [was, is])| {
            let texts = pair(&Some(was.clone()), &Some(is.clone()));
            format!("{name} {texts}")
        });
        edit.into_iter().chain(styles).collect::<Vec<_>>()
    });
    let mut said: Vec<String> = said.collect();
    said.sort();
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn replaying_gives_the_new_tree((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let mut edited = Edited::new(&before);
        for step in edit_script(&before, &after) {
            edited.apply(step);
        }
        prop_assert_eq!(edited.listed(), Edited::new(&after).listed());
    }

    #[test]
    fn findings_tell_every_step((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let script = edit_script(&before, &after);
        let [deleted, inserted, ..] = counts(&script);
        let diff = crate::compare(&before, &after);
        let told = |kind| -> usize {
            let findings = diff.findings.iter().filter(|finding| finding.kind == kind);
            findings.map(|finding| 1 + finding.collapsed as usize).sum()
        };
        prop_assert_eq!([told(Delete), told(Insert)], [deleted, inserted]);
        let mut edits: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for step in &script {
            let Step::Update { fields, .. } = step else { continue };
            for name in ["text", "href"] {
                edits.entry(name).or_default()[0] += usize::from(fields.contains_key(name));
            }
        }
        for finding in &diff.findings {
            let edited = matches!(finding.kind, TextEdit | MoveWithEdit);
            edits.entry(finding.attribute.unwrap_or("text")).or_default()[1] += usize::from(edited);
        }
        prop_assert!(edits.values().all(|[done, told]| done == told), "{edits:?}");
    }

    #[test]
    fn the_way_back_mirrors_the_way_there((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let [deleted, inserted, moved, updated] = counts(&edit_script(&before, &after));
        let back = counts(&edit_script(&after, &before));
        prop_assert_eq!(back, [inserted, deleted, moved, updated]);
        let (forth, back) = (crate::compare(&before, &after), crate::compare(&after, &before));
        prop_assert_eq!(said(&forth, false), said(&back, true));
    }
}
