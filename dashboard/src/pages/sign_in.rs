//! The sign-in page: a key becomes a session cookie that no script can read.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use pentimento_api::session::{Session, SignIn};
use wasm_bindgen::JsValue;

use crate::browser;
use crate::client::{self, ClientError};
use crate::shared::{SignedIn, use_shared};
use crate::url_state::parameter;

/// The sign-in page. `#key=…` in the address signs in at once.
#[component]
pub(crate) fn SignInPage() -> impl IntoView {
    let shared = use_shared();
    let search = use_location().search;
    let navigate = use_navigate();
    let key = RwSignal::new(String::new());
    let error = RwSignal::new(None::<ClientError>);
    let busy = RwSignal::new(false);
    browser::set_title("Sign in");

    let sign_in = move |key: String| {
        busy.set(true);
        error.set(None);
        spawn_local(async move {
            let answer = client::post::<Session>("/session", &SignIn { key }).await;
            busy.try_set(false);
            match answer {
                Ok(session) => shared.signed_in.set(SignedIn::Yes(session)),
                Err(refused) => drop(error.try_set(Some(refused))),
            }
        });
    };

    Effect::new(move |_| {
        if let Some(key) = take_key_from_address() {
            sign_in(key);
        }
    });
    Effect::new(move |_| {
        if matches!(shared.signed_in.get(), SignedIn::Yes(_)) && !busy.get() {
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
            <form
                data-testid="sign-in-form"
                on:submit=move |event| {
                    event.prevent_default();
                    let key = key.get_untracked().trim().to_owned();
                    if !key.is_empty() && !busy.get_untracked() {
                        sign_in(key);
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
        .map(String::from)
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
