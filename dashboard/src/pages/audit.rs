//! The audit log: who did what, and when.

mod day;
mod entry;
mod filters;

use leptos::prelude::*;
use pentimento_api::audit::{AuditEntry, AuditFormat, AuditList, AuditQuery};

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::admin_tabs::AdminTabs;
use crate::components::load_more::LoadMore;
use crate::components::notice::{Empty, Problem, Waiting};
use crate::shared::{Shared, use_shared};
use crate::task::spawn_scoped;
use entry::Entry;
use filters::{Asked, Filters};

/// The page at `/app/audit`.
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    browser::set_title("Audit log");
    let asked = Asked::of_address();
    let feed = Feed::new(asked.query());
    feed.follow();
    feed.read_more();
    let Feed {
        query,
        entries,
        next,
        error,
        again,
        more,
        ..
    } = feed;
    let file = move || {
        let query = AuditQuery {
            format: Some(AuditFormat::Csv),
            ..query.get()
        };
        client::with_query("/audit", &query)
    };
    let state = Memo::new(move |_| entries.with(|entries| entries.as_ref().map(Vec::is_empty)));
    view! {
        <div class="page">
            <AdminTabs />
            <div class="page-head">
                <h1>"Audit log"</h1>
                <div class="page-actions">
                    <a class="button" href=file rel="external" download="" data-testid="audit-file" title="All entries that the filters let through, as comma-separated values">
                        "Download CSV"
                    </a>
                </div>
            </div>
            <Filters asked />
            {move || error.get().map(|error| view! {
                <Problem error retry=Callback::new(move |()| again.notify()) />
            })}
            {move || match state.get() {
                None if error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(true) => view! {
                    <Empty title="Nothing in the log matches these filters">
                        <p><button type="button" class="button" on:click=move |_| asked.clear()>"Show everything"</button></p>
                    </Empty>
                }.into_any(),
                Some(false) => view! {
                    <ul class="audit-list">
                        <For each=move || entries.get().unwrap_or_default() key=|entry| entry.entry_id let:entry>
                            <Entry entry />
                        </For>
                    </ul>
                    <LoadMore more=Signal::derive(move || next.with(Option::is_some)) press=move |()| more.notify() word="Load more" />
                }.into_any(),
            }}
        </div>
    }
}

/// The log as far as it was read. `again` starts over, `more` reads on.
#[derive(Clone, Copy)]
struct Feed {
    shared: Shared,
    query: Memo<AuditQuery>,
    entries: RwSignal<Option<Vec<AuditEntry>>>,
    next: RwSignal<Option<String>>,
    error: RwSignal<Option<ClientError>>,
    again: Trigger,
    more: Trigger,
}

impl Feed {
    fn new(query: Memo<AuditQuery>) -> Self {
        Self {
            shared: use_shared(),
            query,
            entries: RwSignal::new(None),
            next: RwSignal::new(None),
            error: RwSignal::new(None),
            again: Trigger::new(),
            more: Trigger::new(),
        }
    }

    /// Reads the newest entries, and again when others are asked for.
    fn follow(self) {
        Effect::new(move |_| {
            self.again.track();
            let path = client::with_query("/audit", &self.query.get());
            self.entries.set(None);
            self.error.set(None);
            spawn_scoped(async move {
                match client::get::<AuditList>(&path).await {
                    Ok(list) => {
                        self.next.set(list.next);
                        self.entries.set(Some(list.entries));
                    }
                    Err(met) => self.note(met),
                }
            });
        });
    }

    /// Reads older entries when asked to.
    fn read_more(self) {
        Effect::new(move |ran: Option<()>| {
            self.more.track();
            let (Some(()), Some(before)) = (ran, self.next.get_untracked()) else {
                return;
            };
            let asked = self.query.get_untracked();
            let query = AuditQuery {
                before: Some(before),
                ..asked.clone()
            };
            spawn_scoped(async move {
                match client::get::<AuditList>(&client::with_query("/audit", &query)).await {
                    // Others are asked for by now.
                    Ok(_) if self.query.get_untracked() != asked => {}
                    Ok(list) => {
                        self.error.set(None);
                        self.next.set(list.next);
                        self.entries
                            .update(|entries| entries.get_or_insert_default().extend(list.entries));
                    }
                    Err(met) => self.note(met),
                }
            });
        });
    }

    fn note(self, met: ClientError) {
        self.shared.note_error(&met);
        self.error.set(Some(met));
    }
}
