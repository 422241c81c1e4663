//! How far long work is: a bar on a terminal, else a line at the beginning and when another tenth is done.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// How many parts the work has, after each of which a line is written where no bar can be drawn.
const PARTS: u64 = 10;

/// How often the bar's clock goes on while no page ends.
const TICK: Duration = Duration::from_millis(500);

/// Where the progress of pages is shown; several threads may report it.
pub(crate) struct Progress {
    /// What is done to a page, such as `compared`.
    verb: &'static str,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    /// The parts that were told, one more than that; 0 before the first line.
    Lines(AtomicU64),
}

impl Progress {
    pub(crate) fn new(verb: &'static str) -> Self {
        let style =
            ProgressStyle::with_template("{bar:32} {pos}/{len} pages {msg}  {elapsed}{left}")
                .expect("the template is valid")
                .with_key(
                    "left",
                    |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                        // Before the first page has ended nobody knows.
                        if state.pos() > 0 {
                            let _ = write!(out, "  {:#} left", HumanDuration(state.eta()));
                        }
                    },
                );
        let bar = ProgressBar::no_length()
            .with_style(style)
            .with_message(verb);
        // It is hidden also on a terminal that says it can do little.
        let shown = if bar.is_hidden() {
            Shown::Lines(AtomicU64::new(0))
        } else {
            Shown::Bar(bar)
        };
        Self { verb, shown }
    }

    /// So many pages of so many are done.
    pub(crate) fn show(&self, done: u64, total: u64) {
        match &self.shown {
            Shown::Bar(bar) => {
                let is_first = bar.length().is_none();
                bar.set_length(total);
                bar.set_position(done);
                if is_first {
                    bar.enable_steady_tick(TICK);
                }
            }
            Shown::Lines(told) => {
                let Some(part) = (done * PARTS).checked_div(total) else {
                    return;
                };
                if told.fetch_max(part + 1, Ordering::Relaxed) <= part {
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
