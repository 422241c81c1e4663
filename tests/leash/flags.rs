//! Each launch flag that keeps a browser on its leash: with all of them nothing gets out, without one something does.

use std::time::Duration;

use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use chromiumoxide::{Browser, BrowserConfig};
use futures::StreamExt;
use pentimento::capture::leash;
use pentimento::proxy::Proxy;
use pentimento::target::TargetPolicy;

use super::canary::Canary;

/// Flags without which something reaches the canaries.
const NEEDED: [&str; 3] = [
    "proxy-server",
    "proxy-bypass-list",
    "force-webrtc-ip-handling-policy",
];

/// Flags whose want shows nothing here: Chrome's spelling of the one above, and what only some browsers or times would do.
const PRECAUTIONS: [&str; 5] = [
    "webrtc-ip-handling-policy",
    "host-resolver-rules",
    "disable-quic",
    "disable-background-networking",
    "disable-component-update",
];

/// Tries TCP and UDP, and ends when both have come to something.
const TRIES: &str = "(async () => {
    const image = new Promise((done) => { const image = new Image(); image.onerror = image.onload = done; image.src = 'http://127.0.0.1:{T}/'; });
    const socket = new Promise((done) => { new WebSocket('ws://127.0.0.1:{T}/').onclose = done; });
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:{U}' }] });
    peer.createDataChannel('x');
    // Where nothing may be sent, it never says that it is complete.
    const gathered = new Promise((done) => { setTimeout(done, 3000); peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done(); });
    await peer.setLocalDescription();
    await Promise.all([image, socket, gathered]);
})()";

/// Starts a browser with all flags but one, and counts what reaches the canaries by TCP and by UDP.
async fn reached_without(dropped: Option<&str>) -> (u32, u32) {
    let (tcp, udp) = (Canary::tcp().await, Canary::udp().await);
    let proxy = Proxy::start(TargetPolicy::default()).await.unwrap();
    let configured = std::env::var_os("PENTIMENTO_BROWSER").map(std::path::PathBuf::from);
    let profile = tempfile::tempdir().unwrap();
    let mut builder = BrowserConfig::builder()
        .chrome_executable(pentimento::capture::find_program(configured.as_ref()).unwrap())
        .user_data_dir(profile.path())
        .no_sandbox()
        .launch_timeout(Duration::from_secs(30));
    for (flag, value) in leash::flags(proxy.address()) {
        if Some(flag) != dropped {
            builder = if value.is_empty() {
                builder.arg(flag)
            } else {
                builder.arg((flag, value.as_str()))
            };
        }
    }
    let (mut browser, mut events) = Browser::launch(builder.build().unwrap()).await.unwrap();
    tokio::spawn(async move { while events.next().await.is_some() {} });
    let page = browser.new_page("about:blank").await.unwrap();
    let script = TRIES
        .replace("{T}", &tcp.port.to_string())
        .replace("{U}", &udp.port.to_string());
    let params = EvaluateParams::builder()
        .expression(script)
        .await_promise(true)
        .build()
        .unwrap();
    let tried = page.execute(params).await.unwrap().result;
    assert!(
        tried.exception_details.is_none(),
        "{:?}",
        tried.exception_details
    );
    browser.close().await.unwrap();
    browser.wait().await.unwrap();
    (tcp.reached(), udp.reached())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_launch_flag_is_there_and_needed() {
    let flags = leash::flags("127.0.0.1:1".parse().unwrap()).map(|(flag, _)| flag);
    for flag in NEEDED.iter().chain(&PRECAUTIONS) {
        assert!(flags.contains(flag), "--{flag} is missing");
    }
    assert_eq!(reached_without(None).await, (0, 0), "the leash holds");
    for flag in NEEDED {
        let (tcp, udp) = reached_without(Some(flag)).await;
        assert!(tcp + udp > 0, "nothing shows that --{flag} is needed");
        let by_udp = flag.contains("webrtc");
        assert_eq!((tcp > 0, udp > 0), (!by_udp, by_udp), "without --{flag}");
    }
}
