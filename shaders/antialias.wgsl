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
const THREADS: u32 = 256u;
// Equal neighbours beyond which a pixel is no smoothing, and from which on a neighbour is part of
// an area.
const FEW: u32 = 2u;
// The weights of brightness in units of 1e-8, in two parts: the upper one in units of 65536.
const BRIGHTNESS_HIGH: vec3<i32> = vec3<i32>(456, 895, 174);
const BRIGHTNESS_LOW: vec3<i32> = vec3<i32>(5115, 7527, 44959);

var<workgroup> busy: u32;
// What a block's pixels look at in the baseline, then in the current picture.
var<workgroup> area: array<u32, 1440>;
var<workgroup> found: array<atomic<u32>, 16>;
var<workgroup> unsure: array<atomic<u32>, 16>;

// The place in the area where the block begins, on the canvas.
var<private> corner: vec2<i32>;

struct Slope {
    is_one: bool,
    darkest: vec2<i32>,
    brightest: vec2<i32>,
}

fn is_inside(at: vec2<i32>) -> bool {
    return at.x >= 0 && at.x < i32(job.shared_columns) && at.y >= 0 && at.y < i32(job.height);
}

// Whether one neighbour is missing.
fn is_at_edge(at: vec2<i32>) -> bool {
    return at.x == 0 || at.x + 1 == i32(job.shared_columns)
        || at.y == 0 || at.y + 1 == i32(job.height);
}

// A pixel at a place of the canvas, at most REACH from the block.
fn seen(side: u32, at: vec2<i32>) -> u32 {
    let inside = vec2<u32>(at - corner);
    return area[side * AREA_PIXELS + inside.y * AREA_WIDTH + inside.x];
}

// How much brighter one opaque pixel is than another: 64 bits in two parts, the lower one of 16
// bits and never negative, so that parts compare one after the other.
fn brightness_delta(one: u32, other: u32) -> vec2<i32> {
    let difference = channels(one) - channels(other);
    let high = BRIGHTNESS_HIGH * difference;
    let low = BRIGHTNESS_LOW * difference;
    let low_sum = low.x + low.y + low.z;
    return vec2<i32>(high.x + high.y + high.z + (low_sum >> 16u), low_sum & 65535);
}

fn is_less(one: vec2<i32>, other: vec2<i32>) -> bool {
    return one.x < other.x || (one.x == other.x && one.y < other.y);
}

// The darkest and the brightest neighbour, when the pixel lies on a slope between them.
fn slope(side: u32, at: vec2<i32>) -> Slope {
    let centre = seen(side, at);
    var equal = select(0u, 1u, is_at_edge(at));
    var lowest = vec2<i32>(0);
    var highest = vec2<i32>(0);
    var result = Slope(false, vec2<i32>(0), vec2<i32>(0));
    for (var right = -1; right <= 1; right++) {
        for (var down = -1; down <= 1; down++) {
            let there = at + vec2<i32>(right, down);
            if (right == 0 && down == 0) || !is_inside(there) {
                continue;
            }
            let delta = brightness_delta(centre, seen(side, there));
            if all(delta == vec2<i32>(0)) {
                equal += 1u;
            } else if is_less(delta, lowest) {
                lowest = delta;
                result.darkest = there;
            } else if is_less(highest, delta) {
                highest = delta;
                result.brightest = there;
            }
        }
    }
    result.is_one = equal <= FEW && any(lowest != vec2<i32>(0)) && any(highest != vec2<i32>(0));
    return result;
}

// Whether the pixel has three neighbours of its very colour.
fn has_siblings(side: u32, at: vec2<i32>) -> bool {
    let centre = seen(side, at);
    var equal = select(0u, 1u, is_at_edge(at));
    for (var right = -1; right <= 1; right++) {
        for (var down = -1; down <= 1; down++) {
            let there = at + vec2<i32>(right, down);
            if (right != 0 || down != 0) && is_inside(there) && seen(side, there) == centre {
                equal += 1u;
            }
        }
    }
    return equal > FEW;
}

fn both_have_siblings(at: vec2<i32>) -> bool {
    return has_siblings(0u, at) && has_siblings(1u, at);
}

fn is_anti_aliased(at: vec2<i32>) -> bool {
    for (var side = 0u; side < 2u; side++) {
        let between = slope(side, at);
        if between.is_one
            && (both_have_siblings(between.darkest) || both_have_siblings(between.brightest)) {
            return true;
        }
    }
    return false;
}

// Whether a translucent pixel is near enough to matter; only RGBA jobs have any.
fn is_near_translucent(at: vec2<i32>) -> bool {
    if job.pixel_words != RGBA_WORDS {
        return false;
    }
    for (var down = -REACH; down <= REACH; down++) {
        for (var right = -REACH; right <= REACH; right++) {
            let there = at + vec2<i32>(right, down);
            if is_inside(there) && (seen(0u, there) & seen(1u, there)) < 0xff000000u {
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
        var any_changed = 0u;
        if item < config.blocks {
            for (var row = 0u; row < TILE; row++) {
                any_changed |= changed[item * TILE + row];
            }
        }
        busy = any_changed;
    }
    if workgroupUniformLoad(&busy) == 0u {
        if item < config.blocks && index < TILE {
            anti_aliased[item * TILE + index] = 0u;
        }
        return;
    }

    let place = places[item];
    job = jobs[place.job];
    corner = vec2<i32>(vec2<u32>(place.column * WORD_BITS, place.row * TILE)) - vec2<i32>(REACH);
    for (var at = index; at < AREA_PIXELS; at += THREADS) {
        let there = corner + vec2<i32>(vec2<u32>(at % AREA_WIDTH, at / AREA_WIDTH));
        if is_inside(there) {
            // The job's rows reach far enough around its blocks.
            let row = min(u32(max(there.y - i32(job.first_row), 0)), job.rows - 1u);
            area[at] = pixel_at(job.baseline_at, u32(there.x), row);
            area[AREA_PIXELS + at] = pixel_at(job.current_at, u32(there.x), row);
        }
    }
    workgroupBarrier();
    for (var row = local.y; row < TILE; row += 8u) {
        if ((changed[item * TILE + row] >> local.x) & 1u) == 1u {
            let at = corner + REACH + vec2<i32>(vec2<u32>(local.x, row));
            if is_near_translucent(at) {
                atomicOr(&unsure[row], 1u << local.x);
            } else if is_anti_aliased(at) {
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
