//! Masks as PNG files of one bit a pixel.

use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter, Transformations};

use super::{BitMask, span_bits, words_per_row};
use crate::decode::{accept_canvas, announced_size};
use crate::error::Error;

impl BitMask {
    /// Writes a palette PNG of 1 bit a pixel: set pixels opaque white, all others fully
    /// transparent.
    ///
    /// A browser can use it as it is for CSS `mask-image`.
    ///
    /// # Errors
    /// [`Error::Encode`] when the encoder fails.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, self.size.width, self.size.height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::One);
        encoder.set_palette([0, 0, 0, 255, 255, 255].as_slice());
        encoder.set_trns([0, 255].as_slice());
        encoder.set_compression(Compression::Fast);
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.packed())?;
        writer.finish()?;
        Ok(png)
    }

    /// Reads a mask that [`BitMask::to_png`] wrote.
    ///
    /// # Errors
    /// As [`crate::read_size`], with twice its bounds; [`Error::Corrupt`] when the PNG is damaged or not of 1 bit a pixel.
    pub fn from_png(png: &[u8]) -> Result<Self, Error> {
        let size = accept_canvas(announced_size(png)?)?;
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::IDENTITY);
        let mut reader = decoder.read_info()?;
        if reader.output_color_type() != (ColorType::Indexed, BitDepth::One) {
            return Err(Error::Corrupt(
                "a mask has a palette and 1 bit a pixel".into(),
            ));
        }
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or_default()];
        reader.next_frame(&mut bytes)?;
        let stride = size.width.div_ceil(8) as usize;
        if bytes.len() != stride * size.height as usize {
            return Err(Error::Corrupt("its rows do not fit its header".into()));
        }
        let mut mask = Self::new(size);
        for (y, row) in (0..size.height).zip(bytes.chunks_exact(stride)) {
            mask.unpack_row(y, row);
        }
        Ok(mask)
    }

    /// Rows of bytes as PNG wants them: the leftmost pixel in the highest bit.
    fn packed(&self) -> Vec<u8> {
        let stride = self.size.width.div_ceil(8) as usize;
        let mut bytes = Vec::with_capacity(stride * self.size.height as usize);
        for row in self.words.chunks_exact(words_per_row(self.size.width)) {
            let start = bytes.len();
            bytes.extend(
                row.iter()
                    .flat_map(|word| word.to_le_bytes())
                    .map(u8::reverse_bits),
            );
            bytes.truncate(start + stride);
        }
        bytes
    }

    fn unpack_row(&mut self, y: u32, bytes: &[u8]) {
        let stride = words_per_row(self.size.width);
        let width = self.size.width;
        let row = &mut self.words[y as usize * stride..][..stride];
        for (index, (word, bytes)) in (0..).zip(row.iter_mut().zip(bytes.chunks(4))) {
            let bits = bytes
                .iter()
                .rev()
                .fold(0, |bits, byte| bits << 8 | u32::from(byte.reverse_bits()));
            *word = bits & span_bits(index, 0, width);
        }
    }
}
