//! Both backends, and comparing with both: whatever a test looks at, each of them has found, except of the two pages of
//! `pathological.rs` that are as large as a page may be.
//!
//! The GPU path runs on whatever adapter there is, a software one in continuous integration, and fails when there is none:
//! a test of parity that skips proves nothing.

use std::sync::LazyLock;

use pentimento_compute::{
    Backend, BackendChoice, Comparator, CompareOptions, Comparison, Error, Picture,
};

pub(crate) static CPU: LazyLock<Comparator> =
    LazyLock::new(|| Comparator::new(BackendChoice::Cpu).unwrap());
pub(crate) static GPU: LazyLock<Comparator> =
    LazyLock::new(|| Comparator::new(BackendChoice::Gpu).expect(NO_ADAPTER));

pub(crate) const NO_ADAPTER: &str =
    "no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1";

/// Largest difference of the scores, which run from 0 to 100.
const SCORE_TOLERANCE: f64 = 1e-4;

/// Compares on both backends, which must agree, and returns the CPU's result.
#[track_caller]
pub(crate) fn compare<'a>(
    baseline: impl Into<Picture<'a>>,
    current: impl Into<Picture<'a>>,
    options: &CompareOptions,
) -> Comparison {
    try_compare(baseline, current, options).unwrap()
}

/// The same for what may be refused: by both alike.
#[track_caller]
pub(crate) fn try_compare<'a>(
    baseline: impl Into<Picture<'a>>,
    current: impl Into<Picture<'a>>,
    options: &CompareOptions,
) -> Result<Comparison, Error> {
    let (baseline, current) = (baseline.into(), current.into());
    let cpu = CPU.compare(baseline, current, options);
    match (&cpu, GPU.compare(baseline, current, options)) {
        (Ok(cpu), Ok(gpu)) => assert_agree(cpu, gpu),
        (Err(cpu), Err(gpu)) => assert_eq!(cpu.to_string(), gpu.to_string()),
        (cpu, gpu) => panic!("on the CPU {cpu:?}, on the GPU {gpu:?}"),
    }
    cpu
}

/// Fails when two results are not those of one pair on the CPU and on the GPU.
#[track_caller]
fn assert_agree(cpu: &Comparison, gpu: Comparison) {
    // The GPU path knows one lane.
    let expected = match cpu.layout.lanes.len() {
        1 => Backend::Gpu,
        _ => Backend::Cpu,
    };
    assert_eq!((cpu.backend, gpu.backend), (Backend::Cpu, expected));
    assert_eq!(cpu.changed_pixels, gpu.changed_pixels);
    assert!(cpu.mask == gpu.mask, "the masks differ");
    assert!(cpu.faint == gpu.faint, "faint tiles differ");
    assert_eq!(cpu.regions, gpu.regions);
    assert!(
        (cpu.score - gpu.score).abs() <= SCORE_TOLERANCE,
        "{} on the CPU, {} on the GPU",
        cpu.score,
        gpu.score
    );
    let rest = Comparison {
        score: cpu.score,
        backend: cpu.backend,
        ..gpu
    };
    assert!(*cpu == rest, "other fields differ");
}
