//! Which path runs where there is a graphics card: a short measurement of both.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::backend::Backend;
use crate::cpu;
use crate::error::Error;
use crate::geometry::Size;
use crate::gpu::Gpu;
use crate::loaded::Keep;
use crate::options::CompareOptions;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::stopwatch::shortest;
use crate::synthetic::{Change, pair};
use crate::workers;

/// What is measured: pages of a size with a change, and how many of them at once. The common case, many of
/// them, and the worst one. Together they take a few CPU cores well under 100 ms, so the whole contest stays
/// under 300 ms.
const CASES: [(Size, Change, &[usize]); 2] = [
    (
        Size {
            width: 1280,
            height: 720,
        },
        Change::TextEdit,
        &[1, 8],
    ),
    (
        Size {
            width: 1280,
            height: 2000,
        },
        Change::Heavy,
        &[1],
    ),
];

/// How long each case runs before it counts.
const WARM_UP: Duration = Duration::from_millis(20);

/// Runs after the first, which prepares what later ones reuse.
const RUNS: u32 = 2;

/// The faster backend, and the figures that say so.
pub(crate) fn fastest(gpu: &Gpu) -> Result<(Backend, String), Error> {
    let (mut cpu_s, mut gpu_s) = (0.0, 0.0);
    for (size, change, counts) in CASES {
        let [baseline, current] = pair(size, change)?;
        let options = CompareOptions::default();
        let load = |_| {
            Pair::load(
                Picture::png(&baseline),
                Picture::png(&current),
                &options,
                Keep::Differing,
            )
        };
        let most = counts.iter().copied().max().unwrap_or(0);
        let pairs = (0..most).into_par_iter().map(load);
        let pairs = pairs.collect::<Result<Vec<_>, Error>>()?;
        for pairs in counts.iter().map(|&count| &pairs[..count]) {
            // As comparators do: a page by itself as its size says, several side by side.
            cpu_s += shortest(RUNS, || {
                match pairs {
                    [pair] => drop(workers::compare(size.pixels(), || cpu::measure(pair))),
                    _ => drop(workers::map_pages(pairs.par_iter(), cpu::measure)),
                }
                Ok(())
            })?;
            warm_up(gpu, pairs)?;
            gpu_s += shortest(RUNS, || gpu.measure(pairs).map(|_| ()))?;
        }
    }
    let (winner, word) = if gpu_s < cpu_s {
        (Backend::Gpu, "GPU")
    } else {
        (Backend::Cpu, "CPU")
    };
    Ok((
        winner,
        format!(
            "the {word} was faster in a short measurement: an edited viewport, eight of \
             them at once and a changed page of 1280×2000 took the GPU {:.1} ms and the CPU {:.1} ms",
            1e3 * gpu_s,
            1e3 * cpu_s
        ),
    ))
}

/// Compares until the card is awake: one that has nothing to do lowers its clocks. Half a second of steady work, which some take to
/// raise them all the way, is more than a service gives them, too.
fn warm_up(gpu: &Gpu, pairs: &[Pair<'_>]) -> Result<(), Error> {
    let start = Instant::now();
    while start.elapsed() < WARM_UP {
        gpu.measure(pairs)?;
    }
    Ok(())
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
