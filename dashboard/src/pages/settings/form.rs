//! The form's state: what was typed, what is stored, what stands against saving.

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::project::{NewProject, ProjectAnswer};

use crate::client;
use crate::settings::draft::Draft;
use crate::settings::saving::{self, Failed, Saved};
use crate::settings::update::Complaint;
use crate::shared::{Shared, Tone};

/// Handles to the form; copies name the same one.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) draft: RwSignal<Draft>,
    stored: StoredValue<Draft>,
    /// Whether it was saved: then nothing of it is to be kept.
    saved: StoredValue<bool>,
    /// Whether the project is yet to be made.
    pub(super) is_new: bool,
    pub(super) complaint: RwSignal<Option<Complaint>>,
    /// Whether it is being saved.
    pub(super) busy: RwSignal<bool>,
    pub(super) shared: Shared,
}

/// A part of the draft.
pub(super) struct Lens<T: 'static> {
    pub(super) get: fn(&Draft) -> &T,
    pub(super) get_mut: fn(&mut Draft) -> &mut T,
}

impl<T> Clone for Lens<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lens<T> {}

/// The lens of a field of the draft.
macro_rules! lens {
    ($($field:ident).+) => {
        $crate::pages::settings::form::Lens {
            get: |draft| &draft.$($field).+,
            get_mut: |draft| &mut draft.$($field).+,
        }
    };
}
pub(super) use lens;

impl Form {
    /// The form of a project as it is stored, or of a new one. What was typed before and not saved is there again.
    pub(super) fn new(shared: Shared, stored: Draft, is_new: bool) -> Self {
        let project = if is_new { "" } else { &stored.name };
        let key = shared.own_key(project);
        let (draft, contested) = match shared.take_unsaved(&key) {
            Some((old, draft)) => (draft.onto(&old, &stored), draft.contested(&old, &stored)),
            None => (stored.clone(), Vec::new()),
        };
        let complaint = (!contested.is_empty()).then(|| Complaint::contested(&contested));
        let form = Self {
            draft: RwSignal::new(draft),
            stored: StoredValue::new(stored),
            saved: StoredValue::new(false),
            is_new,
            complaint: RwSignal::new(complaint),
            busy: RwSignal::new(false),
            shared,
        };
        on_cleanup(move || {
            let (stored, draft) = (form.stored.get_value(), form.draft.get_untracked());
            let draft = draft.without_secrets(&stored);
            if !form.saved.get_value() && draft != stored {
                shared.keep_unsaved(key.clone(), (stored, draft));
            }
        });
        // What was said against the draft may be untrue of another one.
        Effect::new(move |before: Option<()>| {
            form.draft.track();
            if before.is_some() {
                form.complaint.set(None);
            }
        });
        form
    }

    /// Whether anything differs from what is stored.
    pub(super) fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.stored.with_value(|stored| draft != stored))
    }

    /// What of the draft makes the baselines invalid, in words.
    pub(super) fn invalidates(self) -> Vec<&'static str> {
        if self.is_new {
            return Vec::new();
        }
        self.draft
            .with(|draft| self.stored.with_value(|stored| draft.invalidates(stored)))
    }

    /// Looks at the draft beside what is stored.
    pub(super) fn with_both<T>(self, look: impl FnOnce(&Draft, &Draft) -> T) -> T {
        self.draft
            .with(|draft| self.stored.with_value(|stored| look(draft, stored)))
    }

    /// The text of a part of the draft, followed.
    pub(super) fn value<T: Clone + PartialEq + Send + Sync>(self, lens: Lens<T>) -> Memo<T> {
        Memo::new(move |_| self.draft.with(|draft| (lens.get)(draft).clone()))
    }

    /// Changes a part of the draft.
    pub(super) fn set<T>(self, lens: Lens<T>, value: T) {
        self.draft.update(|draft| *(lens.get_mut)(draft) = value);
    }

    /// Throws away what was typed.
    pub(super) fn discard(self) {
        self.draft.set(self.stored.get_value());
        self.complaint.set(None);
    }

    /// Saves; `done` is told the project's name when the service has agreed.
    pub(super) fn save(self, done: Callback<String>) {
        if self.busy.get_untracked() {
            return;
        }
        let (draft, stored) = (self.draft.get_untracked(), self.stored.get_value());
        if let Err(complaint) = draft.update(&stored) {
            return self.complaint.set(Some(complaint));
        }
        self.complaint.set(None);
        self.busy.set(true);
        let (is_new, shared) = (self.is_new, self.shared);
        spawn_local(async move {
            let name = draft.name.trim().to_owned();
            let answer = if is_new {
                make(&draft, &stored).await
            } else {
                saving::save(&draft, &stored).await
            };
            let is_left = self.busy.try_set(false).is_some();
            let complain = |complaint: Complaint| {
                if is_left {
                    let text = format!("The settings of “{name}”: {}", complaint.text);
                    shared.toast(Tone::Failed, text, None);
                } else {
                    self.complaint.set(Some(complaint));
                }
            };
            match answer {
                Ok(Saved::Done(message)) => {
                    shared.toast(Tone::Done, message, None);
                    if is_left {
                        let project = if is_new { "" } else { &name };
                        shared.take_unsaved(&shared.own_key(project));
                    } else {
                        self.saved.set_value(true);
                        done.run(name);
                    }
                }
                Ok(Saved::Refused(complaint)) => complain(complaint),
                Ok(Saved::Contested {
                    fresh,
                    onto,
                    complaint,
                }) => {
                    if !is_left {
                        self.stored.set_value(*fresh);
                        self.draft.set(*onto);
                        // What is said against a draft goes when it changes, which is noticed first.
                        leptos::task::tick().await;
                    }
                    complain(complaint);
                }
                Err(Failed { error, was_sent }) => {
                    shared.note_error(&error);
                    let text = match (error.is_refusal() || !was_sent, is_new) {
                        (true, _) => error.to_string(),
                        (false, false) => {
                            format!(
                                "No answer came: it may be saved, or not; save once more. {error}"
                            )
                        }
                        (false, true) => format!(
                            "No answer came: it may be made, or not; look whether it is among the projects. {error}"
                        ),
                    };
                    complain(Complaint::refused(text));
                }
            }
        });
    }
}

/// Makes the project that was entered.
async fn make(draft: &Draft, stored: &Draft) -> Result<Saved, Failed> {
    let settings = match draft.update(stored) {
        Ok(settings) => settings,
        Err(complaint) => return Ok(Saved::Refused(complaint)),
    };
    let new = NewProject {
        name: draft.name.trim().to_owned(),
        settings,
    };
    let answer = client::post::<ProjectAnswer>("/projects", &new).await;
    let answer = answer.map_err(|error| Failed {
        error,
        was_sent: true,
    })?;
    Ok(Saved::Done(answer.message))
}
