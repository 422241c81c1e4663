//! Requests that change something: one at a time, each for a dialog or a button.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::client::ClientError;
use crate::shared::{Shared, Tone, use_shared};

/// Sends the requests of one page; copies name the same state.
#[derive(Clone, Copy)]
pub(crate) struct OneAtATime {
    /// Whether a request is under way.
    pub(crate) busy: RwSignal<bool>,
    /// How often a dialog was opened: what is answered late must not close the next one.
    opened: StoredValue<u32>,
    shared: Shared,
}

/// A dialog as it was when its request was sent.
#[derive(Clone, Copy)]
pub(crate) struct Opening {
    dialog: RwSignal<bool>,
    number: u32,
    all: OneAtATime,
}

impl OneAtATime {
    pub(crate) fn new() -> Self {
        Self {
            busy: RwSignal::new(false),
            opened: StoredValue::new(0),
            shared: use_shared(),
        }
    }

    /// Opens a dialog.
    pub(crate) fn open(self, dialog: RwSignal<bool>) {
        self.opened.update_value(|opened| *opened += 1);
        dialog.set(true);
    }

    /// The dialog that is open now.
    pub(crate) fn opening(self, dialog: RwSignal<bool>) -> Opening {
        Opening {
            dialog,
            number: self.opened.get_value(),
            all: self,
        }
    }

    /// Sends a request, unless one is under way, and hands over its answer. When the page is gone by then, a refusal is told all the same.
    pub(crate) fn run<T: 'static>(
        self,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(Result<T, ClientError>) + 'static,
    ) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        spawn_local(async move {
            let answer = request.await;
            if let Err(error) = &answer {
                self.shared.note_error(error);
            }
            if self.busy.try_set(false).is_some() {
                // The page is gone, and its signals with it. Whoever left it must not believe that it was done.
                if let Err(error) = &answer {
                    self.refuse(error);
                }
                return;
            }
            done(answer);
        });
    }

    /// Sends a request, and tells why it was refused; `done` has the answer where there is one.
    pub(crate) fn tell<T: 'static>(
        self,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(Option<T>) + 'static,
    ) {
        self.run(request, move |answer| {
            if let Err(error) = &answer {
                self.refuse(error);
            }
            done(answer.ok());
        });
    }

    /// The same of what a dialog is for. It is closed also when that is refused: what is told would lie behind it.
    pub(crate) fn close_and_tell<T: 'static>(
        self,
        dialog: RwSignal<bool>,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(Option<T>) + 'static,
    ) {
        let opening = self.opening(dialog);
        self.tell(request, move |answer| {
            opening.close();
            done(answer);
        });
    }

    /// Tells why something was refused.
    pub(crate) fn refuse(self, error: &ClientError) {
        self.shared.toast(Tone::Failed, error.to_string(), None);
    }
}

impl Opening {
    /// Whether it is still open, and for the same.
    pub(crate) fn is_open(self) -> bool {
        self.number == self.all.opened.get_value() && self.dialog.get_untracked()
    }

    /// Closes it.
    pub(crate) fn close(self) {
        if self.is_open() {
            self.dialog.set(false);
        }
    }
}
