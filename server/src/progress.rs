//! How far long work is: a bar on a terminal, else a line when another tenth is done.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// Lines written in all, when the standard error is no terminal.
const LINES: u64 = 10;

/// Where the progress of pages is shown; several threads may report it.
pub(crate) struct Progress {
    /// What is done to a page, such as `compared`.
    verb: &'static str,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    /// The tenths that were told, one more than that; 0 before the first line.
    Lines(AtomicU64),
}

impl Progress {
    pub(crate) fn new(verb: &'static str) -> Self {
        let shown = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(0);
            bar.set_style(
                ProgressStyle::with_template(
                    "{bar:32} {pos}/{len} pages {msg}  {elapsed}  {eta} left",
                )
                .expect("the template is valid"),
            );
            bar.set_message(verb);
            Shown::Bar(bar)
        } else {
            Shown::Lines(AtomicU64::new(0))
        };
        Self { verb, shown }
    }

    /// So many pages of so many are done.
    pub(crate) fn show(&self, done: u64, total: u64) {
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Shown::Lines(told) => {
                let Some(tenth) = (done * LINES).checked_div(total) else {
                    return;
                };
                if told.fetch_max(tenth + 1, Ordering::Relaxed) <= tenth {
                    // Nobody reads it any longer when it cannot be written.
                    let _ = writeln!(std::io::stderr(), "{} {done} of {total} pages", self.verb);
                }
            }
        }
    }

    /// All of it is done.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
