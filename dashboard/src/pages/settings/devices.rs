//! On which devices pages are captured.

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::device::DeviceListed;

use super::field::Complaints;
use super::form::{Form, lens};
use crate::browser;
use crate::client::{self, ClientError};
use crate::components::icon::{Glyph, Icon};

#[component]
pub(super) fn Devices(form: Form) -> impl IntoView {
    let known = RwSignal::new(Vec::<DeviceListed>::new());
    spawn_local(async move {
        let answer: Result<Vec<DeviceListed>, ClientError> = client::get("/devices").await;
        // Without the list names can still be entered: the service checks them.
        if let Ok(devices) = answer {
            known.try_set(devices);
        }
    });
    let chosen = Memo::new(move |_| form.draft.with(|draft| draft.devices.clone()));
    let typed = form.value(lens!(device_to_add));
    let add = move || {
        form.draft.update(|draft| {
            draft.devices = draft.all_devices();
            draft.device_to_add.clear();
        });
    };
    let offered = move || {
        known.with(|known| {
            let free = known
                .iter()
                .filter(|device| chosen.with(|chosen| !chosen.contains(&device.name)));
            free.map(|device| {
                view! { <option value=device.name.clone()>{extent(device)}</option> }
            })
            .collect_view()
        })
    };
    view! {
        <div class="setting">
            <ul class="settings-devices" data-testid="devices" aria-label="Chosen devices">
                {move || chosen.get().into_iter().map(|name| view! { <Chosen form name known /> }).collect_view()}
            </ul>
            <label for="setting-devices">"Add a device or a viewport"</label>
            <div class="settings-with-button">
                <input
                    id="setting-devices"
                    class="field"
                    type="text"
                    list="known-devices"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="iPhone 15"
                    data-testid="setting-devices"
                    prop:value=typed
                    on:input=move |event| form.set(lens!(device_to_add), event_target_value(&event))
                    on:keydown=move |event| {
                        if event.key() == "Enter" {
                            event.prevent_default();
                            add();
                        }
                    }
                />
                <datalist id="known-devices">{offered}</datalist>
                <button type="button" class="button" data-testid="add-device" on:click=move |_| add()>
                    <Icon glyph=Glyph::Plus />
                    "Add"
                </button>
            </div>
            <p class="help">"Each page is captured once on each. Without a choice it is Desktop Chrome."</p>
            <Complaints form name="devices" />
        </div>
    }
}

#[component]
fn Chosen(form: Form, name: String, known: RwSignal<Vec<DeviceListed>>) -> impl IntoView {
    let wanted = name.to_lowercase();
    let size = move || {
        known.with(|known| {
            let found = known
                .iter()
                .find(|device| device.name.to_lowercase() == wanted);
            found.map(extent)
        })
    };
    let goes = name.clone();
    let remove = move |_| {
        form.draft
            .update(|draft| draft.devices.retain(|device| *device != goes));
        // The button that had the focus is gone.
        browser::focus("setting-devices");
    };
    view! {
        <li class="settings-device">
            <span>{name.clone()}</span>
            <span class="help">{size}</span>
            <button type="button" class="button icon-only" aria-label=format!("Remove {name}") on:click=remove>
                <Icon glyph=Glyph::Cross />
            </button>
        </li>
    }
}

fn extent(device: &DeviceListed) -> String {
    format!("{} × {}", device.width, device.height)
}
