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

// One of each for both tiles.
var<workgroup> count: array<atomic<u32>, 2>;
var<workgroup> delta_sum: array<atomic<u32>, 2>;
var<workgroup> delta_max: array<atomic<u32>, 2>;
var<workgroup> left: array<atomic<u32>, 2>;
var<workgroup> top: array<atomic<u32>, 2>;
var<workgroup> right: array<atomic<u32>, 2>;
var<workgroup> bottom: array<atomic<u32>, 2>;

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

@compute @workgroup_size(32, 4)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    if index < TILES_PER_BLOCK {
        atomicStore(&left[index], TILE);
        atomicStore(&top[index], TILE);
    }
    workgroupBarrier();
    let item = item_of(group);
    if item < config.blocks {
        let place = places[item];
        job = jobs[place.job];
        let tile = local.x / TILE;
        let x = place.column * WORD_BITS + local.x;
        var own_count = 0u;
        var own_sum = 0u;
        var own_max = 0u;
        var own_top = TILE;
        var own_bottom = 0u;
        // Only opaque pixels that both pictures have are marked by now; doubtful ones join on the
        // host.
        for (var step = 0u; step < TILE; step += ROWS_PER_STEP) {
            let inside = local.y + step;
            if ((changed[item * TILE + inside] >> local.x) & 1u) == 1u {
                let row = place.row * TILE + inside - job.first_row;
                let before = pixel_at(job.baseline_at, x, row);
                let after = pixel_at(job.current_at, x, row);
                let delta = fixed_delta(channels(before) - channels(after));
                own_count += 1u;
                own_sum += delta >> SUM_SHIFT;
                own_max = max(own_max, delta);
                own_top = min(own_top, inside);
                own_bottom = max(own_bottom, inside);
            }
        }
        if own_count > 0u {
            atomicAdd(&count[tile], own_count);
            atomicAdd(&delta_sum[tile], own_sum);
            atomicMax(&delta_max[tile], own_max);
            atomicMin(&left[tile], local.x % TILE);
            atomicMin(&top[tile], own_top);
            atomicMax(&right[tile], local.x % TILE);
            atomicMax(&bottom[tile], own_bottom);
        }
    }
    workgroupBarrier();
    if item < config.blocks && index < TILES_PER_BLOCK {
        tiles[item * TILES_PER_BLOCK + index] = Tile(
            atomicLoad(&count[index]),
            atomicLoad(&delta_sum[index]),
            atomicLoad(&delta_max[index]),
            atomicLoad(&left[index]),
            atomicLoad(&top[index]),
            atomicLoad(&right[index]),
            atomicLoad(&bottom[index]),
        );
    }
}
