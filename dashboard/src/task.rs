//! Futures that end with the part of the page that started them.

use std::future::Future;

use futures::future::abortable;
use leptos::prelude::on_cleanup;
use leptos::task::spawn_local;

/// Runs a future until it is done, or until the current effect runs again or its component goes away.
///
/// What the future holds is dropped then: a request is aborted, a timer is cleared, and no signal is written that its
/// page no longer owns.
pub(crate) fn spawn_scoped(future: impl Future<Output = ()> + 'static) {
    let (future, handle) = abortable(future);
    on_cleanup(move || handle.abort());
    spawn_local(async move {
        // The only error is that it was aborted, which is what was asked for.
        let _ = future.await;
    });
}
