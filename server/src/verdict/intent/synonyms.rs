//! Words that mean the same: parts of a page, and what people say of it in more than one word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::terms::plain_stem;

/// Words for the same part of a page or the same side of how it looks; the first stands for the others.
const SAME: &[&str] = &[
    "notice hint alert warning message note banner announcement callout notification",
    "card tile teaser box widget",
    "section chapter area region",
    "row line entry record item",
    "image picture photo photograph shot illustration artwork motif drawing",
    "button cta",
    "link anchor url href address target",
    "heading headline title caption",
    "text copy wording paragraph sentence blurb",
    "color shade tone hue",
    "padding spacing space room gap distance margin",
    "price cost rate fee amount tariff",
    "navigation menu navbar",
    "field input textbox",
    "quote quotation testimonial",
    "font typeface typography lettering",
    "time clock timestamp moment",
    "robots crawler crawlers",
    "description snippet",
    "radius corner",
    "position place spot",
    "engine machine",
    "build built",
];

static STANDS_FOR: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut found = HashMap::new();
    for group in SAME {
        let mut stems = group.split_whitespace().map(plain_stem);
        let Some(first) = stems.next() else { continue };
        for stem in stems {
            found.entry(stem).or_insert_with(|| first.clone());
        }
    }
    found
});

/// The stem that stands for this one and all that mean the same.
pub(super) fn representative(stem: String) -> String {
    STANDS_FOR.get(&stem).cloned().unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_same_part_are_one_word() {
        let one = |word: &str| representative(plain_stem(word));
        assert_eq!(one("tiles"), one("card"));
        assert_eq!(one("warnings"), one("banner"));
        assert_ne!(one("row"), one("card"));
    }
}
