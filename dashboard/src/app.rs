//! The app: its shared state, its frame and its routes.

use gloo_timers::future::TimeoutFuture;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::hooks::use_location;
use leptos_router::path;

use crate::browser;
use crate::client;
use crate::components::gate::Gate;
use crate::components::header::Header;
use crate::components::toasts::Toasts;
use crate::pages::api_keys::ApiKeysPage;
use crate::pages::audit::AuditPage;
use crate::pages::history::HistoryPage;
use crate::pages::inspect::Inspect;
use crate::pages::job::JobPage;
use crate::pages::jobs::JobsPage;
use crate::pages::not_found::NotFound;
use crate::pages::project::ProjectPage;
use crate::pages::projects::ProjectsPage;
use crate::pages::review::ReviewPage;
use crate::pages::settings::{NewProjectPage, SettingsPage};
use crate::pages::sign_in::SignInPage;
use crate::pages::webhooks::WebhooksPage;
use crate::shared::{Shared, SignedIn};
use crate::url_state::keep_address;

/// Relative times are told in minutes; a few seconds late is early enough.
const CLOCK_MS: u32 = 15_000;

/// How long a page has to give something the focus.
const ARRIVAL_MS: u32 = 50;

/// The whole dashboard.
#[component]
pub(crate) fn App() -> impl IntoView {
    let shared = Shared::new();
    provide_context(shared);
    ask_who_is_signed_in(shared);
    notice_other_sessions(shared);
    keep_time(shared);
    keep_theme(shared);
    keep_unsent(shared);
    shared.forget_notices_of_others();
    shared.forget_undo_of_others();

    view! {
        <Router>
            <Arrivals />
            <a class="skip-link" href="#main" rel="external">"Skip to the content"</a>
            <Header />
            <main id="main" tabindex="-1">
                <Routes fallback=NotFound>
                    <Route path=path!("/app/sign-in") view=SignInPage />
                    <Route path=path!("/app") view=|| view! { <Gate><JobsPage /></Gate> } />
                    <Route path=path!("/app/jobs/:id") view=|| view! { <Gate><JobPage /></Gate> } />
                    <Route path=path!("/app/review/:id") view=|| view! { <Gate><ReviewPage /></Gate> } />
                    <Route path=path!("/inspect/:id") view=Inspect />
                    <Route path=path!("/app/projects") view=|| view! { <Gate><ProjectsPage /></Gate> } />
                    <Route path=path!("/app/keys") view=|| view! { <Gate><ApiKeysPage /></Gate> } />
                    <Route path=path!("/app/webhooks") view=|| view! { <Gate><WebhooksPage /></Gate> } />
                    <Route path=path!("/app/audit") view=|| view! { <Gate><AuditPage /></Gate> } />
                    <Route path=path!("/app/projects/:name") view=|| view! { <Gate><ProjectPage /></Gate> } />
                    <Route path=path!("/app/new-project") view=|| view! { <Gate><NewProjectPage /></Gate> } />
                    <Route path=path!("/app/projects/:name/settings") view=|| view! { <Gate><SettingsPage /></Gate> } />
                    <Route path=path!("/app/projects/:name/history") view=|| view! { <Gate><HistoryPage /></Gate> } />
                </Routes>
            </main>
            <Toasts />
        </Router>
    }
}

/// Takes the focus along from page to page: what had it went with the page before, and the next one may have no place for it.
/// The address comes along, too.
#[component]
fn Arrivals() -> impl IntoView {
    keep_address();
    let path = use_location().pathname;
    Effect::new(move |before: Option<String>| {
        let path = path.get();
        // Going through a review stays on its page.
        let is_review = |path: &str| path.starts_with("/app/review/");
        let is_another =
            |before: String| before != path && !(is_review(&before) && is_review(&path));
        if before.is_some_and(is_another) {
            spawn_local(async {
                // The page comes first: it may know better.
                TimeoutFuture::new(ARRIVAL_MS).await;
                browser::focus_content_if_lost();
            });
        }
        path
    });
}

fn ask_who_is_signed_in(shared: Shared) {
    Effect::new(move |_| {
        // Asked again whenever somebody sets it back to unknown: the retry button does.
        if shared.signed_in.get() != SignedIn::Unknown {
            return;
        }
        spawn_local(async move {
            let answer = read_session().await;
            // The sign-in page may have been quicker.
            if shared.signed_in.get_untracked() == SignedIn::Unknown {
                shared.signed_in.set(answer);
            }
        });
    });
}

/// Asks again when another tab tells of another session, and whenever the tab is seen again: somebody may have signed in or out
/// meanwhile, also where the browser keeps nothing that tabs could tell each other by.
fn notice_other_sessions(shared: Shared) {
    let look = move || {
        let before = shared.signed_in.get_untracked();
        // What is not known yet is being asked, or has a button that asks.
        if !matches!(before, SignedIn::Yes(_) | SignedIn::No) {
            return;
        }
        spawn_local(async move {
            let answer = read_session().await;
            let is_told = !matches!(answer, SignedIn::Failed(_));
            // Whoever signed in or out here meanwhile knows better.
            if is_told && shared.signed_in.get_untracked() == before {
                shared.take_over(answer);
            }
        });
    };
    let seen = window_event_listener(ev::visibilitychange, move |_| {
        if !browser::is_hidden() {
            look();
        }
    });
    let told = window_event_listener(ev::storage, move |event| {
        if browser::is_of_session(&event) {
            look();
        }
    });
    on_cleanup(move || {
        seen.remove();
        told.remove();
    });
}

async fn read_session() -> SignedIn {
    match client::get("/session").await {
        Ok(session) => SignedIn::Yes(session),
        Err(error) if error.is_unauthorized() => SignedIn::No,
        Err(error) => SignedIn::Failed(error),
    }
}

fn keep_time(shared: Shared) {
    spawn_local(async move {
        loop {
            TimeoutFuture::new(CLOCK_MS).await;
            shared.now_ms.set(js_sys::Date::now());
        }
    });
}

/// Asks before the tab is closed while decisions are on their way: they would be lost.
fn keep_unsent(shared: Shared) {
    let listener = window_event_listener(ev::beforeunload, move |event| {
        if untrack(|| shared.decisions.count()) > 0 {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

fn keep_theme(shared: Shared) {
    Effect::new(move |_| {
        let Some(theme) = shared.theme.get() else {
            return;
        };
        browser::store("theme", theme.as_str());
        if let Some(root) = document().document_element() {
            // An element always takes a well-formed attribute.
            let _ = root.set_attribute("data-theme", theme.as_str());
        }
    });
}
