//! A site whose pages never look the same twice to whoever does not wait: nothing of it changes, but all of it comes late,
//! moves, or is different by chance.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::net::TcpListener;
use walkdir::WalkDir;

/// What the project masks.
pub(crate) const BANNER: &str = ".banner";

/// A page that flakes.
pub(crate) struct Page {
    pub(crate) path: &'static str,
    body: &'static str,
}

/// Every page, each with another cause.
pub(crate) const PAGES: [Page; 10] = [
    Page {
        path: "/fonts",
        body: "<style>main { font-family: Late, monospace }</style>{TEXT}<script>addEventListener('load', () => setTimeout(() => {\
            const font = new FontFace('Late', 'url(/late/font.ttf)', { display: 'swap' }); document.fonts.add(font); font.load(); }, Math.random() * 200))</script>",
    },
    Page {
        path: "/images",
        body: "{TEXT}{TEXT}<img loading=lazy src=/late/1.svg><img loading=lazy src=/late/2.svg>{TEXT}<img loading=lazy src=/late/3.svg>{TEXT}{TEXT}{TEXT}<img loading=lazy src=/late/4.svg>",
    },
    Page {
        path: "/reveal",
        body: "<style>section { opacity: 0; transform: translateY(60px); transition: all 700ms } section.seen { opacity: 1; transform: none } section { min-height: 500px; background: #e8eef8; margin: 20px }</style>\
            <section>{TEXT}</section><section>{TEXT}</section><section>{TEXT}</section><section>{TEXT}</section><section>{TEXT}</section>\
            <script>const seen = new IntersectionObserver((all) => { for (const one of all) if (one.isIntersecting) one.target.classList.add('seen'); }); document.querySelectorAll('section').forEach((one) => seen.observe(one));</script>",
    },
    Page {
        path: "/carousel",
        body: "<style>.strip { display: flex; width: 300%; height: 200px } .strip div { width: 33.4%; } .css { animation: slide 2.4s infinite } @keyframes slide { 0%, 30% { transform: none } 35%, 65% { transform: translateX(-33.3%) } 70%, 100% { transform: translateX(-66.6%) } }\
            .js { transition: transform 800ms } .window { overflow: hidden }</style>\
            <div class=window><div class='strip css'><div style='background:#a33'>1</div><div style='background:#3a3'>2</div><div style='background:#33a'>3</div></div></div>\
            <div class=window><div class='strip js'><div style='background:#aa3'>1</div><div style='background:#3aa'>2</div><div style='background:#a3a'>3</div></div></div>{TEXT}\
            <script>let at = 0; setInterval(() => { at = (at + 1) % 3; document.querySelector('.js').style.transform = `translateX(${at * -33.3}%)`; }, 6000)</script>",
    },
    Page {
        path: "/pictures",
        body: "<img src=/moving.png width=120 height=120><div style='width:120px;height:120px;background:url(/moving.png)'></div>\
            <style>.spinner { width: 40px; height: 40px; border: 6px solid #ccc; border-top-color: #c00; border-radius: 50%; animation: turn 900ms linear infinite } @keyframes turn { to { transform: rotate(1turn) } }</style><div class=spinner></div>{TEXT}",
    },
    Page {
        path: "/sticky",
        body: "<style>header { position: fixed; top: 0; left: 0; right: 0; height: 90px; background: #246; color: #fff; transition: height 300ms } header.small { height: 50px } nav { position: sticky; top: 100px; background: #fd8; height: 60px } main { padding-top: 100px }</style>\
            <header>A header that shrinks</header><nav>Sticky</nav>{TEXT}{TEXT}{TEXT}{TEXT}{TEXT}{TEXT}\
            <script>addEventListener('scroll', () => document.querySelector('header').classList.toggle('small', scrollY > 40))</script>",
    },
    Page {
        path: "/caret",
        body: "<input value='Here blinks a caret' style='font-size:30px' autofocus><p><textarea rows=3 style='font-size:30px'>mispeled wrods</textarea>{TEXT}<script>document.querySelector('input').focus()</script>",
    },
    Page {
        path: "/banner",
        body: "<div class=banner style='height:120px'></div>{TEXT}<script>const banner = document.querySelector('.banner'); banner.style.background = `hsl(${Math.random() * 360} 80% 60%)`; banner.textContent = `Only today: ${Math.floor(Math.random() * 90)} % off at ${new Date().toISOString()}`;</script>",
    },
    Page {
        path: "/skeleton",
        body: "<style>.bone { height: 160px; background: linear-gradient(90deg, #eee, #ccc, #eee); background-size: 200%; animation: shine 1.1s infinite } @keyframes shine { to { background-position: -200% } }</style>\
            <div id=data aria-busy=true class=bone></div><p>Customers: <b id=count>0</b></p>{TEXT}<script>fetch('/late/data').then((answer) => answer.text()).then((text) => { data.className = ''; data.textContent = text; data.setAttribute('aria-busy', 'false'); });\
            const begun = performance.now(); (function up() { const part = Math.min(1, (performance.now() - begun) / 1200); count.textContent = Math.round(part * 4321); if (part < 1) requestAnimationFrame(up); })();</script>",
    },
    Page {
        path: "/widget",
        body: "{TEXT}{TEXT}<script>setTimeout(() => fetch('/late/widget').then((answer) => answer.text()).then((text) => { const bubble = document.createElement('div'); bubble.textContent = text;\
            bubble.style.cssText = 'position:fixed;right:20px;bottom:20px;width:220px;height:80px;background:#092;color:#fff;animation:come 900ms'; document.body.append(bubble); }), Math.random() * 400)</script><style>@keyframes come { from { transform: translateY(200px) } }</style>",
    },
];

const TEXT: &str = "<p>A pentimento is the trace of an earlier painting that shows through the paint above it, because the painter changed his mind and the paint has grown thin. It tells what was there before, and that somebody decided otherwise.</p><p>Whoever looks at two states of a page wants to know the same: what was there, what is there, and whether anybody meant it.</p>";

/// The running site.
pub(crate) struct Site {
    address: SocketAddr,
}

impl Site {
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn address(&self, page: usize) -> String {
        format!("{}{}", self.origin(), PAGES[page].path)
    }
}

/// What the site serves beside its pages.
struct Files {
    font: Vec<u8>,
    moving_picture: Vec<u8>,
}

/// Starts the site on a free port.
pub(crate) async fn start() -> anyhow::Result<Site> {
    let files = Arc::new(Files {
        font: std::fs::read(serif()?)?,
        moving_picture: moving_picture()?,
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let router = Router::new().fallback(serve).with_state(files);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(Site { address })
}

async fn serve(State(files): State<Arc<Files>>, uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/late/") {
        tokio::time::sleep(Duration::from_millis(by_chance(900))).await;
    }
    let of_type = |media_type: &'static str, content: Vec<u8>| {
        ([(header::CONTENT_TYPE, media_type)], content).into_response()
    };
    match path {
        "/late/font.ttf" => of_type("font/ttf", files.font.clone()),
        "/moving.png" => of_type("image/png", files.moving_picture.clone()),
        "/late/data" => of_type("text/plain", b"Forty-two entries, loaded late.".to_vec()),
        "/late/widget" => of_type("text/plain", b"Can we help?".to_vec()),
        "/late/1.svg" | "/late/2.svg" | "/late/3.svg" | "/late/4.svg" => of_type(
            "image/svg+xml",
            b"<svg xmlns='http://www.w3.org/2000/svg' width='640' height='260'><rect width='640' height='260' fill='#7a9'/><circle cx='320' cy='130' r='90' fill='#fff'/></svg>".to_vec(),
        ),
        path => match PAGES.iter().find(|page| page.path == path) {
            Some(page) => Html(format!(
                "<!doctype html><html lang=en><meta charset=utf-8><title>{path}</title><style>body {{ margin: 0; font: 18px/1.6 serif }} main {{ max-width: 800px; margin: auto }} img {{ display: block; max-width: 100% }}</style><main>{}</main></html>",
                page.body.replace("{TEXT}", TEXT)
            ))
            .into_response(),
            None => axum::http::StatusCode::NOT_FOUND.into_response(),
        },
    }
}

/// A number below `bound`, another each time.
fn by_chance(bound: u64) -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes) % bound
}

/// A serif of those that `scripts/setup` installs.
fn serif() -> anyhow::Result<PathBuf> {
    let is_serif = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.contains("Serif") && name.ends_with("-Bold.ttf"))
    };
    WalkDir::new("/usr/share/fonts")
        .into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .find(|path| is_serif(path))
        .context(
            "no bold serif under /usr/share/fonts; run `make demo` once, which installs the fonts",
        )
}

/// A picture of four colours in turn, for ever.
fn moving_picture() -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 40, 40);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(4, 0)?;
    encoder.set_frame_delay(1, 8)?;
    let mut writer = encoder.write_header()?;
    for colour in [[200, 0, 0], [0, 200, 0], [0, 0, 200], [200, 200, 0]] {
        writer.write_image_data(&colour.repeat(40 * 40))?;
    }
    writer.finish()?;
    Ok(file)
}
