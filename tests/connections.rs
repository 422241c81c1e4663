//! Connections: what asks for nothing is closed, what takes long goes on, and how many there may be.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use futures::StreamExt;
use pentimento::listen::{self, Limits};
use pentimento::routes;
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::app::TestApp as App;
use crate::support::client::Client;
use crate::support::uploads::{picture, tree};

const ORIGIN: &str = "http://shop.test";

/// A request that anybody may send.
const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/// Longest wait for what must happen.
const WAIT: Duration = Duration::from_secs(90);

/// Less patience than the service has.
const HASTY: Limits = Limits {
    connections: 100,
    patience: Duration::from_millis(500),
    idle: Duration::from_millis(500),
};

/// The interface of a service on another port, within limits of its own.
struct Listening {
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Listening {
    async fn start(app: &App, limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = routes::router(app.service.app.clone());
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let serving = tokio::spawn(async move {
            listen::serve(listener, router, limits, &stopped).await;
        });
        Self {
            address,
            stop,
            serving,
        }
    }

    fn client(&self, app: &App) -> Client {
        Client::new(format!("http://{}", self.address), app.client.key.clone())
    }

    async fn stop(self) {
        self.stop.cancel();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.serving);
        ended.await.expect("it ends in time").unwrap();
    }
}

async fn connect(address: SocketAddr, sent: &[u8]) -> TcpStream {
    let mut line = TcpStream::connect(address).await.unwrap();
    line.write_all(sent).await.unwrap();
    line
}

/// What is answered until the connection is closed.
async fn until_closed(mut line: TcpStream) -> String {
    let mut answer = Vec::new();
    // In which way it is closed does not matter.
    let _ = tokio::time::timeout(WAIT, line.read_to_end(&mut answer))
        .await
        .expect("it is closed");
    String::from_utf8_lossy(&answer).into_owned()
}

/// An upload that takes twice as long as [`HASTY`] waits for a head.
fn slow_upload(client: &Client, link: &str) -> RequestBuilder {
    let file = picture([0, 128, 128], 3);
    let parts: Vec<Vec<u8>> = file.chunks(file.len() / 8).map(<[u8]>::to_vec).collect();
    let parts = futures::stream::iter(parts).then(|part| async move {
        tokio::time::sleep(HASTY.patience / 4).await;
        Ok::<_, std::io::Error>(part)
    });
    client
        .put_request(link, "image/png")
        .body(reqwest::Body::wrap_stream(parts))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_asks_for_nothing_is_closed() {
    let app = App::on_sqlite().await;
    let listening = Listening::start(&app, HASTY).await;
    for begun in [
        &b""[..],
        b"G",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
        b"PRI * HTTP/2.0\r\n",
    ] {
        let answer = until_closed(connect(listening.address, begun).await).await;
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // A byte now and then is no head either.
    let mut line = connect(listening.address, b"GET /healthz HTTP/1.1\r\nX: ").await;
    let trickle = async {
        while line.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(WAIT, trickle)
        .await
        .expect("it is closed");
    // Nor is the silence after an answer.
    let answer = until_closed(connect(listening.address, HEALTH).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    listening.stop().await;
    app.stop().await;
}

/// Such answers are the library's, which has no place for a body of ours: what is told of them must stay true.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_as_a_request_is_refused_without_a_body_as_it_is_told() {
    let app = App::on_sqlite().await;
    let long = |count: usize| format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(count - 1));
    let headed = |count: usize| format!("GET / HTTP/1.1\r\n{}\r\n", "X: x\r\n".repeat(count));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/limits.md")).unwrap();
    let description: Value = serde_json::from_str(routes::openapi_json()).unwrap();
    let told = description["info"]["description"].as_str().unwrap();
    for (request, status) in [
        ("GET / HTTP/1.1\r\nno header\r\n\r\n".to_owned(), 400),
        (long(65_535), 414),
        (headed(101), 431),
        (
            format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(600 * 1024)),
            431,
        ),
    ] {
        let mut line = TcpStream::connect(app.service.address).await.unwrap();
        // It may be closed before all of it is sent.
        let _ = line.write_all(request.as_bytes()).await;
        let answer = until_closed(line).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        assert!(
            head.starts_with(&format!("HTTP/1.1 {status} ")),
            "{status}: {answer}"
        );
        assert_eq!(body, "", "{status}");
        assert!(told.contains(&format!("({status})")), "{status}: {told}");
        assert!(page.contains(&format!("| {status} | The")), "{status}");
    }
    // Below these bounds the service answers itself.
    for request in [long(65_534), headed(100)] {
        let mut line = connect(app.service.address, request.as_bytes()).await;
        let mut begun = [0; 12];
        line.read_exact(&mut begun).await.unwrap();
        assert!(
            !begun.ends_with(b"414") && !begun.ends_with(b"431"),
            "{begun:?}"
        );
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_waits_a_minute() {
    let app = App::on_sqlite().await;
    let begun = Instant::now();
    let answer = until_closed(connect(app.service.address, b"").await).await;
    assert_eq!(answer, "");
    assert!(begun.elapsed() > Duration::from_secs(50));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_and_uploads_take_longer_than_heads_may() {
    let app = App::on_sqlite().await;
    let listening = Listening::start(&app, HASTY).await;
    let client = listening.client(&app);
    let job = client.init("long", ORIGIN).await;
    let mut stream = client.stream(&format!("/job/{job}/events")).await;
    stream.until("status").await;
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    assert!(links.screenshot.starts_with(&client.base));
    let stored = client.send(slow_upload(&client, &links.screenshot)).await;
    assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
    let dom = tree("Welcome").to_string().into_bytes();
    let stored = client.put_file(&links.dom, "application/json", dom).await;
    assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
    client.finalize(&job).await.ok();
    stream.until("end").await;
    listening.stop().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_at_the_end_is_answered() {
    let app = App::on_sqlite().await;
    let listening = Listening::start(&app, HASTY).await;
    let client = listening.client(&app);
    let job = client.init("long", ORIGIN).await;
    let links = client.links(&job, &format!("{ORIGIN}/")).await;
    let uploading = client.send(slow_upload(&client, &links.screenshot));
    let stopping = async {
        tokio::time::sleep(HASTY.patience).await;
        listening.stop().await;
    };
    let (stored, ()) = tokio::join!(uploading, stopping);
    assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_nothing_of_an_answer_is_closed() {
    const REQUESTS: usize = 200;
    let app = App::on_sqlite().await;
    let listening = Listening::start(&app, HASTY).await;
    let many = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(REQUESTS);
    let line = connect(listening.address, &many).await;
    tokio::time::sleep(HASTY.patience * 4).await;
    let answers = until_closed(line).await;
    let answered = answers.matches("HTTP/1.1 200").count();
    assert!((1..REQUESTS).contains(&answered), "{answered}");
    listening.stop().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_most_connections_the_next_one_waits_for_a_place() {
    let app = App::on_sqlite().await;
    let limits = Limits {
        connections: 2,
        ..Limits::default()
    };
    let listening = Listening::start(&app, limits).await;
    let mut read = [0; 16];
    let mut held = Vec::new();
    for _ in 0..limits.connections {
        let mut line = connect(listening.address, HEALTH).await;
        line.read_exact(&mut read).await.unwrap();
        held.push(line);
    }
    let mut third = connect(listening.address, HEALTH).await;
    let early = tokio::time::timeout(HASTY.patience, third.read_exact(&mut read)).await;
    assert!(early.is_err(), "it was served");
    drop(held.pop());
    tokio::time::timeout(WAIT, third.read_exact(&mut read))
        .await
        .expect("its turn comes")
        .unwrap();
    assert_eq!(&read[..12], b"HTTP/1.1 200");
    listening.stop().await;
    app.stop().await;
}
