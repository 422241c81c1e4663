//! Shows a new secret, this once.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};

/// A dialog with a secret; the children say what it is for.
#[component]
pub(crate) fn SecretDialog(
    open: RwSignal<bool>,
    title: &'static str,
    #[prop(into)] secret: Signal<String>,
    children: Children,
) -> impl IntoView {
    let said = RwSignal::new("");
    let copy = move |_| {
        let text = secret.get_untracked();
        spawn_local(async move {
            let words = if browser::copy(&text).await {
                "Copied."
            } else {
                "The browser does not allow copying here; select the secret and copy it yourself."
            };
            said.try_set(words);
        });
    };
    Effect::new(move |_| {
        if !open.get() {
            said.set("");
        }
    });
    view! {
        <Dialog open title stays=true>
            {children()}
            <pre class="command secret" data-testid="secret"><code>{secret}</code></pre>
            <p class="help" role="status">{said}</p>
            <div class="dialog-actions">
                <button type="button" class="button" autofocus data-testid="copy-secret" on:click=copy>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
                <button type="button" class="button button-primary" data-testid="secret-kept" on:click=move |_| open.set(false)>
                    "I have kept it"
                </button>
            </div>
        </Dialog>
    }
}
