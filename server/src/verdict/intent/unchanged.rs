//! Whether a text says that nothing changes to the eye, as people write it in commits and pull requests.

use std::sync::LazyLock;

use regex::{RegexSet, RegexSetBuilder};

/// Most memory that the compiled phrases may take, in bytes.
const MAX_COMPILED: usize = 8 << 20;

/// The ways of saying it. A phrase ends with its sentence, and up to so many words may stand between its parts.
const PHRASES: &[&str] = &[
    // no visual change; zero visible differences; without any impact on the design
    r"\b(no|zero|without|without any)\s+(\S+\s+){0,2}?(visual|visible|visually|ui|ux|user[- ]facing|design|layout|rendering|styling|functional|cosmetic)\b",
    r"\b(no|zero|without|without any)\s+(change|changes|difference|differences|diff|diffs)\s+(is |are )?(expected|intended|in appearance|in looks|to the (page|pages|site|screen|eye|look|looks|ui|output|design)|for (users|visitors|people|customers|readers))\b",
    // nothing should look different; nobody will notice
    r"\b(nothing|nobody|no one|no-one|none of (it|this))\s+(\S+\s+){0,4}?(visual|visible|visibly|look|looks|change|changes|changed|differ|differs|different|notice|notices|see|sees|seen|affected|shifts|moves)\b",
    // users should not see a difference
    r"\b(users?|visitors?|customers?|readers?|people|reviewers?|you)\s+(should|will|would|must|do|can|could)(\s+not|n['’]t|not)\s+(\S+\s+){0,1}?(notice|see|perceive|spot|tell|feel)\b",
    // should not affect how the page looks
    r"(\bnot|n['’]t|\bnever)\s+(\S+\s+){0,3}?(affect|alter|touch|influence|change)\s+(\S+\s+){0,2}?(look|looks|appearance|ui|layout|rendering|design|output|visuals|markup|what (users|visitors|people) see)\b",
    // everything looks the same; the rendered pages stay as they are
    r"\b(look|looks|render|renders|rendered|remain|remains|stay|stays|appear|appears|appearance|display|output|pages|screens|everything|visually|visuals)\b\s+(\S+\s+){0,4}?(the same|identical|unchanged|untouched|as (it was|it is|they are|they were|is|before|ever)|like before|alike)\b",
    r"\b(pixel|byte|visually)[- ](for[- ](pixel|byte)[- ])?(identical|equal|equivalent|the same)\b",
    // a pure refactoring
    r"\b(pure|purely|only|just|mere|merely)\s+(an? )?(refactor\w*|internal|technical|mechanical|under the hood)\b",
    r"\b(refactor|refactoring|internal|internals)\s+only\b",
    r"\binternal\s+(clean-?up|change|changes|refactor\w*|restructuring|rework|housekeeping)\b",
    r"\b(behind the scenes|under the hood|invisible (to|for))\b",
];

static SAID: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    RegexSetBuilder::new(PHRASES)
        .case_insensitive(true)
        .size_limit(MAX_COMPILED)
        .build()
        .ok()
});

/// Whether a sentence of the text says that nothing changes to the eye.
pub(super) fn is_said(text: &str) -> bool {
    let sentences = text.split(['\n', ';']).flat_map(|line| line.split(". "));
    SAID.as_ref().is_some_and(|said| {
        sentences
            .into_iter()
            .any(|sentence| said.is_match(sentence))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_say_in_many_ways_that_nothing_changes() {
        assert!(SAID.is_some(), "the phrases are valid");
        for text in [
            "Refactor, no visual change expected.",
            "Upgrade the router. Nothing should look different.",
            "The rendered pages stay as they are.",
            "Split the header component\n\nNo user-facing change.",
            "Zero visible differences",
            "Users shouldn't notice anything.",
            "This does not affect the layout of any page.",
            "Everything renders exactly the same as before.",
            "Pixel-identical output.",
            "Pure refactoring of the price list",
            "Moves the tokens to CSS variables, under the hood only.",
            "No differences to the eye.",
            "Nobody will see it.",
        ] {
            assert!(is_said(text), "{text}");
        }
    }

    #[test]
    fn what_speaks_of_a_change_does_not_say_it() {
        for text in [
            "The banner is no longer shown",
            "Raise the price to 29 €",
            "Use the same font in headings as in the text",
            "Do not show the price before people signed in",
            "The header must not move",
            "No replacement for the banner",
            "New look for the team page",
            "Refactor the cards and make the gap larger",
            "Visitors should see the new button first",
        ] {
            assert!(!is_said(text), "{text}");
        }
    }
}
