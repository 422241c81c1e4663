//! Which path runs where there is a graphics card: a short measurement of both.

use std::time::{Duration, Instant};

use crate::backend::Backend;
use crate::comparison::CompareOptions;
use crate::cpu;
use crate::error::Error;
use crate::geometry::Size;
use crate::gpu::Gpu;
use crate::load::Keep;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::synthetic::{Change, pair};

/// What is measured: the common case and the worst one. Both together take a few CPU cores well
/// under 100 ms, so the whole contest stays under 300 ms.
const CASES: [(Size, Change); 2] = [
    (
        Size {
            width: 1280,
            height: 720,
        },
        Change::TextEdit,
    ),
    (
        Size {
            width: 1280,
            height: 2000,
        },
        Change::Heavy,
    ),
];

/// Runs after the first, which prepares what later ones reuse.
const RUNS: u32 = 2;

/// The faster backend, and the figures that say so.
pub(crate) fn fastest(gpu: &Gpu) -> Result<(Backend, String), Error> {
    let (mut cpu_time, mut gpu_time) = (Duration::ZERO, Duration::ZERO);
    for (size, change) in CASES {
        let [baseline, current] = pair(size, change)?;
        let options = CompareOptions::default();
        let pair = Pair::load(
            Picture::Png(&baseline),
            Picture::Png(&current),
            &options,
            Keep::Differing,
        )?;
        let pairs = [pair];
        cpu_time += best(|| {
            cpu::measure(&pairs[0]);
            Ok(())
        })?;
        gpu_time += best(|| gpu.measure(&pairs).map(|_| ()))?;
    }
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    let (winner, word) = if gpu_time < cpu_time {
        (Backend::Gpu, "GPU")
    } else {
        (Backend::Cpu, "CPU")
    };
    Ok((
        winner,
        format!(
            "the {word} was faster in a short measurement: an edited viewport and a changed page \
             of 1280×2000 took the GPU {:.1} ms and the CPU {:.1} ms",
            milliseconds(gpu_time),
            milliseconds(cpu_time)
        ),
    ))
}

/// The shortest of a few runs, the first one left out.
fn best(mut run: impl FnMut() -> Result<(), Error>) -> Result<Duration, Error> {
    run()?;
    let mut shortest = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contest_says_its_figures() {
        let gpu = Gpu::open_any().expect("no adapter to test on");
        let (winner, reason) = fastest(&gpu).unwrap();
        let word = winner.as_str().to_uppercase();
        assert!(
            reason.starts_with(&format!("the {word} was faster")),
            "{reason}"
        );
    }
}
