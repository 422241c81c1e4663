//! Builds the cases: every page with each of its edits alone, then with combinations of them.

use crate::apply::apply;
use crate::combine::combinations;
use crate::edit::Step;
use crate::html::write_document;
use crate::intents::intents;
use crate::page::Page;
use crate::pages::pages;
use crate::truth::{Case, Half, Pixels, Truth};

/// All cases of a half, in the same order and with the same bytes every time.
pub fn cases(half: Half) -> Vec<Case> {
    let mut cases = Vec::new();
    for page in pages(half) {
        let singles = page.steps.iter().map(|step| vec![*step]);
        for steps in singles.chain(combinations(&page)) {
            cases.push(case(half, &page, &steps, cases.len()));
        }
    }
    cases
}

/// One case; `number` varies the wording of its intents.
fn case(half: Half, page: &Page, steps: &[Step], number: usize) -> Case {
    let mut after = page.root.clone();
    let mut changes = Vec::new();
    for step in steps {
        changes.extend(apply(step, &mut after));
    }
    let names: Vec<&str> = steps.iter().map(|step| step.edit.name()).collect();
    let shown = steps.iter().map(|step| step.edit.pixels());
    Case {
        name: format!("{}/{}", page.name, names.join("+")),
        before: write_document(&page.root),
        after: write_document(&after),
        truth: Truth {
            pixels: shown.max().unwrap_or(Pixels::Same),
            intents: intents(half, page, steps, &changes, number),
            changes,
        },
    }
}
