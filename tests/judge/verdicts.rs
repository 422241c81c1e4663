//! The verdicts on pages against the right ones, under three intents each.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use pentimento::verdict::{Intent, judge};
use pentimento_api::result::Decision;
use pentimento_judging::{Case, IntentCase, Pixels};

use super::Compared;
use super::score::share;

/// Counts of (right decision, our decision).
#[derive(Default)]
pub(super) struct Verdicts {
    counts: [[usize; 4]; 4],
    /// Hard bugs, and those of them that were called intentional or noise.
    hard: [usize; 2],
    mistakes: Vec<String>,
    /// How long each verdict took, and on which case.
    took: Vec<(Duration, String)>,
    /// Verdicts that came out otherwise when they were asked for again.
    unsteady: usize,
}

impl Verdicts {
    pub(super) fn add(&mut self, case: &Case, compared: &Compared) {
        let is_hard = case.truth.changes.iter().any(|planted| planted.hard_bug);
        for intended in &case.truth.intents {
            let intent = Intent::of(intended.intent.as_deref(), Some(&intended.run_context));
            let ask = || {
                let (pixels, document) = (compared.pixels.as_ref(), Some(&compared.document));
                judge(pixels, document, intent.as_ref())
            };
            let timed = || {
                let begun = Instant::now();
                (ask(), begun.elapsed())
            };
            let ((judged, first), (again, second)) = (timed(), timed());
            // Whatever else the machine does only adds to the shorter of two times.
            self.took.push((first.min(second), case.name.clone()));
            self.unsteady += usize::from(format!("{judged:?}") != format!("{again:?}"));
            let Some(judged) = judged else {
                // Nothing is said of what did not change.
                if case.truth.pixels != Pixels::Same || !case.truth.changes.is_empty() {
                    self.mistakes.push(format!(
                        "{} ({}): no change was seen",
                        case.name, intended.name
                    ));
                }
                continue;
            };
            let (right, ours) = (intended.decision, judged.verdict.decision);
            self.counts[place(right)][place(ours)] += 1;
            if is_hard {
                self.hard[0] += 1;
                let cleared = matches!(ours, Decision::Intentional | Decision::Noise);
                self.hard[1] += usize::from(cleared);
            }
            if right == ours {
                continue;
            }
            let mut line = format!(
                "{} ({}): {ours:?} instead of {right:?}",
                case.name, intended.name
            );
            for finding in &judged.summary {
                if let Some(verdict) = finding
                    .verdict
                    .as_ref()
                    .filter(|verdict| verdict.decision == ours)
                {
                    let _ = write!(line, "\n    {} | {}", finding.text, verdict.reasoning);
                    break;
                }
            }
            for said in said(intended) {
                let _ = write!(line, "\n      « {said}");
            }
            self.mistakes.push(line);
        }
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!("{:<14}", "right ╲ ours");
        for decision in Decision::ALL {
            let _ = write!(text, "{:>14}", decision.as_str());
        }
        text.push('\n');
        for right in Decision::ALL {
            let _ = write!(text, "{:<14}", right.as_str());
            for ours in Decision::ALL {
                let _ = write!(text, "{:>14}", self.counts[place(right)][place(ours)]);
            }
            text.push('\n');
        }
        for decision in [Decision::Intentional, Decision::Noise, Decision::Bug] {
            let at = place(decision);
            let hit = self.counts[at][at];
            let called: usize = self.counts.iter().map(|row| row[at]).sum();
            let wanted: usize = self.counts[at].iter().sum();
            let _ = writeln!(
                text,
                "{}: precision {}, recall {}",
                decision.as_str(),
                share(hit, called),
                share(hit, wanted)
            );
        }
        let all: usize = self.counts.iter().flatten().sum();
        let review: usize = self
            .counts
            .iter()
            .map(|row| row[place(Decision::NeedsReview)])
            .sum();
        let right: usize = self.counts[place(Decision::NeedsReview)].iter().sum();
        let left = review - self.counts[place(Decision::NeedsReview)][place(Decision::NeedsReview)];
        let _ = writeln!(
            text,
            "left to a person: {left} of the {} that need none ({}); {} of all do need one",
            all - right,
            share(left, all - right),
            share(right, all)
        );
        let _ = writeln!(
            text,
            "needs_review: {} of all; hard bugs called intentional or noise: {} of {}",
            share(review, all),
            self.hard[1],
            self.hard[0]
        );
        text
    }

    /// How long verdicts take, the intent read already, and whether they come out the same again.
    pub(super) fn pace(&mut self) -> String {
        self.took.sort_unstable();
        let ms = |at: usize| self.took.get(at).map_or(0.0, |took| took.0.as_secs_f64()) * 1e3;
        let slowest = self.took.last().map_or("", |took| &took.1);
        format!(
            "{} verdicts, {} otherwise when asked again; {:.2} ms each in the median, {:.2} ms at most ({slowest})\n",
            self.took.len(),
            self.unsteady,
            ms(self.took.len() / 2),
            ms(self.took.len().saturating_sub(1))
        )
    }

    pub(super) fn mistakes(&self) -> String {
        self.mistakes
            .iter()
            .map(|line| format!("{line}\n"))
            .collect()
    }
}

/// What people wrote, to be seen beside a mistake.
fn said(intended: &IntentCase) -> Vec<&str> {
    let run = &intended.run_context;
    let texts = [
        &run.change_description,
        &run.pr_title,
        &run.pr_description,
        &run.git_commit_message,
        &intended.intent,
    ];
    let lists = [&run.expected_changes, &run.scope];
    let lists = lists.into_iter().flatten().flatten();
    let texts = texts.into_iter().flatten();
    texts.chain(lists).map(String::as_str).collect()
}

fn place(decision: Decision) -> usize {
    match decision {
        Decision::Intentional => 0,
        Decision::Bug => 1,
        Decision::Noise => 2,
        Decision::NeedsReview => 3,
    }
}
