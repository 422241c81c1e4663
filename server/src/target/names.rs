//! What names resolve to: the system says it, or the DNS server that the operator named.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;

/// Longest wait for a name to resolve.
const RESOLVE_DEADLINE: Duration = Duration::from_secs(4);

/// Who is asked for a name's addresses.
#[derive(Clone, Default)]
pub enum Names {
    /// The system, with its hosts file.
    #[default]
    System,
    /// A DNS server, past the system's settings and hosts file.
    Server(Box<TokioResolver>),
}

impl fmt::Debug for Names {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::System => "System",
            Self::Server(_) => "Server",
        })
    }
}

impl Names {
    /// Asks this DNS server, by UDP and where an answer is long by TCP.
    ///
    /// # Errors
    /// The system gives no randomness, which the queries' numbers need.
    pub fn of_server(server: SocketAddr) -> anyhow::Result<Self> {
        let connections =
            [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
                connection.port = server.port();
                connection
            });
        let server = NameServerConfig::new(server.ip(), true, connections.to_vec());
        let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
        let resolver =
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).build()?;
        Ok(Self::Server(Box::new(resolver)))
    }

    /// Every address of a name; none when it has none, or when nobody answers in time.
    pub(super) async fn addresses_of(&self, name: &str) -> Vec<IpAddr> {
        let asked = tokio::time::timeout(RESOLVE_DEADLINE, self.ask(name));
        asked.await.unwrap_or_default()
    }

    async fn ask(&self, name: &str) -> Vec<IpAddr> {
        match self {
            // The port is of no account.
            Self::System => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => found.map(|socket| socket.ip()).collect(),
                Err(_) => Vec::new(),
            },
            Self::Server(resolver) => match resolver.lookup_ip(name).await {
                Ok(found) => found.iter().collect(),
                Err(_) => Vec::new(),
            },
        }
    }
}
