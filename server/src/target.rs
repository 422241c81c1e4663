//! Which addresses may be opened: public ones, and private ones that the operator allowed.
//!
//! No pattern over names decides: a name is resolved, and every address it has must pass.

mod names;
mod special;

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::{Host, Url};

pub use names::Names;
pub(crate) use names::Patience;
use special::special;

/// A host, address or network that the operator allows although it is private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowRule {
    /// A network; a single address is a network of one.
    Net(IpNet),
    /// A host by name, and with a port only on that port.
    Host {
        /// Lower-case name or address.
        name: String,
        /// Any port when absent.
        port: Option<u16>,
    },
}

impl FromStr for AllowRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(net) = text.parse::<IpNet>() {
            return Ok(Self::Net(net));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Self::Net(address.into()));
        }
        let url = Url::parse(&format!("http://{text}/"))
            .map_err(|_| format!("`{text}` is no host, address or network; write `staging.internal`, `127.0.0.1:8080` or `10.1.0.0/16`"))?;
        let explicit_port = text
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        Ok(Self::Host {
            name: url.host_str().unwrap_or_default().to_owned(),
            port: explicit_port,
        })
    }
}

/// Decides which addresses the service may open.
#[derive(Debug, Clone, Default)]
pub struct TargetPolicy {
    rules: Vec<AllowRule>,
    allow_loopback: bool,
    names: Names,
}

/// Why an address is refused.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum TargetError {
    /// It cannot be parsed.
    #[error("`{0}` is no address; write it as `https://example.com/path`")]
    Malformed(String),
    /// Neither http nor https.
    #[error("`{0}` must start with `http://` or `https://`")]
    Scheme(String),
    /// It holds a user name or password.
    #[error(
        "an address must not hold a user name or password; give gate credentials in the project instead"
    )]
    UserInfo,
    /// Its name has no address.
    #[error("`{0}` does not resolve to any address; check the spelling and this machine's DNS")]
    Unresolved(String),
    /// Nobody could say in time whether its name has an address.
    #[error("no name server could say where `{0}` is; try again, and check this machine's DNS")]
    Unanswered(String),
    /// One of its addresses is not public.
    #[error(
        "`{host}` is at {address}, which is {rule}; the operator can allow it with --allow-target or PENTIMENTO_ALLOW_TARGETS"
    )]
    Private {
        /// The host as it was given.
        host: String,
        /// The address that is refused.
        address: IpAddr,
        /// What the address is, and the network that says so.
        rule: &'static str,
    },
}

impl TargetPolicy {
    /// A policy with the operator's rules; a service that listens on loopback alone allows loopback targets.
    pub fn new(rules: Vec<AllowRule>, allow_loopback: bool) -> Self {
        Self {
            rules,
            allow_loopback,
            names: Names::System,
        }
    }

    /// The same policy, with names resolved in another way than the system's.
    #[must_use]
    pub fn resolving_by(self, names: Names) -> Self {
        Self { names, ..self }
    }

    /// Whether loopback targets are allowed without a rule.
    pub fn allows_loopback(&self) -> bool {
        self.allow_loopback
    }

    /// Parses an address and checks everything that needs no network.
    ///
    /// # Errors
    /// Malformed addresses, other schemes, user-info.
    pub fn parse(text: &str) -> Result<Url, TargetError> {
        let url = Url::parse(text.trim()).map_err(|_| TargetError::Malformed(clip(text)))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TargetError::Scheme(clip(text)));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::UserInfo);
        }
        if url.host().is_none() {
            return Err(TargetError::Malformed(clip(text)));
        }
        Ok(url)
    }

    /// Resolves the address's host and refuses it unless every one of its addresses is public or allowed.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub async fn check(&self, url: &Url) -> Result<(), TargetError> {
        self.resolve(url, Patience::UntilDeadline).await.map(drop)
    }

    /// The addresses of the address's host, when every one of them is public or allowed.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub(crate) async fn resolve(
        &self,
        url: &Url,
        patience: Patience,
    ) -> Result<Vec<IpAddr>, TargetError> {
        let host = url
            .host()
            .ok_or_else(|| TargetError::Malformed(clip(url.as_str())))?;
        let port = url.port_or_known_default().unwrap_or(80);
        let addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => {
                let asked = self.names.addresses_of(name, patience).await;
                asked.map_err(|_| TargetError::Unanswered(name.to_owned()))?
            }
        };
        if addresses.is_empty() {
            return Err(TargetError::Unresolved(
                url.host_str().unwrap_or_default().to_owned(),
            ));
        }
        let name = url.host_str().unwrap_or_default();
        if self.host_allowed(name, port) {
            return Ok(addresses);
        }
        let refused = addresses.iter().find_map(|address| {
            let rule = special(*address)?;
            (!self.address_allowed(*address, port)).then_some((*address, rule))
        });
        match refused {
            Some((address, rule)) => Err(TargetError::Private {
                host: name.to_owned(),
                address,
                rule,
            }),
            None => Ok(addresses),
        }
    }

    fn host_allowed(&self, host: &str, port: u16) -> bool {
        self.rules.iter().any(|rule| match rule {
            AllowRule::Net(_) => false,
            AllowRule::Host { name, port: wanted } => {
                name == host && wanted.is_none_or(|wanted| wanted == port)
            }
        })
    }

    /// Whether the operator allows this special address.
    fn address_allowed(&self, address: IpAddr, port: u16) -> bool {
        let address = address.to_canonical();
        let by_rule = self.rules.iter().any(|rule| match rule {
            AllowRule::Net(net) => net.contains(&address),
            AllowRule::Host { name, port: wanted } => {
                name.trim_matches(['[', ']']).parse() == Ok(address)
                    && wanted.is_none_or(|wanted| wanted == port)
            }
        });
        by_rule || (self.allow_loopback && address.is_loopback())
    }
}

fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn loopback_needs_a_rule_or_a_loopback_service() {
        let url = TargetPolicy::parse("http://127.0.0.1:8080/x").unwrap();
        let strict = TargetPolicy::default();
        assert!(matches!(
            strict.check(&url).await,
            Err(TargetError::Private { .. })
        ));
        for policy in [
            TargetPolicy::new(vec![], true),
            TargetPolicy::new(vec!["127.0.0.1:8080".parse().unwrap()], false),
            TargetPolicy::new(vec!["127.0.0.0/8".parse().unwrap()], false),
        ] {
            assert_eq!(policy.check(&url).await, Ok(()));
        }
        let other_port = TargetPolicy::new(vec!["127.0.0.1:9090".parse().unwrap()], false);
        assert!(other_port.check(&url).await.is_err());
    }

    #[test]
    fn decimal_and_octal_spellings_are_seen_through() {
        for text in ["http://2130706433/", "http://0177.0.0.1/", "http://0x7f.1/"] {
            let url = TargetPolicy::parse(text).unwrap();
            assert_eq!(url.host_str(), Some("127.0.0.1"), "{text}");
        }
    }

    #[test]
    fn addresses_with_user_info_or_other_schemes_are_refused() {
        assert_eq!(
            TargetPolicy::parse("http://a:b@example.com"),
            Err(TargetError::UserInfo)
        );
        assert!(matches!(
            TargetPolicy::parse("file:///etc/passwd"),
            Err(TargetError::Scheme(_))
        ));
        assert!(matches!(
            TargetPolicy::parse("example"),
            Err(TargetError::Malformed(_))
        ));
    }
}
