//! The sign-in page: a key becomes a session cookie that no script can read.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use pentimento_api::session::{Session, SignIn};
use wasm_bindgen::JsValue;

use crate::browser;
use crate::client::{self, ClientError};
use crate::shared::{Reader, Shared, SignedIn, use_shared};
use crate::url_state::parameter;

/// The signals of the page; copies name the same ones.
#[derive(Clone, Copy)]
struct Desk {
    shared: Shared,
    /// What the field holds.
    key: RwSignal<String>,
    /// The key of the link that led here, until it is known whether somebody is signed in.
    linked: RwSignal<Option<String>>,
    /// Whether that key would take the place of somebody else's session, which is left to the reader.
    asks: RwSignal<bool>,
    error: RwSignal<Option<ClientError>>,
    busy: RwSignal<bool>,
}

impl Desk {
    fn new() -> Self {
        Self {
            shared: use_shared(),
            key: RwSignal::new(String::new()),
            linked: RwSignal::new(None),
            asks: RwSignal::new(false),
            error: RwSignal::new(None),
            busy: RwSignal::new(false),
        }
    }

    /// Signs in with the key of the link once it is known that it takes nobody's place, and asks where it would.
    fn follow_link(self) {
        let Some(key) = self.linked.get() else { return };
        match self.shared.signed_in.get() {
            SignedIn::Unknown => return,
            SignedIn::Yes(living) => self.compare(key, Reader::of(&living)),
            // Where it cannot be told who is signed in, signing in may be refused as well, and says why.
            SignedIn::No | SignedIn::Failed(_) => self.sign_in(key),
        }
        self.linked.set(None);
    }

    fn compare(self, key: String, living: Reader) {
        self.busy.set(true);
        spawn_local(async move {
            // What no header can hold is no key; signing in with it says so.
            let is_key = key.bytes().all(|byte| byte.is_ascii_graphic());
            let whose = if is_key {
                Some(client::session_of(&key).await)
            } else {
                None
            };
            // The page may be gone by now.
            if self.busy.is_disposed() {
                return;
            }
            match whose {
                Some(Ok(session)) if Reader::of(&session) == living => self.sign_in(key),
                whose => {
                    self.error.set(whose.and_then(Result::err));
                    self.key.set(key);
                    self.asks.set(true);
                    self.busy.set(false);
                }
            }
        });
    }

    fn sign_in(self, key: String) {
        self.busy.set(true);
        self.error.set(None);
        spawn_local(async move {
            let answer = client::post::<Session>("/session", &SignIn { key }).await;
            match answer {
                Ok(session) => {
                    browser::tell_of_session();
                    self.shared.signed_in.set(SignedIn::Yes(session));
                    self.asks.try_set(false);
                }
                Err(refused) => drop(self.error.try_set(Some(refused))),
            }
            self.busy.try_set(false);
        });
    }

    /// Whether the page has done its work.
    fn is_done(self) -> bool {
        self.shared.reader().is_some()
            && !self.busy.get()
            && !self.asks.get()
            && self.linked.with(Option::is_none)
    }
}

/// The sign-in page. `#key=…` in the address signs in at once, unless somebody else is signed in: then it asks.
#[component]
pub(crate) fn SignInPage() -> impl IntoView {
    let desk = Desk::new();
    let Desk {
        key, error, busy, ..
    } = desk;
    let search = use_location().search;
    let navigate = use_navigate();
    browser::set_title("Sign in");

    Effect::new(move |_| desk.linked.set(take_key_from_address()));
    Effect::new(move |_| desk.follow_link());
    Effect::new(move |_| {
        if desk.is_done() {
            let next = search.with_untracked(|search| parameter(search, "next"));
            let next = Some(next).filter(|next| is_own_page(next));
            let options = NavigateOptions {
                replace: true,
                ..NavigateOptions::default()
            };
            navigate(next.as_deref().unwrap_or("/app"), options);
        }
    });

    view! {
        <div class="sign-in">
            <h1>"Sign in"</h1>
            {living_session(desk)}
            <form
                data-testid="sign-in-form"
                on:submit=move |event| {
                    event.prevent_default();
                    let key = key.get_untracked().trim().to_owned();
                    if !key.is_empty() && !busy.get_untracked() {
                        desk.sign_in(key);
                    }
                }
            >
                <label for="key">"API key"</label>
                <input
                    id="key"
                    class="field"
                    type="password"
                    autocomplete="current-password"
                    spellcheck="false"
                    required
                    autofocus
                    data-testid="sign-in-key"
                    aria-describedby="key-help"
                    prop:value=key
                    on:input=move |event| key.set(event_target_value(&event))
                />
                <button
                    type="submit"
                    class="button button-primary"
                    data-testid="sign-in-button"
                    disabled=move || busy.get()
                >
                    {move || if busy.get() { "Signing in…" } else { "Sign in" }}
                </button>
                <div role="alert">
                    {move || error.get().map(|error| view! {
                        <p class="form-error" data-testid="sign-in-error">{error.to_string()}</p>
                    })}
                </div>
                <p id="key-help" class="help">
                    "Whoever runs this service makes a key with "<code>"pentimento keys create"</code>
                    ". It is exchanged for a session and not kept in this browser."
                </p>
            </form>
        </div>
    }
}

/// Whose session the key of the link would take the place of, and how to keep it.
fn living_session(desk: Desk) -> impl IntoView {
    let living = move || desk.shared.reader().filter(|_| desk.asks.get());
    move || {
        living().map(|Reader { organization, name }| {
            view! {
                <div class="sign-in-living" data-testid="session-there">
                    <p role="alert">
                        "You are signed in as "<strong>{name}</strong>" of "<strong>{organization}</strong>
                        ". The link that led here has another key: signing in with it takes the place of that session in all tabs of this browser."
                    </p>
                    <button
                        type="button"
                        class="button"
                        data-testid="stay-signed-in"
                        on:click=move |_| desk.asks.set(false)
                    >
                        "Stay signed in"
                    </button>
                </div>
            }
        })
    }
}

/// The key behind `#key=`; it is removed from the address, so that it stays in no history.
fn take_key_from_address() -> Option<String> {
    let location = window().location();
    let key = location.hash().ok()?.strip_prefix("#key=")?.to_owned();
    if let Ok(history) = window().history() {
        // Where the browser refuses to change the address the key still works.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&browser::address()));
    }
    js_sys::decode_uri_component(&key)
        .ok()
        .map(|key| String::from(key).trim().to_owned())
        .filter(|key| !key.is_empty())
}

/// Only pages of this app are gone to after signing in, never another host.
fn is_own_page(next: &str) -> bool {
    let is_in = |base: &str| {
        next.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest.starts_with('?'))
    };
    (is_in("/app") || is_in("/inspect")) && !next.starts_with("/app/sign-in")
}

#[cfg(test)]
mod tests {
    use super::is_own_page;

    #[test]
    fn only_own_pages_are_gone_to() {
        for own in ["/app", "/app?project=a", "/app/jobs/1", "/inspect/1?sig=2"] {
            assert!(is_own_page(own), "{own}");
        }
        for foreign in [
            "https://a.example/app",
            "//a.example",
            "/apple",
            "javascript:0",
            "/app/sign-in",
            "",
        ] {
            assert!(!is_own_page(foreign), "{foreign}");
        }
    }
}
