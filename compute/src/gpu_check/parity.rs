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
use crate::synthetic::{Change, banded_pair, pair};

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

/// A pair to check.
struct Case<'a> {
    name: String,
    files: [&'a [u8]; 2],
    alignment: Alignment,
    ignore: &'a [Rect],
}

/// Checks every kind of change, rows that moved, unequal and odd sizes, ignored areas, and baselines that stay on the card.
pub(crate) fn check(
    gpu: &Gpu,
    extent: Extent,
    progress: &impl Fn(&str),
) -> Result<Vec<ParityRow>, Error> {
    let page = page_size(extent);
    let mut rows = Vec::new();
    for change in Change::ALL {
        progress(&format!("parity: {}", change.as_str()));
        rows.push(check_change(gpu, change.as_str(), page, change, &[])?);
    }
    let area = Rect {
        x: page.width / 3,
        y: page.height / 4,
        width: page.width / 3,
        height: page.height / 2,
    };
    rows.push(check_change(
        gpu,
        "ignored area",
        page,
        Change::Heavy,
        &[area],
    )?);
    progress("parity: rows that moved, unequal sizes");
    rows.push(check_bands(gpu, page, &[])?);
    let lower = Rect {
        y: page.height / 2,
        ..area
    };
    rows.push(check_bands(gpu, page, &[lower])?);
    rows.extend(check_unequal(gpu, page)?);
    for (width, height) in ODD_SIZES {
        let size = Size { width, height };
        for change in [Change::Noise, Change::Smoothing, Change::Translucent] {
            rows.push(check_change(gpu, change.as_str(), size, change, &[])?);
        }
    }
    if extent == Extent::Full {
        progress("parity: 1280×16000");
        let long = Size {
            width: 1280,
            height: 16_000,
        };
        rows.push(check_change(
            gpu,
            "long page",
            long,
            Change::Smoothing,
            &[],
        )?);
        rows.push(check_change(gpu, "long page", long, Change::Heavy, &[])?);
    }
    Ok(rows)
}

/// Checks pairs whose baseline lies on the card already: the first sends it, the others find it there.
pub(crate) fn check_residents(
    gpu: &Gpu,
    extent: Extent,
    progress: &impl Fn(&str),
) -> Result<Vec<ParityRow>, Error> {
    progress("parity: baselines that stay on the card");
    let size = page_size(extent);
    let changes = [Change::Heavy, Change::Smoothing, Change::TextEdit];
    let mut rows = Vec::new();
    for change in changes {
        let before = gpu.spared_rows();
        let mut row = check_change(gpu, "resident baseline", size, change, &[])?;
        let found = gpu.spared_rows() - before;
        row.name = format!(
            "resident baseline, {} ({found} rows found)",
            change.as_str()
        );
        rows.push(row);
    }
    Ok(rows)
}

fn page_size(extent: Extent) -> Size {
    match extent {
        Extent::Full => Size {
            width: 1280,
            height: 4000,
        },
        Extent::Quick => Size {
            width: 640,
            height: 700,
        },
    }
}

fn check_change(
    gpu: &Gpu,
    name: &str,
    size: Size,
    change: Change,
    ignore: &[Rect],
) -> Result<ParityRow, Error> {
    let [baseline, current] = pair(size, change)?;
    let case = Case {
        name: name.to_owned(),
        files: [&baseline, &current],
        alignment: Alignment::Off,
        ignore,
    };
    case.check(gpu)
}

/// A canvas of bands, whose borders are seams: rows were inserted, removed and edited.
fn check_bands(gpu: &Gpu, size: Size, ignore: &[Rect]) -> Result<ParityRow, Error> {
    let [baseline, current] = banded_pair(size)?;
    let case = Case {
        name: if ignore.is_empty() {
            "inserted and removed rows".to_owned()
        } else {
            "inserted and removed rows, ignored area".to_owned()
        },
        files: [&baseline, &current],
        alignment: Alignment::Auto,
        ignore,
    };
    case.check(gpu)
}

/// Pages of which either is wider or taller.
fn check_unequal(gpu: &Gpu, size: Size) -> Result<Vec<ParityRow>, Error> {
    let [baseline, _] = pair(size, Change::TextEdit)?;
    let others = [(-37, 0), (-37, 90), (53, -90), (0, -90)];
    let rows = others.into_iter().map(|(wider, taller)| {
        let other = Size {
            width: size.width.saturating_add_signed(wider),
            height: size.height.saturating_add_signed(taller),
        };
        let [_, current] = pair(other, Change::Smoothing)?;
        let case = Case {
            name: format!("beside {other}"),
            files: [&baseline, &current],
            alignment: Alignment::Off,
            ignore: &[],
        };
        case.check(gpu)
    });
    rows.collect()
}

impl Case<'_> {
    fn check(&self, gpu: &Gpu) -> Result<ParityRow, Error> {
        let [baseline, current] = self.files.map(Picture::Png);
        let load = |anti_aliasing| {
            let options = CompareOptions {
                anti_aliasing,
                alignment: self.alignment,
                ignore: self.ignore.to_vec(),
                ..CompareOptions::default()
            };
            let mut pair = Pair::load(baseline, current, &options, Keep::Differing)?;
            pair.baseline_key = Some(baseline.key());
            Ok::<_, Error>(pair)
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
        let windows = window_count(pairs[0].size, pairs[0].ignored.as_ref());
        let difference = score(expected[0].loss, windows) - score(found[0].loss, windows);
        Ok(ParityRow {
            name: self.name.clone(),
            size: pairs[0].size,
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_is_what_it_is_called() {
        let gpu = Gpu::open_any()
            .expect("no adapter to test on")
            .keep_baselines(64 << 20);
        let size = page_size(Extent::Quick);
        let banded = check_bands(&gpu, size, &[]).unwrap();
        assert!(banded.is_equal(), "{banded:?}");
        // Rows of both pages have a place of their own.
        assert!(banded.size.height > size.height + size.height / 16);
        let residents = check_residents(&gpu, Extent::Quick, &|_| {}).unwrap();
        let names: Vec<&str> = residents.iter().map(|row| row.name.as_str()).collect();
        assert!(residents.iter().all(ParityRow::is_equal), "{residents:?}");
        assert!(
            names.iter().all(|name| !name.contains("(0 rows")),
            "{names:?}"
        );
    }
}
