//! The projects that can be chosen in a list of choices.

use leptos::prelude::*;
use pentimento_api::project::ProjectListed;

use crate::client;
use crate::task::spawn_scoped;

/// A choice for each project, and in front of them one for all; the projects are read whenever `wanted` is set.
#[component]
pub(crate) fn ProjectOptions(
    all: &'static str,
    #[prop(into)] chosen: Signal<String>,
    #[prop(into)] wanted: Signal<bool>,
) -> impl IntoView {
    let names = RwSignal::new(Vec::<String>::new());
    Effect::new(move |_| {
        if !wanted.get() {
            return;
        }
        spawn_scoped(async move {
            // Without the names all projects can be chosen, and what is chosen stays.
            if let Ok(projects) = client::get::<Vec<ProjectListed>>("/projects").await {
                names.set(projects.into_iter().map(|project| project.name).collect());
            }
        });
    });
    // What is chosen is offered even before, or without, its project being in the list.
    let offered = move || {
        let mut offered = names.get();
        let chosen = chosen.get();
        if !chosen.is_empty() && !offered.contains(&chosen) {
            offered.push(chosen);
        }
        offered
    };
    view! {
        <option value="" prop:selected=move || chosen.with(String::is_empty)>{all}</option>
        <For each=offered key=String::clone let:name>
            {
                let (value, own) = (name.clone(), name.clone());
                view! { <option value=value prop:selected=move || chosen.with(|chosen| *chosen == own)>{name}</option> }
            }
        </For>
    }
}
