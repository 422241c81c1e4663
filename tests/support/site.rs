//! A site to capture, on loopback, whose pages the tests change as they go.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Longest wait for another request.
const DEADLINE: Duration = Duration::from_secs(20);

/// What a site serves and what it was asked for.
struct Shared {
    pages: Mutex<HashMap<String, Served>>,
    requests: watch::Sender<Vec<Asked>>,
}

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
}

/// What a path answers.
#[derive(Debug, Clone)]
enum Served {
    Content {
        status: u16,
        media_type: String,
        body: Vec<u8>,
    },
    /// A page under a content policy.
    Policed {
        policy: String,
        body: String,
    },
    /// Headers and a first piece, and never an end.
    Hangs,
    /// A page that comes only after so long.
    Slow(Duration, String),
    Redirect(String),
    /// Content that is held back until another path was asked for.
    After {
        other: String,
        media_type: String,
        body: Vec<u8>,
    },
    /// The request's own headers, one a line, as a page.
    EchoesHeaders,
    /// Another answer at every request, and the last one from then on.
    InTurn(Arc<Mutex<VecDeque<(u16, String)>>>),
}

pub(crate) struct Site {
    pub(crate) origin: String,
    shared: Arc<Shared>,
}

impl Site {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            pages: Mutex::default(),
            requests: watch::Sender::default(),
        });
        let router = Router::new().fallback(serve).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, shared }
    }

    /// A page with a heading, 300 px of colour, and this body.
    pub(crate) fn page(&self, path: &str, colour: &str, body: &str) {
        let html = format!(
            "<!doctype html><html lang=en><title>{path}</title><style>body{{margin:0;font:16px sans-serif}}\
             .block{{height:300px;background:{colour}}}</style><h1>{path}</h1><div class=block></div>{body}</html>"
        );
        self.content(path, 200, "text/html; charset=utf-8", html.into_bytes());
    }

    /// A header of 120 px, a banner of so many, and 30 paragraphs of 50 px each, one of which may read otherwise.
    pub(crate) fn long_page(&self, path: &str, banner_px: u32, tenth: &str) {
        let paragraphs: String = (1..=30)
            .map(|number| {
                let text = if number == 10 { tenth } else { "as before" };
                format!("<p>Paragraph {number}, {text}</p>")
            })
            .collect();
        let html = format!(
            "<!doctype html><html lang=en><title>{path}</title><style>body{{margin:0;font:16px sans-serif}}\
             header{{height:120px;background:teal}}aside{{height:{banner_px}px;background:gold}}\
             p{{height:50px;margin:0}}</style><header></header><aside></aside>{paragraphs}</html>"
        );
        self.content(path, 200, "text/html; charset=utf-8", html.into_bytes());
    }

    pub(crate) fn content(&self, path: &str, status: u16, media_type: &str, body: Vec<u8>) {
        self.put(
            path,
            Served::Content {
                status,
                media_type: media_type.to_owned(),
                body,
            },
        );
    }

    pub(crate) fn policed(&self, path: &str, policy: &str, body: &str) {
        self.put(
            path,
            Served::Policed {
                policy: policy.to_owned(),
                body: body.to_owned(),
            },
        );
    }

    pub(crate) fn hangs(&self, path: &str) {
        self.put(path, Served::Hangs);
    }

    /// A page that answers only after so long.
    pub(crate) fn slow(&self, path: &str, after: Duration, html: &str) {
        self.put(path, Served::Slow(after, html.to_owned()));
    }

    pub(crate) fn redirects(&self, path: &str, to: &str) {
        self.put(path, Served::Redirect(to.to_owned()));
    }

    /// Content that comes only after `other` was asked for.
    pub(crate) fn after(&self, path: &str, other: &str, media_type: &str, body: Vec<u8>) {
        self.put(
            path,
            Served::After {
                other: other.to_owned(),
                media_type: media_type.to_owned(),
                body,
            },
        );
    }

    /// A page that answers every request otherwise, with these statuses and bodies; the last of them stays.
    pub(crate) fn in_turn(&self, path: &str, answers: impl IntoIterator<Item = (u16, String)>) {
        let answers = answers.into_iter().collect();
        self.put(path, Served::InTurn(Arc::new(Mutex::new(answers))));
    }

    /// How often a path was asked for.
    pub(crate) fn count(&self, path: &str) -> usize {
        let asked = self.shared.requests.borrow();
        asked.iter().filter(|asked| asked.path == path).count()
    }

    /// Waits until somebody asks for a path.
    pub(crate) async fn asked_for(&self, path: &str) {
        let mut requests = self.shared.requests.subscribe();
        let came = requests.wait_for(|all| all.iter().any(|asked| asked.path == path));
        let came = tokio::time::timeout(DEADLINE, came).await;
        assert!(came.is_ok(), "nobody asked for {path}");
    }

    /// Every request so far, in the order in which they came.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.requests.borrow().clone()
    }

    pub(crate) fn echoes_headers(&self, path: &str) {
        self.put(path, Served::EchoesHeaders);
    }

    fn put(&self, path: &str, served: Served) {
        self.shared
            .pages
            .lock()
            .unwrap()
            .insert(path.to_owned(), served);
    }
}

async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap, uri: Uri) -> Response {
    shared.requests.send_modify(|requests| {
        requests.push(Asked {
            path: uri.path().to_owned(),
            query: uri.query().unwrap_or_default().to_owned(),
            headers: headers.clone(),
        });
    });
    let served = shared.pages.lock().unwrap().get(uri.path()).cloned();
    match served {
        None => (StatusCode::NOT_FOUND, "no such page").into_response(),
        Some(Served::Content {
            status,
            media_type,
            body,
        }) => (
            StatusCode::from_u16(status).unwrap(),
            [(header::CONTENT_TYPE, media_type)],
            body,
        )
            .into_response(),
        Some(Served::Policed { policy, body }) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html".to_owned()),
                (header::CONTENT_SECURITY_POLICY, policy),
            ];
            (headers, body).into_response()
        }
        Some(Served::Redirect(to)) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        Some(Served::After {
            other,
            media_type,
            body,
        }) => {
            let mut requests = shared.requests.subscribe();
            let came = requests.wait_for(|all| all.iter().any(|asked| asked.path == other));
            match tokio::time::timeout(DEADLINE, came).await {
                Ok(Ok(_)) => ([(header::CONTENT_TYPE, media_type)], body).into_response(),
                _ => (StatusCode::INTERNAL_SERVER_ERROR, "nobody asked").into_response(),
            }
        }
        Some(Served::Hangs) => {
            let first = futures::stream::once(async {
                Ok::<_, std::convert::Infallible>("<!doctype html><title>waits</title>")
            });
            let body =
                Body::from_stream(futures::StreamExt::chain(first, futures::stream::pending()));
            ([(header::CONTENT_TYPE, "text/html")], body).into_response()
        }
        Some(Served::Slow(after, html)) => {
            tokio::time::sleep(after).await;
            ([(header::CONTENT_TYPE, "text/html")], html).into_response()
        }
        Some(Served::InTurn(answers)) => {
            let mut answers = answers.lock().unwrap();
            let answer = match answers.len() {
                1 => answers.front().cloned(),
                _ => answers.pop_front(),
            };
            let (status, body) = answer.expect("a page in turn has an answer");
            let status = StatusCode::from_u16(status).unwrap();
            (status, [(header::CONTENT_TYPE, "text/html")], body).into_response()
        }
        Some(Served::EchoesHeaders) => {
            let lines: String = headers
                .iter()
                .map(|(name, value)| format!("<p>{name}: {}</p>", value.to_str().unwrap_or("?")))
                .collect();
            (
                [(header::CONTENT_TYPE, "text/html")],
                format!("<!doctype html><title>headers</title>{lines}"),
            )
                .into_response()
        }
    }
}
