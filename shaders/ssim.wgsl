// Stage `ssim`: what the windows centred in each tile lose. Twin of `compute/src/cpu/ssim.rs`;
// `compute/src/score.rs` has the definition. One workgroup filters one tile; each thread filters
// four neighbours at once and keeps the values that they share in registers.
//
// 32-bit floats lose what they need when a variance is the difference of two large squares. So both
// passes take values relative to one that lies in all four windows at hand, c, and the variance is
// E[(x - c)²] - (E[x] - c)². In each window the weight of c is W3 or more; the variance is then at least
// W3 (E[x] - c)², hence E[(x - c)²] at most 1 + 1/W3, about 10, times the variance: four bits are lost.
// Variances add up by the law of total variance: that of a window is the mean of its rows' variances
// plus the variance of its rows' means.

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
// Fours of pixels that are read together: eight along a row of the span, which begins in the first and
// ends in the last.
const SPAN_QUADS_ALONG: u32 = 8u;
const SPAN_QUADS: u32 = 208u;
const THREADS: u32 = 64u;
// An odd distance between rows of moments, too, which are four words each.
const MOMENTS_STRIDE: u32 = 17u;
// The Gaussian along one axis, from either edge of a window to its centre.
const W0: f32 = 0.00102838012;
const W1: f32 = 0.00759875821;
const W2: f32 = 0.0360007733;
const W3: f32 = 0.109360687;
const W4: f32 = 0.213005543;
const W5: f32 = 0.266011715;
// Neighbours that one thread filters, and the items of both passes.
const AT_ONCE: u32 = 4u;
const ROW_ITEMS: u32 = 104u;

// Sum and difference of both lumas, for every pixel that a window of the tile covers.
var<workgroup> lumas: array<vec2<f32>, 702>;
// Means (xy) and variances (zw) of both along the rows, for 16 columns of all 26 rows.
var<workgroup> row_moments: array<vec4<f32>, 442>;
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

// `row` counted from the job's first.
fn is_ignored(x: u32, row: u32) -> bool {
    if job.ignored_at == NONE {
        return false;
    }
    let word = marks[job.ignored_at + row * job.words_per_row + x / WORD_BITS];
    return ((word >> (x % WORD_BITS)) & 1u) == 1u;
}

// A row of the canvas, counted from the job's first. Clamped for windows that do not count only.
fn row_of(y: u32) -> u32 {
    return clamp(y, job.first_row, job.first_row + job.rows - 1u) - job.first_row;
}

// Sum and difference of both lumas at a place of the canvas; ignored places are white in both.
fn sum_and_difference(x: u32, y: u32) -> vec2<f32> {
    let row = row_of(y);
    if is_ignored(x, row) {
        return vec2<f32>(510.0, 0.0);
    }
    let before = luma(pixel_at(job.baseline_at, x, row));
    let after = luma(pixel_at(job.current_at, x, row));
    // Subtracted as whole numbers, so that the difference keeps its digits.
    return vec2<f32>(vec2<i32>(before + after, before - after)) / f32(LUMA_ONE);
}

// Lumas of four opaque pixels in thousandths.
fn four_lumas(at: u32) -> vec4<i32> {
    let four = unpack(word_at(at), word_at(at + 1u), word_at(at + 2u));
    let low = vec4<u32>(255u);
    let r = vec4<i32>(four & low);
    let g = vec4<i32>((four >> vec4<u32>(8u)) & low);
    let b = vec4<i32>((four >> vec4<u32>(16u)) & low);
    return 299 * r + 587 * g + 114 * b;
}

// Takes over what the tile's windows cover, four RGB pixels at a time. Nothing is ignored there, and rows
// are not mirrored along; beyond their ends lies whatever there is, for windows that do not count.
fn load_quads(corner: vec2<u32>, index: u32) {
    let row_pixels = job.words_per_row * WORD_BITS;
    for (var at = index; at < SPAN_QUADS; at += THREADS) {
        let row = at / SPAN_QUADS_ALONG;
        // Quads begin with a multiple of four, three pixels before the span.
        let column = i32(at % SPAN_QUADS_ALONG * 4u) - 3;
        let x = clamp(i32(corner.x) - i32(RADIUS) + column, 0, i32(row_pixels) - 4);
        let y = row_of(inside(i32(corner.y + row) - i32(RADIUS), job.height));
        let start = (y * row_pixels + u32(x)) / 4u * 3u;
        let before = four_lumas(job.baseline_at + start);
        let after = four_lumas(job.current_at + start);
        let sums = vec4<f32>(before + after) * 0.001;
        let differences = vec4<f32>(before - after) * 0.001;
        let to = i32(row * SPAN_STRIDE) + column;
        if column >= 0 {
            lumas[to] = vec2<f32>(sums.x, differences.x);
            if column + 1 < i32(SPAN) {
                lumas[to + 1] = vec2<f32>(sums.y, differences.y);
                lumas[to + 2] = vec2<f32>(sums.z, differences.z);
            }
        }
        if column + 3 < i32(SPAN) {
            lumas[to + 3] = vec2<f32>(sums.w, differences.w);
        }
    }
}

// The same pixel by pixel, whatever there is.
fn load_pixels(corner: vec2<u32>, index: u32) {
    for (var at = index; at < SPAN_PIXELS; at += THREADS) {
        let column = at % SPAN;
        let row = at / SPAN;
        let x = inside(i32(corner.x + column) - i32(RADIUS), job.width);
        let y = inside(i32(corner.y + row) - i32(RADIUS), job.height);
        lumas[row * SPAN_STRIDE + column] = sum_and_difference(x, y);
    }
}

// The weighted sum of eleven neighbours.
fn weighted(
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
    e: vec4<f32>,
    f: vec4<f32>,
    g: vec4<f32>,
    h: vec4<f32>,
    i: vec4<f32>,
    j: vec4<f32>,
    k: vec4<f32>,
) -> vec4<f32> {
    return W0 * a + W1 * b + W2 * c + W3 * d + W4 * e + W5 * f + W4 * g + W3 * h + W2 * i + W1 * j
        + W0 * k;
}

// A pixel's values relative to the pivot (xy), and their squares (zw).
fn of_pixel(values: vec2<f32>, pivot: vec2<f32>) -> vec4<f32> {
    let off = values - pivot;
    return vec4<f32>(off, off * off);
}

// The same of a row's moments, whose own variances come on top.
fn of_row(moments: vec4<f32>, pivot: vec2<f32>) -> vec4<f32> {
    let off = moments.xy - pivot;
    return vec4<f32>(off, moments.zw + off * off);
}

// Means and variances from the weighted sums of such values.
fn moments(sums: vec4<f32>, pivot: vec2<f32>) -> vec4<f32> {
    return vec4<f32>(pivot + sums.xy, sums.zw - sums.xy * sums.xy);
}

// Means and variances along four rows of eleven pixels that begin one after the other.
fn filter_rows(row: u32, column: u32) {
    let first = row * SPAN_STRIDE + column;
    let pivot = lumas[first + 6u];
    let p0 = of_pixel(lumas[first], pivot);
    let p1 = of_pixel(lumas[first + 1u], pivot);
    let p2 = of_pixel(lumas[first + 2u], pivot);
    let p3 = of_pixel(lumas[first + 3u], pivot);
    let p4 = of_pixel(lumas[first + 4u], pivot);
    let p5 = of_pixel(lumas[first + 5u], pivot);
    let p6 = vec4<f32>(0.0);
    let p7 = of_pixel(lumas[first + 7u], pivot);
    let p8 = of_pixel(lumas[first + 8u], pivot);
    let p9 = of_pixel(lumas[first + 9u], pivot);
    let p10 = of_pixel(lumas[first + 10u], pivot);
    let p11 = of_pixel(lumas[first + 11u], pivot);
    let p12 = of_pixel(lumas[first + 12u], pivot);
    let p13 = of_pixel(lumas[first + 13u], pivot);
    let place = row * MOMENTS_STRIDE + column;
    row_moments[place] = moments(weighted(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10), pivot);
    row_moments[place + 1u] =
        moments(weighted(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11), pivot);
    row_moments[place + 2u] =
        moments(weighted(p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12), pivot);
    row_moments[place + 3u] =
        moments(weighted(p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13), pivot);
}

// What a window of these means and variances loses, 1 − SSIM: l + s − l·s for the losses l and s of the
// two terms, with one division instead of two.
fn loss(window: vec4<f32>) -> f32 {
    let mean_sum = window.x * window.x;
    let mean_difference = window.y * window.y;
    let luminance = (mean_sum + mean_difference) * 0.5 + config.ssim_c1;
    let structure = (window.z + window.w) * 0.5 + config.ssim_c2;
    return (mean_difference * structure + window.w * (luminance - mean_difference))
        / (luminance * structure);
}

// Losses of four windows one below the other, from the means and variances of their rows.
fn filter_columns(column: u32, row: u32) -> vec4<f32> {
    let first = row * MOMENTS_STRIDE + column;
    let pivot = row_moments[first + 6u * MOMENTS_STRIDE].xy;
    let r0 = of_row(row_moments[first], pivot);
    let r1 = of_row(row_moments[first + MOMENTS_STRIDE], pivot);
    let r2 = of_row(row_moments[first + 2u * MOMENTS_STRIDE], pivot);
    let r3 = of_row(row_moments[first + 3u * MOMENTS_STRIDE], pivot);
    let r4 = of_row(row_moments[first + 4u * MOMENTS_STRIDE], pivot);
    let r5 = of_row(row_moments[first + 5u * MOMENTS_STRIDE], pivot);
    let r6 = of_row(row_moments[first + 6u * MOMENTS_STRIDE], pivot);
    let r7 = of_row(row_moments[first + 7u * MOMENTS_STRIDE], pivot);
    let r8 = of_row(row_moments[first + 8u * MOMENTS_STRIDE], pivot);
    let r9 = of_row(row_moments[first + 9u * MOMENTS_STRIDE], pivot);
    let r10 = of_row(row_moments[first + 10u * MOMENTS_STRIDE], pivot);
    let r11 = of_row(row_moments[first + 11u * MOMENTS_STRIDE], pivot);
    let r12 = of_row(row_moments[first + 12u * MOMENTS_STRIDE], pivot);
    let r13 = of_row(row_moments[first + 13u * MOMENTS_STRIDE], pivot);
    return vec4<f32>(
        loss(moments(weighted(r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10), pivot)),
        loss(moments(weighted(r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11), pivot)),
        loss(moments(weighted(r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12), pivot)),
        loss(moments(weighted(r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13), pivot)),
    );
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
    let is_plain = job.pixel_words == RGB_WORDS && job.ignored_at == NONE;
    if is_plain && job.width >= WINDOW {
        load_quads(corner, index);
    } else {
        load_pixels(corner, index);
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
