//! What was found against what was planted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Finding};
use pentimento_judging::{Case, Planted};

/// Figures over some cases.
#[derive(Default)]
pub(super) struct Score {
    cases: usize,
    right: usize,
    kinds: BTreeMap<String, Counts>,
    displacing: Counts,
    /// Elements that went up, down or aside, and those of them that hang on a change that made them.
    displaced: usize,
    attributed: usize,
    mistakes: Vec<String>,
}

/// How often something was found, missed, and found where it was not planted.
#[derive(Default, Clone, Copy)]
struct Counts {
    found: usize,
    missed: usize,
    loose: usize,
}

impl Counts {
    fn precision(self) -> String {
        share(self.found, self.found + self.loose)
    }

    fn recall(self) -> String {
        share(self.found, self.found + self.missed)
    }
}

/// A share to three digits.
pub(super) fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    format!("{:.3}", part as f64 / whole as f64)
}

impl Score {
    pub(super) fn add(&mut self, case: &Case, diff: &DocumentDiff) {
        self.cases += 1;
        let before = self.mistakes.len();
        let mut loose: Vec<usize> = (0..diff.findings.len())
            .filter(|&index| !diff.findings[index].is_consequence())
            .collect();
        self.count_displaced(diff);
        for planted in &case.truth.changes {
            let found = loose
                .iter()
                .position(|&index| shows(&diff.findings[index], planted))
                .or_else(|| neighbour(&loose, case, planted, diff));
            let counts = self.kinds.entry(word(planted.kind)).or_default();
            let Some(place) = found else {
                counts.missed += 1;
                let what = format!(
                    "{}: missed {} {}",
                    case.name,
                    word(planted.kind),
                    planted.element
                );
                self.mistakes.push(what);
                continue;
            };
            counts.found += 1;
            let index = loose.remove(place);
            self.add_displacement(case, planted, diff, index);
        }
        for index in loose {
            let finding = &diff.findings[index];
            self.kinds.entry(word(finding.kind)).or_default().loose += 1;
            // What nothing explains is told as a move.
            if finding.kind == ChangeType::Move {
                self.displaced += 1 + finding.collapsed as usize;
            }
            self.mistakes.push(format!(
                "{}: loose {} {} {:?} → {:?} {:?}",
                case.name,
                word(finding.kind),
                finding.element,
                finding.before,
                finding.after,
                finding.style
            ));
        }
        if self.mistakes.len() == before {
            self.right += 1;
        }
    }

    /// Counts the elements that moved because of something, and those of them for which it is known what.
    fn count_displaced(&mut self, diff: &DocumentDiff) {
        for finding in &diff.findings {
            let elements = 1 + finding.collapsed as usize;
            if finding.is_consequence() {
                self.displaced += elements;
                self.attributed += usize::from(finding.cause.is_some()) * elements;
            }
        }
    }

    /// What displaces has one group of displaced elements, and nothing else has any.
    fn add_displacement(
        &mut self,
        case: &Case,
        planted: &Planted,
        diff: &DocumentDiff,
        index: usize,
    ) {
        // What only went sideways beside a change that displaces nothing below it is right as well.
        let down = |finding: &Finding| {
            planted.displaces || finding.shift.is_some_and(|(_, y)| y.abs() > 1)
        };
        let groups: Vec<&Finding> = (diff.findings.iter())
            .filter(|finding| finding.kind == ChangeType::ReflowDisplacement && down(finding))
            .collect();
        let others = groups.len();
        let groups = groups
            .iter()
            .filter(|finding| finding.cause == Some(index))
            .count();
        match (planted.displaces, groups) {
            (true, 1) => self.displacing.found += 1,
            // In a combination, what one change displaced may be told with another that is as near.
            (true, 0) if case.truth.changes.len() > 1 && others > 0 => {}
            (true, _) => {
                self.displacing.missed += 1;
                let what = format!(
                    "{}: {groups} groups moved by {}",
                    case.name, planted.element
                );
                self.mistakes.push(what);
            }
            (false, 0) => {}
            // Other changes of a combination displace as well; which one is nearer is no mistake.
            (false, _) if case.truth.changes.len() > 1 => {}
            // What moved leaves a gap, and makes room where it came.
            (false, _) if matches!(planted.kind, ChangeType::Move | ChangeType::MoveWithEdit) => {}
            (false, _) => {
                self.displacing.loose += 1;
                let what = format!("{}: {} moved {groups} groups", case.name, planted.element);
                self.mistakes.push(what);
            }
        }
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{:<22} {:>7} {:>7} {:>7} {:>10} {:>7}\n",
            "change", "found", "missed", "loose", "precision", "recall"
        );
        let displacing = [("one cause, one group".to_owned(), self.displacing)];
        let kinds = self
            .kinds
            .iter()
            .map(|(kind, counts)| (kind.clone(), *counts));
        for (kind, counts) in kinds.chain(displacing) {
            let _ = writeln!(
                text,
                "{kind:<22} {:>7} {:>7} {:>7} {:>10} {:>7}",
                counts.found,
                counts.missed,
                counts.loose,
                counts.precision(),
                counts.recall()
            );
        }
        let _ = writeln!(
            text,
            "displaced elements that hang on a change: {} of {} ({})",
            self.attributed,
            self.displaced,
            share(self.attributed, self.displaced)
        );
        let _ = writeln!(
            text,
            "{} of {} cases without a mistake",
            self.right, self.cases
        );
        text
    }

    pub(super) fn mistakes(&self) -> String {
        self.mistakes
            .iter()
            .map(|line| format!("{line}\n"))
            .collect()
    }
}

/// Of two neighbours that changed places, either may be said to have moved.
fn neighbour(
    loose: &[usize],
    case: &Case,
    planted: &Planted,
    diff: &DocumentDiff,
) -> Option<usize> {
    if planted.kind != ChangeType::Move || !case.name.contains("reorder") {
        return None;
    }
    let is_other = |index: &usize| {
        let finding = &diff.findings[*index];
        let named = |planted: &Planted| shows(finding, planted);
        finding.kind == ChangeType::Move && !case.truth.changes.iter().any(named)
    };
    loose.iter().position(is_other)
}

/// Whether a finding is the planted change.
fn shows(finding: &Finding, planted: &Planted) -> bool {
    finding.kind == planted.kind && names(&finding.element, &planted.element)
}

/// Whether a selector's last part names an element by its id or classes; metadata goes by its whole name.
fn names(selector: &str, element: &str) -> bool {
    if selector == element {
        return true;
    }
    if !element.starts_with(['#', '.']) {
        return selector.starts_with(element);
    }
    let last = selector.rsplit([' ', '>']).next().unwrap_or(selector);
    let last = last.split(':').next().unwrap_or(last);
    element
        .split_inclusive(['#', '.'])
        .filter(|part| part.len() > 1)
        .all(|part| last.contains(part.trim_end_matches(['#', '.'])))
}

fn word(kind: ChangeType) -> String {
    serde_json::to_value(kind)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
