// Stage `tiles`: count, distances and box of each tile's changed pixels. Twin of
// `compute/src/cpu/tiles.rs`. One workgroup sums one tile, each thread four of its pixels.

struct Tile {
    changed: u32,
    differing: u32,
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

var<workgroup> count: atomic<u32>;
var<workgroup> differing: atomic<u32>;
var<workgroup> delta_sum: atomic<u32>;
var<workgroup> delta_max: atomic<u32>;
var<workgroup> left: atomic<u32>;
var<workgroup> top: atomic<u32>;
var<workgroup> right: atomic<u32>;
var<workgroup> bottom: atomic<u32>;

const ROWS_PER_STEP: u32 = 4u;

// Counts one pixel, if it is not ignored and differs; a doubtful one joins the changed ones later,
// on the host.
fn add_pixel(x: u32, row: u32, inside: vec2<u32>) {
    let before = baseline[row * config.width + x];
    let after = current[row * config.width + x];
    if before == after || is_ignored(x, row) {
        return;
    }
    atomicAdd(&differing, 1u);
    let word = changed[row * config.words_per_row + x / WORD_BITS];
    if ((word >> (x % WORD_BITS)) & 1u) == 0u {
        return;
    }
    // Only opaque pixels are marked by now.
    let delta = fixed_delta(channels(before) - channels(after));
    atomicAdd(&count, 1u);
    atomicAdd(&delta_sum, delta >> SUM_SHIFT);
    atomicMax(&delta_max, delta);
    atomicMin(&left, inside.x);
    atomicMin(&top, inside.y);
    atomicMax(&right, inside.x);
    atomicMax(&bottom, inside.y);
}

@compute @workgroup_size(16, 4)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    if index == 0u {
        atomicStore(&left, TILE);
        atomicStore(&top, TILE);
    }
    workgroupBarrier();
    let x = group.x * TILE + local.x;
    for (var step = 0u; step < TILE; step += ROWS_PER_STEP) {
        let inside = vec2<u32>(local.x, local.y + step);
        let row = group.y * TILE + inside.y;
        if x < config.width && row < config.rows {
            add_pixel(x, row, inside);
        }
    }
    workgroupBarrier();
    if index == 0u {
        tiles[group.y * config.tiles_per_row + group.x] = Tile(
            atomicLoad(&count),
            atomicLoad(&differing),
            atomicLoad(&delta_sum),
            atomicLoad(&delta_max),
            atomicLoad(&left),
            atomicLoad(&top),
            atomicLoad(&right),
            atomicLoad(&bottom),
        );
    }
}
