//! The dashboard's files, embedded into the program. Unknown pages get the app, missing assets a 404.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::extract::PathPart;

#[derive(RustEmbed)]
#[folder = "../dashboard/dist"]
#[allow_missing = true]
struct Files;

const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>Pentimento</title><p>The dashboard was not built into this \
     program. Run <code>make dashboard</code> and build it again; the REST interface works without it (see <a href=/docs>/docs</a>).";

pub(super) async fn index() -> Response {
    let Some(file) = Files::get("index.html") else {
        return Html(NOT_BUILT).into_response();
    };
    let mut response = Html(file.data.into_owned()).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

pub(super) async fn page_or_asset(PathPart(path): PathPart) -> Result<Response> {
    if let Some(file) = Files::get(&path).filter(|_| path != "index.html") {
        let media_type =
            HeaderValue::from_str(file.metadata.mimetype()).map_err(anyhow::Error::from)?;
        let mut response = file.data.into_owned().into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, media_type);
        // Their names carry a hash of their content.
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        );
        return Ok(response);
    }
    // Files lie in no folder; the name of a project may end as theirs do.
    let is_asset = !path.contains('/')
        && [".js", ".wasm", ".css", ".svg", ".map"]
            .iter()
            .any(|end| path.ends_with(end));
    if is_asset {
        return Err(Error::not_found(
            "No such file; reload the page, the dashboard may have been updated.",
        ));
    }
    Ok(index().await)
}

/// Scripts are our own files, and the inline ones that Trunk writes, by their hash. Pictures may come from anywhere: the
/// storage may be another host.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let page = Files::get("index.html")
        .map(|file| String::from_utf8_lossy(&file.data).into_owned())
        .unwrap_or_default();
    let mut hashes = String::new();
    for script in inline_scripts(&page) {
        let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
        hashes = format!("{hashes} 'sha256-{hash}'");
    }
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self' 'unsafe-inline'; img-src * data: blob:; \
         connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
});

fn inline_scripts(page: &str) -> impl Iterator<Item = &str> {
    page.split("<script").skip(1).filter_map(|part| {
        let (attributes, rest) = part.split_once('>')?;
        if attributes.contains("src=") {
            None
        } else {
            rest.split("</script>").next()
        }
    })
}
