//! What the keys page holds: the list, the key that a dialog is about, and a secret while it is shown.

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::keys::{Key, KeyMade};

use crate::client::{self, ClientError};
use crate::one_at_a_time::OneAtATime;
use crate::shared::{Shared, use_shared};

/// The page's state; copies name the same state.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    pub(super) keys: RwSignal<Option<Result<Vec<Key>, ClientError>>>,
    /// The key that the open dialog is about.
    pub(super) chosen: RwSignal<Option<Key>>,
    /// Which dialog is open.
    pub(super) making: RwSignal<bool>,
    pub(super) rotating: RwSignal<bool>,
    pub(super) revoking: RwSignal<bool>,
    pub(super) showing: RwSignal<bool>,
    /// A key that was just made; gone when its dialog is closed.
    pub(super) made: RwSignal<Option<KeyMade>>,
    pub(super) requests: OneAtATime,
    pub(super) shared: Shared,
    /// How often the list was asked for: an answer that comes after a later question is too old.
    loads: StoredValue<u64>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let desk = Self {
            keys: RwSignal::new(None),
            chosen: RwSignal::new(None),
            making: RwSignal::new(false),
            rotating: RwSignal::new(false),
            revoking: RwSignal::new(false),
            showing: RwSignal::new(false),
            made: RwSignal::new(None),
            requests: OneAtATime::new(),
            shared: use_shared(),
            loads: StoredValue::new(0),
        };
        desk.load();
        Effect::new(move |_| {
            if !desk.showing.get() {
                desk.made.set(None);
            }
        });
        desk
    }

    /// Asks for the list; what is shown stays until the answer is there.
    pub(super) fn load(self) {
        self.loads.update_value(|loads| *loads += 1);
        let number = self.loads.try_get_value();
        spawn_local(async move {
            let answer = client::get("/keys").await;
            if let Err(error) = &answer {
                self.shared.note_error(error);
            }
            // The list may have been asked for again, and the reader may have left the page meanwhile.
            if self.loads.try_get_value() == number {
                self.keys.try_set(Some(answer));
            }
        });
    }

    /// Opens a dialog about a key.
    pub(super) fn ask(self, dialog: RwSignal<bool>, key: Key) {
        self.chosen.set(Some(key));
        self.requests.open(dialog);
    }

    /// Sends what makes a key; its secret takes the dialog's place.
    pub(super) fn make(
        self,
        dialog: RwSignal<bool>,
        request: impl Future<Output = Result<KeyMade, ClientError>> + 'static,
    ) {
        let shared = self.shared;
        let asked_by = untrack(|| shared.reader());
        let request = async move {
            let answer = request.await;
            if let Ok(made) = &answer
                && self.showing.is_disposed()
            {
                let text = format!("The key “{}”, which is not shown again", made.key.name);
                shared.show_late_secret(asked_by.as_ref(), &text, &made.secret);
            }
            answer
        };
        self.send(dialog, request, move |made| {
            self.made.set(Some(made));
            self.showing.set(true);
        });
    }

    /// Sends what a dialog is for, and reads the keys again: an answer may be lost on its way.
    pub(super) fn send<T: 'static>(
        self,
        dialog: RwSignal<bool>,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        self.requests
            .close_and_tell(dialog, request, move |answer| {
                answer.map(done);
                self.load();
            });
    }
}
