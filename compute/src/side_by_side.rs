//! Two PNGs decoded side by side: compared row by row while the rows are still at hand, and let go
//! again where nothing differs.

mod shifted;

use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::loaded::{Keep, KnownRows, Loaded};
use crate::options::Alignment;
use crate::png_rows::PngRows;
use crate::raster::kept::{Kept, Room};
use crate::raster::row::Row;
use crate::raster::strip::{STRIP_ROWS, StripRows, strip_count, strip_rows};
use crate::raster::{Raster, Source};
use crate::row_hash::{cell_count, row_hash};
use crate::strips::cell_hashes;
use crate::workers;

use shifted::Apart;

/// Strips decoded before both threads wait for each other: handing over costs some ten microseconds.
const STRIPS_AT_ONCE: usize = 4;

/// Both PNGs strip by strip, on two threads where there are two.
pub(crate) fn decode_side_by_side(
    room: Room,
    [baseline_png, current_png]: [FileBytes<'_>; 2],
    alignment: Alignment,
    keep: Keep,
) -> Result<Loaded<'_>, Error> {
    let mut baseline = Decoding::open(baseline_png)?;
    let mut current = Decoding::open(current_png)?;
    let hashed = alignment == Alignment::Auto && baseline.size.width == current.size.width;
    let mut known = KnownRows::default();
    let strips: Vec<u32> = (0..strip_count(baseline.size.union(current.size))).collect();
    // Nothing lies above the first rows.
    let mut above_same = true;
    let mut apart = Apart::default();
    // On one thread nobody waits, and a first comparison takes less fresh memory.
    let at_once = match workers::threads() {
        1 => 1,
        _ => STRIPS_AT_ONCE,
    };
    for group in strips.chunks(at_once) {
        let (ours, theirs) = (&mut baseline.rows, &mut current.rows);
        if let Some(read) = PngRows::read_in_step(ours, theirs, group, &mut above_same)? {
            for (side, strips) in [(&mut baseline, read.baseline), (&mut current, read.current)] {
                for strip in strips {
                    side.kept.push(StripRows::Own(strip));
                }
            }
            known.same_in_place.extend(read.same);
        } else {
            let (one, other) = workers::join(|| baseline.read(group), || current.read(group));
            one.and(other)?;
            for &index in group {
                known
                    .same_in_place
                    .extend(same_rows(&baseline, &current, index));
            }
        }
        for &index in group {
            let differs = note_strip(&mut known, &baseline, &current, index, hashed);
            baseline.differs.push(differs);
            current.differs.push(differs);
            baseline.let_go(index);
            if keep == Keep::Differing {
                current.let_go(index);
            }
        }
        apart.keep_once(&known, &mut baseline, &current);
        room.make_if_full([(&mut baseline.kept, false), (&mut current.kept, false)]);
    }
    if hashed && (baseline.kept.has_spool() || current.kept.has_spool()) {
        // Not all rows are at hand for whoever wants to know their cells. One after the other: some PNGs can only be decoded whole.
        room.make([(&mut baseline.kept, false), (&mut current.kept, false)]);
        known.cells = Some([hash_cells(baseline_png)?, hash_cells(current_png)?]);
    }
    Ok(Loaded {
        baseline: Raster::of_kept(baseline.size, baseline.kept, Source::Png(baseline_png)),
        current: Raster::of_kept(current.size, current.kept, Source::Png(current_png)),
        rows: known,
        room,
    })
}

/// The hashes of all cells of a PNG, which is decoded once more and not kept.
fn hash_cells(png: FileBytes<'_>) -> Result<Vec<u32>, Error> {
    let mut png = PngRows::open(png)?;
    let size = png.size();
    let mut hashes = Vec::with_capacity(size.height as usize * cell_count(size.width) as usize);
    for index in 0..strip_count(size) {
        let strip = png.read_strip()?;
        let rows = (0..strip_rows(size, index)).map(|row| strip.row(row, size.width));
        hashes.extend(cell_hashes(rows, size.width));
    }
    Ok(hashes)
}

/// One side of a pair while it is decoded.
struct Decoding<'a> {
    size: Size,
    rows: PngRows<'a>,
    kept: Kept,
    /// Which strips hold a row that differs.
    differs: Vec<bool>,
}

impl<'a> Decoding<'a> {
    fn open(png: FileBytes<'a>) -> Result<Self, Error> {
        let rows = PngRows::open(png)?;
        Ok(Self {
            size: rows.size(),
            rows,
            kept: Kept::default(),
            differs: Vec::new(),
        })
    }

    /// Decodes some strips, as far as the picture has them.
    fn read(&mut self, strips: &[u32]) -> Result<(), Error> {
        let count = strip_count(self.size);
        for _ in strips.iter().filter(|&&index| index < count) {
            let strip = StripRows::own(self.rows.read_strip()?);
            self.kept.push(strip);
        }
        Ok(())
    }

    /// A row of a strip that has just been decoded; `None` below the picture.
    fn row(&self, index: u32, row: u32) -> Option<Row<'_>> {
        if row >= self.rows_of(index) {
            return None;
        }
        let strip = self.kept.get(index as usize)?;
        Some(strip.row(row, self.size.width))
    }

    fn decoded_rows(&self) -> u32 {
        let strips = u32::try_from(self.kept.len()).expect("strips fit 32 bits");
        (strips * STRIP_ROWS).min(self.size.height)
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
        {
            self.kept.forget(before);
        }
    }
}

/// For each row of a strip that both pictures have, whether it shows the same pixels.
fn same_rows(baseline: &Decoding<'_>, current: &Decoding<'_>, index: u32) -> Vec<bool> {
    let same_width = baseline.size.width == current.size.width;
    (0..baseline.rows_of(index).min(current.rows_of(index)))
        .map(|at| {
            let rows = baseline.row(index, at).zip(current.row(index, at));
            rows.is_some_and(|(one, other)| {
                same_width && one.same_part(other, 0..baseline.size.width)
            })
        })
        .collect()
}

/// Hashes the rows of a strip from the first difference on; says whether one differs.
fn note_strip(
    known: &mut KnownRows,
    baseline: &Decoding<'_>,
    current: &Decoding<'_>,
    index: u32,
    hashed: bool,
) -> bool {
    let (ours, theirs) = (baseline.rows_of(index), current.rows_of(index));
    let mut differs = ours != theirs;
    for at in 0..ours.max(theirs) {
        let y = index * STRIP_ROWS + at;
        let same = at < ours.min(theirs) && known.same_in_place[y as usize];
        differs |= !same;
        if !hashed {
            continue;
        }
        if same && known.baseline.is_empty() && known.current.is_empty() {
            known.unhashed = y + 1;
            continue;
        }
        let one = baseline.row(index, at).map(row_hash);
        let other = if same {
            one
        } else {
            current.row(index, at).map(row_hash)
        };
        known.baseline.extend(one);
        known.current.extend(other);
    }
    differs
}
