// Stage `color_delta`: which pixels changed, one bit each, and which are left to the host. Twin of
// `compute/src/cpu/color_delta.rs`. One thread decides the 32 pixels of one word, four at a time;
// one workgroup covers four blocks, so that its threads read neighbouring memory.

@group(0) @binding(4) var<storage, read> marks: array<u32>;
@group(0) @binding(5) var<storage, read_write> changed: array<u32>;
@group(0) @binding(6) var<storage, read_write> doubtful: array<u32>;

const BLOCKS_PER_GROUP: u32 = 4u;

// Squared YIQ distances of four opaque pixels in 1/65536. Terms wrap around, their sum cannot.
fn fixed_deltas(r: vec4<i32>, g: vec4<i32>, b: vec4<i32>) -> vec4<u32> {
    let squares = config.rr * (r * r) + config.gg * (g * g) + config.bb * (b * b);
    let products = config.rg * (r * g) + config.rb * (r * b) + config.gb * (g * b);
    return vec4<u32>(squares + products);
}

fn bits_of(flags: vec4<bool>) -> u32 {
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), flags);
    return bits.x | bits.y | bits.z | bits.w;
}

fn channel(before: vec4<u32>, after: vec4<u32>, shift: u32) -> vec4<i32> {
    let low = vec4<u32>(shift);
    let mask = vec4<u32>(255u);
    return vec4<i32>((before >> low) & mask) - vec4<i32>((after >> low) & mask);
}

// Bits of changed (x) and doubtful (y) pixels among four.
fn decide(before: vec4<u32>, after: vec4<u32>) -> vec2<u32> {
    let differs = before != after;
    if !any(differs) {
        return vec2<u32>(0u);
    }
    let r = channel(before, after, 0u);
    let g = channel(before, after, 8u);
    let b = channel(before, after, 16u);
    let delta = fixed_deltas(r, g, b);
    // How far the whole-number distance can be from the true one.
    let size = vec4<u32>(abs(r) + abs(g) + abs(b));
    let error = size * size / vec4<u32>(2u) + vec4<u32>(1u);
    let above = delta > vec4<u32>(job.threshold_high) + error;
    let below = delta + error < vec4<u32>(job.threshold_low);
    let opaque = (before & after) >= vec4<u32>(0xff000000u);
    let is_changed = differs & opaque & above;
    let is_doubtful = differs & !(opaque & (above | below));
    return vec2<u32>(bits_of(is_changed), bits_of(is_doubtful));
}

// The 32 pixels of a word; both places are counted in vectors.
fn decide_rgb(baseline: u32, current: u32) -> vec2<u32> {
    var bits = vec2<u32>(0u);
    for (var half = 0u; half < 2u; half++) {
        let before_a = pixels[baseline + half * 3u];
        let before_b = pixels[baseline + half * 3u + 1u];
        let before_c = pixels[baseline + half * 3u + 2u];
        let after_a = pixels[current + half * 3u];
        let after_b = pixels[current + half * 3u + 1u];
        let after_c = pixels[current + half * 3u + 2u];
        if all(before_a == after_a) && all(before_b == after_b) && all(before_c == after_c) {
            continue;
        }
        let first = decide(
            unpack(before_a.x, before_a.y, before_a.z),
            unpack(after_a.x, after_a.y, after_a.z),
        );
        let second = decide(
            unpack(before_a.w, before_b.x, before_b.y),
            unpack(after_a.w, after_b.x, after_b.y),
        );
        let third = decide(
            unpack(before_b.z, before_b.w, before_c.x),
            unpack(after_b.z, after_b.w, after_c.x),
        );
        let fourth = decide(
            unpack(before_c.y, before_c.z, before_c.w),
            unpack(after_c.y, after_c.z, after_c.w),
        );
        let both = first | (second << vec2<u32>(4u)) | (third << vec2<u32>(8u))
            | (fourth << vec2<u32>(12u));
        bits |= both << vec2<u32>(half * 16u);
    }
    return bits;
}

fn decide_rgba(baseline: u32, current: u32) -> vec2<u32> {
    var bits = vec2<u32>(0u);
    for (var quad = 0u; quad < 8u; quad++) {
        bits |= decide(pixels[baseline + quad], pixels[current + quad]) << vec2<u32>(quad * 4u);
    }
    return bits;
}

// Which pixels of a word count: those that both pictures have and that are not ignored.
fn counted(word: u32, row: u32) -> u32 {
    if (marks[job.row_flags_at + row] & ROW_SHARED) == 0u {
        return 0u;
    }
    let first = word * WORD_BITS;
    let columns = min(max(job.shared_columns, first) - first, WORD_BITS);
    if columns == 0u {
        return 0u;
    }
    let bits = 0xffffffffu >> (WORD_BITS - columns);
    if job.ignored_at == NONE {
        return bits;
    }
    return bits & ~marks[job.ignored_at + row * job.words_per_row + word];
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let item = item_of(group) * BLOCKS_PER_GROUP + index % BLOCKS_PER_GROUP;
    if item >= config.blocks {
        return;
    }
    let place = places[item];
    job = jobs[place.job];
    let y = place.row * TILE + index / BLOCKS_PER_GROUP;
    var bits = vec2<u32>(0u);
    if y < job.height {
        let row = y - job.first_row;
        let count = counted(place.column, row);
        if count != 0u {
            let start = (row * job.words_per_row + place.column) * job.pixel_words;
            let baseline = (job.baseline_at + start) / 4u;
            let current = (job.current_at + start) / 4u;
            if job.pixel_words == RGBA_WORDS {
                bits = decide_rgba(baseline, current) & vec2<u32>(count);
            } else {
                bits = decide_rgb(baseline, current) & vec2<u32>(count);
            }
        }
    }
    let slot = item * TILE + index / BLOCKS_PER_GROUP;
    changed[slot] = bits.x;
    doubtful[slot] = bits.y;
}
