//! Every stage on the adapter against its twin on the processor.

use crate::comparison::{Alignment, AntiAliasing, CompareOptions};
use crate::cpu;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::gpu::{Gpu, Passes};
use crate::gpu_check::Extent;
use crate::load::Keep;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::score::{score, window_count};
use crate::synthetic::{Change, pair};

/// Largest difference of the scores, which run from 0 to 100.
const SCORE_TOLERANCE: f64 = 1e-4;

/// Sizes that end in the middle of words, tiles and windows.
const ODD_SIZES: [(u32, u32); 5] = [(1, 1), (7, 5), (31, 33), (257, 130), (1023, 77)];

/// One pair on both paths.
#[derive(Debug, Clone)]
pub struct ParityRow {
    /// What kind of pair.
    pub name: String,
    /// Its size in pixels.
    pub size: Size,
    /// Changed pixels, anti-aliased ones included.
    pub changed_pixels: u64,
    /// Anti-aliased ones among them.
    pub anti_aliased_pixels: u64,
    /// Pixels that the shaders left to the host.
    pub left_to_host: u64,
    /// Stage `color_delta` gives the same mask.
    pub color_delta: bool,
    /// Stage `antialias` gives the same masks.
    pub antialias: bool,
    /// Stage `tiles` gives the same summaries.
    pub tiles: bool,
    /// How far the scores of stage `ssim` are apart.
    pub score_difference: f64,
}

impl ParityRow {
    /// Whether every stage agrees.
    pub fn is_equal(&self) -> bool {
        self.color_delta && self.antialias && self.tiles && self.score_difference <= SCORE_TOLERANCE
    }
}

/// Checks every kind of change, odd sizes and ignored areas.
pub(crate) fn check(
    gpu: &Gpu,
    extent: Extent,
    progress: &impl Fn(&str),
) -> Result<Vec<ParityRow>, Error> {
    let page = match extent {
        Extent::Full => Size {
            width: 1280,
            height: 4000,
        },
        Extent::Quick => Size {
            width: 640,
            height: 700,
        },
    };
    let mut rows = Vec::new();
    for change in Change::ALL {
        progress(&format!("parity: {}", change.as_str()));
        rows.push(check_pair(gpu, change.as_str(), page, change, &[])?);
    }
    let area = Rect {
        x: page.width / 3,
        y: page.height / 4,
        width: page.width / 3,
        height: page.height / 2,
    };
    rows.push(check_pair(
        gpu,
        "ignored area",
        page,
        Change::Heavy,
        &[area],
    )?);
    for (width, height) in ODD_SIZES {
        let size = Size { width, height };
        for change in [Change::Noise, Change::Smoothing, Change::Translucent] {
            rows.push(check_pair(gpu, change.as_str(), size, change, &[])?);
        }
    }
    if extent == Extent::Full {
        progress("parity: 1280×16000");
        let long = Size {
            width: 1280,
            height: 16_000,
        };
        rows.push(check_pair(gpu, "long page", long, Change::Smoothing, &[])?);
        rows.push(check_pair(gpu, "long page", long, Change::Heavy, &[])?);
    }
    Ok(rows)
}

fn check_pair(
    gpu: &Gpu,
    name: &str,
    size: Size,
    change: Change,
    ignore: &[Rect],
) -> Result<ParityRow, Error> {
    let [baseline, current] = pair(size, change)?;
    let load = |anti_aliasing| {
        let options = CompareOptions {
            anti_aliasing,
            alignment: Alignment::Off,
            ignore: ignore.to_vec(),
            ..CompareOptions::default()
        };
        Pair::load(
            Picture::Png(&baseline),
            Picture::Png(&current),
            &options,
            Keep::Differing,
        )
    };
    let pairs = [load(AntiAliasing::Include)?, load(AntiAliasing::Exclude)?];
    let left_to_host = (gpu.run(&pairs[..1], Passes::All)?.iter())
        .map(|raw| raw.doubtful.count())
        .sum();
    let found = gpu.measure(&pairs)?;
    let expected: Vec<Measured> = pairs.iter().map(cpu::measure).collect();
    let same = |of: fn(&Measured, &Measured) -> bool| {
        expected.iter().zip(&found).all(|(cpu, gpu)| of(cpu, gpu))
    };
    let windows = window_count(size, pairs[0].ignored.as_ref());
    let difference = score(expected[0].loss, windows) - score(found[0].loss, windows);
    Ok(ParityRow {
        name: name.to_owned(),
        size,
        changed_pixels: expected[0].changed.count(),
        anti_aliased_pixels: expected[0].anti_aliased.count(),
        left_to_host,
        // Anti-aliased pixels stay in the first pair's mask: it is the colour stage's alone.
        color_delta: expected[0].changed == found[0].changed,
        antialias: same(|cpu, gpu| cpu.anti_aliased == gpu.anti_aliased)
            && expected[1].changed == found[1].changed,
        tiles: same(|cpu, gpu| cpu.tiles == gpu.tiles),
        score_difference: difference.abs(),
    })
}
