//! Who notices nothing, and what follows when someone does: “nobody sees it”, “any difference is a bug”.

use super::notions::Notion;
use super::sentence::{REACH, Sentence};

/// What a change that nobody wanted is called.
const MISTAKES: &[&str] = &[
    "mistake",
    "bug",
    "error",
    "regression",
    "wrong",
    "unintended",
    "accident",
];

/// Words that call something by a name: “any difference *is* a bug”.
const CALLS: &[&str] = &[
    "is", "be", "are", "counts", "count", "means", "that's", "it's", "did", "made",
];

impl Sentence {
    /// “Users will not notice anything”, “no one sees it”, “not visible to users”.
    pub(super) fn nobody_notices(&self) -> bool {
        let is_fix = self.word(0).starts_with("fix");
        let by_people = |at: usize| {
            let before = at.saturating_sub(REACH)..at;
            let sees_none = self.has(Notion::Negation, at + 1..at + 2)
                && self.has(Notion::Change, at + 2..at + 5);
            let sees_not =
                self.has(Notion::Negation, at.saturating_sub(4)..at) && self.is_of_a_change(at);
            !is_fix
                && self.has(Notion::People, before.clone())
                && !self.tells_when(before)
                && (sees_not || sees_none)
        };
        let by_no_one = |at: usize| {
            let mut notices = self.places(Notion::Notice, at..at + REACH);
            notices.any(|notice| self.is_of_a_change(notice))
        };
        self.places(Notion::Notice, 0..usize::MAX).any(by_people)
            || self.places_of(&["no", "one"]).any(by_no_one)
            || self.places_of(&["nothing", "to", "see"]).next().is_some()
            || self.places_of(&["any", "the", "wiser"]).next().is_some()
            || (self.any(Notion::People) && self.places_of(&["nothing", "new"]).next().is_some())
            || self.leaves_no_trace()
            || self.tells_nothing_apart()
            || (self.regards_looks()
                && (self.places_of(&["no", "op"]).next().is_some()
                    || self.places_of(&["non", "event"]).next().is_some()))
            || (self.begins_with_the_change() && self.calls_it_invisible())
    }

    /// “Old and new can't be told apart”, “before and after, you cannot tell which is which”.
    fn tells_nothing_apart(&self) -> bool {
        let all = 0..usize::MAX;
        let compares = [["old", "new"], ["before", "after"]]
            .into_iter()
            .any(|[one, other]| {
                self.any_of(&[one], all.clone()) && self.any_of(&[other], all.clone())
            });
        let apart = self.places_of(&["apart"]).filter(|&at| {
            self.any_of(&["tell", "told"], at.saturating_sub(4)..at) && self.word(at + 1) != "from"
        });
        let which = self.places_of(&["tell", "which", "is", "which"]);
        let is_denied = |at: usize| self.has(Notion::Negation, at.saturating_sub(REACH)..at);
        let is_complaint = self.any_of(&["could", "couldn't"], all);
        compares && !is_complaint && apart.chain(which).any(is_denied)
    }

    /// “The site shows no sign of it.”
    fn leaves_no_trace(&self) -> bool {
        let phrases: [&[&str]; 2] = [&["no", "sign", "of"], &["no", "trace", "of"]];
        let mut traces = phrases.into_iter().flat_map(|words| self.places_of(words));
        traces.any(|at| self.is_about_pages(at.saturating_sub(4)..at))
    }

    fn regards_looks(&self) -> bool {
        self.any(Notion::People) || self.any(Notion::Look)
    }

    /// Whether what is noticed is a change, or all there is: “notice anything”, “see a difference”, “see it”.
    pub(super) fn is_of_a_change(&self, notice: usize) -> bool {
        let next = notice + 1;
        let end = |at: usize| at >= self.words().len();
        let object = next + usize::from(self.word(next) == "of");
        let is_it = matches!(self.word(object), "it" | "this" | "that" | "them") && end(object + 1);
        let is_anything = self.any_of(&["anything", "thing"], next..next + 3)
            || (self.word(next) == "any" && self.word(next + 1) == "of")
            || self.word(next) == "from";
        let mut changes = self.places(Notion::Change, next..next + 4);
        let is_change = changes.next().is_some_and(|change| {
            let mut between = (next..change).map(|at| self.word(at));
            between.all(|word| {
                matches!(
                    word,
                    "a" | "any" | "the" | "this" | "these" | "single" | "slightest" | "visual"
                )
            })
        });
        end(next) || is_it || is_anything || is_change
    }

    /// Whether the whole of what was done is what the sentence is about, not a part of a page.
    fn begins_with_the_change(&self) -> bool {
        let mut first = (0..self.words().len()).filter(|&at| self.word(at) != "the");
        first.next().is_some_and(|at| {
            let is_word = matches!(
                self.word(at),
                "not" | "invisible" | "this" | "it" | "that" | "these" | "all"
            );
            is_word || self.has(Notion::Change, at..at + 1)
        })
    }

    fn calls_it_invisible(&self) -> bool {
        let is_denied = |at: usize| self.has(Notion::Negation, at.saturating_sub(3)..at);
        (0..self.words().len()).any(|at| match self.word(at) {
            "invisible" => {
                at + 1 >= self.words().len()
                    || self.any_of(&["to", "for", "change", "changes", "work"], at + 1..at + 2)
            }
            "visible" => {
                is_denied(at)
                    && self.has(Notion::People, at + 1..at + 4)
                    && !self.tells_when(at + 1..at + 4)
            }
            "show" | "shows" => {
                is_denied(at) && self.word(at + 1) == "up" && self.has(Notion::Page, at + 2..at + 6)
            }
            _ => false,
        })
    }

    /// “If anything looks different, that is a mistake.”
    pub(super) fn calls_change_a_mistake(&self) -> bool {
        let begins = self.word(0) == "if" || self.any_of(&["any", "anything"], 0..2);
        let Some(mistake) = (0..self.words().len()).find(|&at| MISTAKES.contains(&self.word(at)))
        else {
            return false;
        };
        begins
            && self.any_of(CALLS, mistake.saturating_sub(4)..mistake)
            && self.has(Notion::Change, 0..mistake)
            && [Notion::Look, Notion::Page, Notion::Notice]
                .iter()
                .any(|&of| self.has(of, 0..mistake))
    }
}
