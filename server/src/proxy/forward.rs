//! Requests of plain HTTP: passed on over a connection of their own, both bodies as they come.
//!
//! A connection is not used twice: a server may close one that it keeps at the moment when the next request is on its way,
//! and only the browser would know whether that request may be sent again.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri, Version, header};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use url::{Position, Url};

use super::{MAX_HEADERS, Shared, counted};
use crate::dial::{self, ConnectError};
use crate::target::TargetPolicy;

/// Headers that are about one connection, beside those that `Connection` names (RFC 9110, section 7.6.1).
const HOP_BY_HOP: [HeaderName; 7] = [
    header::CONNECTION,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Hop-by-hop headers that no standard names any more.
const OLD_HOP_BY_HOP: [&str; 2] = ["keep-alive", "proxy-connection"];

/// The address that a request for a proxy holds; none when it is written for a server, or not of plain HTTP.
pub(super) fn target(uri: &Uri) -> Option<Url> {
    uri.authority()?;
    let url = TargetPolicy::parse(&uri.to_string()).ok()?;
    (url.scheme() == "http").then_some(url)
}

/// Sends the request where it wants to go, and answers what comes back.
pub(super) async fn forward(
    shared: &Arc<Shared>,
    target: &Url,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, ConnectError> {
    let stream = dial::connect(&shared.targets, target).await?;
    let (mut sender, connection) = http1::Builder::new()
        .preserve_header_case(true)
        .max_headers(MAX_HEADERS)
        .ignore_invalid_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .handshake(TokioIo::new(counted(shared, stream)))
        .await
        .map_err(|error| ConnectError::Other(error.to_string()))?;
    let ended = shared.ended.clone();
    tokio::spawn(async move {
        tokio::select! {
            served = connection => {
                if let Err(error) = served {
                    // The answer's reader is told as well.
                    tracing::debug!(%error, "a server's connection ended");
                }
            }
            () = ended.cancelled() => {}
        }
    });
    readdress(&mut request, target)?;
    let answered = sender.send_request(request).await.map_err(|error| {
        if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
            ConnectError::Closed
        } else {
            ConnectError::Other(error.to_string())
        }
    });
    let mut response = answered?;
    remove_hop_by_hop(response.headers_mut());
    *response.version_mut() = Version::HTTP_11;
    Ok(response.map(Body::new))
}

/// Makes of a request for a proxy one for the server itself.
fn readdress(request: &mut Request<Incoming>, target: &Url) -> Result<(), ConnectError> {
    let unsendable = |error: &dyn std::fmt::Display| ConnectError::Other(error.to_string());
    let path = &target[Position::BeforePath..Position::AfterQuery];
    *request.uri_mut() = path.parse::<Uri>().map_err(|error| unsendable(&error))?;
    *request.version_mut() = Version::HTTP_11;
    remove_hop_by_hop(request.headers_mut());
    let host = &target[Position::BeforeHost..Position::AfterPort];
    let host = HeaderValue::from_str(host).map_err(|error| unsendable(&error))?;
    request.headers_mut().insert(header::HOST, host);
    Ok(())
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in HOP_BY_HOP.iter().chain(&named) {
        headers.remove(name);
    }
    for name in OLD_HOP_BY_HOP {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_addresses_of_http_without_user_info_are_taken() {
        let of = |text: &str| target(&text.parse().unwrap()).map(|url| url.to_string());
        assert_eq!(
            of("http://example.com/a?b#c").as_deref(),
            Some("http://example.com/a?b")
        );
        assert_eq!(
            of("http://0177.1:8080/").as_deref(),
            Some("http://127.0.0.1:8080/")
        );
        for text in [
            "/a",
            "*",
            "https://example.com/",
            "ftp://example.com/",
            "http://a:b@example.com/",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn headers_of_one_connection_stay_on_it() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "keep-alive, X-Mine"),
            ("connection", "x-too"),
            ("keep-alive", "timeout=5"),
            ("proxy-connection", "keep-alive"),
            ("x-mine", "1"),
            ("x-too", "1"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "h2c"),
            ("accept", "*/*"),
        ] {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        remove_hop_by_hop(&mut headers);
        let left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        assert_eq!(left, ["accept"]);
    }
}
