//! The flags that keep a browser from reaching anything by another way than a proxy of ours.
//!
//! `tests/leash.rs` starts a browser without each of those that something can be seen of, and watches it get out.

use std::net::SocketAddr;

/// Loopback goes through the proxy as well: without this Chromium reaches it, and link-local addresses, by itself.
pub(super) const BYPASS_NOTHING: &str = "<-loopback>";

const NO_UDP_PAST_THE_PROXY: &str = "disable_non_proxied_udp";

/// The flags of a browser whose own traffic, that of no page, goes to `proxy`; without their dashes, and an empty value
/// where there is none.
pub fn flags(proxy: SocketAddr) -> [(&'static str, String); 8] {
    [
        // All TCP of the browser: HTTP, WebSockets, WebRTC's.
        ("proxy-server", format!("http://{proxy}")),
        ("proxy-bypass-list", BYPASS_NOTHING.to_owned()),
        // WebRTC would send UDP past any proxy. Chromium's headless shell knows the one spelling, Chrome the other, and
        // each passes over what it does not know.
        (
            "force-webrtc-ip-handling-policy",
            NO_UDP_PAST_THE_PROXY.to_owned(),
        ),
        (
            "webrtc-ip-handling-policy",
            NO_UDP_PAST_THE_PROXY.to_owned(),
        ),
        // The proxy resolves; a name that the browser asks for by itself tells something to whoever answers for it.
        (
            "host-resolver-rules",
            format!("MAP * ~NOTFOUND, EXCLUDE {}", proxy.ip()),
        ),
        // HTTP over UDP, for which the proxy has no way.
        ("disable-quic", String::new()),
        // What the browser would fetch for itself: lists, updates, experiments.
        ("disable-background-networking", String::new()),
        ("disable-component-update", String::new()),
    ]
}
