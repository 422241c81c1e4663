//! Pixels on their way to the adapter: from the decoded strips straight into mapped memory, by
//! several threads when there is much of it.

use std::ops::Range;
use std::thread::scope;

use wgpu::{Buffer, WriteOnly};

use crate::error::Error;
use crate::gpu::batch::Batch;
use crate::gpu::chunk::Part;
use crate::pair::Side;
use crate::raster::row::Row;
use crate::stages::RGB_WORDS;
use crate::workers;

/// Bytes that one thread writes before another is worth its start: writing them takes some 0.15 ms, a
/// start some 0.05 ms.
const BYTES_PER_THREAD: u64 = 1 << 20;

/// Threads at most; a few saturate the way to mapped memory.
const MOST_THREADS: usize = 4;

/// Bytes of a piece, so that threads get about the same.
const PIECE_BYTES: u32 = 1 << 20;

/// Some rows of one picture's pixels of a part.
struct Piece<'b, 'p> {
    part: &'b Part<'p>,
    side: Side,
    rows: Range<u32>,
    offset: u64,
}

/// Writes all pixels of a batch from an offset of the staging buffer on, by about so many threads.
///
/// `on_card` says of each part whether its baseline lies on the card already, which leaves a gap.
pub(crate) fn write_pixels(
    staging: &Buffer,
    offset: u64,
    batch: &Batch<'_>,
    on_card: &[bool],
    threads: usize,
) -> Result<(), Error> {
    let mut end = offset;
    let mut pieces = Vec::new();
    for (part, &on_card) in batch.parts.iter().zip(on_card) {
        let row_bytes = 4 * part.words_per_row();
        let step = (PIECE_BYTES / row_bytes).max(1);
        for side in [Side::Baseline, Side::Current] {
            for first in part.rows.clone().step_by(step as usize) {
                let rows = first..(first + step).min(part.rows.end);
                let bytes = u64::from(row_bytes) * u64::from(rows.end - rows.start);
                if side == Side::Current || !on_card {
                    pieces.push(Piece {
                        part,
                        side,
                        rows,
                        offset: end,
                    });
                }
                end += bytes;
            }
        }
    }
    if threads == 1 {
        return write_pieces(staging, &pieces);
    }
    let share = (end - offset).div_ceil(threads as u64);
    let shares: Vec<&[Piece<'_, '_>]> = pieces
        .chunk_by(|one, other| (one.offset - offset) / share == (other.offset - offset) / share)
        .collect();
    // Not the pool's threads: who waits for those takes up other work, which can be a comparison
    // that waits for the adapter.
    scope(|scope| {
        let started: Vec<_> = shares
            .into_iter()
            .map(|pieces| scope.spawn(|| write_pieces(staging, pieces)))
            .collect();
        started
            .into_iter()
            .try_for_each(|thread| thread.join().expect("copying rows does not panic"))
    })
}

/// As many threads as are worth their start for so many bytes.
pub(crate) fn thread_count(bytes: u64) -> usize {
    workers::apart_at_most(bytes / BYTES_PER_THREAD, MOST_THREADS)
}

fn write_pieces(staging: &Buffer, pieces: &[Piece<'_, '_>]) -> Result<(), Error> {
    for piece in pieces {
        let stride = piece.part.words_per_row() as usize * 4;
        let bytes = piece.rows.len() * stride;
        let mut view = staging
            .get_mapped_range_mut(piece.offset..piece.offset + bytes as u64)
            .map_err(|error| Error::Gpu(error.to_string()))?;
        for (index, y) in piece.rows.clone().enumerate() {
            let row = view.slice(index * stride..(index + 1) * stride);
            write_row(piece.part, piece.side, y, row);
        }
    }
    Ok(())
}

/// Writes one picture's pixels along a row of the canvas: white where it has none.
fn write_row(part: &Part<'_>, side: Side, y: u32, mut row: WriteOnly<'_, [u8]>) {
    let width = part.pair.size.width;
    let channels = if part.pixel_words == RGB_WORDS { 3 } else { 4 };
    let mut at = 0;
    for (columns, source) in part.pair.rows_of(side, y) {
        let end = columns.end.min(width);
        let mut drawn = columns.start;
        if let Some(source) = source {
            let until = end.min(source.width()).max(drawn);
            let bytes = (until - drawn) as usize * channels;
            write_pixels_of(source, drawn..until, channels, row.slice(at..at + bytes));
            at += bytes;
            drawn = until;
        }
        let missing = (end - drawn) as usize * channels;
        row.slice(at..at + missing).fill(255);
        at += missing;
    }
}

fn write_pixels_of(
    source: Row<'_>,
    columns: Range<u32>,
    channels: usize,
    mut to: WriteOnly<'_, [u8]>,
) {
    let bytes = source.part(columns);
    if source.channels == channels {
        to.copy_from_slice(bytes);
        return;
    }
    let (pixels, _) = bytes.as_chunks::<3>();
    let (to, _) = to.into_chunks::<4>();
    for (to, &[r, g, b]) in to.into_iter().zip(pixels) {
        to.write([r, g, b, 255]);
    }
}
