//! The settings of a project, to be changed, and those of a project that is yet to be made.

mod bar;
mod devices;
mod field;
mod form;
mod gates;
mod judged;
mod pages;
mod picture;
mod runs;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};
use pentimento_api::session::Scope;

use crate::browser;
use crate::client;
use crate::components::notice::{Empty, Problem, Waiting};
use crate::pages::project::read_project;
use crate::settings::draft::Draft;
use crate::shared::use_shared;
use bar::Bar;
use devices::Devices;
use field::TextField;
use form::{Form, lens};
use gates::Gates;
use judged::Judged;
use pages::Pages;
use picture::Picture;
use runs::Runs;

/// The page at `/app/new-project`.
#[component]
pub(crate) fn NewProjectPage() -> impl IntoView {
    browser::set_title("New project");
    view! {
        <div class="page">
            <nav class="crumbs" aria-label="Breadcrumb"><a href="/app/projects">"Projects"</a></nav>
            <div class="page-head"><h1>"New project"</h1></div>
            <ForAdmins>
                <SettingsForm stored=Draft::default() is_new=true />
            </ForAdmins>
        </div>
    }
}

/// The page at `/app/projects/:name/settings`.
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let params = use_params_map();
    let name = Memo::new(move |_| params.read().get("name").unwrap_or_default());
    let (stored, again) = read_project(name);
    Effect::new(move |_| browser::set_title(&format!("Settings of {}", name.get())));
    let href = move || format!("/app/projects/{}", client::encoded(&name.get()));
    view! {
        <div class="page">
            <nav class="crumbs" aria-label="Breadcrumb">
                <a href="/app/projects">"Projects"</a> <a href=href>{name}</a>
            </nav>
            <div class="page-head"><h1>"Settings"</h1></div>
            <ForAdmins>
                {move || match stored.get() {
                    None => view! { <Waiting /> }.into_any(),
                    Some(Err(error)) => {
                        view! { <Problem error retry=Callback::new(move |()| again.notify()) /> }.into_any()
                    }
                    Some(Ok(project)) => view! { <SettingsForm stored=Draft::of(&project) is_new=false /> }.into_any(),
                }}
            </ForAdmins>
        </div>
    }
}

/// What only a key with the scope `admin` may do; others are told so.
#[component]
fn ForAdmins(children: ChildrenFn) -> impl IntoView {
    let shared = use_shared();
    let may = Memo::new(move |_| shared.may(Scope::Admin));
    move || {
        if may.get() {
            return children().into_any();
        }
        view! {
            <Empty title="Your key does not change projects">
                <p>"A key with the scope "<code>"admin"</code>" does."</p>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn SettingsForm(stored: Draft, is_new: bool) -> impl IntoView {
    let form = Form::new(use_shared(), stored, is_new);
    let navigate = use_navigate();
    let done = Callback::new(move |name: String| {
        navigate(
            &format!("/app/projects/{}", client::encoded(&name)),
            NavigateOptions::default(),
        );
    });
    ask_before_leaving(form);
    lead_to_complaints(form);
    let sections = ["Site", "Pages", "Devices", "Pictures", "Changes", "Runs"];
    view! {
        <div class="settings">
            <nav class="settings-nav" aria-label="Settings">
                {sections.map(|section| view! { <a href=format!("#{section}") rel="external">{section}</a> }).collect_view()}
            </nav>
            <form
                class="settings-form"
                on:submit=move |event| {
                    event.prevent_default();
                    form.save(done);
                }
            >
                <fieldset class="settings-fields" disabled=form.busy>
                <section id="Site" class="settings-section">
                    <h2>"Site"</h2>
                    <Site form />
                </section>
                <section id="Pages" class="settings-section"><h2>"Pages"</h2> <Pages form /></section>
                <section id="Devices" class="settings-section"><h2>"Devices"</h2> <Devices form /></section>
                <section id="Pictures" class="settings-section"><h2>"Pictures"</h2> <Picture form /></section>
                <section id="Changes" class="settings-section"><h2>"Changes"</h2> <Judged form /></section>
                <section id="Runs" class="settings-section"><h2>"Runs"</h2> <Runs form /></section>
                </fieldset>
                <Bar form />
            </form>
        </div>
    }
}

/// Which site is tested, what it is compared with, and how captures get in.
#[component]
fn Site(form: Form) -> impl IntoView {
    view! {
        {form.is_new.then(|| view! {
            <TextField form name="name" label="Name" lens=lens!(name) placeholder="shop"
                help="1 to 100 letters, digits, dots, hyphens or underscores. It cannot be changed later." />
        })}
        <TextField form name="testOrigin" label="Tested origin" lens=lens!(test_origin) keyboard="url"
            placeholder="https://staging.example.com" />
        <TextField form name="baseOrigin" label="Reference origin" lens=lens!(base_origin) keyboard="url"
            placeholder="https://www.example.com"
            help="Each run captures it too and compares with that. Empty: captures are compared with the approved baselines." />
        <Gates form />
        <div class="settings-pair">
            <TextField form name="environment" label="Environment" lens=lens!(environment) placeholder="staging" />
            <TextField form name="baseEnvironment" label="Reference environment" lens=lens!(base_environment) placeholder="production" />
        </div>
    }
}

/// Has the browser ask before the tab is closed over what was typed and not saved.
fn ask_before_leaving(form: Form) {
    let listener = window_event_listener(ev::beforeunload, move |event| {
        if untrack(|| form.is_changed()) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Gives the focus to the field that a complaint is about.
fn lead_to_complaints(form: Form) {
    Effect::new(move |_| {
        let Some(complaint) = form.complaint.get() else {
            return;
        };
        browser::focus(&format!("setting-{}", complaint.field));
    });
}
