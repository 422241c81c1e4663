//! What names resolve to: the system says it, or the DNS server that the operator named.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;

/// Longest wait for a name to resolve.
const RESOLVE_DEADLINE: Duration = Duration::from_secs(4);

/// Pause before it is asked for again where nobody could answer.
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(300);

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

    /// Every address of a name, none when it has none. What nobody can answer is asked again until the deadline.
    pub(super) async fn addresses_of(&self, name: &str) -> Result<Vec<IpAddr>, Unanswered> {
        let asking = async {
            loop {
                if let Ok(found) = self.ask(name).await {
                    return found;
                }
                tokio::time::sleep(ASKED_AGAIN_AFTER).await;
            }
        };
        let asked = tokio::time::timeout(RESOLVE_DEADLINE, asking);
        asked.await.map_err(|_| Unanswered)
    }

    async fn ask(&self, name: &str) -> Result<Vec<IpAddr>, Unanswered> {
        match self {
            // The port is of no account.
            Self::System => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => Ok(found.map(|socket| socket.ip()).collect()),
                Err(error) if passes(&error.to_string()) => Err(Unanswered),
                Err(_) => Ok(Vec::new()),
            },
            Self::Server(resolver) => match resolver.lookup_ip(name).await {
                Ok(found) => Ok(found.iter().collect()),
                // There is no such name, or there can be none.
                Err(error) if error.is_no_records_found() => Ok(Vec::new()),
                Err(NetError::Proto(_)) => Ok(Vec::new()),
                Err(_) => Err(Unanswered),
            },
        }
    }
}

/// Nobody could say what addresses a name has: name servers are away, or cannot say it now.
#[derive(Debug)]
pub(super) struct Unanswered;

/// Whether the system says that it could not find out, and not that there is nothing. It says so in words alone (`EAI_AGAIN`):
/// glibc and the BSDs, then musl.
fn passes(error: &str) -> bool {
    ["Temporary failure in name resolution", "Try again"]
        .iter()
        .any(|said| error.contains(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a resolver of ours says of a name, after its server has answered so many questions with `SERVFAIL`.
    async fn asked_of(failures: usize) -> Result<Vec<IpAddr>, Unanswered> {
        let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let names = Names::of_server(socket.local_addr().unwrap()).unwrap();
        let serving = tokio::spawn(async move {
            let (mut query, mut left) = ([0; 512], failures);
            while let Ok((length, from)) = socket.recv_from(&mut query).await {
                let mut answer = query[..length].to_vec();
                // An answer with one question and nothing else: the server failed, or there is no such name.
                let code = if left > 0 { 2 } else { 3 };
                left = left.saturating_sub(1);
                answer[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0]);
                let end = 12 + answer[12..].iter().position(|&byte| byte == 0).unwrap() + 5;
                let _ = socket.send_to(&answer[..end], from).await;
            }
        });
        let found = names.addresses_of("shop.test").await;
        serving.abort();
        found
    }

    #[tokio::test]
    async fn who_cannot_answer_is_asked_again_and_who_says_no_is_not() {
        let begun = std::time::Instant::now();
        assert_eq!(asked_of(0).await.unwrap(), [] as [IpAddr; 0]);
        assert!(begun.elapsed() < ASKED_AGAIN_AFTER);
        assert_eq!(asked_of(5).await.unwrap(), [] as [IpAddr; 0]);
        assert!(begun.elapsed() > ASKED_AGAIN_AFTER);
        assert!(asked_of(usize::MAX).await.is_err());
    }

    #[test]
    fn what_passes_is_told_from_what_does_not() {
        let said = "failed to lookup address information: ";
        assert!(passes(&format!(
            "{said}Temporary failure in name resolution"
        )));
        assert!(!passes(&format!("{said}Name or service not known")));
    }
}
