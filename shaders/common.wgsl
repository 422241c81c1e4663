// What all stages share: the settings of a batch, its jobs, pixels, places. Put in front of every
// stage; tests in `compute/src/stages/` hold the layout and what both sides share against the Rust side.
//
// A batch holds the parts of one or many pairs in which something differs. A *job* is a range of
// rows of one pair's canvas. A *block* is one word of the mask wide and one tile high, and listed
// when something in it differs; a *stack* is some blocks one below the other, in each of which a
// window is centred that touches a difference. Results are laid out in the order of the lists: what is
// not listed costs nothing.

// Pixels along one side of a tile.
const TILE: u32 = 16u;
// Pixels in one word of a mask.
const WORD_BITS: u32 = 32u;
// Units of whole-number luma in one step of 0..255.
const LUMA_ONE: i32 = 255000;
// Bits that a fixed-point distance loses before tiles sum it.
const SUM_SHIFT: u32 = 8u;
// Workgroups along x; lists that are longer go on along y.
const MAX_GROUPS: u32 = 65535u;
// Words of pixels for one word of the mask, by kind of pixels.
const RGB_WORDS: u32 = 24u;
const RGBA_WORDS: u32 = 32u;
// Stands for "nothing is ignored".
const NONE: u32 = 0xffffffffu;
// Flags of rows: both pictures have it; its neighbours on the canvas are not those in the pictures.
const ROW_SHARED: u32 = 1u;
const ROW_SEAM: u32 = 2u;

struct Config {
    // Items in the lists of blocks and of stacks.
    blocks: u32,
    stacks: u32,
    // Coefficients of the distance's quadratic form, in 1/65536.
    rr: i32,
    gg: i32,
    bb: i32,
    rg: i32,
    rb: i32,
    gb: i32,
    ssim_c1: f32,
    ssim_c2: f32,
    pad_0: u32,
    pad_1: u32,
}

struct Job {
    // The canvas.
    width: u32,
    height: u32,
    // `rows` rows of the canvas from `first_row` on lie in the buffers.
    first_row: u32,
    rows: u32,
    words_per_row: u32,
    // Columns that both pictures have.
    shared_columns: u32,
    // Words of pixels for one word of the mask: 24 (RGB) or 32 (RGBA).
    pixel_words: u32,
    // Where the pixels of both pictures begin, in words.
    baseline_at: u32,
    current_at: u32,
    // Where its row flags and ignored bits begin; NONE when nothing is ignored.
    row_flags_at: u32,
    ignored_at: u32,
    // Largest distance that is no change, rounded down and up, in 1/65536.
    threshold_low: u32,
    threshold_high: u32,
    // 1 when anti-aliased pixels count as changed.
    keep_anti_aliased: u32,
    // 64 bytes in all: none lies in two lines of a cache.
    pad_0: u32,
    pad_1: u32,
}

// An item of a list: its job, its column and row of blocks on the canvas, and how many blocks it has, one
// below the other.
struct Place {
    job: u32,
    column: u32,
    row: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;
// Rows of whole words of the mask. RGB packed, or RGBA with red in the lowest byte; white where a
// picture has nothing.
@group(0) @binding(2) var<storage, read> pixels: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> places: array<Place>;

// The job at hand.
var<private> job: Job;

// The number of a workgroup in its list.
fn item_of(group: vec3<u32>) -> u32 {
    return group.y * MAX_GROUPS + group.x;
}

fn word_at(word: u32) -> u32 {
    return pixels[word / 4u][word % 4u];
}

// One pixel, `row` counted from the job's first. Reads one component of a vector, or two.
fn pixel_at(at: u32, x: u32, row: u32) -> u32 {
    let start = at + (row * job.words_per_row + x / WORD_BITS) * job.pixel_words;
    let inside = x % WORD_BITS;
    if job.pixel_words == RGBA_WORDS {
        let word = start + inside;
        return word_at(word);
    }
    let byte = 3u * inside;
    let word = start + byte / 4u;
    let shift = byte % 4u * 8u;
    var bits = word_at(word) >> shift;
    if shift > 8u {
        bits |= word_at(word + 1u) << (32u - shift);
    }
    return bits | 0xff000000u;
}

// Four pixels from three words.
fn unpack(first: u32, second: u32, third: u32) -> vec4<u32> {
    let packed = vec4<u32>(
        first,
        (first >> 24u) | (second << 8u),
        (second >> 16u) | (third << 16u),
        third >> 8u,
    );
    return packed | vec4<u32>(0xff000000u);
}

fn channels(pixel: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(pixel & 255u, (pixel >> 8u) & 255u, (pixel >> 16u) & 255u));
}
