// Stage `antialias`: which changed pixels look like the smoothing of an edge. Twin of
// `compute/src/cpu/antialias.rs`, which has the rule. One workgroup looks at one block, each thread
// at two of its pixels.
//
// Pixels near a translucent one, and rows whose neighbours on the canvas are not those in the
// pictures, are left to the host.

@group(0) @binding(4) var<storage, read> marks: array<u32>;
@group(0) @binding(5) var<storage, read_write> changed: array<u32>;
@group(0) @binding(6) var<storage, read_write> anti_aliased: array<u32>;
@group(0) @binding(7) var<storage, read_write> doubtful: array<u32>;

// Pixels around one that the rule looks at: the neighbours of neighbours.
const REACH: i32 = 2;
// Pixels along both sides of what a block's pixels look at.
const AREA_WIDTH: u32 = 36u;
const AREA_PIXELS: u32 = 720u;
// The same without the rim.
const INNER_WIDTH: u32 = 34u;
const INNER_PIXELS: u32 = 612u;
// Fours of pixels that are read together: ten along a row, which begins in the first and ends in the
// last.
const AREA_QUADS_ALONG: u32 = 10u;
const AREA_QUADS: u32 = 200u;
const THREADS: u32 = 256u;
// Equal neighbours beyond which a pixel is no smoothing, and from which on a neighbour is part of
// an area.
const FEW: u32 = 2u;
// The weights of brightness in units of a rank (1.28e-6), and what is left of them in units of 1e-8.
const RANK_SHIFT: u32 = 7u;
const RANK_HIGH: vec3<i32> = vec3<i32>(233511, 458298, 89439);
const RANK_LOW: vec3<i32> = vec3<i32>(123, 103, 31);
// Stands for a place beyond the edge: below every rank, and above all of them without its sign.
const OFF: i32 = -2147483648;
// Stands for a translucent pixel.
const TRANSLUCENT: i32 = -1;

var<workgroup> any_changed: atomic<u32>;
var<workgroup> busy: u32;
// Ranks of what a block's pixels look at in the baseline, then in the current picture.
var<workgroup> area: array<i32, 1440>;
// 1 for each place of the area, but for its rim, that has siblings in both pictures.
var<workgroup> siblings: array<u32, 720>;
var<workgroup> found: array<atomic<u32>, 16>;
var<workgroup> unsure: array<atomic<u32>, 16>;

fn is_inside(at: vec2<i32>) -> bool {
    return at.x >= 0 && at.x < i32(job.shared_columns) && at.y >= 0 && at.y < i32(job.height);
}

// A row of the canvas, counted from the job's first, whose rows reach far enough around its blocks.
fn row_of(y: i32) -> u32 {
    return min(u32(max(y - i32(job.first_row), 0)), job.rows - 1u);
}

// The place of a pixel in the order of brightness. Two pixels have the same rank only if they have the
// same colour.
fn rank(pixel: u32) -> i32 {
    if pixel < 0xff000000u {
        return TRANSLUCENT;
    }
    let color = channels(pixel);
    let high = RANK_HIGH * color;
    let low = RANK_LOW * color;
    return high.x + high.y + high.z + ((low.x + low.y + low.z) >> RANK_SHIFT);
}

// The same of four opaque pixels; OFF for those that are not inside.
fn four_ranks(at: u32, is_there: vec4<bool>) -> vec4<i32> {
    let four = unpack(word_at(at), word_at(at + 1u), word_at(at + 2u));
    let mask = vec4<u32>(255u);
    let r = vec4<i32>(four & mask);
    let g = vec4<i32>((four >> vec4<u32>(8u)) & mask);
    let b = vec4<i32>((four >> vec4<u32>(16u)) & mask);
    let high = RANK_HIGH.x * r + RANK_HIGH.y * g + RANK_HIGH.z * b;
    let low = RANK_LOW.x * r + RANK_LOW.y * g + RANK_LOW.z * b;
    return select(vec4<i32>(OFF), high + (low >> vec4<u32>(RANK_SHIFT)), is_there);
}

// Puts the ranks of four neighbours where they belong, as far as they lie in the area.
fn put_ranks(to: i32, column: i32, ranks: vec4<i32>) {
    if column >= 0 {
        area[to] = ranks.x;
        area[to + 1] = ranks.y;
    }
    if column + 2 < i32(AREA_WIDTH) {
        area[to + 2] = ranks.z;
        area[to + 3] = ranks.w;
    }
}

// Takes over what a block's pixels look at, four RGB pixels a thread.
fn load_quads(corner: vec2<i32>, index: u32) {
    if index >= AREA_QUADS {
        return;
    }
    // Quads begin with a multiple of four, two pixels before the area.
    let column = i32(index % AREA_QUADS_ALONG * 4u) - 2;
    let row = index / AREA_QUADS_ALONG;
    let there = corner + vec2<i32>(column, i32(row));
    let columns = vec4<i32>(there.x) + vec4<i32>(0, 1, 2, 3);
    let is_row = there.y >= 0 && there.y < i32(job.height);
    let is_there = (columns >= vec4<i32>(0)) & (columns < vec4<i32>(i32(job.shared_columns)))
        & vec4<bool>(is_row);
    let row_pixels = i32(job.words_per_row * WORD_BITS);
    let x = clamp(there.x, 0, row_pixels - 4);
    let start = (row_of(there.y) * u32(row_pixels) + u32(x)) / 4u * 3u;
    let to = i32(row * AREA_WIDTH) + column;
    put_ranks(to, column, four_ranks(job.baseline_at + start, is_there));
    put_ranks(to + i32(AREA_PIXELS), column, four_ranks(job.current_at + start, is_there));
}

// The same pixel by pixel, translucent ones too.
fn load_pixels(corner: vec2<i32>, index: u32) {
    for (var at = index; at < AREA_PIXELS; at += THREADS) {
        let there = corner + vec2<i32>(vec2<u32>(at % AREA_WIDTH, at / AREA_WIDTH));
        if is_inside(there) {
            let row = row_of(there.y);
            area[at] = rank(pixel_at(job.baseline_at, u32(there.x), row));
            area[AREA_PIXELS + at] = rank(pixel_at(job.current_at, u32(there.x), row));
        } else {
            area[at] = OFF;
            area[AREA_PIXELS + at] = OFF;
        }
    }
}

// A place of the area, so many columns and rows further.
fn moved(at: u32, right: i32, down: i32) -> u32 {
    return u32(i32(at) + down * i32(AREA_WIDTH) + right);
}

// The eight neighbours of a place, which comes after the first row of a picture's area: in the order in
// which the rule visits them, by columns.
fn left_neighbours(at: u32) -> vec4<i32> {
    return vec4<i32>(
        area[at - AREA_WIDTH - 1u],
        area[at - 1u],
        area[at + AREA_WIDTH - 1u],
        area[at - AREA_WIDTH],
    );
}

fn right_neighbours(at: u32) -> vec4<i32> {
    return vec4<i32>(
        area[at + AREA_WIDTH],
        area[at - AREA_WIDTH + 1u],
        area[at + 1u],
        area[at + AREA_WIDTH + 1u],
    );
}

// How many neighbours have the very colour of the place in the middle. At the edge one more counts.
fn equal_count(left: vec4<i32>, right: vec4<i32>, centre: i32) -> u32 {
    let none = vec4<u32>(0u);
    let one = vec4<u32>(1u);
    let equal = select(none, one, left == vec4<i32>(centre))
        + select(none, one, right == vec4<i32>(centre));
    let is_at_edge = any(left == vec4<i32>(OFF)) || any(right == vec4<i32>(OFF));
    return equal.x + equal.y + equal.z + equal.w + select(0u, 1u, is_at_edge);
}

// The brighter (x: its rank, y: its place) of the brightest neighbour so far and another.
fn brighter(end: vec2<i32>, other: i32, there: u32) -> vec2<i32> {
    return select(end, vec2<i32>(other, i32(there)), other > end.x);
}

fn darker(end: vec2<i32>, other: i32, there: u32) -> vec2<i32> {
    return select(end, vec2<i32>(other, i32(there)), bitcast<u32>(other) < bitcast<u32>(end.x));
}

// Whether the pixel lies on a slope of brightness, one end of which has siblings in both pictures.
fn is_smoothed(side: u32, at: u32) -> bool {
    let centre = area[side * AREA_PIXELS + at];
    let left = left_neighbours(side * AREA_PIXELS + at);
    let right = right_neighbours(side * AREA_PIXELS + at);
    if equal_count(left, right, centre) > FEW {
        return false;
    }
    let here = vec2<i32>(centre, i32(at));
    var bright = brighter(here, left.x, moved(at, -1, -1));
    bright = brighter(bright, left.y, moved(at, -1, 0));
    bright = brighter(bright, left.z, moved(at, -1, 1));
    bright = brighter(bright, left.w, moved(at, 0, -1));
    bright = brighter(bright, right.x, moved(at, 0, 1));
    bright = brighter(bright, right.y, moved(at, 1, -1));
    bright = brighter(bright, right.z, moved(at, 1, 0));
    bright = brighter(bright, right.w, moved(at, 1, 1));
    var dark = darker(here, left.x, moved(at, -1, -1));
    dark = darker(dark, left.y, moved(at, -1, 0));
    dark = darker(dark, left.z, moved(at, -1, 1));
    dark = darker(dark, left.w, moved(at, 0, -1));
    dark = darker(dark, right.x, moved(at, 0, 1));
    dark = darker(dark, right.y, moved(at, 1, -1));
    dark = darker(dark, right.z, moved(at, 1, 0));
    dark = darker(dark, right.w, moved(at, 1, 1));
    if bright.y == here.y || dark.y == here.y {
        return false;
    }
    return (siblings[bright.y] | siblings[dark.y]) == 1u;
}

// Whether the place has three neighbours of its very colour.
fn has_siblings(side: u32, at: u32) -> bool {
    let there = side * AREA_PIXELS + at;
    return equal_count(left_neighbours(there), right_neighbours(there), area[there]) > FEW;
}

// Whether a translucent pixel is near enough to matter; only RGBA jobs have any.
fn is_near_translucent(at: u32) -> bool {
    if job.pixel_words != RGBA_WORDS {
        return false;
    }
    for (var down = -REACH; down <= REACH; down++) {
        for (var right = -REACH; right <= REACH; right++) {
            let there = moved(at, right, down);
            if area[there] == TRANSLUCENT || area[AREA_PIXELS + there] == TRANSLUCENT {
                return true;
            }
        }
    }
    return false;
}

@compute @workgroup_size(32, 8)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let item = item_of(group);
    if index == 0u {
        atomicStore(&any_changed, 0u);
    }
    if index < TILE {
        atomicStore(&found[index], 0u);
        atomicStore(&unsure[index], 0u);
    }
    workgroupBarrier();
    if index < TILE && item < config.blocks {
        atomicOr(&any_changed, changed[item * TILE + index]);
    }
    workgroupBarrier();
    if index == 0u {
        busy = atomicLoad(&any_changed);
    }
    if workgroupUniformLoad(&busy) == 0u {
        if item < config.blocks && index < TILE {
            anti_aliased[item * TILE + index] = 0u;
        }
        return;
    }

    let place = places[item];
    job = jobs[place.job];
    let corner = vec2<i32>(vec2<u32>(place.column * WORD_BITS, place.row * TILE)) - vec2<i32>(REACH);
    if job.pixel_words == RGB_WORDS {
        load_quads(corner, index);
    } else {
        load_pixels(corner, index);
    }
    workgroupBarrier();
    for (var inner = index; inner < INNER_PIXELS; inner += THREADS) {
        let at = (inner / INNER_WIDTH + 1u) * AREA_WIDTH + inner % INNER_WIDTH + 1u;
        siblings[at] = select(0u, 1u, has_siblings(0u, at) && has_siblings(1u, at));
    }
    workgroupBarrier();
    for (var row = local.y; row < TILE; row += 8u) {
        if ((changed[item * TILE + row] >> local.x) & 1u) == 1u {
            let at = (row + u32(REACH)) * AREA_WIDTH + local.x + u32(REACH);
            if is_near_translucent(at) {
                atomicOr(&unsure[row], 1u << local.x);
            } else if is_smoothed(0u, at) || is_smoothed(1u, at) {
                atomicOr(&found[row], 1u << local.x);
            }
        }
    }
    workgroupBarrier();
    if index < TILE {
        let slot = item * TILE + index;
        let bits = changed[slot];
        var recognised = atomicLoad(&found[index]);
        var left_over = atomicLoad(&unsure[index]);
        let y = place.row * TILE + index;
        if y < job.height && (marks[job.row_flags_at + y - job.first_row] & ROW_SEAM) != 0u {
            recognised = 0u;
            left_over = bits;
        }
        anti_aliased[slot] = recognised;
        doubtful[slot] |= left_over;
        changed[slot] = bits & ~left_over & select(~recognised, bits, job.keep_anti_aliased == 1u);
    }
}
