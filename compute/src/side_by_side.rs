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
use crate::row_hash::{cell_count, cell_hash, row_hash};
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
    let pixels = baseline.size.pixels() + current.size.pixels();
    if hashed && room.may_be_short_for(pixels) {
        // Whoever wants to know cells may not have all rows at hand.
        known.cells = Some([Vec::new(), Vec::new()]);
    }
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
        // What both share stays in memory, so it must not be all of a picture that has no room there.
        if !room.may_be_short_for(current.size.pixels()) {
            apart.keep_once(&known, &mut baseline, &current);
        }
        room.make_if_full(&mut [(&mut baseline.kept, false), (&mut current.kept, false)]);
    }
    Ok(Loaded {
        baseline: Raster::of_kept(baseline.size, baseline.kept, Source::Png(baseline_png)),
        current: Raster::of_kept(current.size, current.kept, Source::Png(current_png)),
        rows: known,
        room,
    })
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

/// Hashes the cells of a row that is below so many others without hashes.
fn note_cells(cells: &mut [Vec<u32>; 2], unhashed: u32, rows: [Option<Row<'_>>; 2], same: bool) {
    let Some(width) = rows.iter().flatten().next().map(|row| row.width()) else {
        return;
    };
    let count = cell_count(width) as usize;
    let [ours, theirs] = cells;
    for side in [&mut *ours, &mut *theirs] {
        if side.is_empty() {
            side.resize(unhashed as usize * count, 0);
        }
    }
    let hashes = |row| (0..cell_count(width)).map(move |cell| cell_hash(row, cell, width));
    ours.extend(rows[0].into_iter().flat_map(hashes));
    if same {
        theirs.extend(&ours[ours.len() - count..]);
    } else {
        theirs.extend(rows[1].into_iter().flat_map(hashes));
    }
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
        let rows = [baseline.row(index, at), current.row(index, at)];
        let [one, other] = rows;
        let one = one.map(row_hash);
        let other = if same { one } else { other.map(row_hash) };
        known.baseline.extend(one);
        known.current.extend(other);
        if let Some(cells) = &mut known.cells {
            note_cells(cells, known.unhashed, rows, same);
        }
    }
    differs
}
