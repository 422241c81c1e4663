//! Words that a page cannot choose freely: what HTML and CSS name, and values that are figures or keywords.

/// Elements that HTML names.
const TAGS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "audio",
    "b",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "main",
    "mark",
    "menu",
    "meter",
    "nav",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "picture",
    "pre",
    "progress",
    "q",
    "s",
    "samp",
    "search",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
    "video",
];

/// Fields of the head whose names are the same on every page.
const METADATA: &[&str] = &[
    "title",
    "lang",
    "link[rel=\"canonical\"]",
    "link[rel=\"icon\"]",
    "link[rel=\"next\"]",
    "link[rel=\"prev\"]",
    "meta[name=\"description\"]",
    "meta[name=\"googlebot\"]",
    "meta[name=\"keywords\"]",
    "meta[name=\"robots\"]",
    "meta[name=\"theme-color\"]",
    "meta[name=\"viewport\"]",
    "meta[property=\"og:description\"]",
    "meta[property=\"og:image\"]",
    "meta[property=\"og:title\"]",
    "meta[property=\"og:type\"]",
    "meta[property=\"og:url\"]",
];

/// Style properties that captures record.
const PROPERTIES: &[&str] = &[
    "align-items",
    "background-color",
    "background-image",
    "block-size",
    "border-bottom-color",
    "border-bottom-width",
    "border-left-color",
    "border-left-width",
    "border-radius",
    "border-right-color",
    "border-right-width",
    "border-top-color",
    "border-top-width",
    "bottom",
    "box-shadow",
    "color",
    "cursor",
    "direction",
    "display",
    "flex-direction",
    "flex-wrap",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "gap",
    "height",
    "inline-size",
    "justify-content",
    "left",
    "letter-spacing",
    "line-height",
    "list-style-type",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "opacity",
    "overflow-x",
    "overflow-y",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "position",
    "right",
    "text-align",
    "text-decoration-line",
    "text-indent",
    "text-transform",
    "top",
    "transform",
    "visibility",
    "white-space",
    "width",
    "word-spacing",
    "z-index",
];

/// Values that CSS names.
const KEYWORDS: &[&str] = &[
    "absolute",
    "auto",
    "baseline",
    "block",
    "bold",
    "both",
    "bottom",
    "capitalize",
    "center",
    "clip",
    "collapse",
    "column",
    "column-reverse",
    "contents",
    "dashed",
    "default",
    "dotted",
    "double",
    "end",
    "fixed",
    "flex",
    "flex-end",
    "flex-start",
    "flow-root",
    "grid",
    "hidden",
    "inherit",
    "initial",
    "inline",
    "inline-block",
    "inline-flex",
    "inline-grid",
    "inset",
    "italic",
    "justify",
    "left",
    "line-through",
    "list-item",
    "lowercase",
    "ltr",
    "middle",
    "none",
    "normal",
    "nowrap",
    "oblique",
    "overline",
    "pointer",
    "pre",
    "pre-line",
    "pre-wrap",
    "relative",
    "right",
    "row",
    "row-reverse",
    "rtl",
    "scroll",
    "solid",
    "space-around",
    "space-between",
    "space-evenly",
    "start",
    "static",
    "sticky",
    "stretch",
    "table",
    "table-cell",
    "table-row",
    "text",
    "top",
    "transparent",
    "underline",
    "uppercase",
    "visible",
    "wrap",
];

/// Units of a number.
const UNITS: &[&str] = &[
    "", "%", "ch", "cm", "deg", "em", "fr", "in", "mm", "ms", "pt", "px", "rem", "s", "vh", "vw",
];

/// Longest value that can be plain, in bytes.
const MAX_VALUE_BYTES: usize = 120;

pub(super) fn is_tag(tag: &str) -> bool {
    TAGS.binary_search(&tag).is_ok()
}

pub(super) fn is_metadata(name: &str) -> bool {
    METADATA.contains(&name)
}

pub(super) fn is_property(name: &str) -> bool {
    PROPERTIES.binary_search(&name).is_ok()
}

/// Whether a style's value is made of numbers, colours and keywords alone.
pub(super) fn is_plain_value(value: &str) -> bool {
    if value.len() > MAX_VALUE_BYTES {
        return false;
    }
    let mut rest = value.trim_start();
    while !rest.is_empty() {
        let Some(behind) = behind_colour(rest).or_else(|| behind_word(rest)) else {
            return false;
        };
        rest = behind.trim_start_matches([' ', ',']);
    }
    true
}

/// What follows on a colour by its channels.
fn behind_colour(text: &str) -> Option<&str> {
    let inside = (text.strip_prefix("rgba(")).or_else(|| text.strip_prefix("rgb("))?;
    let (channels, behind) = inside.split_once(')')?;
    let is_figures =
        |text: &str| (text.chars()).all(|part| part.is_ascii_digit() || " .,%/".contains(part));
    is_figures(channels).then_some(behind)
}

/// What follows on a number with its unit, a hexadecimal colour or a keyword.
fn behind_word(text: &str) -> Option<&str> {
    let end = text.find([' ', ',']).unwrap_or(text.len());
    let (word, behind) = text.split_at(end);
    let is_plain = KEYWORDS.binary_search(&word).is_ok() || is_hex(word) || is_number(word);
    is_plain.then_some(behind)
}

fn is_hex(word: &str) -> bool {
    let digits = word.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn is_number(word: &str) -> bool {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let unit = unsigned.trim_start_matches(|part: char| part.is_ascii_digit() || part == '.');
    let number = &unsigned[..unsigned.len() - unit.len()];
    number.parse::<f64>().is_ok() && UNITS.contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_searched_in_order() {
        for list in [TAGS, PROPERTIES, KEYWORDS] {
            assert!(list.is_sorted());
        }
    }

    #[test]
    fn plain_values_are_figures_colours_and_keywords() {
        for plain in [
            "",
            "16px",
            "-8px",
            "1.5em",
            "400",
            "0.9",
            "50%",
            "#00aa77",
            "rgb(0, 170, 119)",
            "rgba(0, 0, 0, 0.5) 0px 1px 2px 0px inset",
            "1px solid rgb(1, 2, 3)",
            "inline-block",
        ] {
            assert!(is_plain_value(plain), "{plain}");
        }
        for other in [
            "Inter",
            "\"Canary Sans\", serif",
            "url(\"/canary.png\")",
            "rgb(canary)",
            "12canary",
            "#canary",
            "canary",
            "var(--canary)",
            "NaN",
            "inf",
            "1e5",
        ] {
            assert!(!is_plain_value(other), "{other}");
        }
    }
}
