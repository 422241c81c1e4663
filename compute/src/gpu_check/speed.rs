//! How fast the adapter is: each part of a call by itself, whole calls, batches.

use std::time::Duration;

use rayon::prelude::*;

use crate::backend::{Backend, BackendChoice};
use crate::comparator::Comparator;
use crate::comparison::Comparison;
use crate::cpu;
use crate::error::Error;
use crate::geometry::Size;
use crate::gpu::{Gpu, LARGEST_BUFFER_BYTES};
use crate::gpu_check::extent::Extent;
use crate::loaded::Keep;
use crate::options::CompareOptions;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::stopwatch::{shortest, shortest_lasting};
use crate::synthetic::{Change, pair};
use crate::workers;

/// Runs of each measurement at least, after a first one that prepares buffers; the shortest counts.
const RUNS: u32 = 5;

/// How long they last at least, but for those from files, where pages are as long as real ones.
const LASTING: Duration = Duration::from_secs(1);

/// Threads that fill the staging memory, where their number is tried.
const FILLING_THREADS: [usize; 5] = [1, 2, 4, 8, 12];

/// All figures.
#[derive(Debug, Clone)]
pub struct Speed {
    /// Bytes that the card copies from buffer to buffer in a second; each is read and written.
    pub copied_bytes_per_s: f64,
    /// Single pages.
    pub pages: Vec<SpeedRow>,
    /// How fast the staging memory is filled with the last of the pages.
    pub fills: Vec<FillRow>,
    /// Many viewports at once.
    pub batches: Vec<BatchRow>,
}

/// One page. Each part of a call is timed by itself; in a whole call they overlap.
#[derive(Debug, Clone)]
pub struct SpeedRow {
    /// What changed.
    pub name: &'static str,
    /// Its size in pixels.
    pub size: Size,
    /// Bytes of pixels that were sent: both pictures, where something differs.
    pub pixel_bytes: u64,
    /// Seconds in which the host finds differences, plans batches and allocates masks.
    pub plan_s: f64,
    /// Seconds in which the host fills the staging memory.
    pub fill_s: f64,
    /// Seconds from filled staging memory to results that can be read, without any stage.
    pub send_s: f64,
    /// Seconds of filling and sending batch by batch, as a call does it, without any stage. Where the staging memory lies on the
    /// card, filling it is what goes over the bus; else sending it is.
    pub transfer_s: f64,
    /// Seconds of each stage by the card's clock, when it has one.
    pub stages_s: Option<Vec<(&'static str, f64)>>,
    /// Seconds of all stages by the host's clock, without transfers.
    pub stages_wall_s: f64,
    /// Seconds in which the host takes results over and decides what was left to it.
    pub collect_s: f64,
    /// Seconds of the whole call, from decoded pictures to results.
    pub whole_s: f64,
    /// Seconds of the same on the processor.
    pub cpu_s: f64,
}

/// How fast some threads fill the staging memory.
#[derive(Debug, Clone, Copy)]
pub struct FillRow {
    /// Their number.
    pub threads: usize,
    /// Bytes of pixels in a second.
    pub bytes_per_s: f64,
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
    pub submissions: u64,
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

    /// Bytes of pixels that all stages work through in a second.
    pub fn kernel_bytes_per_s(&self) -> f64 {
        self.pixel_bytes as f64 / self.kernel_s()
    }

    /// How many times the transfer a whole call takes.
    pub fn whole_by_transfer(&self) -> f64 {
        self.whole_s / self.transfer_s
    }
}

/// Measures everything.
pub(crate) fn measure(gpu: &Gpu, extent: Extent, progress: &impl Fn(&str)) -> Result<Speed, Error> {
    let (height, viewport, count, copied, lasting) = match extent {
        Extent::Full => (16_000, (1280, 720), 256, LARGEST_BUFFER_BYTES, LASTING),
        Extent::Quick => (1500, (320, 200), 16, 8 << 20, Duration::ZERO),
    };
    progress("speed: copies on the card");
    let copied_bytes_per_s = gpu.copy_bandwidth(copied, lasting)?;
    let page = Size {
        width: 1280,
        height,
    };
    let (mut pages, mut fills) = (Vec::new(), Vec::new());
    for change in [Change::TextEdit, Change::Smoothing, Change::Heavy] {
        progress(&format!("speed: {} of {page}", change.as_str()));
        let (row, filled) = measure_page(gpu, page, change, lasting)?;
        pages.push(row);
        fills = filled;
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
        batches.push(measure_batch(gpu, size, change, count, lasting)?);
    }
    Ok(Speed {
        copied_bytes_per_s,
        pages,
        fills,
        batches,
    })
}

fn measure_page(
    gpu: &Gpu,
    size: Size,
    change: Change,
    lasting: Duration,
) -> Result<(SpeedRow, Vec<FillRow>), Error> {
    let [baseline, current] = pair(size, change)?;
    let options = CompareOptions::default();
    let pairs = [Pair::load(
        Picture::png(&baseline),
        Picture::png(&current),
        &options,
        Keep::Differing,
    )?];
    let (profile, fills) = gpu.profile(&pairs, &FILLING_THREADS, lasting)?;
    let fills = (FILLING_THREADS.into_iter().zip(fills)).map(|(threads, bytes_per_s)| FillRow {
        threads,
        bytes_per_s,
    });
    gpu.warm_up()?;
    let row = SpeedRow {
        name: change.as_str(),
        size,
        pixel_bytes: profile.pixel_bytes,
        plan_s: profile.plan_s,
        fill_s: profile.fill_s,
        send_s: profile.send_s,
        transfer_s: profile.transfer_s,
        stages_s: profile.kernels.stages,
        stages_wall_s: profile.kernels.wall_s,
        collect_s: profile.collect_s,
        whole_s: shortest_lasting(lasting, RUNS, || gpu.measure(&pairs).map(|_| ()))?,
        cpu_s: shortest_lasting(lasting, RUNS, || {
            cpu::measure(&pairs[0]);
            Ok(())
        })?,
    };
    Ok((row, fills.collect()))
}

fn measure_batch(
    gpu: &Gpu,
    size: Size,
    change: Change,
    count: usize,
    lasting: Duration,
) -> Result<BatchRow, Error> {
    let [baseline, current] = pair(size, change)?;
    let options = CompareOptions::default();
    let files = vec![(Picture::png(&baseline), Picture::png(&current)); count];
    let pairs = (files.par_iter())
        .map(|&(baseline, current)| Pair::load(baseline, current, &options, Keep::Differing))
        .collect::<Result<Vec<_>, Error>>()?;
    let per_s = |seconds: f64| count as f64 / seconds;
    gpu.warm_up()?;
    let gpu_pairs_per_s = per_s(shortest_lasting(lasting, RUNS, || {
        gpu.measure(&pairs).map(|_| ())
    })?);
    let cpu_pairs_per_s = per_s(shortest_lasting(lasting, RUNS, || {
        drop(workers::map_pages(pairs.par_iter(), cpu::measure));
        Ok(())
    })?);
    let before = gpu.submissions();
    gpu.measure(&pairs)?;
    let submissions = gpu.submissions() - before;
    drop(pairs);
    let files_per_s = |choice: BackendChoice, backend: Backend| {
        let comparator = Comparator::new(choice)?;
        // A card that fails meanwhile is replaced by the processor, whose figures must not pass for its own.
        let on_it = |comparison: Comparison| {
            let is_on_it = comparison.backend == backend;
            let gave_up = || Error::Gpu("it gave up in the middle of a measurement".into());
            is_on_it.then_some(()).ok_or_else(gave_up)
        };
        let seconds = shortest(RUNS, || {
            (comparator.compare_many(&files, &options).into_iter())
                .try_for_each(|result| result.and_then(on_it))
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
        gpu_files_per_s: files_per_s(BackendChoice::Gpu, Backend::Gpu)?,
        cpu_files_per_s: files_per_s(BackendChoice::Cpu, Backend::Cpu)?,
    })
}
