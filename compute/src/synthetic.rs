//! Pairs of pages made in code, for measuring and checking on machines that have no others.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder};

use crate::error::Error;
use crate::geometry::Size;

/// What happened between baseline and current picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// A line of text in the middle reads otherwise.
    TextEdit,
    /// A coloured box in the upper half has another colour.
    Recolour,
    /// A block of text moved by three pixels, all else stayed.
    Shift,
    /// Every edge of every letter is smoothed otherwise.
    Smoothing,
    /// Every second pixel has another colour.
    Heavy,
    /// Random colours.
    Noise,
    /// A box became translucent.
    Translucent,
    /// All of it is black: flat areas far apart, where a score of short floats loses most.
    Blackout,
}

impl Change {
    pub(crate) const ALL: [Self; 8] = [
        Self::TextEdit,
        Self::Recolour,
        Self::Shift,
        Self::Smoothing,
        Self::Heavy,
        Self::Noise,
        Self::Translucent,
        Self::Blackout,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::TextEdit => "text edit",
            Self::Recolour => "recolour",
            Self::Shift => "shift in place",
            Self::Smoothing => "smoothing",
            Self::Heavy => "heavy",
            Self::Noise => "noise",
            Self::Translucent => "translucent",
            Self::Blackout => "blackout",
        }
    }
}

/// The files of a page before and after a change.
pub(crate) fn pair(size: Size, change: Change) -> Result<[Vec<u8>; 2], Error> {
    let color = match change {
        Change::Translucent => ColorType::Rgba,
        _ => ColorType::Rgb,
    };
    let before = encode(size, color, |x, y| page(size, x, y, 0))?;
    let after = encode(size, color, |x, y| changed(size, change, x, y))?;
    Ok([before, after])
}

/// Which share of a page's rows is inserted; half as many are removed.
const BAND_SHARE: u32 = 8;

/// The files of a page, and of the same page with rows removed, others inserted further down, and a line edited below: as
/// tall as a sixteenth more.
pub(crate) fn banded_pair(size: Size) -> Result<[Vec<u8>; 2], Error> {
    let inserted = size.height / BAND_SHARE;
    let (removed, middle) = (inserted / 2, size.height / 2);
    let after = Size {
        height: size.height + inserted - removed,
        ..size
    };
    let shown = |x: u32, y: u32| {
        if y < middle / 2 {
            page(size, x, y, 0)
        } else if y < middle {
            page(size, x, y + removed, 0)
        } else if y < middle + inserted {
            // Text that stands nowhere else on the page.
            page(size, x, y + 20 * size.height, 0)
        } else {
            let before = y + removed - inserted;
            let is_edited = (3 * middle / 2..3 * middle / 2 + 20).contains(&before);
            page(size, if is_edited { x + 57 } else { x }, before, 0)
        }
    };
    Ok([
        encode(size, ColorType::Rgb, |x, y| page(size, x, y, 0))?,
        encode(after, ColorType::Rgb, shown)?,
    ])
}

fn changed(size: Size, change: Change, x: u32, y: u32) -> [u8; 4] {
    let middle = size.height / 2;
    let box_side = size.width.min(size.height) / 3;
    let in_box = x / 2 < box_side && (box_side..2 * box_side).contains(&y);
    let before = page(size, x, y, 0);
    let [red, green, blue, _] = before;
    match change {
        Change::TextEdit if (middle..middle + 20).contains(&y) => page(size, x + 57, y, 0),
        Change::Recolour if in_box => [blue, red, green / 2, 255],
        Change::Shift if in_box => page(size, x + 3, y, 0),
        Change::Smoothing => page(size, x, y, 90),
        Change::Heavy if (x + y).is_multiple_of(2) => {
            [red / 2 + 20, green / 2 + 60, 255 - blue / 2, 255]
        }
        Change::Noise => {
            let [red, green, blue, _] = mix(x, y).to_le_bytes();
            [red, green, blue, 255]
        }
        Change::Translucent if in_box => [red, green, blue, 140],
        Change::Blackout => [0, 0, 0, 255],
        _ => before,
    }
}

/// A page of words on white, with soft edges: the ink of an edge pixel is a shade between.
fn page(size: Size, x: u32, y: u32, softness: u8) -> [u8; 4] {
    let word = mix(x / 9, y / 20 + size.width);
    let (in_word, in_line) = (x % 9, y % 20);
    if in_line >= 11 || word >> 28 < 4 || in_word >= 8 {
        return [255; 4];
    }
    let stroke = (x ^ (y / 2)) % 4;
    let shade = match stroke {
        0 => 40,
        1 | 3 => 130 + (word.to_le_bytes()[0] >> 3) - softness,
        _ => 250,
    };
    [shade, shade, shade.saturating_add(8), 255]
}

/// Bits that look random but hang on the place alone.
fn mix(x: u32, y: u32) -> u32 {
    let bits = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
    (bits ^ bits >> 15).wrapping_mul(0x2c1b_3c6d) ^ bits >> 7
}

fn encode(
    size: Size,
    color: ColorType,
    pixel: impl Fn(u32, u32) -> [u8; 4],
) -> Result<Vec<u8>, Error> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, size.width, size.height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fastest);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let channels = if color == ColorType::Rgba { 4 } else { 3 };
    let mut row = Vec::with_capacity(size.width as usize * channels);
    for y in 0..size.height {
        row.clear();
        row.extend((0..size.width).flat_map(|x| pixel(x, y).into_iter().take(channels)));
        stream
            .write_all(&row)
            .map_err(|error| Error::Encode(error.to_string()))?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(png)
}
