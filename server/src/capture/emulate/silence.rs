//! Keeping a page from making the browser tell things of any length. Each comes as one message, which is held whole, some times
//! over, before anybody sees how long it is: the library bounds none.
//!
//! What is told of scripts stays on, since it names the errors that nothing catches. The console comes with it, so the page's own,
//! and that of its frames, does nothing. Workers and frames of other sites have sessions of their own, in which nothing of the
//! kind was switched on; what workers write is in the page's log too, which nobody reads, so it is off.
//!
//! A page that means harm still has ways, for which only a bound on messages would do: errors of scripts of other origins, those
//! that a listener of errors throws, and those that are long by something else than their text; addresses that hold pictures,
//! forms that are sent, web sockets and event streams, whose contents are told; attributes in closed shadow trees, which `fits`
//! asks for; windows that frames of other sites open, until they are closed.

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::{log, network};
use chromiumoxide::error::CdpError;

const SILENCE: &str = include_str!("silence.js");

/// Bytes of what a request sends that come with it; 0 would mean all.
const MAX_SENT: i64 = 1;

/// In force for every document from now on.
pub(super) async fn install(page: &Page) -> Result<(), CdpError> {
    page.execute(log::DisableParams::default()).await?;
    let network = network::EnableParams::builder().max_post_data_size(MAX_SENT);
    page.execute(network.build()).await?;
    super::run_before_each_document(page, SILENCE).await
}
