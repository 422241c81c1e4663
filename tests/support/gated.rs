//! A site behind a gate, and a site that writes down what it is sent.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

/// A request as it came: its path and all of its headers, a line each.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: String,
}

/// A site that lets nobody in without its key: a header of this name whose value holds this text.
pub(crate) struct Gated {
    pub(crate) origin: String,
    shared: Arc<Shared>,
}

struct Shared {
    key: Option<(&'static str, &'static str)>,
    /// Where its pages embed pictures from and redirect to.
    other: String,
    received: Mutex<Vec<Received>>,
}

impl Gated {
    /// A site without a gate that writes down what it is sent.
    pub(crate) async fn open() -> Self {
        Self::start(None, String::new()).await
    }

    /// A site behind a gate whose pages also show and ask for things of `other`.
    pub(crate) async fn behind(key: (&'static str, &'static str), other: &Self) -> Self {
        Self::start(Some(key), other.origin.clone()).await
    }

    async fn start(key: Option<(&'static str, &'static str)>, other: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            key,
            other,
            received: Mutex::default(),
        });
        let router = Router::new().fallback(serve).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, shared }
    }

    /// What it was sent so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// The paths that it was asked for.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.received().into_iter().map(|it| it.path).collect()
    }
}

async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap, uri: Uri) -> Response {
    let lines = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes())));
    shared.received.lock().unwrap().push(Received {
        path: uri.path().to_owned(),
        headers: lines.collect(),
    });
    if let Some((name, value)) = shared.key {
        let sent = headers.get(name).and_then(|sent| sent.to_str().ok());
        if !sent.is_some_and(|sent| sent.contains(value)) {
            return StatusCode::UNAUTHORIZED.into_response();
        }
    }
    let other = &shared.other;
    let to_other = |path: &str| {
        (
            StatusCode::FOUND,
            [(header::LOCATION, format!("{other}{path}"))],
        )
    };
    let html = |body: String| {
        (
            [
                (header::CONTENT_TYPE, "text/html"),
                (header::SET_COOKIE, "own=1"),
            ],
            body,
        )
    };
    match uri.path() {
        "/away.png" => to_other("/redirected.png").into_response(),
        "/leaves" => to_other("/landed").into_response(),
        "/sitemap-away.xml" => to_other("/sitemap.xml").into_response(),
        "/sitemap.xml" => (
            [(header::CONTENT_TYPE, "application/xml")],
            "<urlset><url><loc>/</loc></url><url><loc>/two</loc></url></urlset>",
        )
            .into_response(),
        "/inside.png" | "/outside.png" | "/redirected.png" | "/from-worker.png" => StatusCode::NO_CONTENT.into_response(),
        "/api" => "{}".into_response(),
        "/worker.js" => ([(header::CONTENT_TYPE, "text/javascript")], "fetch('/from-worker.png').finally(() => postMessage(1))").into_response(),
        _ if other.is_empty() => html("<!doctype html><html lang=en><title>outside</title><h1>Outside</h1></html>".to_owned()).into_response(),
        _ => html(format!(
            "<!doctype html><html lang=en><title>inside</title><h1>Inside</h1><img src=/inside.png><img src={other}/outside.png>\
             <img src=/away.png><link rel=preconnect href={other}><iframe src={other}/framed></iframe>\
             <script>fetch('/api'); fetch('{other}/fetched', {{ mode: 'no-cors' }}); new Worker('/worker.js');</script></html>"
        ))
        .into_response(),
    }
}
