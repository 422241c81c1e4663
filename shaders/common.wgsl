// What all stages share: the settings of a chunk, pixels, places. Put in front of every stage; the
// Rust side checks layout and constants against `compute/src/stages.rs`.

// Pixels along one side of a tile.
const TILE: u32 = 16u;
// Pixels in one word of a mask.
const WORD_BITS: u32 = 32u;
// Units of whole-number luma in one step of 0..255.
const LUMA_ONE: i32 = 255000;
// Bits that a fixed-point distance loses before tiles sum it.
const SUM_SHIFT: u32 = 8u;

struct Config {
    // The canvas.
    width: u32,
    height: u32,
    // The chunk: `rows` rows of the page from `first_row` on lie in the buffers.
    first_row: u32,
    rows: u32,
    words_per_row: u32,
    tiles_per_row: u32,
    // Rows of tiles of the chunk that stage `ssim` sums up; the others only surround them.
    core_first: u32,
    core_rows: u32,
    // 1 when the buffer of ignored bits is filled, 0 when nothing is ignored.
    has_ignored: u32,
    // Largest distance that is no change, rounded down and up, in 1/65536.
    threshold_low: u32,
    threshold_high: u32,
    // Coefficients of the distance's quadratic form, in 1/65536.
    rr: i32,
    gg: i32,
    bb: i32,
    rg: i32,
    rb: i32,
    gb: i32,
    ssim_c1: f32,
    ssim_c2: f32,
    pad: u32,
    // The Gaussian along one axis: eleven weights and a zero.
    weights: array<vec4<f32>, 3>,
}

@group(0) @binding(0) var<uniform> config: Config;
// One pixel a word, red in the lowest byte; transparent white where a picture has none.
@group(0) @binding(1) var<storage, read> baseline: array<u32>;
@group(0) @binding(2) var<storage, read> current: array<u32>;
// One bit a pixel, laid out as the changed bits.
@group(0) @binding(3) var<storage, read> ignored: array<u32>;

// The ignored bits of a word, `row` counted from the chunk's first.
fn ignored_word(word: u32, row: u32) -> u32 {
    if config.has_ignored == 0u {
        return 0u;
    }
    return ignored[row * config.words_per_row + word];
}

fn is_ignored(x: u32, row: u32) -> bool {
    return ((ignored_word(x / WORD_BITS, row) >> (x % WORD_BITS)) & 1u) == 1u;
}

fn is_opaque(pixel: u32) -> bool {
    return (pixel >> 24u) == 255u;
}

fn channels(pixel: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(pixel & 255u, (pixel >> 8u) & 255u, (pixel >> 16u) & 255u));
}

// Squared YIQ distance of two opaque pixels in 1/65536. Terms wrap around, their sum cannot.
fn fixed_delta(difference: vec3<i32>) -> u32 {
    let r = difference.x;
    let g = difference.y;
    let b = difference.z;
    let squares = config.rr * (r * r) + config.gg * (g * g) + config.bb * (b * b);
    let products = config.rg * (r * g) + config.rb * (r * b) + config.gb * (g * b);
    return u32(squares + products);
}
