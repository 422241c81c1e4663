//! Rows of RGB into a PNG, one row at a time so that the whole picture never lies in memory
//! uncompressed.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder};

use crate::error::Error;
use crate::geometry::Size;

/// Encodes `size.height` rows; `draw` fills the bytes of the row it is given.
pub(crate) fn encode_rgb(
    size: Size,
    mut draw: impl FnMut(u32, &mut [u8]),
) -> Result<Vec<u8>, Error> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, size.width, size.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let mut row = vec![0; size.width as usize * 3];
    for y in 0..size.height {
        draw(y, &mut row);
        stream
            .write_all(&row)
            .map_err(|error| Error::Encode(error.to_string()))?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(png)
}
