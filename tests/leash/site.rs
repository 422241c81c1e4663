//! A site whose page tries every way at once: to the canaries, and to controls that are always allowed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::net::TcpListener;

use super::canary::Canary;
use super::ways::{LEAVES, NOT_TAKEN, UDP_WAYS, WAYS, Way};

/// Longest time that the page waits for what it tries.
const PATIENCE: Duration = Duration::from_secs(18);

/// One way as the page tries it.
pub(crate) struct Tried {
    pub(crate) way: &'static Way,
    /// What it must not reach.
    pub(crate) canary: Canary,
    /// What it may reach, where there is such a thing: that it does shows that it was tried.
    pub(crate) control: Option<Canary>,
}

/// The site and what it counts.
pub(crate) struct WaysSite {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    tried: Vec<Tried>,
    leaves: Vec<Tried>,
    waits_for: WaitsFor,
}

/// When the page has tried everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    Controls,
    Canaries,
}

impl WaysSite {
    pub(crate) async fn start(waits_for: WaitsFor) -> Self {
        let mut tried = Vec::new();
        for way in WAYS {
            tried.push(Tried {
                way,
                canary: Canary::tcp().await,
                control: Some(Canary::tcp().await),
            });
        }
        for way in NOT_TAKEN {
            tried.push(Tried {
                way,
                canary: Canary::tcp().await,
                control: None,
            });
        }
        for way in UDP_WAYS {
            tried.push(Tried {
                way,
                canary: Canary::udp().await,
                control: None,
            });
        }
        let mut leaves = Vec::new();
        for way in LEAVES {
            leaves.push(Tried {
                way,
                canary: Canary::tcp().await,
                control: None,
            });
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            port,
            tried,
            leaves,
            waits_for,
        });
        let router = Router::new()
            .route("/", axum::routing::get(page))
            .route("/leaves/{way}", axum::routing::get(leave))
            .route("/way/{way}/{side}", axum::routing::get(try_way))
            .route("/way/{way}/{side}/file", axum::routing::get(file))
            .route("/to/{status}", axum::routing::any(redirect))
            .route("/done", axum::routing::get(done))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, shared }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn tried(&self) -> &[Tried] {
        &self.shared.tried
    }

    pub(crate) fn leaves(&self) -> &[Tried] {
        &self.shared.leaves
    }

    /// The ways whose canary was reached, with how often.
    pub(crate) fn reached(&self) -> Vec<(&'static str, u32)> {
        let all = self.shared.tried.iter().chain(&self.shared.leaves);
        all.filter(|tried| tried.canary.reached() > 0)
            .map(|tried| (tried.way.name, tried.canary.reached()))
            .collect()
    }

    /// The ways by TCP whose canary was not reached.
    pub(crate) fn not_reached(&self) -> Vec<&'static str> {
        self.shared.not_reached(WaitsFor::Canaries)
    }

    /// The ways by TCP whose control was not reached, or whose name that moves was not met where it may be reached.
    pub(crate) fn not_tried(&self) -> Vec<&'static str> {
        self.shared.not_reached(WaitsFor::Controls)
    }
}

impl Shared {
    fn not_reached(&self, which: WaitsFor) -> Vec<&'static str> {
        let by_tcp = self.tried.iter().filter_map(|tried| {
            let control = tried.control.as_ref()?;
            let awaited = match which {
                WaitsFor::Controls => control,
                WaitsFor::Canaries => &tried.canary,
            };
            let moves = which == WaitsFor::Controls && tried.way.name.contains("moves");
            let tried_it =
                awaited.reached() + awaited.decoyed() > 0 && (!moves || tried.canary.decoyed() > 0);
            (!tried_it).then_some(tried.way.name)
        });
        by_tcp.collect()
    }

    fn fill(&self, template: &str, port: u16, file: &str) -> String {
        template
            .replace("{A}", &format!("127.0.0.1:{port}"))
            .replace("{P}", &port.to_string())
            .replace("{S}", &format!("127.0.0.1:{}", self.port))
            .replace("{F}", file)
    }

    fn port_of(&self, way: usize, side: &str) -> u16 {
        let tried = &self.tried[way];
        match (side, &tried.control) {
            ("control", Some(control)) => control.port,
            _ => tried.canary.port,
        }
    }
}

async fn page(State(shared): State<Arc<Shared>>) -> Html<String> {
    let frames = (0..shared.tried.len()).flat_map(|way| {
        let control = shared.waits_for == WaitsFor::Controls && shared.tried[way].control.is_some();
        let sides = if control {
            &["canary", "control"][..]
        } else {
            &["canary"]
        };
        sides
            .iter()
            .map(move |side| format!("<iframe width=9 height=9 src=/way/{way}/{side}></iframe>"))
    });
    let frames: String = frames.collect();
    Html(format!(
        "<!doctype html><html lang=en><title>ways</title><h1>Ways</h1>{frames}<img src=/done></html>"
    ))
}

async fn try_way(
    State(shared): State<Arc<Shared>>,
    Path((way, side)): Path<(usize, String)>,
) -> Html<String> {
    let port = shared.port_of(way, &side);
    let file = format!("/way/{way}/{side}/file");
    let body = shared.fill(shared.tried[way].way.page, port, &file);
    Html(format!("<!doctype html><meta charset=utf-8>{body}"))
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path((way, side)): Path<(usize, String)>,
) -> Response {
    let (media_type, content) = shared.tried[way].way.file;
    let content = shared.fill(content, shared.port_of(way, &side), "");
    ([(header::CONTENT_TYPE, media_type)], content).into_response()
}

async fn leave(State(shared): State<Arc<Shared>>, Path(way): Path<usize>) -> Response {
    let leaves = &shared.leaves[way];
    let page = shared.fill(leaves.way.page, leaves.canary.port, "");
    if page.starts_with("http") {
        (StatusCode::FOUND, [(header::LOCATION, page)]).into_response()
    } else {
        Html(format!("<!doctype html><title>leaves</title>{page}")).into_response()
    }
}

async fn redirect(Path(status): Path<u16>, RawQuery(to): RawQuery) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, [(header::LOCATION, to.unwrap_or_default())]).into_response()
}

/// Answers when all was tried, so that the page is not loaded before.
async fn done(State(shared): State<Arc<Shared>>) -> StatusCode {
    let begun = Instant::now();
    while !shared.not_reached(shared.waits_for).is_empty() && begun.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    StatusCode::NO_CONTENT
}
