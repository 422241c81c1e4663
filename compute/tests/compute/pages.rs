//! Pictures made in code: flat, noisy, shaded, or with bars that look like lines of text.

use std::io::Cursor;

use pentimento_compute::{BitMask, Rect, Size};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder};

pub(crate) const WHITE: [u8; 4] = [255; 4];
pub(crate) const BLACK: [u8; 4] = [0, 0, 0, 255];

/// A picture to draw on.
#[derive(Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) size: Size,
    pixels: Vec<[u8; 4]>,
}

impl Page {
    pub(crate) fn flat(width: u32, height: u32, color: [u8; 4]) -> Self {
        Self {
            size: Size { width, height },
            pixels: vec![color; width as usize * height as usize],
        }
    }

    /// Each pixel from its coordinates.
    pub(crate) fn drawn(width: u32, height: u32, color: impl Fn(u32, u32) -> [u8; 4]) -> Self {
        let mut page = Self::flat(width, height, WHITE);
        for (index, pixel) in (0..).zip(&mut page.pixels) {
            *pixel = color(index % width, index / width);
        }
        page
    }

    /// Random opaque colours; the same for the same seed.
    pub(crate) fn noise(width: u32, height: u32, seed: u64) -> Self {
        Self::drawn(width, height, |x, y| {
            let [r, g, b, ..] = random(seed, x, y);
            [r, g, b, 255]
        })
    }

    /// Random colours with random transparency.
    pub(crate) fn translucent_noise(width: u32, height: u32, seed: u64) -> Self {
        Self::drawn(width, height, |x, y| {
            let [r, g, b, a, ..] = random(seed, x, y);
            [r, g, b, a]
        })
    }

    /// Colours that run smoothly along both axes.
    pub(crate) fn gradient(width: u32, height: u32) -> Self {
        Self::drawn(width, height, |x, y| {
            [low(x), low(y), low(u32::midpoint(x, y)), 255]
        })
    }

    /// Dark bars of word length on white, in lines 20 pixels apart.
    pub(crate) fn text(width: u32, height: u32) -> Self {
        Self::drawn(width, height, |x, y| {
            let [word, ..] = random(7, x / 9, y / 20);
            let ink = y % 20 < 11 && word > 60 && (x ^ y) % 3 != 0;
            if ink { [40, 40, 48, 255] } else { WHITE }
        })
    }

    /// Lines of text that no other seed has, 20 pixels apart; nearly all rows with ink are unique.
    pub(crate) fn prose(width: u32, height: u32, seed: u64) -> Self {
        Self::drawn(width, height, |x, y| {
            let [word, ..] = random(seed, x / 9, y / 20);
            let [letter, ..] = random(seed + 1, x / 3, y);
            let ink = y % 20 < 11 && word > 60 && letter > 90;
            if ink { [40, 40, 48, 255] } else { WHITE }
        })
    }

    /// Ranges of rows of other pages, which must be equally wide, below each other.
    pub(crate) fn stacked(parts: &[(&Self, std::ops::Range<u32>)]) -> Self {
        let width = parts[0].0.size.width;
        let pixels: Vec<[u8; 4]> = parts
            .iter()
            .flat_map(|(page, rows)| {
                assert_eq!(page.size.width, width);
                &page.pixels[(rows.start * width) as usize..(rows.end * width) as usize]
            })
            .copied()
            .collect();
        let height = parts.iter().map(|(_, rows)| rows.end - rows.start).sum();
        Self {
            size: Size { width, height },
            pixels,
        }
    }

    /// Two pages of one height beside each other.
    pub(crate) fn beside(&self, right: &Self) -> Self {
        assert_eq!(self.size.height, right.size.height);
        let left = self.size.width;
        Self::drawn(left + right.size.width, self.size.height, |x, y| {
            if x < left {
                self.color_at(x, y)
            } else {
                right.color_at(x - left, y)
            }
        })
    }

    /// Inverts the colour of one pixel: beyond the default threshold on any page of black and white.
    pub(crate) fn inverted_at(self, x: u32, y: u32) -> Self {
        let [red, green, blue, alpha] = self.color_at(x, y);
        self.pixel(x, y, [255 - red, 255 - green, 255 - blue, alpha])
    }

    pub(crate) fn fill(mut self, area: Rect, color: [u8; 4]) -> Self {
        for y in area.y..area.bottom().min(self.size.height) {
            for x in area.x..area.right().min(self.size.width) {
                self.pixels[y as usize * self.size.width as usize + x as usize] = color;
            }
        }
        self
    }

    pub(crate) fn pixel(self, x: u32, y: u32, color: [u8; 4]) -> Self {
        self.fill(rect(x, y, 1, 1), color)
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.pixels.iter().all(|pixel| pixel[3] == 255)
    }

    pub(crate) fn color_at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[y as usize * self.size.width as usize + x as usize]
    }

    /// RGBA with 8 bits a channel.
    pub(crate) fn png(&self) -> Vec<u8> {
        encode(
            self.size,
            (ColorType::Rgba, BitDepth::Eight),
            self.pixels.as_flattened(),
        )
    }

    /// RGB with 8 bits a channel, as browsers write opaque screenshots.
    pub(crate) fn opaque_png(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|&[r, g, b, _]| [r, g, b])
            .collect();
        encode(self.size, (ColorType::Rgb, BitDepth::Eight), &bytes)
    }

    /// The mask whose bits are the white pixels.
    pub(crate) fn as_mask(&self) -> BitMask {
        let mut bytes = Vec::new();
        for row in self.pixels.chunks(self.size.width as usize) {
            bytes.extend(row.chunks(8).map(|pixels| {
                (pixels.iter().zip((0..8).rev()))
                    .map(|(&pixel, bit)| u8::from(pixel == WHITE) << bit)
                    .sum::<u8>()
            }));
        }
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, self.size.width, self.size.height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::One);
        encoder.set_palette([0, 0, 0, 255, 255, 255].as_slice());
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&bytes).unwrap();
        writer.finish().unwrap();
        BitMask::from_png(&png).unwrap()
    }

    /// Reads any PNG that this crate writes.
    pub(crate) fn read(png: &[u8]) -> Self {
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(frame.color_type, ColorType::Rgba);
        Self {
            size: Size {
                width: frame.width,
                height: frame.height,
            },
            pixels: bytes.as_chunks::<4>().0.to_vec(),
        }
    }
}

/// Encodes raw samples.
pub(crate) fn encode(size: Size, (color, depth): (ColorType, BitDepth), samples: &[u8]) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, size.width, size.height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fastest);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(samples).unwrap();
    writer.finish().unwrap();
    png
}

pub(crate) fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
    Rect {
        x,
        y,
        width,
        height,
    }
}

/// Eight bytes that look random but hang on nothing else (the finalizer of `SplitMix64`).
pub(crate) fn random(seed: u64, x: u32, y: u32) -> [u8; 8] {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (u64::from(x) << 32 | u64::from(y));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ bits >> 31).to_le_bytes()
}

fn low(value: u32) -> u8 {
    value.to_le_bytes()[0]
}
