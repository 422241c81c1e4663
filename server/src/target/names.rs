//! What names resolve to: the system says it, or the DNS server that the operator named.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RecordType;

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

    /// Every address of a name, none when it has none.
    pub(super) async fn addresses_of(
        &self,
        name: &str,
        patience: Patience,
    ) -> Result<Vec<IpAddr>, Unanswered> {
        let asking = async {
            loop {
                let asked = self.ask(name).await;
                if asked.is_ok() || patience == Patience::Once {
                    return asked;
                }
                tokio::time::sleep(ASKED_AGAIN_AFTER).await;
            }
        };
        let asked = tokio::time::timeout(RESOLVE_DEADLINE, asking);
        asked.await.unwrap_or(Err(Unanswered))
    }

    async fn ask(&self, name: &str) -> Result<Vec<IpAddr>, Unanswered> {
        match self {
            // The port is of no account.
            Self::System => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => Ok(found.map(|socket| socket.ip()).collect()),
                Err(error) if is_temporary(&error.to_string()) => Err(Unanswered),
                Err(_) => Ok(Vec::new()),
            },
            Self::Server(resolver) => {
                // Asked for together, one kind without records would hide that the other one failed.
                let asked = futures::future::join(
                    ask_for(resolver, name, RecordType::A),
                    ask_for(resolver, name, RecordType::AAAA),
                );
                match asked.await {
                    (Ok(mut found), Ok(more)) => {
                        found.extend(more);
                        Ok(found)
                    }
                    (Ok(found), Err(_)) | (Err(_), Ok(found)) if !found.is_empty() => Ok(found),
                    _ => Err(Unanswered),
                }
            }
        }
    }
}

/// The addresses of a name that are of one kind.
async fn ask_for(
    resolver: &TokioResolver,
    name: &str,
    kind: RecordType,
) -> Result<Vec<IpAddr>, Unanswered> {
    match resolver.lookup(name, kind).await {
        Ok(found) => {
            let records = found.answers().iter();
            Ok(records.filter_map(|record| record.data.ip_addr()).collect())
        }
        // There is none, or there can be none.
        Err(error) if error.is_no_records_found() => Ok(Vec::new()),
        Err(NetError::Proto(_)) => Ok(Vec::new()),
        Err(_) => Err(Unanswered),
    }
}

/// How often a name is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Once: what hangs on the answer can do without it, and there may be many.
    Once,
    /// Again where nobody could answer, until the deadline.
    UntilDeadline,
}

/// Nobody could say what addresses a name has: name servers are away, or cannot say it now.
#[derive(Debug)]
pub(super) struct Unanswered;

/// Whether the system says that it could not find out, and not that there is nothing. It says so in words alone (`EAI_AGAIN`):
/// glibc and the BSDs, then musl.
fn is_temporary(error: &str) -> bool {
    ["Temporary failure in name resolution", "Try again"]
        .iter()
        .any(|said| error.contains(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server says to a question: that nothing of this kind is there, that it failed, or that no such name is there.
    const NO_DATA: u8 = 0;
    const FAILED: u8 = 2;
    const NO_NAME: u8 = 3;

    /// What a resolver of ours says of a name whose server answers each question with a code, by its number from 1 on and whether
    /// it is for IPv6.
    async fn asked_of(
        code: impl Fn(u32, bool) -> u8 + Send + 'static,
        patience: Patience,
    ) -> Result<Vec<IpAddr>, Unanswered> {
        let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let names = Names::of_server(socket.local_addr().unwrap()).unwrap();
        let serving = tokio::spawn(async move {
            let (mut query, mut asked) = ([0; 512], 0);
            while let Ok((length, from)) = socket.recv_from(&mut query).await {
                asked += 1;
                let mut answer = query[..length].to_vec();
                let end = 12 + answer[12..].iter().position(|&byte| byte == 0).unwrap() + 5;
                let code = code(asked, answer[end - 3] == 28);
                // One question and nothing else.
                answer[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0]);
                let _ = socket.send_to(&answer[..end], from).await;
            }
        });
        let found = names.addresses_of("shop.test", patience).await;
        serving.abort();
        found
    }

    #[tokio::test]
    async fn who_cannot_answer_is_asked_again_and_who_says_no_is_not() {
        let begun = std::time::Instant::now();
        let patience = Patience::UntilDeadline;
        let none = asked_of(|_, _| NO_NAME, patience).await;
        assert_eq!(none.unwrap(), [] as [IpAddr; 0]);
        assert!(asked_of(|_, _| FAILED, Patience::Once).await.is_err());
        assert!(begun.elapsed() < ASKED_AGAIN_AFTER);
        let after_all = |asked, _| if asked < 9 { FAILED } else { NO_NAME };
        let none = asked_of(after_all, patience).await;
        assert_eq!(none.unwrap(), [] as [IpAddr; 0]);
        assert!(begun.elapsed() > ASKED_AGAIN_AFTER);
        assert!(asked_of(|_, _| FAILED, patience).await.is_err());
    }

    #[tokio::test]
    async fn that_there_is_no_address_of_one_kind_hides_no_failure_of_the_other() {
        for failing in [false, true] {
            let answer = move |_, ipv6| if ipv6 == failing { FAILED } else { NO_DATA };
            let asked = asked_of(answer, Patience::Once).await;
            assert!(asked.is_err(), "{failing}");
        }
    }

    #[test]
    fn what_is_temporary_is_told_from_what_is_not() {
        let said = "failed to lookup address information: ";
        assert!(is_temporary(&format!(
            "{said}Temporary failure in name resolution"
        )));
        assert!(!is_temporary(&format!("{said}Name or service not known")));
    }
}
