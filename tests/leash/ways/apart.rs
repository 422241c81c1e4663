//! The ways that are a matter of their own: not taken, never by TCP, or taken by the page itself.

use super::{JS, Way, way, with_file};

/// Ways that are not taken while a page is captured, or not for long enough to count on, allowed or not: windows are closed
/// as they open, Chromium's headless shell has no viewer for PDF and follows no hints, and service workers wait for whoever
/// drives the browser.
pub(crate) const NOT_TAKEN: &[Way] = &[
    way("window", "<script>open('http://{A}/')</script>"),
    way(
        "window of a link",
        "<a id=w href='http://{A}/' target=_blank rel=opener>x</a><script>w.click()</script>",
    ),
    with_file(
        "service worker",
        "<script>navigator.serviceWorker.register('{F}')</script>",
        JS,
        "fetch('http://{A}/').catch(() => 0)",
    ),
    with_file(
        "service worker import",
        "<script>navigator.serviceWorker.register('{F}')</script>",
        JS,
        "importScripts('http://{A}/x.js')",
    ),
    way("preconnect", "<link rel=preconnect href='https://{A}'>"),
    way(
        "PDF in embed",
        "<embed src='http://{A}/x.pdf' type='application/pdf'>",
    ),
    way(
        "DNS prefetch",
        "<link rel=dns-prefetch href='//inside.test:{P}'>",
    ),
];

/// Ways that can only send UDP, which never passes a proxy: nothing allows them.
pub(crate) const UDP_WAYS: &[Way] = &[
    way(
        "WebRTC STUN",
        "<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:{A}' }] }); c.createDataChannel('x'); c.setLocalDescription()</script>",
    ),
    way(
        "WebRTC TURN by UDP",
        "<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:{A}', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.setLocalDescription()</script>",
    ),
    way(
        "WebRTC candidate",
        "<script>(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x'); await a.setLocalDescription(); \
         await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(); await a.setRemoteDescription(b.localDescription); \
         await a.addIceCandidate({ candidate: 'candidate:1 1 udp 2113937151 127.0.0.1 {P} typ host', sdpMid: '0', sdpMLineIndex: 0 }) })()</script>",
    ),
];

/// Ways in which the page itself leaves, and not something in it: then nothing is captured.
pub(crate) const LEAVES: &[Way] = &[
    way("redirect of the page", "http://{S}/to/302?http://{A}/"),
    way(
        "redirect of the page to TLS",
        "http://{S}/to/302?https://{A}/",
    ),
    way(
        "redirect of the page to a name",
        "http://{S}/to/302?http://inside.test:{P}/",
    ),
    way(
        "meta refresh of the page",
        "<meta http-equiv=refresh content='0;url=http://{A}/'>",
    ),
    way(
        "location of the page",
        "<script>location.replace('http://{A}/')</script>",
    ),
    way(
        "form of the page",
        "<form id=f action='http://{A}/'></form><script>f.submit()</script>",
    ),
];
