//! The reviewers' dashboard: a client-side Leptos app, served under `/app` by the service whose REST interface it uses.

#![expect(
    unreachable_pub,
    reason = "Leptos's component macro writes items that are `pub`"
)]

mod app;
mod browser;
mod client;
mod components;
mod format;
mod keys;
mod labels;
mod pages;
mod review;
mod shared;
mod task;
mod url_state;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
