//! Which devices somebody may have meant by a name that none has.

use super::all;

/// How alike two names must be for a suggestion (Jaro–Winkler, 0–1).
const NEAR: f64 = 0.8;

/// How alike a name is to one that holds it whole, such as `safari` to `Desktop Safari`.
const PART: f64 = 0.85;

/// A part of a name that says something.
const MIN_PART_CHARACTERS: usize = 3;

/// Most suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// Names that are nearly this one, the nearest first, in backquotes; at most five. Case, spaces, punctuation and the
/// order of words count little.
pub fn near_matches(name: &str) -> Vec<String> {
    let wanted = Spelling::of(name);
    let mut near: Vec<(f64, &str)> = all()
        .iter()
        .map(|device| (wanted.likeness(&Spelling::of(device.name)), device.name))
        .filter(|(likeness, _)| *likeness >= NEAR)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, known)| format!("`{known}`"))
        .collect()
}

/// A name without what people spell in several ways.
struct Spelling {
    /// Lower-case letters and digits.
    plain: String,
    /// The same with the words sorted.
    sorted: String,
}

impl Spelling {
    fn of(name: &str) -> Self {
        let lower = name.to_lowercase();
        let mut words: Vec<&str> = lower
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let plain = words.concat();
        words.sort_unstable();
        Self {
            plain,
            sorted: words.concat(),
        }
    }

    fn likeness(&self, known: &Self) -> f64 {
        let as_written = strsim::jaro_winkler(&self.plain, &known.plain);
        let in_any_order = strsim::jaro_winkler(&self.sorted, &known.sorted);
        let is_part =
            self.plain.chars().count() >= MIN_PART_CHARACTERS && known.plain.contains(&self.plain);
        let as_part = if is_part { PART } else { 0.0 };
        as_written.max(in_any_order).max(as_part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_that_was_meant_comes_first() {
        for (typed, meant) in [
            ("iphone13", "iPhone 13"),
            ("iPhone 13 pro-max", "iPhone 13 Pro Max"),
            ("Galaxy S9", "Galaxy S9+"),
            ("Pixel7", "Pixel 7"),
            ("pixel 7 landscpe", "Pixel 7 landscape"),
            ("chrome desktop", "Desktop Chrome"),
            ("Deskop Firefox", "Desktop Firefox"),
            ("moblie", "mobile"),
            ("ipad gen 7", "iPad (gen 7)"),
        ] {
            let near = near_matches(typed);
            assert_eq!(near[0], format!("`{meant}`"), "{typed}: {near:?}");
            assert!(near.len() <= 5);
        }
    }

    #[test]
    fn a_part_of_a_name_suggests_what_holds_it_and_nonsense_nothing() {
        assert!(near_matches("safari").contains(&"`Desktop Safari`".to_owned()));
        let pads = near_matches("ipad");
        assert!(
            pads.len() == 5 && pads.iter().all(|name| name.starts_with("`iPad")),
            "{pads:?}"
        );
        for nonsense in ["zzzz", "", "  ", "💥"] {
            assert!(near_matches(nonsense).is_empty(), "{nonsense}");
        }
    }
}
