//! One entry of the log: what was done in words, to what, and its figures.

use leptos::prelude::*;
use pentimento_api::audit::AuditEntry;
use serde_json::{Map, Value};

use crate::client;
use crate::components::icon::{Glyph, Icon};
use crate::components::time::Ago;
use crate::format;

/// An entry as a row.
#[component]
pub(super) fn Entry(entry: AuditEntry) -> impl IntoView {
    let action = entry.action.clone();
    let (glyph, words) = told(&action);
    let words = words.unwrap_or(&action).to_owned();
    let subject = match subject(&entry) {
        (Some(href), text) => view! { <a href=href>{text}</a> }.into_any(),
        (None, text) => view! { <span>{text}</span> }.into_any(),
    };
    let figures = figures(&others(&entry));
    view! {
        <li class="audit-row" data-testid="audit-entry" data-action=action>
            <span class="audit-when">
                <span>{format::absolute(&entry.at)}</span>
                <Ago time=entry.at />
            </span>
            <span class="audit-what" title=entry.action>
                <Icon glyph />
                <span><strong>{words}</strong><span class="audit-actor">" by " {entry.actor}</span></span>
            </span>
            <span class="audit-subject">{subject}</span>
            <dl class="audit-figures">
                {figures.into_iter().map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect_view()}
            </dl>
        </li>
    }
}

/// An action in words; an action that this version does not know has none.
fn told(action: &str) -> (Glyph, Option<&'static str>) {
    let (glyph, words) = match action {
        "triage.approve" => (Glyph::Check, "Approved"),
        "triage.reject" => (Glyph::Cross, "Rejected"),
        "triage.withdraw" => (Glyph::Undo, "Took a decision back"),
        "baseline.promote" => (Glyph::Flag, "Made a capture the baseline"),
        "baseline.restore" => (Glyph::Flag, "Put the former baseline back"),
        "job.start" => (Glyph::ArrowRight, "Started a job"),
        "job.finalize" => (Glyph::ArrowRight, "Finished a job’s uploads"),
        "job.remove" => (Glyph::Minus, "Removed an old job"),
        "project.create" => (Glyph::Plus, "Made a project"),
        "project.update" => (Glyph::Pencil, "Changed a project"),
        "schedule.missed" => (Glyph::Clock, "Missed a scheduled run"),
        "schedule.refused" => (Glyph::Alert, "Could not start a scheduled run"),
        "capture.refused" => (Glyph::Alert, "Refused an address to a page"),
        "key.create" => (Glyph::Plus, "Made a key"),
        "key.rotate" => (Glyph::Keyboard, "Rotated a key"),
        "key.revoke" => (Glyph::Cross, "Revoked a key"),
        "webhook.create" => (Glyph::Plus, "Made a webhook"),
        "webhook.update" => (Glyph::Pencil, "Changed a webhook"),
        "webhook.delete" => (Glyph::Minus, "Deleted a webhook"),
        "webhook.disable" => (Glyph::Alert, "Disabled a webhook"),
        "webhook.rotate_secret" => (Glyph::Keyboard, "Rotated a webhook’s secret"),
        _ => return (Glyph::Circle, None),
    };
    (glyph, Some(words))
}

/// Where what it was done to is shown, and what it is called.
fn subject(entry: &AuditEntry) -> (Option<String>, String) {
    let figure = |name: &str| entry.detail.get(name)?.as_str();
    let project = entry.project.as_deref().or(figure("project"));
    let job = || project.map_or_else(|| "A job".to_owned(), |name| format!("Job of {name}"));
    let about = entry.action.split('.').next().unwrap_or_default();
    let id = &entry.subject;
    match about {
        "job" if entry.action == "job.remove" => (None, job()),
        "job" | "triage" => (Some(format!("/app/jobs/{id}")), job()),
        "baseline" => {
            let [page, variant] = ["page", "variant"].map(|name| figure(name).unwrap_or_default());
            (
                Some(format!("/app/review/{id}")),
                format!("{page} · {variant}"),
            )
        }
        "capture" => (
            Some(format!("/app/review/{id}")),
            figure("url").map_or_else(|| "the page".to_owned(), format::path_of),
        ),
        "project" | "schedule" => match project.or(figure("name")) {
            Some(name) => (
                Some(format!("/app/projects/{}", client::encoded(name))),
                name.to_owned(),
            ),
            None => (None, id.clone()),
        },
        "key" => (
            Some("/app/keys".to_owned()),
            figure("name").unwrap_or("the key").to_owned(),
        ),
        "webhook" => (
            Some("/app/webhooks".to_owned()),
            figure("host").unwrap_or("the webhook").to_owned(),
        ),
        _ => (None, id.clone()),
    }
}

/// The figures that the row does not tell otherwise.
fn others(entry: &AuditEntry) -> Map<String, Value> {
    let told: &[&str] = match entry.action.split('.').next().unwrap_or_default() {
        "triage" => &["project", "triageStatus"],
        "job" => &["project"],
        "baseline" => &["project", "job", "page", "variant"],
        "capture" => &["project", "url", "jobId"],
        "project" | "schedule" | "key" => &["name"],
        "webhook" => &["host"],
        _ => &[],
    };
    let mut figures = entry.detail.clone();
    figures.retain(|name, _| !told.contains(&name.as_str()));
    figures
}

/// Figures by their names in words, without those that say nothing.
fn figures(detail: &Map<String, Value>) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    for (name, value) in detail {
        match value {
            Value::Object(inner) => figures.extend(self::figures(inner)),
            value => {
                let text = text(value);
                if !text.is_empty() {
                    figures.push((in_words(name), text));
                }
            }
        }
    }
    figures
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let texts: Vec<String> = values.iter().map(text).collect();
            texts.join(", ")
        }
        Value::Object(inner) => {
            let texts = figures(inner);
            let texts: Vec<String> = (texts.into_iter())
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            texts.join(", ")
        }
    }
}

/// `overlapHours` as “overlap hours”.
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_told_in_words_and_what_says_nothing_is_left_out() {
        let detail = json!({
            "page": null, "where": { "decision": ["bug", "noise"], "changeGroup": null, "except": 2 },
            "overlapHours": 24, "enabled": true, "events": [],
        });
        let told = figures(detail.as_object().unwrap());
        let told: Vec<_> = told
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let mut expected = [
            "decision bug, noise",
            "except 2",
            "overlap hours 24",
            "enabled yes",
        ];
        let mut told: Vec<&str> = told.iter().map(String::as_str).collect();
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected);
    }
}
