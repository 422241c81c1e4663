//! Filters live in the address, so that a view can be sent to a colleague.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::query_signal_with_options;

/// One parameter of the query: its value, and how to change it without a new history entry. Empty means absent.
pub(crate) fn use_parameter(name: &'static str) -> (Memo<String>, Callback<String>) {
    let options = NavigateOptions {
        replace: true,
        scroll: false,
        ..NavigateOptions::default()
    };
    let (value, set_value) = query_signal_with_options::<String>(name, options);
    let value = Memo::new(move |_| value.get().unwrap_or_default());
    let change = Callback::new(move |text: String| {
        set_value.set(Some(text).filter(|text| !text.is_empty()));
    });
    (value, change)
}
