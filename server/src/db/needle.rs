//! Texts that are looked for within others.

/// What `LOWER(column) LIKE $1 ESCAPE '!'` finds a text by, wherever it stands; empty for an empty text.
pub(super) fn pattern(needle: &str) -> String {
    if needle.is_empty() {
        return String::new();
    }
    let escaped = needle
        .to_lowercase()
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    format!("%{escaped}%")
}
