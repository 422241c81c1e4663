//! How much a page has loaded of what a saved page holds.

use std::collections::HashMap;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::network::{
    EventDataReceived, EventRequestWillBeSent, RequestId, ResourceType,
};
use futures::StreamExt;
use tokio::sync::watch;

use crate::capture::CaptureError;
use crate::capture::failure::explain;

/// Requests that are told apart; whatever comes for more of them counts.
const MAX_REQUESTS: usize = 100_000;

/// Follows the page from now on: so many bytes its frames have loaded, unpacked. What it has left again counts too.
pub(super) async fn follow(page: &Page) -> Result<watch::Receiver<u64>, CaptureError> {
    let mut sent =
        (page.event_listener::<EventRequestWillBeSent>().await).map_err(|error| explain(&error))?;
    let mut received =
        (page.event_listener::<EventDataReceived>().await).map_err(|error| explain(&error))?;
    let (bytes, watched) = watch::channel(0);
    // It ends with the page.
    tokio::spawn(async move {
        let mut loaded = Loaded::default();
        loop {
            tokio::select! {
                Some(event) = sent.next() => loaded.sent(&event.request_id, event.r#type.as_ref()),
                Some(event) = received.next() => loaded.received(&event.request_id, event.data_length),
                else => break,
            }
            bytes.send_replace(loaded.bytes);
        }
    });
    Ok(watched)
}

#[derive(Debug, Default)]
struct Loaded {
    bytes: u64,
    requests: HashMap<RequestId, Request>,
}

/// What is known of a request. What comes for it may be heard before the request itself.
#[derive(Debug)]
enum Request {
    /// So many of its bytes count until it is known what they are.
    Unknown(u64),
    /// Whether a saved page holds it.
    Known(bool),
}

impl Loaded {
    fn sent(&mut self, request: &RequestId, kind: Option<&ResourceType>) {
        let has_room = self.requests.len() < MAX_REQUESTS;
        if !has_room && !self.requests.contains_key(request) {
            return;
        }
        let is_held = is_held(kind);
        let before = self
            .requests
            .insert(request.clone(), Request::Known(is_held));
        if let Some(Request::Unknown(bytes)) = before
            && !is_held
        {
            self.bytes -= bytes;
        }
    }

    fn received(&mut self, request: &RequestId, bytes: i64) {
        let bytes = u64::try_from(bytes).unwrap_or(0);
        let has_room = self.requests.len() < MAX_REQUESTS;
        match self.requests.get_mut(request) {
            Some(Request::Known(false)) => return,
            Some(Request::Unknown(so_far)) => *so_far += bytes,
            None if has_room => {
                self.requests
                    .insert(request.clone(), Request::Unknown(bytes));
            }
            Some(Request::Known(true)) | None => {}
        }
        self.bytes += bytes;
    }
}

/// Whether a saved page holds what is of this kind: it has no scripts, nothing that they fetch, and no videos.
fn is_held(kind: Option<&ResourceType>) -> bool {
    matches!(
        kind,
        None | Some(
            ResourceType::Document
                | ResourceType::Stylesheet
                | ResourceType::Image
                | ResourceType::Font
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_saved_page_holds_counts_in_whatever_order_it_is_told() {
        let [picture, script] = ["1", "2"].map(RequestId::new);
        let mut loaded = Loaded::default();
        loaded.sent(&picture, Some(&ResourceType::Image));
        loaded.received(&picture, 100);
        loaded.received(&picture, 10);
        assert_eq!(loaded.bytes, 110);
        // Until it is known what it is, it counts.
        loaded.received(&script, 5);
        loaded.received(&script, 2);
        assert_eq!(loaded.bytes, 117);
        loaded.sent(&script, Some(&ResourceType::Script));
        assert_eq!(loaded.bytes, 110);
        loaded.received(&script, 3);
        assert_eq!(loaded.bytes, 110);
        let style = RequestId::new("3");
        loaded.received(&style, 1);
        loaded.sent(&style, Some(&ResourceType::Stylesheet));
        loaded.sent(&style, Some(&ResourceType::Stylesheet));
        loaded.received(&style, -1);
        assert_eq!(loaded.bytes, 111);
    }

    #[test]
    fn of_more_requests_than_are_told_apart_everything_counts() {
        let mut loaded = Loaded::default();
        for number in 0..=MAX_REQUESTS {
            loaded.sent(
                &RequestId::new(number.to_string()),
                Some(&ResourceType::Fetch),
            );
        }
        assert_eq!(loaded.requests.len(), MAX_REQUESTS);
        loaded.received(&RequestId::new("0"), 7);
        assert_eq!(loaded.bytes, 0);
        loaded.received(&RequestId::new(MAX_REQUESTS.to_string()), 7);
        loaded.received(&RequestId::new("another"), 1);
        assert_eq!((loaded.bytes, loaded.requests.len()), (8, MAX_REQUESTS));
    }
}
