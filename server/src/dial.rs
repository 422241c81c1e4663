//! Reaching addresses that people named: a name is resolved once, checked, and the checked addresses alone are dialled.
//!
//! Asking the name again when connecting would let its owner answer with another address than the one that was checked.
//! No redirect is followed and no proxy is used: whoever follows one asks here for its target anew.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::{Client, ClientBuilder};
use tokio::net::TcpStream;
use url::{Host, Url};

use crate::target::{Patience, TargetError, TargetPolicy};

/// Longest wait for one address to take a connection, and most addresses of a name that are tried.
const CONNECT_DEADLINE: Duration = Duration::from_secs(5);
const MAX_ADDRESSES: usize = 4;

/// Makes clients that reach nothing but what was checked.
pub struct Dialer {
    targets: TargetPolicy,
    /// For addresses without a name, which nothing resolves.
    plain: Client,
}

/// What every client of ours begins with.
pub(crate) fn builder() -> ClientBuilder {
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("pentimento/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
}

/// Why an address cannot be dialled.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// It is refused, or does not resolve.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The system's certificates cannot be read.
    #[error("no client could be made: {0}")]
    Client(#[from] reqwest::Error),
    /// The service is ending.
    #[error("the service is ending")]
    Ending(#[from] tokio::task::JoinError),
}

impl Dialer {
    /// A dialer under the operator's policy; `plain` is a client of [`builder`].
    pub(crate) fn new(targets: TargetPolicy, plain: Client) -> Self {
        Self { targets, plain }
    }

    /// A client for requests to this address's host and port, and to nothing else.
    ///
    /// # Errors
    /// See [`DialError`].
    pub async fn client_for(&self, url: &Url) -> Result<Client, DialError> {
        let asking = self.targets.resolve(url, Patience::UntilDeadline);
        let addresses = asking.await?;
        let Some(Host::Domain(name)) = url.host() else {
            return Ok(self.plain.clone());
        };
        let name = name.to_owned();
        // It reads the system's certificates.
        let client =
            tokio::task::spawn_blocking(move || pinned(&name, &addresses).build()).await??;
        Ok(client)
    }
}

/// Why nothing answers at an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// It is refused, or does not resolve.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The machine refuses the connection.
    #[error("nothing listens at its address")]
    NothingListens,
    /// No answer came in time.
    #[error("its server does not answer")]
    TimedOut,
    /// It took the connection and then ended it.
    #[error("the server closed the connection without an answer")]
    Closed,
    /// Something else; the text is the system's.
    #[error("it cannot be reached: {0}")]
    Other(String),
}

impl From<std::io::Error> for ConnectError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::ConnectionRefused => Self::NothingListens,
            std::io::ErrorKind::TimedOut => Self::TimedOut,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// A connection to this address's host and port: to one of the addresses that were checked, whatever the name resolves to
/// later.
///
/// # Errors
/// The address is refused, or none of its addresses takes the connection; then the last one's reason.
pub(crate) async fn connect(targets: &TargetPolicy, url: &Url) -> Result<TcpStream, ConnectError> {
    // A page may want many hosts, one after the other.
    let addresses = targets.resolve(url, Patience::Once).await?;
    let port = url.port_or_known_default().unwrap_or(80);
    let mut failed = ConnectError::TimedOut;
    for address in addresses.into_iter().take(MAX_ADDRESSES) {
        let connect = TcpStream::connect((address, port));
        failed = match tokio::time::timeout(CONNECT_DEADLINE, connect).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => error.into(),
            Err(_) => ConnectError::TimedOut,
        };
    }
    Err(failed)
}

/// A client for which the name has these addresses, whatever it resolves to later.
fn pinned(name: &str, addresses: &[IpAddr]) -> ClientBuilder {
    // The port is taken from the address of a request.
    let sockets: Vec<SocketAddr> = addresses.iter().map(|ip| SocketAddr::new(*ip, 0)).collect();
    builder().resolve_to_addrs(name, &sockets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialer(allow_loopback: bool) -> Dialer {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let targets = TargetPolicy::new(vec![], allow_loopback);
        Dialer::new(targets, builder().build().unwrap())
    }

    #[tokio::test]
    async fn a_name_is_dialled_at_the_addresses_that_were_checked() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let router = axum::Router::new().fallback(async || "reached");
        tokio::spawn(async move { axum::serve(listener, router).await });
        // The name has no address of its own, so nothing but the pinned one can be reached.
        let client = pinned("pinned.invalid", &["127.0.0.1".parse().unwrap()])
            .build()
            .unwrap();
        let answer = client.get(format!("http://pinned.invalid:{port}/")).send();
        assert_eq!(answer.await.unwrap().text().await.unwrap(), "reached");
    }

    #[tokio::test]
    async fn what_may_not_be_reached_gets_no_client() {
        let url = |text: &str| Url::parse(text).unwrap();
        for private in [
            "http://localhost:1/",
            "http://127.0.0.1:1/",
            "http://[::1]:1/",
        ] {
            let refused = dialer(false).client_for(&url(private)).await;
            assert!(
                matches!(refused, Err(DialError::Target(TargetError::Private { .. }))),
                "{private}"
            );
            assert!(dialer(true).client_for(&url(private)).await.is_ok());
        }
    }
}
