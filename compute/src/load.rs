//! Two pictures on their way into memory: decoded side by side, compared row by row while the rows
//! are still at hand, and let go again where nothing differs.

use crate::comparison::Alignment;
use crate::decode::accept;
use crate::decode::read_size;
use crate::error::Error;
use crate::geometry::Size;
use crate::picture::Picture;
use crate::png_rows::PngRows;
use crate::raster::{Raster, Row, STRIP_ROWS, Source, Strip, strip_count, strip_rows};
use crate::row_hash::row_hash;
use crate::strips::{Hashes, StripFile};

/// Strips decoded before both threads wait for each other: handing over costs some ten microseconds.
const STRIPS_AT_ONCE: usize = 4;

/// Both pictures and what is known of their rows.
#[derive(Debug)]
pub(crate) struct Loaded<'a> {
    pub(crate) baseline: Raster<'a>,
    pub(crate) current: Raster<'a>,
    pub(crate) rows: KnownRows,
}

/// Which decoded strips stay in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Those with a difference, and those around them.
    Differing,
    /// These, and all of the current picture, to draw it afterwards.
    Current,
}

/// What is known of rows without looking at their pixels again.
#[derive(Debug, Default)]
pub(crate) struct KnownRows {
    /// For each row that both pictures have, whether it shows the same pixels in both.
    pub(crate) same_in_place: Vec<bool>,
    /// Rows at the top without hashes; they are the same in both pictures.
    pub(crate) unhashed: u32,
    /// Hashes of the baseline's other rows; empty when nobody asked for them.
    pub(crate) baseline: Vec<u64>,
    /// Hashes of the current picture's other rows.
    pub(crate) current: Vec<u64>,
    /// Hashes of the cells of all rows, when both pictures are stored captures.
    pub(crate) cells: Option<[Vec<u32>; 2]>,
}

/// The size of a picture, from its header alone.
pub(crate) fn size_of(picture: Picture<'_>) -> Result<Size, Error> {
    match picture {
        Picture::Png(png) => read_size(png),
        Picture::Strips(file) => Ok(StripFile::open(file)?.size()),
    }
}

/// The page that holds both pictures, refused when it is larger than one picture may be.
pub(crate) fn page_size(baseline: Picture<'_>, current: Picture<'_>) -> Result<Size, Error> {
    accept(size_of(baseline)?.union(size_of(current)?))
}

/// Loads both pictures as far as a comparison needs them.
pub(crate) fn load<'a>(
    baseline: Picture<'a>,
    current: Picture<'a>,
    alignment: Alignment,
    keep: Keep,
) -> Result<Loaded<'a>, Error> {
    page_size(baseline, current)?;
    match (baseline, current) {
        (Picture::Png(baseline), Picture::Png(current)) => {
            decode_side_by_side(baseline, current, alignment, keep)
        }
        (baseline, current) => {
            let (baseline, current) =
                rayon::join(|| load_hashed(baseline), || load_hashed(current));
            let ((baseline, baseline_hashes), (current, current_hashes)) = (baseline?, current?);
            Ok(Loaded {
                rows: known_by_hashes(
                    baseline.size.width == current.size.width,
                    baseline_hashes,
                    current_hashes,
                ),
                baseline,
                current,
            })
        }
    }
}

impl KnownRows {
    /// Whether hashes tell that two rows show the same pixels; `None` when they do not tell.
    pub(crate) fn same(&self, baseline_y: u32, current_y: u32) -> Option<bool> {
        if baseline_y == current_y
            && let Some(&same) = self.same_in_place.get(baseline_y as usize)
        {
            return Some(same);
        }
        let hash = |hashes: &[u64], y: u32| {
            let at = y.checked_sub(self.unhashed)?;
            hashes.get(at as usize).copied()
        };
        Some(hash(&self.baseline, baseline_y)? == hash(&self.current, current_y)?)
    }
}

/// A picture whose hashes are known: stored captures bring them along, a PNG is decoded whole.
pub(crate) fn load_hashed(picture: Picture<'_>) -> Result<(Raster<'_>, Hashes), Error> {
    match picture {
        Picture::Strips(file) => {
            let hashes = StripFile::open(file)?.hashes()?;
            Ok((Raster::open(picture)?, hashes))
        }
        Picture::Png(png) => {
            let mut rows = PngRows::open(png)?;
            let size = rows.size();
            let strips = (0..strip_count(size))
                .map(|_| rows.read_strip().map(Some))
                .collect::<Result<Vec<_>, Error>>()?;
            let raster = Raster::new(size, strips, Source::Png(png));
            let hashes = Hashes {
                rows: (0..size.height).map(|y| row_hash(raster.row(y))).collect(),
                cells: crate::strips::cell_hashes(
                    (0..size.height).map(|y| raster.row(y)),
                    size.width,
                ),
            };
            Ok((raster, hashes))
        }
    }
}

fn known_by_hashes(same_width: bool, baseline: Hashes, current: Hashes) -> KnownRows {
    let pairs = baseline.rows.iter().zip(&current.rows);
    let same_in_place: Vec<bool> = pairs
        .map(|(one, other)| same_width && one == other)
        .collect();
    // As with two PNGs, rows are matched from the first difference on: how often a row occurs, which
    // decides whether it is evidence, hangs on where one begins to count.
    let same_at_top = same_in_place.iter().take_while(|&&same| same).count();
    let below = |rows: Vec<u64>| rows[same_at_top..].to_vec();
    KnownRows {
        unhashed: u32::try_from(same_at_top).expect("rows of a picture fit 32 bits"),
        baseline: below(baseline.rows),
        current: below(current.rows),
        same_in_place,
        cells: Some([baseline.cells, current.cells]),
    }
}

/// Both PNGs strip by strip on two threads.
fn decode_side_by_side<'a>(
    baseline_png: &'a [u8],
    current_png: &'a [u8],
    alignment: Alignment,
    keep: Keep,
) -> Result<Loaded<'a>, Error> {
    let mut baseline = Decoding::open(baseline_png)?;
    let mut current = Decoding::open(current_png)?;
    let hashed = alignment == Alignment::Auto && baseline.size.width == current.size.width;
    let mut known = KnownRows::default();
    let strips: Vec<u32> = (0..strip_count(baseline.size.union(current.size))).collect();
    for group in strips.chunks(STRIPS_AT_ONCE) {
        let (one, other) = rayon::join(|| baseline.read(group), || current.read(group));
        one.and(other)?;
        for &index in group {
            let differs = note_strip(&mut known, &baseline, &current, index, hashed);
            baseline.differs.push(differs);
            current.differs.push(differs);
            baseline.let_go(index);
            if keep == Keep::Differing {
                current.let_go(index);
            }
        }
    }
    Ok(Loaded {
        baseline: Raster::new(baseline.size, baseline.strips, Source::Png(baseline_png)),
        current: Raster::new(current.size, current.strips, Source::Png(current_png)),
        rows: known,
    })
}

/// One side of a pair while it is decoded.
struct Decoding<'a> {
    size: Size,
    rows: PngRows<'a>,
    strips: Vec<Option<Strip>>,
    /// Which strips hold a row that differs.
    differs: Vec<bool>,
}

impl<'a> Decoding<'a> {
    fn open(png: &'a [u8]) -> Result<Self, Error> {
        let rows = PngRows::open(png)?;
        Ok(Self {
            size: rows.size(),
            rows,
            strips: Vec::new(),
            differs: Vec::new(),
        })
    }

    /// Decodes some strips, as far as the picture has them.
    fn read(&mut self, strips: &[u32]) -> Result<(), Error> {
        let count = strip_count(self.size);
        for _ in strips.iter().filter(|&&index| index < count) {
            self.strips.push(Some(self.rows.read_strip()?));
        }
        Ok(())
    }

    /// A row of a strip that has just been decoded.
    fn row(&self, index: u32, row: u32) -> Option<Row<'_>> {
        let strip = self.strips.get(index as usize)?.as_ref()?;
        Some(strip.row(row, self.size.width))
    }

    fn rows_of(&self, index: u32) -> u32 {
        if index < strip_count(self.size) {
            strip_rows(self.size, index)
        } else {
            0
        }
    }

    /// Frees the strip before this one when nothing differs in it and around it: no window or
    /// neighbourhood of a changed pixel reaches over a whole strip.
    fn let_go(&mut self, index: u32) {
        let last = index as usize;
        let around = self.differs[last.saturating_sub(2)..].iter();
        if let Some(before) = last.checked_sub(1)
            && !around.into_iter().any(|differs| *differs)
            && let Some(strip) = self.strips.get_mut(before)
        {
            *strip = None;
        }
    }
}

/// Compares the rows of a strip in place and hashes them from the first difference on; says
/// whether one differs.
fn note_strip(
    known: &mut KnownRows,
    baseline: &Decoding<'_>,
    current: &Decoding<'_>,
    index: u32,
    hashed: bool,
) -> bool {
    let (ours, theirs) = (baseline.rows_of(index), current.rows_of(index));
    let same_width = baseline.size.width == current.size.width;
    let mut differs = ours != theirs;
    for at in 0..ours.max(theirs) {
        let one = (at < ours).then(|| baseline.row(index, at)).flatten();
        let other = (at < theirs).then(|| current.row(index, at)).flatten();
        let same = match (one, other) {
            (Some(one), Some(other)) => {
                let same = same_width && one.same_part(other, 0..baseline.size.width);
                known.same_in_place.push(same);
                same
            }
            _ => false,
        };
        differs |= !same;
        if !hashed {
            continue;
        }
        if same && known.baseline.is_empty() && known.current.is_empty() {
            known.unhashed = index * STRIP_ROWS + at + 1;
            continue;
        }
        let one = one.map(row_hash);
        let other = if same { one } else { other.map(row_hash) };
        known.baseline.extend(one);
        known.current.extend(other);
    }
    differs
}
