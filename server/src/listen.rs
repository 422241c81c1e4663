//! Taking connections and serving the router on each: so many at once, and none that asks for nothing as long as it likes.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

/// Pause after a connection could not be taken, which is when no file handle is left.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);

/// How often the log says that no more connections are taken.
const SAID_AGAIN: Duration = Duration::from_mins(1);

/// How much clients may hold open.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once; further ones wait in the system's queue.
    pub connections: usize,
    /// Longest time that a connection may take to send the head of its first request, or to take nothing of an answer. Bodies
    /// and whole answers may take longer.
    pub patience: Duration,
    /// Longest time from an answer to the end of the next request's head. Proxies keep connections for a minute or two, and
    /// one that is closed as they use it costs them a request.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4_000,
            patience: Duration::from_mins(1),
            idle: Duration::from_secs(150),
        }
    }
}

/// File handles that all but connections may need: databases, files, browsers.
const OTHER_HANDLES: u64 = 500;

/// File handles that are asked for: what is started by this process has as many, and some programs go through all of them.
const MOST_HANDLES: u64 = 16_384;

impl Limits {
    /// What this process may hold: as many connections as file handles are left for, of which it is let have all that it may.
    #[must_use]
    pub fn of_this_process() -> Self {
        let limits = Self::default();
        let Some(handles) = most_handles() else {
            return limits;
        };
        let left = handles.saturating_sub(OTHER_HANDLES).max(handles / 4);
        let connections = usize::try_from(left).unwrap_or(usize::MAX);
        if connections < limits.connections {
            tracing::warn!(
                handles,
                connections,
                "few file handles may be open, so fewer connections are taken; raise the limit (`ulimit -n`, `LimitNOFILE=`)"
            );
        }
        Self {
            connections: connections.min(limits.connections),
            ..limits
        }
    }
}

/// How many file handles may be open, once the lower limit is raised to the upper one; none where nothing limits them.
#[cfg(unix)]
fn most_handles() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limits = getrlimit(Resource::Nofile);
    let wanted = limits.maximum.unwrap_or(MOST_HANDLES).min(MOST_HANDLES);
    if limits.current.is_none_or(|current| current >= wanted) {
        return limits.current;
    }
    limits.current = Some(wanted);
    if let Err(error) = setrlimit(Resource::Nofile, limits) {
        tracing::debug!(%error, "the limit of file handles stays as it is");
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn most_handles() -> Option<u64> {
    None
}

/// Serves `router` until `stop` is cancelled and what was under way then has been answered.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: &CancellationToken,
) {
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle);
    let router = TowerToHyperService::new(router);
    let connections = GracefulShutdown::new();
    let mut door = Door::new(listener, limits.connections);
    loop {
        let (stream, place) = tokio::select! {
            taken = door.next() => taken,
            () = stop.cancelled() => break,
        };
        // Small answers and events go out at once.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection may delay what is sent");
        }
        let asked = CancellationToken::new();
        let has_asked = asked.clone();
        let router = router.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            has_asked.cancel();
            router.call(request)
        });
        // Who takes nothing of an answer would keep a place for as long as it likes.
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.patience));
        let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), answer);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended early");
                    }
                }
                () = stays_silent(&asked, limits.patience) => {
                    tracing::debug!("a connection that asked for nothing was closed");
                }
            }
        });
    }
    drop(door);
    connections.shutdown().await;
}

/// Ends when nothing was asked in time: the first request is waited for less than those after it.
async fn stays_silent(asked: &CancellationToken, patience: Duration) {
    if tokio::time::timeout(patience, asked.cancelled())
        .await
        .is_ok()
    {
        std::future::pending::<()>().await;
    }
}

/// Where connections come in, as long as there are places for them.
struct Door {
    listener: TcpListener,
    places: Arc<Semaphore>,
    /// When the log last said that every place is taken.
    said: Option<Instant>,
}

impl Door {
    fn new(listener: TcpListener, places: usize) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(places)),
            said: None,
        }
    }

    /// The next connection, with its place. What fails ends at most that connection.
    async fn next(&mut self) -> (TcpStream, OwnedSemaphorePermit) {
        let place = self.place().await;
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return (stream, place),
                Err(error) if is_of_one_connection(error.kind()) => {}
                Err(error) => {
                    tracing::error!(%error, "no connection can be taken; trying again in a second");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    }

    async fn place(&mut self) -> OwnedSemaphorePermit {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return place;
        }
        if self.said.is_none_or(|said| said.elapsed() >= SAID_AGAIN) {
            tracing::warn!("as many connections are open as may be; further ones wait");
            self.said = Some(Instant::now());
        }
        let place = self.places.clone().acquire_owned().await;
        place.expect("nothing closes this semaphore")
    }
}

/// Whether the client went away before it was served.
fn is_of_one_connection(error: ErrorKind) -> bool {
    matches!(
        error,
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}
