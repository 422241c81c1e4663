//! Texts that are looked for within others.

/// What `LOWER(column) LIKE $1 ESCAPE '!'` finds a text by, wherever it stands; empty for an empty text.
pub(super) fn pattern(needle: &str) -> String {
    if needle.is_empty() {
        return String::new();
    }
    format!("%{}%", escaped(&needle.to_lowercase()))
}

/// The same for `column LIKE $1 ESCAPE '!'`, which finds what is written so: SQLite's `LOWER` knows the letters of English alone.
pub(super) fn as_written(needle: &str) -> String {
    if needle.is_empty() {
        return String::new();
    }
    format!("%{}%", escaped(needle))
}

fn escaped(needle: &str) -> String {
    needle
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_")
}
