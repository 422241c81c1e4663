//! The ways in which a page may try to reach an address, as a table.
//!
//! In a way's page and file, `{A}` is the host and port to reach, `{P}` the port alone, `{F}` the address of the way's own
//! file, `{S}` the host and port of the site that serves the page.

mod apart;

pub(crate) use apart::{LEAVES, NOT_TAKEN, UDP_WAYS};

/// One way.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    /// What the page holds that tries it.
    pub(crate) page: &'static str,
    /// Media type and content of a second file of the page; empty where it needs none.
    pub(crate) file: (&'static str, &'static str),
}

const fn way(name: &'static str, page: &'static str) -> Way {
    Way {
        name,
        page,
        file: ("", ""),
    }
}

const fn with_file(
    name: &'static str,
    page: &'static str,
    media_type: &'static str,
    file: &'static str,
) -> Way {
    Way {
        name,
        page,
        file: (media_type, file),
    }
}

const JS: &str = "text/javascript";
const HTML: &str = "text/html";

/// Every way that connects by TCP.
pub(crate) const WAYS: &[Way] = &[
    // Elements of HTML.
    way("img", "<img src='http://{A}/x.png'>"),
    way("img srcset", "<img srcset='http://{A}/x.png 1x'>"),
    way(
        "picture source",
        "<picture><source srcset='http://{A}/x.png'><img></picture>",
    ),
    way(
        "input type=image",
        "<input type=image src='http://{A}/x.png'>",
    ),
    way(
        "body background",
        "<body background='http://{A}/x.png'>x</body>",
    ),
    way(
        "video src",
        "<video src='http://{A}/x.mp4' preload=auto></video>",
    ),
    way(
        "video source",
        "<video preload=auto><source src='http://{A}/x.mp4'></video>",
    ),
    way("video poster", "<video poster='http://{A}/x.png'></video>"),
    way(
        "audio",
        "<audio src='http://{A}/x.mp3' preload=auto></audio>",
    ),
    way("script", "<script src='http://{A}/x.js'></script>"),
    way(
        "module script",
        "<script type=module src='http://{A}/x.js'></script>",
    ),
    way(
        "stylesheet",
        "<link rel=stylesheet href='http://{A}/x.css'>",
    ),
    way(
        "preload",
        "<link rel=preload as=script href='http://{A}/x.js'>",
    ),
    way("prefetch", "<link rel=prefetch href='http://{A}/x.html'>"),
    way(
        "modulepreload",
        "<link rel=modulepreload href='http://{A}/x.js'>",
    ),
    way("iframe", "<iframe src='http://{A}/'></iframe>"),
    way(
        "iframe srcdoc",
        "<iframe srcdoc=\"<img src='http://{A}/x.png'>\"></iframe>",
    ),
    way(
        "iframe data address",
        "<iframe src=\"data:text/html,<img src='http://{A}/x.png'>\"></iframe>",
    ),
    with_file(
        "frameset",
        "<iframe src='{F}'></iframe>",
        HTML,
        "<frameset><frame src='http://{A}/'></frameset>",
    ),
    way(
        "object",
        "<object data='http://{A}/x.html' type='text/html'></object>",
    ),
    way("embed", "<embed src='http://{A}/x.html' type='text/html'>"),
    way("PDF in iframe", "<iframe src='http://{A}/x.pdf'></iframe>"),
    way("base", "<base href='http://{A}/'><img src='x.png'>"),
    way(
        "meta refresh",
        "<meta http-equiv=refresh content='0;url=http://{A}/'>",
    ),
    // CSS.
    way(
        "CSS background",
        "<div style=\"background:url('http://{A}/x.png')\">x</div>",
    ),
    way(
        "CSS import",
        "<style>@import url('http://{A}/x.css');</style>",
    ),
    way(
        "CSS font",
        "<style>@font-face{font-family:f;src:url('http://{A}/x.woff2')} p{font-family:f}</style><p>x</p>",
    ),
    way(
        "CSS list image",
        "<ul style=\"list-style-image:url('http://{A}/x.png')\"><li>x</ul>",
    ),
    way(
        "CSS content",
        "<style>p::before{content:url('http://{A}/x.png')}</style><p>x</p>",
    ),
    way(
        "CSS border image",
        "<p style=\"border:9px solid;border-image:url('http://{A}/x.png') 9\">x</p>",
    ),
    way(
        "CSS mask",
        "<p style=\"mask-image:url('http://{A}/x.png')\">x</p>",
    ),
    way(
        "CSS image-set",
        "<p style=\"background-image:image-set('http://{A}/x.png' 1x)\">x</p>",
    ),
    with_file(
        "CSS of a file",
        "<link rel=stylesheet href='{F}'><p>x</p>",
        "text/css",
        "p{background:url('http://{A}/x.png')}",
    ),
    // SVG and XML.
    way(
        "SVG image",
        "<svg><image href='http://{A}/x.png' width=9 height=9 /></svg>",
    ),
    way(
        "SVG feImage",
        "<svg><filter id=f><feImage href='http://{A}/x.png'/></filter><rect width=9 height=9 filter='url(#f)'/></svg>",
    ),
    with_file(
        "SVG document",
        "<iframe src='{F}'></iframe>",
        "image/svg+xml",
        "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://{A}/x.png' width='9' height='9'/></svg>",
    ),
    with_file(
        "SVG script",
        "<iframe src='{F}'></iframe>",
        "image/svg+xml",
        "<svg xmlns='http://www.w3.org/2000/svg'><script href='http://{A}/x.js'/></svg>",
    ),
    with_file(
        "XML stylesheet",
        "<iframe src='{F}'></iframe>",
        "application/xml",
        "<?xml version='1.0'?><?xml-stylesheet type='text/css' href='http://{A}/x.css'?><a/>",
    ),
    // Scripts.
    way(
        "fetch",
        "<script>fetch('http://{A}/').catch(() => 0)</script>",
    ),
    way(
        "fetch no-cors",
        "<script>fetch('http://{A}/', { mode: 'no-cors' }).catch(() => 0)</script>",
    ),
    way(
        "fetch keepalive",
        "<script>fetch('http://{A}/', { keepalive: true, method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => 0)</script>",
    ),
    way(
        "fetch with preflight",
        "<script>fetch('http://{A}/', { method: 'PUT', headers: { 'x-y': 'z' } }).catch(() => 0)</script>",
    ),
    way(
        "XMLHttpRequest",
        "<script>const x = new XMLHttpRequest(); x.open('GET', 'http://{A}/'); x.send()</script>",
    ),
    way(
        "EventSource",
        "<script>new EventSource('http://{A}/')</script>",
    ),
    way("WebSocket", "<script>new WebSocket('ws://{A}/')</script>"),
    way(
        "WebSocket with TLS",
        "<script>new WebSocket('wss://{A}/')</script>",
    ),
    way(
        "beacon",
        "<script>navigator.sendBeacon('http://{A}/', 'x')</script>",
    ),
    way(
        "ping",
        "<a id=a ping='http://{A}/' href='#x'>x</a><script>a.click()</script>",
    ),
    way(
        "dynamic import",
        "<script>import('http://{A}/x.js').catch(() => 0)</script>",
    ),
    way(
        "image of a script",
        "<script>new Image().src = 'http://{A}/x.png'</script>",
    ),
    way(
        "font of a script",
        "<script>new FontFace('f', \"url('http://{A}/x.woff2')\").load().catch(() => 0)</script>",
    ),
    way(
        "audio worklet",
        "<script>new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('http://{A}/x.js').catch(() => 0)</script>",
    ),
    way("location", "<script>location.href = 'http://{A}/'</script>"),
    way(
        "link that is clicked",
        "<a id=a href='http://{A}/'>x</a><script>a.click()</script>",
    ),
    way(
        "form",
        "<form id=f action='http://{A}/'></form><script>f.submit()</script>",
    ),
    way(
        "form post",
        "<form id=f method=post action='http://{A}/'><input name=x value=y></form><script>f.submit()</script>",
    ),
    way("https", "<img src='https://{A}/x.png'>"),
    // Workers.
    with_file(
        "worker",
        "<script>new Worker('{F}')</script>",
        JS,
        "fetch('http://{A}/').catch(() => 0)",
    ),
    with_file(
        "worker import",
        "<script>new Worker('{F}')</script>",
        JS,
        "importScripts('http://{A}/x.js')",
    ),
    with_file(
        "worker WebSocket",
        "<script>new Worker('{F}')</script>",
        JS,
        "new WebSocket('ws://{A}/')",
    ),
    way(
        "worker of a blob",
        "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('http://{A}/').catch(() => 0)\"])))</script>",
    ),
    with_file(
        "shared worker",
        "<script>new SharedWorker('{F}')</script>",
        JS,
        "fetch('http://{A}/').catch(() => 0)",
    ),
    // Redirects, which only the proxy sees.
    way(
        "redirect 301",
        "<img src='http://{S}/to/301?http://{A}/x.png'>",
    ),
    way(
        "redirect 302",
        "<script>fetch('http://{S}/to/302?http://{A}/', { mode: 'no-cors' }).catch(() => 0)</script>",
    ),
    way(
        "redirect 303",
        "<iframe src='http://{S}/to/303?http://{A}/'></iframe>",
    ),
    way(
        "redirect 307",
        "<script>fetch('http://{S}/to/307?http://{A}/', { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => 0)</script>",
    ),
    way(
        "redirect 308",
        "<script src='http://{S}/to/308?http://{A}/x.js'></script>",
    ),
    way(
        "redirect twice",
        "<img src='http://{S}/to/302?http://{S}/to/302?http://{A}/x.png'>",
    ),
    way(
        "redirect to https",
        "<img src='http://{S}/to/302?https://{A}/x.png'>",
    ),
    way(
        "redirect to a decimal address",
        "<img src='http://{S}/to/302?http://2130706433:{P}/x.png'>",
    ),
    // Spellings of the address.
    way("decimal", "<img src='http://2130706433:{P}/x.png'>"),
    way("octal", "<img src='http://0177.0.0.01:{P}/x.png'>"),
    way("hexadecimal", "<img src='http://0x7f000001:{P}/x.png'>"),
    way("mixed bases", "<img src='http://0x7f.0.01:{P}/x.png'>"),
    way("two parts", "<img src='http://127.1:{P}/x.png'>"),
    way("trailing dot", "<img src='http://127.0.0.1.:{P}/x.png'>"),
    way(
        "percent encoded",
        "<img src='http://%31%32%37.0.0.1:{P}/x.png'>",
    ),
    way(
        "full-width digits",
        "<img src='http://１２７。０。０。１:{P}/x.png'>",
    ),
    way(
        "another loopback address",
        "<img src='http://127.9.9.9:{P}/x.png'>",
    ),
    way("localhost", "<img src='http://localhost:{P}/x.png'>"),
    way(
        "LOCALHOST and a dot",
        "<img src='http://LOCALHOST.:{P}/x.png'>",
    ),
    way(
        "below localhost",
        "<img src='http://a.localhost:{P}/x.png'>",
    ),
    way("IPv6", "<img src='http://[::1]:{P}/x.png'>"),
    way(
        "IPv6 in full",
        "<img src='http://[0:0:0:0:0:0:0:1]:{P}/x.png'>",
    ),
    way(
        "IPv4 in IPv6",
        "<img src='http://[::ffff:127.0.0.1]:{P}/x.png'>",
    ),
    way(
        "IPv4 in IPv6 in hexadecimal",
        "<img src='http://[::ffff:7f00:1]:{P}/x.png'>",
    ),
    way(
        "WebSocket to IPv6",
        "<script>new WebSocket('ws://[::1]:{P}/')</script>",
    ),
    way(
        "WebSocket to a decimal address",
        "<script>new WebSocket('ws://2130706433:{P}/')</script>",
    ),
    // Names.
    way("name", "<img src='http://inside.test:{P}/x.png'>"),
    way(
        "name for a WebSocket",
        "<script>new WebSocket('ws://inside.test:{P}/')</script>",
    ),
    way(
        "name with mixed records",
        "<img src='http://mixed.test:{P}/x.png'>",
    ),
    way(
        "name with mixed records and TLS",
        "<img src='https://mixed.test:{P}/x.png'>",
    ),
    way(
        "name that moves",
        "<script>(async () => { for (let n = 0; n < 8; n++) await fetch(`http://{P}.moving.test:{P}/?${n}`, { mode: 'no-cors' }).catch(() => 0) })()</script>",
    ),
    way(
        "name that moves, for a WebSocket",
        "<script>(async () => { for (let n = 0; n < 8; n++) await new Promise((done) => { new WebSocket('ws://{P}.moving.test:{P}/').onclose = done }) })()</script>",
    ),
    // WebRTC, whose TCP goes through a proxy as well.
    way(
        "WebRTC TURN by TCP",
        "<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:{A}?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.setLocalDescription()</script>",
    ),
    way(
        "WebRTC TURN by TLS",
        "<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'turns:{A}?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.setLocalDescription()</script>",
    ),
    way(
        "WebRTC TURN at a name",
        "<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:inside.test:{P}?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.setLocalDescription()</script>",
    ),
];
