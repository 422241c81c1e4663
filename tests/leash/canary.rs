//! Listeners that count who comes, and a DNS server whose names lead to them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};

/// An address that the tests allow: a name that leads there and elsewhere is to be refused, or to reach nothing else.
pub(crate) const DECOY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// A port of its own that counts connections, or datagrams.
pub(crate) struct Canary {
    pub(crate) port: u16,
    reached: Arc<AtomicU32>,
    decoyed: Arc<AtomicU32>,
}

impl Canary {
    /// Listens by TCP at every address of this machine.
    pub(crate) async fn tcp() -> Self {
        let listener = TcpListener::bind("[::]:0").await.unwrap();
        let canary = Self::at(listener.local_addr().unwrap());
        let (reached, decoyed) = (canary.reached.clone(), canary.decoyed.clone());
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let at = stream.local_addr().unwrap().ip().to_canonical();
                let counter = if at == IpAddr::V4(DECOY) {
                    &decoyed
                } else {
                    &reached
                };
                counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    let _ = stream.read(&mut [0; 4096]).await;
                    let answer =
                        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                    let _ = stream.write_all(answer).await;
                });
            }
        });
        canary
    }

    /// Listens by UDP on loopback.
    pub(crate) async fn udp() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let canary = Self::at(socket.local_addr().unwrap());
        let reached = canary.reached.clone();
        tokio::spawn(async move {
            while socket.recv_from(&mut [0; 2048]).await.is_ok() {
                reached.fetch_add(1, Ordering::SeqCst);
            }
        });
        canary
    }

    fn at(address: SocketAddr) -> Self {
        Self {
            port: address.port(),
            reached: Arc::default(),
            decoyed: Arc::default(),
        }
    }

    /// How often it was reached, other than at the decoy.
    pub(crate) fn reached(&self) -> u32 {
        self.reached.load(Ordering::SeqCst)
    }

    /// How often it was reached at the decoy.
    pub(crate) fn decoyed(&self) -> u32 {
        self.decoyed.load(Ordering::SeqCst)
    }
}

/// Serves `inside.test` (loopback), `mixed.test` (the decoy and loopback) and names under `moving.test` (each now the decoy
/// and now loopback, from one question to the next).
pub(crate) async fn start_dns() -> SocketAddr {
    start_failing_dns(|_| false).await
}

/// The same, which to some of the questions, counted from 1, says that it failed.
pub(crate) async fn start_failing_dns(
    mut fails: impl FnMut(u32) -> bool + Send + 'static,
) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut turns, mut asked) = (HashMap::new(), 0);
        let mut query = [0; 1232];
        while let Ok((length, from)) = socket.recv_from(&mut query).await {
            let mut answer = answer(&query[..length], &mut turns);
            asked += 1;
            if fails(asked) {
                // SERVFAIL; what else is in the answer is of no account then.
                answer[3] |= 2;
            }
            let _ = socket.send_to(&answer, from).await;
        }
    });
    address
}

/// The answer to a query with one question (RFC 1035, section 4.1).
fn answer(query: &[u8], turns: &mut HashMap<String, usize>) -> Vec<u8> {
    let mut labels = Vec::new();
    let mut at = 12;
    while query[at] != 0 {
        let end = at + 1 + usize::from(query[at]);
        labels.push(String::from_utf8_lossy(&query[at + 1..end]).to_lowercase());
        at = end;
    }
    let question = &query[12..at + 5];
    let is_for_ipv4 = query[at + 1..at + 3] == [0, 1];
    let loopback = Ipv4Addr::LOCALHOST;
    let name = labels.join(".");
    let addresses = match name.as_str() {
        _ if !is_for_ipv4 => vec![],
        "inside.test" => vec![loopback],
        "mixed.test" => vec![loopback, DECOY],
        name if name.ends_with(".moving.test") => {
            let turn = turns.entry(name.to_owned()).or_default();
            *turn += 1;
            // The decoy first and loopback next; then in no rhythm that two who ask in turn could fall into (the
            // Thue-Morse sequence).
            vec![[loopback, DECOY][(*turn + 1_usize).count_ones() as usize % 2]]
        }
        _ => vec![],
    };
    let mut answer = query[..2].to_vec();
    // An answer with authority, without an error: one question, so many records, nothing more.
    answer.extend([
        0x85,
        0x80,
        0,
        1,
        0,
        u8::try_from(addresses.len()).unwrap(),
        0,
        0,
        0,
        0,
    ]);
    answer.extend(question);
    for address in addresses {
        // The name of the question; an IPv4 address of the internet; to be kept for no time; four bytes.
        answer.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
        answer.extend(address.octets());
    }
    answer
}
