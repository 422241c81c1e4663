// Stage `ssim`: what the windows centred in each tile lose. Twin of `compute/src/cpu/ssim.rs`;
// `compute/src/score.rs` has the definition. One workgroup filters one tile; each thread filters
// four neighbours at once and keeps the values that they share in registers.
//
// 32-bit floats lose what they need when a variance is the difference of two large squares. So
// both passes take variances about their own mean, and add them up by the law of total variance:
// the variance of a window is the mean of its rows' variances plus the variance of its rows' means.

@group(0) @binding(4) var<storage, read> marks: array<u32>;
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

// Pixels from a window's centre to its edge, and along its side.
const RADIUS: u32 = 5u;
const WINDOW: u32 = 11u;
// Pixels along one side of what a tile's windows cover.
const SPAN: u32 = 26u;
const SPAN_PIXELS: u32 = 676u;
// An odd distance between rows keeps threads on neighbouring rows from waiting for each other's
// memory.
const SPAN_STRIDE: u32 = 27u;
const THREADS: u32 = 64u;
// Neighbours that one thread filters, and the items of both passes.
const AT_ONCE: u32 = 4u;
const ROW_ITEMS: u32 = 104u;

// Sum and difference of both lumas, for every pixel that a window of the tile covers.
var<workgroup> lumas: array<vec2<f32>, 702>;
// Means (xy) and variances (zw) of both along the rows, for 16 columns of all 26 rows.
var<workgroup> row_moments: array<vec4<f32>, 416>;
var<workgroup> partial: array<f32, 64>;

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

// `row` counted from the job's first.
fn is_ignored(x: u32, row: u32) -> bool {
    if job.ignored_at == NONE {
        return false;
    }
    let word = marks[job.ignored_at + row * job.words_per_row + x / WORD_BITS];
    return ((word >> (x % WORD_BITS)) & 1u) == 1u;
}

// Sum and difference of both lumas at a place of the canvas; ignored places are white in both.
fn sum_and_difference(x: u32, y: u32) -> vec2<f32> {
    // Clamped for windows that do not count only.
    let row = clamp(y, job.first_row, job.first_row + job.rows - 1u) - job.first_row;
    if is_ignored(x, row) {
        return vec2<f32>(510.0, 0.0);
    }
    let before = luma(pixel_at(job.baseline_at, x, row));
    let after = luma(pixel_at(job.current_at, x, row));
    // Subtracted as whole numbers, so that the difference keeps its digits.
    return vec2<f32>(vec2<i32>(before + after, before - after)) / f32(LUMA_ONE);
}

// Values of four neighbours, of which one moves on: the first goes, another comes.
fn moved_on(four: vec4<f32>, next: f32) -> vec4<f32> {
    return vec4<f32>(four.yzw, next);
}

// Means and variances along four rows of eleven pixels that begin one after the other.
fn filter_rows(row: u32, column: u32) {
    let first = row * SPAN_STRIDE + column;
    let first_sums = vec4<f32>(0.0, lumas[first].x, lumas[first + 1u].x, lumas[first + 2u].x);
    let first_differences =
        vec4<f32>(0.0, lumas[first].y, lumas[first + 1u].y, lumas[first + 2u].y);
    var sums = first_sums;
    var differences = first_differences;
    var mean_sum = vec4<f32>(0.0);
    var mean_difference = vec4<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let next = lumas[first + tap + 3u];
        sums = moved_on(sums, next.x);
        differences = moved_on(differences, next.y);
        mean_sum += weight(tap) * sums;
        mean_difference += weight(tap) * differences;
    }
    sums = first_sums;
    differences = first_differences;
    var variance_sum = vec4<f32>(0.0);
    var variance_difference = vec4<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let next = lumas[first + tap + 3u];
        sums = moved_on(sums, next.x);
        differences = moved_on(differences, next.y);
        let sum_off = sums - mean_sum;
        let difference_off = differences - mean_difference;
        variance_sum += weight(tap) * sum_off * sum_off;
        variance_difference += weight(tap) * difference_off * difference_off;
    }
    let place = row * TILE + column;
    row_moments[place] =
        vec4<f32>(mean_sum.x, mean_difference.x, variance_sum.x, variance_difference.x);
    row_moments[place + 1u] =
        vec4<f32>(mean_sum.y, mean_difference.y, variance_sum.y, variance_difference.y);
    row_moments[place + 2u] =
        vec4<f32>(mean_sum.z, mean_difference.z, variance_sum.z, variance_difference.z);
    row_moments[place + 3u] =
        vec4<f32>(mean_sum.w, mean_difference.w, variance_sum.w, variance_difference.w);
}

// What one window loses, 1 − SSIM; here of four at once.
fn losses_of(
    mean_sum: vec4<f32>,
    mean_difference: vec4<f32>,
    variance_sum: vec4<f32>,
    variance_difference: vec4<f32>,
) -> vec4<f32> {
    let sum = mean_sum * mean_sum;
    let difference = mean_difference * mean_difference;
    let luminance = difference / ((sum + difference) * 0.5 + config.ssim_c1);
    let structure =
        variance_difference / ((variance_sum + variance_difference) * 0.5 + config.ssim_c2);
    return luminance + structure - luminance * structure;
}

// Losses of four windows one below the other, from the means and variances of their rows.
fn filter_columns(column: u32, row: u32) -> vec4<f32> {
    let first = row * TILE + column;
    let above_0 = row_moments[first];
    let above_1 = row_moments[first + TILE];
    let above_2 = row_moments[first + 2u * TILE];
    var sums = vec4<f32>(0.0, above_0.x, above_1.x, above_2.x);
    var differences = vec4<f32>(0.0, above_0.y, above_1.y, above_2.y);
    var mean_sum = vec4<f32>(0.0);
    var mean_difference = vec4<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let next = row_moments[first + (tap + 3u) * TILE];
        sums = moved_on(sums, next.x);
        differences = moved_on(differences, next.y);
        mean_sum += weight(tap) * sums;
        mean_difference += weight(tap) * differences;
    }
    sums = vec4<f32>(0.0, above_0.x, above_1.x, above_2.x);
    differences = vec4<f32>(0.0, above_0.y, above_1.y, above_2.y);
    var sum_variances = vec4<f32>(0.0, above_0.z, above_1.z, above_2.z);
    var difference_variances = vec4<f32>(0.0, above_0.w, above_1.w, above_2.w);
    var variance_sum = vec4<f32>(0.0);
    var variance_difference = vec4<f32>(0.0);
    for (var tap = 0u; tap < WINDOW; tap++) {
        let next = row_moments[first + (tap + 3u) * TILE];
        sums = moved_on(sums, next.x);
        differences = moved_on(differences, next.y);
        sum_variances = moved_on(sum_variances, next.z);
        difference_variances = moved_on(difference_variances, next.w);
        let sum_off = sums - mean_sum;
        let difference_off = differences - mean_difference;
        variance_sum += weight(tap) * (sum_variances + sum_off * sum_off);
        variance_difference +=
            weight(tap) * (difference_variances + difference_off * difference_off);
    }
    return losses_of(mean_sum, mean_difference, variance_sum, variance_difference);
}

// 1 for a window that counts, 0 for one that does not.
fn share(x: u32, y: u32) -> f32 {
    let is_counted = counts(x, job.width) && counts(y, job.height);
    if !is_counted || is_ignored(x, y - job.first_row) {
        return 0.0;
    }
    return 1.0;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // Groups beyond the end of the list do the last item's work again.
    let item = min(item_of(group), config.windows - 1u);
    let place = places[item];
    job = jobs[place.job];
    let corner = vec2<u32>(place.column * TILE, place.row * TILE);
    for (var at = index; at < SPAN_PIXELS; at += THREADS) {
        let column = at % SPAN;
        let row = at / SPAN;
        let x = inside(i32(corner.x + column) - i32(RADIUS), job.width);
        let y = inside(i32(corner.y + row) - i32(RADIUS), job.height);
        lumas[row * SPAN_STRIDE + column] = sum_and_difference(x, y);
    }
    workgroupBarrier();
    for (var at = index; at < ROW_ITEMS; at += THREADS) {
        filter_rows(at % SPAN, at / SPAN * AT_ONCE);
    }
    workgroupBarrier();
    let column = index % TILE;
    let row = index / TILE * AT_ONCE;
    let x = corner.x + column;
    let y = corner.y + row;
    let shares = vec4<f32>(share(x, y), share(x, y + 1u), share(x, y + 2u), share(x, y + 3u));
    partial[index] = dot(filter_columns(column, row) * shares, vec4<f32>(1.0));
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if index < half {
            partial[index] += partial[index + half];
        }
        workgroupBarrier();
    }
    if index == 0u {
        losses[item] = partial[0];
    }
}
