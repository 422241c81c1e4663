//! Changes that a sentence denies: “no visual change”, “users are not affected”, “nothing on the site changes”.

use super::notions::Notion;
use super::sentence::{REACH, Sentence};
use crate::verdict::intent::conditions::begin_a_condition;

/// Words that begin to tell more of what stands before them, so that what follows is not what is denied.
const WHICH: &[&str] = &["that", "which", "who", "whose", "so"];

/// Words that may stand between a negation and what it denies.
const DENIES: usize = 4;

impl Sentence {
    /// The changes that the sentence denies, each with its negation, unless it tells when they do not happen.
    fn denied_changes(&self) -> impl Iterator<Item = (usize, usize)> {
        let negations = self.places(Notion::Negation, 0..usize::MAX);
        negations.filter_map(|at| {
            let mut changes = self.places(Notion::Change, at + 1..at + 1 + DENIES);
            let change = changes.next()?;
            let tells_when = self.tells_when(at + 1..change + 2 + REACH);
            // “It had no visual impact because the styles were not loaded” tells what was wrong.
            let was_wrong = (at.checked_sub(1)).is_some_and(|before| self.word(before) == "had")
                && self.any_of(&["because"], change + 1..change + 1 + REACH);
            let tells_which = self.any_of(WHICH, at + 1..change);
            // “Files without changes are now left out”.
            let is_of_parts = self.word(change + 1) == "between"
                || (self.word(at) == "without" && self.any_of(&["now"], 0..usize::MAX));
            let is_limited = tells_when || was_wrong || tells_which || is_of_parts;
            (!is_limited).then_some((at, change))
        })
    }

    /// “No visual change”, “screenshots should not change”, “no change for users”, “users are not affected”.
    pub(super) fn denies_change(&self, of: Notion) -> bool {
        let mut denied = self.denied_changes();
        denied.any(|(at, change)| {
            let around = at.saturating_sub(REACH + 2)..change + REACH;
            let of_looks = || {
                let is_planned =
                    change == at + 1 && self.has(Notion::Planned, change + 1..change + 4);
                is_planned || self.begins_with_pages() || self.regards_people(at, change)
            };
            self.has(of, around) || (of == Notion::Look && of_looks())
        })
    }

    /// Whether a denied change is one for people: “no change for users”, “no difference that anybody sees”, “users are not
    /// affected”, “does not affect users”.
    fn regards_people(&self, negation: usize, change: usize) -> bool {
        let is_for = |at: usize| self.any_of(&["for", "to", "on", "by"], at.saturating_sub(3)..at);
        let near = change + 1..change + 5;
        match (self.word(negation), self.word(change)) {
            ("no" | "zero" | "without", _) => {
                self.places(Notion::People, near.clone()).any(is_for)
                    || (self.any_of(WHICH, change + 1..change + 2)
                        && self.has(Notion::Notice, near.start..near.end + 1))
            }
            (_, "affected" | "impacted" | "touched") => {
                self.has(Notion::People, negation.saturating_sub(3)..negation)
                    || self.places(Notion::People, near).any(is_for)
            }
            (_, "affect" | "impact" | "influence" | "touch") => self.has(Notion::People, near),
            _ => false,
        }
    }

    /// “Nothing changes”, “nothing on the site looks different”; not “nothing in the header changes”.
    pub(super) fn says_nothing_changes(&self) -> bool {
        let mut nothings = self.places(Notion::Nothing, 0..usize::MAX);
        nothings.any(|at| {
            let is_of_a_part = self.any_of(&["in", "of", "on", "about", "inside"], at + 1..at + 2)
                && !self.has(Notion::Page, at + 2..at + 5)
                && !self.has(Notion::Look, at + 2..at + 5);
            let mut changes = self.places(Notion::Change, at + 1..at + 1 + REACH);
            let changes = changes.any(|change| !self.tells_when(at + 1..change + 2 + REACH));
            let mut notices = self.places(Notion::Notice, at + 1..at + 1 + REACH);
            let is_condition = self.tells_when(0..at) || begin_a_condition(self.words());
            let is_seen = matches!(self.word(at + 1), "visible" | "visual" | "visually");
            let tells_when = self.tells_when(at + 1..at + 2 + REACH);
            !is_of_a_part
                && !is_condition
                && (changes
                    || notices.any(|notice| self.is_of_a_change(notice))
                    || (is_seen && !tells_when)
                    || self.answers(at))
        })
    }

    /// “Visual differences: none”, “what changes for visitors is nothing”.
    fn answers(&self, nothing: usize) -> bool {
        let before = nothing.saturating_sub(REACH + 2)..nothing;
        let mut changes = self.places(Notion::Change, before.clone());
        let is_end = nothing + 1 >= self.words().len()
            || (self.word(nothing + 1) == "at" && self.word(nothing + 2) == "all")
            || self.has(Notion::Planned, nothing + 1..nothing + 2);
        let is_asked = self.has(Notion::Look, before.clone())
            || (self.any_of(&["what"], before.clone()) && self.has(Notion::People, before.clone()));
        is_end && is_asked && changes.next().is_some() && !self.tells_when(before)
    }
}
