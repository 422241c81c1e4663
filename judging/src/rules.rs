//! Which decision is right: how it follows from what was planted and from what was meant.
//!
//! | planted                    | meant        | other        | nothing visual |
//! |----------------------------|--------------|--------------|----------------|
//! | nothing, noise             | noise        | noise        | noise          |
//! | link target, head, clock   | intentional  | needs review | needs review   |
//! | text, style, image         | intentional  | needs review | bug            |
//! | insert, delete, move       | intentional  | bug          | bug            |
//! | hard bug                   | needs review | bug          | bug            |
//!
//! A page takes the worst of its changes: bug, then needs review, then intentional, then noise.

use pentimento_api::result::{ChangeType, Decision};

use crate::truth::Planted;

/// What an intent has to do with the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It describes them.
    Meant,
    /// It describes something else, elsewhere.
    Other,
    /// It says that nothing changes.
    NothingVisual,
}

impl Stance {
    /// Every stance.
    pub(crate) const ALL: [Self; 3] = [Self::Meant, Self::Other, Self::NothingVisual];

    /// The name in the truth.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Meant => "meant",
            Self::Other => "other",
            Self::NothingVisual => "nothing-visual",
        }
    }
}

/// The right decision for a page.
pub(crate) fn decision(stance: Stance, changes: &[Planted]) -> Decision {
    let decisions = changes.iter().map(|change| of_change(stance, change));
    decisions
        .max_by_key(|decision| badness(*decision))
        .unwrap_or(Decision::Noise)
}

fn of_change(stance: Stance, change: &Planted) -> Decision {
    let meant = stance == Stance::Meant;
    let breaks_promise = stance == Stance::NothingVisual && change.contradicts;
    match (change.hard_bug, is_structural(change.kind)) {
        (true, _) if meant => Decision::NeedsReview,
        (false, _) if meant => Decision::Intentional,
        (true, _) | (_, true) => Decision::Bug,
        (false, false) if breaks_promise => Decision::Bug,
        (false, false) => Decision::NeedsReview,
    }
}

fn is_structural(kind: ChangeType) -> bool {
    matches!(
        kind,
        ChangeType::Insert | ChangeType::Delete | ChangeType::Move | ChangeType::MoveWithEdit
    )
}

fn badness(decision: Decision) -> u8 {
    match decision {
        Decision::Noise => 0,
        Decision::Intentional => 1,
        Decision::NeedsReview => 2,
        Decision::Bug => 3,
    }
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::{ChangeType, Decision};

    use super::{Stance, decision};
    use crate::truth::Planted;

    fn planted(kind: ChangeType, hard_bug: bool) -> Planted {
        Planted {
            kind,
            element: "#any".to_owned(),
            displaces: false,
            hard_bug,
            contradicts: kind != ChangeType::MetaEdit,
        }
    }

    #[test]
    fn a_page_takes_the_worst_of_its_changes() {
        let text = planted(ChangeType::TextEdit, false);
        let insert = planted(ChangeType::Insert, false);
        let hard = planted(ChangeType::StyleOnly, true);
        let under = |changes: &[Planted]| Stance::ALL.map(|stance| decision(stance, changes));
        let (meant, review) = (Decision::Intentional, Decision::NeedsReview);
        let (bug, noise) = (Decision::Bug, Decision::Noise);
        assert_eq!(under(&[]), [noise; 3]);
        let title = planted(ChangeType::MetaEdit, false);
        assert_eq!(under(&[title]), [meant, review, review]);
        assert_eq!(under(std::slice::from_ref(&text)), [meant, review, bug]);
        assert_eq!(under(&[text.clone(), insert]), [meant, bug, bug]);
        assert_eq!(under(&[text, hard]), [review, bug, bug]);
    }
}
