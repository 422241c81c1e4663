//! Placeholders: `⟦1⟧`, `⟦2⟧`, ….

/// Most digits of a placeholder's number.
const MAX_DIGITS: usize = 3;

/// A part of a text with placeholders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Everything else, brackets that are no placeholder included.
    Text(&'a str),
    /// A placeholder by its number.
    Quote(usize),
}

/// The placeholder with this number.
pub(super) fn written(number: usize) -> String {
    format!("⟦{number}⟧")
}

/// A text cut at its placeholders.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((number, behind)) = leading(rest) {
            rest = behind;
            return Some(Piece::Quote(number));
        }
        // A bracket that begins no placeholder is text, so the next one is looked for behind it.
        let next = rest
            .char_indices()
            .skip(1)
            .find(|(at, character)| *character == '⟦' && leading(&rest[*at..]).is_some());
        let (piece, behind) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
        rest = behind;
        Some(Piece::Text(piece))
    })
}

/// The placeholder that a text begins with, and what stands behind it.
fn leading(text: &str) -> Option<(usize, &str)> {
    let inside = text.strip_prefix('⟦')?;
    let (digits, behind) = inside.split_once('⟧')?;
    let is_number = (1..=MAX_DIGITS).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = if is_number { digits.parse().ok() } else { None };
    Some((number?, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_brackets_are_placeholders() {
        let found: Vec<Piece> = pieces("⟦1⟧ and ⟦x⟧, ⟦⟦12⟧⟧ ⟦1234⟧").collect();
        assert_eq!(
            found,
            [
                Piece::Quote(1),
                Piece::Text(" and ⟦x⟧, ⟦"),
                Piece::Quote(12),
                Piece::Text("⟧ ⟦1234⟧"),
            ]
        );
        assert_eq!(pieces("").count(), 0);
    }
}
