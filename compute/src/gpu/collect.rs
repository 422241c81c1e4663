//! Results of a batch on their way into what was measured of each pair.

use crate::gpu::batch::Batch;
use crate::gpu::buffers::OUTPUTS;
use crate::gpu::chunk::TILES_PER_BLOCK;
use crate::mask::{BitMask, words_per_row};
use crate::measured::Measured;
use crate::stages::Place;
use crate::tile::{TILE, Tile, pixel_rows};

/// What is known of one pair so far.
pub(crate) struct Found {
    pub(crate) measured: Measured,
    /// Pixels left to the host, if there are any.
    pub(crate) doubtful: Option<BitMask>,
}

/// Takes over the results of a batch; `found` has one entry a pair.
pub(crate) fn collect(batch: &Batch<'_>, outputs: [&[u8]; OUTPUTS.len()], found: &mut [Found]) {
    let [changed, anti_aliased, doubtful, tiles, losses] = outputs;
    let (changed, anti_aliased, doubtful) = (words(changed), words(anti_aliased), words(doubtful));
    let tiles: &[Tile] = bytemuck::cast_slice(tiles);
    let per_block = TILES_PER_BLOCK as usize;
    for (index, place) in batch.lists.blocks.iter().enumerate() {
        let found = found_for(batch, place, found);
        let rows = index * TILE as usize..(index + 1) * TILE as usize;
        put_bits(&mut found.measured.changed, place, &changed[rows.clone()]);
        put_bits(
            &mut found.measured.anti_aliased,
            place,
            &anti_aliased[rows.clone()],
        );
        let doubtful = &doubtful[rows];
        if doubtful.iter().any(|&word| word != 0) {
            let size = found.measured.changed.size();
            let mask = (found.doubtful).get_or_insert_with(|| BitMask::new(size));
            put_bits(mask, place, doubtful);
        }
        put_tiles(found, place, &tiles[index * per_block..][..per_block]);
    }
    for (place, loss) in batch
        .lists
        .stacks
        .iter()
        .zip(bytemuck::cast_slice::<u8, f32>(losses))
    {
        found_for(batch, place, found).measured.loss += f64::from(*loss);
    }
}

fn found_for<'f>(batch: &Batch<'_>, place: &Place, found: &'f mut [Found]) -> &'f mut Found {
    &mut found[batch.parts[place.job as usize].pair_index]
}

fn words(bytes: &[u8]) -> &[u32] {
    bytemuck::cast_slice(bytes)
}

/// Puts a block's bits on the mask, which is empty there.
fn put_bits(mask: &mut BitMask, place: &Place, bits: &[u32]) {
    if bits.iter().all(|&word| word == 0) {
        return;
    }
    let stride = words_per_row(mask.size().width);
    let rows = pixel_rows(place.row, mask.size().height);
    let words = mask.words_mut();
    for (y, &bits) in rows.zip(bits) {
        words[y as usize * stride + place.column as usize] = bits;
    }
}

fn put_tiles(found: &mut Found, place: &Place, tiles: &[Tile]) {
    let columns = found.measured.changed.size().width.div_ceil(TILE) as usize;
    let first = (place.column * TILES_PER_BLOCK) as usize;
    // The last block of a row can have a single tile.
    let row = &mut found.measured.tiles[place.row as usize * columns..][..columns][first..];
    for (to, tile) in row.iter_mut().zip(tiles) {
        *to = *tile;
    }
}
