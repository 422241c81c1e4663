//! Two pictures on their way into memory.

use crate::decode::accept;
use crate::decode::read_size;
use crate::error::Error;
use crate::geometry::Size;
use crate::loaded::{Keep, KnownRows, Loaded};
use crate::options::Alignment;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::raster::kept::{Kept, Room};
use crate::raster::strip::{StripRows, strip_count, strip_rows};
use crate::raster::{Raster, Source};
use crate::row_hash::row_hash;
use crate::side_by_side::decode_side_by_side;
use crate::strips::{Hashes, StripFile, cell_hashes};
use crate::workers;

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
pub(crate) fn load(
    room: Room,
    [baseline, current]: [Picture<'_>; 2],
    alignment: Alignment,
    keep: Keep,
) -> Result<Loaded<'_>, Error> {
    page_size(baseline, current)?;
    if (baseline.form, current.form) == (Form::Png, Form::Png) {
        return decode_side_by_side(room, [baseline.file, current.file], alignment, keep);
    }
    let (baseline, current) = workers::join(
        || load_hashed(room, baseline),
        || load_hashed(room, current),
    );
    let ((baseline, baseline_hashes), (current, current_hashes)) = (baseline?, current?);
    Ok(Loaded {
        rows: known_by_hashes(
            baseline.size.width == current.size.width,
            baseline_hashes,
            current_hashes,
        ),
        baseline,
        current,
        room,
    })
}

/// A picture whose hashes are known: stored captures bring them along, a PNG is decoded whole.
pub(crate) fn load_hashed(room: Room, picture: Picture<'_>) -> Result<(Raster<'_>, Hashes), Error> {
    let file = picture.file;
    match picture.form {
        Form::Strips => {
            let hashes = StripFile::open(file)?.hashes()?;
            Ok((Raster::open(picture)?, hashes))
        }
        Form::Png => {
            let mut png = PngRows::open(file)?;
            let size = png.size();
            let mut kept = Kept::default();
            let (mut rows, mut cells) = (Vec::new(), Vec::new());
            for index in 0..strip_count(size) {
                let strip = png.read_strip()?;
                let of_strip = || {
                    let rows = 0..strip_rows(size, index);
                    rows.map(|row| strip.row(row, size.width))
                };
                rows.extend(of_strip().map(row_hash));
                cells.extend(cell_hashes(of_strip(), size.width));
                kept.push(StripRows::own(strip));
                room.make_if_full(&mut [(&mut kept, false)]);
            }
            let raster = Raster::of_kept(size, kept, Source::Png(file));
            let hashes = Hashes { rows, cells };
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
