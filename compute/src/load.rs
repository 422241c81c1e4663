//! Two pictures on their way into memory, and what is known of their rows on arrival.

use crate::comparison::Alignment;
use crate::decode::accept;
use crate::decode::read_size;
use crate::error::Error;
use crate::geometry::Size;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::raster::{Raster, Source, StripRows, strip_count};
use crate::row_hash::row_hash;
use crate::side_by_side::decode_side_by_side;
use crate::strips::{Hashes, StripFile};
use crate::workers;

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
    match picture.form {
        Form::Png => read_size(picture.file),
        Form::Strips => Ok(StripFile::open(picture.file)?.size()),
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
    if (baseline.form, current.form) == (Form::Png, Form::Png) {
        return decode_side_by_side(baseline.file, current.file, alignment, keep);
    }
    let (baseline, current) = workers::join(|| load_hashed(baseline), || load_hashed(current));
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
    let file = picture.file;
    match picture.form {
        Form::Strips => {
            let hashes = StripFile::open(file)?.hashes()?;
            Ok((Raster::open(picture)?, hashes))
        }
        Form::Png => {
            let mut rows = PngRows::open(file)?;
            let size = rows.size();
            let strips = (0..strip_count(size))
                .map(|_| rows.read_strip().map(|strip| Some(StripRows::own(strip))))
                .collect::<Result<Vec<_>, Error>>()?;
            let raster = Raster::new(size, strips, Source::Png(file));
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
