// Stage `tiles`: count, distances and box of each tile's changed pixels. Twin of
// `compute/src/cpu/tiles.rs`. One workgroup sums both tiles of a block, each thread four of its
// pixels.

struct Tile {
    changed: u32,
    // In 1/256 of the squared YIQ distance.
    delta_sum: u32,
    // In 1/65536.
    delta_max: u32,
    // Box around the changed pixels inside the tile, both ends included.
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

@group(0) @binding(4) var<storage, read> changed: array<u32>;
@group(0) @binding(5) var<storage, read_write> tiles: array<Tile>;

// The block's rows of changed bits.
var<workgroup> rows: array<u32, 16>;
// One of each for both tiles.
var<workgroup> delta_sum: array<atomic<u32>, 2>;
var<workgroup> delta_max: array<atomic<u32>, 2>;

const ROWS_PER_STEP: u32 = 4u;
const TILES_PER_BLOCK: u32 = 2u;

// Squared YIQ distance of two opaque pixels in 1/65536. Terms wrap around, their sum cannot.
fn fixed_delta(difference: vec3<i32>) -> u32 {
    let r = difference.x;
    let g = difference.y;
    let b = difference.z;
    let squares = config.rr * (r * r) + config.gg * (g * g) + config.bb * (b * b);
    let products = config.rg * (r * g) + config.rb * (r * b) + config.gb * (g * b);
    return u32(squares + products);
}

// Counts a tile's changed pixels and draws the box around them.
fn summary(tile: u32) -> Tile {
    var count = 0u;
    var columns = 0u;
    var lines = 0u;
    for (var row = 0u; row < TILE; row++) {
        let bits = (rows[row] >> (tile * TILE)) & 0xffffu;
        count += countOneBits(bits);
        columns |= bits;
        lines |= select(0u, 1u, bits != 0u) << row;
    }
    let sum = atomicLoad(&delta_sum[tile]);
    let most = atomicLoad(&delta_max[tile]);
    if count == 0u {
        return Tile(0u, sum, most, TILE, TILE, 0u, 0u);
    }
    return Tile(
        count,
        sum,
        most,
        firstTrailingBit(columns),
        firstTrailingBit(lines),
        firstLeadingBit(columns),
        firstLeadingBit(lines),
    );
}

@compute @workgroup_size(32, 4)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // Groups beyond the end of the list do the last item's work again.
    let item = min(item_of(group), config.blocks - 1u);
    if index < TILES_PER_BLOCK {
        atomicStore(&delta_sum[index], 0u);
        atomicStore(&delta_max[index], 0u);
    }
    if index < TILE {
        rows[index] = changed[item * TILE + index];
    }
    workgroupBarrier();
    let place = places[item];
    job = jobs[place.job];
    let x = place.column * WORD_BITS + local.x;
    var own_sum = 0u;
    var own_max = 0u;
    // Only opaque pixels that both pictures have are marked by now; doubtful ones join on the host.
    for (var step = 0u; step < TILE; step += ROWS_PER_STEP) {
        let inside = local.y + step;
        if ((rows[inside] >> local.x) & 1u) == 1u {
            let row = place.row * TILE + inside - job.first_row;
            let before = pixel_at(job.baseline_at, x, row);
            let after = pixel_at(job.current_at, x, row);
            let delta = fixed_delta(channels(before) - channels(after));
            own_sum += delta >> SUM_SHIFT;
            own_max = max(own_max, delta);
        }
    }
    if own_max > 0u {
        atomicAdd(&delta_sum[local.x / TILE], own_sum);
        atomicMax(&delta_max[local.x / TILE], own_max);
    }
    workgroupBarrier();
    if index < TILES_PER_BLOCK {
        tiles[item * TILES_PER_BLOCK + index] = summary(index);
    }
}
