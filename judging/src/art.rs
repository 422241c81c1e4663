//! Pictures without a network: small scenes drawn from a seed, as SVG in a data URI.
//!
//! Templates say `src="picture:SEED:WIDTHxHEIGHT"`; [`paint_all`] draws what they name.

use std::fmt::Write as _;

use crate::html::Element;
use crate::random::Random;

const SCHEME: &str = "picture:";
/// Grounds and three tones that go together.
const PALETTES: [[&str; 4]; 8] = [
    ["#dfe9f2", "#6b8fb3", "#2f4f75", "#f2c46d"],
    ["#f4e6d8", "#c98d5f", "#7a4a2b", "#56766a"],
    ["#e4efe3", "#7fae7b", "#3e6b4b", "#d98a6a"],
    ["#efe4f0", "#a87fb0", "#5d3f6b", "#e0b84f"],
    ["#f5efdc", "#d3b04c", "#8a6d1f", "#4d7f94"],
    ["#e2eeee", "#5fa3a3", "#245b5e", "#e58f7b"],
    ["#f6e1e1", "#cf7272", "#7d2f3a", "#8aa06a"],
    ["#e6e6ea", "#8e8fa3", "#3c3d52", "#c9a26b"],
];

/// Draws every picture that the page names by its seed.
pub(crate) fn paint_all(root: &mut Element) {
    root.walk_mut(&mut |element| {
        let Some(named) = element
            .attribute("src")
            .and_then(|src| src.strip_prefix(SCHEME))
        else {
            return;
        };
        let named = named.to_owned();
        let (seed, size) = named.split_once(':').expect("a seed and a size");
        let (width, height) = size.split_once('x').expect("a width and a height");
        let seed = seed.parse().expect("a seed");
        element.set("width", width);
        element.set("height", height);
        repaint(element, seed);
    });
}

/// Puts the picture of another seed into an image, at its size.
pub(crate) fn repaint(image: &mut Element, seed: u64) {
    let side = |name| {
        let value = image.attribute(name).expect("images have a size");
        value.parse().expect("a number")
    };
    let uri = data_uri(&scene(seed, side("width"), side("height")));
    image.set("src", &uri);
}

/// Hills, a disc above them and a few blocks in front.
fn scene(seed: u64, width: u32, height: u32) -> String {
    let mut random = Random::new(seed);
    let [ground, light, dark, accent] = *random.pick(&PALETTES);
    let mut shapes = format!("<rect width='{width}' height='{height}' fill='{ground}'/>");
    let (x, y) = (random.below(width), random.below(height / 2) + height / 8);
    let radius = height / 10 + random.below(height / 6 + 1);
    let _ = write!(
        shapes,
        "<circle cx='{x}' cy='{y}' r='{radius}' fill='{accent}'/>"
    );
    for (fill, base) in [(light, height / 2), (dark, height * 3 / 4)] {
        let mut level = || base + random.below(height / 5 + 1);
        let (left, peak, right) = (level(), level() - height / 4, level());
        let middle = width / 2;
        let _ = write!(
            shapes,
            "<path d='M0 {left} Q{middle} {peak} {width} {right} V{height} H0 Z' fill='{fill}'/>"
        );
    }
    for _ in 0..3 {
        let (side, x) = (
            height / 12 + random.below(height / 8 + 1),
            random.below(width),
        );
        let y = height - side - height / 16;
        let _ = write!(
            shapes,
            "<rect x='{x}' y='{y}' width='{side}' height='{side}' fill='{ground}'/>"
        );
    }
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>{shapes}</svg>")
}

fn data_uri(svg: &str) -> String {
    let escaped = svg
        .replace('#', "%23")
        .replace('<', "%3C")
        .replace('>', "%3E");
    format!("data:image/svg+xml,{escaped}")
}
