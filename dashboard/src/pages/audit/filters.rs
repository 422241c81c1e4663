//! What is asked of the log; the address keeps it.

use leptos::prelude::*;
use pentimento_api::audit::AuditQuery;

use super::day;
use crate::components::result_filters::SearchField;
use crate::url_state::use_parameter;

/// What actions are about, as the service and as people call it.
const SUBJECTS: [(&str, &str); 8] = [
    ("triage", "Decisions"),
    ("baseline", "Baselines"),
    ("job", "Jobs"),
    ("project", "Projects"),
    ("schedule", "Schedules"),
    ("capture", "Refused addresses"),
    ("key", "Keys"),
    ("webhook", "Webhooks"),
];

/// A parameter of the address, and how to change it.
type Parameter = (Memo<String>, Callback<String>);

/// What is asked; copies name the same parameters.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    about: Parameter,
    actor: Parameter,
    /// The first and the last day.
    days: [Parameter; 2],
}

impl Asked {
    /// What the address asks.
    pub(super) fn of_address() -> Self {
        Self {
            about: use_parameter("about"),
            actor: use_parameter("actor"),
            days: [use_parameter("from"), use_parameter("to")],
        }
    }

    /// How the interface is asked for it.
    pub(super) fn query(self) -> Memo<AuditQuery> {
        let some = |(memo, _): Parameter| Some(memo.get()).filter(|text| !text.is_empty());
        Memo::new(move |_| AuditQuery {
            action: some(self.about),
            actor: some(self.actor),
            from: day::begins(&self.days[0].0.get()),
            until: day::ends(&self.days[1].0.get()),
            ..AuditQuery::default()
        })
    }

    /// Asks for everything.
    pub(super) fn clear(self) {
        let [from, to] = self.days;
        for (_, set) in [self.about, self.actor, from, to] {
            set.run(String::new());
        }
    }
}

#[component]
pub(super) fn Filters(asked: Asked) -> impl IntoView {
    let (about, set_about) = asked.about;
    let (actor, set_actor) = asked.actor;
    // An action from the address is offered, too.
    let other = Memo::new(move |_| {
        let about = about.get();
        let is_listed = SUBJECTS.iter().any(|(subject, _)| *subject == about);
        Some(about).filter(|about| !about.is_empty() && !is_listed)
    });
    let day = |word: &'static str, hook: &'static str, (day, set): Parameter| {
        view! {
            <label>
                <span class="filter-word">{word}</span>
                <input class="field" type="date" data-testid=hook prop:value=day on:change=move |event| set.run(event_target_value(&event)) />
            </label>
        }
    };
    let [from, to] = asked.days;
    view! {
        <div class="filters audit-filters">
            <label>
                <span class="filter-word">"About"</span>
                <select class="field" data-testid="audit-about" on:change=move |event| set_about.run(event_target_value(&event))>
                    <option value="" prop:selected=move || about.get().is_empty()>"Everything"</option>
                    {SUBJECTS.into_iter().map(|(subject, word)| view! {
                        <option value=subject prop:selected=move || about.get() == subject>{word}</option>
                    }).collect_view()}
                    {move || other.get().map(|action| {
                        let value = action.clone();
                        view! { <option value=value selected>{action}</option> }
                    })}
                </select>
            </label>
            {day("From", "audit-from", from)}
            {day("To", "audit-to", to)}
            <SearchField text=actor search=set_actor name="Search by who did it" placeholder="Who" most=100 />
        </div>
    }
}
