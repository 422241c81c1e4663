//! What sentences call an element, and how they quote it.

use pentimento_document::{Finding, clip_pair};

/// Characters of a text that a sentence quotes.
const QUOTED_CHARACTERS: usize = 80;

/// What people call an element; metadata goes by its own name.
pub(super) fn name(finding: &Finding) -> String {
    let word = match finding.tag.as_str() {
        "" => return metadata_name(&finding.element),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "Heading",
        "a" => "Link",
        "button" => "Button",
        "p" => "Paragraph",
        "li" => "List item",
        "ul" | "ol" => "List",
        "img" | "picture" | "svg" => "Picture",
        "video" => "Video",
        "table" => "Table",
        "tr" => "Table row",
        "td" | "th" => "Table cell",
        "label" => "Label",
        "input" | "textarea" | "select" => "Field",
        "form" => "Form",
        "nav" => "Navigation",
        "header" => "Header",
        "footer" => "Footer",
        "main" => "Main part",
        "aside" => "Side part",
        "section" | "article" => "Section",
        "figure" => "Figure",
        "blockquote" => "Quotation",
        "time" => "Time",
        "code" | "pre" => "Code",
        "strong" | "em" | "b" | "i" | "span" | "small" | "mark" => "Text",
        "div" | "body" => "Block",
        other => return format!("`{other}`"),
    };
    word.to_owned()
}

fn metadata_name(element: &str) -> String {
    match element {
        "title" => "The page's title".to_owned(),
        "lang" => "The page's language".to_owned(),
        other => other.to_owned(),
    }
}

/// A name with the element's text, or with its selector where it says nothing.
pub(super) fn labelled(finding: &Finding, name: &str) -> String {
    match &finding.text {
        Some(_) => quoted(name, finding.text.as_ref()),
        None => format!("{name} `{}`", finding.element),
    }
}

pub(super) fn quoted(name: &str, text: Option<&String>) -> String {
    match text.map(|text| text.trim()).filter(|text| !text.is_empty()) {
        Some(text) => format!("{name} “{}”", cut(text)),
        None => name.to_owned(),
    }
}

/// Two texts as short as sentences quote them, around where they part.
pub(in crate::verdict) fn cut_pair(before: &str, after: &str) -> [String; 2] {
    clip_pair(before, after, QUOTED_CHARACTERS)
}

/// A text as short as sentences quote it.
pub(in crate::verdict) fn cut(text: &str) -> String {
    if text.chars().count() <= QUOTED_CHARACTERS {
        return text.to_owned();
    }
    let kept: String = text.chars().take(QUOTED_CHARACTERS).collect();
    format!("{}…", kept.trim_end())
}
