//! How far the comparison of two folders is: a bar on a terminal, else a line for each tenth.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// Lines written in all, when the standard error is no terminal.
const LINES: usize = 10;

/// Where progress is shown.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { done: AtomicUsize, total: usize },
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines {
                done: AtomicUsize::new(0),
                total,
            };
        }
        let bar = ProgressBar::new(total as u64);
        bar.set_style(
            ProgressStyle::with_template("{bar:32} {pos}/{len} pages  {elapsed}  {eta} left")
                .expect("the template is valid"),
        );
        Self::Bar(bar)
    }

    /// One more page is done.
    pub(super) fn step(&self) {
        match self {
            Self::Bar(bar) => bar.inc(1),
            Self::Lines { done, total } => {
                let now = done.fetch_add(1, Ordering::Relaxed) + 1;
                if now * LINES / total > (now - 1) * LINES / total {
                    eprintln!("compared {now} of {total} pages");
                }
            }
        }
    }

    /// All pages are done.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
