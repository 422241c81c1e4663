//! How long parsing and comparing documents takes, by size and kind of change.
//!
//! `cargo bench -p pentimento-document`. Three nodes of five carry 29 styles, as many as our own
//! captures record: 10 MB of JSON for 20,000 nodes.

use std::fmt::Write;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use pentimento_document::{Document, compare};

const NODES: [usize; 2] = [5000, 20_000];
/// Nodes of a card: itself, a heading, a picture, a paragraph and a link in it.
const CARD: usize = 5;

fn main() {
    divan::main();
}

/// What happened between the two documents.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// A banner at the top, which displaces everything.
    Banner,
    /// Every tenth text, and every fiftieth card gone.
    Heavy,
    /// All texts are others.
    Rewritten,
}

#[divan::bench(args = NODES)]
fn parse(bencher: Bencher<'_, '_>, nodes: usize) {
    let json = page(nodes, None);
    let bytes = BytesCount::new(json.len());
    bencher
        .counter(bytes)
        .bench(|| Document::parse(json.as_bytes()));
}

#[divan::bench(args = NODES)]
fn compare_identical(bencher: Bencher<'_, '_>, nodes: usize) {
    bench_compare(bencher, nodes, None);
}

#[divan::bench(args = NODES)]
fn compare_banner(bencher: Bencher<'_, '_>, nodes: usize) {
    bench_compare(bencher, nodes, Some(Change::Banner));
}

#[divan::bench(args = NODES)]
fn compare_heavy(bencher: Bencher<'_, '_>, nodes: usize) {
    bench_compare(bencher, nodes, Some(Change::Heavy));
}

#[divan::bench(args = NODES)]
fn compare_rewritten(bencher: Bencher<'_, '_>, nodes: usize) {
    bench_compare(bencher, nodes, Some(Change::Rewritten));
}

#[divan::bench(args = NODES)]
fn parse_both_and_compare(bencher: Bencher<'_, '_>, nodes: usize) {
    let (before, after) = (page(nodes, None), page(nodes, Some(Change::Heavy)));
    bencher.counter(ItemsCount::new(nodes)).bench(|| {
        let [before, after] = [&before, &after].map(|json| read(json));
        compare(&before, &after)
    });
}

fn bench_compare(bencher: Bencher<'_, '_>, nodes: usize, change: Option<Change>) {
    let (before, after) = (read(&page(nodes, None)), read(&page(nodes, change)));
    bencher
        .counter(ItemsCount::new(nodes))
        .bench(|| compare(&before, &after));
}

fn read(json: &str) -> Document {
    Document::parse(json.as_bytes()).expect("the page is a tree")
}

/// Sections of twelve cards each.
fn page(nodes: usize, change: Option<Change>) -> String {
    let mut json = String::from(
        "{\"tagName\":\"body\",\"rect\":{\"x\":0,\"y\":0,\"w\":1280,\"h\":90000},\"children\":[",
    );
    let mut top = 0;
    if change == Some(Change::Banner) {
        json.push_str("{\"tagName\":\"aside\",\"text\":\"Sale\",\"rect\":{\"x\":0,\"y\":0,\"w\":1280,\"h\":80}},");
        top = 80;
    }
    for section in 0..nodes / (12 * CARD) {
        if section > 0 {
            json.push(',');
        }
        let y = top + section * 400;
        write!(
            json,
            "{{\"tagName\":\"section\",\"className\":\"grid\",{},\"children\":[",
            place(0, y, 1280, 400)
        )
        .expect("a string");
        let cards =
            (0..12).filter(|card| change != Some(Change::Heavy) || (section * 12 + card) % 50 != 7);
        for (at, card) in cards.enumerate() {
            if at > 0 {
                json.push(',');
            }
            push_card(
                &mut json,
                section * 12 + card,
                (at % 4 * 320, y + at / 4 * 130),
                change,
            );
        }
        json.push_str("]}");
    }
    json.push_str("]}");
    json
}

fn place(x: usize, y: usize, w: usize, h: usize) -> String {
    format!("\"rect\":{{\"x\":{x},\"y\":{y},\"w\":{w},\"h\":{h}}}")
}

fn push_card(json: &mut String, number: usize, (x, y): (usize, usize), change: Option<Change>) {
    let text = match change {
        Some(Change::Heavy) if number % 10 == 3 => "was edited in the night",
        Some(Change::Rewritten) => "reads otherwise today",
        _ => "costs less than yesterday",
    };
    let word = if change == Some(Change::Rewritten) {
        "Offer"
    } else {
        "Product"
    };
    write!(
        json,
        "{{\"tagName\":\"div\",\"className\":\"card c{}\",{},{},\"children\":[\
         {{\"tagName\":\"h3\",{},{},\"text\":\"{word} {number}\"}},\
         {{\"tagName\":\"img\",{},\"src\":\"/img/{number}.png\"}},\
         {{\"tagName\":\"p\",{},{},\"text\":\"{word} {number} {text}\"}},\
         {{\"tagName\":\"a\",{},\"href\":\"/p/{number}\",\"text\":\"Buy\"}}]}}",
        number % 3,
        place(x, y, 300, 120),
        styles(number % 2),
        place(x, y, 300, 20),
        styles(2),
        place(x, y + 20, 300, 50),
        place(x, y + 70, 300, 30),
        styles(3 + number % 5),
        place(x, y + 100, 300, 20),
    )
    .expect("a string");
}

/// As long as the styles of our own captures.
fn styles(number: usize) -> String {
    let pairs: Vec<String> = (0..29)
        .map(|at| format!("\"property-{at}\":\"{} value\"", number * (at % 7)))
        .collect();
    format!("\"styles\":{{{}}}", pairs.join(","))
}
