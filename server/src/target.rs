//! Which addresses may be opened: public ones, and private ones that the operator allowed.
//!
//! Deny lists follow the IANA special-purpose registries (RFC 6890 and its updates) rather than patterns over names: a
//! name is resolved and every address it has must pass.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use url::{Host, Url};

/// Longest wait for a name to resolve.
const RESOLVE_DEADLINE: Duration = Duration::from_secs(4);

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
}

/// Why an address is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
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
    /// One of its addresses is not public.
    #[error(
        "`{host}` is at {address}, which is not a public address; the operator can allow it with --allow-target or PENTIMENTO_ALLOW_TARGETS"
    )]
    Private {
        /// The host as it was given.
        host: String,
        /// The address that is refused.
        address: IpAddr,
    },
}

impl TargetPolicy {
    /// A policy with the operator's rules; a service that listens on loopback alone allows loopback targets.
    pub fn new(rules: Vec<AllowRule>, allow_loopback: bool) -> Self {
        Self {
            rules,
            allow_loopback,
        }
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
        self.resolve(url).await.map(drop)
    }

    /// The addresses of the address's host, when every one of them is public or allowed.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub async fn resolve(&self, url: &Url) -> Result<Vec<IpAddr>, TargetError> {
        let host = url
            .host()
            .ok_or_else(|| TargetError::Malformed(clip(url.as_str())))?;
        let port = url.port_or_known_default().unwrap_or(80);
        let addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => resolve(name, port).await?,
        };
        let name = url.host_str().unwrap_or_default();
        if self.host_allowed(name, port) {
            return Ok(addresses);
        }
        let refused = addresses
            .iter()
            .find(|address| !self.address_allowed(**address, port));
        match refused {
            Some(address) => Err(TargetError::Private {
                host: name.to_owned(),
                address: *address,
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

    fn address_allowed(&self, address: IpAddr, port: u16) -> bool {
        let address = address.to_canonical();
        let by_rule = self.rules.iter().any(|rule| match rule {
            AllowRule::Net(net) => net.contains(&address),
            AllowRule::Host { name, port: wanted } => {
                name.trim_matches(['[', ']']).parse() == Ok(address)
                    && wanted.is_none_or(|wanted| wanted == port)
            }
        });
        by_rule || (self.allow_loopback && address.is_loopback()) || is_public(address)
    }
}

async fn resolve(name: &str, port: u16) -> Result<Vec<IpAddr>, TargetError> {
    let unresolved = || TargetError::Unresolved(name.to_owned());
    let found = tokio::time::timeout(RESOLVE_DEADLINE, tokio::net::lookup_host((name, port)))
        .await
        .map_err(|_| unresolved())?
        .map_err(|_| unresolved())?;
    let addresses: Vec<IpAddr> = found.map(|socket| socket.ip()).collect();
    if addresses.is_empty() {
        Err(unresolved())
    } else {
        Ok(addresses)
    }
}

/// Whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_unspecified()
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    const NOT_PUBLIC: [&str; 12] = [
        "::/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/32",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    ];
    let address = IpAddr::V6(address);
    !NOT_PUBLIC
        .iter()
        .any(|net| net.parse::<IpNet>().is_ok_and(|net| net.contains(&address)))
}

fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_not_public() {
        for text in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "fc00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2002:a00:1::",
            "2001::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text} must not pass");
        }
        for text in ["1.1.1.1", "93.184.216.34", "2606:4700::1111"] {
            assert!(is_public(text.parse().unwrap()), "{text} must pass");
        }
    }

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
