//! The results of a job as thumbnails, filtered by the address.

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use pentimento_api::ids::JobId;
use pentimento_api::job::JobOverview;
use pentimento_api::review::{ResultItem, ResultList, ResultListQuery};

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::load_more::LoadMore;
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::result_card::ResultCard;
use crate::components::result_filters::{
    GroupFilter, OutcomeTabs, SearchField, TriageFilter, UnstableFilter,
};
use crate::format;
use crate::list_filter::{self, ListFilter};
use crate::shared::{Place, Shared, use_shared};
use crate::task::spawn_scoped;
use crate::url_state::{sorted_address, use_parameter};

/// Results read at once.
const BATCH: usize = 100;
/// The interface's largest page.
const MAX_BATCH: usize = 500;

/// Filters and grid; it reads the results again whenever the job has moved on, or `heard` of something.
#[component]
pub(crate) fn Results(job: Signal<JobOverview>, heard: RwSignal<u64>) -> impl IntoView {
    let id = job.get_untracked().job_id;
    let (outcome, set_outcome) = use_parameter(list_filter::OUTCOME);
    let (triage, set_triage) = use_parameter(list_filter::TRIAGE);
    let (unstable, set_unstable) = use_parameter(list_filter::UNSTABLE);
    let (group, set_group) = use_parameter(list_filter::GROUP);
    let (text, set_text) = use_parameter(list_filter::TEXT);
    let search = use_location().search;
    let filter = Memo::new(move |_| search.with(|search| ListFilter::of(search)));
    let feed = Feed::new(id, filter);
    // All that the list shows of a job's state: when it changes the list is read again.
    let version =
        Memo::new(move |_| job.with(|job| (job.counts, job.triage, job.status, heard.get())));
    feed.follow(version);
    feed.read_more();
    keep_place(feed.shared, feed.items);
    let Feed {
        items,
        total,
        next,
        error,
        again,
        more,
        ..
    } = feed;

    // Not how many there are: the list stays while more come, and so does the focus in it.
    let is_empty = Memo::new(move |_| items.with(|items| items.as_ref().map(Vec::is_empty)));
    let word = Signal::derive(move || {
        let shown = items.with(|items| items.as_ref().map_or(0, Vec::len));
        let shown = format::grouped(shown as u64);
        let total = format::grouped(total.get());
        format!("Load more ({shown} of {total} shown)")
    });
    let clear = move || {
        set_outcome.run(String::new());
        set_triage.run(String::new());
        set_unstable.run(String::new());
        set_group.run(String::new());
        set_text.run(String::new());
    };
    view! {
        <div class="result-filters">
            <OutcomeTabs counts=Signal::derive(move || job.with(|job| job.counts)) chosen=outcome choose=set_outcome />
            <div class="filters">
                <GroupFilter chosen=group choose=set_group />
                <UnstableFilter chosen=unstable choose=set_unstable />
                <TriageFilter chosen=triage choose=set_triage />
                <SearchField text search=set_text name="Search by address or device" placeholder="Search pages" />
            </div>
        </div>
        {move || error.get().map(|error| view! {
            <Problem error retry=Callback::new(move |()| again.notify()) />
        })}
        {move || match is_empty.get() {
            None if error.with(Option::is_some) => ().into_any(),
            None => view! { <Waiting /> }.into_any(),
            Some(true) if filter.with(|filter| filter.query() == ResultListQuery::default()) => view! {
                <Empty title=if job.with(|job| job.status.is_final()) { "No pages" } else { "No pages yet" }><p>{nothing_text(&job.get())}</p></Empty>
            }.into_any(),
            Some(true) => {
                let hand_on = browser::hand_focus_on();
                let show_all = move |_| {
                    hand_on();
                    clear();
                };
                view! {
                    <Empty title="No page matches these filters">
                        <p><button type="button" class="button" on:click=show_all>"Show all pages"</button></p>
                    </Empty>
                }
                .into_any()
            }
            Some(false) => view! {
                <ul class="result-grid">
                    <For
                        each=move || items.get().unwrap_or_default()
                        key=|item| (
                            item.result.result_id,
                            item.outcome,
                            item.result.triage_status,
                            item.thumbnail_url.is_some(),
                        )
                        let:item
                    >
                        <ResultCard item filter />
                    </For>
                </ul>
                <LoadMore more=Signal::derive(move || next.with(Option::is_some)) press=move |()| more.notify() word />
            }.into_any(),
        }}
    }
}

/// Whoever comes back to the list finds it where it was left.
fn keep_place(shared: Shared, items: RwSignal<Option<Vec<ResultItem>>>) {
    let address = StoredValue::new(sorted_address());
    let listener = window_event_listener(ev::scroll, move |_| {
        // The next page scrolls to its top before this one is gone.
        let shown = items.with_untracked(|items| items.as_ref().map(Vec::len));
        if let Some(shown) = shown.filter(|_| sorted_address() == address.get_value()) {
            let top_px = browser::scrolled();
            shared.keep_place(address.get_value(), Place { top_px, shown });
        }
    });
    on_cleanup(move || listener.remove());
    Effect::new(move |was_there: Option<bool>| {
        let is_there = items.with(Option::is_some);
        address.set_value(sorted_address());
        if is_there
            && was_there == Some(false)
            && let Some(place) = shared.place(&address.get_value())
        {
            request_animation_frame(move || browser::scroll_to(place.top_px));
        }
        was_there == Some(true) || is_there
    });
}

/// The results as far as they were read. `again` starts over, `more` reads on.
#[derive(Clone, Copy)]
struct Feed {
    shared: Shared,
    job: JobId,
    filter: Memo<ListFilter>,
    items: RwSignal<Option<Vec<ResultItem>>>,
    /// What was asked when they were read.
    read_with: StoredValue<Option<ListFilter>>,
    total: RwSignal<u64>,
    next: RwSignal<Option<String>>,
    error: RwSignal<Option<ClientError>>,
    again: Trigger,
    more: Trigger,
    /// Whether the first results are being read.
    is_reading: StoredValue<bool>,
    /// Whether they have to be read once more after that.
    is_due: StoredValue<bool>,
}

impl Feed {
    fn new(job: JobId, filter: Memo<ListFilter>) -> Self {
        Self {
            shared: use_shared(),
            job,
            filter,
            items: RwSignal::new(None),
            read_with: StoredValue::new(None),
            total: RwSignal::new(0),
            next: RwSignal::new(None),
            error: RwSignal::new(None),
            again: Trigger::new(),
            more: Trigger::new(),
            is_reading: StoredValue::new(false),
            is_due: StoredValue::new(false),
        }
    }

    /// Reads the first results, and again, as many as are shown, whenever `version` changes.
    fn follow<T: PartialEq + Send + Sync + 'static>(self, version: Memo<T>) {
        Effect::new(move |_| {
            self.again.track();
            let filter = self.filter.get();
            let is_same = self.are_of(&filter);
            let shown = self
                .items
                .with_untracked(|items| items.iter().flatten().count());
            // Whoever comes back had read so many.
            let left = self.shared.place(&sorted_address());
            let wanted = match left.filter(|_| shown == 0) {
                Some(place) => place.shown.max(BATCH),
                None if is_same => shown.max(BATCH),
                None => BATCH,
            };
            self.is_reading.set_value(true);
            self.is_due.set_value(false);
            spawn_scoped(async move {
                match self.read(wanted).await {
                    Ok((items, list)) => {
                        self.take(items, list, shown);
                        self.read_with.set_value(Some(filter));
                    }
                    Err(met) => {
                        // What another filter found would pass for what was asked for.
                        if !is_same {
                            self.next.set(None);
                            self.items.set(None);
                        }
                        self.note(met);
                    }
                }
                self.is_reading.set_value(false);
                if self.is_due.get_value() {
                    self.again.notify();
                }
            });
        });
        Effect::new(move |ran: Option<()>| {
            // A memo that is only tracked and never read follows nothing.
            version.with(|_| ());
            if ran.is_none() {
                return;
            }
            // Where much happens none would come to its end if the next one took its place.
            if self.is_reading.get_value() {
                self.is_due.set_value(true);
            } else {
                self.again.notify();
            }
        });
    }

    /// Whether the results are what this filter found.
    fn are_of(self, filter: &ListFilter) -> bool {
        self.read_with
            .with_value(|read_with| read_with.as_ref() == Some(filter))
    }

    /// Reads so many results from the first on, or a few more, and the rest of the last answer.
    async fn read(self, wanted: usize) -> Result<(Vec<ResultItem>, ResultList), ClientError> {
        let mut items = Vec::new();
        let mut after = None;
        loop {
            let limit = (wanted - items.len()).clamp(BATCH, MAX_BATCH);
            let mut list = client::get::<ResultList>(&self.address(limit, after.take())).await?;
            items.append(&mut list.results);
            if items.len() >= wanted || list.next.is_none() {
                return Ok((items, list));
            }
            after = list.next;
        }
    }

    /// Shows what was read from the first on, when so many were shown. What was read on with meanwhile stays behind it.
    fn take(self, mut items: Vec<ResultItem>, list: ResultList, shown: usize) {
        let end = items.last().map(|item| item.result.result_id);
        let behind = self.items.with_untracked(|had| {
            let had = had.as_deref().unwrap_or_default();
            let at = had
                .iter()
                .position(|item| Some(item.result.result_id) == end)?;
            (had.len() > shown).then(|| had[at + 1..].to_vec())
        });
        match behind.filter(|behind| !behind.is_empty() && list.next.is_some()) {
            Some(behind) => items.extend(behind),
            None => self.next.set(list.next),
        }
        self.error.set(None);
        self.total.set(list.total);
        self.items.set(Some(items));
    }

    /// Reads the results that follow when asked to.
    fn read_more(self) {
        Effect::new(move |ran: Option<()>| {
            self.more.track();
            let (Some(()), Some(after)) = (ran, self.next.get_untracked()) else {
                return;
            };
            if !self.filter.with_untracked(|filter| self.are_of(filter)) {
                return;
            }
            let address = move || self.address(BATCH, Some(after.clone()));
            spawn_scoped(async move {
                let asked = address();
                let answer = client::get::<ResultList>(&asked).await;
                let ends_elsewhere = self.address(BATCH, self.next.get_untracked()) != asked;
                match answer {
                    // The filter is another one by now.
                    _ if address() != asked => {}
                    // They were read again meanwhile.
                    Ok(_) if ends_elsewhere => self.more.notify(),
                    Ok(list) => {
                        self.next.set(list.next);
                        self.items
                            .update(|items| items.get_or_insert_default().extend(list.results));
                    }
                    Err(met) => self.note(met),
                }
            });
        });
    }

    fn address(self, limit: usize, after: Option<String>) -> String {
        let limit = u32::try_from(limit).ok();
        let query = ResultListQuery {
            limit,
            after,
            // The cards show nothing of what is told of the changes.
            brief: Some(true),
            ..self.filter.with_untracked(ListFilter::query)
        };
        client::with_query(&format!("/job/{}/results", self.job), &query)
    }

    fn note(self, met: ClientError) {
        self.shared.note_error(&met);
        self.error.set(Some(met));
    }
}

fn nothing_text(job: &JobOverview) -> &'static str {
    if job.status.is_final() {
        "The job ended without a page. Check the pages, or the sitemap, that it was started with."
    } else if job.takes_uploads {
        "The job waits for uploads; its pages show here by themselves."
    } else {
        "The job is finding its pages; they show here by themselves."
    }
}
