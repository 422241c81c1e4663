// No stage: what the check program measures copying on the card with. Each thread copies four vectors that
// lie apart, so that neighbouring threads read neighbouring memory and none waits for one before the
// next.

@group(0) @binding(0) var<storage, read> before: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> after: array<vec4<u32>>;

const THREADS: u32 = 256u;
const PER_THREAD: u32 = 4u;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let first = group.x * THREADS * PER_THREAD + index;
    let a = before[first];
    let b = before[first + THREADS];
    let c = before[first + 2u * THREADS];
    let d = before[first + 3u * THREADS];
    after[first] = a;
    after[first + THREADS] = b;
    after[first + 2u * THREADS] = c;
    after[first + 3u * THREADS] = d;
}
