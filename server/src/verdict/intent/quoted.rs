//! What a text quotes: to be met to the letter, and no word of its own.

/// What stands between quotation marks of one kind.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [
        ('“', '”'),
        ('"', '"'),
        ('‘', '’'),
        ('`', '`'),
        ('«', '»'),
        ('„', '“'),
    ] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let inside = &rest[start + open.len_utf8()..];
            let Some(end) = inside.find(close) else { break };
            if !inside[..end].trim().is_empty() {
                found.push(inside[..end].trim());
            }
            rest = &inside[end + close.len_utf8()..];
        }
    }
    found
}

/// A text with blanks, byte for byte, in the places of what it quotes: a text of a page says nothing of what becomes of the
/// page.
pub(super) fn unquoted(text: &str) -> String {
    let mut blank = text.to_owned();
    for quoted in quoted(text) {
        let from = quoted.as_ptr() as usize - text.as_ptr() as usize;
        blank.replace_range(from..from + quoted.len(), &" ".repeat(quoted.len()));
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_found_and_blanked_byte_for_byte() {
        let text = "The title “Größe” becomes \"Size\"";
        assert_eq!(quoted(text), ["Größe", "Size"]);
        let blank = unquoted(text);
        assert_eq!(blank.len(), text.len());
        assert!(
            !blank.contains("Size") && blank.contains("becomes"),
            "{blank}"
        );
        assert!(quoted("It's 5\" wide").is_empty());
    }
}
