//! How fast the adapter is: the stages alone, the transfers alone, whole calls, batches.

use std::time::Instant;

use rayon::prelude::*;

use crate::backend::BackendChoice;
use crate::comparator::Comparator;
use crate::comparison::CompareOptions;
use crate::cpu;
use crate::error::Error;
use crate::geometry::Size;
use crate::gpu::{Gpu, Passes};
use crate::gpu_check::Extent;
use crate::load::Keep;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::synthetic::{Change, pair};

/// Runs of each measurement after a first one that prepares buffers; the shortest counts.
const RUNS: u32 = 5;

/// All figures.
#[derive(Debug, Clone)]
pub struct Speed {
    /// Bytes that the card copies from buffer to buffer in a second; each is read and written.
    pub copied_bytes_per_s: f64,
    /// Single pages.
    pub pages: Vec<SpeedRow>,
    /// Many viewports at once.
    pub batches: Vec<BatchRow>,
}

/// One page.
#[derive(Debug, Clone)]
pub struct SpeedRow {
    /// What changed.
    pub name: &'static str,
    /// Its size in pixels.
    pub size: Size,
    /// Bytes of pixels that were sent: both pictures, where something differs.
    pub pixel_bytes: u64,
    /// Seconds of each stage by the card's clock, when it has one.
    pub stages_s: Option<Vec<(&'static str, f64)>>,
    /// Seconds of all stages by the host's clock, without transfers.
    pub stages_wall_s: f64,
    /// Seconds of the transfers to and from the card alone.
    pub transfer_s: f64,
    /// Seconds of the whole call, from decoded pictures to results.
    pub whole_s: f64,
    /// Seconds of the same on the processor.
    pub cpu_s: f64,
}

/// Many pairs.
#[derive(Debug, Clone)]
pub struct BatchRow {
    /// What changed.
    pub name: &'static str,
    /// Size of each page in pixels.
    pub size: Size,
    /// Number of pairs.
    pub pairs: usize,
    /// Submissions that they took.
    pub submissions: usize,
    /// Pairs in a second from decoded pictures to results, on the adapter.
    pub gpu_pairs_per_s: f64,
    /// The same on all processors.
    pub cpu_pairs_per_s: f64,
    /// Pairs in a second from files to facts, on the adapter.
    pub gpu_files_per_s: f64,
    /// The same on all processors.
    pub cpu_files_per_s: f64,
}

impl SpeedRow {
    /// Seconds of all stages: by the card's clock when it has one.
    pub fn kernel_s(&self) -> f64 {
        let sum = |stages: &Vec<(&str, f64)>| stages.iter().map(|(_, seconds)| seconds).sum();
        self.stages_s.as_ref().map_or(self.stages_wall_s, sum)
    }

    /// Bytes of pixels that the stages work through in a second.
    pub fn kernel_bytes_per_s(&self) -> f64 {
        self.pixel_bytes as f64 / self.kernel_s()
    }
}

/// Measures everything.
pub(crate) fn measure(gpu: &Gpu, extent: Extent, progress: &impl Fn(&str)) -> Result<Speed, Error> {
    let (height, viewport, count, copied) = match extent {
        Extent::Full => (16_000, (1280, 720), 256, 128 << 20),
        Extent::Quick => (1500, (320, 200), 16, 8 << 20),
    };
    progress("speed: copies on the card");
    let copied_bytes_per_s = gpu.copy_bandwidth(copied)?;
    let page = Size {
        width: 1280,
        height,
    };
    let mut pages = Vec::new();
    for change in [Change::TextEdit, Change::Smoothing, Change::Heavy] {
        progress(&format!("speed: {} of {page}", change.as_str()));
        pages.push(measure_page(gpu, page, change)?);
    }
    let size = Size {
        width: viewport.0,
        height: viewport.1,
    };
    let mut batches = Vec::new();
    for change in [Change::TextEdit, Change::Heavy] {
        progress(&format!(
            "speed: {count} pairs of {size}, {}",
            change.as_str()
        ));
        batches.push(measure_batch(gpu, size, change, count)?);
    }
    Ok(Speed {
        copied_bytes_per_s,
        pages,
        batches,
    })
}

fn measure_page(gpu: &Gpu, size: Size, change: Change) -> Result<SpeedRow, Error> {
    let [baseline, current] = pair(size, change)?;
    let options = CompareOptions::default();
    let pairs = [Pair::load(
        Picture::Png(&baseline),
        Picture::Png(&current),
        &options,
        Keep::Differing,
    )?];
    let profile = gpu.profile(&pairs)?;
    Ok(SpeedRow {
        name: change.as_str(),
        size,
        pixel_bytes: profile.pixel_bytes,
        stages_s: profile.stages,
        stages_wall_s: profile.wall_s,
        transfer_s: shortest(|| gpu.run(&pairs, Passes::None).map(|_| ()))?,
        whole_s: shortest(|| gpu.measure(&pairs).map(|_| ()))?,
        cpu_s: shortest(|| {
            cpu::measure(&pairs[0]);
            Ok(())
        })?,
    })
}

fn measure_batch(gpu: &Gpu, size: Size, change: Change, count: usize) -> Result<BatchRow, Error> {
    let [baseline, current] = pair(size, change)?;
    let options = CompareOptions::default();
    let files = vec![(Picture::Png(&baseline), Picture::Png(&current)); count];
    let pairs = (files.par_iter())
        .map(|&(baseline, current)| Pair::load(baseline, current, &options, Keep::Differing))
        .collect::<Result<Vec<_>, Error>>()?;
    let per_s = |seconds: f64| count as f64 / seconds;
    let gpu_pairs_per_s = per_s(shortest(|| gpu.measure(&pairs).map(|_| ()))?);
    let cpu_pairs_per_s = per_s(shortest(|| {
        pairs.par_iter().for_each(|pair| {
            cpu::measure(pair);
        });
        Ok(())
    })?);
    let submissions = gpu.profile(&pairs)?.submissions;
    drop(pairs);
    let files_per_s = |choice: BackendChoice| {
        let comparator = Comparator::new(choice)?;
        let seconds = shortest(|| {
            (comparator.compare_many(&files, &options).into_iter())
                .try_for_each(|result| result.map(|_| ()))
        })?;
        Ok::<f64, Error>(per_s(seconds))
    };
    Ok(BatchRow {
        name: change.as_str(),
        size,
        pairs: count,
        submissions,
        gpu_pairs_per_s,
        cpu_pairs_per_s,
        gpu_files_per_s: files_per_s(BackendChoice::Gpu)?,
        cpu_files_per_s: files_per_s(BackendChoice::Cpu)?,
    })
}

/// Seconds of the shortest of a few runs, the first one left out.
fn shortest(mut run: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    run()?;
    let mut shortest = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    Ok(shortest)
}
