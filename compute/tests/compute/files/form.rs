//! A picture in each kind of PNG file, and the writer of its chunks.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pentimento_compute::{Rect, Size};

use crate::pages::Page;

/// Odd sides, so that no pass of an interlaced file is full, and more rows than are decoded into one piece of memory.
pub(super) const SIZE: Size = Size {
    width: 13,
    height: 139,
};

/// First column and row of each pass of an interlaced file, and the steps to the next ones.
const PASSES: [[u32; 4]; 7] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
];

/// A kind of file.
pub(super) struct Form {
    pub(super) name: &'static str,
    /// The colour type's number.
    pub(super) color: u8,
    depth: u8,
    palette: Vec<u8>,
    transparent: Vec<u8>,
    /// The samples of a shade, of which there are 16.
    samples: fn(u16) -> Vec<u16>,
    /// The pixel that they are.
    pub(super) pixel: fn(u8) -> [u8; 4],
}

impl Form {
    fn new(
        name: &'static str,
        (color, depth): (u8, u8),
        samples: fn(u16) -> Vec<u16>,
        pixel: fn(u8) -> [u8; 4],
    ) -> Self {
        Self {
            name,
            color,
            depth,
            palette: Vec::new(),
            transparent: Vec::new(),
            samples,
            pixel,
        }
    }
}

pub(super) fn forms() -> Vec<Form> {
    greys()
        .into_iter()
        .chain(colours())
        .chain(palettes())
        .collect()
}

fn greys() -> [Form; 8] {
    [
        Form::new(
            "1-bit grey",
            (0, 1),
            |s| vec![s % 2],
            |s| opaque_grey(s % 2 * 255),
        ),
        Form::new(
            "2-bit grey",
            (0, 2),
            |s| vec![s % 4],
            |s| opaque_grey(s % 4 * 85),
        ),
        Form::new("4-bit grey", (0, 4), |s| vec![s], |s| opaque_grey(s * 17)),
        Form::new(
            "8-bit grey",
            (0, 8),
            |s| vec![s * 16 + 3],
            |s| opaque_grey(s * 16 + 3),
        ),
        Form::new(
            "16-bit grey",
            (0, 16),
            |s| vec![s << 12 | 0x0fe],
            |s| opaque_grey(s << 4),
        ),
        Form {
            transparent: vec![0, 3],
            ..Form::new(
                "4-bit grey with a transparent shade",
                (0, 4),
                |s| vec![s],
                |s| [s * 17, s * 17, s * 17, if s == 3 { 0 } else { 255 }],
            )
        },
        Form::new(
            "8-bit grey and alpha",
            (4, 8),
            |s| vec![s * 16, s * 17],
            |s| [s * 16, s * 16, s * 16, s * 17],
        ),
        Form::new(
            "16-bit grey and alpha",
            (4, 16),
            |s| vec![s << 12, s << 12 | 0xfff],
            |s| [s << 4, s << 4, s << 4, s << 4 | 15],
        ),
    ]
}

fn colours() -> [Form; 6] {
    [
        Form::new(
            "8-bit RGB",
            (2, 8),
            |s| vec![s * 16, 7, 255 - s],
            |s| [s * 16, 7, 255 - s, 255],
        ),
        Form::new(
            "16-bit RGB",
            (2, 16),
            |s| vec![s << 12, 0x0780, 0xffff],
            |s| [s << 4, 7, 255, 255],
        ),
        Form {
            transparent: vec![0, 80, 0, 7, 0, 9],
            ..Form::new(
                "8-bit RGB with a transparent colour",
                (2, 8),
                |s| vec![s * 16, 7, 9],
                |s| [s * 16, 7, 9, if s == 5 { 0 } else { 255 }],
            )
        },
        // Colours that differ in their lower bytes alone: one of them is the transparent one.
        Form {
            transparent: vec![1, 3, 0, 0, 0, 0],
            ..Form::new(
                "16-bit RGB with a transparent colour",
                (2, 16),
                |s| vec![0x0100 | s, 0, 0],
                |s| [1, 0, 0, if s == 3 { 0 } else { 255 }],
            )
        },
        Form::new(
            "8-bit RGBA",
            (6, 8),
            |s| vec![s, 2 * s, 9, s * 17],
            |s| [s, 2 * s, 9, s * 17],
        ),
        Form::new(
            "16-bit RGBA",
            (6, 16),
            |s| vec![s << 8, 0x02ff, 9, 0xff00 - (s << 8)],
            |s| [s, 2, 0, 255 - s],
        ),
    ]
}

fn palettes() -> [Form; 4] {
    let palette = |entries: u8| {
        (0..entries)
            .flat_map(|at| [at * 15, 255 - at * 9, at])
            .collect()
    };
    [
        Form {
            palette: palette(2),
            ..Form::new("1-bit palette", (3, 1), |s| vec![s % 2], |s| entry(s % 2))
        },
        Form {
            palette: palette(4),
            ..Form::new("2-bit palette", (3, 2), |s| vec![s % 4], |s| entry(s % 4))
        },
        Form {
            palette: palette(16),
            transparent: vec![255, 0, 128],
            ..Form::new(
                "4-bit palette, some of it transparent",
                (3, 4),
                |s| vec![s],
                |s| {
                    let [r, g, b, _] = entry(s);
                    [
                        r,
                        g,
                        b,
                        [255, 0, 128].get(usize::from(s)).copied().unwrap_or(255),
                    ]
                },
            )
        },
        Form {
            palette: palette(17),
            ..Form::new("8-bit palette", (3, 8), |s| vec![s + 1], |s| entry(s + 1))
        },
    ]
}

fn opaque_grey(shade: u8) -> [u8; 4] {
    [shade, shade, shade, 255]
}

fn entry(at: u8) -> [u8; 4] {
    [at * 15, 255 - at * 9, at, 255]
}

/// The shade of each pixel; `turn` makes another picture of it.
pub(super) fn shade(x: u32, y: u32, turn: u32) -> u8 {
    u8::try_from((x * 5 + y * 3 + x * y + turn) % 16).unwrap()
}

impl Form {
    pub(super) fn page(&self, turn: u32) -> Page {
        Page::drawn(SIZE.width, SIZE.height, |x, y| {
            (self.pixel)(shade(x, y, turn))
        })
    }

    /// The compressed rows of an area of the picture.
    pub(super) fn rows(&self, area: Rect, turn: u32, interlaced: bool) -> Vec<u8> {
        let whole = [[0, 0, 1, 1]];
        let passes = if interlaced { &PASSES[..] } else { &whole };
        let mut raw = ZlibEncoder::new(Vec::new(), Compression::fast());
        for &[first_x, first_y, step_x, step_y] in passes {
            for y in (first_y..area.height).step_by(step_y as usize) {
                let columns = (first_x..area.width).step_by(step_x as usize);
                let samples: Vec<u16> = columns
                    .flat_map(|x| (self.samples)(shade(area.x + x, area.y + y, turn).into()))
                    .collect();
                if !samples.is_empty() {
                    raw.write_all(&[0]).unwrap();
                    raw.write_all(&packed(&samples, self.depth)).unwrap();
                }
            }
        }
        raw.finish().unwrap()
    }

    /// A file of these chunks between the header with its colours and the end.
    pub(super) fn file(&self, interlaced: bool, chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut header = [SIZE.width, SIZE.height].map(u32::to_be_bytes).concat();
        header.extend([self.depth, self.color, 0, 0, interlaced.into()]);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut file, *b"IHDR", &header);
        for (name, colors) in [(b"PLTE", &self.palette), (b"tRNS", &self.transparent)] {
            if !colors.is_empty() {
                chunk(&mut file, *name, colors);
            }
        }
        for (name, contents) in chunks {
            chunk(&mut file, **name, contents);
        }
        chunk(&mut file, *b"IEND", &[]);
        file
    }
}

/// Samples side by side, most significant bits first, up to whole bytes.
fn packed(samples: &[u16], depth: u8) -> Vec<u8> {
    if depth == 16 {
        return samples
            .iter()
            .flat_map(|sample| sample.to_be_bytes())
            .collect();
    }
    let of_byte = usize::from(8 / depth);
    let byte = |samples: &[u16]| {
        let places = (1..=8 / depth).map(|at| 8 - at * depth);
        let bits = samples
            .iter()
            .zip(places)
            .map(|(sample, place)| sample << place);
        u8::try_from(bits.sum::<u16>()).unwrap()
    };
    samples.chunks(of_byte).map(byte).collect()
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], contents: &[u8]) {
    let mut checksum = flate2::Crc::new();
    checksum.update(&name);
    checksum.update(contents);
    file.extend(u32::try_from(contents.len()).unwrap().to_be_bytes());
    file.extend(name);
    file.extend(contents);
    file.extend(checksum.sum().to_be_bytes());
}
