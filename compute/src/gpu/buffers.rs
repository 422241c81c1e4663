//! The buffers of one comparison on the adapter, how pixels get in and results get out.

use std::mem::size_of;

use wgpu::{
    Buffer, BufferDescriptor, BufferSize, BufferUsages, CommandEncoder, Device, MapMode, Queue,
};

use crate::error::Error;
use crate::gpu::chunk::Chunk;
use crate::mask::{BitMask, words_per_row};
use crate::measured::Measured;
use crate::pair::{Pair, Side};
use crate::stages::{Config, Resource};
use crate::tile::{TILE, Tile, tiles_along};

/// Bytes of a word, a pixel or a loss.
const WORD: u64 = 4;

/// Buffers that hold the largest chunk of a comparison.
pub(crate) struct Buffers {
    config: Buffer,
    baseline: Buffer,
    current: Buffer,
    ignored: Buffer,
    changed: Buffer,
    doubtful: Buffer,
    tiles: Buffer,
    losses: Buffer,
    /// All results, one after the other, where the host can read them.
    read_back: Buffer,
}

/// Bytes of each result of a chunk, in the order they are read back.
struct Results {
    bits: u64,
    tiles: u64,
    losses: u64,
}

impl Results {
    fn of(config: &Config) -> Self {
        let tiles_per_row = u64::from(config.tiles_per_row);
        Self {
            bits: u64::from(config.words_per_row) * u64::from(config.rows) * WORD,
            tiles: tiles_per_row * u64::from(tiles_along(config.rows)) * size_of::<Tile>() as u64,
            losses: tiles_per_row * u64::from(config.core_rows) * WORD,
        }
    }

    fn total(&self) -> u64 {
        2 * self.bits + self.tiles + self.losses
    }
}

impl Buffers {
    /// Allocates for chunks of at most `rows` rows of pixels.
    pub(crate) fn new(device: &Device, pair: &Pair<'_>, rows: u32) -> Self {
        let config = Config {
            rows,
            core_rows: tiles_along(rows),
            ..Config::of_page(pair)
        };
        let results = Results::of(&config);
        let pixels = u64::from(config.width) * u64::from(rows) * WORD;
        let ignored = if pair.ignored.is_some() {
            results.bits
        } else {
            WORD
        };
        let buffer = |label, size, usage| {
            device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let output = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        Self {
            config: buffer(
                "config",
                size_of::<Config>() as u64,
                BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            ),
            baseline: buffer("baseline", pixels, input),
            current: buffer("current", pixels, input),
            ignored: buffer("ignored", ignored, input),
            changed: buffer("changed", results.bits, output),
            doubtful: buffer("doubtful", results.bits, output),
            tiles: buffer("tiles", results.tiles, output),
            losses: buffer("losses", results.losses, output),
            read_back: buffer(
                "read back",
                results.total(),
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            ),
        }
    }

    pub(crate) fn of(&self, resource: Resource) -> &Buffer {
        match resource {
            Resource::Config => &self.config,
            Resource::Baseline => &self.baseline,
            Resource::Current => &self.current,
            Resource::Ignored => &self.ignored,
            Resource::Changed => &self.changed,
            Resource::Doubtful => &self.doubtful,
            Resource::Tiles => &self.tiles,
            Resource::Losses => &self.losses,
        }
    }

    /// Writes the settings, pixels and ignored bits of a chunk.
    pub(crate) fn upload(
        &self,
        queue: &Queue,
        pair: &Pair<'_>,
        config: &Config,
    ) -> Result<(), Error> {
        queue.write_buffer(&self.config, 0, bytemuck::bytes_of(config));
        upload_pixels(queue, &self.baseline, pair, Side::Baseline, config)?;
        upload_pixels(queue, &self.current, pair, Side::Current, config)?;
        if let Some(ignored) = &pair.ignored {
            let stride = words_per_row(pair.size.width);
            let words = &ignored.words()[config.first_row as usize * stride..]
                [..config.rows as usize * stride];
            queue.write_buffer(&self.ignored, 0, bytemuck::cast_slice(words));
        }
        Ok(())
    }

    /// Adds the copies of all results to the commands.
    pub(crate) fn encode_read_back(&self, encoder: &mut CommandEncoder, config: &Config) {
        let results = Results::of(config);
        let mut offset = 0;
        let parts = [
            (&self.changed, results.bits),
            (&self.doubtful, results.bits),
            (&self.tiles, results.tiles),
            (&self.losses, results.losses),
        ];
        for (buffer, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, 0, &self.read_back, offset, bytes);
            offset += bytes;
        }
    }

    /// Asks for the results to become readable; the wait for the submission covers it.
    pub(crate) fn map(&self) {
        // A failure shows when the range is taken.
        self.read_back.map_async(MapMode::Read, .., |_| {});
    }

    /// Takes over what counts of a chunk's results.
    pub(crate) fn collect(
        &self,
        pair: &Pair<'_>,
        chunk: &Chunk,
        measured: &mut Measured,
        doubtful_bits: &mut BitMask,
    ) -> Result<(), Error> {
        let config = chunk.config(Config::of_page(pair));
        let results = Results::of(&config);
        let range = self
            .read_back
            .get_mapped_range(..results.total())
            .map_err(|error| Error::Gpu(error.to_string()))?;
        let (changed, rest) = range.split_at(length(results.bits));
        let (doubtful, rest) = rest.split_at(length(results.bits));
        let (tiles, losses) = rest.split_at(length(results.tiles));
        let stride = config.words_per_row as usize;
        let rows = chunk.core_pixel_rows();
        let above = chunk.rows_above_core() as usize;
        let words = rows.start as usize * stride..rows.end as usize * stride;
        let from = above * TILE as usize * stride;
        copy_core(
            &mut measured.changed.words_mut()[words.clone()],
            changed,
            from,
        );
        copy_core(&mut doubtful_bits.words_mut()[words], doubtful, from);
        let columns = config.tiles_per_row as usize;
        let core = chunk.core.start as usize * columns..chunk.core.end as usize * columns;
        copy_core(&mut measured.tiles[core], tiles, above * columns);
        measured.loss += (losses.as_chunks::<4>().0.iter())
            .map(|loss| f64::from(f32::from_le_bytes(*loss)))
            .sum::<f64>();
        drop(range);
        self.read_back.unmap();
        Ok(())
    }
}

/// Writes a picture's rows of a chunk straight into the driver's staging memory.
fn upload_pixels(
    queue: &Queue,
    buffer: &Buffer,
    pair: &Pair<'_>,
    side: Side,
    config: &Config,
) -> Result<(), Error> {
    let stride = config.width as usize * 4;
    let bytes = BufferSize::new((stride * config.rows as usize) as u64)
        .ok_or_else(|| Error::Gpu("an empty chunk".into()))?;
    let mut staging = queue
        .write_buffer_with(buffer, 0, bytes)
        .ok_or_else(|| Error::Gpu("no memory to upload pixels".into()))?;
    let mut row = vec![[0; 4]; config.width as usize];
    for index in 0..config.rows {
        write_row_rgba(pair, side, config.first_row + index, &mut row);
        let start = index as usize * stride;
        staging
            .slice(start..start + stride)
            .copy_from_slice(row.as_flattened());
    }
    Ok(())
}

/// What a picture lacks: white for the score, and translucent, so that the colour stage leaves it to
/// the host.
const MISSING: [u8; 4] = [255, 255, 255, 0];

/// Writes one picture's pixels along a row of the canvas as RGBA.
fn write_row_rgba(pair: &Pair<'_>, side: Side, y: u32, pixels: &mut [[u8; 4]]) {
    pixels.fill(MISSING);
    for (columns, row) in pair.rows_of(side, y) {
        let Some(row) = row else { continue };
        let columns = columns.start as usize..(columns.end as usize).min(pixels.len());
        let pixels = pixels[columns.clone()].iter_mut();
        if row.channels == 3 {
            let (from, _) = row.bytes.as_chunks::<3>();
            for (to, &[r, g, b]) in pixels.zip(from.iter().skip(columns.start)) {
                *to = [r, g, b, 255];
            }
        } else {
            let (from, _) = row.bytes.as_chunks::<4>();
            for (to, from) in pixels.zip(from.iter().skip(columns.start)) {
                *to = *from;
            }
        }
    }
}

/// Copies as many items as fit from the bytes of a result, leaving out the first `skipped`.
fn copy_core<T: bytemuck::Pod>(to: &mut [T], from: &[u8], skipped: usize) {
    let bytes = &from[skipped * size_of::<T>()..][..size_of_val(to)];
    bytemuck::cast_slice_mut(to).copy_from_slice(bytes);
}

/// Bytes of a chunk as a length in memory.
fn length(bytes: u64) -> usize {
    usize::try_from(bytes).expect("a chunk fits memory")
}
