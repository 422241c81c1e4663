//! What a text quotes: to be met to the letter, and no word of its own.

use std::ops::Range;

/// Marks that open and close a quotation, and are nothing else.
const MARKS: [(char, char); 5] = [('“', '”'), ('"', '"'), ('`', '`'), ('«', '»'), ('„', '“')];

/// Single marks. Those that close are apostrophes as well, and so are those that open where people have no others.
const SINGLE_MARKS: [(char, char); 2] = [('‘', '’'), ('\'', '\'')];

/// Signs that may stand right before a single mark that opens.
const BEFORE_SINGLE: &str = "([{<—–-:/=>\"“„«`";

/// What may follow an apostrophe that stands for letters which are left out.
const LEFT_OUT: &[&str] = &[
    "bout", "cause", "d", "em", "ll", "m", "n", "re", "round", "s", "t", "til", "tis", "twas", "ve",
];

/// Letters that are looked at for where a quotation ends that may have ended already.
const MAX_GOES_ON: usize = 500;

/// What stands between quotation marks; not what is quoted within a quotation in single ones.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let (doubles, singles) = quotations(text);
    let doubles = doubles.into_iter().map(|inside| &text[inside]);
    let singles = singles.into_iter().map(|whole| {
        let mut letters = text[whole].chars();
        letters.next();
        letters.next_back();
        letters.as_str()
    });
    doubles.chain(singles).collect()
}

/// A text with blanks, byte for byte, in the places of what it quotes: a text of a page says nothing of what becomes of the
/// page. Single marks go with it, so that nobody takes them for apostrophes.
pub(super) fn unquoted(text: &str) -> String {
    let (doubles, singles) = quotations(text);
    blanked(&blanked(text, &doubles), &singles)
}

/// Where the insides of quotations stand, without the spaces around them, and where those in single marks do, with their marks.
fn quotations(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let mut doubles = in_marks(text);
    let singles = in_single_marks(&blanked(text, &doubles));
    let is_within = |inside: &Range<usize>| {
        let mut around = singles.iter();
        around.any(|around| around.start < inside.start && inside.end < around.end)
    };
    doubles.retain(|inside| !is_within(inside));
    (doubles, singles)
}

fn blanked(text: &str, places: &[Range<usize>]) -> String {
    let mut blank = text.to_owned();
    for place in places {
        blank.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    blank
}

fn in_marks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (open, close) in MARKS {
        let mut from = 0;
        while let Some(start) = text[from..].find(open) {
            let start = from + start + open.len_utf8();
            let Some(length) = text[start..].find(close) else {
                break;
            };
            let inside = &text[start..start + length];
            let trimmed = inside.trim();
            if !trimmed.is_empty() {
                let start = start + inside.len() - inside.trim_start().len();
                found.push(start..start + trimmed.len());
            }
            from = start + length + close.len_utf8();
        }
    }
    found
}

/// Quotations in single marks, each in one line. Of two marks that open one behind the other the first was an apostrophe.
fn in_single_marks(text: &str) -> Vec<Range<usize>> {
    let letters = Letters(text.char_indices().collect());
    let mut found = Vec::new();
    let mut opened: Option<(usize, char)> = None;
    for (at, &(byte, letter)) in letters.0.iter().enumerate() {
        if letter == '\n' {
            opened = None;
        } else if let Some(close) = letters.opens(at) {
            opened = Some((byte, close));
        } else if let Some((start, close)) = opened
            && letter == close
            && letters.closes(at)
            && !letters.is_of_a_plural(at)
        {
            found.push(start..byte + letter.len_utf8());
            opened = None;
        }
    }
    found
}

/// The letters of a text, and where each begins.
struct Letters(Vec<(usize, char)>);

impl Letters {
    fn at(&self, at: usize) -> Option<char> {
        self.0.get(at).map(|(_, letter)| *letter)
    }

    fn before(&self, at: usize) -> Option<char> {
        self.at(at.checked_sub(1)?)
    }

    /// The mark that closes what the letter at a place opens; none where it opens nothing.
    fn opens(&self, at: usize) -> Option<char> {
        let letter = self.at(at)?;
        let (_, close) = SINGLE_MARKS.iter().find(|(open, _)| *open == letter)?;
        let is_behind_a_space = (self.before(at))
            .is_none_or(|before| before.is_whitespace() || BEFORE_SINGLE.contains(before));
        let next = self.at(at + 1)?;
        let is_before_a_word = !next.is_whitespace() && next != letter && next != *close;
        (is_behind_a_space && is_before_a_word && !self.leaves_out(at)).then_some(*close)
    }

    /// Whether a quotation may end at a mark: it stands at the end of a word.
    fn closes(&self, at: usize) -> bool {
        let is_behind_a_word = (self.before(at)).is_some_and(|before| !before.is_whitespace());
        let is_inside = self.at(at + 1).is_some_and(char::is_alphanumeric);
        is_behind_a_word && !is_inside
    }

    /// Whether a mark stands for what is left out: “the '90s”, “rock 'n' roll”.
    fn leaves_out(&self, at: usize) -> bool {
        let word: String = (self.0[at + 1..].iter())
            .map(|(_, letter)| *letter)
            .take_while(|letter| letter.is_alphanumeric())
            .collect();
        let next = self.at(at + 1 + word.chars().count());
        let is_closed = next.is_some_and(|next| matches!(next, '\'' | '’'));
        let is_decade = (word.strip_suffix('s')).is_some_and(|digits| {
            digits.len() == 2 && digits.chars().all(|digit| digit.is_ascii_digit())
        });
        word == "n" || (!is_closed && (is_decade || LEFT_OUT.contains(&word.as_str())))
    }

    /// Whether a mark that may close is the apostrophe of a plural, because what goes on behind it is closed by another one:
    /// “'All users' data is safe'”.
    fn is_of_a_plural(&self, at: usize) -> bool {
        let ends_in_s = |at: usize| matches!(self.before(at), Some('s' | 'S'));
        let goes_on =
            self.at(at + 1) == Some(' ') && self.at(at + 2).is_some_and(char::is_lowercase);
        let is_closed_later = || {
            let mut marks = (at + 1..self.0.len())
                .take(MAX_GOES_ON)
                .take_while(|&next| self.at(next) != Some('\n') && self.opens(next).is_none());
            marks.any(|next| self.at(next) == self.at(at) && self.closes(next) && !ends_in_s(next))
        };
        ends_in_s(at) && goes_on && is_closed_later()
    }
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

    #[test]
    fn single_marks_quote_as_double_ones_do() {
        for (text, quotations) in [
            ("The button reads 'Order now'", ["Order now"].as_slice()),
            ("The button reads ‘Order now’.", &["Order now"]),
            ("Rename 'Sales' to 'Deals'", &["Sales", "Deals"]),
            ("label: 'Buy' -> 'Order'", &["Buy", "Order"]),
            ("It's now 'Don't wait', isn't it?", &["Don't wait"]),
            ("The title becomes ‘Don’t wait’", &["Don’t wait"]),
            (
                "'All users' data is safe' is the headline",
                &["All users' data is safe"],
            ),
            ("The 'Sales' tab on the users' pages", &["Sales"]),
            ("('New') goes", &["New"]),
            ("It says 'Read \"Salt\" today'", &["Read \"Salt\" today"]),
            ("It says “It's 'fine' now”", &["It's 'fine' now"]),
            ("The '90s look of 'Retro'", &["Retro"]),
            ("'Größe' becomes 'Size'", &["Größe", "Size"]),
        ] {
            assert_eq!(quoted(text), quotations, "{text}");
            let blank = unquoted(text);
            assert_eq!(blank.len(), text.len(), "{text}");
            assert!(quotations.iter().all(|it| !blank.contains(it)), "{blank}");
        }
        assert_eq!(unquoted("Rename 'Buy' today"), "Rename       today");
    }

    #[test]
    fn apostrophes_quote_nothing() {
        for text in [
            "Don't show the users' menus, it's the admins' job",
            "Bring back the '90s look on the customers' pages",
            "Bring back the ’90s look on the customers’ pages",
            "Rock 'n' roll for the fans' corner",
            "Let 'em see the editors' picks",
            "The header's and the footer's links don't change",
            "A gap of 5' or 6'",
            "The visitors’ page doesn’t change",
            "it 's the users' page",
            "An open 'quotation\nends with the users' line",
        ] {
            assert!(quoted(text).is_empty(), "{text}: {:?}", quoted(text));
            assert_eq!(unquoted(text), text);
        }
    }
}
