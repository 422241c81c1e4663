//! The header of every page: where one can go, who one is, and the colours.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;
use leptos_router::hooks::use_location;
use pentimento_api::session::Scope;

use crate::browser;
use crate::client;
use crate::components::admin_tabs::PAGES;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::shared::{Shared, SignedIn, Theme, Tone, use_shared};

/// How long signing out waits for decisions on their way: so many looks, and the time between two.
const SIGN_OUT_LOOKS: u32 = 300;
const SIGN_OUT_LOOK_MS: u32 = 100;

/// The header.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let shared = use_shared();
    let session = move || match shared.signed_in.get() {
        SignedIn::Yes(session) => Some(session),
        SignedIn::Unknown | SignedIn::No | SignedIn::Failed(_) => None,
    };
    let path = use_location().pathname;
    let is_admin_page =
        Memo::new(move |_| path.with(|path| PAGES.iter().any(|(page, _)| path == page)));
    let [(first_admin_page, _), ..] = PAGES;
    view! {
        <header class="header">
            <a class="brand" href="/app">
                <Icon glyph=Glyph::Overlay />
                <span>"Pentimento"</span>
            </a>
            {move || session().map(|session| view! {
                <nav class="nav" aria-label="Main">
                    <A href="/app" exact=true>"Jobs"</A>
                    <A href="/app/projects">"Projects"</A>
                    {session.scopes.contains(&Scope::Admin).then(|| view! {
                        <a href=first_admin_page aria-current=move || is_admin_page.get().then_some("page")>"Admin"</a>
                    })}
                </nav>
                <span class="who" title="The organization, and the key you signed in with">
                    <span class="who-organization">{session.organization}</span>
                    <span class="who-name">{session.name}</span>
                </span>
            })}
            <ThemeButton shared />
            {move || session().map(|_| view! {
                <button
                    type="button"
                    class="button icon-only"
                    aria-label="Sign out"
                    title="Sign out"
                    data-testid="sign-out"
                    on:click=move |_| sign_out(shared)
                >
                    <Icon glyph=Glyph::SignOut />
                </button>
            })}
        </header>
    }
}

#[component]
fn ThemeButton(shared: Shared) -> impl IntoView {
    let is_dark = move || match shared.theme.get() {
        Some(theme) => theme == Theme::Dark,
        None => browser::media_matches("(prefers-color-scheme: dark)"),
    };
    let word = move || {
        if is_dark() {
            "Use light colours"
        } else {
            "Use dark colours"
        }
    };
    view! {
        <button
            type="button"
            class="button icon-only theme-button"
            aria-label=word
            title=word
            data-testid="theme"
            on:click=move |_| {
                let other = if is_dark() { Theme::Light } else { Theme::Dark };
                shared.theme.set(Some(other));
            }
        >
            {move || view! { <Icon glyph=if is_dark() { Glyph::Sun } else { Glyph::Moon } /> }}
        </button>
    }
}

/// Signs out once the decisions that are on their way have arrived: without a session they would be refused.
fn sign_out(shared: Shared) {
    let unsent = move || shared.decisions.count();
    spawn_local(async move {
        for _ in 0..SIGN_OUT_LOOKS {
            if untrack(unsent) == 0 {
                break;
            }
            TimeoutFuture::new(SIGN_OUT_LOOK_MS).await;
        }
        let unsent = untrack(unsent);
        if unsent > 0 {
            let text = format!(
                "You are still signed in: {} on the way. Sign out again when they have arrived.",
                format::counted(unsent as u64, "decision")
            );
            return shared.toast(Tone::Failed, text, None);
        }
        match client::delete("/session").await {
            Ok(()) => {
                browser::tell_of_session();
                shared.signed_in.set(SignedIn::No);
            }
            Err(error) if error.is_unauthorized() => shared.signed_in.set(SignedIn::No),
            Err(error) => shared.toast(
                Tone::Failed,
                format!("You are still signed in. {error}"),
                None,
            ),
        }
    });
}
