//! A page of the corpus: its document, its words and what may be done to it.

use crate::art;
use crate::edit::Step;
use crate::html::{Element, read_document};

/// A page, made from a template.
pub(crate) struct Page {
    /// The name in case names.
    pub(crate) name: &'static str,
    /// The number that its combinations are drawn from.
    pub(crate) seed: u64,
    /// What a project with this page would say about itself.
    pub(crate) intent: &'static str,
    /// The mutations, each of which becomes a case.
    pub(crate) steps: &'static [Step],
    /// The document, with all lists filled and all pictures drawn.
    pub(crate) root: Element,
}

/// Reads a template in which `{{name}}` stands for each of the given lists.
pub(crate) fn document(template: &str, lists: &[(&str, String)]) -> Element {
    let filled = lists
        .iter()
        .fold(template.to_owned(), |page, (name, list)| {
            page.replace(&format!("{{{{{name}}}}}"), list)
        });
    let mut root = read_document(&filled).expect("templates are well nested");
    art::paint_all(&mut root);
    root
}
