//! What of a comparison stands when other captures of the same pages are compared as well: what all of them show.

use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use rustc_hash::FxHashMap;

use crate::finding::{Area, Damage, DocumentDiff, Fault, Finding, Flaws};

impl DocumentDiff {
    /// The changes and the damage that stand in every one of `others` too, and what follows from the changes that are left.
    ///
    /// A change is the same when its kind, its element and all of its values are; where things lie may differ. What is wrong
    /// in its element stands where it is wrong in all of them.
    #[must_use]
    pub fn agreed_with(&self, others: &[Self]) -> Self {
        let theirs: Vec<FxHashMap<Known<'_>, &Flaws>> = (others.iter())
            .map(|other| other.findings.iter().map(Known::with_flaws).collect())
            .collect();
        let stands = |finding: &Finding| {
            let known = Known::of(finding);
            theirs.iter().all(|all| all.contains_key(&known))
        };
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.findings.len());
        let mut findings: Vec<Finding> = Vec::new();
        for finding in &self.findings {
            // Causes come before their consequences.
            let cause = finding.cause.map(|cause| places[cause]);
            let stays = match (finding.is_consequence(), cause) {
                (true, Some(cause)) => cause.is_some(),
                (true, None) | (false, _) => stands(finding),
            };
            places.push(stays.then_some(findings.len()));
            if stays {
                let known = Known::of(finding);
                let flaws = theirs.iter().filter_map(|all| all.get(&known));
                let agreed =
                    flaws.fold(finding.flaws.clone(), |ours, flaws| ours.agreed_with(flaws));
                findings.push(Finding {
                    cause: cause.flatten(),
                    flaws: agreed,
                    ..finding.clone()
                });
            }
        }
        let is_told = |fault: &Fault| {
            let tells = |other: &Self| other.damages.iter().any(|damage| damage.fault == *fault);
            others.iter().all(tells)
        };
        let damages = (self.damages.iter())
            .filter(|damage| is_told(&damage.fault))
            .map(|damage| Damage {
                fault: damage.fault.clone(),
                cause: damage.cause.and_then(|cause| places[cause]),
            })
            .collect();
        Self { findings, damages }
    }

    /// Where, in the document before, a text or a picture is another one: elements that hold no other element.
    pub fn edited_areas(&self) -> Vec<Area> {
        use ChangeType::{ImageChange, MoveWithEdit, TextEdit};
        (self.findings.iter())
            .filter(|finding| matches!(finding.kind, ImageChange | MoveWithEdit | TextEdit))
            .filter(|finding| finding.contains.is_empty())
            .filter_map(|finding| finding.area_before)
            .collect()
    }
}

/// What two findings have to have in common to be of the same change.
#[derive(PartialEq, Eq, Hash)]
struct Known<'a> {
    kind: ChangeType,
    element: &'a str,
    attribute: Option<&'static str>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    style: &'a BTreeMap<String, [String; 2]>,
}

impl<'a> Known<'a> {
    fn of(finding: &'a Finding) -> Self {
        Self {
            kind: finding.kind,
            element: &finding.element,
            attribute: finding.attribute,
            before: finding.before.as_deref(),
            after: finding.after.as_deref(),
            style: &finding.style,
        }
    }

    fn with_flaws(finding: &'a Finding) -> (Self, &'a Flaws) {
        (Self::of(finding), &finding.flaws)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn thousands_of_changes_take_no_time() {
        const CHANGES: usize = 20_000;
        let edit =
            |number: usize| Finding::new(ChangeType::TextEdit, format!("p:nth-of-type({number})"));
        let of = |numbers: &mut dyn Iterator<Item = usize>| DocumentDiff {
            findings: numbers.map(edit).collect(),
            damages: Vec::new(),
        };
        let one = of(&mut (0..CHANGES));
        let other = of(&mut (1..CHANGES).rev());
        let began = Instant::now();
        assert_eq!(one.agreed_with(&[other]).findings.len(), CHANGES - 1);
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{:?}",
            began.elapsed()
        );
    }
}
