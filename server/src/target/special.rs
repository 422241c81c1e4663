//! Addresses that do not belong to the public internet: which, and what each network is for.
//!
//! The networks are those of IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), with the
//! networks that embed IPv4 addresses and the addresses at which clouds hand secrets to their machines.

use std::net::IpAddr;
use std::sync::LazyLock;

use ipnet::IpNet;

/// Networks and what they are, each with its network so that a message shows both.
const NETWORKS: [(&str, &str); 34] = [
    ("0.0.0.0/8", "this machine (0.0.0.0/8)"),
    ("10.0.0.0/8", "private (10.0.0.0/8)"),
    ("100.64.0.0/10", "shared by a provider (100.64.0.0/10)"),
    ("127.0.0.0/8", "loopback (127.0.0.0/8)"),
    // Machines of Azure get their settings and certificates there.
    (
        "168.63.129.16/32",
        "a cloud's metadata service (168.63.129.16/32)",
    ),
    // Most clouds have their metadata service in it.
    ("169.254.0.0/16", "link-local (169.254.0.0/16)"),
    ("172.16.0.0/12", "private (172.16.0.0/12)"),
    ("192.0.0.0/24", "for protocols (192.0.0.0/24)"),
    ("192.0.2.0/24", "for documentation (192.0.2.0/24)"),
    ("192.88.99.0/24", "for 6to4 (192.88.99.0/24)"),
    ("192.168.0.0/16", "private (192.168.0.0/16)"),
    ("198.18.0.0/15", "for benchmarks (198.18.0.0/15)"),
    ("198.51.100.0/24", "for documentation (198.51.100.0/24)"),
    ("203.0.113.0/24", "for documentation (203.0.113.0/24)"),
    ("224.0.0.0/4", "multicast (224.0.0.0/4)"),
    ("240.0.0.0/4", "reserved (240.0.0.0/4)"),
    ("::/128", "this machine (::/128)"),
    ("::1/128", "loopback (::1/128)"),
    ("::/96", "an IPv4 address in IPv6 (::/96)"),
    (
        "::ffff:0:0:0/96",
        "an IPv4 address in IPv6 (::ffff:0:0:0/96)",
    ),
    ("64:ff9b::/96", "for NAT64 (64:ff9b::/96)"),
    ("64:ff9b:1::/48", "for NAT64 (64:ff9b:1::/48)"),
    ("100::/64", "discarded (100::/64)"),
    ("100:0:0:1::/64", "for protocols (100:0:0:1::/64)"),
    ("2001::/32", "for Teredo (2001::/32)"),
    ("2001::/23", "for protocols (2001::/23)"),
    ("2001:db8::/32", "for documentation (2001:db8::/32)"),
    ("2002::/16", "for 6to4 (2002::/16)"),
    ("3fff::/20", "for documentation (3fff::/20)"),
    ("5f00::/16", "for segment routing (5f00::/16)"),
    ("fc00::/7", "private (fc00::/7)"),
    ("fe80::/10", "link-local (fe80::/10)"),
    ("fec0::/10", "private (fec0::/10)"),
    ("ff00::/8", "multicast (ff00::/8)"),
];

/// All that is given to the public internet of IPv6 so far (RFC 4291, section 2.4).
const GLOBAL_V6: &str = "2000::/3";

static PARSED: LazyLock<Vec<(IpNet, &str)>> = LazyLock::new(|| {
    let rows = NETWORKS.iter();
    rows.map(|(net, what)| (parse(net), *what)).collect()
});

static PARSED_GLOBAL_V6: LazyLock<IpNet> = LazyLock::new(|| parse(GLOBAL_V6));

fn parse(net: &str) -> IpNet {
    net.parse().expect("a network of the table")
}

/// What an address is instead of public, with the network that says so; none when it is public. An IPv4 address in its
/// IPv6 form is judged as what it is.
pub(super) fn special(address: IpAddr) -> Option<&'static str> {
    let address = address.to_canonical();
    let known = PARSED.iter().find(|(net, _)| net.contains(&address));
    match known {
        Some((_, what)) => Some(what),
        None if address.is_ipv6() && !PARSED_GLOBAL_V6.contains(&address) => {
            Some("not given to the public internet (outside 2000::/3)")
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address, and the network that refuses it.
    const REFUSED: [(&str, &str); 52] = [
        ("0.0.0.0", "0.0.0.0/8"),
        ("0.1.2.3", "0.0.0.0/8"),
        ("10.0.0.1", "10.0.0.0/8"),
        ("10.255.255.255", "10.0.0.0/8"),
        ("100.64.0.1", "100.64.0.0/10"),
        ("100.100.100.200", "100.64.0.0/10"),
        ("100.127.255.255", "100.64.0.0/10"),
        ("127.0.0.1", "127.0.0.0/8"),
        ("127.255.255.254", "127.0.0.0/8"),
        ("168.63.129.16", "168.63.129.16/32"),
        ("169.254.0.1", "169.254.0.0/16"),
        ("169.254.169.254", "169.254.0.0/16"),
        ("172.16.0.1", "172.16.0.0/12"),
        ("172.31.255.255", "172.16.0.0/12"),
        ("192.0.0.8", "192.0.0.0/24"),
        ("192.0.0.192", "192.0.0.0/24"),
        ("192.0.2.1", "192.0.2.0/24"),
        ("192.88.99.1", "192.88.99.0/24"),
        ("192.168.1.1", "192.168.0.0/16"),
        ("198.18.0.1", "198.18.0.0/15"),
        ("198.19.255.255", "198.18.0.0/15"),
        ("198.51.100.7", "198.51.100.0/24"),
        ("203.0.113.7", "203.0.113.0/24"),
        ("224.0.0.1", "224.0.0.0/4"),
        ("239.255.255.250", "224.0.0.0/4"),
        ("240.0.0.1", "240.0.0.0/4"),
        ("255.255.255.255", "240.0.0.0/4"),
        ("::", "::/128"),
        ("::1", "::1/128"),
        ("::7f00:1", "::/96"),
        ("::a00:1", "::/96"),
        ("::ffff:10.0.0.1", "10.0.0.0/8"),
        ("::ffff:127.0.0.1", "127.0.0.0/8"),
        ("::ffff:169.254.169.254", "169.254.0.0/16"),
        ("::ffff:0:127.0.0.1", "::ffff:0:0:0/96"),
        ("64:ff9b::a00:1", "64:ff9b::/96"),
        ("64:ff9b:1::7f00:1", "64:ff9b:1::/48"),
        ("100::1", "100::/64"),
        ("2001::1", "2001::/32"),
        ("2001:2::1", "2001::/23"),
        ("2001:20::1", "2001::/23"),
        ("2001:db8::1", "2001:db8::/32"),
        ("2002:7f00:1::", "2002::/16"),
        ("2002:a00:1::", "2002::/16"),
        ("3fff::1", "3fff::/20"),
        ("5f00::1", "5f00::/16"),
        ("fc00::1", "fc00::/7"),
        ("fd00:ec2::254", "fc00::/7"),
        ("fe80::1", "fe80::/10"),
        ("fec0::1", "fec0::/10"),
        ("ff02::1", "ff00::/8"),
        ("4000::1", "outside 2000::/3"),
    ];

    #[test]
    fn every_special_address_is_refused_by_its_network() {
        for (text, net) in REFUSED {
            let said = special(text.parse().unwrap()).unwrap_or("public");
            assert!(said.ends_with(&format!("({net})")), "{text} is {said}");
        }
    }

    #[test]
    fn a_message_names_the_network_that_its_row_tests() {
        for (net, what) in NETWORKS {
            assert!(what.ends_with(&format!("({net})")), "{net} is {what}");
        }
    }

    #[test]
    fn neighbours_of_special_networks_are_public() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.17",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:93.184.216.34",
            "2001:200::1",
            "2001:db7::1",
            "2003::1",
            "2606:4700::1111",
            "3ffe::1",
        ] {
            assert_eq!(special(text.parse().unwrap()), None, "{text}");
        }
    }
}
