//! Pairs of pages that are compared on both paths.

use crate::cpu;
use crate::dirty::Dirty;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::gpu::Gpu;
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
}

/// Pairs in memory, and what the processor finds: each twice in a row, with anti-aliased pixels that count and
/// with those that do not.
pub(crate) struct Checked<'c> {
    names: Vec<&'c str>,
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
        })
    }

    /// Compares the pair alone.
    pub(crate) fn check(&self, gpu: &Gpu) -> Result<ParityRow, Error> {
        let mut rows = Checked::load([self])?.check(gpu)?;
        Ok(rows.pop().expect("one row a case"))
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
        let (mut names, mut pairs) = (Vec::new(), Vec::new());
        for case in cases {
            names.push(case.name.as_str());
            pairs.push(case.load(AntiAliasing::Include)?);
            pairs.push(case.load(AntiAliasing::Exclude)?);
        }
        Ok(Self {
            expected: pairs.iter().map(cpu::measure).collect(),
            names,
            pairs,
        })
    }

    /// Compares all of them on the adapter, together; one row a case.
    pub(crate) fn check(&self, gpu: &Gpu) -> Result<Vec<ParityRow>, Error> {
        let raw = gpu.run(&self.pairs)?;
        let found = gpu.measure(&self.pairs)?;
        let rows = (self.names.iter().zip(self.pairs.as_chunks::<2>().0)).zip(raw.chunks(2));
        let both = (self.expected.as_chunks().0.iter()).zip(found.as_chunks().0);
        let rows = rows.zip(both).map(|(((name, pairs), raw), (cpu, gpu))| {
            let left_to_host = raw[0].doubtful.as_ref().map_or(0, BitMask::count);
            row(name, &pairs[0], left_to_host, cpu, gpu)
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
    name: &str,
    pair: &Pair<'_>,
    left_to_host: u64,
    cpu: &[Measured; 2],
    gpu: &[Measured; 2],
) -> ParityRow {
    let same = |of: fn(&Measured, &Measured) -> bool| cpu.iter().zip(gpu).all(|(a, b)| of(a, b));
    let windows = windows_that_differ(pair, &cpu[0].differing);
    let difference = 100.0 * (cpu[0].loss - gpu[0].loss) / windows as f64;
    ParityRow {
        name: name.to_owned(),
        size: pair.size,
        changed_pixels: cpu[0].changed.count(),
        anti_aliased_pixels: cpu[0].anti_aliased.count(),
        left_to_host,
        // Anti-aliased pixels stay in the first mask: it is the colour stage's alone.
        color_delta: cpu[0].changed == gpu[0].changed,
        antialias: same(|cpu, gpu| cpu.anti_aliased == gpu.anti_aliased)
            && cpu[1].changed == gpu[1].changed,
        tiles: same(|cpu, gpu| cpu.tiles == gpu.tiles),
        score_difference: difference.abs(),
    }
}
