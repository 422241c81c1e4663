//! A receiver of webhooks on loopback, which answers as each of its paths was told to, and keeps what it was sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Longest wait for a request.
const DEADLINE: Duration = Duration::from_secs(90);

/// How a path answers.
#[derive(Debug, Clone)]
pub(crate) enum Behaviour {
    /// With this status and body.
    Answers(u16, String),
    /// With 429 and, in `Retry-After`, so many seconds.
    AsksToWait(u32),
    /// Takes the request and never answers.
    Hangs,
    /// With a redirect.
    RedirectsTo(String),
    /// With 200 and a body without an end.
    Endless,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Sent {
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The signatures that the request carries.
    pub(crate) fn signatures(&self) -> Vec<String> {
        let value = self.header("webhook-signature").split(' ');
        value.map(str::to_owned).collect()
    }

    /// The signature that this secret gives, made from the text of the specification alone.
    pub(crate) fn expected(&self, secret: &str) -> String {
        let key = STANDARD
            .decode(secret.strip_prefix("whsec_").unwrap())
            .unwrap();
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(&key).unwrap();
        mac.update(self.header("webhook-id").as_bytes());
        mac.update(b".");
        mac.update(self.header("webhook-timestamp").as_bytes());
        mac.update(b".");
        mac.update(self.body.as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

struct Shared {
    behaviours: Mutex<HashMap<String, Behaviour>>,
    sent: watch::Sender<Vec<Sent>>,
}

pub(crate) struct Receiver {
    pub(crate) origin: String,
    shared: Arc<Shared>,
}

impl Receiver {
    /// One that answers every path with 200.
    pub(crate) async fn start() -> Self {
        Self::start_at("127.0.0.1:0").await
    }

    pub(crate) async fn start_at(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            behaviours: Mutex::default(),
            sent: watch::Sender::default(),
        });
        let router = Router::new().fallback(receive).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, shared }
    }

    pub(crate) fn behaves(&self, path: &str, behaviour: Behaviour) {
        let mut behaviours = self.shared.behaviours.lock().unwrap();
        behaviours.insert(path.to_owned(), behaviour);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// What a path was sent so far.
    pub(crate) fn sent(&self, path: &str) -> Vec<Sent> {
        let all = self.shared.sent.borrow();
        all.iter()
            .filter(|sent| sent.path == path)
            .cloned()
            .collect()
    }

    /// Waits until a path was sent so much, and returns it.
    pub(crate) async fn wait_for(&self, path: &str, count: usize) -> Vec<Sent> {
        let mut sent = self.shared.sent.subscribe();
        let enough =
            sent.wait_for(|all| all.iter().filter(|sent| sent.path == path).count() >= count);
        let waited = tokio::time::timeout(DEADLINE, enough).await.is_ok();
        let sent = self.sent(path);
        assert!(
            waited,
            "{path} was sent {} of {count}: {sent:#?}",
            sent.len()
        );
        sent
    }
}

async fn receive(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().to_owned();
    let behaviour = shared.behaviours.lock().unwrap().get(&path).cloned();
    let body = String::from_utf8(body.to_vec()).unwrap();
    shared.sent.send_modify(|all| {
        all.push(Sent {
            path,
            headers,
            body,
        });
    });
    match behaviour {
        None => StatusCode::OK.into_response(),
        Some(Behaviour::Answers(status, body)) => {
            (StatusCode::from_u16(status).unwrap(), body).into_response()
        }
        Some(Behaviour::AsksToWait(seconds)) => (
            StatusCode::TOO_MANY_REQUESTS,
            [(header::RETRY_AFTER, seconds.to_string())],
        )
            .into_response(),
        Some(Behaviour::Hangs) => std::future::pending().await,
        Some(Behaviour::RedirectsTo(location)) => {
            (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
        }
        Some(Behaviour::Endless) => {
            let chunk = Ok::<_, std::convert::Infallible>(vec![b'x'; 1024]);
            Body::from_stream(futures::stream::repeat(chunk)).into_response()
        }
    }
}
