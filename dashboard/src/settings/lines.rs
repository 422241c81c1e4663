//! Lists as texts of one entry a line.

use std::fmt::Write;

use pentimento_api::crawl::PagePath;

/// The entries of a text: its lines without the blanks around them, those that are empty left out.
pub(crate) fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// One entry a line.
pub(crate) fn text_of(entries: &[String]) -> String {
    entries.join("\n")
}

/// One selector a line. A line break within one is a blank, which means the same.
pub(crate) fn text_of_masks(masks: &[String]) -> String {
    let lines: Vec<String> = (masks.iter())
        .map(|mask| mask.replace(['\n', '\r', '\u{c}'], " "))
        .collect();
    text_of(&lines)
}

/// One page a line: its path, and behind a blank its label. Blanks within a path are escaped.
pub(crate) fn text_of_paths(paths: &[PagePath]) -> String {
    let line = |page: &PagePath| {
        let path = without_blanks(&page.path);
        format!("{path} {}", page.label).trim_end().to_owned()
    };
    text_of(&paths.iter().map(line).collect::<Vec<String>>())
}

/// How paths with blanks are stored, by how they are shown: what was not touched is to be sent as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpacedPaths(Vec<(String, String)>);

impl SpacedPaths {
    pub(crate) fn of(paths: &[PagePath]) -> Self {
        let spaced = paths
            .iter()
            .map(|page| (without_blanks(&page.path), page.path.clone()));
        Self(spaced.filter(|(shown, stored)| shown != stored).collect())
    }

    fn stored(&self, shown: String) -> String {
        let known = self.0.iter().find(|(known, _)| *known == shown);
        known.map_or(shown, |(_, stored)| stored.clone())
    }
}

/// A path or a glob whose blanks are escaped, as they are in an address.
pub(crate) fn without_blanks(path: &str) -> String {
    let mut shown = String::with_capacity(path.len());
    for sign in path.chars() {
        if sign.is_whitespace() {
            for byte in sign.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(shown, "%{byte:02X}");
            }
        } else {
            shown.push(sign);
        }
    }
    shown
}

/// The pages of such a text. Whole addresses on `origin` are taken for their paths.
pub(crate) fn paths_of(text: &str, origin: &str, spaced: &SpacedPaths) -> Vec<PagePath> {
    let origin = origin.trim().trim_end_matches('/');
    let page = |line: &str| {
        let (path, label) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let within = Some(path)
            .filter(|_| !origin.is_empty())
            .and_then(|path| path.strip_prefix(origin));
        let path = match within {
            Some("") => "/",
            Some(within) if within.starts_with(['/', '?']) => within,
            _ => path,
        };
        let slash = if path.starts_with('?') { "/" } else { "" };
        PagePath {
            path: spaced.stored(format!("{slash}{path}")),
            label: label.trim().to_owned(),
        }
    };
    entries(text).map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, label: &str) -> PagePath {
        PagePath {
            path: path.to_owned(),
            label: label.to_owned(),
        }
    }

    #[test]
    fn pages_come_back_from_their_text() {
        let pages = [
            page("/", ""),
            page("/cart?a=1", "The cart"),
            page("/ü", ""),
            page("/a b", "two"),
            page("/a\u{3000}b", ""),
        ];
        let text = text_of_paths(&pages);
        assert_eq!(text, "/\n/cart?a=1 The cart\n/ü\n/a%20b two\n/a%E3%80%80b");
        let spaced = SpacedPaths::of(&pages);
        assert_eq!(paths_of(&text, "https://shop.test", &spaced), pages);
    }

    #[test]
    fn addresses_of_the_origin_are_paths_and_others_stay_to_be_refused() {
        let text = "https://shop.test/a Label\n\n  https://shop.test\nhttps://shop.test?q\nhttps://shop.testing/b";
        let none = SpacedPaths::default();
        let pages = paths_of(text, "https://shop.test/", &none);
        assert_eq!(
            pages,
            [
                page("/a", "Label"),
                page("/", ""),
                page("/?q", ""),
                page("https://shop.testing/b", "")
            ]
        );
        assert_eq!(paths_of("/a", "", &none), [page("/a", "")]);
    }

    #[test]
    fn a_selector_with_a_line_break_stays_one() {
        let masks = ["main\n  .price".to_owned(), "[title='a  b']".to_owned()];
        let text = text_of_masks(&masks);
        let back: Vec<&str> = entries(&text).collect();
        assert_eq!(back, ["main   .price", "[title='a  b']"]);
    }
}
