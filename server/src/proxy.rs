//! The proxy that a page's browser reaches everything through: each request, tunnel and redirect is resolved once, checked,
//! and dialled at what was checked.
//!
//! Every page has a proxy of its own, on a free port of loopback, from before it is opened until it is thrown away: so a
//! refusal is known to be that page's, and no connection outlives its page. It asks for no password: whoever else on this
//! machine finds the port can reach nothing with it that he cannot reach without.

mod forward;
mod obstacles;
mod tunnel;

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::io::InspectReader;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use crate::dial::ConnectError;
use crate::target::TargetPolicy;
use obstacles::Obstacles;
pub use obstacles::Refusal;

/// Connections of one page at once. Chromium opens 32 to a proxy, and up to 255 for web sockets.
const MAX_CONNECTIONS: usize = 320;

/// Pause after a connection could not be taken, which is when no file handle is left.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// Header lines of one message at most.
const MAX_HEADERS: usize = 256;

/// The proxy of one page. When it is dropped, every connection through it ends.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    _ends: DropGuard,
}

/// One of a proxy's connections, held as long as anything goes over it.
type Place = Arc<OwnedSemaphorePermit>;

/// What the connections of a proxy share.
struct Shared {
    targets: TargetPolicy,
    obstacles: Obstacles,
    /// Bytes that came from targets.
    carried: AtomicU64,
    /// Cancelled with the proxy.
    ended: CancellationToken,
}

impl Proxy {
    /// Listens on a free port of loopback.
    ///
    /// # Errors
    /// The system has no port or file handle left.
    pub async fn start(targets: TargetPolicy) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let ended = CancellationToken::new();
        let proxy = Self {
            address: listener.local_addr()?,
            shared: Arc::new(Shared {
                targets,
                obstacles: Obstacles::default(),
                carried: AtomicU64::new(0),
                ended: ended.clone(),
            }),
            _ends: ended.drop_guard(),
        };
        tokio::spawn(serve(listener, proxy.shared.clone()));
        Ok(proxy)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it refused so far: the first few, each address once.
    pub fn refusals(&self) -> Vec<Refusal> {
        self.shared.obstacles.refusals()
    }

    /// How many bytes came through it so far, as they were sent: packed, and with all that is around them.
    pub fn carried(&self) -> u64 {
        self.shared.carried.load(Ordering::Relaxed)
    }

    /// Why a document at this address did not come, when it was the proxy that answered for it.
    pub fn obstacle(&self, url: &Url) -> Option<ConnectError> {
        self.shared.obstacles.of(url)
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let ended = shared.ended.clone();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let accept = async {
        loop {
            let Ok(place) = places.clone().acquire_owned().await else {
                return;
            };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let shared = shared.clone();
                    tokio::spawn(async move {
                        let ended = shared.ended.clone();
                        tokio::select! {
                            () = serve_connection(stream, shared, Arc::new(place)) => {}
                            () = ended.cancelled() => {}
                        }
                    });
                }
                Err(error) => {
                    tracing::debug!(%error, "a browser's connection was not accepted");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = ended.cancelled() => {}
    }
}

async fn serve_connection(stream: TcpStream, shared: Arc<Shared>, place: Place) {
    let answer = |request| {
        let (shared, place) = (shared.clone(), place.clone());
        async move { Ok::<_, Infallible>(answer(&shared, request, place).await) }
    };
    let served = http1::Builder::new()
        .preserve_header_case(true)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service_fn(answer))
        .with_upgrades()
        .await;
    if let Err(error) = served {
        // The page went away in the middle of it.
        tracing::debug!(%error, "a browser's connection ended");
    }
}

async fn answer(shared: &Arc<Shared>, request: Request<Incoming>, place: Place) -> Response<Body> {
    let (target, answered) = if request.method() == Method::CONNECT {
        let Some(target) = tunnel::target(request.uri()) else {
            return said(StatusCode::BAD_REQUEST, "CONNECT needs a host and a port.");
        };
        let answered = tunnel::open(shared, &target, request, place).await;
        (target, answered)
    } else {
        let Some(target) = forward::target(request.uri()) else {
            return said(
                StatusCode::BAD_REQUEST,
                "This is a proxy; it takes whole addresses of http.",
            );
        };
        let answered = forward::forward(shared, &target, request).await;
        (target, answered)
    };
    if answered.is_ok() {
        shared.obstacles.remove(&target);
    }
    answered.unwrap_or_else(|error| {
        let answer = match &error {
            // What the name resolves to is not the page's business.
            ConnectError::Target(_) => said(
                StatusCode::FORBIDDEN,
                "This address may not be opened from here.",
            ),
            ConnectError::TimedOut => said(StatusCode::GATEWAY_TIMEOUT, ""),
            _ => said(StatusCode::BAD_GATEWAY, ""),
        };
        shared.obstacles.add(&target, error);
        answer
    })
}

/// A connection to a target, whose bytes are counted as they come.
fn counted(
    shared: &Arc<Shared>,
    stream: TcpStream,
) -> InspectReader<TcpStream, impl FnMut(&[u8]) + Send + 'static + use<>> {
    let shared = shared.clone();
    InspectReader::new(stream, move |came: &[u8]| {
        let bytes = came.len() as u64;
        shared.carried.fetch_add(bytes, Ordering::Relaxed);
    })
}

fn said(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut answer = Response::new(Body::from(text));
    *answer.status_mut() = status;
    let media_type = header::HeaderValue::from_static("text/plain");
    answer
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    answer
}
