//! How far a job is: a bar on a terminal, else a line when another tenth is done.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use pentimento_api::job::Progress as JobProgress;

/// Lines written in all, when the standard error is no terminal.
const LINES: u64 = 10;

pub(super) enum Progress {
    Bar(ProgressBar),
    Lines {
        /// What is done to a page.
        verb: &'static str,
        told: Option<u64>,
    },
}

impl Progress {
    /// Of a job that the service works on.
    pub(super) fn comparing() -> Self {
        Self::of("done")
    }

    /// Of files on their way to the service.
    pub(super) fn uploading() -> Self {
        Self::of("uploaded")
    }

    fn of(verb: &'static str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { verb, told: None };
        }
        let bar = ProgressBar::new(0);
        bar.set_style(
            ProgressStyle::with_template("{bar:32} {pos}/{len} pages {msg}  {elapsed}")
                .expect("the template is valid"),
        );
        bar.set_message(verb);
        Self::Bar(bar)
    }

    /// Shows how far the job is now.
    pub(super) fn show(&mut self, now: &JobProgress) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(now.total);
                bar.set_position(now.completed);
            }
            Self::Lines { verb, told } => {
                let Some(tenth) = (now.completed * LINES).checked_div(now.total) else {
                    return;
                };
                if told.is_none_or(|told| tenth > told) {
                    eprintln!("{} of {} pages are {verb}", now.completed, now.total);
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
