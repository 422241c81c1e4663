//! Whether a wording says what its template says: the same placeholders and figures, and no more than plain prose.

use crate::verdict::{Piece, pieces};

/// Longest wording, in characters, placeholders as they are.
const MAX_CHARACTERS: usize = 240;

/// Beginnings of words that judge, count or deny. A wording has them only where its template does.
const LOADED: &[&str] = &[
    "accept",
    "allow",
    "approv",
    "benign",
    "bug",
    "correct",
    "cosmetic",
    "defect",
    "deliberate",
    "double",
    "dozen",
    "error",
    "expect",
    "fine",
    "half",
    "harmless",
    "hundred",
    "ignor",
    "intend",
    "intent",
    "legit",
    "meant",
    "million",
    "minor",
    "never",
    "no",
    "noise",
    "none",
    "not",
    "nothing",
    "ok",
    "okay",
    "pass",
    "percent",
    "planned",
    "purpose",
    "reject",
    "review",
    "safe",
    "severe",
    "thousand",
    "trivial",
    "twice",
    "unintended",
    "verdict",
    "wanted",
    "without",
    "wrong",
];

/// Words of [`LOADED`] that begin other words too and so count only as they stand.
const WHOLE: &[&str] = &["fine", "half", "no", "none", "not", "ok", "pass"];

/// Beginnings of words of one kind, and of the opposite.
type Opposites = [&'static [&'static str]; 2];

/// What came and what went, which way something moved, whether it grew: a wording that has one kind lies where its template has
/// the other alone. What came or went it must not say either where its template has neither.
const OPPOSITES: [Opposites; 4] = [
    [
        &["add", "appear", "creat", "insert", "introduc"],
        &["delet", "disappear", "drop", "gone", "remov", "vanish"],
    ],
    [
        &["up", "upward", "above", "higher", "raise"],
        &["down", "downward", "below", "lower"],
    ],
    [&["left", "leftward"], &["right", "rightward"]],
    [
        &[
            "grow", "grew", "taller", "wider", "larger", "bigger", "longer",
        ],
        &[
            "shrink", "shrank", "shrunk", "shorter", "narrower", "smaller",
        ],
    ],
];

/// The wording in one line, if it may stand for the template.
pub(super) fn checked(wording: &str, template: &str) -> Option<String> {
    let wording = wording.trim();
    if wording == template {
        return Some(wording.to_owned());
    }
    let is_sound = wording.chars().count() <= MAX_CHARACTERS
        && marks(wording) == marks(template)
        && prose(wording).all(|part| is_plain(&part))
        && words(wording).next().is_some()
        && agrees(wording, template);
    is_sound.then(|| {
        if wording.ends_with(['.', '…']) {
            wording.to_owned()
        } else {
            format!("{wording}.")
        }
    })
}

/// What must be the same in both, in the same order: placeholders and figures. Were their order free, what was and what is
/// now could change places.
fn marks(text: &str) -> Vec<String> {
    pieces(text)
        .flat_map(|piece| match piece {
            Piece::Quote(number) => vec![format!("⟦{number}⟧")],
            Piece::Text(text) => figures(text),
        })
        .collect()
}

/// Figures with what is written to them: `1,201`, `96px`, `#00aa77`, `h2`, `50%`.
fn figures(text: &str) -> Vec<String> {
    text.split(|character| !is_of_figure(character))
        .filter_map(figure)
        .map(str::to_lowercase)
        .collect()
}

/// The figure that a run of characters is; a point or comma behind it belongs to the sentence.
fn figure(run: &str) -> Option<&str> {
    let run = run.trim_matches(['.', ',']);
    run.chars().any(char::is_numeric).then_some(run)
}

fn is_of_figure(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '#' | '%' | '.' | ',')
}

/// The text between placeholders, without figures and without the backticks that stand around placeholders.
fn prose(text: &str) -> impl Iterator<Item = String> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Quote(_) => None,
        Piece::Text(text) => {
            let text = text.strip_prefix('`').unwrap_or(text);
            Some(without_figures(text.strip_suffix('`').unwrap_or(text)))
        }
    })
}

fn without_figures(text: &str) -> String {
    let mut prose = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|part| !is_of_figure(part)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        match figure(run) {
            // A space keeps what stood around the figure apart.
            Some(_) => prose.push(' '),
            None => prose.push_str(run),
        }
        let mut others = behind.chars();
        prose.extend(others.next());
        rest = others.as_str();
    }
    prose
}

/// Letters of English, spaces and the marks of a sentence: no markup, no addresses, no code.
fn is_plain(text: &str) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_plain = character.is_ascii_alphabetic()
            || matches!(
                character,
                ' ' | ','
                    | ';'
                    | ':'
                    | '('
                    | ')'
                    | '\''
                    | '’'
                    | '“'
                    | '”'
                    | '"'
                    | '-'
                    | '–'
                    | '—'
                    | '×'
                    | '.'
                    | '…'
            );
        // A point or colon within a word makes an address of it.
        let joins = matches!(character, '.' | ':')
            && characters.peek().is_some_and(char::is_ascii_alphabetic);
        if !is_plain || joins {
            return false;
        }
    }
    true
}

fn words(text: &str) -> impl Iterator<Item = String> {
    pieces(text)
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(text),
            Piece::Quote(_) => None,
        })
        .flat_map(|text| text.split(|part: char| !part.is_alphanumeric()))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(str::to_lowercase)
}

/// Whether a wording judges, counts, denies or turns round nothing that its template does not.
fn agrees(wording: &str, template: &str) -> bool {
    let said: Vec<String> = words(wording).collect();
    let told: Vec<String> = words(template).collect();
    let begins = |word: &String, beginning: &str| {
        if WHOLE.contains(&beginning) {
            word == beginning
        } else {
            word.starts_with(beginning)
        }
    };
    let has = |words: &[String], beginnings: &[&str]| {
        words
            .iter()
            .any(|word| beginnings.iter().any(|beginning| begins(word, beginning)))
    };
    let loaded = LOADED
        .iter()
        .any(|word| has(&said, &[word]) && !has(&told, &[word]));
    let is_turned = |ours: &[&str], theirs: &[&str]| {
        has(&told, ours) && !has(&told, theirs) && has(&said, theirs)
    };
    let are_turned =
        (OPPOSITES.iter()).any(|&[one, other]| is_turned(one, other) || is_turned(other, one));
    let [[came, went], ..] = OPPOSITES;
    let is_invented = [came, went].iter().any(|kind| has(&said, kind))
        && ![came, went].iter().any(|kind| has(&told, kind));
    !loaded && !are_turned && !is_invented
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANNER: &str = "Block “⟦1⟧” (1,280 × 96 px) was added; what follows, 1,201 elements, moved 96 px down because of it.";

    #[test]
    fn a_wording_with_the_same_marks_stands() {
        for (wording, template) in [
            (
                "A new block “⟦1⟧” of 1,280 × 96 px was added and pushes the 1,201 elements below it 96 px down.",
                BANNER,
            ),
            (
                "The text of a heading changed from “⟦1⟧” to “⟦2⟧”.",
                "Heading “⟦1⟧” now reads “⟦2⟧”.",
            ),
            (
                "The button `⟦1⟧` has another background: #00aa77 became #ff0000.",
                "Button `⟦1⟧`: background-color went from #00aa77 to #ff0000.",
            ),
            (
                "A text where no text was: “⟦1⟧”",
                "Paragraph now reads “⟦1⟧”, where no text was.",
            ),
        ] {
            assert!(checked(wording, template).is_some(), "{wording}");
        }
        assert_eq!(
            checked(" Heading ⟦1⟧ became ⟦2⟧ ", "Heading “⟦1⟧” now reads “⟦2⟧”.").unwrap(),
            "Heading ⟦1⟧ became ⟦2⟧."
        );
        for template in [BANNER, "meta[name=\"robots\"] “⟦1⟧” was added."] {
            assert!(checked(template, template).is_some());
        }
        assert!(checked(&format!("So: {BANNER}"), BANNER).is_some());
    }

    #[test]
    fn figures_and_placeholders_are_neither_invented_nor_lost() {
        let template = "Heading “⟦1⟧” now reads “⟦2⟧”, 400 before 700.";
        for wording in [
            "Heading “⟦1⟧” changed, 400 before 700.",
            "Heading “⟦1⟧” became “⟦2⟧” and “⟦3⟧”, 400 before 700.",
            "Heading “⟦2⟧” became “⟦1⟧”, 400 before 700.",
            "Heading “⟦1⟧” became “⟦2⟧”, 700 before 400.",
            "Heading “⟦1⟧” became “⟦2⟧”, 400 before 701.",
            "Heading “⟦1⟧” became “⟦2⟧”.",
            "Heading “⟦1⟧” became “⟦2⟧” twice, 400 before 700.",
            "Heading “⟦1⟧” became “⟦2⟧”, 400 before 700²",
            "Heading “⟦1⟧” became “⟦2⟧”, 400 before 700 and ٣.",
        ] {
            assert_eq!(checked(wording, template), None, "{wording}");
        }
        let colour = "Block `⟦1⟧`: color went from #00aa77 to #ff0000.";
        assert_eq!(
            checked("Block `⟦1⟧`: from #00bb77 to #ff0000.", colour),
            None
        );
    }

    #[test]
    fn only_plain_prose_without_a_judgement_stands() {
        let template = "Heading “⟦1⟧” now reads “⟦2⟧”.";
        let long = format!("Heading “⟦1⟧” became “⟦2⟧”, {}.", "and so on ".repeat(40));
        for wording in [
            "",
            "“⟦1⟧” “⟦2⟧”",
            "Heading “⟦1⟧”\nbecame “⟦2⟧”.",
            "Heading “⟦1⟧” became “⟦2⟧”, which is intentional.",
            "Heading “⟦1⟧” became “⟦2⟧”; approve it.",
            "Heading “⟦1⟧” became “⟦2⟧”: a bug.",
            "Heading “⟦1⟧” did not become “⟦2⟧”.",
            "<b>Heading</b> “⟦1⟧” became “⟦2⟧”.",
            "**Heading** “⟦1⟧” became “⟦2⟧”.",
            "[Heading](x) “⟦1⟧” became “⟦2⟧”.",
            "`Heading` “⟦1⟧” became “⟦2⟧”.",
            "Heading “⟦1⟧” became “⟦2⟧”, see evil.example now.",
            "Heading “⟦1⟧” became “⟦2⟧”, see https://evil now.",
            "Heading “⟦1⟧” became “⟦2⟧”\u{202e}.",
            "Hеading “⟦1⟧” became “⟦2⟧”.",
            &long,
        ] {
            assert_eq!(checked(wording, template), None, "{wording}");
        }
    }

    #[test]
    fn what_came_did_not_go() {
        assert_eq!(
            checked("Section “⟦1⟧” was removed.", "Section “⟦1⟧” was added."),
            None
        );
        assert_eq!(
            checked("Section “⟦1⟧” appears now.", "Section “⟦1⟧” was removed."),
            None
        );
        assert!(checked("Section “⟦1⟧” is gone.", "Section “⟦1⟧” was removed.").is_some());
        let moved = "Section “⟦1⟧” moved 20 px down.";
        for lie in [
            "Section “⟦1⟧” moved 20 px up.",
            "Section “⟦1⟧” was removed, 20 px.",
            "Section “⟦1⟧” lies 20 px higher.",
        ] {
            assert_eq!(checked(lie, moved), None, "{lie}");
        }
        assert!(checked("Section “⟦1⟧” lies 20 px lower than before.", moved).is_some());
    }
}
