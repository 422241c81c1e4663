//! Edits of the source that nobody can see: class names, the order of attributes, white space.

use crate::html::{Element, Node};
use crate::select::{at, find};

/// The suffix that a build step would give to every class of a style sheet.
const SUFFIX: &str = "-x7q2";
/// Elements in which white space shows or means something.
const VERBATIM: [&str; 5] = ["pre", "code", "textarea", "script", "style"];

/// Gives every class another name, in the markup and in the style sheet.
pub(crate) fn rename_classes(root: &mut Element) {
    root.walk_mut(&mut |element| {
        if let Some(classes) = element.attribute("class") {
            let renamed: Vec<String> = classes.split(' ').map(|c| format!("{c}{SUFFIX}")).collect();
            element.set("class", &renamed.join(" "));
        }
    });
    let sheet = style_sheet(root);
    *sheet = rename_in_css(sheet);
}

/// The text of the document's style sheet.
pub(crate) fn style_sheet(root: &mut Element) -> &mut String {
    let path = find(root, &|element| element.tag == "style").expect("every page has a style sheet");
    at(root, &path).leaf_text()
}

/// A dot before a letter starts a class: figures have a digit there, and the sheets hold no
/// addresses.
fn rename_in_css(css: &str) -> String {
    let mut renamed = String::with_capacity(css.len() * 2);
    let mut parts = css.split('.');
    renamed.push_str(parts.next().unwrap_or(""));
    for part in parts {
        renamed.push('.');
        let end = part
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !"-_".contains(letter))
            .unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        renamed.push_str(name);
        if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            renamed.push_str(SUFFIX);
        }
        renamed.push_str(rest);
    }
    renamed
}

/// Turns the order of all attributes round, and indents anew where there was white space already.
pub(crate) fn shuffle_source(root: &mut Element) {
    root.attributes.reverse();
    if VERBATIM.contains(&root.tag.as_str()) {
        return;
    }
    for child in &mut root.children {
        match child {
            Node::Element(element) => shuffle_source(element),
            Node::Text(text) if text.contains('\n') && text.trim().is_empty() => {
                "\n\n\t\t".clone_into(text);
            }
            Node::Text(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rename_in_css;

    #[test]
    fn renames_classes_and_leaves_figures() {
        let css = ".a-b > p.c{margin:1.5em .5em}";
        assert_eq!(
            rename_in_css(css),
            ".a-b-x7q2 > p.c-x7q2{margin:1.5em .5em}"
        );
    }
}
