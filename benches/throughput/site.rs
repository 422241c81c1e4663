//! The site that is captured: simple pages, or heavy ones.

use axum::Router;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::net::TcpListener;

/// What its pages are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A heading, a few paragraphs, one picture.
    Simple,
    /// 2,000 elements, 40 pictures, a script that changes the page once it has loaded.
    Heavy,
}

/// Serves it on a free port and returns its origin.
pub(crate) async fn start(weight: Weight) -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let router = Router::new().fallback(serve).with_state(weight);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(origin)
}

async fn serve(State(weight): State<Weight>, uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/picture-") {
        let hue = path.bytes().map(u32::from).sum::<u32>() % 360;
        let picture = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='160' height='90'><rect width='160' height='90' fill='hsl({hue} 60% 60%)'/>\
             <circle cx='80' cy='45' r='30' fill='white'/></svg>"
        );
        return ([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response();
    }
    let (paragraphs, pictures, script) = match weight {
        Weight::Simple => (8, 1, ""),
        Weight::Heavy => (
            1_000,
            40,
            "<script>addEventListener('load', () => setTimeout(() => document.body.append('Loaded.'), 100));</script>",
        ),
    };
    let pictures: String = (0..pictures)
        .map(|number| format!("<img src=/picture-{number} width=160 height=90 alt=''>"))
        .collect();
    let paragraphs: String = (0..paragraphs)
        .map(|number| {
            format!("<div><p>Paragraph {number} of {path}: as plain as most are.</p></div>")
        })
        .collect();
    Html(format!(
        "<!doctype html><html lang=en><title>{path}</title><style>body{{font:16px sans-serif;max-width:60em;margin:2em auto}}\
         header{{background:teal;color:white;padding:2em}}</style><header><h1>{path}</h1></header>{pictures}{paragraphs}{script}</html>"
    ))
    .into_response()
}
