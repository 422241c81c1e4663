//! Tunnels: TLS and web sockets, whose bytes go through unread.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use url::Url;

use super::{Place, Shared, counted};
use crate::dial::{self, ConnectError};
use crate::target::TargetPolicy;

/// Where a tunnel is to lead. The scheme only says that it is a tunnel.
pub(super) fn target(uri: &Uri) -> Option<Url> {
    let authority = uri.authority()?;
    authority.port()?;
    TargetPolicy::parse(&format!("https://{authority}/")).ok()
}

/// Dials the target; what follows on the browser's connection is then copied both ways until either side or the page ends.
pub(super) async fn open(
    shared: &Arc<Shared>,
    target: &Url,
    request: Request<Incoming>,
    place: Place,
) -> Result<Response<Body>, ConnectError> {
    let mut upstream = counted(shared, dial::connect(&shared.targets, target).await?);
    let ended = shared.ended.clone();
    tokio::spawn(async move {
        let copy = async {
            let browser = hyper::upgrade::on(request)
                .await
                .map_err(std::io::Error::other)?;
            tokio::io::copy_bidirectional(&mut TokioIo::new(browser), &mut upstream).await
        };
        tokio::select! {
            copied = copy => {
                if let Err(error) = copied {
                    // One of both went away in the middle of it.
                    tracing::debug!(%error, "a tunnel ended");
                }
            }
            () = ended.cancelled() => {}
        }
        drop(place);
    });
    Ok(Response::new(Body::empty()))
}
