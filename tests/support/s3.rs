//! A real S3 server in this process, on a free port and a folder of its own. It checks every signature.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};
use tokio::task::JoinHandle;

pub(crate) const BUCKET: &str = "captures";
pub(crate) const ACCESS_KEY: &str = "AKTESTTESTTEST";
pub(crate) const SECRET_KEY: &str = "a-secret-that-nobody-may-read";

/// What the service's objects begin with.
const PREFIX: &str = "visual/main/";

/// Calls that remove an object.
#[derive(Default)]
struct Removals {
    are_refused: AtomicBool,
    refused: AtomicUsize,
}

/// Whether a call is about one object: a list names its folder in the query.
fn names_an_object(request: &Request<Incoming>) -> bool {
    let path = request.uri().path();
    path.contains("/staging/") || path.contains("/blobs/")
}

/// A running server with one empty bucket; gone when dropped.
pub(crate) struct S3Server {
    pub(crate) endpoint: String,
    folder: TempDir,
    reading: Arc<RwLock<()>>,
    blobs: Arc<RwLock<()>>,
    removals: Arc<Removals>,
    is_away: Arc<AtomicBool>,
    serving: JoinHandle<()>,
}

impl S3Server {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let files = s3s_fs::FileSystem::new(folder.path()).expect("the folder is there");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = service.build();
        let reading = Arc::new(RwLock::new(()));
        let gate = reading.clone();
        let blobs = Arc::new(RwLock::new(()));
        let blob_gate = blobs.clone();
        let removals = Arc::new(Removals::default());
        let counted = removals.clone();
        let is_away = Arc::new(AtomicBool::new(false));
        let away = is_away.clone();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (service, gate) = (service.clone(), gate.clone());
                let blob_gate = blob_gate.clone();
                let (removals, away) = (counted.clone(), away.clone());
                tokio::spawn(async move {
                    let http = Builder::new(TokioExecutor::new());
                    let answer = service_fn(move |request: Request<Incoming>| {
                        let (service, gate) = (service.clone(), gate.clone());
                        let blob_gate = blob_gate.clone();
                        let (removals, away) = (removals.clone(), away.clone());
                        async move {
                            if away.load(Ordering::Relaxed) && names_an_object(&request) {
                                let nobody = "default backend - 404".to_owned();
                                let mut answer = Response::new(s3s::Body::from(nobody));
                                *answer.status_mut() = StatusCode::NOT_FOUND;
                                return Ok(answer);
                            }
                            if request.method() == Method::DELETE
                                && removals.are_refused.load(Ordering::Relaxed)
                            {
                                removals.refused.fetch_add(1, Ordering::Relaxed);
                                let mut busy = Response::new(s3s::Body::empty());
                                *busy.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                                return Ok(busy);
                            }
                            if request.method() == Method::GET
                                && request.uri().path().contains("/staging/")
                            {
                                drop(gate.read().await);
                            }
                            if request.method() == Method::GET
                                && request.uri().path().contains("/blobs/")
                            {
                                drop(blob_gate.read().await);
                            }
                            service.call(request.map(s3s::Body::from)).await
                        }
                    });
                    // A client that goes away is no failure of the server.
                    let _ = http.serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        });
        Self {
            endpoint,
            folder,
            reading,
            blobs,
            removals,
            is_away,
            serving,
        }
    }

    /// Until this is dropped, nobody is given what lies in staging.
    pub(crate) async fn hold_staging(&self) -> OwnedRwLockWriteGuard<()> {
        self.reading.clone().write_owned().await
    }

    /// Until this is dropped, nobody is given a blob.
    pub(crate) async fn hold_blobs(&self) -> OwnedRwLockWriteGuard<()> {
        self.blobs.clone().write_owned().await
    }

    /// From now on answers to whoever removes something that it is busy.
    pub(crate) fn refuse_removals(&self) {
        self.removals.are_refused.store(true, Ordering::Relaxed);
    }

    /// How often it has answered that.
    pub(crate) fn refused_removals(&self) -> usize {
        self.removals.refused.load(Ordering::Relaxed)
    }

    /// Removes again what it is asked to.
    pub(crate) fn take_removals(&self) {
        self.removals.are_refused.store(false, Ordering::Relaxed);
    }

    /// Takes the server away, or gives it back: meanwhile a proxy before it answers in its place that no object is there.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::Relaxed);
    }

    /// The folder that the server keeps the bucket in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().join(BUCKET)
    }

    /// The settings of a service that uses the bucket, without credentials.
    pub(crate) fn place(&self) -> Vec<String> {
        [
            ["--s3-bucket", BUCKET],
            ["--s3-endpoint", &self.endpoint],
            ["--s3-prefix", PREFIX],
        ]
        .as_flattened()
        .iter()
        .chain(&["--s3-path-style"])
        .map(|&word| word.to_owned())
        .collect()
    }

    /// The settings of a service that uses the bucket.
    pub(crate) fn settings(&self) -> Vec<String> {
        let credentials = [
            "--s3-access-key-id",
            ACCESS_KEY,
            "--s3-secret-access-key",
            SECRET_KEY,
        ];
        let mut settings = self.place();
        settings.extend(credentials.map(str::to_owned));
        settings
    }

    /// The file or folder that the server keeps an object of the service, or several, in.
    pub(crate) fn file(&self, object: &str) -> PathBuf {
        self.folder().join(PREFIX).join(object)
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
