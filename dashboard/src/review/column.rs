//! The queue beside the canvas: whether it shows, and what its rows are narrowed by.

use leptos::ev;
use leptos::prelude::*;

use crate::browser;

/// Where the queue has a place beside the canvas; the same width as in `queue.css`.
const ROOMY: &str = "(min-width: 1100px)";

/// The reader's choice, by name, and its words.
const STORED: &str = "queue";
const SHOWN: &str = "shown";
const HIDDEN: &str = "hidden";

/// The id of the field that narrows the rows.
pub(crate) const FIELD: &str = "queue-search";

/// The signals of the column; copies name the same ones.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// Where it has no place beside the canvas, and lies over it.
    pub(crate) open: RwSignal<bool>,
    /// Elsewhere, where the canvas may have its place.
    pub(crate) hidden: RwSignal<bool>,
    /// What the label, the path or the variant of a page has to contain; it is told of the rows alone, not of the review.
    pub(crate) needle: RwSignal<String>,
    /// Whether it has a place beside the canvas.
    is_roomy: RwSignal<bool>,
}

impl Column {
    /// The column as this reader left it. Over the canvas it lies only when somebody has asked for it.
    pub(crate) fn new() -> Self {
        let column = Self {
            open: RwSignal::new(false),
            hidden: RwSignal::new(browser::stored(STORED).as_deref() == Some(HIDDEN)),
            needle: RwSignal::new(String::new()),
            is_roomy: RwSignal::new(browser::media_matches(ROOMY)),
        };
        let resized = window_event_listener(ev::resize, move |_| column.note_width());
        on_cleanup(move || resized.remove());
        column
    }

    /// Takes note of how wide the window is. What comes to lie beside the canvas lies over it no more.
    fn note_width(self) {
        let is_roomy = browser::media_matches(ROOMY);
        if self.is_roomy.get_untracked() != is_roomy {
            self.is_roomy.set(is_roomy);
            self.open.set(false);
        }
    }

    /// Whether it shows.
    pub(crate) fn shows(self) -> bool {
        if self.is_roomy.get() {
            !self.hidden.get()
        } else {
            self.open.get()
        }
    }

    /// Lays it away, or brings it back.
    pub(crate) fn toggle(self) {
        let shows = untrack(|| self.shows());
        self.show(!shows);
    }

    /// Brings it back, with the focus on the field that narrows its rows.
    pub(crate) fn find(self) {
        if !untrack(|| self.shows()) {
            self.show(true);
        }
        // What is hidden cannot have the focus.
        request_animation_frame(|| browser::focus(FIELD));
    }

    fn show(self, shows: bool) {
        if self.is_roomy.get_untracked() {
            self.hidden.set(!shows);
            browser::store(STORED, if shows { SHOWN } else { HIDDEN });
        } else {
            self.open.set(shows);
        }
    }
}
