// Stage `ssim`: what the windows centred in each stack lose. Twin of `compute/src/cpu/ssim.rs`;
// `compute/src/score.rs` has the definition. One workgroup filters one stack from the top to the bottom,
// a few rows at a time: it takes their pixels over, filters along them, and then across the rows
// that it has filtered so far. Meanwhile the pixels of the next rows are on their way. Each thread
// filters two neighbours at once and keeps the values that they share in registers: more of them would take
// more registers, so that fewer threads are at work beside each other.
//
// 32-bit floats lose what they need when a variance is the difference of two large squares. So both
// passes take values relative to one in the middle of both windows at hand, c, and the variance is
// E[(x - c)²] - (E[x] - c)². In each window the weight of c is W4 or more; the variance is then at least
// W4 (E[x] - c)², hence E[(x - c)²] at most 1 + 1/W4, about 6, times the variance: three bits are lost.
// Variances add up by the law of total variance: that of a window is the mean of its rows' variances
// plus the variance of its rows' means.

@group(0) @binding(4) var<storage, read> marks: array<u32>;
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

// Pixels from a window's centre to its edge, and along its side.
const RADIUS: u32 = 5u;
const WINDOW: u32 = 11u;
// Rows that are taken over together.
const STEP: u32 = 8u;
// Rows above the stack with which the first step begins. Windows reach only five of them, but with eleven
// each step from the third on ends with the last row that eight more rows of windows reach.
const LEAD: i32 = 11;
// Rows of moments that are kept: those that the windows of a step reach.
const KEPT: u32 = 18u;
// Pixels along one row of what a stack's windows cover.
const SPAN: u32 = 42u;
const SPAN_PIXELS: u32 = 336u;
// An odd distance between rows keeps threads on neighbouring rows from waiting for each other's
// memory.
const SPAN_STRIDE: u32 = 43u;
// Fours of pixels that are read together: twelve along a row of the span, which begins in the first and
// ends in the last.
const SPAN_QUADS_ALONG: u32 = 12u;
const SPAN_QUADS: u32 = 96u;
const THREADS: u32 = 128u;
// An odd distance between rows of moments, too, which are four words each, and where they end and begin anew.
const MOMENTS_STRIDE: u32 = 33u;
const MOMENTS_END: u32 = 594u;
// The Gaussian along one axis, from either edge of a window to its centre.
const W0: f32 = 0.00102838012;
const W1: f32 = 0.00759875821;
const W2: f32 = 0.0360007733;
const W3: f32 = 0.109360687;
const W4: f32 = 0.213005543;
const W5: f32 = 0.266011715;
// Neighbours that one thread filters.
const AT_ONCE: u32 = 2u;

// Four pixels of both pictures.
struct Quad {
    before: vec3<u32>,
    after: vec3<u32>,
}

// Sum and difference of both lumas, for every pixel of a step that a window of the stack covers.
var<workgroup> lumas: array<vec2<f32>, 344>;
// Means (xy) and variances (zw) of both along the rows that are kept, for 32 columns.
var<workgroup> row_moments: array<vec4<f32>, 594>;
var<workgroup> partial: array<f32, 128>;

// BT.601 luma over white, exact in units of LUMA_ONE.
fn luma(pixel: u32) -> i32 {
    let color = channels(pixel);
    let opaque = 299 * color.x + 587 * color.y + 114 * color.z;
    return 255 * LUMA_ONE - (LUMA_ONE - opaque) * i32(pixel >> 24u);
}

// The pixel that stands for a position, which is at most LEAD before the axis. Short axes are
// mirrored; on others only windows that do not count reach beyond.
fn inside(at: i32, length: u32) -> u32 {
    let size = i32(length);
    if length >= WINDOW {
        return u32(clamp(at, 0, size - 1));
    }
    // Twelve times the length is a whole number of periods, and more than LEAD: no remainder of a
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
fn four_lumas(words: vec3<u32>) -> vec4<i32> {
    let low = vec3<u32>(255u);
    let first = vec3<i32>(words & low);
    let second = vec3<i32>((words >> vec3<u32>(8u)) & low);
    let third = vec3<i32>((words >> vec3<u32>(16u)) & low);
    let fourth = vec3<i32>(words >> vec3<u32>(24u));
    return vec4<i32>(
        299 * first.x + 587 * second.x + 114 * third.x,
        299 * fourth.x + 587 * first.y + 114 * second.y,
        299 * third.y + 587 * fourth.y + 114 * first.z,
        299 * second.z + 587 * third.z + 114 * fourth.z,
    );
}

// Four RGB pixels of some of the rows of a step, which begins with this row of the canvas. Rows are not
// mirrored along; beyond their ends lies whatever there is, for windows that do not count.
fn quad_of(left: u32, top: i32, at: u32) -> Quad {
    let row_pixels = job.words_per_row * WORD_BITS;
    // Quads begin with a multiple of four, three pixels before the span.
    let column = i32(at % SPAN_QUADS_ALONG * 4u) - 3 - i32(RADIUS);
    let x = clamp(i32(left) + column, 0, i32(row_pixels) - 4);
    let y = row_of(inside(top + i32(at / SPAN_QUADS_ALONG), job.height));
    let start = (y * row_pixels + u32(x)) / 4u * 3u;
    let before = job.baseline_at + start;
    let after = job.current_at + start;
    return Quad(
        vec3<u32>(word_at(before), word_at(before + 1u), word_at(before + 2u)),
        vec3<u32>(word_at(after), word_at(after + 1u), word_at(after + 2u)),
    );
}

// Puts four pixels where they belong, as far as they lie in the span. Nothing is ignored there.
fn put_quad(quad: Quad, at: u32) {
    let before = four_lumas(quad.before);
    let after = four_lumas(quad.after);
    // Converted, although floats made of bits are faster: on one card those lost digits, as they do where
    // (a - b) * c is taken for a * c - b * c.
    let sums = vec4<f32>(before + after) * 0.001;
    let differences = vec4<f32>(before - after) * 0.001;
    let column = i32(at % SPAN_QUADS_ALONG * 4u) - 3;
    let to = i32(at / SPAN_QUADS_ALONG * SPAN_STRIDE) + column;
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

// The same pixel by pixel, whatever there is.
fn load_pixels(left: u32, top: i32, index: u32) {
    for (var at = index; at < SPAN_PIXELS; at += THREADS) {
        let column = at % SPAN;
        let row = at / SPAN;
        let x = inside(i32(left + column) - i32(RADIUS), job.width);
        let y = inside(top + i32(row), job.height);
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

// Means and variances along two rows of eleven pixels that begin one after the other.
fn filter_rows(first: u32, place: u32) {
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
    row_moments[place] = moments(weighted(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10), pivot);
    row_moments[place + 1u] =
        moments(weighted(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11), pivot);
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

// The moments so many rows below others; below the last row comes the first.
fn further(first: u32, rows: u32) -> vec4<f32> {
    let place = first + rows * MOMENTS_STRIDE;
    return row_moments[min(place, place - MOMENTS_END)];
}

// Losses of two windows one below the other, from the means and variances of their rows.
fn filter_columns(first: u32) -> vec2<f32> {
    let pivot = further(first, 6u).xy;
    let r0 = of_row(further(first, 0u), pivot);
    let r1 = of_row(further(first, 1u), pivot);
    let r2 = of_row(further(first, 2u), pivot);
    let r3 = of_row(further(first, 3u), pivot);
    let r4 = of_row(further(first, 4u), pivot);
    let r5 = of_row(further(first, 5u), pivot);
    let r6 = of_row(further(first, 6u), pivot);
    let r7 = of_row(further(first, 7u), pivot);
    let r8 = of_row(further(first, 8u), pivot);
    let r9 = of_row(further(first, 9u), pivot);
    let r10 = of_row(further(first, 10u), pivot);
    let r11 = of_row(further(first, 11u), pivot);
    return vec2<f32>(
        loss(moments(weighted(r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10), pivot)),
        loss(moments(weighted(r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11), pivot)),
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

// Whether all windows that are centred in some places of an axis count.
fn is_inside(first: u32, count: u32, length: u32) -> bool {
    return first >= RADIUS && first + count + RADIUS <= length;
}

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // Groups beyond the end of the list do the last item's work again.
    let item = min(item_of(group), config.stacks - 1u);
    let place = places[item];
    job = jobs[place.job];
    let left = place.column * WORD_BITS;
    let top = place.row * TILE;
    let is_plain = job.pixel_words == RGB_WORDS && job.ignored_at == NONE && job.width >= WINDOW;
    let is_inner = is_plain && is_inside(left, WORD_BITS, job.width)
        && is_inside(top, place.count * TILE, job.height);
    // Along a step's rows: eight threads next to each other filter four pairs of columns of two rows, whose
    // memory lies apart.
    let row = index / 4u % 2u + index / 16u % 4u * 2u;
    let column = (index % 4u + index / 8u % 2u * 4u + index / 64u * 8u) * AT_ONCE;
    // Across them.
    let window_column = index % WORD_BITS;
    let window_row = index / WORD_BITS * AT_ONCE;
    let x = left + window_column;
    // The last threads read a quad that others read, too.
    let quad_at = min(index, SPAN_QUADS - 1u);
    let steps = place.count * (TILE / STEP) + 2u;
    var lost = 0.0;
    var quad: Quad;
    if is_plain {
        quad = quad_of(left, i32(top) - LEAD, quad_at);
    }
    for (var step = 0u; step < steps; step++) {
        let begin = i32(top + step * STEP) - LEAD;
        if is_plain {
            if index < SPAN_QUADS {
                put_quad(quad, index);
            }
            quad = quad_of(left, begin + i32(STEP), quad_at);
        } else {
            load_pixels(left, begin, index);
        }
        workgroupBarrier();
        let kept_at = (step * STEP + row) % KEPT;
        filter_rows(row * SPAN_STRIDE + column, kept_at * MOMENTS_STRIDE + column);
        workgroupBarrier();
        if step >= 2u {
            let above = (step - 2u) * STEP + window_row;
            let y = top + above;
            var shares = vec2<f32>(1.0);
            if !is_inner {
                shares = vec2<f32>(share(x, y), share(x, y + 1u));
            }
            // Of the rows that the steps began with, the first window of all reaches the seventh.
            let reached = (above + u32(LEAD) - RADIUS) % KEPT;
            let lost_here = filter_columns(reached * MOMENTS_STRIDE + window_column);
            lost += dot(lost_here, shares);
        }
    }
    partial[index] = lost;
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
