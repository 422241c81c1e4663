//! Filters live in the address, so that a view can be sent to a colleague.
//!
//! The router reads the query's values as if they were escaped twice, so a page whose own address is escaped would come out as
//! another one: here they are read and written as the browser does.

use std::cell::RefCell;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

use crate::browser;
use crate::task::spawn_scoped;

thread_local! {
    /// Changes that wait for the next frame: those of one event become one address.
    static CHANGES: RefCell<Vec<(&'static str, String)>> = const { RefCell::new(Vec::new()) };
}

/// One parameter of the query: its value, and how to change it without a new history entry. Empty means absent.
pub(crate) fn use_parameter(name: &'static str) -> (Memo<String>, Callback<String>) {
    let location = use_location();
    let navigate = use_navigate();
    let search = location.search;
    let value = Memo::new(move |_| search.with(|search| parameter(search, name)));
    let change = Callback::new(move |text: String| {
        let is_first = CHANGES.with_borrow_mut(|changes| {
            changes.push((name, text));
            changes.len() == 1
        });
        if !is_first {
            return;
        }
        let (path, hash) = (location.pathname, location.hash);
        let begun_at = path.get_untracked();
        let navigate = navigate.clone();
        request_animation_frame(move || {
            let changes = CHANGES.take();
            // Who has left the page meanwhile stays where they went.
            if path.get_untracked() != begun_at {
                return;
            }
            let query = search.with_untracked(|search| changed(search, &changes));
            let options = NavigateOptions {
                replace: true,
                scroll: false,
                ..NavigateOptions::default()
            };
            navigate(
                &format!("{begun_at}{query}{}", hash.get_untracked()),
                options,
            );
        });
    });
    (value, change)
}

/// Keeps the browser's address at what is shown. To be called once, within the router.
///
/// The router writes no address that equals the last one it wrote, and does not notice when the reader has gone back from that one.
/// Fragments are left alone: the sign-in page takes a key out of one, and the router still knows it.
pub(crate) fn keep_address() {
    let location = use_location();
    let shown = Memo::new(move |_| {
        let path = location.pathname.get();
        let query = location.search.get();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{path}{mark}{query}")
    });
    Effect::new(move |ran: Option<()>| {
        let shown = shown.get();
        // The first address is the reader's own.
        if ran.is_none() {
            return;
        }
        spawn_scoped(async move {
            // The router has its turn first: what it writes is not to be written twice.
            TimeoutFuture::new(0).await;
            if browser::address() != shown
                && let Ok(history) = window().history()
            {
                // An address of this origin is always taken.
                let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&shown));
            }
        });
    });
}

/// A parameter of a query, empty where it is not there.
pub(crate) fn parameter(search: &str, name: &str) -> String {
    parameters(search).get(name).unwrap_or_default()
}

/// A path with these parameters behind it, as far as they say anything; written as the browser does, and as [`use_parameter`].
pub(crate) fn with_parameters<'a>(
    path: &str,
    words: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let parameters = parameters("");
    for (name, word) in words {
        if !word.is_empty() {
            parameters.append(name, word);
        }
    }
    format!("{path}{}", query_of(&parameters))
}

/// The address of what is shown, however its parameters are sorted.
pub(crate) fn sorted_address() -> String {
    let location = window().location();
    let parameters = parameters(&location.search().unwrap_or_default());
    parameters.sort().expect("every query can be sorted");
    let path = location.pathname().unwrap_or_default();
    format!("{path}{}", query_of(&parameters))
}

/// The query with the changes made, with its question mark where anything is left of it.
fn changed(search: &str, changes: &[(&str, String)]) -> String {
    let parameters = parameters(search);
    for (name, value) in changes {
        if value.is_empty() {
            parameters.delete(name);
        } else {
            parameters.set(name, value);
        }
    }
    query_of(&parameters)
}

/// The query, with its question mark where there is any.
fn query_of(parameters: &UrlSearchParams) -> String {
    let query = String::from(parameters.to_string());
    if query.is_empty() {
        query
    } else {
        format!("?{query}")
    }
}

fn parameters(search: &str) -> UrlSearchParams {
    UrlSearchParams::new_with_str(search).expect("every text is a query")
}
