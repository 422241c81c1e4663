//! Which pages are captured: the sitemap and what is taken of it, pages by their paths, and which these are.

use leptos::prelude::*;
use pentimento_api::discover::{DiscoverAnswer, DiscoverRequest, DiscoveredPage};

use super::field::{Complaints, TextField};
use super::form::{Form, lens};
use crate::browser;
use crate::client::{self, ClientError};
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::{Problem, Waiting};
use crate::format;
use crate::settings::draft::Draft;
use crate::settings::scan::ScanDraft;
use crate::settings::update::Complaint;
use crate::task::spawn_scoped;

/// Pages that are shown of a preview at once.
const SHOWN: usize = 12;

#[component]
pub(super) fn Pages(form: Form) -> impl IntoView {
    view! {
        <TextField
            form
            name="paths"
            label="Pages"
            lens=lens!(paths)
            rows=6
            placeholder="/pricing Pricing"
            help="One on each line: its path, then a space and a name for people. Addresses on the tested origin will do. \
                  Without pages and without a sitemap it is the front page."
        />
        <TextField
            form
            name="sitemapUrl"
            label="Sitemap"
            lens=lens!(sitemap_url)
            keyboard="url"
            placeholder="https://staging.example.com/sitemap.xml"
            help="All of its pages are captured, or those that a scan lets through."
        />
        <Scans form />
        {if form.is_new {
            view! { <p class="help">"Once the project is made, its settings show which pages these are."</p> }.into_any()
        } else {
            view! { <Preview form /> }.into_any()
        }}
    }
}

/// Globs over the sitemap, a row each.
#[component]
fn Scans(form: Form) -> impl IntoView {
    let count = Memo::new(move |_| form.draft.with(|draft| draft.scans.len()));
    let add = move |_| {
        form.draft
            .update(|draft| draft.scans.push(ScanDraft::default()));
    };
    view! {
        <div class="setting" id="setting-scans" tabindex="-1">
            <h3 class="setting-name">"Scans of the sitemap"</h3>
            {move || (0..count.get()).map(|at| view! { <ScanRow form at /> }).collect_view()}
            <button type="button" class="button settings-add" data-testid="add-scan" on:click=add>
                <Icon glyph=Glyph::Plus />
                "Add a scan"
            </button>
            <p class="help">
                <code>"/docs/**"</code>" takes all below /docs, "<code>"/blog/*"</code>" one level. What is left out is written the same way, separated by spaces. Without a sitemap above, that of the tested origin is read."
            </p>
            <Complaints form name="scans" />
        </div>
    }
}

#[component]
fn ScanRow(form: Form, at: usize) -> impl IntoView {
    let text = move |get: fn(&ScanDraft) -> &String| {
        Memo::new(move |_| {
            form.draft
                .with(|draft| draft.scans.get(at).map(|scan| get(scan).clone()))
                .unwrap_or_default()
        })
    };
    let set = move |get: fn(&mut ScanDraft) -> &mut String, value: String| {
        form.draft.update(|draft| {
            if let Some(scan) = draft.scans.get_mut(at) {
                *get(scan) = value;
            }
        });
    };
    let remove = move |_| {
        form.draft.update(|draft| {
            if at < draft.scans.len() {
                draft.scans.remove(at);
            }
        });
        // The button that had the focus is gone.
        browser::focus("setting-scans");
    };
    let place = at + 1;
    view! {
        <div class="settings-scan" data-testid="scan">
            <input class="field" type="text" spellcheck="false" placeholder="/docs/**" aria-label=format!("Pattern of scan {place}")
                prop:value=text(|scan| &scan.pattern)
                on:input=move |event| set(|scan| &mut scan.pattern, event_target_value(&event)) />
            <input class="field" type="text" inputmode="numeric" placeholder="no limit" aria-label=format!("Most pages of scan {place}")
                prop:value=text(|scan| &scan.limit)
                on:input=move |event| set(|scan| &mut scan.limit, event_target_value(&event)) />
            <input class="field" type="text" spellcheck="false" placeholder="left out: /docs/old/**" aria-label=format!("What scan {place} leaves out")
                prop:value=text(|scan| &scan.exclude)
                on:input=move |event| set(|scan| &mut scan.exclude, event_target_value(&event)) />
            <button type="button" class="button icon-only" aria-label=format!("Remove scan {place}") on:click=remove>
                <Icon glyph=Glyph::Cross />
            </button>
        </div>
    }
}

/// What a preview asks; otherwise why it cannot be asked before the settings are saved.
fn question(draft: &Draft, stored: &Draft) -> Result<DiscoverRequest, String> {
    let sitemap = draft.sitemap_url.trim();
    if draft.test_origin.trim() != stored.test_origin {
        return Err("Pages are read from the stored origin: save the new one first.".to_owned());
    }
    if sitemap.is_empty() && !stored.sitemap_url.is_empty() {
        return Err("The stored sitemap would still be read: save first.".to_owned());
    }
    Ok(DiscoverRequest {
        sitemap_url: Some(sitemap.to_owned()).filter(|sitemap| !sitemap.is_empty()),
        paths: Some(draft.pages()),
        scans: Some(draft.scans().map_err(|complaint| complaint.text)?),
        devices: Some(draft.all_devices()),
    })
}

/// Which pages a run would capture with what is in the form.
#[component]
fn Preview(form: Form) -> impl IntoView {
    let asked = Trigger::new();
    let answer = RwSignal::new(None::<Result<DiscoverAnswer, ClientError>>);
    let is_waiting = RwSignal::new(false);
    let refused = RwSignal::new(None::<String>);
    Effect::new(move |previous: Option<()>| {
        asked.track();
        if previous.is_none() {
            return;
        }
        answer.set(None);
        let request = untrack(|| form.with_both(question));
        refused.set(request.as_ref().err().cloned());
        let Ok(request) = request else { return };
        let name = untrack(|| form.with_both(|_, stored| stored.name.clone()));
        is_waiting.set(true);
        spawn_scoped(async move {
            let path = format!("/project/{}/discover", client::encoded(&name));
            let found = client::post(&path, &request).await;
            is_waiting.set(false);
            if let Err(error) = &found {
                form.shared.note_error(error);
            }
            let refusal = found.as_ref().err().filter(|error| error.is_refusal());
            let complaint = refusal.map(|error| Complaint::refused(error.to_string()));
            form.complaint.set(complaint);
            answer.set(Some(found));
        });
    });
    view! {
        <div class="settings-preview" aria-live="polite">
            <button type="button" class="button" data-testid="preview" disabled=is_waiting on:click=move |_| asked.notify()>
                <Icon glyph=Glyph::Search />
                "Show which pages these are"
            </button>
            {move || refused.get().map(|text| view! { <p class="help">{text}</p> })}
            {move || is_waiting.get().then(|| view! { <Waiting /> })}
            {move || answer.get().map(|answer| match answer {
                Err(error) => view! { <Problem error /> }.into_any(),
                Ok(answer) => view! { <Previewed answer /> }.into_any(),
            })}
        </div>
    }
}

#[component]
fn Previewed(answer: DiscoverAnswer) -> impl IntoView {
    let devices = format::counted(answer.devices.len() as u64, "device");
    let pages = format::counted(answer.total, "page");
    let at_least = if answer.complete { "" } else { "At least " };
    let captures = format::counted(answer.results, "capture");
    let sentence = format!("{at_least}{pages} on {devices}: {captures} a run.");
    let beyond = answer.total.saturating_sub(answer.pages.len() as u64);
    let mut first = answer.pages;
    let rest = first.split_off(first.len().min(SHOWN));
    let count = rest.len() as u64 + beyond;
    view! {
        <div class="settings-pages" data-testid="previewed">
            <p><strong>{sentence}</strong></p>
            {answer.problem.map(|problem| view! { <p class="form-error">"A run would fail: " {problem}</p> })}
            {answer.notes.into_iter().map(|note| view! { <p class="help">{note}</p> }).collect_view()}
            <ul class="plain-list">{first.into_iter().map(page_item).collect_view()}</ul>
            {(count > 0).then(|| view! {
                <details>
                    <summary>{format!("{count} more")}</summary>
                    <ul class="plain-list">{rest.into_iter().map(page_item).collect_view()}</ul>
                    {(beyond > 0).then(|| view! { <p class="help">{format!("… and {beyond} that are not listed.")}</p> })}
                </details>
            })}
        </div>
    }
}

fn page_item(page: DiscoveredPage) -> impl IntoView {
    view! { <li><code>{page.path}</code> {page.label.map(|label| format!(" {label}"))}</li> }
}
