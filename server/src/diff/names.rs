//! Names of files as words.

use std::fmt::Write as _;
use std::path::Path;

/// A path as a text that no other path has. Bytes that are none of UTF-8 stand as `\xff`, and a backslash in front of what would
/// then read as such a byte as `\x5c`; every other name stays as it is.
pub(super) fn readable(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let valid = chunk.valid();
        for (at, letter) in valid.char_indices() {
            if letter == '\\' && reads_as_byte(&valid[at + 1..]) {
                push_byte(&mut text, b'\\');
            } else {
                text.push(letter);
            }
        }
        for &byte in chunk.invalid() {
            push_byte(&mut text, byte);
        }
    }
    text
}

/// Words on one line: names of files may hold characters that draw over others. They stand as their bytes do where those are none
/// of UTF-8, so that what comes of [`readable`] is still no other path's.
pub(super) fn printable(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        if draws_over(letter) {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                push_byte(&mut text, byte);
            }
        } else {
            text.push(letter);
        }
    }
    text
}

/// Whether a character is no sign of its own: it moves the cursor, or has others drawn elsewhere, in another order or on each other
/// (the format characters of Unicode that turn the direction or take no room).
fn draws_over(letter: char) -> bool {
    let turns_or_hides = matches!(letter,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || turns_or_hides
}

/// Whether a backslash in front of these would be read as a byte with them.
fn reads_as_byte(after: &str) -> bool {
    let is_digit = u8::is_ascii_hexdigit;
    matches!(after.as_bytes(), [b'x', high, low, ..] if is_digit(high) && is_digit(low))
}

fn push_byte(text: &mut String, byte: u8) {
    let _ = write!(text, "\\x{byte:02x}");
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn named(bytes: &[u8]) -> String {
        readable(Path::new(OsStr::from_bytes(bytes)))
    }

    #[test]
    fn a_name_stays_as_it_is_unless_it_would_be_read_as_another() {
        for name in ["a/é.png", "a\\b.png", "\\x.png", "\\xf\\", "\\x0"] {
            assert_eq!(named(name.as_bytes()), name);
        }
        assert_eq!(named(b"a/x\xff.png"), "a/x\\xff.png");
        assert_eq!(named(b"a/x\\xff.png"), "a/x\\x5cxff.png");
        assert_eq!(named(b"\\\\xFF\xc3"), "\\\\x5cxFF\\xc3");
        assert_eq!(
            printable(&named("two\nlines\u{85}".as_bytes())),
            "two\\x0alines\\xc2\\x85"
        );
        assert_eq!(printable("gnp.\u{202e}a"), "gnp.\\xe2\\x80\\xaea");
        assert_eq!(
            printable("a\u{ad}\u{e0061}"),
            "a\\xc2\\xad\\xf3\\xa0\\x81\\xa1"
        );
    }

    #[test]
    fn no_two_names_come_out_as_one() {
        // None begins as another does, so that no two rows of them are the same name.
        let pieces: [&[u8]; 7] = [b"\\", b"x", b"ff", b"5c", b"0a", b"\xff", b"\n"];
        let mut names: Vec<Vec<u8>> = vec![Vec::new()];
        let (mut texts, mut lines) = (HashSet::new(), HashSet::new());
        for _ in 0..6 {
            for name in &names {
                let text = named(name);
                assert!(lines.insert(printable(&text)), "{text}");
                assert!(texts.insert(text), "{name:?}");
            }
            let longer = |name: &Vec<u8>| pieces.map(|piece| [name.as_slice(), piece].concat());
            names = names.iter().flat_map(longer).collect();
        }
    }
}
