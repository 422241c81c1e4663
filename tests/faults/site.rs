//! A site whose pages do what pages should not.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use futures::StreamExt;
use tokio::net::TcpListener;

/// Bytes of one piece of an answer that never ends, and the time between two: it is to be endless, not to take the
/// processors from all other pages.
const PIECE_BYTES: usize = 256 << 10;
const PIECE_EVERY: Duration = Duration::from_millis(10);

/// Pages by their path; `{PORT}` is the site's own, under whose other name a frame is one of another site.
const PAGES: [(&str, &str); 22] = [
    ("/good", "<p>As pages are."),
    ("/hangs-at-load", "<script>while (true);</script>"),
    (
        "/hangs-later",
        "<script>addEventListener('load', () => setTimeout(() => { while (true); }, 100));</script>",
    ),
    (
        "/asks",
        "<p id=it>Asked.<script>addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'Stay?'; });\
         const ask = () => { for (let i = 0; i < 300; i += 1) { alert(i); if (confirm(i)) it.remove(); if (prompt(i)) it.remove(); } print(); };\
         ask(); setInterval(ask, 5);</script>",
    ),
    (
        "/asks-by-a-frame",
        "<p>The frame is of another site.<iframe src='http://localhost:{PORT}/asking-frame'></iframe>",
    ),
    (
        "/asking-frame",
        "<script>alert(1); confirm(2); prompt(3); alert(4);</script>",
    ),
    (
        "/starts-downloads",
        "<a id=it href=/file download>A file</a><script>addEventListener('load', () => {\
         for (let i = 0; i < 5; i += 1) it.click(); location = '/file'; });</script>",
    ),
    (
        "/goes-on-downloading",
        "<a id=it href=/file download>A file</a><script>it.click(); setInterval(() => it.click(), 50);</script>",
    ),
    (
        "/opens-windows",
        "<a id=it href=/good target=_blank rel=opener>A window</a><form id=form action=/good target=_blank></form>\
         <script>const go = () => { open('/good'); it.click(); form.submit(); }; go(); setInterval(go, 100);</script>",
    ),
    (
        "/opens-windows-by-a-frame",
        "<iframe src='http://localhost:{PORT}/opening-frame'></iframe>",
    ),
    (
        "/opening-frame",
        "<script>for (let i = 0; i < 10; i += 1) open('/good'); setInterval(() => open('/good'), 100);</script>",
    ),
    (
        "/fails-later",
        "<p>It is there.<script>addEventListener('load', () => fetch('/fails-later', { method: 'POST' }).catch(() => {}));</script>",
    ),
    ("/refreshes", "<meta http-equiv=refresh content=0>"),
    (
        "/leaves-for-itself",
        "<script>setTimeout(() => { location = '/leaves-for-itself?' + Math.random(); }, 20);</script>",
    ),
    (
        "/never-quiet",
        "<p id=it>0</p><script>let n = 0; setInterval(() => { n += 1; document.title = n; it.textContent = n; \
         const added = document.createElement('i'); it.after(added); added.nextElementSibling?.remove(); }, 1);</script>",
    ),
    ("/endless-image", "<p>An image.<img src=/endless>"),
    (
        "/waits",
        "<p>All that there is to read.<script async src=/silent></script><iframe src=/silent></iframe>",
    ),
    (
        "/pushes-state",
        "<script>let n = 0; setInterval(() => { for (let i = 0; i < 50; i += 1) history.pushState({}, '', '?' + (n += 1)); }, 1);</script>",
    ),
    (
        "/deep",
        "<script>let at = document.body; for (let i = 0; i < 20000; i += 1) { const next = document.createElement('div'); \
         at.append(next); at = next; } at.textContent = 'deep';</script>",
    ),
    (
        "/ends-itself",
        "<p>Still here.<script>print(); close(); setInterval(() => { print(); close(); }, 20);</script>",
    ),
    (
        "/is-ended-by-a-frame",
        "<p>Still here.<iframe src='http://localhost:{PORT}/ending-frame'></iframe>",
    ),
    (
        "/ending-frame",
        "<script>setInterval(() => top.close(), 20);</script>",
    ),
];

/// Pages that take memory: all there is, or so much that they can be captured where they do not hang.
const GREEDY: [(&str, &str); 4] = [
    (
        "/takes-all",
        "<script>const held = []; for (;;) held.push(new Uint8Array(8 << 20).fill(1));</script>",
    ),
    (
        "/takes-all-in-a-frame",
        "<iframe src='http://localhost:{PORT}/takes-all'></iframe>",
    ),
    (
        "/takes-much",
        "<p>Much.<script>window.held = []; for (let i = 0; i < 40; i += 1) held.push(new Uint8Array(8 << 20).fill(1));</script>",
    ),
    (
        "/takes-much-and-hangs",
        "<script>const held = []; for (let i = 0; i < 40; i += 1) held.push(new Uint8Array(8 << 20).fill(1)); while (held.length);</script>",
    ),
];

/// Pages that say more than anybody reads.
const TALKATIVE: [(&str, &str); 4] = [
    (
        "/talks",
        "<p>It talks.<iframe src=/talking-frame></iframe><script>const long = 'x'.repeat(50_000_000);\
         const talk = () => { for (let i = 0; i < 20; i += 1) { console.log(long); console.error(i, long); console.context?.('mine').warn(long); }\
         console.table([long]); console.dir({ long }); console.assert(false, long); console.count(long); };\
         talk(); setTimeout(talk, 300);</script>",
    ),
    (
        "/talking-frame",
        "<script>for (let i = 0; i < 20; i += 1) console.log('x'.repeat(50_000_000));</script>",
    ),
    (
        "/talks-in-a-worker",
        "<p>Its worker talks.<script>const code = 'for (let i = 0; i < 3; i += 1) console.log(\"x\".repeat(50_000_000));';\
         new Worker(URL.createObjectURL(new Blob([code])));</script>",
    ),
    (
        "/throws-much",
        "<p id=it>It throws.<script>const long = 'x'.repeat(50_000_000); setTimeout(() => { throw new Error(long); });\
         setTimeout(() => { throw long; }); Promise.reject(new Error(long)); Promise.reject(long);\
         fetch('/good', { method: 'POST', body: long }).catch(() => {});\
         let seen = 0; const see = () => { seen += 1; if (seen === 4) it.style = 'height:300px;background:green'; };\
         addEventListener('error', see); addEventListener('unhandledrejection', see);</script>",
    ),
];

/// The site, and how often each path was asked for.
pub(super) struct UnrulySite {
    pub(super) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    asked: Mutex<Vec<String>>,
}

impl UnrulySite {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            port,
            asked: Mutex::default(),
        });
        let router = Router::new().fallback(serve).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, shared }
    }

    pub(super) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How often a path was asked for.
    pub(super) fn asked(&self, path: &str) -> usize {
        let asked = self.shared.asked.lock().unwrap();
        asked.iter().filter(|it| *it == path).count()
    }
}

async fn serve(State(shared): State<Arc<Shared>>, method: Method, uri: Uri) -> Response {
    shared.asked.lock().unwrap().push(uri.path().to_owned());
    match uri.path() {
        // Its connection ends without an answer, and without a word of the panic.
        "/fails-later" if method == Method::POST => std::panic::resume_unwind(Box::new(())),
        "/silent" => std::future::pending().await,
        "/endless-body" => endless("text/html", b"<p>more"),
        "/endless" => endless("image/png", b"\x89PNG\r\n\x1a\n"),
        "/redirects" => (StatusCode::FOUND, [(header::LOCATION, "/redirects")]).into_response(),
        "/file" => (
            [
                (header::CONTENT_TYPE, "application/octet-stream"),
                (header::CONTENT_DISPOSITION, "attachment; filename=file.bin"),
            ],
            vec![7_u8; 100_000],
        )
            .into_response(),
        "/holds-itself" => {
            let depth: u32 = uri.query().unwrap_or("0").parse().unwrap_or(0);
            page(&format!("<p>{depth}<iframe src='?{}'></iframe>", depth + 1))
        }
        path if path.starts_with("/slow") => {
            tokio::time::sleep(Duration::from_millis(700)).await;
            page("<p>Slow.")
        }
        path => {
            let known = PAGES
                .iter()
                .chain(&GREEDY)
                .chain(&TALKATIVE)
                .find(|(known, _)| *known == path);
            match known {
                Some((_, body)) => page(&body.replace("{PORT}", &shared.port.to_string())),
                None => StatusCode::NOT_FOUND.into_response(),
            }
        }
    }
}

fn page(body: &str) -> Response {
    Html(format!(
        "<!doctype html><html lang=en><title>A page</title><body>{body}</html>"
    ))
    .into_response()
}

/// Headers, a beginning, and then more and more as fast as it is read.
fn endless(media_type: &'static str, beginning: &'static [u8]) -> Response {
    let first = futures::stream::once(async move { beginning.to_vec() });
    let more = futures::stream::repeat(()).then(|()| async {
        tokio::time::sleep(PIECE_EVERY).await;
        vec![b' '; PIECE_BYTES]
    });
    let body = Body::from_stream(first.chain(more).map(Ok::<_, Infallible>));
    ([(header::CONTENT_TYPE, media_type)], body).into_response()
}
