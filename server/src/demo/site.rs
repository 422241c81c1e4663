//! The bundled demo site, in two versions: `before`, and `after`, which overlays the pages that changed.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

#[derive(RustEmbed)]
#[folder = "../demo/site"]
struct Files;

/// The pages, with what happens to each in its label; `demo/README.md` has the details.
pub const PAGES: [(&str, &str); 12] = [
    ("/", "Home (unchanged)"),
    ("/pricing", "Pricing (text edit)"),
    ("/contact", "Contact (colour change)"),
    ("/team", "Team (element moved)"),
    ("/journal/long-read", "Long read (banner inserted)"),
    ("/gallery", "Gallery (image replaced)"),
    ("/features", "Features (content removed)"),
    ("/status", "Status (answers 500)"),
    ("/catalogue", "Catalogue (very tall, unchanged)"),
    ("/visit", "Visit (masked clock)"),
    ("/about", "About (unchanged)"),
    ("/faq", "FAQ (unchanged)"),
];

/// The page that answers 500 in the changed version.
const FAILING_PAGE: &str = "/status";

/// A running demo site on loopback.
pub struct DemoSite {
    address: SocketAddr,
    changed: Arc<AtomicBool>,
    stop: CancellationToken,
    server: JoinHandle<std::io::Result<()>>,
}

#[derive(Clone)]
struct SiteState {
    origin: String,
    changed: Arc<AtomicBool>,
}

impl DemoSite {
    /// Starts the site in its first version, on a free port.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let changed = Arc::new(AtomicBool::new(false));
        let state = SiteState {
            origin: format!("http://{address}"),
            changed: changed.clone(),
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let router = Router::new().fallback(serve).with_state(state);
        let server = tokio::spawn(async move {
            axum::serve(listener, router)
                .with_graceful_shutdown(async move { stopped.cancelled().await })
                .await
        });
        Ok(Self {
            address,
            changed,
            stop,
            server,
        })
    }

    /// Where it is.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on the changed pages are served.
    pub fn show_changed_version(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Stops serving.
    pub async fn stop(self) {
        self.stop.cancel();
        self.server.abort();
        // An aborted server has nothing to tell.
        let _ = self.server.await;
    }
}

async fn serve(State(site): State<SiteState>, uri: Uri) -> Response {
    let changed = site.changed.load(Ordering::Acquire);
    if changed && uri.path() == FAILING_PAGE {
        let body = Files::get("after/status-500.html")
            .map(|file| file.data.into_owned())
            .unwrap_or_default();
        return (
            StatusCode::INTERNAL_SERVER_ERROR,
            [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
            body,
        )
            .into_response();
    }
    match find(uri.path(), changed) {
        Some(file) => found(&file, uri.path(), &site.origin),
        None => (StatusCode::NOT_FOUND, "This page does not exist.").into_response(),
    }
}

fn find(path: &str, changed: bool) -> Option<EmbeddedFile> {
    let name = path.trim_matches('/');
    let names = if name.is_empty() {
        vec!["index.html".to_owned()]
    } else {
        vec![
            name.to_owned(),
            format!("{name}.html"),
            format!("{name}/index.html"),
        ]
    };
    let versions: &[&str] = if changed {
        &["after", "before"]
    } else {
        &["before"]
    };
    versions.iter().find_map(|version| {
        names
            .iter()
            .find_map(|name| Files::get(&format!("{version}/{name}")))
    })
}

fn found(file: &EmbeddedFile, path: &str, origin: &str) -> Response {
    let is_xml = std::path::Path::new(path)
        .extension()
        .is_some_and(|end| end == "xml");
    let body = if is_xml {
        String::from_utf8_lossy(&file.data)
            .replace("{{origin}}", origin)
            .into_bytes()
    } else {
        file.data.to_vec()
    };
    let mut response = body.into_response();
    if let Ok(media_type) = HeaderValue::from_str(file.metadata.mimetype()) {
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, media_type);
    }
    response
}
