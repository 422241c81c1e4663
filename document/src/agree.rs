//! What of a comparison stands when other captures of the same pages are compared as well: what all of them show.

use pentimento_api::result::ChangeType;

use crate::finding::{Area, Damage, DocumentDiff, Fault, Finding};

impl DocumentDiff {
    /// The changes and the damage that stand in every one of `others` too, and what follows from the changes that are left.
    ///
    /// A change is the same when its kind, its element and all of its values are; where things lie may differ.
    #[must_use]
    pub fn agreed_with(&self, others: &[Self]) -> Self {
        let stands = |finding: &Finding| {
            (others.iter())
                .all(|other| other.findings.iter().any(|theirs| is_same(finding, theirs)))
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
                findings.push(Finding {
                    cause: cause.flatten(),
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

fn is_same(one: &Finding, other: &Finding) -> bool {
    one.kind == other.kind
        && one.element == other.element
        && one.attribute == other.attribute
        && one.before == other.before
        && one.after == other.after
        && one.style == other.style
}
