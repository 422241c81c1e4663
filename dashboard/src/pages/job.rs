//! One job: where it stands and what it found, page by page.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use pentimento_api::job::JobOverview;
use pentimento_api::summary;

use crate::browser;
use crate::client::{self, ClientError};
use crate::components::job_head::{JobHead, JobWords};
use crate::components::notice::{Problem, Waiting};
use crate::job_events::{JobEvents, News, RETRY_MS};
use crate::pages::job::actions::Actions;
use crate::pages::job::changes::Changes;
use crate::pages::job::results::Results;
use crate::shared::use_shared;
use crate::task::spawn_scoped;

mod actions;
mod changes;
mod results;

/// The page at `/app/jobs/:id`.
#[component]
pub(crate) fn JobPage() -> impl IntoView {
    let shared = use_shared();
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let job = RwSignal::new(None::<JobOverview>);
    let words = RwSignal::new(None::<summary::JobWords>);
    let error = RwSignal::new(None::<ClientError>);
    let again = Trigger::new();
    // How often something was heard that the figures may not show, such as two decisions that make up for each other.
    let heard = RwSignal::new(0_u64);
    browser::set_title("Job");

    Effect::new(move |_| {
        id.track();
        job.set(None);
        words.set(None);
        error.set(None);
    });
    Effect::new(move |_| {
        again.track();
        let id = id.get();
        let path = format!("/job/{}/overview", client::encoded(&id));
        spawn_scoped(async move {
            let mut events = JobEvents::of(&id);
            let mut is_new = false;
            loop {
                match client::get::<JobOverview>(&path).await {
                    Ok(fresh) => {
                        browser::set_title(fresh.project.as_deref().unwrap_or("Job"));
                        error.set(None);
                        if std::mem::take(&mut is_new) {
                            heard.update(|heard| *heard += 1);
                        }
                        if job.with_untracked(|job| job.as_ref() != Some(&fresh)) {
                            job.set(Some(fresh));
                        }
                    }
                    Err(met) => {
                        shared.note_error(&met);
                        let is_over = met.is_final();
                        error.set(Some(met));
                        if is_over {
                            return;
                        }
                    }
                }
                let news = events.news().await;
                is_new |= news.iter().any(moves_pages);
            }
        });
    });

    let is_final =
        Memo::new(move |_| job.with(|job| job.as_ref().is_some_and(|job| job.status.is_final())));
    Effect::new(move |_| {
        if !is_final.get() {
            return;
        }
        let path = format!("/job/{}/words", client::encoded(&id.get()));
        spawn_scoped(async move {
            loop {
                match client::get(&path).await {
                    Ok(read) => return words.set(Some(read)),
                    // The page is whole without the words.
                    Err(met) if met.is_final() => return,
                    Err(_) => TimeoutFuture::new(RETRY_MS).await,
                }
            }
        });
    });

    let known = Memo::new(move |_| job.with(Option::is_some));
    view! {
        <div class="page" data-testid="job">
            {move || error.get().map(|error| view! {
                <Problem error retry=Callback::new(move |()| again.notify()) />
            })}
            {move || match untrack(|| job.get()).filter(|_| known.get()) {
                None if error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(first) => {
                    let job = Memo::new(move |_| job.get().unwrap_or_else(|| first.clone()));
                    view! {
                        <JobHead job><Actions job=job.into() changed=again /></JobHead>
                        {move || words.get().map(|words| view! { <JobWords words job=job.into() /> })}
                        <Changes job=job.into() heard />
                        <Results job=job.into() heard />
                    }
                    .into_any()
                }
            }}
        </div>
    }
}

/// Whether the pages of a job may stand otherwise although its figures stay. A page that is done shows in the figures.
fn moves_pages(news: &News) -> bool {
    match news {
        News::Triage(_) | News::Unknown => true,
        News::Result(_) | News::Status(_) | News::Progress => false,
    }
}
