//! What a captured page can reach: what the operator allows, and nothing else, whichever way it tries.

pub(crate) mod canary;
mod flags;
mod site;
mod ways;

use std::time::Duration;

use pentimento::proxy::Proxy;
use pentimento::target::TargetPolicy;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::postgres;
use canary::{DECOY, start_dns};
use pentimento::clock::Clock;
use site::{WaitsFor, WaysSite};
use ways::UDP_WAYS;

/// Hosts at which the ways reach a port.
const HOSTS: [&str; 5] = [
    "127.0.0.1",
    "127.9.9.9",
    "[::1]",
    "inside.test",
    "mixed.test",
];

/// A service that may reach the site, the decoy, and what else is allowed, and of loopback nothing more.
async fn service(database_url: Option<&str>, site: &WaysSite, allow: &[String]) -> TestApp {
    let dns = start_dns().await.to_string();
    let mut rules = vec![format!("127.0.0.1:{}", site.port), DECOY.to_string()];
    rules.extend_from_slice(allow);
    let rules = rules.join(",");
    let flags = [
        "--listen",
        "0.0.0.0:0",
        "--dns-server",
        &dns,
        "--allow-target",
        &rules,
    ];
    TestApp::with_clock(database_url, &flags, Clock::System).await
}

async fn no_way_leads_past_the_rules(database_url: Option<&str>) {
    let site = WaysSite::start(WaitsFor::Controls).await;
    let controls = site
        .tried()
        .iter()
        .filter_map(|tried| tried.control.as_ref());
    let allow: Vec<String> = controls
        .flat_map(|control| {
            let port = control.port;
            let moving = format!("{port}.moving.test:{port}");
            HOSTS
                .map(|host| format!("{host}:{port}"))
                .into_iter()
                .chain([moving])
        })
        .collect();
    let app = service(database_url, &site, &allow).await;
    // One capture, whose refusals are counted.
    let once = json!({ "agreement": false });
    let project = json!({ "name": "ways", "testOrigin": site.origin(), "captureProfile": once });
    app.client.post("/projects", project).await.ok();
    let job = app.client.run(json!({ "project": "ways" })).await;
    assert_eq!(result(&job, "/")["status"], "SUCCESS", "{job:#}");
    assert_eq!(
        site.not_tried(),
        Vec::<&str>::new(),
        "these ways were not tried"
    );
    assert_eq!(site.reached(), [], "these ways lead past the rules");
    let refused = app.audited("capture.refused").await;
    assert_eq!(refused.len(), 20, "refusals are told within bounds");
    for (number, entry) in refused.iter().enumerate() {
        assert!(!refused[..number].contains(entry), "{entry} is told twice");
        assert_eq!(entry["jobId"], job["jobId"]);
        let address = entry["address"].as_str().unwrap();
        assert!(
            address.starts_with("http") && !address.contains("x.png"),
            "{entry}"
        );
        let rule = entry["rule"].as_str().unwrap();
        assert!(rule.contains(" is loopback ("), "{entry}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_leads_past_the_rules_on_sqlite() {
    no_way_leads_past_the_rules(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_leads_past_the_rules_on_postgres() {
    let url = postgres::fresh_database().await;
    no_way_leads_past_the_rules(Some(&url)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_leads_where_the_operator_allows_it() {
    let site = WaysSite::start(WaitsFor::Canaries).await;
    let allow = ["127.0.0.0/8", "::1"].map(str::to_owned);
    let app = service(None, &site, &allow).await;
    let job = app
        .client
        .run(json!({ "project": "ways", "testOrigin": site.origin() }))
        .await;
    assert_eq!(result(&job, "/")["status"], "SUCCESS", "{job:#}");
    assert_eq!(
        site.not_reached(),
        Vec::<&str>::new(),
        "these ways lead nowhere"
    );
    let by_tcp = site.tried().iter().filter(|tried| tried.control.is_some());
    assert!(by_tcp.count() >= 40);
    // What can only be UDP passes no proxy, whatever is allowed.
    let reached = site.reached();
    for way in UDP_WAYS {
        assert!(
            !reached.iter().any(|(name, _)| *name == way.name),
            "{}",
            way.name
        );
    }
    assert_eq!(app.audited("capture.refused").await, Vec::<Value>::new());
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_leaves_for_a_refused_address_says_which_and_by_which_rule() {
    let site = WaysSite::start(WaitsFor::Canaries).await;
    let app = service(None, &site, &[]).await;
    let paths: Vec<Value> = (0..site.leaves().len())
        .map(|way| json!({ "path": format!("/leaves/{way}") }))
        .collect();
    let request = json!({ "project": "leaves", "testOrigin": site.origin(), "paths": paths });
    let job = app.client.run(request.clone()).await;
    for (number, tried) in site.leaves().iter().enumerate() {
        let page = result(&job, &format!("/leaves/{number}"));
        assert_eq!(page["status"], "ERROR", "{}: {page:#}", tried.way.name);
        let message = page["errorMessage"].as_str().unwrap();
        for part in [
            "127.0.0.1, which is loopback (127.0.0.0/8)",
            "--allow-target",
        ] {
            assert!(message.contains(part), "{}: {message}", tried.way.name);
        }
    }
    assert_eq!(site.reached(), []);
    let refused = app.audited("capture.refused").await;
    for (number, tried) in site.leaves().iter().enumerate() {
        let told = refused.iter().any(|entry| {
            let of_page = entry["url"]
                .as_str()
                .unwrap()
                .ends_with(&format!("/leaves/{number}"));
            let address = entry["address"].as_str().unwrap();
            of_page && address.ends_with(&format!(":{}", tried.canary.port))
        });
        assert!(told, "{} is not in the audit log", tried.way.name);
    }
    app.stop().await;

    let allowed = service(None, &site, &["127.0.0.0/8".to_owned()]).await;
    allowed.client.run(request).await;
    assert_eq!(
        site.reached().len(),
        site.leaves().len(),
        "{:?}",
        site.reached()
    );
    allowed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tls_site_that_is_not_there_is_an_error_in_words() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let app = TestApp::on_sqlite().await;
    let request = json!({ "project": "tls", "testOrigin": format!("https://127.0.0.1:{port}") });
    let job = app.client.run(request).await;
    let message = result(&job, "/")["errorMessage"].as_str().unwrap();
    assert!(
        message.contains("nothing listens at its address"),
        "{message}"
    );
    app.stop().await;
}

/// A proxy with everything on loopback allowed, and a connection to it.
async fn open_proxy() -> (Proxy, tokio::net::TcpStream) {
    let proxy = Proxy::start(TargetPolicy::new(vec![], true)).await.unwrap();
    let stream = tokio::net::TcpStream::connect(proxy.address())
        .await
        .unwrap();
    (proxy, stream)
}

/// Reads until this text has come.
async fn read_until(stream: &mut tokio::net::TcpStream, wanted: &str) -> String {
    let mut seen = Vec::new();
    let read = async {
        while !String::from_utf8_lossy(&seen).contains(wanted) {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).await.unwrap();
            assert!(
                length > 0,
                "it ended with {}",
                String::from_utf8_lossy(&seen)
            );
            seen.extend_from_slice(&piece[..length]);
        }
    };
    let came = tokio::time::timeout(Duration::from_secs(10), read).await;
    assert!(came.is_ok(), "`{wanted}` never came");
    String::from_utf8(seen).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_pass_as_they_come_and_connections_end_with_their_page() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = server.local_addr().unwrap().port();
    let (proxy, mut browser) = open_proxy().await;
    let request = format!(
        "POST http://127.0.0.1:{port}/a?b HTTP/1.1\r\nHost: other\r\nProxy-Connection: keep-alive\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"
    );
    browser.write_all(request.as_bytes()).await.unwrap();
    let (mut upstream, _) = server.accept().await.unwrap();
    let head = read_until(&mut upstream, "one").await;
    assert!(head.starts_with("POST /a?b HTTP/1.1\r\n"), "{head}");
    assert!(
        head.contains(&format!("127.0.0.1:{port}\r\n")) && head.contains("X-Kept: 1"),
        "{head}"
    );
    for hop in ["Proxy-Connection", "X-Hop", "other"] {
        assert!(!head.contains(hop), "{hop} in {head}");
    }
    browser.write_all(b"3\r\ntwo\r\n0\r\n\r\n").await.unwrap();
    read_until(&mut upstream, "two").await;
    // The answer's first piece arrives while its end is not there.
    let answer = b"HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 9\r\n\r\nfirst";
    upstream.write_all(answer).await.unwrap();
    let answered = read_until(&mut browser, "first").await;
    assert!(!answered.contains("Keep-Alive"), "{answered}");
    // A tunnel, and then the page is thrown away.
    let mut tunnel = tokio::net::TcpStream::connect(proxy.address())
        .await
        .unwrap();
    let connect = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n");
    tunnel.write_all(connect.as_bytes()).await.unwrap();
    let (mut far, _) = server.accept().await.unwrap();
    read_until(&mut tunnel, "\r\n\r\n").await;
    tunnel.write_all(b"there").await.unwrap();
    read_until(&mut far, "there").await;
    far.write_all(b"back").await.unwrap();
    read_until(&mut tunnel, "back").await;
    drop(proxy);
    for stream in [&mut browser, &mut tunnel, &mut upstream, &mut far] {
        // What was on its way may still come.
        let mut rest = Vec::new();
        let end =
            tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
        assert!(end.is_ok(), "a connection outlived its page");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_for_a_proxy_is_refused() {
    for line in [
        "GET / HTTP/1.1",
        "GET https://127.0.0.1/ HTTP/1.1",
        "GET ftp://127.0.0.1/ HTTP/1.1",
        "GET http://a:b@127.0.0.1/ HTTP/1.1",
        "CONNECT 127.0.0.1 HTTP/1.1",
    ] {
        let (_proxy, mut stream) = open_proxy().await;
        let request = format!("{line}\r\nHost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{line}: {answer}");
    }
}
