//! Cuts texts, always between characters.

use std::borrow::Cow;

/// Characters before the first difference that a clipped pair still shows.
const LEAD_CHARACTERS: usize = 40;

/// The first characters of a text.
pub(crate) fn clip(text: &str, most: usize) -> &str {
    // A character has at least one byte.
    if text.len() <= most {
        return text;
    }
    let end = text
        .char_indices()
        .nth(most)
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The text without white space at its ends, and with single spaces within.
pub(crate) fn collapse_spaces(text: &str) -> Cow<'_, str> {
    let odd = |pair: [char; 2]| pair[1] != ' ' && pair[1].is_whitespace() || pair == [' ', ' '];
    let mut last = ' ';
    let clean = !text.ends_with(' ')
        && !text
            .chars()
            .any(|next| odd([std::mem::replace(&mut last, next), next]));
    if clean {
        return Cow::Borrowed(text);
    }
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    Cow::Owned(collapsed)
}

/// Two texts, each cut to so many characters around where they part.
pub fn clip_pair(before: &str, after: &str, most: usize) -> [String; 2] {
    let same = before
        .chars()
        .zip(after.chars())
        .take_while(|(one, other)| one == other);
    let same = same.count();
    let longest = before.chars().count().max(after.chars().count());
    let skipped = if longest <= most {
        0
    } else {
        same.saturating_sub(LEAD_CHARACTERS)
    };
    [before, after].map(|text| window(text, skipped, most))
}

/// So many characters from some character on, with an ellipsis where something was cut.
pub(crate) fn window(text: &str, skipped: usize, most: usize) -> String {
    let total = text.chars().count();
    let skipped = skipped.min(total);
    let lead = usize::from(skipped > 0);
    let whole = total - skipped + lead <= most;
    let kept = most - lead - usize::from(!whole);
    let mut cut = String::new();
    if lead > 0 {
        cut.push('…');
    }
    cut.extend(text.chars().skip(skipped).take(kept));
    if !whole {
        cut.push('…');
    }
    cut
}
