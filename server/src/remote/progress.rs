//! How far a job is: a bar on a terminal, else a line when another tenth is done.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use pentimento_api::job::Progress as JobProgress;

/// Lines written in all, when the standard error is no terminal.
const LINES: u64 = 10;

pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { told: Option<u64> },
}

impl Progress {
    pub(super) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { told: None };
        }
        let bar = ProgressBar::new(0);
        bar.set_style(
            ProgressStyle::with_template("{bar:32} {pos}/{len} pages  {elapsed}")
                .expect("the template is valid"),
        );
        Self::Bar(bar)
    }

    /// Shows how far the job is now.
    pub(super) fn show(&mut self, now: &JobProgress) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(now.total);
                bar.set_position(now.completed);
            }
            Self::Lines { told } => {
                let Some(tenth) = (now.completed * LINES).checked_div(now.total) else {
                    return;
                };
                if told.is_none_or(|told| tenth > told) {
                    eprintln!("{} of {} pages are done", now.completed, now.total);
                    *told = Some(tenth);
                }
            }
        }
    }

    /// The job has ended.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
