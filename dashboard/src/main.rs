//! The reviewers' dashboard: a client-side Leptos app, served under `/app` by the service whose REST interface it uses.

#![expect(
    unreachable_pub,
    reason = "Leptos's component macro writes items that are `pub`"
)]
#![expect(
    clippy::large_types_passed_by_value,
    reason = "`Review` is a bundle of signal handles, copied into closures as Leptos means it"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "Leptos's components own their props"
)]

mod app;
mod browser;
mod client;
mod components;
mod decisions;
mod format;
mod job_events;
mod keys;
mod labels;
mod list_filter;
mod live;
mod one_at_a_time;
mod pages;
mod review;
mod settings;
mod shared;
mod task;
mod toast;
mod url_state;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
