//! State that outlives a page: who is signed in, what is announced, the reader's preferences. `App` owns it.

use std::collections::HashMap;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::session::{Scope, Session};

use crate::browser;
use crate::client::ClientError;
use crate::decisions::Decisions;
use crate::review::decided::Undoable;
use crate::review::orders::Orders;
use crate::settings::draft::Draft;
use crate::toast::{Toast, late_secret};

/// How long a notice stays: long enough to read two sentences and to reach its link.
const TOAST_MS: u32 = 8_000;
/// Then it waits as long as the pointer or the focus rests on it, and this is how often that is looked at.
const HELD_MS: u32 = 1_000;
/// Older notices of what was done go before the screen is full of them.
const MAX_DONE: usize = 3;
/// Refusals stay until they are dismissed, and the list scrolls; beyond this the oldest go.
const MAX_FAILED: usize = 50;

/// Whether somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignedIn {
    /// Not asked yet.
    Unknown,
    Yes(Session),
    No,
    /// It could not be asked.
    Failed(ClientError),
}

/// Who is signed in: a key by its name, as triage records it, and whose data it sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reader {
    pub(crate) organization: String,
    pub(crate) name: String,
}

impl Reader {
    /// Whose session this is.
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            organization: session.organization.clone(),
            name: session.name.clone(),
        }
    }
}

/// The reader's choice of colours; none means the system's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The tone of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Done,
    Failed,
}

/// The id that a notice's element has on the screen.
pub(crate) fn toast_element(id: u64) -> String {
    format!("toast-{id}")
}

/// How the mask is drawn: the reader's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MaskLook {
    /// `#rrggbb`.
    pub(crate) color: String,
    /// 10–100.
    pub(crate) opacity_percent: u32,
}

impl MaskLook {
    fn stored() -> Self {
        Self {
            color: browser::stored("mask-color").unwrap_or_else(|| "#d6006e".to_owned()),
            opacity_percent: browser::stored("mask-opacity")
                .and_then(|text| text.parse().ok())
                .unwrap_or(80),
        }
    }
}

/// Where a list was left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// How far it was scrolled down, in pixels.
    pub(crate) top_px: f64,
    /// Entries that had been read.
    pub(crate) shown: usize,
}

/// Handles to the shared state; copies name the same state.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) signed_in: RwSignal<SignedIn>,
    pub(crate) toasts: RwSignal<Vec<Toast>>,
    /// Milliseconds since the epoch, renewed every few seconds, for relative times.
    pub(crate) now_ms: RwSignal<f64>,
    pub(crate) theme: RwSignal<Option<Theme>>,
    pub(crate) mask_look: RwSignal<MaskLook>,
    /// Whether single keys are commands (WCAG 2.1.4 asks that they can be switched off).
    pub(crate) letter_keys: RwSignal<bool>,
    /// Decisions on their way to the service.
    pub(crate) decisions: Decisions,
    /// What sends them.
    pub(crate) orders: StoredValue<Orders>,
    /// Decisions that can be undone.
    pub(crate) undoable: Undoable,
    next_toast: StoredValue<u64>,
    /// Where lists were left, by their addresses.
    places: StoredValue<HashMap<String, Place>>,
    /// Settings that were left before they were saved: what was stored, and what was typed.
    unsaved: StoredValue<HashMap<String, (Draft, Draft)>>,
}

impl Shared {
    /// The state as this reader left it. To be called once, by `App`.
    pub(crate) fn new() -> Self {
        let theme = browser::stored("theme").and_then(|word| match word.as_str() {
            "light" => Some(Theme::Light),
            "dark" => Some(Theme::Dark),
            _ => None,
        });
        Self {
            signed_in: RwSignal::new(SignedIn::Unknown),
            toasts: RwSignal::new(Vec::new()),
            now_ms: RwSignal::new(js_sys::Date::now()),
            theme: RwSignal::new(theme),
            mask_look: RwSignal::new(MaskLook::stored()),
            letter_keys: RwSignal::new(browser::stored("letter-keys").as_deref() != Some("off")),
            decisions: Decisions::new(),
            orders: StoredValue::new(Orders::start()),
            undoable: Undoable::new(),
            next_toast: StoredValue::new(0),
            places: StoredValue::new(HashMap::new()),
            unsaved: StoredValue::new(HashMap::new()),
        }
    }

    /// Shows a notice, and has it read out.
    pub(crate) fn toast(self, tone: Tone, text: String, link: Option<(String, &'static str)>) {
        self.notify(tone, text, link);
    }

    /// The same; returns which notice it is, for [`Self::dismiss`].
    pub(crate) fn notify(
        self,
        tone: Tone,
        text: String,
        link: Option<(String, &'static str)>,
    ) -> u64 {
        self.add(tone, text, link, false)
    }

    fn add(
        self,
        tone: Tone,
        text: String,
        link: Option<(String, &'static str)>,
        is_secret: bool,
    ) -> u64 {
        let id = self.next_toast.get_value();
        self.next_toast.set_value(id + 1);
        let reader = untrack(|| self.reader());
        self.toasts.update(|toasts| {
            toasts.push(Toast {
                id,
                tone,
                text,
                link,
                reader,
                is_secret,
            });
            let limit = match tone {
                Tone::Done => MAX_DONE,
                Tone::Failed => MAX_FAILED,
            };
            let alike = toasts.iter().filter(|toast| toast.tone == tone).count();
            let mut surplus = alike.saturating_sub(limit);
            toasts.retain(|toast| {
                let goes = toast.tone == tone && surplus > 0;
                surplus -= usize::from(goes);
                !goes
            });
        });
        if tone == Tone::Done {
            spawn_local(async move {
                TimeoutFuture::new(TOAST_MS).await;
                // It is not taken from under somebody's hand.
                while browser::is_in_use(&toast_element(id)) {
                    TimeoutFuture::new(HELD_MS).await;
                }
                self.dismiss(id);
            });
        }
        id
    }

    /// Shows a secret whose page was left before it came to whoever has asked for it, until it is dismissed or they sign out.
    /// Whoever has signed out by then is told that there is one, and not what it is; another reader not even what it is for.
    pub(crate) fn show_late_secret(self, asked_by: Option<&Reader>, what: &str, secret: &str) {
        let (text, is_secret) =
            late_secret(asked_by, untrack(|| self.reader()).as_ref(), what, secret);
        self.add(Tone::Failed, text, None, is_secret);
    }

    /// Takes secrets off the screen when whoever they are for is not signed in any more, and all notices when another reader is.
    pub(crate) fn forget_notices_of_others(self) {
        Effect::new(move |before: Option<Option<Reader>>| {
            let last = before.flatten();
            let now = self.reader();
            let stays = |toast: &Toast| toast.stays(last.as_ref(), now.as_ref());
            if !(self.toasts).with_untracked(|toasts| toasts.iter().all(stays)) {
                self.toasts.update(|toasts| toasts.retain(stays));
            }
            now.or(last)
        });
    }

    /// Forgets what can be undone when somebody else signs in: they could undo none of it.
    pub(crate) fn forget_undo_of_others(self) {
        Effect::new(move |before: Option<Option<(String, String)>>| {
            let before = before.flatten();
            let SignedIn::Yes(session) = self.signed_in.get() else {
                // Who signs in again after their session has ended goes on.
                return before;
            };
            let now = Some((session.organization, session.name));
            if before.is_some() && before != now {
                self.undoable.clear();
            }
            now
        });
    }

    pub(crate) fn dismiss(self, id: u64) {
        self.toasts
            .update(|toasts| toasts.retain(|toast| toast.id != id));
    }

    pub(crate) fn dismiss_all(self) {
        self.toasts.set(Vec::new());
    }

    /// Remembers where a list is, for as long as the app is open.
    pub(crate) fn keep_place(self, address: String, place: Place) {
        self.places.update_value(|places| {
            places.insert(address, place);
        });
    }

    /// Where a list was left.
    pub(crate) fn place(self, address: &str) -> Option<Place> {
        self.places
            .with_value(|places| places.get(address).copied())
    }

    /// What the settings of a project are kept by; a new one has no name. Who signs in with another key has others.
    pub(crate) fn own_key(self, project: &str) -> String {
        match untrack(|| self.reader()) {
            Some(Reader { organization, name }) => format!("{organization}\n{name}\n{project}"),
            None => project.to_owned(),
        }
    }

    /// Keeps settings that were not saved, for as long as the app is open.
    pub(crate) fn keep_unsaved(self, key: String, settings: (Draft, Draft)) {
        self.unsaved.update_value(|unsaved| {
            unsaved.insert(key, settings);
        });
    }

    /// Gives such settings back.
    pub(crate) fn take_unsaved(self, key: &str) -> Option<(Draft, Draft)> {
        self.unsaved
            .try_update_value(|unsaved| unsaved.remove(key))
            .flatten()
    }

    /// Takes note of an error that a page met: a session that has ended leads to the sign-in page.
    pub(crate) fn note_error(self, error: &ClientError) {
        if error.is_unauthorized() {
            self.signed_in.set(SignedIn::No);
        }
    }

    /// Whether the signed-in key may do this.
    pub(crate) fn may(self, scope: Scope) -> bool {
        self.signed_in.with(|signed_in| matches!(signed_in, SignedIn::Yes(session) if session.scopes.contains(&scope)))
    }

    /// Who is signed in, as far as that is known.
    pub(crate) fn reader(self) -> Option<Reader> {
        self.signed_in.with(|signed_in| match signed_in {
            SignedIn::Yes(session) => Some(Reader::of(session)),
            SignedIn::Unknown | SignedIn::No | SignedIn::Failed(_) => None,
        })
    }

    /// The name that triage records.
    pub(crate) fn own_name(self) -> Option<String> {
        untrack(|| self.reader()).map(|reader| reader.name)
    }

    /// Whether somebody else has signed in since this reader was.
    pub(crate) fn is_taken_from(self, reader: Option<&Reader>) -> bool {
        let now = untrack(|| self.reader());
        reader.is_some() && now.is_some() && now.as_ref() != reader
    }

    /// Takes over what became of the session in another tab, and says so where it is another reader's now.
    pub(crate) fn take_over(self, fresh: SignedIn) {
        if self.signed_in.with_untracked(|known| *known == fresh) {
            return;
        }
        let before = untrack(|| self.reader());
        self.signed_in.set(fresh);
        let now = untrack(|| self.reader()).filter(|now| before.as_ref() != Some(now));
        if let (Some(_), Some(Reader { organization, name })) = (before, now) {
            let text = format!(
                "In another tab of this browser “{name}” of “{organization}” has signed in: this one goes on with that key, too."
            );
            self.toast(Tone::Done, text, None);
        }
    }
}

/// The shared state of the app that this component is part of.
pub(crate) fn use_shared() -> Shared {
    expect_context::<Shared>()
}
