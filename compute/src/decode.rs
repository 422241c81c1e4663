//! From a PNG to rows of RGB or RGBA, with the size checked before anything is allocated.

use png::{ColorType, Decoder, Limits, Reader, Transformations};

use crate::chunks::check_whole;
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::{Rect, Size};
use crate::pixel_chunks::PixelChunks;
use crate::pool::Buffer;

/// Pixels accepted in one picture: a 1280 px wide page of 62,500 rows. Both sides of a pair then
/// fit in 640 MB as RGBA.
pub const MAX_PIXELS: u64 = 80_000_000;

/// Pixels accepted along one side: a multiple of what browsers capture. A row then fits the limits
/// of every adapter.
pub const MAX_SIDE: u32 = 262_144;

/// Bytes the decoder may take for its own tables and chunks; pixels are not counted here.
const DECODER_BYTES: usize = 16 << 20;

/// Signature (8), chunk length (4), chunk name (4), width (4), height (4).
const HEAD_BYTES: usize = 24;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// Decoded pixels, row-major from the top-left, 8 bits a channel, without padding between rows.
pub(crate) struct Image {
    pub(crate) size: Size,
    /// 3 (RGB) or 4 (RGBA, alpha not premultiplied).
    pub(crate) channels: usize,
    pub(crate) data: Buffer,
}

/// Reads the size from a PNG's header, and nothing else of the file.
///
/// # Errors
/// [`Error::NotPng`] when the bytes are no PNG, [`Error::Corrupt`] when a side is 0,
/// [`Error::TooLarge`] beyond [`MAX_PIXELS`] or
/// [`MAX_SIDE`]; [`Error::Unreadable`] when a file on disk cannot be read, or was changed meanwhile.
pub fn read_size<'a>(png: impl Into<FileBytes<'a>>) -> Result<Size, Error> {
    let head = png.into().head(HEAD_BYTES as u64)?;
    accept(announced_size(&head)?)
}

/// Checks what stands around a PNG's pixels: its header, the order and lengths of its chunks up to the last, its palette. Nothing
/// is decoded, so damage of the pixels themselves is not noticed.
///
/// # Errors
/// As [`read_size`]; [`Error::Corrupt`] when the file is cut off, has no pixels, or contradicts itself.
pub fn check_form<'a>(png: impl Into<FileBytes<'a>>) -> Result<(), Error> {
    let (reader, _) = open_reader(png.into())?;
    let info = reader.info();
    if info.color_type == ColorType::Indexed && info.palette.is_none() {
        return Err(Error::Corrupt("its palette is missing".into()));
    }
    Ok(())
}

/// What a file that is no PNG seems to be, by how it begins.
fn seems(file: &[u8]) -> &'static str {
    match file {
        [0xff, 0xd8, 0xff, ..] => "it seems to be a JPEG",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => "it seems to be a WebP",
        [b'G', b'I', b'F', b'8', ..] => "it seems to be a GIF",
        [b'B', b'M', ..] => "it seems to be a BMP",
        [b'<', ..] => "it seems to be HTML, SVG or XML",
        _ => "the signature is missing",
    }
}

/// The size that a PNG's header says, however large.
pub(crate) fn announced_size(png: &[u8]) -> Result<Size, Error> {
    if png.is_empty() {
        return Err(Error::NotPng("it is empty"));
    }
    if !png.starts_with(&SIGNATURE) {
        return Err(Error::NotPng(seems(png)));
    }
    let Some(header) = png.get(8..HEAD_BYTES) else {
        return Err(Error::Corrupt("the header ends early".into()));
    };
    if header[..8] != *b"\0\0\0\x0dIHDR" {
        return Err(Error::NotPng("the header chunk is missing"));
    }
    let number = |at: usize| {
        u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let size = Size {
        width: number(8),
        height: number(12),
    };
    if size.width == 0 || size.height == 0 {
        return Err(Error::Corrupt(format!("its header says {size} pixels")));
    }
    Ok(size)
}

/// Refuses sizes beyond the bounds of a picture.
pub(crate) fn accept(size: Size) -> Result<Size, Error> {
    accept_within(size, 1)
}

/// Refuses sizes beyond the bounds of a canvas: at worst it has all rows of two pictures of the largest size.
pub(crate) fn accept_canvas(size: Size) -> Result<Size, Error> {
    accept_within(size, 2)
}

fn accept_within(size: Size, pictures: u32) -> Result<Size, Error> {
    let (max_pixels, max_side) = (u64::from(pictures) * MAX_PIXELS, pictures * MAX_SIDE);
    if size.pixels() > max_pixels || size.width.max(size.height) > max_side {
        return Err(Error::TooLarge {
            size,
            max_pixels,
            max_side,
        });
    }
    Ok(size)
}

/// A decoder over a file.
pub(crate) type PngReader<'a> = Reader<PixelChunks<'a>>;

/// A decoder ready to hand out rows: grey, palettes and 1 to 4 bits come out as 8-bit samples, 16
/// bits are cut to the upper 8.
pub(crate) fn open_reader(png: FileBytes<'_>) -> Result<(PngReader<'_>, Size), Error> {
    let size = read_size(png)?;
    let mut decoder = Decoder::new_with_limits(
        PixelChunks::of(png)?,
        Limits {
            bytes: DECODER_BYTES,
        },
    );
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    // Checksums cost a tenth of the decoding; damage shows in the compressed stream, and stored
    // captures are named by their hash.
    decoder.ignore_checksums(true);
    check_whole(png)?;
    let mut reader = decoder.read_info()?;
    let palette = reader.info().palette.as_ref();
    if palette.is_some_and(|colors| !colors.len().is_multiple_of(3)) {
        return Err(Error::Corrupt("its palette ends within a colour".into()));
    }
    let samples = reader.output_color_type().0.samples();
    if reader.output_buffer_size() != Some(pixel_count(size) * samples) {
        return Err(Error::Corrupt("its rows do not fit its header".into()));
    }
    let info = reader.info();
    if info.animation_control.is_some() && info.frame_control.is_none() {
        // The picture in front of the animation is for viewers that know no animations.
        reader.next_frame_info()?;
    }
    let area = frame_area(&reader, size);
    if u64::from(area.x) + u64::from(area.width) > size.width.into()
        || u64::from(area.y) + u64::from(area.height) > size.height.into()
    {
        return Err(Error::Corrupt("its first frame lies outside of it".into()));
    }
    Ok((reader, size))
}

/// The part of the picture that the frame to be decoded fills: column and row of its corner, and its size. The first frame
/// of an animation may leave some of it out.
pub(crate) fn frame_area(reader: &PngReader<'_>, size: Size) -> Rect {
    reader.info().frame_control.map_or(
        Rect {
            x: 0,
            y: 0,
            width: size.width,
            height: size.height,
        },
        |frame| Rect {
            x: frame.x_offset,
            y: frame.y_offset,
            width: frame.width,
            height: frame.height,
        },
    )
}

/// Decodes a whole RGB or RGBA picture as the `png` crate does it.
#[cfg(test)]
pub(crate) fn decode_by_crate(png: &[u8]) -> Image {
    let (mut reader, size) = open_reader(png.into()).unwrap();
    let channels = reader.output_color_type().0.samples();
    let mut data = Buffer::take(pixel_count(size) * channels);
    reader.next_frame(&mut data).unwrap();
    Image {
        size,
        channels,
        data,
    }
}

impl Image {
    /// Opaque pixels of these greys (of column and row), in 3 or 4 channels.
    #[cfg(test)]
    pub(crate) fn of_greys(size: Size, channels: usize, grey: impl Fn(u32, u32) -> u8) -> Self {
        let pixels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        let mut data = Buffer::take(size.width as usize * size.height as usize * channels);
        for (pixel, (x, y)) in data.chunks_exact_mut(channels).zip(pixels) {
            let grey = grey(x, y);
            pixel.copy_from_slice(&[grey, grey, grey, 255][..channels]);
        }
        Self {
            size,
            channels,
            data,
        }
    }

    /// The bytes of one row; `None` below the picture.
    pub(crate) fn row(&self, y: u32) -> Option<&[u8]> {
        let stride = self.size.width as usize * self.channels;
        let start = y as usize * stride;
        if y < self.size.height {
            self.data.get(start..start + stride)
        } else {
            None
        }
    }
}

/// Three or four bytes as RGBA.
pub(crate) fn rgba(bytes: &[u8]) -> [u8; 4] {
    [
        bytes[0],
        bytes[1],
        bytes[2],
        bytes.get(3).copied().unwrap_or(255),
    ]
}

/// Pixels of a checked size; at most those of a canvas, so it fits a `usize`.
pub(crate) fn pixel_count(size: Size) -> usize {
    size.width as usize * size.height as usize
}

impl From<png::DecodingError> for Error {
    fn from(error: png::DecodingError) -> Self {
        Self::Corrupt(match error {
            // The decoder calls some damage an error of reading, too; those of the system have a number.
            png::DecodingError::IoError(error) if error.raw_os_error().is_some() => {
                return error.into();
            }
            png::DecodingError::LimitsExceeded => {
                format!("what it holds beside its pixels takes more than {DECODER_BYTES} bytes")
            }
            error => {
                let why = error.to_string();
                // For some chunks the decoder prints what it knows of them.
                if why.contains('{') {
                    "it has a chunk that is unknown, damaged, or not where it belongs".to_owned()
                } else {
                    why.trim_end_matches('.').to_owned()
                }
            }
        })
    }
}
