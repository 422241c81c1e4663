//! Requests of the review page, sent one after the other, also those of a visit before.

use std::future::Future;
use std::pin::Pin;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use leptos::task::spawn_local;
use send_wrapper::SendWrapper;

type Order = Pin<Box<dyn Future<Output = ()>>>;

/// Sends requests one after the other, in the order of the keys that were pressed. `App` owns it: they are sent to the end even
/// when the page is left.
pub(crate) struct Orders(SendWrapper<UnboundedSender<Order>>);

impl Orders {
    pub(crate) fn start() -> Self {
        let (sender, mut orders) = unbounded::<Order>();
        spawn_local(async move {
            while let Some(order) = orders.next().await {
                order.await;
            }
        });
        Self(SendWrapper::new(sender))
    }

    /// Adds a request to those that are sent.
    pub(crate) fn add(&self, order: impl Future<Output = ()> + 'static) {
        // The receiver ends only after the last sender.
        let _ = self.0.unbounded_send(Box::pin(order));
    }
}
