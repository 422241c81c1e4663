//! Requests that change something: one at a time, and what came of it is told.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::client::ClientError;
use crate::shared::{Shared, Tone, use_shared};

/// Sends the requests of one page; copies name the same state.
#[derive(Clone, Copy)]
pub(crate) struct Sending {
    /// Whether a request is under way.
    pub(crate) busy: RwSignal<bool>,
    shared: Shared,
}

impl Sending {
    pub(crate) fn new() -> Self {
        Self {
            busy: RwSignal::new(false),
            shared: use_shared(),
        }
    }

    /// Sends a request, unless one is under way, and hands over its answer, unless the page is gone by then.
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
            if self.busy.try_set(false).is_some() {
                // The page is gone, and its signals with it.
                return;
            }
            if let Err(error) = &answer {
                self.shared.note_error(error);
            }
            done(answer);
        });
    }

    /// Sends what a dialog is for and closes it, also when that is refused: what is told would lie behind it.
    pub(crate) fn close_and_tell<T: 'static>(
        self,
        dialog: RwSignal<bool>,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        self.run(request, move |answer| {
            dialog.set(false);
            match answer {
                Ok(answer) => done(answer),
                Err(error) => self.shared.toast(Tone::Failed, error.to_string(), None),
            }
        });
    }
}
