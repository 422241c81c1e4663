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
// The same without the rim, and its threes of pixels, one below the other.
const INNER_WIDTH: u32 = 34u;
const INNER_THREES: u32 = 204u;
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

// A row of three places around one, which comes after the first place of a picture's area.
fn three(at: u32) -> vec3<i32> {
    return vec3<i32>(area[at - 1u], area[at], area[at + 1u]);
}

// How many of three places have a colour.
fn of_colour(row: vec3<i32>, colour: i32) -> u32 {
    let equal = select(vec3<u32>(0u), vec3<u32>(1u), row == vec3<i32>(colour));
    return equal.x + equal.y + equal.z;
}

fn is_at_edge(row: vec3<i32>) -> bool {
    return any(row == vec3<i32>(OFF));
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
    let there = side * AREA_PIXELS + at;
    let above = three(there - AREA_WIDTH);
    let beside = three(there);
    let below = three(there + AREA_WIDTH);
    let centre = beside.y;
    // The place itself is one of those of its colour, and at the edge one more counts.
    let equal = of_colour(above, centre) + of_colour(beside, centre) + of_colour(below, centre);
    let is_edge = is_at_edge(above) || is_at_edge(beside) || is_at_edge(below);
    if equal + select(0u, 1u, is_edge) > FEW + 1u {
        return false;
    }
    // In the order in which the rule visits them, by columns.
    let here = vec2<i32>(centre, i32(at));
    var bright = brighter(here, above.x, moved(at, -1, -1));
    bright = brighter(bright, beside.x, moved(at, -1, 0));
    bright = brighter(bright, below.x, moved(at, -1, 1));
    bright = brighter(bright, above.y, moved(at, 0, -1));
    bright = brighter(bright, below.y, moved(at, 0, 1));
    bright = brighter(bright, above.z, moved(at, 1, -1));
    bright = brighter(bright, beside.z, moved(at, 1, 0));
    bright = brighter(bright, below.z, moved(at, 1, 1));
    var dark = darker(here, above.x, moved(at, -1, -1));
    dark = darker(dark, beside.x, moved(at, -1, 0));
    dark = darker(dark, below.x, moved(at, -1, 1));
    dark = darker(dark, above.y, moved(at, 0, -1));
    dark = darker(dark, below.y, moved(at, 0, 1));
    dark = darker(dark, above.z, moved(at, 1, -1));
    dark = darker(dark, beside.z, moved(at, 1, 0));
    dark = darker(dark, below.z, moved(at, 1, 1));
    if bright.y == here.y || dark.y == here.y {
        return false;
    }
    return (siblings[bright.y] | siblings[dark.y]) == 1u;
}

// Which of three places, one below the other, have three neighbours of their very colour.
fn have_siblings(at: u32) -> vec3<bool> {
    let a = three(at - AREA_WIDTH);
    let b = three(at);
    let c = three(at + AREA_WIDTH);
    let d = three(at + 2u * AREA_WIDTH);
    let e = three(at + 3u * AREA_WIDTH);
    let in_middle = is_at_edge(c);
    let around_upper = in_middle || is_at_edge(b);
    let around_lower = in_middle || is_at_edge(d);
    let edges = vec3<bool>(
        around_upper || is_at_edge(a),
        around_upper || is_at_edge(d),
        around_lower || is_at_edge(e),
    );
    // The place itself is one of them, and at the edge one more counts.
    let counts = vec3<u32>(
        of_colour(a, b.y) + of_colour(b, b.y) + of_colour(c, b.y),
        of_colour(b, c.y) + of_colour(c, c.y) + of_colour(d, c.y),
        of_colour(c, d.y) + of_colour(d, d.y) + of_colour(e, d.y),
    );
    return counts + select(vec3<u32>(0u), vec3<u32>(1u), edges) > vec3<u32>(FEW + 1u);
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
    if index < INNER_THREES {
        let at = (index / INNER_WIDTH * 3u + 1u) * AREA_WIDTH + index % INNER_WIDTH + 1u;
        let both = have_siblings(at) & have_siblings(AREA_PIXELS + at);
        siblings[at] = select(0u, 1u, both.x);
        siblings[at + AREA_WIDTH] = select(0u, 1u, both.y);
        siblings[at + 2u * AREA_WIDTH] = select(0u, 1u, both.z);
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
