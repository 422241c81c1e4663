// Stage `color_delta`: which pixels changed, one bit each, and which are left to the host. Twin of
// `compute/src/cpu/color_delta.rs`. One thread decides the 32 pixels of one word.

@group(0) @binding(4) var<storage, read_write> changed: array<u32>;
@group(0) @binding(5) var<storage, read_write> doubtful: array<u32>;

const SAME: u32 = 0u;
const CHANGED: u32 = 1u;
const DOUBTFUL: u32 = 2u;

// How far the whole-number distance can be from the true one.
fn error_bound(difference: vec3<i32>) -> u32 {
    let size = abs(difference);
    let sum = u32(size.x + size.y + size.z);
    return sum * sum / 2u + 1u;
}

fn decide(before: u32, after: u32) -> u32 {
    if before == after {
        return SAME;
    }
    if !is_opaque(before) || !is_opaque(after) {
        return DOUBTFUL;
    }
    let difference = channels(before) - channels(after);
    let delta = fixed_delta(difference);
    let error = error_bound(difference);
    if delta > config.threshold_high + error {
        return CHANGED;
    }
    if delta + error < config.threshold_low {
        return SAME;
    }
    return DOUBTFUL;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = id.x;
    let row = id.y;
    if word >= config.words_per_row || row >= config.rows {
        return;
    }
    let first = word * WORD_BITS;
    let end = min(first + WORD_BITS, config.width);
    var changed_bits = 0u;
    var doubtful_bits = 0u;
    for (var x = first; x < end; x++) {
        let before = baseline[row * config.width + x];
        let after = current[row * config.width + x];
        let decision = decide(before, after);
        changed_bits |= select(0u, 1u, decision == CHANGED) << (x - first);
        doubtful_bits |= select(0u, 1u, decision == DOUBTFUL) << (x - first);
    }
    let counted = ~ignored_word(word, row);
    changed[row * config.words_per_row + word] = changed_bits & counted;
    doubtful[row * config.words_per_row + word] = doubtful_bits & counted;
}
