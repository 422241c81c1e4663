//! Links in answers: signed ones to pictures, and the inspect link of a result.

use axum::extract::FromRequestParts;
use axum::http::header::HOST;
use axum::http::request::Parts;

use crate::app::App;
use crate::storage::staging::StagingKey;

/// Makes the links of one answer: they start with the configured public address, else with the host that was asked.
pub(crate) struct LinkMaker {
    app: App,
    base: String,
}

impl FromRequestParts<App> for LinkMaker {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let base = match (&app.config.public_url, asked_host(parts)) {
            (None, Some(host)) => format!("http://{host}"),
            _ => service_base(app),
        };
        Ok(Self {
            app: app.clone(),
            base,
        })
    }
}

/// What links start with that no request asks for: the configured public address, else where the service listens.
pub(crate) fn service_base(app: &App) -> String {
    match &app.config.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{}", app.config.listen),
    }
}

/// The `Host` header, when it is nothing but a host and port.
fn asked_host(parts: &Parts) -> Option<String> {
    let host = parts.headers.get(HOST)?.to_str().ok()?;
    let harmless = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | ':' | '[' | ']')
    };
    (!host.is_empty() && host.len() <= 255 && host.chars().all(harmless)).then(|| host.to_owned())
}

impl LinkMaker {
    /// A link to a PNG blob.
    pub(crate) fn picture(&self, blob: &str) -> String {
        self.signed(&format!("/blob/{blob}"), "image/png")
    }

    /// The inspect link of a result: the diff image to programs, the review page to browsers.
    pub(crate) fn inspect(&self, result_id: &str) -> String {
        self.signed(&format!("/inspect/{result_id}"), "")
    }

    /// A page of the dashboard, which asks for a session itself.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// A link to upload to, for a short while.
    pub(crate) fn upload(&self, key: &StagingKey) -> String {
        let path = format!("/upload/{key}");
        let signed = self.app.links.sign_upload(&path, self.app.clock.now_ms());
        format!("{}{signed}", self.base)
    }

    fn signed(&self, path: &str, media_type: &str) -> String {
        format!(
            "{}{}",
            self.base,
            self.app
                .links
                .sign(path, media_type, self.app.clock.now_ms())
        )
    }
}
