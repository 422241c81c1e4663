// Stage `ssim`: what the windows centred in each tile lose. Twin of `compute/src/cpu/ssim.rs`;
// `compute/src/score.rs` has the definition. One workgroup filters one tile, each thread ends up
// with one window.
//
// 32-bit floats lose what they need when a variance is the difference of two large squares. So
// both passes take variances about their own mean, and add them up by the law of total variance:
// the variance of a window is the mean of its rows' variances plus the variance of its rows' means.

struct Tile {
    changed: u32,
    differing: u32,
    delta_sum: u32,
    delta_max: u32,
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

@group(0) @binding(4) var<storage, read> tiles: array<Tile>;
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

// Pixels from a window's centre to its edge, and along its side.
const RADIUS: u32 = 5u;
const WINDOW: u32 = 11u;
// Pixels along one side of what a tile's windows cover.
const SPAN: u32 = 26u;
const SPAN_PIXELS: u32 = 676u;
const SPAN_ROWS: u32 = 416u;
const THREADS: u32 = 256u;

var<workgroup> dirty: u32;
// Sum and difference of both lumas, for every pixel that a window of the tile covers.
var<workgroup> pixels: array<vec2<f32>, 676>;
// Means (xy) and variances (zw) of both along the rows, for 16 columns of all 26 rows.
var<workgroup> row_moments: array<vec4<f32>, 416>;
var<workgroup> partial: array<f32, 256>;

// BT.601 luma over white, exact in units of LUMA_ONE.
fn luma(pixel: u32) -> i32 {
    let color = channels(pixel);
    let opaque = 299 * color.x + 587 * color.y + 114 * color.z;
    return 255 * LUMA_ONE - (LUMA_ONE - opaque) * i32(pixel >> 24u);
}

// The pixel that stands for a position, which is at most RADIUS before the axis. Short axes are
// mirrored; on others only windows that do not count reach beyond.
fn inside(at: i32, length: u32) -> u32 {
    let size = i32(length);
    if length >= WINDOW {
        return u32(clamp(at, 0, size - 1));
    }
    // Twelve times the length is a whole number of periods, and more than RADIUS: no remainder of a
    // negative number is taken, which drivers disagree about.
    let folded = (at + 12 * size) % (2 * size);
    return u32(select(2 * size - 1 - folded, folded, folded < size));
}

// Whether a window centred at a position of an axis counts.
fn counts(at: u32, length: u32) -> bool {
    if length < WINDOW {
        return at < length;
    }
    return at >= RADIUS && at < length - RADIUS;
}

fn weight(tap: u32) -> f32 {
    return config.weights[tap / 4u][tap % 4u];
}

// Whether the tile or one of its eight neighbours has a differing pixel.
fn touches_difference(column: u32, row: u32) -> bool {
    let tile_rows = (config.rows + TILE - 1u) / TILE;
    var differing = 0u;
    for (var y = max(row, 1u) - 1u; y < min(row + 2u, tile_rows); y++) {
        for (var x = max(column, 1u) - 1u; x < min(column + 2u, config.tiles_per_row); x++) {
            differing += tiles[y * config.tiles_per_row + x].differing;
        }
    }
    return differing > 0u;
}

// Sum and difference of both lumas at a place of the page; ignored places are white in both.
fn sum_and_difference(x: u32, y: u32) -> vec2<f32> {
    // Clamped for windows that do not count only.
    let row = clamp(y, config.first_row, config.first_row + config.rows - 1u) - config.first_row;
    if is_ignored(x, row) {
        return vec2<f32>(510.0, 0.0);
    }
    let before = luma(baseline[row * config.width + x]);
    let after = luma(current[row * config.width + x]);
    // Subtracted as whole numbers, so that the difference keeps its digits.
    return vec2<f32>(vec2<i32>(before + after, before - after)) / f32(LUMA_ONE);
}

// Mean and variance along a row of eleven pixels.
fn filter_row(first: u32) -> vec4<f32> {
    var mean = vec2<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        mean += weight(tap) * pixels[first + tap];
    }
    var variance = vec2<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let off = pixels[first + tap] - mean;
        variance += weight(tap) * off * off;
    }
    return vec4<f32>(mean, variance);
}

// Mean and variance of a window from those of its eleven rows.
fn filter_column(first: u32) -> vec4<f32> {
    var mean = vec2<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        mean += weight(tap) * row_moments[first + tap * TILE].xy;
    }
    var variance = vec2<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let row = row_moments[first + tap * TILE];
        let off = row.xy - mean;
        variance += weight(tap) * (row.zw + off * off);
    }
    return vec4<f32>(mean, variance);
}

// What one window loses, 1 − SSIM, from means (xy) and variances (zw) of sum and difference.
fn loss(moments: vec4<f32>) -> f32 {
    let squares = moments.xy * moments.xy;
    let luminance = squares.y / ((squares.x + squares.y) * 0.5 + config.ssim_c1);
    let structure = moments.w / ((moments.z + moments.w) * 0.5 + config.ssim_c2);
    return luminance + structure - luminance * structure;
}

@compute @workgroup_size(16, 16)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let column = group.x;
    let tile_row = config.core_first + group.y;
    let place = group.y * config.tiles_per_row + column;
    if index == 0u {
        dirty = select(0u, 1u, touches_difference(column, tile_row));
        if dirty == 0u {
            losses[place] = 0.0;
        }
    }
    if workgroupUniformLoad(&dirty) == 0u {
        return;
    }

    let corner = vec2<u32>(column * TILE, config.first_row + tile_row * TILE);
    for (var at = index; at < SPAN_PIXELS; at += THREADS) {
        let x = inside(i32(corner.x + at % SPAN) - i32(RADIUS), config.width);
        let y = inside(i32(corner.y + at / SPAN) - i32(RADIUS), config.height);
        pixels[at] = sum_and_difference(x, y);
    }
    workgroupBarrier();
    for (var at = index; at < SPAN_ROWS; at += THREADS) {
        row_moments[at] = filter_row(at / TILE * SPAN + at % TILE);
    }
    workgroupBarrier();
    let x = corner.x + local.x;
    let y = corner.y + local.y;
    partial[index] = 0.0;
    if counts(x, config.width) && counts(y, config.height)
        && !is_ignored(x, y - config.first_row) {
        partial[index] = loss(filter_column(local.y * TILE + local.x));
    }
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if index < half {
            partial[index] += partial[index + half];
        }
        workgroupBarrier();
    }
    if index == 0u {
        losses[place] = partial[0];
    }
}
