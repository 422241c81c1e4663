//! Pairs of pages that are compared on both paths.

use crate::cpu;
use crate::dirty::Dirty;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::gpu::{Gpu, seam_rows};
use crate::gpu_check::parity_row::ParityRow;
use crate::loaded::Keep;
use crate::mask::BitMask;
use crate::measured::Measured;
use crate::options::{Alignment, AntiAliasing, CompareOptions};
use crate::pair::Pair;
use crate::picture::Picture;
use crate::score::window_count;
use crate::synthetic::{Change, banded_pair, pair};
use crate::tile::TILE;

/// A pair to check.
pub(crate) struct Case {
    pub(crate) name: String,
    files: [Vec<u8>; 2],
    alignment: Alignment,
    ignore: Vec<Rect>,
    /// Whether all that differs may be translucent, or next to what is.
    is_translucent: bool,
}

/// Pairs in memory, and what the processor finds: each twice in a row, with anti-aliased pixels that count and
/// with those that do not.
pub(crate) struct Checked<'c> {
    cases: Vec<&'c Case>,
    pairs: Vec<Pair<'c>>,
    expected: Vec<Measured>,
}

impl Case {
    /// A page before and after a change.
    pub(crate) fn changed(
        name: impl Into<String>,
        size: Size,
        change: Change,
        ignore: &[Rect],
    ) -> Result<Self, Error> {
        Ok(Self {
            name: name.into(),
            files: pair(size, change)?,
            alignment: Alignment::Off,
            ignore: ignore.to_vec(),
            is_translucent: change == Change::Translucent,
        })
    }

    /// A canvas of bands, whose borders are seams: rows were inserted, removed and edited.
    pub(crate) fn banded(size: Size, ignore: &[Rect]) -> Result<Self, Error> {
        let rest = if ignore.is_empty() {
            ""
        } else {
            ", ignored area"
        };
        Ok(Self {
            name: format!("inserted and removed rows{rest}"),
            files: banded_pair(size)?,
            alignment: Alignment::Auto,
            ignore: ignore.to_vec(),
            is_translucent: false,
        })
    }

    /// Pages of which either is wider or taller.
    pub(crate) fn beside(size: Size, other: Size) -> Result<Self, Error> {
        let [baseline, _] = pair(size, Change::TextEdit)?;
        let [_, current] = pair(other, Change::Smoothing)?;
        Ok(Self {
            name: format!("beside {other}"),
            files: [baseline, current],
            alignment: Alignment::Off,
            ignore: Vec::new(),
            is_translucent: false,
        })
    }

    /// Compares the pair alone.
    pub(crate) fn check(&self, gpu: &Gpu) -> Result<ParityRow, Error> {
        let mut rows = Checked::load([self])?.check(gpu)?;
        Ok(rows.pop().expect("one row a case"))
    }

    /// Pixels of a pair that shaders may leave to the host, where so many changed.
    fn hard_pixels(&self, pair: &Pair<'_>, changed: u64) -> u64 {
        if self.is_translucent {
            return pair.size.pixels();
        }
        let near_threshold = changed / 1000;
        near_threshold + seam_rows(pair) * u64::from(pair.size.width)
    }

    fn load(&self, anti_aliasing: AntiAliasing) -> Result<Pair<'_>, Error> {
        let [baseline, current] = [&self.files[0], &self.files[1]].map(Picture::from);
        let options = CompareOptions {
            anti_aliasing,
            alignment: self.alignment,
            ignore: self.ignore.clone(),
            ..CompareOptions::default()
        };
        let mut pair = Pair::load(baseline, current, &options, Keep::Differing)?;
        pair.baseline_key = baseline.file.hash();
        Ok(pair)
    }
}

impl<'c> Checked<'c> {
    /// Loads pairs that are compared together.
    pub(crate) fn load(cases: impl IntoIterator<Item = &'c Case>) -> Result<Self, Error> {
        let cases: Vec<&Case> = cases.into_iter().collect();
        let mut pairs = Vec::new();
        for case in &cases {
            pairs.push(case.load(AntiAliasing::Include)?);
            pairs.push(case.load(AntiAliasing::Exclude)?);
        }
        Ok(Self {
            expected: pairs.iter().map(cpu::measure).collect(),
            cases,
            pairs,
        })
    }

    /// Compares all of them on the adapter, together; one row a case.
    pub(crate) fn check(&self, gpu: &Gpu) -> Result<Vec<ParityRow>, Error> {
        let raw = gpu.run(&self.pairs)?;
        let found = gpu.measure(&self.pairs)?;
        let rows = (self.cases.iter().zip(self.pairs.as_chunks::<2>().0)).zip(raw.chunks(2));
        let both = (self.expected.as_chunks().0.iter()).zip(found.as_chunks().0);
        let rows = rows.zip(both).map(|(((case, pairs), raw), (cpu, gpu))| {
            let left = (raw.iter()).map(|raw| raw.doubtful.as_ref().map_or(0, BitMask::count));
            row(case, &pairs[0], left.max().unwrap_or(0), cpu, gpu)
        });
        Ok(rows.collect())
    }
}

/// About how many windows of a pair touch a difference: those centred in the tiles that are looked at for them. At least one.
fn windows_that_differ(pair: &Pair<'_>, differing: &Dirty) -> u64 {
    let (columns, rows) = pair.tiles();
    let tiles = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let touched = tiles.filter(|&(column, row)| differing.touches(column, row));
    let centred = touched.count() as u64 * u64::from(TILE * TILE);
    centred
        .min(window_count(pair.size, pair.ignored.as_ref()))
        .max(1)
}

/// Both paths' results, with anti-aliased pixels that count and with those that do not.
fn row(
    case: &Case,
    pair: &Pair<'_>,
    left_to_host: u64,
    cpu: &[Measured; 2],
    gpu: &[Measured; 2],
) -> ParityRow {
    let same = |of: fn(&Measured, &Measured) -> bool| cpu.iter().zip(gpu).all(|(a, b)| of(a, b));
    let windows = windows_that_differ(pair, &cpu[0].differing);
    let difference = 100.0 * (cpu[0].loss - gpu[0].loss) / windows as f64;
    let changed_pixels = cpu[0].changed.count();
    ParityRow {
        name: case.name.clone(),
        size: pair.size,
        changed_pixels,
        anti_aliased_pixels: cpu[0].anti_aliased.count(),
        left_to_host,
        hard_pixels: case.hard_pixels(pair, changed_pixels),
        resident_rows: None,
        // Anti-aliased pixels stay in the first mask: it is the colour stage's alone.
        color_delta: cpu[0].changed == gpu[0].changed,
        antialias: same(|cpu, gpu| cpu.anti_aliased == gpu.anti_aliased)
            && cpu[1].changed == gpu[1].changed,
        tiles: same(|cpu, gpu| cpu.tiles == gpu.tiles),
        score_difference: difference.abs(),
    }
}
