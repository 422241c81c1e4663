//! Paths of pages: what a page is keyed by whatever its origin, and globs over them.

use std::borrow::Cow;

use globset::{Glob, GlobBuilder};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

/// What a URL's path never holds as it is, beside what is not ASCII (WHATWG URL, "path percent-encode set"; a backslash is
/// taken for a slash).
const NOT_IN_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// Path with query: what a page is keyed by, whatever its origin.
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// A text with its letters beyond ASCII as addresses hold them.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, CONTROLS).to_string()
}

/// A path as people read it: letters of every script as they are. Escapes of ASCII stay, since what they stand for would mean
/// something else there; so do those of characters that show nothing, or turn a text around.
pub fn readable(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let letters: Vec<u8> = (rest.as_bytes().chunks(3))
            .map_while(|escape| {
                let [b'%', digits @ ..] = escape else {
                    return None;
                };
                let byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
                (digits.len() == 2 && !byte.is_ascii()).then_some(byte)
            })
            .collect();
        let escaped = (3 * letters.len()).max(1);
        match String::from_utf8(letters) {
            Ok(letters) if !letters.is_empty() && letters.chars().all(shows) => {
                text.push_str(&letters);
            }
            _ => text.push_str(&rest[..escaped]),
        }
        rest = &rest[escaped..];
    }
    text.push_str(rest);
    text
}

/// Whether a character shows, and leaves the order of others alone (the Unicode 16 properties `Default_Ignorable_Code_Point` and
/// `Bidi_Control`).
fn shows(letter: char) -> bool {
    !letter.is_control()
        && !letter.is_whitespace()
        && !matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}'
                | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A glob over URL paths: `*` stays within a segment, `**` crosses segments, every other character stands for itself, as
/// a URL writes it. Paths are matched as [`comparable`] gives them.
///
/// # Errors
/// The pattern is too large.
pub fn path_glob(pattern: &str) -> Result<Glob, globset::Error> {
    let mut glob = String::with_capacity(pattern.len());
    let mut rest = pattern;
    loop {
        let literal = &rest[..rest.find('*').unwrap_or(rest.len())];
        let encoded = utf8_percent_encode(literal, NOT_IN_PATHS).to_string();
        glob.push_str(&globset::escape(&comparable(&encoded)));
        rest = &rest[literal.len()..];
        let after = rest.trim_start_matches('*');
        match rest.len() - after.len() {
            0 => break,
            1 => glob.push('*'),
            _ => {
                let is_whole_segment = (glob.is_empty() || glob.ends_with('/'))
                    && (after.is_empty() || after.starts_with('/'));
                // Inside of a segment a glob's `**` would be no more than `*`.
                glob.push_str(if is_whole_segment { "**" } else { "{*,*/**/*}" });
            }
        }
        rest = after;
    }
    GlobBuilder::new(&glob)
        .literal_separator(true)
        .backslash_escape(false)
        .build()
}

/// A URL's path with the hexadecimal digits of its escapes in upper case: `%c3` and `%C3` are one.
pub fn comparable(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut parts = path.split('%');
    let mut comparable = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        comparable.push('%');
        let digits = part.bytes().take(2).take_while(u8::is_ascii_hexdigit);
        let (digits, plain) = part.split_at(digits.count());
        comparable.push_str(&digits.to_ascii_uppercase());
        comparable.push_str(plain);
    }
    Cow::Owned(comparable)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks whether a pattern matches the path of an address, as addresses are written.
    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        let url = Url::parse("https://site.example/")
            .and_then(|origin| origin.join(path))
            .unwrap();
        let glob = path_glob(pattern).unwrap().compile_matcher();
        let is_match = glob.is_match(&*comparable(url.path()));
        assert_eq!(is_match, expected, "{pattern} {path}");
    }

    #[test]
    fn letters_of_every_script_are_read_as_they_are() {
        for (path, expected) in [
            ("/%E6%97%A5%E6%9C%AC/a?q=%C3%A9", "/日本/a?q=é"),
            ("/a%20b%2Fc%3F", "/a%20b%2Fc%3F"),
            ("/%E6%97/%FF%", "/%E6%97/%FF%"),
            ("/%E2%80%AEgnp", "/%E2%80%AEgnp"),
            ("/%+1%é", "/%+1%é"),
            ("/plain", "/plain"),
        ] {
            assert_eq!(readable(path), expected);
        }
    }

    #[test]
    fn stars_are_the_only_wildcards() {
        for (pattern, path, expected) in [
            ("/docs/*", "/docs/a", true),
            ("/docs/*", "/docs/a/b", false),
            ("/docs/**", "/docs/a/b", true),
            ("/**/edit", "/a/b/edit", true),
            ("/**/edit", "/edit", true),
            ("/a?", "/ab", false),
            ("/a?b=[1]", "/a%3Fb=[1]", true),
            ("/[a", "/[a", true),
            ("/{a,b}", "/a", false),
            ("/{a,b}", "/{a,b}", true),
            ("/a\\*", "/a%5Cb", true),
        ] {
            check(pattern, path, expected);
        }
    }

    #[test]
    fn two_stars_cross_segments_wherever_they_stand() {
        for (pattern, path, expected) in [
            ("/docs**", "/docs", true),
            ("/docs**", "/docs/", true),
            ("/docs**", "/docs-old/a/b", true),
            ("/docs**", "/doc", false),
            ("/shop/**.html", "/shop/a.html", true),
            ("/shop/**.html", "/shop/x/y/a.html", true),
            ("/shop/**.html", "/shop/x/y/a.htm", false),
            ("/a**b**c", "/a/1/b/2/c", true),
            ("/a**b**c", "/abc", true),
            ("/a**b**c", "/acb", false),
            ("**/edit", "/a/b/edit", true),
            ("**edit", "/a/b/re-edit", true),
            ("**", "/a/b", true),
            ("/a***b", "/a/1/b", true),
        ] {
            check(pattern, path, expected);
        }
    }

    #[test]
    fn patterns_are_written_as_people_read_addresses() {
        for (pattern, path) in [
            ("/über/*", "/über/a"),
            ("/über/*", "/%c3%bcber/a"),
            ("/%c3%bcber/*", "/über/a"),
            ("/a b/*", "/a%20b/c"),
            ("/100%*", "/100%"),
            ("/%2*", "/%2f"),
            ("/日本**", "/日本/語"),
        ] {
            check(pattern, path, true);
        }
        check("/a/*", "/a%2fb", false);
    }

    /// Whatever a URL escapes in a path, a pattern has escaped; the others stand for themselves in both.
    #[test]
    fn the_set_is_that_of_urls() {
        let ascii = (0x20..0x7F).map(char::from);
        for character in ascii.filter(|character| !"*/\\?#".contains(*character)) {
            let path = format!("/a{character}b");
            check(&path, &path, true);
        }
    }
}
